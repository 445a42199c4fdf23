"""What has come of the public matches of a game, counted as they end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.matches.operator_events import VOIDED
from pbem.matches.steps import StepKind
from pbem.standing.statistics import Statistics, statistics
from pbem.store import views

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.games import AnyGame
    from pbem.matches.match import Match

LONGEST: Final = 400
"""Characters of a first move by which it is told from others: an index of PostgreSQL holds no more
than some thousand bytes, and a game of others may write whatever it likes.
"""


def count_match(conn: Connection, match: Match) -> None:
    """Count a match that has just ended, if everybody could see it and it was played for a result.

    It asks nothing of the game, whose rules may be somebody else's.
    """
    outcome = match.course.outcome
    if outcome is None or outcome.termination == VOIDED:
        return
    if not match.is_public or match.terms.lesson:
        return
    moves = (step for step in match.course.steps if step.kind is StepKind.MOVE)
    first = next(((step.seat or 0, step.text[:LONGEST]) for step in moves), (0, ""))
    alike = views.Alike(len(outcome.placings), *first, outcome.placings)
    views.count_match(conn, match.id, match.terms.ruleset, match.course.ply, alike)


def statistics_of(conn: Connection, game: AnyGame) -> tuple[Statistics, ...]:
    """What has come of the matches by the newest rules of a game, by the number of seats."""
    kinds, plies = views.counted(conn, game.ruleset), views.lengths(conn, game.ruleset)
    return statistics(game.key, kinds, plies)
