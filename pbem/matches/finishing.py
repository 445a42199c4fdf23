"""Who has played a match to its end."""

from __future__ import annotations

from pbem.matches.match import Match
from pbem.names import PlayerId, is_bot


def finished_well(match: Match) -> tuple[PlayerId, ...]:
    """The people whom an ended match gives room for one more, if it was with other people.

    Who resigned or lost has finished it as well as who won.
    """
    people = tuple(player for player in match.players if not is_bot(player))
    return people if len(people) > 1 else ()
