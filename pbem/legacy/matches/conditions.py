"""Conditional moves and standing orders: what a seat decides for later, and whether that has come.

The texts are sealed: whoever may not know them sees nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Seat
from pbem.legacy.matches.branches import ANY, RESIGN, Branch, fits, load, reached
from pbem.legacy.matches.clocks import without
from pbem.legacy.matches.events import (
    Event,
    Eyes,
    MatchRolledBack,
    MovePlayed,
    SeatReassigned,
    SeatTakenOver,
    Visible,
)
from pbem.legacy.matches.match import Match, Pending, require_seat
from pbem.legacy.matches.steps import UNDONE, Conditions, Lapsed, Step, StepKind, since_own_move
from pbem.legacy.matches.takebacks import TakebackGranted
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding, in_play
from pbem.names import Digest, PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingOrderGiven(Event):
    """A seat decided something in advance; only that seat may see what, so the text is sealed."""

    visible = Visible(Eyes.OWN, texts=Eyes.OWN)
    seat: Seat
    order: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsGiven(Event):
    """A seat decided what it plays if the others play so; only that seat may see it.

    It replaces what the seat had decided so before.
    """

    visible = Visible(Eyes.OWN, texts=Eyes.OWN)
    seat: Seat
    conditions: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsDropped(Event):
    """A seat took back what it had decided for the case that the others play so."""

    visible = Visible(Eyes.OWN)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsVoided(Event):
    """What a seat had decided for the case that the others play so does not fit what they did."""

    visible = Visible(Eyes.OWN)
    seat: Seat


@dataclass(frozen=True, slots=True)
class Answer:
    """A branch fits, and this is its move, and the position after it."""

    move: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Resignation:
    """A branch fits, and its answer is to resign."""


@dataclass(frozen=True, slots=True)
class Void:
    """The conditions no longer fit what has happened; `answer` is one that cannot be played."""

    reason: Literal["other", "drawn", "illegal", "undone"]
    answer: str = ""


Due: TypeAlias = Answer | Resignation | Void


# --- what events make of it ----------------------------------------------------------------------


def _given(pending: Pending, event: ConditionsGiven, match: Match) -> Pending:
    """They speak of what follows the seat's own last move.

    Where the others have moved since they may be met at once; where the seat's next move is held,
    or it is its turn and they have not, they are for after the move that it makes now.
    """
    seat, course = event.seat, match.course
    waits = seat in pending.held or (seat in match.to_act and not others_moved(match, seat))
    first = len(course.steps) if waits else since_own_move(course.steps, seat)
    conditions = Conditions(event.conditions, first, len(course.steps), after_own_move=waits)
    return replace(
        pending,
        conditions={**pending.conditions, seat: conditions},
        lapsed=without(pending.lapsed, seat),
    )


def others_moved(match: Match, seat: Seat) -> bool:
    """Whether somebody else has moved since a seat's last move."""
    since = match.course.steps[since_own_move(match.course.steps, seat) :]
    return any(step.kind is StepKind.MOVE for step in since)


def _dropped(pending: Pending, event: ConditionsDropped, _: Match) -> Pending:
    return replace(pending, conditions=without(pending.conditions, event.seat))


def _voided(pending: Pending, event: ConditionsVoided, match: Match) -> Pending:
    conditions = pending.conditions.get(event.seat)
    if conditions is None:
        return pending
    lapsed = {**pending.lapsed, event.seat: Lapsed(conditions, len(match.course.steps))}
    left = without(pending.conditions, event.seat)
    return replace(pending, conditions=left, lapsed=lapsed)


def without_its_move(pending: Pending, seat: Seat, match: Match) -> Pending:
    """What was decided for after a held move that is taken back goes with it."""
    conditions = pending.conditions.get(seat)
    if conditions is None or not conditions.after_own_move:
        return pending
    if since_own_move(match.course.steps, seat) > conditions.first:
        return pending
    return replace(pending, conditions=without(pending.conditions, seat))


def _moved(pending: Pending, event: MovePlayed, _: Match) -> Pending:
    if event.forced or event.seat not in pending.lapsed:
        return pending
    return replace(pending, lapsed=without(pending.lapsed, event.seat))


