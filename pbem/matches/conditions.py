"""Conditional moves: what a seat answers if the others play so, and whether that has come.

A branch has one condition for each move of the others since the seat's own last move, in their
order: a move, `any` move, or `drawn X` for what chance brings. A lone `any` is whatever happens
until the seat's turn. The first branch that fits is taken, those with `any` after those without.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, cast

from pbem.errors import Rejection
from pbem.matches.seat_events import (
    ConditionsDropped,
    ConditionsGiven,
    ConditionsVoided,
    MoveWithdrawn,
    ResignationHeld,
)
from pbem.matches.steps import UNDONE, Conditions, Lapsed, Seen, Step, StepKind, since_own_move

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.games.game import Seat
    from pbem.matches.match import Match
    from pbem.matches.pending import Pending

ANY: Final = "any"
DRAWN: Final = "drawn "
RESIGN: Final = "resign yes"
MOST: Final = 40
"""Branches that a seat may have, those that follow others included."""


@dataclass(frozen=True, slots=True)
class Branch:
    """If these moves are made in turn, this is the answer, and `then` is what may follow it.

    `checked`: all of it is in canonical form, and legal if it comes so; else it is as typed.
    """

    conditions: tuple[str, ...]
    answer: str
    then: tuple[Branch, ...] = ()
    checked: bool = False

    @property
    def size(self) -> int:
        """How many branches it is, with those that follow."""
        return 1 + sum(branch.size for branch in self.then)

    @property
    def rank(self) -> tuple[bool, tuple[bool, ...]]:
        """What names more is asked first."""
        return self.conditions == (ANY,), tuple(one == ANY for one in self.conditions)


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


# --- as text -------------------------------------------------------------------------------------


def dump(branches: Iterable[Branch]) -> str:
    """The branches as one line of text, to be sealed."""
    return json.dumps([_plain(one) for one in branches], ensure_ascii=False, sort_keys=True)


def _plain(branch: Branch) -> dict[str, Any]:
    return {
        "if": branch.conditions,
        "then": branch.answer,
        "checked": branch.checked,
        "next": [_plain(one) for one in branch.then],
    }


def load(text: str) -> tuple[Branch, ...]:
    """The branches that `dump` wrote. Raises ValueError for anything else."""
    try:
        return tuple(_branch(one) for one in json.loads(text))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no conditions: {error!r}") from error


def _branch(item: dict[str, Any]) -> Branch:
    then = tuple(_branch(one) for one in item["next"])
    return Branch((*map(str, item["if"]),), str(item["then"]), then, bool(item["checked"]))


def added(branches: Sequence[Branch], new: Branch) -> tuple[Branch, ...]:
    """The branches with another one; where one has the same conditions, the newer answer holds."""
    same = next((one for one in branches if _same(one.conditions, new.conditions)), None)
    if same is not None and _same((same.answer,), (new.answer,)):
        then = same.then
        for one in new.then:
            then = added(then, one)
        new = replace(new, then=then)
    kept = [new if one is same else one for one in branches]
    return tuple(sorted(kept if same is not None else [*kept, new], key=lambda one: one.rank))


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return [text.casefold() for text in one] == [text.casefold() for text in other]


# --- what the match keeps ------------------------------------------------------------------------

Kept = TypeVar("Kept")


def given(pending: Pending, event: ConditionsGiven, seen: Seen) -> Pending:
    """What is open after a seat gave conditions: they speak of what follows its own last move.

    Where the others have moved since they may be met at once; where the seat's next move is held,
    or it is its turn and they have not, they are for after the move that it makes now.
    """
    seat = event.seat
    waits = seat in pending.held or (seat in seen.to_act and not others_moved(seen, seat))
    steps = len(seen.course.steps)
    first = steps if waits else since_own_move(seen.course.steps, seat)
    conditions = Conditions(event.conditions, first, steps, after_own_move=waits)
    return replace(
        pending,
        conditions={**pending.conditions, seat: conditions},
        lapsed=without(pending.lapsed, seat),
    )


def others_moved(seen: Seen, seat: Seat) -> bool:
    """Whether somebody else has moved since a seat's last move."""
    since = seen.course.steps[since_own_move(seen.course.steps, seat) :]
    return any(step.kind is StepKind.MOVE for step in since)


