"""What must hold of a club at any time: nothing is lost, doubled or without an explanation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pbem.legacy.cli.history import explained
from pbem.legacy.matches.clocks import ClockPaused, ClockStopped, DeadlineMissed, DeadlineSet
from pbem.legacy.matches.events import Event, MatchEnded, MovePlayed
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.store import timers, views
from pbem.legacy.store.log import event_log
from pbem.legacy.store.mails import inbox, outbox
from pbem.legacy.transaction.installation import House, load_match, match_stream, verified

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from tests.legacy.clubs.club import Club

OTHER_CAUSES: Final = ("late:", "downtime:", "refused:", "bot:", "operator:")
"""What happens by itself or on an operator's order; `pbem history` names it."""


@dataclass
class Driven:
    """A clock that stands until it is set."""

    time: datetime

    def __call__(self) -> datetime:
        return self.time


def unexplained(conn: Connection, club: Club) -> Iterator[str]:
    """Whatever `pbem history` could not explain, and whatever does not check."""
    yield from faults(conn, club.house)
    yield from (f"letter {row.key} was shunted" for row in inbox.listed(conn, state="shunted"))
    told: set[int] = set()
    for row in views.matches(conn, None, limit=1000):
        yield from (f"{row.id}: {words}" for words in verified(conn, row.id)[0].findings)
        for entry in explained(conn, row.id):
            told.update(mail.id for mail in entry.mails)
            if entry.kind == "other" and not entry.cause.startswith(OTHER_CAUSES):
                yield f"{row.id}: nothing explains {entry.cause}"
    for mail in outbox.listed(conn, limit=100_000):
        if mail.stream is not None and mail.stream.startswith("match-") and mail.id not in told:
            yield f"mail {mail.id} of {mail.stream} stands in no history"


def faults(conn: Connection, house: House) -> Iterator[str]:
    """Whatever is lost or doubled, in words; nothing if all is well."""
    now = house.now()
    late = timers.due(conn, now, 10)
    yield from (f"timer {timer.key} was due at {timer.due_at} and did not fire" for timer in late)
    for row in views.matches(conn, None, limit=100_000):
        yield from _of_clocks(load_match(conn, row.id).match, now)
        recorded = event_log.load(conn, match_stream(row.id))
        yield from (f"{row.id}: {words}" for words in _twice(event_log.match_events_of(recorded)))


def _of_clocks(match: Match, now: datetime) -> Iterator[str]:
    if match.clocks is None or match.status is not Status.RUNNING:
        return
    clocks = match.clocks
    for seat, running in clocks.running.items():
        if running.due <= now and seat not in match.pending.held:
            yield f"{match.id}: the time of seat {seat} was over at {running.due}"
    if not clocks.running and not clocks.flagged and not clocks.paused:
        yield f"{match.id}: nobody's clock runs"


def _twice(events: list[Event]) -> Iterator[str]:
    """Every deadline comes to one end: a move, a flag, another deadline, or a clock that stops."""
    running: dict[int, DeadlineSet] = {}
    for event in events:
        match event:
            case DeadlineSet(seat=seat):
                running[seat] = event
            case DeadlineMissed(seat=seat, due=due):
                if seat not in running or running.pop(seat).due != due:
                    yield f"a deadline at {due} was missed that did not stand"
            case MovePlayed(seat=seat, bank=int()):
                running.pop(seat, None)
            case ClockStopped(seat=seat):
                if running.pop(seat, None) is None:
                    yield f"a clock of seat {seat} stopped that did not run"
            case ClockPaused(seat=seat):
                running.pop(seat, None)
            case MatchEnded():
                running.clear()
            case _:
                pass
