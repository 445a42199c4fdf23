"""The correction window (PLAY 3): a move that was understood is held, then played, or undone.

Until it is played nothing else comes of it, and nobody but its player sees it: the log holds the
digest of what was sealed, and MovePlayed names the move in the clear.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.matches.checks import require_seat, require_turn
from pbem.matches.commands import ReadMove
from pbem.matches.events import (
    Event,
    MatchEnded,
    MessageSaid,
    MovePlayed,
    SeatResigned,
    SeatTimedOut,
)
from pbem.matches.operator_events import MatchRolledBack
from pbem.matches.resigning import playing_on
from pbem.matches.seat_events import (
    ConditionsDropped,
    MoveHeld,
    MoveWithdrawn,
    ResignationTakenBack,
    SeatTakenOver,
    TakebackGranted,
)
from pbem.matches.steps import Played
from pbem.matches.takebacks import ask
from pbem.names import Digest

if TYPE_CHECKING:
    from pbem.matches.commands import Hold, Play, Undo
    from pbem.matches.match import Match
    from pbem.names import PlayerId


@dataclass(frozen=True, slots=True)
class HeldText:
    """What is sealed of a held move: canonical, as typed, and what goes out with it.

    `draw`: a draw is offered then; `says` are the digests of what is said. What else stood beside
    it is kept nowhere.
    """

    notation: str
    typed: str
    draw: bool = False
    says: tuple[Digest, ...] = ()

    def sealed(self) -> str:
        """The text that is sealed."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)


def held_text(match: Match, digest: Digest) -> HeldText | None:
    """What was sealed of a held move, or None to whoever may not know it."""
    text = match.secrets.get(digest)
    if text is None:
        return None
    read = json.loads(text)
    return HeldText(read["notation"], read["typed"], read["draw"], tuple(read["says"]))


# --- what is held ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldMove:
    """A move in the correction window; `version` is that of the match when it was held.

    `move` is the digest of what it is, and `letter` that of the letter which brought it. It goes
    out only if its player says so where it is `asked`. From `free` on their clock runs.
    """

    seat: Seat
    ply: Ply
    move: Digest
    received: datetime
    until: datetime
    version: int
    letter: str = ""
    asked: bool = False
    free: datetime | None = None

    def made(self, now: datetime) -> datetime:
        """When it counts as made, if it goes out now."""
        late = now - self.free if self.free is not None else timedelta(0)
        return self.received + max(late, timedelta(0))


def holding(held: Mapping[Seat, HeldMove], event: Event, version: int) -> Mapping[Seat, HeldMove]:
    """The held moves by seat after an event, which makes the match's version `version`."""
    match event:
        case MoveHeld(seat=seat):
            move = HeldMove(
                seat=seat,
                ply=event.ply,
                move=event.move,
                received=event.received,
                until=event.until,
                version=version,
                letter=event.letter,
                asked=event.asked,
                free=event.free,
            )
            return {**held, seat: move}
        case (
            MoveWithdrawn(seat=seat)
            | MovePlayed(seat=seat)
            | SeatResigned(seat=seat)
            | SeatTimedOut(seat=seat)
            | SeatTakenOver(seat=seat)
        ):
            return {other: move for other, move in held.items() if other != seat} if held else held
        case MatchEnded() | TakebackGranted() | MatchRolledBack():
            return {}
        case _:
            return held


# --- what is typed -------------------------------------------------------------------------------


def understood(command: Play, match: Match, *, held: bool) -> ReadMove:
    """What is played, read against the match as it stands. Raises Rejection.

    A move that is to be held is checked by what its seat can know: otherwise whoever takes it back
    would have asked for free whether it is legal.
    """
    seat = require_turn(command.player, match)
    if command.ply is not None and command.ply != match.course.ply + 1:
        raise Rejection("stale_mail", meant=command.ply, now=match.course.ply + 1)
    read = command.read
    here = (command.text, seat, match.version)
    if read is None or (read.text, read.seat, read.version) != here:
        move = match.game.parse(command.text, match.course.position, seat)
        read = ReadMove(command.text, seat, move, match.game.notation(move), match.version)
    if held and not read.tried:
        match.game.tried(match.course.position, read.move, seat)
        read = replace(read, tried=True)
    return read


def hold(command: Hold, match: Match, now: datetime) -> list[Event]:
    """Hold a move; it replaces the one that is held, and the same one again changes nothing."""
    read = understood(command.play, match, held=True)
    seat, notation = read.seat, read.notation
    sealed = held_text(match, command.sealed)
    if sealed is None or sealed.notation != notation:
        raise ValueError("what was sealed is not what was understood")
    before = match.pending.held.get(seat)
    text = held_text(match, before.move) if before is not None else None
    plays_on = playing_on(match, seat)
    same = before is not None and text is not None and text.notation == notation
    if before is not None and same and not before.asked and not command.asked:
        return plays_on
    held = MoveHeld(
        seat=seat,
        ply=Ply(match.course.ply + 1),
        move=command.sealed,
        received=before.received if before is not None and same else now,
        until=command.until,
        letter=before.letter if before is not None and same else command.play.letter,
        asked=command.asked,
        free=command.free,
    )
    outlived = _outlived(match, seat, text, notation)
    return [*plays_on, *replaced(match, seat), *outlived, held]


