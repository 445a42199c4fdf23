"""How a decision draws: from the chains that it was given, in the open or sealed until the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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
from pbem.matches.match import Match, evolve
from pbem.names import Digest


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


def draw(
    match: Match, asked: Draw, chances: Chances | None
) -> tuple[list[Event], tuple[int, ...], Match, Chances]:
    """The events of a draw, its outcome, and match and chances after it."""
    if chances is None:
        raise ChancesNeeded("something is drawn, and no chain was given")
    if asked.secret:
        return _draw_in_secret(match, asked, chances)
    events: list[Event] = []
    if chances.fresh is not None:
        # It is fixed before the players do what its draws are bound to.
        first = chances.draws.first + chances.draws.links
        fixed = commitment(chances.fresh, LINKS).hex()
        events.append(ChanceCommitted(commitment=fixed, links=LINKS, first=first))
        chances = replace(chances, fresh=None)
    proof, rest = chances.draws.draw(asked, chances.digest)
    events.append(
        ChanceDrawn(
            ply=match.ply,
            index=proof.index,
            link=proof.link,
            digest=proof.digest,
            asked=proof.asked,
            values=proof.values,
        )
    )
    for event in events:
        match = evolve(match, event)
    return events, proof.values, match, replace(chances, draws=rest)


def _draw_in_secret(
    match: Match, asked: Draw, chances: Chances
) -> tuple[list[Event], tuple[int, ...], Match, Chances]:
    if chances.secret is None:
        raise ValueError("something is drawn in secret, and no second chain was given")
    proof, rest = chances.secret.draw(asked, chances.digest)
    event = ChanceSealed(
        ply=match.ply,
        index=proof.index,
        digest=proof.digest,
        asked=proof.asked,
        sealed=Digest(sealed_digest(proof)),
    )
    known = replace(match, secrets={**match.secrets, event.sealed: sealed_text(proof)})
    return [event], proof.values, evolve(known, event), replace(chances, secret=rest)


def after_draws(chances: Chances | None, events: Iterable[Event]) -> Chances | None:
    """What is left to draw from when these events of a decision are kept, and no others."""
    if chances is None:
        return None
    for event in events:
        match event:
            case ChanceDrawn(index=index):
                chances = replace(chances, draws=chances.draws.after(index))
            case ChanceSealed(index=index) if chances.secret is not None:
                chances = replace(chances, secret=chances.secret.after(index))
            case ChanceCommitted():
                chances = replace(chances, fresh=None)
            case _:
                pass
    return chances


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


def knowing(match: Match, events: Sequence[Event], chances: Chances | None) -> Match:
    """The match with what the events have drawn in secret: they cannot be replayed without."""
    proofs = secret_proofs(events, chances) if chances is not None else []
    drawn = {sealed_digest(proof): sealed_text(proof) for proof in proofs}
    return replace(match, secrets={**match.secrets, **drawn}) if drawn else match
