"""How long clocks may stand still since mail to their player comes back: not for ever.

Whoever is losing can make mail bounce as often as they like, or have their server take it late, and
a mailbox that is dead stays dead.
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
    used, counted = timedelta(0), now - WITHIN
    for begin, end in sorted(standstills):  # they may overlap: each moment counts once
        if begin > now:
            break  # our own clock was ahead
        used += max(timedelta(0), end - max(begin, counted))
        counted = max(counted, end)
    return used


def standstill(standstills: Iterable[Span], since: datetime, now: datetime) -> Span | None:
    """From when to when clocks stand for mail that has come back since a time; None: not at all.

    What they have counted since then is within it.
    """
    left = MOST - stood(standstills, now)
    if left <= timedelta(0):
        return None
    begin = max(min(since, now), now - left)
    return begin, begin + left


def delayed(standstills: Iterable[Span], begin: datetime, end: datetime) -> Span | None:
    """As much of a delay, its last part, as the allowance leaves; None: nothing."""
    before = tuple(standstills)
    left = MOST - stood(before, end)
    if stood((*before, (begin, end)), end) <= MOST:
        return begin, end
    return (max(begin, end - left), end) if left > timedelta(0) else None


def standing(standstills: Iterable[Span], now: datetime) -> Span | None:
    """The standstill that is not over."""
    return next((one for one in standstills if one[0] <= now < one[1]), None)


def ended(standstills: tuple[Span, ...], at: datetime) -> tuple[Span, ...]:
    """The standstills when mail arrives again: what is left of the newest is kept for later."""
    return tuple((begin, max(begin, min(end, at))) for begin, end in standstills)
