"""Who an open seat is for: as reliable and as good as whoever opened it asks (CLUB 1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.legacy.store import standings
from pbem.legacy.store.standings import YEAR

if TYPE_CHECKING:
    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId
    from pbem.legacy.transaction.transaction import Transaction

RELIABLE: Final = "reliable"
RATING: Final = "rating"
LEAST: Final = "from"
MOST: Final = "to"
"""What may be asked, in per cent and in points."""

_PERCENT: Final = re.compile(r"[1-9][0-9]?|100")
_RANGE: Final = re.compile(r"([0-9]{3,4})-([0-9]{3,4})")


def asks(typed: dict[str, str]) -> dict[str, int]:
    """Take out of the options whom the open seats are for. Raises Rejection `bad_option`."""
    found = {}
    if (percent := typed.pop(RELIABLE, None)) is not None:
        if not _PERCENT.fullmatch(percent):
            raise Rejection("bad_option", name=RELIABLE, value=percent, values=["90"])
        found[RELIABLE] = int(percent)
    if (points := typed.pop(RATING, None)) is not None:
        read = _RANGE.fullmatch(points)
        if read is None or int(read[1]) > int(read[2]):
            raise Rejection("bad_option", name=RATING, value=points, values=["1400-1700"])
        found |= {LEAST: int(read[1]), MOST: int(read[2])}
    return found


def require_fit(txn: Transaction, match: Match) -> None:
    """Raise Rejection unless the sender is whom the open seats are for.

    Who is new passes: of them nothing is known yet.
    """
    asked = match.terms.asks
    if not asked:
        return
    known = standings.reliability(txn.conn, [txn.sender], txn.now)[txn.sender]
    if known.is_new:
        return
    if known.percent < asked.get(RELIABLE, 0):
        days = YEAR.days
        raise Rejection("seat_for_reliable", least=asked[RELIABLE], own=known.percent, days=days)
    own = standings.standings_of(txn.conn, txn.sender).get(match.game.key)
    if own is not None and LEAST in asked:
        points = round(own.rating.rating)
        if not asked[LEAST] <= points <= asked[MOST]:
            raise Rejection("seat_for_rating", least=asked[LEAST], most=asked[MOST], own=points)


def fits(txn: Transaction, name: MatchId) -> bool:
    """Whether the sender may take an open seat there, as far as it asks for anything."""
    found = txn.found(name)
    try:
        if found is not None:
            require_fit(txn, found.match)
    except Rejection:
        return False
    return found is not None