def _reseated(pending: Pending, event: SeatTakenOver | SeatReassigned, _: Match) -> Pending:
    """What its player wanted for later goes with the player."""
    seat = event.seat
    return replace(
        pending,
        standing=without(pending.standing, seat),
        conditions=without(pending.conditions, seat),
        lapsed=without(pending.lapsed, seat),
    )


def _went_back(pending: Pending, _: TakebackGranted | MatchRolledBack, _match: Match) -> Pending:
    """What was decided in advance was decided for moves that are gone."""
    undone = {seat: Lapsed(given, UNDONE) for seat, given in pending.conditions.items()}
    return replace(pending, conditions={}, lapsed=undone)


def _ordered(pending: Pending, event: StandingOrderGiven, _: Match) -> Pending:
    return replace(pending, standing={**pending.standing, event.seat: event.order})


OPENS: Final[Changes[Pending]] = {
    ConditionsGiven: _given,
    StandingOrderGiven: _ordered,
}

CLOSES: Final[Changes[Pending]] = {
    ConditionsDropped: _dropped,
    ConditionsVoided: _voided,
    MovePlayed: _moved,
    SeatTakenOver: _reseated,
    SeatReassigned: _reseated,
    TakebackGranted: _went_back,
    MatchRolledBack: _went_back,
}


# --- what is decided -----------------------------------------------------------------------------


def give_standing_order(unfolding: Unfolding, player: PlayerId, *, sealed: Digest) -> Deciding:
    """Decide something in advance; `sealed` is the digest it is kept under."""
    yield StandingOrderGiven(seat=require_seat(player, unfolding.match), order=sealed)


def give_conditions(unfolding: Unfolding, player: PlayerId, *, sealed: Digest) -> Deciding:
    """Decide what to play if the others play so; `sealed` is the digest it is kept under.

    Mails cross: what they wait for may have come.
    """
    yield ConditionsGiven(seat=require_seat(player, unfolding.match), conditions=sealed)


