"""How long clocks may stand still since mail to their player comes back: not for ever.

Whoever is losing can make mail bounce as often as they like, and a mailbox that is dead stays dead.
So there is one allowance a player, over all suspensions and all matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from pbem.hours import Span

MOST: Final = timedelta(days=14)
"""So long the clocks of a player may stand (PLAY 3), in any time as long as `WITHIN`."""

WITHIN: Final = timedelta(days=365)


def stood(standstills: Iterable[Span], now: datetime) -> timedelta:
    """How much of the allowance is used up; what lies longer back counts no more."""
    first = now - WITHIN
    spans = (end - max(begin, first) for begin, end in standstills if end > first)
    return sum(spans, timedelta(0))


def standstill(standstills: Iterable[Span], since: datetime, now: datetime) -> Span | None:
    """From when to when clocks stand for mail that has come back since a time; None: not at all.

    What they have counted since then is within it.
    """
    left = MOST - stood(standstills, now)
    if left <= timedelta(0):
        return None
    begin = max(min(since, now), now - left)
    return begin, begin + left


def standing(standstills: Iterable[Span], now: datetime) -> Span | None:
    """The standstill that is not over."""
    return next((one for one in standstills if one[1] > now), None)


def ended(standstills: tuple[Span, ...], at: datetime) -> tuple[Span, ...]:
    """The standstills when mail arrives again: what is left of the newest is kept for later."""
    return tuple((begin, max(begin, min(end, at))) for begin, end in standstills)
