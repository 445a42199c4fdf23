"""Whether clocks stood still for a player no longer than they may: the player's stream says so.

A match replays from its own stream alone, where a clock that stands is set going by whoever says
when. What bounds it (PLAY 3) is recorded with the player, since it is one bound for all matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from sqlalchemy import func, select

from pbem.games import OURS
from pbem.legacy.matches.challenges import ChallengeIssued
from pbem.legacy.matches.clocks import ClockCredited, ClockPaused
from pbem.legacy.matches.events import Event as MatchEvent
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.replay import evolve, initial
from pbem.names import MatchId, PlayerId
from pbem.legacy.players import player as players
from pbem.legacy.players.events import Event as PlayerEvent
from pbem.legacy.players.events import StandstillBegun
from pbem.legacy.players.player import MOST, stood
from pbem.legacy.store import still, tables
from pbem.legacy.store.log import event_log

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.games.game import Seat
    from pbem.legacy.hours import Span

UNREACHABLE: Final = "unreachable"
LATE: Final = timedelta(days=1)
"""So much later than due a timer fires at most while the service is there."""


@dataclass(frozen=True, slots=True)
class _Stood:
    """A clock that stood since mail to its player came back; `until` None: it still does."""

    seat: Seat
    player: PlayerId
    since: datetime
    until: datetime | None


def findings(
    conn: Connection,
    match: MatchId,
    recorded: Sequence[event_log.RecordedEvent],
    secrets: dict[str, str],
    stream_of: Callable[[PlayerId], str],
) -> Iterator[str]:
    """What is wrong with the standstills of a match's players, in words."""
    events = [cast("MatchEvent", event_log.event_of(one)) for one in recorded]
    if not any(isinstance(e, ClockPaused | ClockCredited) and _is_ours(e) for e in events):
        return
    known: dict[PlayerId, _Allowed] = {}
    went_on = partial(_went_on, conn, match, events, recorded)
    for one in _stood(match, events, recorded, secrets):
        if one.player not in known:
            known[one.player] = _allowed(conn, stream_of(one.player))
            yield from known[one.player].findings
        if not _may_stand(conn, known[one.player], one, went_on):
            yield f"the clock of seat {one.seat} stood still for longer than its player's mail"


def _is_ours(event: ClockPaused | ClockCredited) -> bool:
    return event.reason == UNREACHABLE


def _stood(
    match: MatchId,
    events: Sequence[MatchEvent],
    recorded: Sequence[event_log.RecordedEvent],
    secrets: dict[str, str],
) -> Iterator[_Stood]:
    """Each time that a clock stood or was given back time, from the states of the match."""
    state, since = initial(match, secrets), dict[tuple["Seat", PlayerId], datetime]()
    for event, one in zip(events, recorded, strict=True):
        state = evolve(state, event)
        if isinstance(event, ClockCredited) and _is_ours(event):
            yield _Stood(event.seat, state.player_at(event.seat), event.begin, event.end)
        stands = _standing(state)
        for key in stands - since.keys():
            since[key] = one.recorded_at
        for seat, player in since.keys() - stands:
            yield _Stood(seat, player, since.pop((seat, player)), one.recorded_at)
    for (seat, player), begin in since.items():
        yield _Stood(seat, player, begin, None)


def _standing(state: Match) -> set[tuple[Seat, PlayerId]]:
    if state.clocks is None or state.course.outcome is not None:
        return set()
    paused = state.clocks.paused.items()
    return {(seat, state.player_at(seat)) for seat, why in paused if UNREACHABLE in why}


@dataclass(frozen=True, slots=True)
class _Allowed:
    """The standstills of a player, since when they are recorded at all, and what is wrong."""

    spans: tuple[Span, ...]
    first: datetime | None
    findings: tuple[str, ...]


def _allowed(conn: Connection, stream: str) -> _Allowed:
    player, first, wrong = players.initial(PlayerId("")), None, []
    for one in event_log.load(conn, stream):
        event = cast("PlayerEvent", event_log.event_of(one))
        player = players.evolve(player, event)
        if isinstance(event, StandstillBegun):
            first = first or one.recorded_at
            if event.until < event.begin or stood(player.standstills, event.until) > MOST:
                wrong.append(
                    f"{stream}: event {one.version}: a standstill begins that is longer than the "
                    f"{MOST.days} days in a year that clocks may stand"
                )
    return _Allowed(player.standstills, first, tuple(wrong))


def _may_stand(
    conn: Connection, allowed: _Allowed, one: _Stood, went_on: Callable[[datetime], datetime]
) -> bool:
    if allowed.first is None or one.since < min(allowed.first, *(b for b, _ in allowed.spans)):
        return True  # of a time when nothing bound them
    ends = [end for begin, end in allowed.spans if begin <= one.since <= end]
    if not ends:
        return False
    until = one.until or _newest(conn)
    end = max(ends)
    return until <= end + LATE or until <= max(_there_again(conn, end), went_on(end)) + LATE


def _went_on(
    conn: Connection,
    match: MatchId,
    events: Sequence[MatchEvent],
    recorded: Sequence[event_log.RecordedEvent],
    at: datetime,
) -> datetime:
    """When a game of others went on after a time: its rules may have been away until then.

    No event tells of that, and while they are away nothing is decided.
    """
    issued = next(one for one in events if isinstance(one, ChallengeIssued))
    if issued.ruleset in OURS:
        return at
    later = (one.recorded_at for one in recorded if one.recorded_at > at)
    return next(later, _newest(conn) if still.stands(conn, match) else at)


def _newest(conn: Connection) -> datetime:
    """When the newest event of all was recorded: the service was there then."""
    recorded = tables.event.c
    newest = select(recorded.recorded_at).order_by(recorded.position.desc()).limit(1)
    return cast("datetime", conn.execute(newest).scalar_one())


def _there_again(conn: Connection, at: datetime) -> datetime:
    """When the service did something after a time: until then it may have been down."""
    recorded = tables.event.c.recorded_at
    first = conn.execute(select(func.min(recorded)).where(recorded > at)).scalar()
    return first if isinstance(first, datetime) else _newest(conn)
