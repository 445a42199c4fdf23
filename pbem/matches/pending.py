"""What is open in a match: offers, requests, what is held, and what was decided in advance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from pbem.games.game import Seat
from pbem.matches import agreements
from pbem.matches.conditions import conditions as plans
from pbem.matches.events import (
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Event,
    MatchEnded,
    MovePlayed,
    SeatResigned,
    SeatTimedOut,
)
from pbem.matches.operator_events import MatchRolledBack, SeatReassigned
from pbem.matches.private_events import (
    ConditionsDropped,
    ConditionsGiven,
    ConditionsVoided,
    StandingOrderGiven,
)
from pbem.matches.seat_events import SeatTakenOver
from pbem.matches.second_thoughts.correction_window import HeldMove, holding
from pbem.matches.second_thoughts.resignations import HeldResignation, resigning
from pbem.matches.second_thoughts.takebacks import Request, asking
from pbem.matches.steps import UNDONE, Conditions, Lapsed, Offer, Seen
from pbem.matches.undo_events import (
    MoveHeld,
    MoveWithdrawn,
    ResignationHeld,
    ResignationTakenBack,
    TakebackAsked,
    TakebackDeclined,
    TakebackGranted,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pending:
    """What waits for an answer, or for its time.

    `offered` are the seats that offered a draw in their turn; `lapsed` has the conditions that
    became void, as long as their seat has not moved since; `standing` are standing orders. `kept`
    has the ply after which a seat was asked about a move, and until when one may be kept in that
    turn.
    """

    offer: Offer | None = None
    offered: tuple[Seat, ...] = ()
    takeback: Request | None = None
    conditions: Mapping[Seat, Conditions] = field(default_factory=dict)
    lapsed: Mapping[Seat, Lapsed] = field(default_factory=dict)
    held: Mapping[Seat, HeldMove] = field(default_factory=dict)
    resigning: Mapping[Seat, HeldResignation] = field(default_factory=dict)
    standing: Mapping[Seat, str] = field(default_factory=dict)
    kept: Mapping[Seat, tuple[int, datetime]] = field(default_factory=dict)

    def agreed(self, playing: Collection[Seat]) -> Seat | None:
        """Whose offer every seat that still plays has accepted, if there is one."""
        offer = self.offer
        if offer is None or {*playing} - {offer.seat, *offer.accepted}:
            return None
        return offer.seat


def waited(pending: Pending, event: Event, seen: Seen) -> Pending:
    """What is open after an event in the match as it was `seen` before."""
    kind = type(event)
    change = _CHANGES.get(kind)
    if change is not None:
        pending = change(pending, event, seen)
    if kind not in _REGRETTED:
        return pending
    version = seen.version + 1
    held = holding(pending.held, event, version)
    leaving = resigning(pending.resigning, event, version)
    takeback = asking(pending.takeback, event, version)
    if held is pending.held and leaving is pending.resigning and takeback is pending.takeback:
        return pending
    return replace(pending, held=held, resigning=leaving, takeback=takeback)


def _moved(pending: Pending, event: MovePlayed, _: Seen) -> Pending:
    if event.forced or event.seat not in pending.lapsed:
        return pending
    return replace(pending, lapsed=plans.without(pending.lapsed, event.seat))


def _left(pending: Pending, event: SeatResigned | SeatTimedOut, _: Seen) -> Pending:
    return replace(pending, offer=None) if _offers(pending, event.seat) else pending


def _offers(pending: Pending, seat: Seat) -> bool:
    return pending.offer is not None and pending.offer.seat == seat


def _reseated(pending: Pending, event: SeatTakenOver | SeatReassigned, _: Seen) -> Pending:
    """What its player wanted for later goes with the player."""
    seat = event.seat
    return replace(
        pending,
        offer=None if _offers(pending, seat) else pending.offer,
        standing=plans.without(pending.standing, seat),
        conditions=plans.without(pending.conditions, seat),
        lapsed=plans.without(pending.lapsed, seat),
    )


def _went_back(pending: Pending, _: TakebackGranted | MatchRolledBack, _seen: Seen) -> Pending:
    """What was decided in advance was decided for moves that are gone, and so was an offer."""
    return replace(
        pending,
        offer=None,
        offered=(),
        conditions={},
        lapsed={seat: Lapsed(given, UNDONE) for seat, given in pending.conditions.items()},
    )


def _kept(pending: Pending, event: MoveHeld, _: Seen) -> Pending:
    """The day in which a move may be kept unplayed counts once a turn."""
    ply = event.ply - 1
    if not event.asked or pending.kept.get(event.seat, (-1, event.until))[0] == ply:
        return pending
    return replace(pending, kept={**pending.kept, event.seat: (ply, event.until)})


def _ordered(pending: Pending, event: StandingOrderGiven, _: Seen) -> Pending:
    return replace(pending, standing={**pending.standing, event.seat: event.order})


_CHANGES: Final[Mapping[type[Any], Callable[[Pending, Any, Seen], Pending]]] = {
    DrawOffered: agreements.offered,
    DrawAccepted: agreements.accepted,
    DrawDeclined: agreements.declined,
    MovePlayed: _moved,
    SeatResigned: _left,
    SeatTimedOut: _left,
    SeatTakenOver: _reseated,
    SeatReassigned: _reseated,
    TakebackGranted: _went_back,
    MatchRolledBack: _went_back,
    StandingOrderGiven: _ordered,
    ConditionsGiven: plans.given,
    ConditionsDropped: plans.dropped,
    ConditionsVoided: plans.voided,
    MoveHeld: _kept,
    MoveWithdrawn: plans.after_withdrawal,
    ResignationHeld: plans.after_resigning,
}

_REGRETTED: Final = frozenset(
    {
        MoveHeld,
        MoveWithdrawn,
        ResignationHeld,
        ResignationTakenBack,
        TakebackAsked,
        TakebackDeclined,
        TakebackGranted,
        MatchRolledBack,
        MovePlayed,
        MatchEnded,
        SeatResigned,
        SeatTimedOut,
        SeatTakenOver,
        SeatReassigned,
    }
)
"""What may change held moves, held resignations or the request for a takeback."""
