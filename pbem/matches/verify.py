"""Check a whole match from its events alone: the commitment, every draw, every move, the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbem.fairness import Proof, check, moves_digest, start_digest
from pbem.games.chance import possible
from pbem.games.game import Chance, Over
from pbem.matches.decide import seats_draw
from pbem.matches.events import (
    ChallengeIssued,
    ChanceDrawn,
    Event,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatResigned,
    SeatTaken,
)
from pbem.matches.match import Match, Status, evolve, initial
from pbem.names import MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class Caused:
    """An event and the letter (or timer) that caused it: draws are bound to what came before it."""

    event: Event
    cause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Verification:
    """What was checked, and what is wrong, in words; no finding means that all is well."""

    events: int
    draws: int
    plies: int
    findings: tuple[str, ...]


def verify(match: MatchId, stream: Sequence[Caused]) -> Verification:
    """Recompute a match: links, draws, digests, legality of every move, placings."""
    events = [caused.event for caused in stream]
    draws = [event for event in events if isinstance(event, ChanceDrawn)]
    findings = [*_chain(match, events, draws), *_play(match, stream)]
    return Verification(
        events=len(events),
        draws=len(draws),
        plies=sum(isinstance(event, MovePlayed) for event in events),
        findings=tuple(findings),
    )


def _chain(match: MatchId, events: Iterable[Event], draws: Sequence[ChanceDrawn]) -> list[str]:
    issued = next((event for event in events if isinstance(event, ChallengeIssued)), None)
    if issued is None:
        return ["the match has no challenge, so that no commitment was published"]
    proofs = [Proof(d.index, d.link, d.digest, d.asked, d.values) for d in draws]
    return [finding.words for finding in check(proofs, issued.commitment, match)]


def _play(match: MatchId, stream: Sequence[Caused]) -> Iterator[str]:
    """Replay, and judge every event by the state that it met."""
    state = initial(match)
    letter, digest = "", moves_digest(())
    for number, caused in enumerate(stream, 1):
        if caused.cause != letter:
            letter, digest = caused.cause, moves_digest(state.moves())
        if isinstance(caused.event, SeatTaken):
            accepted = (*state.accepted, (caused.event.player, caused.event.words))
            digest = start_digest(accepted)
        try:
            for words in _judged(state, caused.event, digest):
                yield f"event {number}: {words}"
            state = evolve(state, caused.event)
        except Exception as error:  # noqa: BLE001 - evolve is made for what happened; this may not have
            yield f"event {number} does not fit: {type(error).__name__} {error}"
            return
    if state.status is Status.RUNNING and isinstance(state.turn, Over):
        yield "the game is over and the match has not ended"


def _judged(state: Match, event: Event, digest: str) -> Iterator[str]:  # noqa: C901 - a case an event
    match event:
        case ChanceDrawn():
            yield from _judged_draw(state, event, digest)
        case MatchStarted(players=players):
            yield from _judged_start(state, players)
        case MovePlayed(seat=seat, ply=ply, notation=notation):
            if seat not in state.to_act:
                yield f"seat {seat} played {notation} out of turn"
            if ply != state.ply + 1:
                yield f"ply {ply} follows ply {state.ply}"
            # An illegal move is refused by `play`, which `evolve` calls.
        case SeatResigned(seat=seat, ply=ply):
            if ply != state.ply:
                yield f"a resignation after ply {ply} stands after ply {state.ply}"
            if not 1 <= seat <= len(state.players) or seat in state.left:
                yield f"seat {seat} cannot resign"
        case MatchEnded(placings=placings, termination=termination):
            outcome = state.game.outcome(state.position) if state.position is not None else None
            if outcome is None or (outcome.placings, outcome.termination) != (
                placings,
                termination,
            ):
                yield f"the result {placings} by {termination} is not what the rules give"
        case _:
            pass


def _judged_draw(state: Match, event: ChanceDrawn, digest: str) -> Iterator[str]:
    if event.ply != state.ply:
        yield f"a draw after ply {event.ply} stands after ply {state.ply}"
    if state.status is not Status.RUNNING:
        asked = seats_draw(len(state.players))
    else:
        turn = state.turn
        if not isinstance(turn, Chance):
            yield "something was drawn where nothing is drawn"
            return
        asked = turn.draw
    if str(asked) != event.asked:
        yield f"{event.asked!r} was drawn, and {str(asked)!r} was due"
    elif not possible(asked, event.values):
        yield f"{event.values} is no answer to {event.asked!r}"
    if event.digest != digest:
        yield "the draw is not bound to what the players did before it"


def _judged_start(state: Match, players: Sequence[str]) -> Iterator[str]:
    order = list(state.players)
    if state.seats_drawn:
        if not state.draws:
            yield "the seats were to be drawn and were not"
            return
        order = [state.players[number] for number in state.draws[-1].values]
    if list(players) != order:
        yield "the players do not sit as they were drawn"
