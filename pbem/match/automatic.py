"""What follows in a match by itself, until a player has a choice: start, draws, forced moves, end.

Draws are bound to what the players did (docs/fairness.md). The draws of the start are bound to the
accepting emails. Every later draw is bound to the moves before the unit of work that causes it: the
move that causes a draw is not among them, so that no player can try moves until a draw suits them.
One unit of work therefore has one binding, which the caller takes from the match as it was before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from pbem import fairness
from pbem.games.chance import Draw, Permutation
from pbem.games.game import Chance, Over, Ply, Seats
from pbem.match.events import (
    ChanceDrawn,
    MatchEnded,
    MatchEvent,
    MatchStarted,
    MovePlayed,
    Source,
)
from pbem.match.state import Match, Status, apply

MAX_STEPS: Final = 1_000  # of one unit of work; a game that needs more does not end


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawSource:
    """Where draws come from: the match's chain, and what they are bound to.

    `moves_digest` covers the moves before this unit of work; it is empty while the match has not
    started, because the draws of the start are bound to the acceptances.
    """

    chain: fairness.Draws
    moves_digest: str = ""


def start_digest(match: Match) -> str:
    """Return what the draws of the start are bound to, in hex."""
    accepted = [(player, "", message_hash) for player, message_hash in match.accepted]
    return fairness.start_digest(accepted)


def moves_digest(match: Match) -> str:
    """Return what the next unit's draws are bound to, in hex; empty before the start."""
    if match.status is Status.CHALLENGE:
        return ""
    moves = [
        (int(event.seat), int(event.ply), event.notation, event.message_hash)
        for event in (played.event for played in match.plies)
        if isinstance(event, MovePlayed)
    ]
    return fairness.moves_digest(moves, start_digest(match))


def run_automatic_steps(match: Match, draws: DrawSource, now: datetime) -> list[MatchEvent]:
    """Return the events that follow by themselves; none if a player has a choice, or it is over."""
    events: list[MatchEvent] = []
    chain = draws.chain
    digest = draws.moves_digest or start_digest(match)
    for _ in range(MAX_STEPS):
        event = _next_step(match, chain, digest, now)
        if event is None:
            return events
        if isinstance(event, ChanceDrawn):
            chain = chain.after(event.index)
        events.append(event)
        match = apply(match, event)
    raise RuntimeError(f"match {match.id} has more than {MAX_STEPS} steps that nobody chooses")


def _next_step(
    match: Match, chain: fairness.Draws, digest: str, now: datetime
) -> MatchEvent | None:
    if match.status is Status.CHALLENGE:
        return _start(match, chain, digest, now)
    if match.status is not Status.RUNNING:
        return None
    turn = match.game.turn(match.position)
    if isinstance(turn, Over):
        outcome = turn.outcome
        return MatchEnded(at=now, placings=outcome.placings, termination=outcome.termination)
    if isinstance(turn, Chance):
        return _draw(chain, turn.draw, digest, now, Ply(match.ply + 1))
    return _forced_move(match, turn, now)


def _start(match: Match, chain: fairness.Draws, digest: str, now: datetime) -> MatchEvent | None:
    """Draw the seats if the options say so, and start, once nobody is waited for."""
    if match.waiting_for:
        return None
    players = (match.terms.challenger, *match.terms.invited)
    if match.game.draws_seats(match.terms.options):
        if not match.draws:
            return _draw(chain, seats_draw(len(players)), digest, now, None)
        players = tuple(players[index] for index in match.draws[0].values)
    return MatchStarted(at=now, players=players)


def seats_draw(seats: int) -> Draw:
    """Return the request for the order of the seats: value k says who has seat k + 1."""
    return Draw("seats", (Permutation(seats),))


def _draw(
    chain: fairness.Draws, request: Draw, digest: str, now: datetime, ply: Ply | None
) -> ChanceDrawn:
    proof, _ = chain.draw(request, digest)
    return ChanceDrawn(
        at=now,
        index=proof.index,
        link=proof.link,
        digest=proof.digest,
        request=proof.asked,
        values=proof.values,
        ply=ply,
    )


def _forced_move(match: Match, turn: Seats, now: datetime) -> MovePlayed | None:
    move = match.game.forced(match.position)
    if move is None:
        return None
    seat = turn.seats[0]
    bank = None
    if match.clocks is not None:
        bank = match.clocks.bank_after_move(seat, now)
        # A move that nobody makes earns no increment.
        bank = max(bank - match.clocks.control.increment, bank * 0)
        bank = min(bank, match.clocks.banks[seat - 1])
    return MovePlayed(
        at=now,
        seat=seat,
        ply=Ply(match.ply + 1),
        notation=match.game.notation(move),
        source=Source.FORCED,
        received=now,
        message_hash="",
        bank=bank,
    )


def next_link(match: Match) -> int:
    """Return the number of the next link of the match's chain, from 1."""
    return match.draws[-1].index + 1 if match.draws else 1


def with_chain(match: Match, chain: fairness.Draws) -> DrawSource:
    """Return the source of the draws of a unit of work that begins with the match as it is now."""
    chain = replace(chain, next_index=next_link(match), ahead=())
    return DrawSource(chain=chain, moves_digest=moves_digest(match))
