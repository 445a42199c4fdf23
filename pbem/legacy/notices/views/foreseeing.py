"""What a mail shows of moves that are held or tried: nothing is drawn, no secret is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Final, Literal

from pbem.errors import Rejection
from pbem.games import newest
from pbem.games.chance import Dice, Draw, Part, Permutation
from pbem.games.game import Chance, Drawn, Over, Ply, Seat, Seats
from pbem.games.usual import UNREAD
from pbem.legacy.matches.agreements import after_turn
from pbem.legacy.matches.match import Match, Status, Step, StepKind
from pbem.names import PlayerId, is_bot
from pbem.legacy.notices.courtesies import CommentMade
from pbem.legacy.notices.news import ChallengeSent, MatchOver, TurnPrompt
from pbem.legacy.notices.personal import AboutStanding, ReportReceived, Welcome
from pbem.legacy.notices.replies import AddressShown, HelpShown
from pbem.legacy.notices.seats import SeatFilled
from pbem.legacy.notices.tournaments import OfTournaments
from pbem.legacy.notices.views import matches as seen
from pbem.legacy.notices.views.clean import clean_lines
from pbem.legacy.notices.views.comments import commented
from pbem.legacy.notices.views.footer import filled, first_moves
from pbem.legacy.notices.views.rulebook import example, rule
from pbem.legacy.notices.views.standing import of_tournament, standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.games.game import Outcome
    from pbem.legacy.matches.match import Match
    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.notices.replies import MovePreviewed, OrderRefused, RulesShown
    from pbem.legacy.notices.second_thoughts import MoveKept
    from pbem.legacy.notices.views.scene import NoticeView, Reader, Scene


FORCED: Final = 20
"""Forced plies after a move that are looked at."""

OUTCOMES: Final = 300
"""Outcomes of a draw that are looked at."""


def previewed(
    view: NoticeView,
    notice: MovePreviewed,
    reader: Reader,
    scene: Scene,
    look: Callable[[TheirMail], NoticeView],
) -> NoticeView:
    """The view of a move that is tried; `look` makes that of what somebody else would read.

    It shows nothing if the match went on before the mail was written: by the next line of the same
    letter, perhaps.
    """
    match = as_known(scene.matches[notice.match], notice.seat)
    tried = _tried(match, notice)
    if tried is None:
        return view
    (move, after), seat = tried, notice.seat
    coming = ahead(match, move=move, after=after, seat=seat)
    mail = their_mail(coming, reader, scene)
    # Their mail shows the board, unless it is one that hides something from its reader.
    shown = mail is not None and not match.game.secrets
    sight = None if shown else seen.sight_of_tried(match, tried, seat, reader, scene)
    return replace(
        view,
        board=replace(view.board, sight=sight),
        told=seen.imagined(match, move, after, seat, scene),
        links=seen.links(match, [notice.notation], scene),
        foreseen=replace(
            view.foreseen, coming=coming.kind, theirs=look(mail) if mail is not None else None
        ),
        person=seen.name_of(coming.player, scene),
    )


def as_known(match: Match, seat: Seat) -> Match:
    """The match with its board as far as a seat knows it: what comes of it can tell no secret."""
    if match.status is not Status.RUNNING:
        return match
    position = match.game.known(match.course.position, seat)
    return replace(match, course=replace(match.course, position=position))


def _tried(match: Match, notice: MovePreviewed) -> tuple[Any, Any] | None:
    """The move and the position after it; None if the board is not the one that it is for."""
    if match.course.ply != notice.ply or notice.seat not in match.to_act:
        return None
    try:
        move = match.game.read(notice.notation, match.course.position)
        after = match.game.tried(match.course.position, move, notice.seat)
    except Rejection:
        return None
    return move, after


@dataclass(frozen=True, slots=True)
class Ahead:
    """What comes of a move that is only tried: the match then, and who would get a mail of it.

    `kind`: a prompt to `player`, the end for everybody, a bot's turn, one's own turn again, or a
    draw before all that; then `player` is whose turn it is whatever is drawn.
    """

    kind: Literal["prompt", "over", "bot", "own", "drawn"]
    then: Match
    player: PlayerId | None = None


def ahead(match: Match, *, move: Any, after: Any, seat: Seat) -> Ahead:
    """What would follow a move; `after` is the position as its player can know it.

    What others have decided, hold or noted is not in the match then: no mail could tell of it.
    """
    known = replace(
        match,
        clocks=None,
        pending=replace(
            match.pending, conditions={}, lapsed={}, held={}, resigning={}, standing={}
        ),
        table=replace(match.table, said=(), notes=()),
    )
    then = _with_forced(_stepped(known, move, after, seat, forced=False))
    turn = then.game.turn(then.course.position)
    match turn:
        case Over(outcome):
            return Ahead("over", _ended(then, outcome), _another(then, seat))
        case Seats((first, *_) as seats):
            return Ahead("own", then) if seat in seats else _turn_of(then, first, "prompt")
        case Chance(draw) if (next_ := _after_any(then, draw)) is not None:
            return Ahead("own", then) if next_ == seat else _turn_of(then, next_, "drawn")
        case _:
            return Ahead("drawn", then)


def _turn_of(then: Match, seat: Seat, kind: Literal["prompt", "drawn"]) -> Ahead:
    player = then.player_at(seat)
    return Ahead("bot" if is_bot(player) else kind, then, player)


def _after_any(then: Match, draw: Draw) -> Seat | None:
    """Who is to choose next, if that is the same whatever is drawn. Nothing is drawn for it."""
    if draw.secret or any(isinstance(part, Permutation) for part in draw.parts):
        return None
    ranges = [values for part in draw.parts for values in _values(part)]
    if prod(map(len, ranges)) > OUTCOMES:
        return None
    found = {_chooser(then, values) for values in product(*ranges)}
    return found.pop() if len(found) == 1 else None


def _values(part: Part) -> list[range]:
    match part:
        case Dice(count, sides):
            return [range(1, sides + 1)] * count
        case _:
            return [range(part.size)]


def _chooser(then: Match, values: tuple[int, ...]) -> Seat | None:
    position = then.game.play(then.course.position, Drawn(values))
    turn = then.game.turn(position)
    if isinstance(turn, Seats) and then.game.forced(position) is None:
        return turn.seats[0]
    return None


@dataclass(frozen=True, slots=True)
class TheirMail:
    """A mail to somebody else, in the words and on the paper of who asks for it.

    `blind`: its board is that of no seat, since no other is for the eyes of who asks.
    """

    notice: TurnPrompt | MatchOver
    reader: Reader
    scene: Scene
    blind: bool


def their_mail(coming: Ahead, reader: Reader, scene: Scene) -> TheirMail | None:
    """PLAY 2: the mail that somebody else would get, if anybody is known to get one."""
    if coming.player is None or coming.kind == "bot":
        return None
    then, player = coming.then, coming.player
    seat = Seat(then.table.players.index(player) + 1)
    notice: TurnPrompt | MatchOver = TurnPrompt(match=then.id, seat=seat, ply=then.course.ply)
    if coming.kind == "over":
        notice = MatchOver(match=then.id)
    return TheirMail(
        notice,
        replace(
            reader,
            player=player,
            name=scene.names.get(player, "?"),
            leave=None,
            # Whether the other is new to the game is not for who asks: no lesson is shown.
            turns_elsewhere={then.id: seen.LEARNING},
        ),
        replace(scene, matches={**scene.matches, then.id: then}),
        blind=then.game.secrets or coming.kind == "drawn",
    )


def _another(match: Match, seat: Seat) -> PlayerId | None:
    """Somebody else at the table who gets mail."""
    others = match.others(match.player_at(seat))
    return next((player for player in others if not is_bot(player)), None)


def _ended(match: Match, outcome: Outcome) -> Match:
    return replace(match, status=Status.ENDED, course=replace(match.course, outcome=outcome))


def _with_forced(match: Match) -> Match:
    """The match after what the server would play by itself, as far as that is public."""
    for _ in range(FORCED):
        turn = match.game.turn(match.course.position)
        move = None
        if isinstance(turn, Seats) and not match.game.secrets:
            move = match.game.forced(match.course.position)
        if move is None or not isinstance(turn, Seats):
            return match
        after = match.game.play(match.course.position, move)
        match = _stepped(match, move, after, turn.seats[0], forced=True)
    return match


def _stepped(match: Match, move: Any, after: Any, seat: Seat, *, forced: bool) -> Match:
    ply = Ply(match.course.ply + 1)
    step = Step(
        kind=StepKind.MOVE,
        ply=ply,
        seat=seat,
        text=match.game.notation(move),
        before=match.course.position,
        after=after,
        players=match.table.players,
        move=move,
        forced=forced,
    )
    course = replace(match.course, position=after, ply=ply, steps=(*match.course.steps, step))
    return after_turn(replace(match, course=course))


# --- second looks --------------------------------------------------------------------------------
# What a mail shows of moves that are held, or taken back later.

_SAYS: Final = 3
"""Lines that are offered to be said at most."""


def is_unread(notice: OrderRefused) -> bool:
    """Whether a text was no move: who sent it is told what the words of moves mean."""
    return notice.code in UNREAD


def kept(
    view: NoticeView, notice: MoveKept, match: Match, reader: Reader | None, scene: Scene
) -> NoticeView:
    """What the held move would bring about, as far as its player can know it; seen by a reader."""
    match = as_known(match, notice.seat)
    move = match.game.read(notice.notation, match.course.position)
    after = match.game.tried(match.course.position, move, notice.seat)
    told = seen.imagined(match, move, after, notice.seat, scene)
    if reader is not None:
        sight = seen.sight_of_tried(match, (move, after), notice.seat, reader, scene)
        view = replace(view, board=replace(view.board, sight=sight))
    coming = replace(view.foreseen, coming=_ending(match, after, notice.seat))
    return replace(view, told=told, foreseen=coming)


def offered(notice: MoveKept) -> list[str]:
    """What may be answered to the receipt of a held move, the likeliest first."""
    return ["now", "undo", *to_say(notice.unread)] if notice.unread else ["undo", "now"]


def to_say(unread: Sequence[str]) -> list[str]:
    """Orders that say to the others what nothing accounts for; no number or address is offered."""
    plain = (line for line in unread if not any(sign.isdigit() or sign in "@/" for sign in line))
    return [f"say {line}" for line in plain][:_SAYS]


def _ending(match: Match, after: object, seat: int) -> str:
    """Whether a move wins or else ends the match; empty if it goes on."""
    outcome = match.game.outcome(after)
    if outcome is None:
        return ""
    placings = outcome.placings
    return "won" if placings[seat - 1] == 1 and placings.count(1) == 1 else "over"


def people(view: NoticeView, notice: Notice, scene: Scene) -> NoticeView:
    """Whom a notice is about, and what else it has by an id alone, such as what they say."""
    if notice.traits.about:
        view = _about(view, notice, scene)
    if notice.traits.says:
        text = clean_lines(scene.sealed.get(getattr(notice, notice.traits.says), ""))
        view = replace(view, text=text)
    match notice:
        case AddressShown(players=players):
            lines = tuple(seen.name_of(one, scene) for one in players)
            return replace(view, listed=replace(view.listed, lines=lines))
        case CommentMade():
            return commented(view, notice, scene)
        case ReportReceived(reporter=by, reported=of, said=texts):
            said = tuple(clean_lines(scene.sealed.get(one, "")) for one in texts)
            view = replace(view, listed=replace(view.listed, lines=said))
            return replace(view, person=seen.name_of(of, scene), text=seen.name_of(by, scene))
        case ChallengeSent():
            return replace(view, text=scene.link)
        case SeatFilled(left=left):
            return replace(view, text=seen.name_of(left, scene))
        case notice if isinstance(notice, OfTournaments):
            return of_tournament(view, notice, scene)
        case _:
            return standing(view, notice, scene) if isinstance(notice, AboutStanding) else view


def _about(view: NoticeView, notice: Any, scene: Scene) -> NoticeView:
    """The view with the name of whom its notice is about, if it is anybody."""
    who = getattr(notice, notice.traits.about)
    if who is None:
        return view
    if notice.traits.about == "seat":
        who = scene.matches[notice.match].player_at(who)
    return replace(view, person=seen.name_of(who, scene))


def helped(view: NoticeView, notice: HelpShown | Welcome, scene: Scene) -> NoticeView:
    """The words that somebody can write, each with an example."""
    game = newest(notice.game) if isinstance(notice, HelpShown) and notice.game else None
    moves = map(game.notation, first_moves(game)) if game is not None else ("MOVE", "MOVE")
    move, answer = moves
    verbs = [filled(verb, move, answer) for verb in scene.verbs]
    if game is None:  # nothing to play yet: how to begin comes before what a match has
        verbs.sort(key=lambda verb: verb.needs_match)
    if isinstance(notice, Welcome):  # the game that the newcomer asked about comes first
        games = sorted(view.listed.games, key=lambda named: named[0] != notice.game)
        listed = replace(view.listed, verbs=tuple(verbs), games=tuple(games))
        return replace(view, listed=listed)
    return replace(view, listed=replace(view.listed, verbs=tuple(verbs)))


def ruled(view: NoticeView, notice: RulesShown, reader: Reader) -> NoticeView:
    """A part of a board beside the rules of a game, or the text of the one rule asked for."""
    if notice.rule:
        found = rule(notice.rule)
        lines = found.lines if found is not None else ()
        return replace(view, listed=replace(view.listed, lines=lines))
    sight = example(notice.game, reader.wishes)
    return replace(view, board=replace(view.board, sight=sight))


def to_choose(
    view: NoticeView, notice: OrderRefused, match: Match, reader: Reader, scene: Scene
) -> NoticeView:
    """The view with the moves that a refused text has, or may be a part of, offered first."""
    named = _moves(notice, "candidates") if notice.code == "two_moves_in_mail" else ()
    likely = [move for move in _moves(notice, "choices") if _is_legal(match, move)]
    seat = match.seat_of(reader.player)
    if likely and seat is not None and view.choices:
        named = tuple(likely)
        view = replace(view, choices=seen.choices(match, seat, likely), links=())
    return replace(view, links=(*seen.links(match, named, scene), *view.links))


def _moves(notice: OrderRefused, fact: str) -> tuple[str, ...]:
    found = notice.facts.get(fact)
    return tuple(map(str, found)) if isinstance(found, list | tuple) else ()


def _is_legal(match: Match, move: str) -> bool:
    """Whether a move can still be made: the match may have gone on before the mail was written."""
    try:
        position = match.course.position
        match.game.play(position, match.game.read(move, position))
    except Rejection:
        return False
    return True
