"""The provable draws of a match, as mails show them."""

from __future__ import annotations

from itertools import takewhile

from pbem.games.game import Drawn, Ply
from pbem.matches.events import ChanceDrawn
from pbem.matches.match import Match, Step, StepKind
from pbem.notices.views.accounts import Proof
from pbem.notices.views.match_parts import Opened


def start_draws(match: Match) -> tuple[Proof, ...]:
    """The draws before the first position: who sits where."""
    within = sum(step.drawn is not None for step in match.steps)
    return tuple(map(proof_of, match.draws[: len(match.draws) - within]))


def lying_draws(match: Match, ply: Ply) -> tuple[Proof, ...]:
    """The draws that followed a ply: the dice or the coin that lie there, as its board shows."""
    steps = (step for step in reversed(match.steps) if step.ply <= ply)
    since = takewhile(lambda step: step.kind is not StepKind.MOVE, steps)
    lying = tuple(step.drawn for step in since if step.drawn is not None)
    return tuple(map(proof_of, reversed(lying)))


def is_secret(step: Step) -> bool:
    """Whether it is a draw that only the end opens."""
    return step.kind is StepKind.DRAW and step.drawn is None


def opened_draws(match: Match) -> tuple[Opened, ...]:
    """The secret draws, once they are open."""
    secret = filter(is_secret, match.steps)
    asked = {event.index: event.asked for event in match.sealed}
    return tuple(
        Opened(
            Proof(event.index, event.link, asked.get(event.index, "")),
            match.game.chance_notation(step.before, Drawn(event.values)),
        )
        for event, step in zip(match.revealed, secret, strict=False)
    )


def last_links(match: Match) -> tuple[str, ...]:
    """Number and link of the last open draw of each chain; by hashing follow those before it.

    That of the second chain stands behind the others.
    """
    newest = match.draws[-1].index if match.draws else 0
    ends = {newest, *(first - 1 for first in match.later_chains if first <= newest)}
    last = [f"{draw.index}:{draw.link}" for draw in match.draws if draw.index in ends]
    opened = [f"{one.proof.index}:{one.proof.link}" for one in opened_draws(match)]
    return (*last, *opened[-1:])


def proof_of(draw: ChanceDrawn) -> Proof:
    """A draw with the link that anybody can check it with."""
    return Proof(draw.index, draw.link, draw.asked)
