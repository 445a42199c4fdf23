"""Happenings: the events of a match, other than moves, that emails report to a reader.

Each has a code, which is the block of `email/phrases.txt.j2` that describes it. Time that
the service gives back by itself, after a late email or downtime, is not reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pbem.games.game import Seat
from pbem.match.events import (
    ChanceRenewed,
    ClockPaused,
    ClockResumed,
    DeadlineExtended,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    ExtensionReason,
    MatchAdjudicated,
    MatchEvent,
    MatchRolledBack,
    MatchVoided,
    SeatReassigned,
    SeatResigned,
    SeatTimedOut,
    TakebackDeclined,
    TakebackRequested,
)
from pbem.match.state import Match
from pbem.names import PlayerId

_CODES: Final[Mapping[type[MatchEvent], str]] = {
    DrawOffered: "draw_offered",
    DrawAgreed: "draw_agreed",
    DrawDeclined: "draw_declined",
    TakebackRequested: "takeback_requested",
    TakebackDeclined: "takeback_declined",
    MatchRolledBack: "rolled_back",
    SeatResigned: "resigned",
    SeatTimedOut: "timed_out",
    SeatReassigned: "reassigned",
    ClockPaused: "paused",
    ClockResumed: "resumed",
    DeadlineExtended: "extended",
    MatchVoided: "voided",
    ChanceRenewed: "restored",
    MatchAdjudicated: "adjudicated",
}

_OF_ALL_SEATS: Final = frozenset({"paused_game", "resumed_game"})
"""Codes of events that occur for all seats at once, and are reported only once."""

_SILENT: Final = frozenset({ExtensionReason.LATE_EMAIL, ExtensionReason.DOWNTIME})


@dataclass(frozen=True, kw_only=True, slots=True)
class HappeningView:
    """An event of a match, other than a move, that is reported to a reader.

    Attributes:
        code: The block of `email/phrases.txt.j2` that describes it.
        name: The player whom it is about; None if it is about no player, or the operator caused it.
        is_reader: Whether that player is the reader.
        other: The player who gave time, or who had the seat before.
        notation: The move that the player asks to take back.
        later: The reader's own moves after the move to take back.
        added: The time that was added to a clock.
        until: The new deadline, the end of a pause, or the time of the restored backup.
    """

    code: str
    name: str | None
    is_reader: bool
    other: str | None = None
    notation: str = ""
    later: tuple[str, ...] = ()
    added: timedelta | None = None
    until: datetime | None = None


def has_happenings(events: Iterable[MatchEvent]) -> bool:
    """Return whether any of the events is one that emails report, other than a move."""
    return any(_find_code(event) is not None for event in events)


def _find_code(event: MatchEvent) -> str | None:
    """Return the code of the phrase that reports an event, or None if it is not reported."""
    code = _CODES.get(type(event))
    if code is None or (isinstance(event, DeadlineExtended) and event.reason in _SILENT):
        return None
    if isinstance(event, ClockPaused | ClockResumed | DeadlineExtended):
        return f"{code}_{event.reason}"
    return str(event.reason) if isinstance(event, SeatResigned) else code


def list_happenings(
    match: Match,
    events: Sequence[MatchEvent],
    names: Mapping[PlayerId, str],
    reader: PlayerId | None,
) -> Iterator[HappeningView]:
    """Yield the events that emails must report, except moves, in order.

    A takeback request that was granted is left out, because the takeback itself is reported.
    """
    reported = set[str]()
    for number, event in enumerate(events):
        code = _find_code(event)
        is_granted = isinstance(event, TakebackRequested) and any(
            isinstance(later, MatchRolledBack) for later in events[number:]
        )
        if code is None or is_granted or (code in _OF_ALL_SEATS and code in reported):
            continue
        reported.add(code)
        seat: Seat | None = getattr(event, "seat", None)
        player = None if seat is None else match.player_at(seat)
        other, notation, added, until = None, "", None, None
        later: tuple[str, ...] = ()
        if isinstance(event, DeadlineExtended):
            added, until = event.added, event.deadline
            other = None if event.giver is None else names[match.player_at(event.giver)]
        elif isinstance(event, ClockPaused):
            until = event.until
        elif isinstance(event, ChanceRenewed):
            until = event.restored_to
        elif isinstance(event, SeatReassigned):
            player, other = event.player, names[event.former]
            code = "seat_lost" if event.former == reader else code
        elif isinstance(event, TakebackRequested) and event.ply < match.ply:
            notation = match.game.notation(match.plies[event.ply].move)
            later = tuple(
                match.game.notation(played.move)
                for played in match.plies[event.ply + 1 :]
                if played.seat is not None and match.player_at(played.seat) == reader
            )
        yield HappeningView(
            code=code,
            name=None if player is None else names[player],
            is_reader=player is not None and player == reader,
            other=other,
            notation=notation,
            later=later,
            added=added,
            until=until,
        )
