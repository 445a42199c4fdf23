"""Who has played a match to its end."""

from __future__ import annotations

from pbem.matches.events import SeatTimedOut
from pbem.matches.match import Match
from pbem.names import PlayerId, is_bot


def finished_well(match: Match) -> tuple[PlayerId, ...]:
    """The people whom an ended match gives room for one more, if it was with other people.

    Who resigned or lost has finished it as well as who won; who ran out of time has not.
    """
    people = [player for player in match.players if not is_bot(player)]
    if len(people) < 2:  # noqa: PLR2004 - who plays with bots alone plays with nobody
        return ()
    late = [step.seat for step in match.steps if isinstance(step.event, SeatTimedOut)]
    return tuple(player for player in people if match.seat_of(player) not in late)
