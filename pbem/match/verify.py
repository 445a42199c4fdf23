"""Check a recorded match: its draws, its moves, its seats and its result.

Whoever has the events of a match can check it without the service. Each draw must follow from its
link, each link from the one before it and so from the commitment; each draw must be bound to what
the players did before; each move must be legal; the result must be the one that the rules give.
The hash chain of the log is checked where the log is read (`pbem.store.event_log`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from pbem import fairness
from pbem.errors import PbemError
from pbem.games.game import Chance, Over
from pbem.match.automatic import moves_digest, seats_draw, start_digest
from pbem.match.events import CausedEvent, ChanceDrawn, MatchEnded, MatchEvent, MatchStarted
from pbem.match.state import Match, Status, apply
from pbem.names import MatchId


def verify_match(match_id: MatchId, events: Sequence[CausedEvent]) -> list[str]:
    """Return what is wrong with a match, as sentences; an empty list if everything is right.

    Args:
        match_id: The code of the match, which its draws are bound to.
        events: All events in order, each with its cause.
    """
    faults: list[str] = []
    match = Match(id=match_id)
    for _, group in groupby(events, key=lambda caused: caused.cause):
        before = match
        for event in (caused.event for caused in group):
            try:
                faults.extend(_check_event(before, match, event))
                match = apply(match, event)
            except (PbemError, ValueError, TypeError, LookupError) as error:
                number = match.version + 1
                return [*faults, f"Event {number} ({type(event).__name__}) cannot follow: {error}"]
    return [*faults, *_check_chain(match)]


def _check_event(before: Match, match: Match, event: MatchEvent) -> Iterator[str]:
    if isinstance(event, ChanceDrawn):
        yield from _check_draw(before, match, event)
    elif isinstance(event, MatchStarted):
        players = (match.terms.challenger, *match.terms.invited)
        if match.game.draws_seats(match.terms.options) and match.draws:
            players = tuple(players[index] for index in match.draws[0].values)
        if event.players != players:
            yield "The players do not sit as they were drawn."
    elif isinstance(event, MatchEnded):
        turn = match.game.turn(match.position)
        result = (event.placings, event.termination)
        if not isinstance(turn, Over):
            yield "The result was recorded while the game still went on."
        elif result != (turn.outcome.placings, turn.outcome.termination):
            yield f"The recorded result is {result}, but the rules give {turn.outcome}."


def _check_draw(before: Match, match: Match, event: ChanceDrawn) -> Iterator[str]:
    """Check what was asked of chance, and what the draw is bound to."""
    digest = moves_digest(before) or start_digest(match)
    if event.digest != digest:
        yield f"Draw {event.index} is not bound to what the players did before it."
    if match.status is Status.CHALLENGE:
        request = str(seats_draw(match.seats))
    else:
        turn = match.game.turn(match.position)
        request = str(turn.draw) if isinstance(turn, Chance) else "nothing"
    if event.request != request:
        yield f"Draw {event.index} asked for {event.request}, where {request} was due."


def _check_chain(match: Match) -> Iterator[str]:
    if match.challenge is None:
        yield "The match has no events."
        return
    proofs = [
        fairness.Proof(event.index, event.link, event.digest, event.request, event.values)
        for event in match.draws
    ]
    for finding in fairness.check(proofs, match.challenge.commitment, match.id):
        yield f"Draw {finding.index}: {finding.words}"
