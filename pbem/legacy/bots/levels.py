"""The levels of bots: how far each looks in each game, and how often it errs.

Who stands how far above whom is measured (docs/bots.md), by `./run bench bots`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from pbem.legacy.bots.looney_ludo import greedy_move
from pbem.bots.luck import Choose
from pbem.bots.search import Effort, Found, at_table, search
from pbem.games import AnyGame
from pbem.games.game import Game, Seat, Seats
from pbem.games.worth import WON

EASY: Final = "easy"
MEDIUM: Final = "medium"
STRONG: Final = "strong"
LEVELS: Final = (EASY, MEDIUM, STRONG)
"""All levels, the weakest first; not every game has every one."""

PATIENT: Final = "patient"
"""How a teacher plays: as an easy one does, but it wins no match as long as it can help it."""

ALSO: Final[Mapping[str, str]] = {"random": EASY, "greedy": MEDIUM}
"""Words that people have for a level."""


@dataclass(frozen=True, slots=True)
class Skill:
    """How far a bot looks; in so many of a hundred turns it takes any that it has looked at."""

    effort: Effort
    errs: int = 0


_SKILLS: Final[Mapping[str, Mapping[str, Skill]]] = {
    "logger": {
        EASY: Skill(Effort(plays=200, ahead=1, wide=1), errs=35),
        MEDIUM: Skill(Effort(plays=200, ahead=1, wide=1), errs=4),
        STRONG: Skill(Effort(plays=20_000, ahead=3, wide=12)),
    },
    "looney_ludo": {
        EASY: Skill(Effort(plays=300, ahead=1, wide=1), errs=30),
        MEDIUM: Skill(Effort(plays=1_500, ahead=1, wide=1), errs=20),
        STRONG: Skill(Effort(plays=20_000, ahead=2, wide=10, draws=5)),
    },
    "logan_stones": {
        EASY: Skill(Effort(plays=150, ahead=1, wide=1), errs=75),
        MEDIUM: Skill(Effort(plays=1_500, ahead=1, wide=1), errs=10),
        STRONG: Skill(Effort(plays=25_000, ahead=2, wide=40, worlds=8, ends=True)),
    },
    "landrush": {
        EASY: Skill(Effort(plays=100, ahead=1, wide=1), errs=90),
        MEDIUM: Skill(Effort(plays=20_000, ahead=3, wide=6, draws=5)),
    },
}


_OF_OTHERS: Final[Mapping[str, Skill]] = {
    EASY: Skill(Effort(plays=200, ahead=1, wide=1), errs=35),
    MEDIUM: Skill(Effort(plays=2_000, ahead=1, wide=1), errs=4),
    STRONG: Skill(Effort(plays=10_000, ahead=2, wide=12, draws=5)),
}
"""In a game of others that says what its positions are worth; nobody has measured these."""


def _skills(game: AnyGame) -> Mapping[str, Skill]:
    """The levels of a game, none where nobody knows worth in it."""
    return _SKILLS.get(game.key) or (_OF_OTHERS if game.is_valued else {})


_AT_TABLES: Final[Mapping[str, Mapping[str, Skill]]] = {
    # Three turns ahead take all others for one's enemies: there two are better, by what was played.
    "landrush": {MEDIUM: Skill(Effort(plays=20_000, ahead=2, wide=8, draws=5))},
}
"""What is otherwise at more than two seats."""


def skill_of(level: str, game: AnyGame, seats: int) -> Skill:
    """How a level plays at a table; of a level that a game has no longer the next one below it."""
    skills = _skills(game)
    if seats > _PAIR:
        skills = {**skills, **_AT_TABLES.get(game.key, {})}
    skill = skills.get(level, skills[level_unasked(game)])
    return replace(skill, effort=_shared(skill.effort, seats))


def levels(game: AnyGame) -> tuple[str, ...]:
    """The levels that a game has, the weakest first; none where it has no bots.

    Where nobody knows worth an easy one plays at random, if such play comes to an end.
    """
    return tuple(_skills(game)) or ((EASY,) if game.random_plies is not None else ())


def level_unasked(game: AnyGame) -> str:
    """The level that plays where none is named; empty where a game has no bots."""
    there = levels(game)
    return MEDIUM if MEDIUM in there else next(iter(there), "")


def best_effort(game: AnyGame) -> Effort | None:
    """How far the best level of a game looks, None where nobody knows worth in it."""
    skills = _skills(game)
    return [*skills.values()][-1].effort if skills else None


def takes_long(level: str, game: AnyGame, seats: int) -> bool:
    """Whether choosing a move may take more than a moment, by what plays were measured to take."""
    if not knows_worth(game):
        return False
    skill = skill_of(level, game, seats)
    return skill.effort.plays * seats * _MICROSECONDS.get(game.key, _UNKNOWN) > _MOMENT


def _shared(effort: Effort, seats: int) -> Effort:
    """What each has where the others at a table may all be bots, and one follows the other."""
    if effort.plays <= _LITTLE or seats <= _PAIR:
        return effort
    return replace(effort, plays=max(_LITTLE, effort.plays // (seats - 1)))


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that a bot makes, the plays that it looked at, and what it found: the best first."""

    move: Any
    plays: int
    looked: Sequence[Found] = ()