def drop_conditions(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Take back all that was decided so. Raises Rejection."""
    seat = require_seat(player, unfolding.match)
    if not standing(unfolding.match, seat):
        raise Rejection("no_conditions")
    yield ConditionsDropped(seat=seat)


# --- what stands ---------------------------------------------------------------------------------


def standing(match: Match, seat: Seat) -> tuple[Branch, ...]:
    """What may still come true of a seat's conditions; nothing where their text is not known."""
    branches, first = _walked(match, seat)
    given, steps = match.pending.conditions.get(seat), match.course.steps[first:]
    if given is None or all(step.kind is not StepKind.LEFT for step in steps):
        return branches
    # Somebody has left: what named that seat's move as well cannot come true any more.
    known = given.known - first
    return tuple(one for one in branches if _is_open(one.conditions, steps, match.game, known))


def _is_open(conditions: Sequence[str], steps: Sequence[Step], game: AnyGame, known: int) -> bool:
    """Whether conditions may still be met by what follows these steps."""
    return tuple(conditions) == (ANY,) or bool(reached(conditions, steps, game, known))


def _walked(match: Match, seat: Seat) -> tuple[tuple[Branch, ...], int]:
    """The branches that are left, and the number of the first step that they speak of."""
    given = match.pending.conditions.get(seat)
    text = match.secrets.get(given.sealed) if given is not None else None
    if given is None or text is None:
        return (), 0
    branches, first = load(text), given.first
    for number in range(given.first, len(match.course.steps)):
        step = match.course.steps[number]
        if step.kind is not StepKind.MOVE or step.seat != seat:
            continue
        if step.condition:
            taken = _fitting(branches, match, first, number, given.known)
            branches = taken.then if taken is not None else ()
        first = number + 1
    return branches, first


def void_because(match: Match, seat: Seat) -> Void | None:
    """Why a seat's conditions became void, as long as it has not moved since."""
    lapsed = match.pending.lapsed.get(seat)
    if lapsed is None:
        return None
    if lapsed.steps == UNDONE:
        return Void("undone")
    steps = match.course.steps[: lapsed.steps]
    position = steps[-1].after if steps else match.course.position
    then = replace(
        match,
        pending=replace(match.pending, conditions={seat: lapsed.conditions}),
        course=replace(match.course, steps=steps, position=position),
    )
    found = due(then, seat)
    return found if isinstance(found, Void) else Void("other")


def due(match: Match, seat: Seat) -> Due | None:
    """What a seat's conditions bring about now that it is its turn; None as long as none is met."""
    given = match.pending.conditions.get(seat)
    if given is None:
        return None
    branches, first = _walked(match, seat)
    since = match.course.steps[first:]
    moved = any(
        step.kind is StepKind.LEFT or (step.kind is StepKind.MOVE and step.seat != seat)
        for step in since
    )
    if not branches or not moved:
        return None
    if given.after_own_move and first == given.first:
        return None  # the move that they are to follow is not played yet
    branch = _fitting(branches, match, first, len(match.course.steps), given.known)
    if branch is None:
        return Void("drawn" if _but_for_draws(branches, match, first) else "other")
    if branch.answer == RESIGN:
        return Resignation()
    try:
        move = match.game.parse(branch.answer, match.course.position, seat)
        after = match.game.play(match.course.position, move)
    except Rejection:
        return Void("illegal", branch.answer)
    return Answer(move, after)


def _fitting(
    branches: Iterable[Branch], match: Match, first: int, last: int, known: int
) -> Branch | None:
    steps = match.course.steps[first:last]
    fit = (one for one in branches if fits(one.conditions, steps, match.game, known - first))
    return next(fit, None)


def _but_for_draws(branches: Iterable[Branch], match: Match, first: int) -> bool:
    """Whether a branch would fit if nothing had been drawn."""
    steps = [step for step in match.course.steps[first:] if step.kind is not StepKind.DRAW]
    return any(fits(one.conditions, steps, match.game, 0) for one in branches)


def obeyed(match: Match, seat: Seat) -> object | None:
    """The move that a seat's standing order makes now, if any."""
    order = match.secrets.get(match.pending.standing.get(seat, ""))
    return match.game.obey(match.course.position, order) if order is not None else None


# --- whether it may stand in the log --------------------------------------------------------------

_UNMET: Final = Void("other")


def decided(state: Match, seat: Seat) -> Due | None:
    """What a seat's conditions bring about; None where their text is not for who asks."""
    given = state.pending.conditions.get(seat)
    if given is not None and given.sealed not in state.secrets:
        return None
    return due(state, seat) or _UNMET


def judged_resigned(state: Match, seat: Seat) -> Iterator[str]:
    """What is wrong with a resignation that a seat had decided for this case, in words."""
    if decided(state, seat) not in (None, Resignation()):
        yield f"seat {seat} resigned by a condition that was not met"


def _conditions(
    state: Match, event: ConditionsGiven | ConditionsDropped | ConditionsVoided
) -> Iterator[str]:
    seat = event.seat
    if seat not in state.table.playing:
        yield f"seat {seat} has no conditions"
    match event:
        case ConditionsGiven(conditions=sealed):
            text = state.secrets.get(sealed)
            if text is not None and not _are_conditions(text):
                yield f"what seat {seat} decided are no conditions"
        case _ if seat not in state.pending.conditions:
            yield f"seat {seat} had no conditions that could end"
        case ConditionsVoided() if not isinstance(decided(state, seat) or _UNMET, Void):
            yield f"the conditions of seat {seat} were met, and not kept"
        case _:
            pass


def _are_conditions(text: str) -> bool:
    try:
        return bool(load(text))
    except ValueError:
        return False


def _standing(state: Match, event: StandingOrderGiven) -> Iterator[str]:
    seat, text = event.seat, state.secrets.get(event.order)
    if seat not in state.table.playing:
        yield f"seat {seat} can give no standing order"
    if text is not None and state.game.standing(text) != text:
        yield f"what seat {seat} ordered is no standing order"


AUDIT: Final[Audit] = in_play(
    {
        StandingOrderGiven: _standing,
        ConditionsGiven: _conditions,
        ConditionsDropped: _conditions,
        ConditionsVoided: _conditions,
    }
)
