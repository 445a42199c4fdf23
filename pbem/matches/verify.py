"""Check a whole match from its events alone: the commitment, every draw, every move, the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.fairness import (
    Proof,
    check,
    moves_digest,
    sealed_digest,
    sealed_text,
    start_digest,
)
from pbem.games.chance import possible
from pbem.games.game import Chance, Over, Seat
from pbem.matches.decide import seats_draw
from pbem.matches.events import (
    ChallengeIssued,
    ChanceCommitted,
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Event,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatResigned,
    SeatTaken,
)
from pbem.matches.match import Match, Status, evolve, initial, sealed_values
from pbem.names import MatchId

LINK_BYTES = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class Caused:
    """An event and the letter (or timer) that caused it: draws are bound to what came before it."""

    event: Event
    cause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Verification:
    """What was checked, and what is wrong, in words; no finding means that all is well.

    `sealed` counts the secret draws that are not opened yet: they are checked after the end.
    """

    events: int
    draws: int
    plies: int
    findings: tuple[str, ...]
    sealed: int = 0


def verify(
    match: MatchId, stream: Sequence[Caused], secrets: Mapping[str, str] | None = None
) -> Verification:
    """Recompute a match: links, draws, digests, legality of every move, placings.

    `secrets` are the sealed texts that whoever asks may know, by digest; those that the stream
    itself opens need not be in it. Without a text that is sealed the moves cannot be replayed.
    """
    events = [caused.event for caused in stream]
    known = {**(secrets or {}), **_opened(events)}
    sealed = [event for event in events if isinstance(event, ChanceSealed)]
    findings = [*_chain(match, events), *_secret_chain(match, events)]
    if all(event.sealed in known for event in sealed):
        findings.extend(_play(match, stream, known))
    opened = sum(isinstance(event, ChanceRevealed) for event in events)
    return Verification(
        events=len(events),
        draws=sum(isinstance(event, ChanceDrawn | ChanceRevealed) for event in events),
        plies=sum(isinstance(event, MovePlayed) for event in events),
        findings=tuple(findings),
        sealed=len(sealed) - opened,
    )


def _opened(events: Iterable[Event]) -> dict[str, str]:
    """The sealed texts that the stream opens itself, by digest."""
    proofs = [proof for event in events if (proof := _proof_of_revealed(event)) is not None]
    return {sealed_digest(proof): sealed_text(proof) for proof in proofs}


def _proof_of_revealed(event: Event, digest: str = "", asked: str = "") -> Proof | None:
    if not isinstance(event, ChanceRevealed) or not _is_hex(event.link):
        return None
    return Proof(event.index, event.link, digest, asked, event.values)


def _is_hex(text: str) -> bool:
    try:
        return len(bytes.fromhex(text)) == LINK_BYTES
    except ValueError:
        return False


def _chain(match: MatchId, events: Sequence[Event]) -> list[str]:
    """The public draws against the commitment that was published before anybody accepted."""
    issued = next((event for event in events if isinstance(event, ChallengeIssued)), None)
    if issued is None:
        return ["the match has no challenge, so that no commitment was published"]
    draws = [event for event in events if isinstance(event, ChanceDrawn)]
    later = {
        event.first: event.commitment for event in events if isinstance(event, ChanceCommitted)
    }
    proofs = [Proof(d.index, d.link, d.digest, d.asked, d.values) for d in draws]
    return [finding.words for finding in check(proofs, issued.commitment, match, later)]


def _secret_chain(match: MatchId, events: Sequence[Event]) -> Iterator[str]:
    """The secret draws that are open, against the second commitment and against their seals."""
    issued = next((event for event in events if isinstance(event, ChallengeIssued)), None)
    sealed = {event.index: event for event in events if isinstance(event, ChanceSealed)}
    revealed = [event for event in events if isinstance(event, ChanceRevealed)]
    proofs = []
    for event in revealed:
        seal = sealed.get(event.index)
        proof = _proof_of_revealed(event, seal.digest, seal.asked) if seal is not None else None
        if seal is None or proof is None:
            yield f"secret draw {event.index} was opened and never sealed"
        elif sealed_digest(proof) != seal.sealed:
            yield f"secret draw {event.index} is not what was sealed"
        else:
            proofs.append(proof)
    if issued is not None and proofs:
        for finding in check(proofs, issued.secret_commitment, match):
            yield f"secret {finding.words}"
    if any(isinstance(event, MatchEnded) for event in events) and len(revealed) != len(sealed):
        yield "the match has ended and not every secret draw was opened"


def _play(match: MatchId, stream: Sequence[Caused], secrets: Mapping[str, str]) -> Iterator[str]:
    """Replay, and judge every event by the state that it met."""
    state = initial(match, secrets)
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


def _judged(state: Match, event: Event, digest: str) -> Iterator[str]:  # noqa: C901, PLR0912 - a case an event
    match event:
        case ChanceDrawn():
            yield from _judged_draw(state, event, digest, secret=False)
        case ChanceSealed():
            yield from _judged_draw(state, event, digest, secret=True)
        case ChanceCommitted(first=first):
            if first != len(state.draws) + 2:
                yield f"a chain was committed for draw {first}, not before the last link"
        case ChanceRevealed():
            if state.status is not Status.ENDED:
                yield "a secret draw was opened before the end"
        case DrawOffered(seat=seat) | DrawAccepted(seat=seat) | DrawDeclined(seat=seat):
            yield from _judged_offer(state, event, seat)
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


def _judged_draw(
    state: Match, event: ChanceDrawn | ChanceSealed, digest: str, *, secret: bool
) -> Iterator[str]:
    if event.ply != state.ply:
        yield f"a draw after ply {event.ply} stands after ply {state.ply}"
    asked = seats_draw(len(state.players))
    if state.status is Status.RUNNING:
        turn = state.turn
        if not isinstance(turn, Chance):
            yield "something was drawn where nothing is drawn"
            return
        asked = turn.draw
    if str(asked) != event.asked or asked.secret != secret:
        yield f"{event.asked!r} was drawn, and {str(asked)!r} was due"
    elif not possible(asked, _values(state, event)):
        yield f"what was drawn is no answer to {event.asked!r}"
    if event.digest != digest:
        yield "the draw is not bound to what the players did before it"


def _values(state: Match, event: ChanceDrawn | ChanceSealed) -> tuple[int, ...]:
    if isinstance(event, ChanceDrawn):
        return event.values
    return sealed_values(state.secrets[event.sealed])


def _judged_offer(state: Match, event: Event, seat: Seat) -> Iterator[str]:
    offer = state.offer
    if seat not in state.playing or not state.game.draw_offers(state.options):
        yield f"seat {seat} can neither offer nor answer a draw"
    elif isinstance(event, DrawOffered) and offer is not None:
        yield "a draw was offered while an offer stood"
    elif not isinstance(event, DrawOffered) and (offer is None or seat == offer.seat):
        yield f"seat {seat} answered an offer that did not stand"


def _judged_start(state: Match, players: Sequence[str]) -> Iterator[str]:
    order = list(state.players)
    if state.seats_drawn:
        if not state.draws:
            yield "the seats were to be drawn and were not"
            return
        order = [state.players[number] for number in state.draws[-1].values]
    if list(players) != order:
        yield "the players do not sit as they were drawn"
