"""What chance brings to a match, what was promised of it, and what draws are bound to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pbem.fairness import (
    LINKS,
    PROTOCOL,
    Proof,
    commitment,
    moves_digest,
    sealed_digest,
    sealed_text,
    start_digest,
)
from pbem.games.chance import Draw, Permutation, parse_draw, possible
from pbem.games.game import Chance as ChanceTurn
from pbem.games.game import Ply
from pbem.legacy.matches.challenges import ChallengeIssued
from pbem.legacy.matches.course import sealed_values
from pbem.legacy.matches.events import (
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    Event,
    Eyes,
    MovePlayed,
    Visible,
)
from pbem.legacy.matches.match import Chance, Match
from pbem.legacy.matches.seats import SeatTaken
from pbem.legacy.matches.steps import Status
from pbem.legacy.matches.unfolding import Audit, Chances, ChancesNeeded, Changes
from pbem.legacy.matches.window import MoveHeld
from pbem.names import Digest, PlayerId, is_bot


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceCommitted(Event):
    """Another chain will follow the one that nears its end: draw `first` is the first from it."""

    visible = Visible(Eyes.EVERYBODY)
    commitment: str
    links: int
    first: int


# --- what events make of it ----------------------------------------------------------------------


def _issued(_: Chance, event: ChallengeIssued, _match: Match) -> Chance:
    return Chance(
        seats_drawn=event.seats_drawn,
        commitment=event.commitment,
        links=event.links,
        secret_commitment=event.secret_commitment,
    )


def _committed(chance: Chance, event: ChanceCommitted, _: Match) -> Chance:
    return replace(chance, later_chains={**chance.later_chains, event.first: event.commitment})


def _drawn(chance: Chance, event: ChanceDrawn, _: Match) -> Chance:
    return replace(chance, draws=(*chance.draws, event))


def _sealed(chance: Chance, event: ChanceSealed, _: Match) -> Chance:
    return replace(chance, sealed=(*chance.sealed, event))


def _revealed(chance: Chance, event: ChanceRevealed, _: Match) -> Chance:
    return replace(chance, revealed=(*chance.revealed, event))


def _played(chance: Chance, event: MovePlayed, _: Match) -> Chance:
    ply = (int(event.seat), int(event.ply), event.notation, event.letter)
    # Field by field: every ply of a replay comes by, and `replace` costs three times that.
    return Chance(
        seats_drawn=chance.seats_drawn,
        commitment=chance.commitment,
        links=chance.links,
        secret_commitment=chance.secret_commitment,
        later_chains=chance.later_chains,
        draws=chance.draws,
        sealed=chance.sealed,
        revealed=chance.revealed,
        made=(*chance.made, ply),
    )


CHANCE: Final[Changes[Chance]] = {
    ChallengeIssued: _issued,
    ChanceCommitted: _committed,
    ChanceDrawn: _drawn,
    ChanceSealed: _sealed,
    ChanceRevealed: _revealed,
    MovePlayed: _played,
}


# --- binding -------------------------------------------------------------------------------------
# What the draws of a match are bound to (docs/fairness.md): to what its players did.

_DIGEST: Final = re.compile("[0-9a-f]{64}")


def bound_to_start(match: Match) -> str:
    """D of the draws of the start: the accepting letters, as many as there are."""
    return start_digest(match.table.accepted)


def bound_to_moves(match: Match) -> str:
    """D of a draw that the next letter causes: how the match began, and all moves until now."""
    return moves_digest(match.chance.made, bound_to_start(match))


def only_bots_answered(match: Match) -> bool:
    """Whether no person answered the challenge: nothing came from outside after the commitment."""
    return all(is_bot(player) for player, _, _ in match.table.accepted[1:])


def draws_at_the_start(match: Match) -> bool:
    """Whether something is drawn when all have accepted."""
    game, seats = match.game, len(match.table.players) + match.table.open_seats
    first = game.turn(game.initial(seats, match.terms.options))
    return match.chance.seats_drawn or isinstance(first, ChanceTurn)


def is_foreseeable(match: Match) -> bool:
    """Whether the server could know what the first draws are bound to when it chose its secret."""
    return not any(words or letter for _, words, letter in match.table.accepted)


def judged_binding(state: Match, event: Event) -> Iterator[str]:
    """What is wrong with what an event says of its letter, in words."""
    match event:
        case ChallengeIssued(protocol=protocol):
            if protocol != PROTOCOL:
                yield f"draws by protocol {protocol} cannot be checked, since there is none"
        case SeatTaken(player=player, letter=letter):
            yield from _letter(player, letter)
        case MovePlayed(letter=letter, forced=True):
            if letter:
                yield f"ply {event.ply} was played by the server, and is said to be from a letter"
        case MovePlayed(seat=seat, letter=letter) | MoveHeld(seat=seat, letter=letter):
            yield from _letter(state.player_at(seat), letter)
        case _:
            pass


def _letter(player: PlayerId, letter: str) -> Iterator[str]:
    if letter and (is_bot(player) or not _DIGEST.fullmatch(letter)):
        yield "a letter is named that nobody can have written"


# --- drawing -------------------------------------------------------------------------------------
# How a decision draws: from the chains that it was given, in the open or sealed until the end.


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
    for sealed in match.chance.sealed:
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


# --- whether it may stand in the log --------------------------------------------------------------


def judged_draw(state: Match, event: ChanceDrawn | ChanceSealed, digest: str) -> Iterator[str]:
    """What is wrong with a draw by what it should be bound to, in words."""
    secret = isinstance(event, ChanceSealed)
    if event.ply != state.course.ply:
        yield f"a draw after ply {event.ply} stands after ply {state.course.ply}"
    if event.digest != digest:
        yield "the draw is not bound to what the players did before it"
    asked = None
    running = state.status is Status.RUNNING
    turn = state.game.turn(state.course.position) if running else None
    if isinstance(turn, ChanceTurn):
        asked = turn.draw
    elif state.status is Status.CHALLENGE and state.chance.seats_drawn and not state.chance.draws:
        asked = seats_draw(len(state.table.players))
    if asked is None:
        yield "something was drawn where nothing is drawn"
    elif str(asked) != event.asked or asked.secret != secret:
        yield f"{event.asked!r} was drawn, and {str(asked)!r} was due"
    elif not possible(asked, _values(state, event)):
        yield f"what was drawn is no answer to {event.asked!r}"


def _values(state: Match, event: ChanceDrawn | ChanceSealed) -> tuple[int, ...]:
    if isinstance(event, ChanceDrawn):
        return event.values
    return sealed_values(state.secrets[event.sealed])


def _judged_opening(state: Match, event: ChanceRevealed) -> Iterator[str]:
    if state.status is not Status.ENDED:
        yield "a secret draw was opened before the end"
    if event.index in (opened.index for opened in state.chance.revealed):
        yield f"secret draw {event.index} was opened twice"


def _with_the_chain(_: Match, _event: ChanceCommitted) -> Iterator[str]:
    """Its place among the draws is checked with the chain."""
    return iter(())


AUDIT: Final[Audit] = {ChanceRevealed: _judged_opening, ChanceCommitted: _with_the_chain}
"""Draws themselves: see `judged_draw`."""
