"""The levels of bots: how deeply each searches in each game, and how often it errs.

A search is limited by the number of positions it examines, never by time, so that the same seed
gives the same move on every machine. docs/decisions/0011 says how much stronger each level is than
the one below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pbem.bots.luck import Choose, seeded
from pbem.bots.search import Effort, search
from pbem.games import GAMES, AnyGame
from pbem.games.game import Seat

EASY: Final = "easy"
MEDIUM: Final = "medium"
STRONG: Final = "strong"

QUICK_PLAYS: Final = 2_000  # of a search that takes a moment; bots of larger matches get no fewer

_PAIR: Final = 2  # seats of a match without bots that follow each other


@dataclass(frozen=True, slots=True)
class Skill:
    """How far a bot looks, and how often it errs."""

    effort: Effort
    errs: int = 0  # turns of a hundred in which it plays any of the moves that it has looked at


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

_AT_LARGER_TABLES: Final[Mapping[str, Mapping[str, Skill]]] = {
    # The search takes all others for opponents; three turns ahead that is too wrong in Landrush.
    "landrush": {MEDIUM: Skill(Effort(plays=20_000, ahead=2, wide=8, draws=5))},
}
"""Skills for matches of more than two, if they differ."""

_IN_OTHER_GAMES: Final[Mapping[str, Skill]] = {
    EASY: Skill(Effort(plays=200, ahead=1, wide=1), errs=35),
    MEDIUM: Skill(Effort(plays=2_000, ahead=1, wide=1), errs=4),
    STRONG: Skill(Effort(plays=10_000, ahead=2, wide=12, draws=5)),
}
"""The skills in games of packages that have an evaluation of positions."""

_HINT: Final = Effort(plays=500, ahead=1, wide=1)


def list_levels(game: AnyGame) -> tuple[str, ...]:
    """Return the levels of bots of a game, the weakest first; none if it has no bots.

    In a game without an evaluation of positions an easy bot plays at random, if random matches end.
    """
    return tuple(_find_skills(game)) or ((EASY,) if game.max_random_plies is not None else ())


def default_level(game: AnyGame) -> str | None:
    """Return the level that is used if the player names none, or None if the game has no bots."""
    levels = list_levels(game)
    return MEDIUM if MEDIUM in levels else next(iter(levels), None)


def is_quick(level: str, game: AnyGame) -> bool:
    """Return whether a bot of a level chooses its move in a moment."""
    skill = _find_skills(game).get(level)
    return skill is None or skill.effort.plays <= QUICK_PLAYS


def choose_move(level: str, game: AnyGame, position: Any, seat: Seat, choose: Choose) -> Any:
    """Return the move of a bot for its seat, which is to act, from what that seat knows."""
    skill = _find_skill(level, game, position)
    if skill is None:
        return choose_random_move(game, position, choose)
    found = search(game, position, seat, choose, skill.effort)
    if choose(100) < skill.errs:
        return found[choose(len(found))].move
    best = [candidate for candidate in found if candidate.worth == found[0].worth]
    return best[choose(len(best))].move


def choose_notation(level: str, ruleset: str, position: Any, seat: Seat, seed: str) -> str:
    """Return the move of a bot in canonical notation; another process can run this function."""
    game = GAMES[ruleset]
    return game.notation(choose_move(level, game, position, seat, seeded(seed)))


def choose_random_move(game: AnyGame, position: Any, choose: Choose) -> Any:
    """Return a random legal move."""
    legal = game.legal_moves(position)
    return legal[choose(len(legal))]


def find_hint(game: AnyGame, position: Any, seat: Seat, choose: Choose) -> Any:
    """Return the move that a short search finds best, from what the seat knows."""
    if not _find_skills(game):
        return choose_random_move(game, position, choose)
    return search(game, position, seat, choose, _HINT)[0].move


def _find_skills(game: AnyGame) -> Mapping[str, Skill]:
    return _SKILLS.get(game.key) or (_IN_OTHER_GAMES if game.has_evaluation else {})


def _find_skill(level: str, game: AnyGame, position: Any) -> Skill | None:
    """Return the skill of a level; of the default level if the game no longer has it."""
    skills = _find_skills(game)
    if not skills:
        return None
    seats = len(game.evaluate(position))
    if seats > _PAIR:
        skills = {**skills, **_AT_LARGER_TABLES.get(game.key, {})}
    skill = skills.get(level) or skills[default_level(game) or EASY]
    plays = skill.effort.plays
    if plays <= QUICK_PLAYS or seats <= _PAIR:
        return skill
    # All others may be bots, and a player waits for one after the other.
    plays = max(QUICK_PLAYS, plays // (seats - 1))
    return replace(skill, effort=replace(skill.effort, plays=plays))
