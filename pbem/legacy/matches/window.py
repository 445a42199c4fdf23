"""The correction window (PLAY 3): a move that was understood is held, then played, or undone.

Until it is played nothing else comes of it, and nobody but its player sees it: the log holds the
digest of what was sealed, and MovePlayed names the move in the clear.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.clocks import without
from pbem.legacy.matches.conditions import ConditionsDropped, without_its_move
from pbem.legacy.matches.course import ReadMove, understood
from pbem.legacy.matches.events import (
    Event,
    Eyes,
    MatchEnded,
    MatchRolledBack,
    MovePlayed,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
    Visible,
)
from pbem.legacy.matches.match import Match, Pending, require_seat, require_turn
from pbem.legacy.matches.resigning import ResignationTakenBack, plays_on
from pbem.legacy.matches.steps import HeldMove
from pbem.legacy.matches.takebacks import TakebackGranted, ask
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Played, Unfolding, in_play
from pbem.names import Digest, PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveHeld(Event):
    """A move was understood at `received`; it goes out at `until`, and may be undone before.

    What it is, is sealed under `move`: nobody but its player sees it before MovePlayed names it.
    `letter` is the digest of the letter that brought it. `asked`: its player has not said plainly
    that it is meant; it goes out only if they say so, and is withdrawn at `until`. The clock counts
    it as made at `received`, and runs on from `free`.
    """

    visible = Visible(Eyes.OWN)
    seat: Seat
    ply: Ply
    move: Digest
    received: datetime
    until: datetime
    comment: Digest | None = None
    letter: str = ""
    asked: bool = False
    free: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveWithdrawn(Event):
    """A held move will not go out.

    It was undone, another one replaced it, it became impossible, since somebody left, or its player
    was asked whether it is meant and did not answer.
    """

    visible = Visible(Eyes.OWN)
    seat: Seat
    ply: Ply
    move: Digest
    reason: Literal["undone", "replaced", "void", "unanswered"]


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


# --- what events make of it ----------------------------------------------------------------------


def _held(pending: Pending, event: MoveHeld, match: Match) -> Pending:
    """The day in which a move may be kept unplayed counts once a turn."""
    held = HeldMove(
        seat=event.seat,
        ply=event.ply,
        move=event.move,
        received=event.received,
        until=event.until,
        version=match.version + 1,
        letter=event.letter,
        asked=event.asked,
        free=event.free,
    )
    kept, ply = pending.kept, event.ply - 1
    if event.asked and kept.get(event.seat, (-1, event.until))[0] != ply:
        kept = {**kept, event.seat: (ply, event.until)}
    return replace(pending, held={**pending.held, event.seat: held}, kept=kept)


def _gone(
    pending: Pending,
    event: MoveWithdrawn | MovePlayed | SeatResigned | SeatTimedOut | SeatTakenOver,
    _: Match,
) -> Pending:
    if event.seat not in pending.held:
        return pending
    return replace(pending, held=without(pending.held, event.seat))


def _withdrawn(pending: Pending, event: MoveWithdrawn, match: Match) -> Pending:
    if event.reason != "replaced":
        pending = without_its_move(pending, event.seat, match)
    return _gone(pending, event, match)


def _all_gone(
    pending: Pending, _: MatchEnded | TakebackGranted | MatchRolledBack, _match: Match
) -> Pending:
    return replace(pending, held={}) if pending.held else pending


OPENS: Final[Changes[Pending]] = {MoveHeld: _held}

CLOSES: Final[Changes[Pending]] = {
    MoveWithdrawn: _withdrawn,
    MovePlayed: _gone,
    SeatResigned: _gone,
    SeatTimedOut: _gone,
    SeatTakenOver: _gone,
    MatchEnded: _all_gone,
    TakebackGranted: _all_gone,
    MatchRolledBack: _all_gone,
}


# --- what is decided -----------------------------------------------------------------------------


def hold(
    unfolding: Unfolding,
    player: PlayerId,
    text: str,
    *,
    sealed: Digest,
    until: datetime,
    letter: str = "",
    read: ReadMove | None = None,
    ply: Ply | None = None,
    asked: bool = False,
    free: datetime | None = None,
) -> Deciding:
    """Hold a move; it replaces the one that is held, and the same one again changes nothing.

    `sealed` is the digest of what it is; where it is `asked` it goes out by a word only. `letter`,
    `read` and `ply` are as in `play`.
    """
    match = unfolding.match
    move = understood(match, player, text, ply=ply, read=read, held=True)
    seat, what = move.seat, held_text(match, sealed)
    if what is None or what.notation != move.notation:
        raise ValueError("what was sealed is not what was understood")
    before, conditions = match.pending.held.get(seat), match.pending.conditions.get(seat)
    known = held_text(match, before.move) if before is not None else None
    same, received = known is not None and known.notation == move.notation, unfolding.now
    if before is not None and same:
        received, letter = before.received, before.letter
    if seat in match.pending.resigning:
        yield plays_on(seat)
    if before is not None and same and not before.asked and not asked:
        return
    if before is not None:
        yield withdrawal(before, "replaced")
        if known and not same and conditions is not None and conditions.after_own_move:
            # What was decided for after the move that another one replaces goes with it.
            yield ConditionsDropped(seat=seat)
    yield MoveHeld(
        seat=seat,
        ply=Ply(match.course.ply + 1),
        move=sealed,
        received=received,
        until=until,
        letter=letter,
        asked=asked,
        free=free,
    )


def undo(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Take back what is held, a resignation first; ask the others about a move that went out."""
    match = unfolding.match
    seat = require_seat(player, match)
    if seat in match.pending.resigning:  # it is newer: a move would have taken it back
        yield ResignationTakenBack(seat=seat, reason="undone")
    elif (held := match.pending.held.get(seat)) is not None:
        yield withdrawal(held, "undone")
    else:
        yield from ask(unfolding, player)


def require_held(player: PlayerId, match: Match, version: int | None = None) -> HeldMove:
    """The move that a player's seat holds; with `version`, that very one. Raises Rejection."""
    held = match.pending.held.get(require_seat(player, match))
    if held is None or version not in (None, held.version):
        raise Rejection("no_held_move")
    return held


# --- what becomes of it --------------------------------------------------------------------------


def played_now(held: HeldMove, match: Match) -> Played | MoveWithdrawn:
    """The held move as it goes out; it is withdrawn if it cannot be played after all."""
    text = held_text(match, held.move)
    if text is None:
        return withdrawal(held, "void")
    try:
        move, after = _playable(match, held.seat, text)
    except Rejection:
        return withdrawal(held, "void")
    played = MovePlayed(
        seat=held.seat,
        ply=held.ply,
        notation=text.notation,
        typed=text.typed,
        letter=held.letter,
    )
    return Played(played, move, after)


def _playable(match: Match, seat: Seat, text: HeldText) -> tuple[Any, Any]:
    """A held move on the board as it is now, and the position after it. Raises Rejection."""
    require_turn(seat, match)
    move = match.game.read(text.notation, match.course.position)
    return move, match.game.play(match.course.position, move)


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


def _judged_holding(state: Match, event: MoveHeld | MoveWithdrawn) -> Iterator[str]:
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


AUDIT: Final[Audit] = in_play({MoveHeld: _judged_holding, MoveWithdrawn: _judged_holding})
