"""From notices to what a template sees: a view of the mail, and in it a view of each notice.

A mail shows the board of a match once: in its turn prompt if it has one, else in the first notice
that wants it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import quote

from pbem.errors import Facts
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.matches.match import Match, Status
from pbem.names import MatchId
from pbem.notices.news import (
    ConditionMet,
    Invitation,
    MatchBegan,
    MatchOver,
    MatchWatched,
    MoveKept,
    MoveReceipt,
    MoveReturned,
    MovesTakenBack,
    OperatorActed,
    ResignationOff,
    SeatFilled,
    TakebackWanted,
    TimeOver,
    TurnPrompt,
    WatchOpened,
)
from pbem.notices.notice import Notice, asked_about
from pbem.notices.personal import (
    AboutSomebody,
    Banned,
    DataShown,
    OperatorDecided,
    Reminder,
    SampleShown,
    SettingsShown,
    Welcome,
)
from pbem.notices.replies import (
    BoardShown,
    CalendarShown,
    DailyDigest,
    GamesListed,
    HelpShown,
    MovePreviewed,
    NoOrderFound,
    OpenSeatsListed,
    OrderRefused,
    RulesShown,
    VerificationShown,
)
from pbem.notices.views import foreseeing, situation
from pbem.notices.views import matches as seen
from pbem.notices.views import rulebook as samples
from pbem.notices.views.clean import NAME, clean, clean_facts
from pbem.notices.views.footer import (
    OFFERED,
    ask_of,
    proofs_of,
    shaping,
    unfinished,
    wish_views,
    works,
)
from pbem.notices.views.foreseeing import TheirMail, previewed
from pbem.notices.views.match_parts import MatchView
from pbem.notices.views.match_view import match_view
from pbem.notices.views.scene import (
    MARKER,
    Link,
    ListedPart,
    NoticeView,
    Reader,
    Scene,
    Site,
    VerbHelp,
    View,
    Wishes,
    template_name,
)
from pbem.notices.views.told import Listed, end_of, told_by_operator, with_list

__all__ = ["MARKER", "Reader", "Scene", "Site", "VerbHelp", "View", "Wishes", "build"]

SAMPLE_ANSWERS: Final = ("ok", "bad glyphs", "bad width", "bad html")
"""What a test mail can be answered with by a tap."""

_BEGUN: Final = (Status.RUNNING, Status.ENDED)


def build(notices: Sequence[Notice], reader: Reader, scene: Scene) -> View:
    """The view of one mail: everything its templates may say to this reader."""
    looker = _Looker(notices, reader, scene)
    views = tuple(looker.look(notice) for notice in notices)
    first = views[0]
    running = first.match is not None and first.match.status in _BEGUN
    return View(
        notices=views,
        reader=clean(reader.name, NAME),
        site=scene.site,
        sender=f"{first.match.label} ({scene.site.title})" if first.match else scene.site.title,
        thread=first.match.id if first.match is not None and running else None,
        match=first.match,
        ask=ask_of(notices, views),
        reply_address=scene.reply_address,
        verbs=tuple(v.name for v in scene.verbs if v.name in OFFERED and works(v, first.match)),
        order_words=scene.order_words
        | {word.partition(" ")[0] for verb in scene.verbs for word in (verb.name, *verb.also)},
        unfinished=unfinished(scene.verbs),
        token_line=scene.token_line,
        page=scene.page,
        width=reader.wishes.width,
        html=reader.wishes.html,
        lang=reader.wishes.lang,
        tz=reader.wishes.tz,
        proofs=proofs_of(views),
        wishes=shaping(views, reader),
        newcomer=reader.newcomer,
    )


def _look_at(mail: TheirMail) -> NoticeView:
    return _Looker((mail.notice,), mail.reader, mail.scene, blind=mail.blind, foreign=True).look(
        mail.notice
    )


class _Looker:
    """Looks at the notices of one mail in turn, and remembers which boards it has shown."""

    def __init__(
        self,
        notices: Sequence[Notice],
        reader: Reader,
        scene: Scene,
        *,
        blind: bool = False,
        foreign: bool = False,
    ) -> None:
        self._reader = reader
        self._foreign = foreign
        self._blind = blind
        self._scene = scene
        self._views: dict[MatchId, MatchView] = {}
        self._kept_for_prompt = {one.match for one in notices if isinstance(one, TurnPrompt)}
        self._shown: set[MatchId] = set()
        self._names_matches = len(asked_about(notices)) > 1

    def look(self, notice: Notice) -> NoticeView:  # noqa: C901, PLR0911, PLR0912 - a case a kind
        """The view of one notice, with what its kind needs besides its facts."""
        name: MatchId | None = getattr(notice, "match", None)
        match = self._scene.matches[name] if name is not None else None
        view = self._plain(notice, match)
        match notice:
            case MoveReturned() | ResignationOff() if not (view.match and view.match.your_turn):
                return view
            case TurnPrompt() | MoveReturned() | ResignationOff():
                return self._prompt(view, self._scene.matches[notice.match])
            case MoveKept():
                match = self._scene.matches[notice.match]
                shown = foreseeing.kept(view, notice, match, self._reader, self._scene)
                return replace(shown, links=self._answers(view, *foreseeing.offered(notice)))
            case TimeOver():
                shown = self._with_board(view, self._scene.matches[notice.match])
                return foreseeing.people(shown, notice, self._scene)
            case WatchOpened() | MatchWatched():
                return self._watched(view, notice, self._scene.matches[notice.match])
            case MoveReceipt() | ConditionMet() | MatchBegan() | MatchOver():
                return self._position(view, notice, self._scene.matches[notice.match])
            case BoardShown() | MovePreviewed():
                return self._position(view, notice, self._scene.matches[notice.match])
            case notice if isinstance(notice, Listed):
                match = self._scene.matches[notice.match]
                return with_list(view, notice, match, self._reader, self._scene)
            case OrderRefused():
                return self._refused(view, notice, match)
            case NoOrderFound() if match is not None and match.status in _BEGUN:
                return self._with_board(view, match)
            case GamesListed(matches=names) | Reminder(matches=names):
                watched = notice.watched if isinstance(notice, GamesListed) else ()
                listed = (self._in_list(notice, name) for name in (*names, *watched))
                return replace(view, matches=tuple(listed))
            case notice if isinstance(notice, AboutSomebody):
                shared = self._all_plain(view, notice, notice.matches)
                return replace(shared, person=seen.name_of(notice.player, self._scene))
            case CalendarShown(matches=names):
                return self._all_plain(view, notice, names)
            case DailyDigest(matches=names):
                return replace(view, matches=tuple(self._on_turn(notice, names)))
            case SampleShown(game=key):
                view = replace(view, listed=replace(view.listed, samples=samples.pictures(key)))
                return replace(view, links=self._answers(view, *SAMPLE_ANSWERS))
            case SettingsShown(wishes=chosen):
                return replace(view, listed=replace(view.listed, wishes=wish_views(chosen)))
            case OpenSeatsListed(seats=seats):
                return self._all_plain(view, notice, [seat.match for seat in seats])
            case VerificationShown():
                lines = situation.last_links(self._scene.matches[notice.match])
                return replace(view, listed=replace(view.listed, lines=lines))
            case Invitation():
                return self._invited(view)
            case RulesShown():
                return foreseeing.ruled(view, notice, self._reader)
            case HelpShown() | Welcome():
                return foreseeing.helped(view, notice, self._scene)
            case _:
                return self._people(view, notice)

    def _watched(
        self, view: NoticeView, notice: WatchOpened | MatchWatched, match: Match
    ) -> NoticeView:
        """What everybody may see: the board of no seat."""
        view = self._with_board(view, match)
        if isinstance(notice, WatchOpened):
            return view
        return replace(view, since=seen.told(match, notice.first, self._scene, None))

    # --- the kinds ----------------------------------------------------------------------------

    def _prompt(self, view: NoticeView, match: Match) -> NoticeView:
        you = match.seat_of(self._reader.player)
        view = self._with_board(self._taught(view, match), match, for_prompt=True)
        told = seen.told(match, seen.after_own_ply(match, you), self._scene, you)
        return replace(view, since=told)

    def _position(
        self,
        view: NoticeView,
        notice: MoveReceipt | ConditionMet | MatchBegan | MatchOver | BoardShown | MovePreviewed,
        match: Match,
    ) -> NoticeView:
        you = match.seat_of(self._reader.player)
        match notice:
            case ConditionMet():
                since = seen.told(match, seen.after_own_ply(match, you), self._scene, you)
                return replace(self._with_board(view, match), since=since)
            case MoveReceipt(ply=ply):
                first = seen.after_ply(match, ply)
                own, *rest = seen.told(match, first - 1, self._scene, you)
                since = () if match.id in self._kept_for_prompt else tuple(rest)
                return replace(self._with_board(view, match), told=own, since=since)
            case MatchBegan():
                return self._begun(view, match, you)
            case MatchOver():
                first = max(seen.after_own_ply(match, you) - 1, 0)
                since = seen.told(match, first, self._scene, you)
                notes = seen.remarks(seen.notes_of(match, self._reader.player), self._scene)
                view = replace(view, listed=replace(view.listed, remarks=notes))
                return replace(self._with_board(view, match), since=since)
            case BoardShown():
                return self._asked_for(view, notice, match, you)
            case MovePreviewed():
                return previewed(view, notice, self._reader, self._scene, _look_at)

    def _asked_for(
        self, view: NoticeView, notice: BoardShown, match: Match, you: Seat | None
    ) -> NoticeView:
        """The board as somebody wants to see it: explained, and in words if they are asked for."""
        ply = notice.ply
        last = seen.last_move(match, ply, self._scene, you)
        whole = notice.whole
        board = replace(view.board, explains=not whole, defines=True, whole=whole)
        view = replace(view, board=board, last=last)
        if ply == match.course.ply:
            view = self._with_board(view, match)
        else:
            sight = seen.sight_after(match, ply, you, self._reader, self._scene)
            board = replace(view.board, sight=sight, draws=situation.lying_draws(match, ply))
            view = replace(view, board=board)
        shown = view.board.sight
        if shown is not None and notice.whole:
            view = replace(view, board=replace(view.board, sight=replace(shown, lines=())))
        return view

    def _begun(self, view: NoticeView, match: Match, you: Seat | None) -> NoticeView:
        since = () if match.id in self._kept_for_prompt else seen.told(match, 0, self._scene, you)
        draws = view.match.fairness.draws if view.match is not None else ()
        shown = self._with_board(self._taught(view, match), match)
        return replace(shown, board=replace(shown.board, draws=draws), since=since)

    def _refused(self, view: NoticeView, notice: OrderRefused, match: Match | None) -> NoticeView:
        table = view.match
        if match is None or table is None:
            return view
        facts: Facts = notice.facts
        if notice.code == "game_over" and match.course.outcome is not None:
            # What a game says of its end, whoever refuses: the match knows how it came.
            facts = {**facts, **end_of(match, match.course.outcome)}
            view = replace(view, notice=clean_facts(replace(notice, facts=facts)))
        if table.your_turn:
            defines = notice.code in foreseeing.UNREAD or self._taught(view, match).board.defines
            board = replace(view.board, defines=defines)
            view = self._with_board(replace(view, board=board), match)
        moves = foreseeing.candidates(notice) if table.your_turn else ()
        links = (*seen.links(match, moves, self._scene), *view.links)
        return replace(view, links=links[: seen.LINKS])

    def _all_plain(self, view: NoticeView, notice: Notice, names: Sequence[MatchId]) -> NoticeView:
        plain = tuple(self._plain(notice, self._scene.matches[name]) for name in names)
        return replace(view, matches=plain)

    def _in_list(self, notice: GamesListed | Reminder, name: MatchId) -> NoticeView:
        match = self._scene.matches[name]
        view, boards = self._plain(notice, match), isinstance(notice, Reminder) or notice.boards
        return self._prompt(view, match) if boards and match.to_act else view

    def _on_turn(self, notice: Notice, names: Sequence[MatchId]) -> Iterator[NoticeView]:
        """The boards that wait; what was played since the mail was queued is left out."""
        for match in (self._scene.matches[name] for name in names):
            seat = match.seat_of(self._reader.player)
            if seat in match.to_act and seat not in match.pending.held:
                yield self._prompt(self._plain(notice, match), match)

    def _invited(self, view: NoticeView) -> NoticeView:
        """PLAY 1: what it is about, for who may have never seen the game."""
        key = view.match.game if view.match is not None and not view.spoken else ""
        links = self._answers(view, "yes" if view.newcomer else "accept", "decline")
        board = replace(view.board, sight=samples.example(key, self._reader.wishes))
        return replace(view, board=board, links=links)

    def _people(self, view: NoticeView, notice: Notice) -> NoticeView:
        view = foreseeing.people(view, notice, self._scene)
        match notice:
            case SeatFilled():
                match = self._scene.matches[notice.match]
                here = match.seat_of(self._reader.player) is not None
                return self._with_board(view, match) if here else view
            case OperatorActed() | OperatorDecided() | Banned():
                return told_by_operator(view, notice, self._scene)
            case TakebackWanted() | MovesTakenBack():
                return self._taken_back(view, notice)
            case DataShown():
                return replace(view, listed=replace(view.listed, held=self._scene.held))
            case _:
                return replace(view, links=self._answers(view, *notice.traits.answers))

    def _taken_back(self, view: NoticeView, notice: TakebackWanted | MovesTakenBack) -> NoticeView:
        match = self._scene.matches[notice.match]
        back = foreseeing.taken_back(view, notice, match, self._reader, self._scene)
        if isinstance(notice, MovesTakenBack):
            return self._with_board(back, match)
        return replace(back, links=self._answers(view, "yes", "no"))

    # --- what they have in common -------------------------------------------------------------

    def _plain(self, notice: Notice, match: Match | None) -> NoticeView:
        return NoticeView(
            name=template_name(type(notice)),
            notice=clean_facts(notice),
            reader=clean(self._reader.name, NAME),
            spoken=self._reader.wishes.spoken,
            newcomer=self._reader.newcomer,
            html=self._reader.wishes.html,
            site=self._scene.site,
            match=self._match_view(match) if match is not None and match.terms.ruleset else None,
            listed=ListedPart(games=tuple((one.key, one.title) for one in GAMES.values())),
            prefix=f"{match.id} " if self._names_matches and match is not None else "",
        )

    def _taught(self, view: NoticeView, match: Match) -> NoticeView:
        """With the aim and the signs for who is new to the game; not what somebody else reads."""
        board = seen.taught(view.board, match, self._reader.player, self._scene)
        return view if self._foreign else replace(view, board=board)

    def _match_view(self, match: Match) -> MatchView:
        if match.id not in self._views:
            self._views[match.id] = match_view(match, self._reader, self._scene)
        return self._views[match.id]

    def _with_board(
        self, view: NoticeView, match: Match, *, for_prompt: bool = False
    ) -> NoticeView:
        """The view with the position as it is now, unless the mail shows it elsewhere."""
        elsewhere = match.id in self._kept_for_prompt and not for_prompt
        if elsewhere or match.id in self._shown:
            return view
        self._shown.add(match.id)
        viewpoint = None if self._blind else match.seat_of(self._reader.player)
        sight = seen.sight_after(match, match.course.ply, viewpoint, self._reader, self._scene)
        moves = seen.samples(sight.facts) if match.to_act else ()
        links = seen.links(match, moves, self._scene)
        board = replace(
            view.board, sight=sight, draws=situation.lying_draws(match, match.course.ply)
        )
        return replace(view, board=board, examples=moves, links=links)

    def _answers(self, view: NoticeView, *words: str) -> tuple[Link, ...]:
        title = view.match.label if view.match is not None else self._scene.site.title
        begins = seen.mailto(self._scene.reply_address, title)
        said = (view.prefix + word for word in words)
        return tuple(Link(text, begins + quote(text, safe="")) for text in said)
