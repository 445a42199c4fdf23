"""Happenings: the events of a match, other than moves, that emails report to a reader.

Each has a code, which names the block of `email/phrases.txt.j2` that describes it: the type of the
event, and its reason if it has one, as in `event_clock_paused_vacation`. Time that the service
gives back by itself, after a late email or downtime, is not reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from pbem.games.game import Seat
from pbem.match.events import (
    ChallengeClosed,
    ChallengeIssued,
    ChanceCommitted,
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
    ExtensionReason,
    InvitationDeclined,
    MatchEnded,
    MatchEvent,
    MatchRolledBack,
    MatchStarted,
    MovePlayed,
    SeatReassigned,
    SeatReleased,
    SeatTaken,
    StandingOrderGiven,
    TakebackRequested,
)
from pbem.match.state import Match
from pbem.names import PlayerId
from pbem.notifications.move_views import list_moves

_NOT_REPORTED: Final = (  # hidden from players, or reported by emails otherwise
    ChallengeIssued,
    SeatTaken,
    SeatReleased,
    InvitationDeclined,
    ChallengeClosed,
    MatchStarted,
    ChanceCommitted,
    ChanceDrawn,
    ChanceSealed,
    ChanceRevealed,
    MovePlayed,
    StandingOrderGiven,
    MatchEnded,
)

_OF_ALL_SEATS: Final = frozenset({"clock_paused_game", "clock_resumed_game"})  # reported only once

_SILENT: Final = frozenset({ExtensionReason.LATE_EMAIL, ExtensionReason.DOWNTIME})


@dataclass(frozen=True, kw_only=True, slots=True)
class HappeningView:
    """An event of a match, other than a move, that is reported to a reader.

    Attributes:
        code: The name, without `event_`, of the block of `email/phrases.txt.j2` that describes the
            event.
        name: The name of the player whom the event is about; None if it is not about a player.
        is_reader: Whether that player is the reader.
        facts: The fields of the event. In SeatReassigned, `former` is a name in place of an id. A
            TakebackRequested also has `moves`, the views of the moves that would be taken back.
    """

    code: str
    name: str | None
    is_reader: bool
    facts: Mapping[str, Any]


def has_happenings(events: Iterable[MatchEvent]) -> bool:
    """Return whether any of these events is a happening, which emails must report."""
    return any(_find_code(event) is not None for event in events)


def _find_code(event: MatchEvent) -> str | None:
    """Return the code under which emails report an event, or None if they do not report it.

    If the event has a reason, the code ends with it, as in `seat_resigned_banned`.
    """
    reason = getattr(event, "reason", None)
    if isinstance(event, _NOT_REPORTED) or reason in _SILENT:
        return None
    code = re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()
    return code if reason is None else f"{code}_{reason}"


def list_happenings(
    match: Match,
    events: Sequence[MatchEvent],
    names: Mapping[PlayerId, str],
    reader: PlayerId | None,
) -> Iterator[HappeningView]:
    """Yield views of the events that emails must report, except moves, in order.

    A takeback request that was granted is left out, because the takeback itself is reported.

    Args:
        match: The match after the events.
        events: The events, oldest first.
        names: The names of the players, by id.
        reader: The player who reads; None for a spectator.
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
        facts = asdict(event)
        seat: Seat | None = facts.get("seat")
        player = None if seat is None else match.player_at(seat)
        if isinstance(event, SeatReassigned):
            player, facts["former"] = event.player, names[event.former]
            code = "seat_lost" if event.former == reader else code
        elif isinstance(event, TakebackRequested):
            facts["moves"] = list_moves(match, reader, names)[event.ply :]
        yield HappeningView(
            code=code,
            name=None if player is None else names[player],
            is_reader=player is not None and player == reader,
            facts=facts,
        )
