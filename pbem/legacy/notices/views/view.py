"""From notices to what a template sees: a view of the mail, and in it a view of each notice.

A mail shows the board of a match once: in its turn prompt, else in the first notice that wants it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from pbem.errors import Facts
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.match import Match, Status, StepKind
from pbem.names import MatchId
from pbem.legacy.notices.checks import VerificationShown
from pbem.legacy.notices.codec import asked_about
from pbem.legacy.notices.courtesies import DrawProposed, HintShown, TimeOver
from pbem.legacy.notices.news import (
    ConditionMet,
    Invitation,
    MatchBegan,
    MatchOver,
    MatchWatched,
    TurnPrompt,
    WatchOpened,
)
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.personal import (
    AboutSomebody,
    DataShown,
    MatchesGoOn,
    Reminder,
    SampleShown,
    SettingsShown,
    Welcome,
)
from pbem.legacy.notices.replies import (
    BoardShown,
    CalendarShown,
    DailyDigest,
    GamesListed,
    HelpShown,
    MovePreviewed,
    NoOrderFound,
    OpenSeatsListed,
    OrderRefused,
    QuestionAsked,
    RulesShown,
    SeatMissed,
)
from pbem.legacy.notices.seats import OperatorActed, SeatFilled, SeatOut
from pbem.legacy.notices.second_thoughts import (
    MoveKept,
    MoveReceipt,
    MoveReturned,
    MovesTakenBack,
    ResignationOff,
    TakebackWanted,
)
from pbem.legacy.notices.views import foreseeing, situation
from pbem.legacy.notices.views import matches as seen
from pbem.legacy.notices.views import rulebook as samples
from pbem.legacy.notices.views.clean import NAME, clean, clean_facts
from pbem.legacy.notices.views.footer import ask_of, offered, proofs_of, shaping, wish_views
from pbem.legacy.notices.views.foreseeing import TheirMail, previewed
from pbem.legacy.notices.views.match_parts import MatchView
from pbem.legacy.notices.views.match_view import beginning, match_view, news_beside
from pbem.legacy.notices.views.scene import TEMPLATES, Link, NoticeView, Reader, Scene, View
from pbem.legacy.notices.views.told import Listed, end_of, hinted, with_list

SAMPLE_ANSWERS: Final = ("ok", "bad glyphs", "bad width", "bad html")
"""What a test mail can be answered with by a tap."""

_BEGUN: Final = (Status.RUNNING, Status.ENDED)

_UNSAID: Final = object()
"""A board says nothing of what can be done."""


def build(notices: Sequence[Notice], reader: Reader, scene: Scene) -> View:
    """The view of one mail: everything its templates may say to this reader."""
    # Other people's names are made harmless once, for all that is said of them.
    names = {player: clean(name, NAME) for player, name in scene.names.items()}
    scene = replace(scene, names=names)
    reader = replace(reader, name=clean(reader.name, NAME))
    looker = _Looker(
        reader,
        scene,
        kept_for_prompt={one.match for one in notices if isinstance(one, TurnPrompt)},
        received={one.match for one in notices if isinstance(one, MoveReceipt)},
        names_matches=isinstance(notices[0], DailyDigest) and len(asked_about(notices)) > 1,
        pictured=reader if len(notices) == 1 and reader.wishes.pictures != "off" else None,
    )
    views = tuple(looker.look(notice) for notice in notices)
    match = views[0].match
    running = match is not None and match.status in _BEGUN
    names_of = [(verb, (verb.name, *verb.also)) for verb in scene.verbs]
    return View(
        notices=views,
        reader=reader.name,
        site=scene.site,
        sender=f"{match.label} ({scene.site.title})" if match is not None else scene.site.title,
        thread=match.id if match is not None and running else None,
        match=match,
        ask=ask_of(notices, views),
        reply_address=scene.reply_address,
        verbs=offered(scene.verbs, match),
        order_words=scene.order_words
        | {name.partition(" ")[0] for _, names in names_of for name in names},
        unfinished=frozenset(  # verbs that say nothing without more words
            name for verb, names in names_of if verb.name not in verb.examples for name in names
        ),
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


AtPosition: TypeAlias = (
    MoveReceipt | ConditionMet | MatchBegan | MatchOver | SeatOut | BoardShown | MovePreviewed
)
"""What shows a position, with what led to it."""


def _look_at(mail: TheirMail) -> NoticeView:
    return _Looker(mail.reader, mail.scene, blind=mail.blind).look(mail.notice)


@dataclass(slots=True)
class _Looker:
    """Looks at the notices of one mail in turn, and remembers which boards it has shown.

    `blind`: it sees the board of no seat. `names_matches`: an answer has to name its match.
    `pictured`: who sees the board in a receipt: the mail is nothing else, and may have a picture.
    `received` are the matches of its receipts.
    """

    reader: Reader
    scene: Scene
    blind: bool = False
    kept_for_prompt: set[MatchId] = field(default_factory=set)
    received: set[MatchId] = field(default_factory=set)
    names_matches: bool = False
    pictured: Reader | None = None
    views: dict[MatchId, MatchView] = field(default_factory=dict)
    shown: set[MatchId] = field(default_factory=set)

    def look(self, notice: Notice) -> NoticeView:  # noqa: C901, PLR0911, PLR0912 - a case a kind
        """The view of one notice, with what its kind needs besides its facts."""
        name: MatchId | None = getattr(notice, "match", None)
        match = self.scene.matches[name] if name is not None else None
        view = self._plain(notice, match)
        match notice:
            case MoveReturned() | ResignationOff() if not (view.match and view.match.your_turn):
                return view
            case TurnPrompt() | MoveReturned() | ResignationOff():
                return self._prompt(view, self.scene.matches[notice.match])
            case MoveKept():
                match = self.scene.matches[notice.match]
                shown = foreseeing.kept(view, notice, match, self.pictured, self.scene)
                return replace(shown, links=self._answers(view, *foreseeing.offered(notice)))
            case MatchWatched(first=first):
                match = self.scene.matches[notice.match]
                since = seen.told(match, match.course.steps[first:], self.scene, None)
                return replace(self._with_board(view, match), since=since)
            case notice if isinstance(notice, AtPosition):
                return self._position(view, notice, self.scene.matches[notice.match])
            case notice if isinstance(notice, Listed):
                match = self.scene.matches[notice.match]
                return with_list(view, notice, match, self.reader, self.scene)
            case HintShown():
                match = self.scene.matches[notice.match]
                return hinted(self._with_board(view, match), match, self.reader, self.scene)
            case OrderRefused():
                return self._refused(view, notice, match)
            case WatchOpened() | NoOrderFound() if match and match.status in _BEGUN:
                return self._with_board(view, match)
            case GamesListed(matches=names) | Reminder(matches=names):
                watched = notice.watched if isinstance(notice, GamesListed) else ()
                listed = (self._in_list(notice, name) for name in (*names, *watched))
                return replace(view, matches=tuple(listed))
            case notice if isinstance(notice, AboutSomebody):
                shared = self._all_plain(view, notice, notice.matches)
                return replace(shared, person=seen.name_of(notice.player, self.scene))
            case CalendarShown(matches=names) | MatchesGoOn(matches=names):
                return self._all_plain(view, notice, names)
            case DailyDigest(matches=names):
                return replace(view, matches=tuple(self._on_turn(notice, names)))
            case SettingsShown(wishes=chosen):
                return replace(view, listed=replace(view.listed, wishes=wish_views(chosen)))
            case OpenSeatsListed(seats=seats) | SeatMissed(seats=seats):
                return self._all_plain(view, notice, [seat.match for seat in seats])
            case VerificationShown():
                lines = situation.last_links(self.scene.matches[notice.match])
                return replace(view, listed=replace(view.listed, lines=lines))
            case Invitation():
                return self._invited(view)
            case RulesShown():
                return foreseeing.ruled(view, notice, self.reader)
            case HelpShown() | Welcome():
                return foreseeing.helped(view, notice, self.scene)
            case _:
                return self._people(view, notice)

    # --- the kinds ----------------------------------------------------------------------------

    def _prompt(self, view: NoticeView, match: Match) -> NoticeView:
        you = match.seat_of(self.reader.player)
        view = seen.taught(view, match, self.reader, self.scene)
        view = self._with_board(view, match, for_prompt=True)
        return replace(view, since=news_beside(view, match, you, self.scene, self.received))

    def _position(self, view: NoticeView, notice: AtPosition, match: Match) -> NoticeView:
        you, steps = match.seat_of(self.reader.player), match.course.steps
        match notice:
            case ConditionMet() | SeatOut():
                since = seen.told(match, steps[seen.after_own_ply(match, you) :], self.scene, you)
                return replace(self._with_board(view, match), since=since)
            case MoveReceipt(ply=ply):
                moves = (at for at, one in enumerate(steps) if one.kind is StepKind.MOVE)
                own = next((at for at in moves if steps[at].ply == ply), -1)
                told, *rest = seen.told(match, steps[own:], self.scene, you)
                since = () if match.id in self.kept_for_prompt else tuple(rest)
                view = replace(view, told=told, since=since)
                return self._with_board(view, match) if self.pictured else view
            case MatchBegan():
                return self._begun(view, match, you)
            case MatchOver():
                first = max(seen.after_own_ply(match, you) - 1, 0)
                since = seen.told(match, match.course.steps[first:], self.scene, you)
                notes = seen.remarks(seen.notes_of(match, self.reader.player), self.scene)
                at = self.scene.at_tables.get(match.id)
                view = replace(view, listed=replace(view.listed, remarks=notes, at_table=at))
                return replace(self._with_board(view, match), since=since)
            case BoardShown():
                return self._asked_for(view, notice, match, you)
            case MovePreviewed():
                return previewed(view, notice, self.reader, self.scene, _look_at)

    def _asked_for(
        self, view: NoticeView, notice: BoardShown, match: Match, you: Seat | None
    ) -> NoticeView:
        """The board as somebody wants to see it: explained, and in words if they are asked for."""
        ply = notice.ply
        board = replace(view.board, explains=not notice.whole, defines=True, whole=notice.whole)
        view = replace(view, board=board, last=seen.last_move(match, ply, self.scene, you))
        if ply == match.course.ply:
            view = self._with_board(view, match)
        else:
            sight = seen.sight_after(match, ply, you, self.reader, self.scene)
            board = replace(view.board, sight=sight, draws=situation.lying_draws(match, ply))
            view = replace(view, board=board)
        if notice.whole and (shown := view.board.sight) is not None:
            view = replace(view, board=replace(view.board, sight=replace(shown, lines=())))
        return view

    def _begun(self, view: NoticeView, match: Match, you: Seat | None) -> NoticeView:
        steps = () if match.id in self.kept_for_prompt else match.course.steps
        since = seen.told(match, steps, self.scene, you)
        shown = self._with_board(seen.taught(view, match, self.reader, self.scene), match)
        if (table := shown.match) is None:
            return shown
        fairness = beginning(match, table.fairness)
        return replace(
            shown,
            match=replace(table, fairness=fairness),
            board=replace(shown.board, draws=fairness.draws),
            listed=replace(shown.listed, at_table=self.scene.at_tables.get(match.id)),
            since=since,
        )

    def _refused(self, view: NoticeView, notice: OrderRefused, match: Match | None) -> NoticeView:
        table = view.match
        if match is None or table is None:
            return view
        if notice.code == "game_over" and match.course.outcome is not None:
            # What a game says of its end, whoever refuses: the match knows how it came.
            facts: Facts = {**notice.facts, **end_of(match, match.course.outcome)}
            view = replace(view, notice=clean_facts(replace(notice, facts=facts)))
        if table.your_turn:
            taught = seen.taught(view, match, self.reader, self.scene).board.defines
            board = replace(view.board, defines=taught or foreseeing.is_unread(notice))
            view = self._with_board(replace(view, board=board), match)
            view = foreseeing.to_choose(view, notice, match, self.reader, self.scene)
        return replace(view, links=view.links[: seen.LINKS])

    def _all_plain(self, view: NoticeView, notice: Notice, names: Sequence[MatchId]) -> NoticeView:
        views = (self._plain(notice, self.scene.matches[name]) for name in names)
        return replace(view, matches=tuple(views))

    def _in_list(self, notice: GamesListed | Reminder, name: MatchId) -> NoticeView:
        match = self.scene.matches[name]
        view, boards = self._plain(notice, match), isinstance(notice, Reminder) or notice.boards
        return self._prompt(view, match) if boards and match.to_act else view

    def _on_turn(self, notice: Notice, names: Sequence[MatchId]) -> Iterator[NoticeView]:
        """The boards that wait; what was played since the mail was queued is left out."""
        for match in (self.scene.matches[name] for name in names):
            seat = match.seat_of(self.reader.player)
            if seat in match.to_act and seat not in match.pending.held:
                yield self._prompt(self._plain(notice, match), match)

    def _invited(self, view: NoticeView) -> NoticeView:
        """PLAY 1: what it is about, for who may have never seen the game."""
        key = view.match.game if view.match is not None and not view.spoken else ""
        links = self._answers(view, "accept" if view.prefix else "yes", "decline")
        board = replace(view.board, sight=samples.example(key, self.reader.wishes))
        return replace(view, board=board, links=links)

    def _people(self, view: NoticeView, notice: Notice) -> NoticeView:
        view = foreseeing.people(view, notice, self.scene)
        match notice:
            case SeatFilled():
                match = self.scene.matches[notice.match]
                here = match.seat_of(self.reader.player) is not None
                return self._with_board(view, match) if here else view
            case OperatorActed(act="back", ply=ply):
                match = self.scene.matches[notice.match]
                return replace(view, since=seen.taken_back_to(match, Ply(ply), self.scene, None))
            case TakebackWanted() | MovesTakenBack():
                return self._taken_back(view, notice)
            case (
                TimeOver(match=name)
                | DrawProposed(match=name)
                | QuestionAsked(question="move", match=name)
            ) if name is not None:
                view = self._with_board(view, self.scene.matches[name])
                answers = self._answers(view, *notice.traits.answers)
                return replace(view, links=(*answers, *view.links)[: seen.LINKS])
            case DataShown():
                return replace(view, listed=replace(view.listed, held=self.scene.held))
            case SampleShown(game=key):
                view = replace(view, listed=replace(view.listed, samples=samples.pictures(key)))
                return replace(view, links=self._answers(view, *SAMPLE_ANSWERS))
            case _:
                return replace(view, links=self._answers(view, *notice.traits.answers))

    def _taken_back(self, view: NoticeView, notice: TakebackWanted | MovesTakenBack) -> NoticeView:
        match = self.scene.matches[notice.match]
        since = seen.told_from(match, notice.ply, self.scene, match.seat_of(self.reader.player))
        back = self._with_board(replace(view, since=since), match)
        asks = isinstance(notice, TakebackWanted)
        return replace(back, links=self._answers(view, "yes", "no")) if asks else back

    # --- what they have in common -------------------------------------------------------------

    def _plain(self, notice: Notice, match: Match | None) -> NoticeView:
        name, wishes = match.id if match is not None else None, self.reader.wishes
        if match is not None and match.terms.ruleset and match.id not in self.views:
            self.views[match.id] = match_view(match, self.reader, self.scene)
        return NoticeView(
            name=TEMPLATES[type(notice)],
            notice=clean_facts(notice),
            reader=self.reader.name,
            spoken=wishes.spoken,
            newcomer=self.reader.newcomer,
            html=wishes.html,
            site=self.scene.site,
            match=self.views.get(name) if name is not None else None,
            listed=seen.all_games(),
            prefix=f"{name} " if self.names_matches and name is not None else "",
        )

    def _with_board(
        self, view: NoticeView, match: Match, *, for_prompt: bool = False
    ) -> NoticeView:
        """The view with the position as it is now, unless the mail shows it elsewhere."""
        if match.id in self.shown or (match.id in self.kept_for_prompt and not for_prompt):
            return view
        if match.terms.lesson and view.board.lesson is None and not self.blind:
            view = seen.taught(view, match, self.reader, self.scene)
        self.shown.add(match.id)
        viewpoint = None if self.blind else match.seat_of(self.reader.player)
        reader = self.reader if len(self.shown) == 1 else seen.unpictured(self.reader)
        sight = seen.sight_after(match, match.course.ply, viewpoint, reader, self.scene)
        goes = match.to_act and match.id not in self.scene.still
        can: Any = sight.facts.get("can", _UNSAID) if goes else None
        if can is _UNSAID:
            can = {"samples": seen.some_legal(match)} if viewpoint in match.to_act else None
        offered = can["samples"] if can else ()
        moves = (view.board.lesson and view.board.lesson.offered) or tuple(offered)
        links = seen.links(match, moves, self.scene) if moves else ()
        choices = seen.choices(match, viewpoint, moves) if viewpoint is not None else ()
        board = replace(view.board, sight=sight, draws=situation.lying_draws(match))
        return replace(view, board=board, choices=choices, links=links)

    def _answers(self, view: NoticeView, *words: str) -> tuple[Link, ...]:
        title = view.match.label if view.match is not None else self.scene.site.title
        begins = seen.mailto(self.scene.reply_address, title)
        said = (view.prefix + word for word in words)
        return tuple(Link(text, begins + quote(text, safe="")) for text in said)
