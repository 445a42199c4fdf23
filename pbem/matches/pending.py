"""What waits for an answer or a turn, among it offers of a draw; and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pbem.errors import Rejection
from pbem.games.game import Over, Seat
from pbem.matches import conditions as plans
from pbem.matches.checks import require_seat
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
from pbem.matches.resigning import HeldResignation, resigning
from pbem.matches.seat_events import (
    ConditionsDropped,
    ConditionsGiven,
    ConditionsVoided,
    MoveHeld,
    MoveWithdrawn,
    ResignationHeld,
    ResignationTakenBack,
    SeatTakenOver,
    StandingOrderGiven,
    TakebackAsked,
    TakebackDeclined,
    TakebackGranted,
)
from pbem.matches.steps import UNDONE, Conditions, Lapsed, Offer, Seen, Step, StepKind
from pbem.matches.takebacks import Request, asking
from pbem.matches.window import HeldMove, holding

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.matches.unfolding import Unfolding
    from pbem.names import PlayerId


# --- agreements ----------------------------------------------------------------------------------
# Draws by agreement (LS-4.8, LL-4.3): offers, how long they stand, and who may answer.

_ASIDE: Final = (StepKind.DRAW, StepKind.NEWS)
"""What stands between moves and is none."""


# --- what is open ---------------------------------------------------------------------------------


def offered(pending: Pending, event: DrawOffered, _: Seen) -> Pending:
    """What is open after a draw was offered."""
    offer = Offer(event.seat, event.ply)
    return replace(pending, offer=offer, offered=(*pending.offered, event.seat))


def accepted(pending: Pending, event: DrawAccepted, _: Seen) -> Pending:
    """What is open after one more has accepted it."""
    offer = pending.offer
    if offer is None:
        return pending
    return replace(pending, offer=replace(offer, accepted=(*offer.accepted, event.seat)))


def declined(pending: Pending, _: DrawDeclined, _seen: Seen) -> Pending:
    """What is open after somebody has declined it, for all."""
    return replace(pending, offer=None)


def after_turn(
    pending: Pending, steps: Sequence[Step], to_act: Collection[Seat], *, outlives: bool
) -> Pending:
    """What the end of a seat's turn means for draw offers (LS-4.8, LL-4.3).

    `outlives`: an offer stands after another seat's turn, not after that of its own. A decision
    within the turn does not end it: what is drawn then is still that seat's.
    """
    offer = pending.offer
    if offer is None and not pending.offered:
        return pending
    last = next((step for step in reversed(steps) if step.kind not in _ASIDE), None)
    seat = last.seat if last is not None and last.kind is StepKind.MOVE else None
    if seat is None or not to_act or seat in to_act:
        return pending
    if offer is not None and (offer.seat == seat) == outlives:
        offer = None
    others = tuple(other for other in pending.offered if other != seat)
    return replace(pending, offer=offer, offered=others)


# --- what is decided ------------------------------------------------------------------------------


def _require_draws(player: PlayerId, match: Match) -> Seat:
    """The seat of somebody who may speak of a draw. Raises Rejection."""
    seat = require_seat(player, match)
    if not match.game.knows_draws:
        raise Rejection("no_draw_offers", game=match.game.title)
    if not match.game.draw_offers(match.terms.options):
        raise Rejection("draw_offers_off", game=match.game.title)
    return seat


def offer_draw(player: PlayerId, unfolding: Unfolding) -> None:
    """Offer a draw; where an offer of another stands, it may be accepted so. Raises Rejection."""
    match = unfolding.match
    seat = _require_draws(player, match)
    offer = match.pending.offer
    if offer is not None and offer.seat != seat and not match.game.offer_outlives_answerer:
        answer_draw(player, unfolding, yes=True)  # both want it
        return
    if offer is not None:
        raise Rejection("draw_already_offered", seat=offer.seat, ply=offer.ply)
    if seat in match.pending.offered and not match.game.offer_outlives_answerer:
        # LS-4.8: an offer may be repeated only after one's own next turn.
        raise Rejection("draw_already_offered", seat=seat, ply=match.course.ply)
    unfolding.happens(DrawOffered(seat=seat, ply=match.course.ply))


def answer_draw(player: PlayerId, unfolding: Unfolding, *, yes: bool) -> None:
    """Accept or decline the draw that was offered. Raises Rejection."""
    match = unfolding.match
    seat = _require_draws(player, match)
    offer = match.pending.offer
    if offer is None or seat == offer.seat or seat in offer.accepted:
        raise Rejection("no_draw_offer")
    if not yes:
        unfolding.happens(DrawDeclined(seat=seat))
        return
    unfolding.happens(DrawAccepted(seat=seat))
    if isinstance(unfolding.match.turn, Over):
        unfolding.follow()


# --- whether it may stand in the log --------------------------------------------------------------


def judged_offer(state: Match, event: DrawOffered | DrawAccepted | DrawDeclined) -> Iterator[str]:
    """What is wrong with an offer of a draw, or an answer, in words."""
    seat = event.seat
    offer = state.pending.offer
    if seat not in state.table.playing or not state.game.draw_offers(state.terms.options):
        yield f"seat {seat} can neither offer nor answer a draw"
    match event:
        case DrawOffered(ply=ply):
            if offer is not None:
                yield "a draw was offered while an offer stood"
            elif seat in state.pending.offered and not state.game.offer_outlives_answerer:
                yield f"seat {seat} offered a draw again before its next turn"
            if ply != state.course.ply:
                yield f"a draw offered after ply {ply} stands after ply {state.course.ply}"
        case _:
            if offer is None or seat in (offer.seat, *offer.accepted):
                yield f"seat {seat} answered an offer that did not stand"


# --- pending -------------------------------------------------------------------------------------
# What is open in a match: offers, requests, what is held, and what was decided in advance.


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
    waits = pending.held or pending.resigning or pending.takeback
    if kind not in _BEGINNING and (kind not in _ENDING or not waits):
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
    DrawOffered: offered,
    DrawAccepted: accepted,
    DrawDeclined: declined,
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

_BEGINNING: Final = frozenset({MoveHeld, ResignationHeld, TakebackAsked})
"""What makes a move or a resignation wait, or a request for a takeback."""

_ENDING: Final = frozenset(
    {
        MoveWithdrawn,
        ResignationTakenBack,
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
"""What may end the waiting of one of these."""
