"""Check a whole match from its events alone: the commitment, every draw, every move, the result."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.fairness import (
    Proof,
    check,
    sealed_digest,
    sealed_text,
)
from pbem.games import GAMES
from pbem.legacy.matches import (
    agreements,
    challenges,
    chance,
    conditions,
    courtesies,
    decide,
    hints,
    operator_acts,
    resigning,
    seats,
    table,
    takebacks,
    timing,
    window,
)
from pbem.legacy.matches.challenges import ChallengeIssued, ColourChosen
from pbem.legacy.matches.chance import (
    ChanceCommitted,
    bound_to_moves,
    bound_to_start,
    judged_binding,
    judged_draw,
)
from pbem.legacy.matches.decide import FORCED_AT_ONCE, goes_on
from pbem.legacy.matches.events import (
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    Event,
    MatchEnded,
    MatchStarted,
    MovePlayed,
)
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.replay import evolve, initial
from pbem.legacy.matches.seats import SeatGivenUp, SeatTaken
from pbem.legacy.matches.steps import Status
from pbem.legacy.matches.timing import unsettled
from pbem.legacy.matches.unfolding import Audit
from pbem.names import MatchId

LINK_BYTES = 32

AUDIT: Final[Audit] = {
    kind: judge
    for concept in (
        challenges,
        seats,
        table,
        chance,
        timing,
        agreements,
        courtesies,
        conditions,
        window,
        resigning,
        takebacks,
        hints,
        operator_acts,
        decide,
    )
    for kind, judge in concept.AUDIT.items()
}
"""Whether an event may stand where it does. An illegal move is refused by `evolve` itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Caused:
    """An event and the letter (or timer) that caused it: draws are bound to what came before it."""

    event: Event
    cause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Verification:
    """What was checked, and what is wrong, in words; no finding means that all is well.

    `sealed` counts the secret draws that are not opened yet: they are checked after the end.
    `replayed` is false where that hides so much that the moves cannot be replayed.
    """

    events: int
    draws: int
    plies: int
    findings: tuple[str, ...]
    sealed: int = 0
    replayed: bool = True


def verify(
    match: MatchId,
    stream: Sequence[Caused],
    secrets: Mapping[str, str] | None = None,
    *,
    whole: bool = True,
) -> Verification:
    """Recompute a match: links, draws, digests, legality of every move, placings.

    `secrets` are the sealed texts that whoever asks may know, by digest; those that the stream
    itself opens need not be in it. Without a text that is sealed the moves cannot be replayed.
    Where the stream is not `whole`, what events that are missing may explain is not judged: clocks,
    conditions, held moves.
    """
    events = [caused.event for caused in stream]
    known = {**(secrets or {}), **opened(events)}
    sealed = [event for event in events if isinstance(event, ChanceSealed)]
    shown = sum(isinstance(event, ChanceRevealed) for event in events)
    findings = [*_chain(match, stream), *_secret_chain(match, events)]
    if len(sealed) > shown and _kept_otherwise(match, events, known):
        findings.append("what is kept of a secret draw is not what was sealed, or not of its chain")
    missing = _rules_missing(events)
    if missing:
        findings.append(f"the rules {missing} are not here: its moves cannot be played again")
    replayed = not missing and all(event.sealed in known for event in sealed)
    if replayed:
        findings.extend(_play(match, stream, known, whole=whole))
    return Verification(
        events=len(events),
        draws=sum(isinstance(event, ChanceDrawn | ChanceRevealed) for event in events),
        plies=sum(isinstance(event, MovePlayed) for event in events),
        findings=tuple(findings),
        sealed=len(sealed) - shown,
        replayed=replayed,
    )


def _rules_missing(events: Iterable[Event]) -> str:
    """The rules of a stream, where they are not installed."""
    named = (one.ruleset for one in events if isinstance(one, ChallengeIssued | MatchStarted))
    return next((one for one in named if GAMES[one].away), "")


def opened(events: Iterable[Event]) -> dict[str, str]:
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


def _chain(match: MatchId, stream: Sequence[Caused]) -> Iterator[str]:
    """The public draws against the commitment that was published before anybody accepted."""
    events = [caused.event for caused in stream]
    issued = next((event for event in events if isinstance(event, ChallengeIssued)), None)
    if issued is None:
        yield "the match has no challenge, so that no commitment was published"
        return
    drawn = {at: event for at, event in enumerate(events, 1) if isinstance(event, ChanceDrawn)}
    later = {
        event.first: event.commitment for event in events if isinstance(event, ChanceCommitted)
    }
    proofs = [Proof(d.index, d.link, d.digest, d.asked, d.values) for d in drawn.values()]
    places = {event.index: at for at, event in drawn.items()}
    for finding in check(proofs, issued.commitment, match, later):
        yield f"event {places.get(finding.index, 1)}: {finding.words}"
    yield from _later_chains(stream, 1 + issued.links)


def _later_chains(stream: Sequence[Caused], ends: int) -> Iterator[str]:
    """A chain begins where the one before it ends, and was fixed before its draws were caused.

    Somebody must have moved between the letter that commits to it and the letter that draws from
    it: otherwise it could have been chosen to suit. `ends` is the first link of no chain yet.
    """
    fixed: dict[int, int] = {}  # the first link of a chain, and the number of its letter
    moves: set[int] = set()  # the numbers of letters in which somebody moved
    letter, cause = 0, ""
    for at, caused in enumerate(stream, 1):
        letter, cause = letter + (caused.cause != cause), caused.cause
        match caused.event:
            case MovePlayed(forced=False):
                moves.add(letter)
            case ChanceCommitted(first=first, links=links):
                if first != ends:
                    words = f"a chain was committed for draw {first}, not for draw {ends}"
                    yield f"event {at}: {words}"
                fixed[first], ends = letter, first + links
            case ChanceDrawn(index=index):
                if index >= ends:
                    yield f"event {at}: draw {index} is beyond all chains that were committed"
                if index in fixed and moves.isdisjoint(range(fixed[index] + 1, letter)):
                    words = f"the chain of draw {index} was committed after what it is bound to"
                    yield f"event {at}: {words}"
            case _:
                pass