def move_of(level: str, game: AnyGame, position: Any, choose: Choose) -> Any:
    """The move that a bot makes: a legal one for the seat to act, by what that seat can know."""
    return choice_of(level, game, position, choose).move


def choice_of(
    level: str, game: AnyGame, position: Any, choose: Choose, skill: Skill | None = None
) -> Choice:
    """The same, with what it looked at for it; `skill` in place of the level's own."""
    turn = game.turn(position)
    if not knows_worth(game) or not isinstance(turn, Seats):
        return Choice(random_move(game, position, choose), 0)
    if skill is None:
        skill = skill_of(EASY if level == PATIENT else level, game, at_table(game, position))
    found = search(game, position, turn.seats[0], choose, skill.effort)
    if level == PATIENT:
        found = [one for one in found if one.worth < WON // 2] or found
    if choose(_HUNDRED) < skill.errs:
        move = found[choose(len(found))].move
    else:
        best = [one for one in found if one.worth == found[0].worth]
        move = best[choose(len(best))].move
    return Choice(move, found[0].plays, found)


def knows_worth(game: AnyGame) -> bool:
    """Whether anybody knows what a position of a game is worth."""
    return bool(_skills(game))


def best_move(
    game: AnyGame, position: Any, seat: Seat, choose: Choose, *, quick: bool = False
) -> Any:
    """The best move that any level finds for a seat, without slips; `quick`: at first sight.

    At a table it looks at as many positions as a bot that sits there.
    """
    best = levels(game)[-1]
    effort = _FIRST_SIGHT if quick else skill_of(best, game, at_table(game, position)).effort
    found = search(game, position, seat, choose, effort)
    return found[0].move


_FIRST_SIGHT: Final = Effort(plays=500, ahead=1, wide=1)

_HUNDRED: Final = 100

_PAIR: Final = 2

_LITTLE: Final = 2_000
"""Plays that a bot has wherever it sits, if its level has so many."""

_MOMENT: Final = 50_000
"""Microseconds that a thread may take from all others, a few at a time."""

_MICROSECONDS: Final = {"logger": 8, "looney_ludo": 25, "logan_stones": 16, "landrush": 11}
"""What a play takes for each seat at the table, looked at and weighed."""

_UNKNOWN: Final = 25


# --- players of tests ----------------------------------------------------------------------------
# They know no better, and are quick.

P = TypeVar("P")
M = TypeVar("M")


def random_move(game: Game[P, M], position: P, choose: Callable[[int], int]) -> M:
    """One of the legal turns or steps; `choose(n)` gives a number from 0 to n - 1."""
    legal = game.legal(position)
    return legal[choose(len(legal))]


_ENDING: Final[Mapping[str, Callable[[Any, Callable[[int], int]], Any]]] = {
    "looney_ludo": greedy_move,
}


def lively_move(game: AnyGame, position: Any, choose: Callable[[int], int]) -> Any:
    """A move of matches that must come to an end: random play hardly ends some games."""
    greedy = _ENDING.get(game.key)
    return random_move(game, position, choose) if greedy is None else greedy(position, choose)