def dropped(pending: Pending, event: ConditionsDropped, _: Seen) -> Pending:
    """What is open after a seat took back its conditions."""
    return replace(pending, conditions=without(pending.conditions, event.seat))


def voided(pending: Pending, event: ConditionsVoided, seen: Seen) -> Pending:
    """What is open after a seat's conditions became void."""
    conditions = pending.conditions.get(event.seat)
    if conditions is None:
        return pending
    lapsed = {**pending.lapsed, event.seat: Lapsed(conditions, len(seen.course.steps))}
    left = without(pending.conditions, event.seat)
    return replace(pending, conditions=left, lapsed=lapsed)


def after_withdrawal(pending: Pending, event: MoveWithdrawn, seen: Seen) -> Pending:
    """What is open after a held move was taken back: what was decided for after it goes with it."""
    seat, conditions = event.seat, pending.conditions.get(event.seat)
    if conditions is None or not conditions.after_own_move or event.reason == "replaced":
        return pending
    if since_own_move(seen.course.steps, seat) > conditions.first:
        return pending
    return replace(pending, conditions=without(pending.conditions, seat))


def after_resigning(pending: Pending, event: ResignationHeld, _: Seen) -> Pending:
    """What is open after a resignation is held: where it was decided so, that has come of it."""
    if not event.condition:
        return pending
    return replace(pending, conditions=without(pending.conditions, event.seat))


def without(kept: Mapping[Seat, Kept], seat: Seat) -> Mapping[Seat, Kept]:
    """What is kept for the other seats."""
    return {other: one for other, one in kept.items() if other != seat}


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
    return tuple(conditions) == (ANY,) or bool(_reached(conditions, steps, game, known))


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


# --- what fits -----------------------------------------------------------------------------------


def fits(conditions: Sequence[str], steps: Sequence[Step], game: AnyGame, known: int) -> bool:
    """Whether the steps since a seat's own move are what its conditions name, in their order.

    What the server played for somebody who had no choice needs no condition. A draw needs none if a
    move that is named comes after it; one that comes after all is named, or stands after `any`.
    Somebody who leaves does too, unless that was known: it is among the first `known` steps.
    """
    if tuple(conditions) == (ANY,):
        return True
    return len(conditions) in _reached(conditions, steps, game, known)


def _reached(
    conditions: Sequence[str], steps: Sequence[Step], game: AnyGame, known: int
) -> set[int]:
    """How many of the conditions may be met by these steps."""
    reached = {0}
    for number, step in enumerate(steps):
        named = {
            at + 1
            for at in reached
            if at < len(conditions) and is_named(conditions[at], step, game)
        }
        passed = {at for at in reached if _passes(step, conditions, at, known=number < known)}
        reached = named | passed
    return reached


def _passes(step: Step, conditions: Sequence[str], at: int, *, known: bool) -> bool:
    """Whether a step needs no condition where so many of them are met."""
    after_any = at == len(conditions) and conditions[-1:] == (ANY,)
    match step.kind:
        case StepKind.MOVE:
            return by_itself(step)
        case StepKind.DRAW:
            return at < len(conditions) or after_any
        case StepKind.LEFT:
            return known or after_any
        case _:
            return True  # the position is the same


def by_itself(step: Step) -> bool:
    """Whether nobody chose this move: nothing else was possible."""
    return step.forced and not step.standing and not step.condition


def is_named(condition: str, step: Step, game: AnyGame) -> bool:
    """Whether a step is what a condition names."""
    match step.kind:
        case StepKind.MOVE:
            return condition == ANY or _is_move(condition, step, game)
        case StepKind.DRAW:
            return step.drawn is not None and _is_drawn(condition, step, game)
        case _:
            return False


def _is_move(condition: str, step: Step, game: AnyGame) -> bool:
    if condition.casefold() == step.text.casefold():
        return True
    if by_itself(step):
        return False  # there may be many; who names one writes it as it is recorded
    try:
        if game.secrets:
            # Not read against the position: whether it fits would tell what somebody hides.
            move = game.spelled(condition)
        else:
            move = game.parse(condition, step.before, cast("Seat", step.seat))
    except Rejection:
        return False
    return move is not None and game.notation(move) == step.text


def _is_drawn(condition: str, step: Step, game: AnyGame) -> bool:
    if not condition.startswith(DRAWN):
        return False
    try:
        return bool(game.read_chance(condition.removeprefix(DRAWN), step.before) == step.move)
    except Rejection:
        return False