def _outlived(match: Match, seat: Seat, before: HeldText | None, notation: str) -> list[Event]:
    """What was decided for after the move that another one replaces goes with it."""
    conditions = match.pending.conditions.get(seat)
    if before is None or before.notation == notation:
        return []
    waits = conditions is not None and conditions.after_own_move
    return [ConditionsDropped(seat=seat)] if waits else []


def replaced(match: Match, seat: Seat) -> list[Event]:
    """What another move of a seat does to the one that it holds."""
    held = match.pending.held.get(seat)
    return [withdrawal(held, "replaced")] if held is not None else []


def undo(command: Undo, match: Match) -> list[Event]:
    """Take back what is held, a resignation first; ask the others about a move that went out."""
    seat = require_seat(command.player, match)
    if seat in match.pending.resigning:  # it is newer: a move would have taken it back
        return [ResignationTakenBack(seat=seat, reason="undone")]
    held = match.pending.held.get(seat)
    return [withdrawal(held, "undone")] if held is not None else ask(command.player, match)


def add_to_held(held: HeldMove, sealed: Digest) -> list[Event]:
    """Let something go out with the held move, as it was typed beside it."""
    again = MoveHeld(
        seat=held.seat,
        ply=held.ply,
        move=sealed,
        received=held.received,
        until=held.until,
        letter=held.letter,
        asked=held.asked,
        free=held.free,
    )
    return [withdrawal(held, "replaced"), again]


def require_held(player: PlayerId, match: Match, version: int | None = None) -> HeldMove:
    """The move that a player's seat holds; with `version`, that very one. Raises Rejection."""
    held = match.pending.held.get(require_seat(player, match))
    if held is None or version not in (None, held.version):
        raise Rejection("no_held_move")
    return held


# --- what becomes of it --------------------------------------------------------------------------


def played_now(
    held: HeldMove, match: Match
) -> tuple[MovePlayed, Played] | tuple[MoveWithdrawn, None]:
    """The held move as it goes out; it is withdrawn if it cannot be played after all."""
    text = held_text(match, held.move)
    if text is None:
        return withdrawal(held, "void"), None
    try:
        known = _playable(match, held.seat, text)
    except Rejection:
        return withdrawal(held, "void"), None
    played = MovePlayed(
        seat=held.seat,
        ply=held.ply,
        notation=text.notation,
        typed=text.typed,
        letter=held.letter,
    )
    return played, known


def _playable(match: Match, seat: Seat, text: HeldText) -> Played:
    """A move that was held, on the board as it is now. Raises Rejection if it cannot be played."""
    if seat not in match.to_act:
        raise Rejection("not_your_turn", seats=list(match.to_act))
    move = match.game.read(text.notation, match.course.position)
    return Played(move, match.game.play(match.course.position, move))


def refusal(match: Match, seat: Seat, text: HeldText) -> Rejection | None:
    """Why a move that was held cannot be played on the board as it is now; None if it can."""
    try:
        _playable(match, seat, text)
    except Rejection as refused:
        return refused
    return None


def voided(match: Match) -> list[Event]:
    """The end of held moves that a decision has made impossible.

    Somebody has left, perhaps: it may be another's turn, or the board another one. What was to be
    said with a move that never goes out is not said: it may tell of the move.
    """
    void = [held for held in match.pending.held.values() if _impossible(match, held)]
    return [withdrawal(held, "void") for held in void]


def said_with(held: HeldMove, match: Match) -> list[Event]:
    """What is said as a held move goes out."""
    text = held_text(match, held.move)
    author = match.player_at(held.seat)
    return [MessageSaid(author=author, text=words) for words in text.says] if text else []


def _impossible(match: Match, held: HeldMove) -> bool:
    text = held_text(match, held.move)
    moved = held.ply != match.course.ply + 1
    return moved or text is None or refusal(match, held.seat, text) is not None


def withdrawal(
    held: HeldMove, reason: Literal["undone", "replaced", "void", "unanswered"]
) -> MoveWithdrawn:
    """A held move does not go out."""
    return MoveWithdrawn(seat=held.seat, ply=held.ply, move=held.move, reason=reason)


# --- whether it may stand in the log -------------------------------------------------------------


def judged_holding(state: Match, event: MoveHeld | MoveWithdrawn) -> Iterator[str]:
    """What is wrong with the holding or withdrawing of a move, in words that do not name it."""
    held = state.pending.held.get(event.seat)
    if isinstance(event, MoveWithdrawn):
        if held is None or (held.move, held.ply) != (event.move, event.ply):
            yield f"seat {event.seat} took back a move that it did not hold"
        return
    if held is not None:
        yield f"seat {event.seat} held a move beside another"
    if event.seat not in state.to_act:
        yield f"seat {event.seat} held a move out of turn"
    elif event.ply != state.course.ply + 1:
        yield f"a move held as ply {event.ply} follows ply {state.course.ply}"
    if event.until < event.received:
        yield f"ply {event.ply} went out before it came"


def judged_as_held(state: Match, event: MovePlayed) -> Iterator[str]:
    """A move that goes out must be the one that was held. What is not known is not compared."""
    held = state.pending.held.get(event.seat)
    if held is not None and not event.forced and held.letter != event.letter:
        yield f"ply {event.ply} is not from the letter whose move was held"
    text = held_text(state, held.move) if held is not None and not event.forced else None
    if text is not None and (text.notation, text.typed) != (event.notation, event.typed):
        yield f"ply {event.ply} is not the move that was held"