def _secret_chain(match: MatchId, events: Sequence[Event]) -> Iterator[str]:
    """The secret draws that are open, against the second commitment and against their seals."""
    issued = next((event for event in events if isinstance(event, ChallengeIssued)), None)
    sealed = {event.index: event for event in events if isinstance(event, ChanceSealed)}
    proofs, places = [], dict[int, int]()
    for at, event in enumerate(events, 1):
        if not isinstance(event, ChanceRevealed):
            continue
        seal = sealed.get(event.index)
        proof = _proof_of_revealed(event, seal.digest, seal.asked) if seal is not None else None
        places[event.index] = at
        if seal is None or proof is None:
            yield f"event {at}: secret draw {event.index} was opened and never sealed"
        elif sealed_digest(proof) != seal.sealed:
            yield f"event {at}: secret draw {event.index} is not what was sealed"
        else:
            proofs.append(proof)
    if issued is not None and proofs:
        for finding in check(proofs, issued.secret_commitment, match):
            yield f"event {places.get(finding.index, 1)}: secret {finding.words}"
    ends = [at for at, event in enumerate(events, 1) if isinstance(event, MatchEnded)]
    if ends and len(places) != len(sealed):
        yield f"event {ends[-1]}: the match has ended and not every secret draw was opened"


def _kept_otherwise(match: MatchId, events: Sequence[Event], known: Mapping[str, str]) -> bool:
    """Whether the texts of secret draws that are known are wrong. Nobody is told in what."""
    proofs = []
    for event in events:
        if isinstance(event, ChanceSealed) and event.sealed in known:
            try:
                text = json.loads(known[event.sealed])
                proof = Proof(
                    event.index, text["link"], event.digest, event.asked, (*text["values"],)
                )
                if sealed_digest(proof) != event.sealed:
                    return True
            except (ValueError, LookupError, TypeError):
                return True
            proofs.append(proof)
    commitments = [e.secret_commitment for e in events if isinstance(e, ChallengeIssued)]
    return bool(proofs and commitments and check(proofs, commitments[0], match))


def _play(
    match: MatchId, stream: Sequence[Caused], secrets: Mapping[str, str], *, whole: bool
) -> Iterator[str]:
    """Replay, and judge every event by the state that it met."""
    state = initial(match, secrets)
    judge = _judged if whole else _judged_in_part
    letter, digest, since = "", "", 0
    taken: set[str] = set()
    for number, caused in enumerate(stream, 1):
        if caused.cause != letter:
            taken.add(letter)
            if caused.cause in taken:
                yield f"event {number}: its letter was taken before another one"
            if whole:
                yield from _cut_off(state, number - since)
                yield from unsettled(state)
            letter, digest, since = caused.cause, bound_to_moves(state), number
        try:
            for words in judge(state, caused.event, digest):
                yield f"event {number}: {words}"
            state = evolve(state, caused.event)
            if isinstance(caused.event, SeatTaken):
                digest = bound_to_start(state)
        except Exception as error:  # noqa: BLE001 - evolve is made for what happened; this may not have
            told = "" if state.chance.sealed and not state.chance.revealed else f" {error}"
            yield f"event {number} does not fit: {type(error).__name__}{told}"
            return
    if state.status is Status.CHALLENGE and state.is_full:
        yield "all have accepted and the match has not started"
    if not whole:
        return
    yield from _cut_off(state, len(stream) + 1 - since)
    yield from unsettled(state)


def _judged(state: Match, event: Event, digest: str) -> Iterator[str]:
    """What is wrong with an event, in words; a draw is to be bound to `digest`."""
    yield from judged_binding(state, event)
    if isinstance(event, ChanceDrawn | ChanceSealed):
        yield from judged_draw(state, event, digest)
    else:
        yield from AUDIT[type(event)](state, event)


_SHOWN: Final = (
    ChallengeIssued,
    SeatTaken,
    SeatGivenUp,
    ColourChosen,
    MatchStarted,
    ChanceDrawn,
    ChanceSealed,
    ChanceRevealed,
    MatchEnded,
)
"""What everybody may know, and what hangs on nothing else."""


def _judged_in_part(state: Match, event: Event, digest: str) -> Iterator[str]:
    """The same where events are missing that not everybody may know: what they cannot change."""
    if isinstance(event, _SHOWN):
        yield from _judged(state, event, digest)
        return
    yield from judged_binding(state, event)
    if isinstance(event, MovePlayed):
        if event.seat not in state.to_act:
            yield f"seat {event.seat} played {event.notation} out of turn"
        if event.ply != state.course.ply + 1:
            yield f"ply {event.ply} follows ply {state.course.ply}"


def _cut_off(state: Match, events: int) -> Iterator[str]:
    """Whether more must have followed from a letter with so many events.

    A decision stops at its limit; a timer goes on from there.
    """
    if events < FORCED_AT_ONCE and goes_on(state):
        yield f"after event {state.version} something was to follow that did not"
