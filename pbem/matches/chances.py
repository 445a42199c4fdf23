"""How a decision draws: from the chains that it was given, in the open or sealed until the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pbem.fairness import (
    LINKS,
    Draws,
    Proof,
    commitment,
    sealed_digest,
    sealed_text,
)
from pbem.games.chance import Draw, Permutation, parse_draw
from pbem.matches.binding import bound_to_start
from pbem.matches.events import (
    ChanceCommitted,
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    Event,
)
from pbem.names import Digest

if TYPE_CHECKING:
    from pbem.games.game import Ply
    from pbem.matches.match import Match


class ChancesNeeded(ValueError):  # noqa: N818 - what is missing, and then it is given
    """Something is drawn, and `decide` was given nothing to draw from."""


@dataclass(frozen=True, slots=True)
class Chances:
    """What draws are made from: the chains, and the digest of what the players did before.

    `fresh` is the secret of a chain that shall follow the public one: the next draw commits to it,
    and later letters draw from it.
    """

    draws: Draws
    digest: str
    secret: Draws | None = None
    fresh: bytes | None = None


def of_the_start(match: Match, chances: Chances | None) -> Chances | None:
    """All draws of the start are bound to the accepting letters, the last included.

    So the server could not choose its secret to suit the seats, a layout or a deal.
    """
    return replace(chances, digest=bound_to_start(match)) if chances is not None else None


def seats_draw(players: int) -> Draw:
    """The request that decides who gets which seat: value i is the player of seat i + 1."""
    return Draw("seats", (Permutation(players),))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A draw as it was made: its events, its values, and the chances that are left.

    `texts` are the sealed texts by digest that a secret draw cannot be replayed without.
    """

    events: tuple[Event, ...]
    values: tuple[int, ...]
    left: Chances
    texts: Mapping[str, str] = field(default_factory=dict)


def draw(ply: Ply, asked: Draw, chances: Chances | None) -> Drawing:
    """What a draw after so many plies brings. Raises ChancesNeeded where there are none."""
    if chances is None:
        raise ChancesNeeded("something is drawn, and no chain was given")
    if asked.secret:
        return _draw_in_secret(ply, asked, chances)
    events: list[Event] = []
    if chances.fresh is not None:
        # It is fixed before the players do what its draws are bound to.
        first = chances.draws.first + chances.draws.links
        fixed = commitment(chances.fresh, LINKS).hex()
        events.append(ChanceCommitted(commitment=fixed, links=LINKS, first=first))
        chances = replace(chances, fresh=None)
    proof, rest = chances.draws.draw(asked, chances.digest)
    drawn = ChanceDrawn(
        ply=ply,
        index=proof.index,
        link=proof.link,
        digest=proof.digest,
        asked=proof.asked,
        values=proof.values,
    )
    return Drawing((*events, drawn), proof.values, replace(chances, draws=rest))


def _draw_in_secret(ply: Ply, asked: Draw, chances: Chances) -> Drawing:
    if chances.secret is None:
        raise ValueError("something is drawn in secret, and no second chain was given")
    proof, rest = chances.secret.draw(asked, chances.digest)
    event = ChanceSealed(
        ply=ply,
        index=proof.index,
        digest=proof.digest,
        asked=proof.asked,
        sealed=Digest(sealed_digest(proof)),
    )
    texts: dict[str, str] = {event.sealed: sealed_text(proof)}
    return Drawing((event,), proof.values, replace(chances, secret=rest), texts)


def revealed(match: Match) -> list[Event]:
    """After the end everybody may see what was drawn in secret, and check it."""
    events: list[Event] = []
    for sealed in match.sealed:
        opened = json.loads(match.secrets[sealed.sealed])
        events.append(
            ChanceRevealed(index=sealed.index, link=opened["link"], values=tuple(opened["values"]))
        )
    return events


def secret_proofs(events: Iterable[Event], chances: Chances) -> list[Proof]:
    """The secret draws among the events of a decision: a pure function of chain and request."""
    if chances.secret is None:
        return []
    proofs = []
    for event in events:
        if isinstance(event, ChanceSealed):
            chain = replace(chances.secret, next_index=event.index, ahead=())
            proofs.append(chain.draw(parse_draw(event.asked), event.digest)[0])
    return proofs
