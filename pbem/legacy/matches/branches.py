"""Branches of conditional moves: what a seat answers if the others play so, and what fits them.

A branch has one condition for each move of the others since the seat's own last move, in their
order: a move, `any` move, or `drawn X` for what chance brings. A lone `any` is whatever happens
until the seat's turn. The first branch that fits is taken, those with `any` after those without.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Seat
from pbem.legacy.matches.steps import Step, StepKind

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


# --- what fits -----------------------------------------------------------------------------------


def fits(conditions: Sequence[str], steps: Sequence[Step], game: AnyGame, known: int) -> bool:
    """Whether the steps since a seat's own move are what its conditions name, in their order.

    What the server played for somebody who had no choice needs no condition. A draw needs none if a
    move that is named comes after it; one that comes after all is named, or stands after `any`.
    Somebody who leaves does too, unless that was known: it is among the first `known` steps.
    """
    if tuple(conditions) == (ANY,):
        return True
    return len(conditions) in reached(conditions, steps, game, known)


def reached(
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
