"""Check a recorded match: its random draws, moves, seats and result.

Anyone who has the events of a match can check it without the service. Each random draw must follow
from its link, a value of a hash chain. The hash of each link must be the previous link, and the
hash of the first link must be the commitment (docs/fairness.md). Each draw must depend on the
earlier actions of the players. Each move must be legal, and the result must follow from the rules.
Sealed draws must be opened at the end of the match, and are checked then. The hash chain of the log
is checked by the code that reads it (`pbem.store.event_log`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from pbem import fairness
from pbem.errors import PbemError
from pbem.games.game import Outcome, Seat
from pbem.match.automatic import (
    automatic_move,
    decide_start,
    due_draw,
    is_bound_to_unit,
    moves_digest,
    start_digest,
)
from pbem.match.events import (
    AUTOMATIC_SOURCES,
    CausedEvent,
    ChanceCommitted,
    ChanceDrawn,
    ChanceRenewed,
    ChanceRevealed,
    ChanceSealed,
    MatchEnded,
    MatchEvent,
    MatchRolledBack,
    MatchStarted,
    MovePlayed,
    SeatTimedOut,
    Source,
)
from pbem.match.state import Match, Status, apply
from pbem.match.takeback import find_takeback
from pbem.match.timing import bank_after_move, time_out
from pbem.names import MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class _Unit:
    """A unit of work in the record of a match.

    `number` is the number of the unit in the record, and `before` is the match before the unit.
    `units_with_moves` has the numbers of earlier units that contain moves chosen by players.
    `commitment_units` tells in which unit each public hash chain was announced: its keys are the
    numbers of the chains' first draws, its values the numbers of units with `ChanceCommitted`.
    """

    number: int
    before: Match
    units_with_moves: frozenset[int]
    commitment_units: Mapping[int, int]


def verify_match(match_id: MatchId, events: Sequence[CausedEvent]) -> list[str]:
    """Return the faults of a recorded match as sentences; empty without faults.

    Args:
        match_id: The code of the match, which is an input of its random draws.
        events: All events of the match, oldest first, each with its cause.
    """
    faults: list[str] = []
    match = Match(id=match_id)
    units_with_moves: set[int] = set()
    commitment_units: dict[int, int] = {}
    for number, (_, group) in enumerate(groupby(events, key=lambda caused: caused.cause)):
        unit = _Unit(
            number=number,
            before=match,
            units_with_moves=frozenset(units_with_moves),
            commitment_units=commitment_units,
        )
        unit_events = [caused.event for caused in group]
        if len(unit_events) > 1 and any(isinstance(event, ChanceRenewed) for event in unit_events):
            faults.append("The chains were replaced in the unit of work of something else.")
        for event in unit_events:
            try:
                if (check := _CHECKS.get(type(event))) is not None:
                    faults.extend(check(unit, match, event))
                match = apply(match, event)
            except (PbemError, ValueError, TypeError, LookupError) as error:
                position = match.version + 1
                return [
                    *faults,
                    f"Event {position} ({type(event).__name__}) cannot follow: {error}",
                ]
            if isinstance(event, MovePlayed) and event.source not in AUTOMATIC_SOURCES:
                units_with_moves.add(number)
            if isinstance(event, ChanceCommitted):
                commitment_units[event.first] = number
    return [*faults, *_check_chains(match)]


# --- start, moves, end ---------------------------------------------------------------------------


def _check_start(_: _Unit, match: Match, event: MatchStarted) -> Iterator[str]:
    if match.waiting_for or match.open_seats or due_draw(match) is not None:
        yield "The match started before all seats were taken and drawn."
    start = decide_start(match, event.at)
    if event.players != start.players:
        yield "The players do not sit as they were drawn."
    if event.options != start.options:
        yield "The match started with other options than those of the challenge."


def _check_move(unit: _Unit, match: Match, event: MovePlayed) -> Iterator[str]:
    ply = match.ply + 1
    if event.seat not in match.to_move or event.ply != ply:
        yield f"Move {event.ply} of seat {event.seat} was recorded when it was not to be made."
        return
    if _is_sent(event) and not _has_own_unit(unit, match, event.seat):
        yield f"Move {ply} belongs to the unit of work of something before it."
    is_automatic = event.source in AUTOMATIC_SOURCES
    if is_automatic and automatic_move(match) != (event.notation, event.source):
        yield f"Move {ply} was made by the server, but the player had a choice."
    bank = bank_after_move(match, event.seat, event.source, event.received)
    if event.bank != bank:
        yield f"Move {ply} left its player {event.bank}, but the clock says {bank}."


def _is_sent(event: MovePlayed) -> bool:
    """Return whether a player or bot sent this move: it is neither automatic nor conditional."""
    return event.source not in (*AUTOMATIC_SOURCES, Source.CONDITION)


def _has_own_unit(unit: _Unit, match: Match, seat: Seat) -> bool:
    """Return whether a move that a seat sent may belong to this unit of work.

    The seat must have been to move when the unit began, and must have sent no other move in it.
    Otherwise the server could merge two units, and so choose the inputs of random draws. `match` is
    the match before the move.
    """
    moved = {event.seat for event in match.moves[len(unit.before.moves) :] if _is_sent(event)}
    return seat in unit.before.to_move and seat not in moved


def _check_rollback(_: _Unit, match: Match, event: MatchRolledBack) -> Iterator[str]:
    if not 0 <= event.ply < match.ply:
        yield f"The match went back to ply {event.ply} from ply {match.ply}."
    request = match.offers.takeback
    if event.seat is None:
        return
    if request is None or (request.seat, request.ply) != (event.seat, event.ply):
        yield f"Seat {event.seat} took back what it had not asked for."
    elif find_takeback(match, event.seat) != event.ply:
        yield f"Seat {event.seat} took back more than its last move."


def _check_end(_: _Unit, match: Match, event: MatchEnded) -> Iterator[str]:
    outcome = match.verdict or match.game.outcome(match.position)
    recorded = Outcome(event.placings, event.termination)
    if outcome is None:
        yield "The result was recorded while the game still went on."
    elif recorded != outcome:
        yield f"The recorded result is {recorded}, but it should be {outcome}."


def _check_time_out(_: _Unit, match: Match, event: SeatTimedOut) -> Iterator[str]:
    if time_out(match, event.seat, event.at) != [event]:
        yield f"Seat {event.seat} was timed out while it had time left."


# --- draws ---------------------------------------------------------------------------------------


def _check_draw(unit: _Unit, match: Match, event: ChanceDrawn | ChanceSealed) -> Iterator[str]:
    """Yield the faults of a random draw as sentences, except faults of the link and the values.

    `_check_chains` checks the links and values of all draws.
    """
    is_sealed = isinstance(event, ChanceSealed)
    name = f"Sealed draw {event.index}" if is_sealed else f"Draw {event.index}"
    moves = moves_digest(match if is_bound_to_unit(unit.before) else unit.before)
    if event.digest != (moves or start_digest(match)):
        yield f"{name} is not bound to what the players did before it."
    request = due_draw(match)
    if request is None or str(request) != event.request:
        yield f"{name} asked for {event.request}, where {request or 'nothing'} was due."
    elif request.is_sealed != is_sealed:
        yield f"{name} was made in the wrong chain."
    if is_sealed and event.index != len(match.sealed_draws) + 1:
        yield f"{name} follows sealed draw {len(match.sealed_draws)}."
    committed = unit.commitment_units.get(event.index)
    if is_sealed or committed is None:
        return
    if not any(committed < number < unit.number for number in unit.units_with_moves):
        yield f"{name}: its chain was committed to too late."


def _check_commitment(_: _Unit, match: Match, event: ChanceCommitted) -> Iterator[str]:
    first, newest = max(match.commitments.items())
    if event.first != first + newest.links:
        yield f"A chain was said to begin with draw {event.first}, not {first + newest.links}."


def _check_opening(_: _Unit, match: Match, event: ChanceRevealed) -> Iterator[str]:
    """Yield the faults of opening a sealed draw, such as values that do not fit the seal.

    `_check_chains` checks the link of the draw, and whether the values follow from it.
    """
    if match.status is not Status.ENDED:
        yield f"Sealed draw {event.index} was opened before the end."
    sealed = match.sealed_draws[len(match.revealed_draws)]
    proof = fairness.Proof(event.index, event.link, sealed.digest, sealed.request, event.values)
    if fairness.sealed_digest(proof) != sealed.seal or event.values != sealed.values:
        yield f"Sealed draw {event.index} is not what was sealed."


def _check_chains(match: Match) -> Iterator[str]:
    if match.challenge is None:
        yield "The match has no events."
        return
    proofs = [
        fairness.Proof(event.index, event.link, event.digest, event.request, event.values)
        for event in match.draws
    ]
    public = {first: event.commitment for first, event in match.commitments.items()}
    for finding in fairness.check(proofs, match.id, public):
        yield f"Draw {finding.index}: {finding.words}"
    opened = [
        fairness.Proof(event.index, event.link, sealed.digest, sealed.request, event.values)
        for sealed, event in zip(match.sealed_draws, match.revealed_draws, strict=False)
    ]
    sealed = {
        first: event.sealed_commitment
        for first, event in match.sealed_commitments.items()
        if not isinstance(event, ChanceCommitted)
    }
    for finding in fairness.check(opened, match.id, sealed):
        yield f"Sealed draw {finding.index}: {finding.words}"
    if match.status is Status.ENDED and len(match.revealed_draws) < len(match.sealed_draws):
        yield "The match has ended, and not all sealed draws were opened."


_CHECKS: Final[Mapping[type[MatchEvent], Callable[[_Unit, Match, Any], Iterator[str]]]] = {
    MatchStarted: _check_start,
    ChanceCommitted: _check_commitment,
    ChanceDrawn: _check_draw,
    ChanceSealed: _check_draw,
    ChanceRevealed: _check_opening,
    MovePlayed: _check_move,
    MatchRolledBack: _check_rollback,
    SeatTimedOut: _check_time_out,
    MatchEnded: _check_end,
}
