"""The orders about the club: who stands where in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from pbem.mail.verbs.own_orders import ChooseWish

if TYPE_CHECKING:
    from pbem.mail.verbs.orders import Order


@dataclass(frozen=True, slots=True)
class ShowRatings:
    """Who is how good at a game, as typed, or with none where I stand in each."""

    game: str


@dataclass(frozen=True, slots=True)
class ShowProfile:
    """What everybody may know of a player, or with no name all about me."""

    player: str


AboutClub: TypeAlias = ShowRatings | ShowProfile


# --- club arguments ------------------------------------------------------------------------------
# How the rest of a line becomes such an order, or none after all (a sentence).

_FEW: Final = 3
"""Words of a name or a game at most; more is a sentence ("profile matters more than you think")."""


def ratings(rest: str) -> Order | None:
    """A game, or nothing."""
    return ShowRatings(rest) if len(rest.split()) <= _FEW else None


def profile(rest: str) -> Order | None:
    """Somebody's name, or nothing; `on` and `off` say whether others may see one's own."""
    words = rest.casefold()
    if words in ("on", "off", "yes", "no"):
        return ChooseWish("profile", words)
    return ShowProfile(rest) if len(rest.split()) <= _FEW else None
