"""What has come of the public matches of a game, counted as they end."""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.games.still import STILL
from pbem.legacy.matches.steps import VOIDED, StepKind
from pbem.legacy.standing.statistics import FIRSTS, First, Statistics, alone, statistics
from pbem.legacy.store import standings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from pbem.games import AnyGame
    from pbem.legacy.matches.match import Match

LONGEST: Final = 400
"""Characters of a first move by which it is told from others: an index of PostgreSQL holds no more
than some thousand bytes, and a game of others may write whatever it likes.
"""

OPENING: Final = 24
"""The moves of a match that are counted by position: further on hardly any two are alike."""

ENOUGH: Final = 5
"""So often others must have come to a position before it is told what they played."""


class PlayedHere(NamedTuple):
    """What others played in a position: in how many matches, and the moves, the most first."""

    matches: int
    moves: tuple[First, ...]


def count_match(conn: Connection, match: Match) -> None:
    """Count a match that has just ended, if everybody could see it and it was played for a result.

    It asks nothing of the game, whose rules may be somebody else's.
    """
    outcome = match.course.outcome
    if outcome is None or not _counts(match):
        return
    moves = (step for step in match.course.steps if step.kind is StepKind.MOVE)
    first = next(((step.seat or 0, step.text[:LONGEST]) for step in moves), (0, ""))
    alike = standings.Alike(*first, outcome.placings)
    standings.count_match(conn, match.terms.ruleset, match.course.ply, alike)
    standings.count_openings(conn, match.terms.ruleset, _opened(match, alone(outcome.placings)))


def _counts(match: Match) -> bool:
    outcome = match.course.outcome
    over = outcome is not None and outcome.termination != VOIDED
    return over and match.is_public and not match.terms.lesson


def _opened(match: Match, winner: int) -> Iterator[standings.Opened]:
    """The moves with which a match began, in positions that others may come to as well."""
    if match.game.secrets:
        return  # nobody but its players has seen them
    moves = (step for step in match.course.steps if step.kind is StepKind.MOVE)
    for step in islice(moves, OPENING):
        position, move = _digest(match.game, step.before), step.text[:LONGEST]
        yield standings.Opened(position, move, won=step.seat == winner)


def _digest(game: AnyGame, position: Any) -> bytes:
    return blake2b(game.dump(position).encode(), digest_size=16).digest()


def statistics_of(conn: Connection, game: AnyGame) -> tuple[Statistics, ...]:
    """What has come of the matches by the newest rules of a game, by the number of seats."""
    kinds, plies = standings.counted(conn, game.ruleset), standings.lengths(conn, game.ruleset)
    return statistics(game.key, kinds, plies)


def played_here(conn: Connection, match: Match, position: Any) -> PlayedHere | None:
    """What others played in a position of a match, in all that were public and are over.

    None where too few have come to it, or where the game hides something. It asks nothing of the
    game, as above.
    """
    if match.game.secrets or position is STILL:
        return None
    here, outcome = _digest(match.game, position), match.course.outcome
    rows = standings.openings(conn, match.terms.ruleset, here)
    found = {move: [count, won] for move, count, won in rows}
    if outcome is not None and _counts(match):
        for one in _opened(match, alone(outcome.placings)):
            if one.position == here and one.move in found:
                found[one.move][0] -= 1
                found[one.move][1] -= one.won
    others = [First(move, *counted) for move, counted in found.items() if counted[0]]
    matches = sum(one.count for one in others)
    if matches < ENOUGH:
        return None
    often = sorted(others, key=lambda one: (-one.count, one.text))
    return PlayedHere(matches, tuple(often[:FIRSTS]))
