"""The levels of bots: how deeply a bot searches in each game, and how often it errs.

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
TEACHER: Final = "teacher"  # an easy bot for lessons; it avoids moves that end the match

QUICK_PLAYS: Final = 2_000  # a search that plays at most so many moves takes only a moment


@dataclass(frozen=True, slots=True)
class Skill:
    """The strength of a bot: the limits of its search, and its rate of errors."""

    effort: Effort
    error_percent: int = 0  # percentage of turns in which the bot plays a random move


_SKILLS: Final[Mapping[str, Mapping[str, Skill]]] = {
    "logger": {
        EASY: Skill(Effort(max_plays=200, depth=1, breadth=1), error_percent=35),
        MEDIUM: Skill(Effort(max_plays=200, depth=1, breadth=1), error_percent=4),
        STRONG: Skill(Effort(max_plays=20_000, depth=3, breadth=12)),
    },
    "looney_ludo": {
        EASY: Skill(Effort(max_plays=300, depth=1, breadth=1), error_percent=70),
        MEDIUM: Skill(Effort(max_plays=1_500, depth=1, breadth=1), error_percent=20),
        STRONG: Skill(Effort(max_plays=20_000, depth=2, breadth=10, draw_samples=5)),
    },
    "logan_stones": {
        EASY: Skill(Effort(max_plays=150, depth=1, breadth=1), error_percent=75),
        MEDIUM: Skill(Effort(max_plays=1_500, depth=1, breadth=1), error_percent=10),
        STRONG: Skill(
            Effort(max_plays=25_000, depth=2, breadth=40, guess_count=8, counts_only_ends=True)
        ),
    },
    "landrush": {
        EASY: Skill(Effort(max_plays=100, depth=1, breadth=1), error_percent=90),
        MEDIUM: Skill(Effort(max_plays=2_000, depth=2, breadth=6, draw_samples=5)),
    },
}

_DEFAULT_SKILLS: Final[Mapping[str, Skill]] = {  # for games of packages that have `evaluate`
    EASY: Skill(Effort(max_plays=200, depth=1, breadth=1), error_percent=35),
    MEDIUM: Skill(Effort(max_plays=2_000, depth=1, breadth=1), error_percent=4),
    STRONG: Skill(Effort(max_plays=10_000, depth=2, breadth=12, draw_samples=5)),
}

_HINT: Final = Effort(max_plays=500, depth=1, breadth=1)


def list_levels(game: AnyGame) -> tuple[str, ...]:
    """Return the levels of bots of a game, the weakest first; empty if the game has no bots.

    A game that cannot evaluate positions has only an easy bot that plays at random. Such a game has
    no bots if matches of random moves might never end.
    """
    return tuple(_find_skills(game)) or ((EASY,) if game.max_random_plies is not None else ())


def default_level(game: AnyGame) -> str | None:
    """Return the level to use if a player names none, or None if the game has no bots."""
    levels = list_levels(game)
    return MEDIUM if MEDIUM in levels else next(iter(levels), None)


def is_quick(level: str, game: AnyGame) -> bool:
    """Return whether bots of this level choose a move in a moment, without a process of their own.

    They do so if their search plays at most QUICK_PLAYS moves, or if they play at random.
    """
    skill = _find_skills(game).get(level)
    return skill is None or skill.effort.max_plays <= QUICK_PLAYS


def choose_move(level: str, game: AnyGame, position: Any, seat: Seat, choose: Choose) -> Any:
    """Return the move that a bot chooses, using only what its seat knows of the position.

    Args:
        level: The level of the bot.
        game: The game.
        position: The position, in which the bot's seat is to act.
        seat: The seat of the bot.
        choose: The source of random numbers.
    """
    skill = _find_skill(EASY if level == TEACHER else level, game, position)
    if skill is None:
        return choose_random_move(game, position, choose)
    candidates = search(game, position, seat, choose, skill.effort)
    if level == TEACHER:
        known = game.redact(position, seat)
        going_on = [
            candidate
            for candidate in candidates
            if game.outcome(game.play(known, candidate.move)) is None
        ]
        candidates = going_on or candidates
    if choose(100) < skill.error_percent:
        return candidates[choose(len(candidates))].move
    best = [candidate for candidate in candidates if candidate.worth == candidates[0].worth]
    return best[choose(len(best))].move


def choose_notation(level: str, ruleset: str, position: Any, seat: Seat, seed: str) -> str:
    """Return the move of `choose_move` in canonical notation.

    This function takes the name of the game (`ruleset`) and a seed, because these can be sent to
    another process.
    """
    game = GAMES[ruleset]
    return game.notation(choose_move(level, game, position, seat, seeded(seed)))


def choose_random_move(game: AnyGame, position: Any, choose: Choose) -> Any:
    """Return a random legal move of the seat to act."""
    legal = game.legal_moves(position)
    return legal[choose(len(legal))]


def find_hint(game: AnyGame, position: Any, seat: Seat, choose: Choose) -> Any:
    """Return the best move that a short search finds, using only what the seat knows.

    In a game that cannot evaluate positions, the hint is a random legal move.
    """
    if not _find_skills(game):
        return choose_random_move(game, position, choose)
    return search(game, position, seat, choose, _HINT)[0].move


def _find_skills(game: AnyGame) -> Mapping[str, Skill]:
    return _SKILLS.get(game.key) or (_DEFAULT_SKILLS if game.has_evaluation else {})


def _find_skill(level: str, game: AnyGame, position: Any) -> Skill | None:
    """Return the skill of the level, or of the default level if the game lacks this level.

    The result is None if the game cannot evaluate positions. A limit of plays above QUICK_PLAYS is
    divided by the number of other seats, but stays at least QUICK_PLAYS. So a player does not wait
    much longer for several bots than for one.
    """
    skills = _find_skills(game)
    if not skills:
        return None
    skill = skills.get(level) or skills[default_level(game) or EASY]
    plays = skill.effort.max_plays
    if plays <= QUICK_PLAYS:
        return skill
    # All others may be bots, and a player waits for one after the other.
    bots = len(game.evaluate(position)) - 1
    plays = max(QUICK_PLAYS, plays // bots)
    return replace(skill, effort=replace(skill.effort, max_plays=plays))
