"""What chance has brought to a match, what was promised of it, and what draws are bound to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pbem.matches.events import (
    ChallengeIssued,
    ChanceCommitted,
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    Event,
    MovePlayed,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Chance:
    """Commitments and draws.

    `later_chains` are the commitments after the first, by their first link. `made` has seat, ply,
    notation and letter of every ply in the order of the log, those that were taken back among them.
    """

    seats_drawn: bool = False
    commitment: str = ""
    links: int = 0
    secret_commitment: str = ""
    later_chains: Mapping[int, str] = field(default_factory=dict)
    draws: tuple[ChanceDrawn, ...] = ()
    sealed: tuple[ChanceSealed, ...] = ()
    revealed: tuple[ChanceRevealed, ...] = ()
    made: tuple[tuple[int, int, str, str], ...] = ()


def drawn(chance: Chance, event: Event) -> Chance:
    """What has been drawn and promised after an event."""
    change = _CHANGES.get(type(event))
    return change(chance, event) if change is not None else chance


def _issued(_: Chance, event: ChallengeIssued) -> Chance:
    return Chance(
        seats_drawn=event.seats_drawn,
        commitment=event.commitment,
        links=event.links,
        secret_commitment=event.secret_commitment,
    )


def _committed(chance: Chance, event: ChanceCommitted) -> Chance:
    return replace(chance, later_chains={**chance.later_chains, event.first: event.commitment})


def _drawn(chance: Chance, event: ChanceDrawn) -> Chance:
    return _gone_on(chance, (*chance.draws, event), chance.made)


def _sealed(chance: Chance, event: ChanceSealed) -> Chance:
    return replace(chance, sealed=(*chance.sealed, event))


def _revealed(chance: Chance, event: ChanceRevealed) -> Chance:
    return replace(chance, revealed=(*chance.revealed, event))


def _played(chance: Chance, event: MovePlayed) -> Chance:
    ply = (int(event.seat), int(event.ply), event.notation, event.letter)
    return _gone_on(chance, chance.draws, (*chance.made, ply))


def _gone_on(
    chance: Chance,
    draws: tuple[ChanceDrawn, ...],
    made: tuple[tuple[int, int, str, str], ...],
) -> Chance:
    # Field by field: every ply and draw of a replay comes by, and `replace` costs three times that.
    return Chance(
        seats_drawn=chance.seats_drawn,
        commitment=chance.commitment,
        links=chance.links,
        secret_commitment=chance.secret_commitment,
        later_chains=chance.later_chains,
        draws=draws,
        sealed=chance.sealed,
        revealed=chance.revealed,
        made=made,
    )


_CHANGES: Final[Mapping[type[Any], Callable[[Chance, Any], Chance]]] = {
    ChallengeIssued: _issued,
    ChanceCommitted: _committed,
    ChanceDrawn: _drawn,
    ChanceSealed: _sealed,
    ChanceRevealed: _revealed,
    MovePlayed: _played,
}
