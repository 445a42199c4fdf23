"""Draws by agreement (LS-4.8, LL-4.3): offers, how long they stand, and who may answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.matches.events import (
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    SeatResigned,
    SeatTimedOut,
)
from pbem.matches.match import Match, Pending, require_seat
from pbem.matches.operator_events import MatchRolledBack, SeatReassigned
from pbem.matches.seat_events import SeatTakenOver, TakebackGranted
from pbem.matches.steps import Offer, StepKind
from pbem.matches.unfolding import Deciding, Unfolding
from pbem.names import PlayerId

_ASIDE: Final = (StepKind.DRAW, StepKind.NEWS)
"""What stands between moves and is none."""

# --- what events make of it ----------------------------------------------------------------------


def _offered(pending: Pending, event: DrawOffered, _: Match) -> Pending:
    offer = Offer(event.seat, event.ply)
    return replace(pending, offer=offer, offered=(*pending.offered, event.seat))


def _accepted(pending: Pending, event: DrawAccepted, _: Match) -> Pending:
    offer = pending.offer
    if offer is None:
        return pending
    return replace(pending, offer=replace(offer, accepted=(*offer.accepted, event.seat)))


def _declined(pending: Pending, _: DrawDeclined, _match: Match) -> Pending:
    """Somebody has declined it, for all."""
    return replace(pending, offer=None)


def _left(
    pending: Pending,
    event: SeatResigned | SeatTimedOut | SeatTakenOver | SeatReassigned,
    _: Match,
) -> Pending:
    offers = pending.offer is not None and pending.offer.seat == event.seat
    return replace(pending, offer=None) if offers else pending


def _went_back(pending: Pending, _: TakebackGranted | MatchRolledBack, _match: Match) -> Pending:
    return replace(pending, offer=None, offered=())


OPENS: Final[Mapping[type[Any], Callable[[Pending, Any, Match], Pending]]] = {
    DrawOffered: _offered,
}

CLOSES: Final[Mapping[type[Any], Callable[[Pending, Any, Match], Pending]]] = {
    DrawAccepted: _accepted,
    DrawDeclined: _declined,
    SeatResigned: _left,
    SeatTimedOut: _left,
    SeatTakenOver: _left,
    SeatReassigned: _left,
    TakebackGranted: _went_back,
    MatchRolledBack: _went_back,
}


def after_turn(match: Match) -> Match:
    """What the end of a seat's turn means for draw offers (LS-4.8, LL-4.3).

    An offer may outlive another seat's turn, but not that of its own, or the other way round. A
    decision within the turn does not end it: what is drawn then is still that seat's.
    """
    pending, to_act = match.pending, match.to_act
    offer = pending.offer
    steps = reversed(match.course.steps)
    last = next((step for step in steps if step.kind not in _ASIDE), None)
    seat = last.seat if last is not None and last.kind is StepKind.MOVE else None
    if seat is None or not to_act or seat in to_act:
        return match
    if offer is not None and (offer.seat == seat) == match.game.offer_outlives_answerer:
        offer = None
    others = tuple(other for other in pending.offered if other != seat)
    return replace(match, pending=replace(pending, offer=offer, offered=others))


def agreed(match: Match, event: DrawAccepted | SeatResigned | SeatTimedOut) -> Seat | None:
    """Whose offer every seat that plays on has accepted after an event, if there is one.

    Who leaves answers no offer any more; the others may have accepted it already.
    """
    offer, accepts = match.pending.offer, isinstance(event, DrawAccepted)
    if offer is None or (not accepts and offer.seat == event.seat):
        return None
    answered = {offer.seat, *offer.accepted, event.seat}
    return None if {*match.table.playing} - answered else offer.seat


# --- what is decided ------------------------------------------------------------------------------


def _require_draws(player: PlayerId, match: Match) -> Seat:
    """The seat of somebody who may speak of a draw. Raises Rejection."""
    seat = require_seat(player, match)
    if not match.game.knows_draws:
        raise Rejection("no_draw_offers", game=match.game.title)
    if not match.game.draw_offers(match.terms.options):
        raise Rejection("draw_offers_off", game=match.game.title)
    return seat


def offer_draw(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Offer a draw; where an offer of another stands, it may be accepted so. Raises Rejection."""
    match = unfolding.match
    seat = _require_draws(player, match)
    offer = match.pending.offer
    if offer is not None and offer.seat != seat and not match.game.offer_outlives_answerer:
        yield from answer_draw(unfolding, player, accept=True)  # both want it
        return
    if offer is not None:
        raise Rejection("draw_already_offered", seat=offer.seat, ply=offer.ply)
    if seat in match.pending.offered and not match.game.offer_outlives_answerer:
        # LS-4.8: an offer may be repeated only after one's own next turn.
        raise Rejection("draw_already_offered", seat=seat, ply=match.course.ply)
    yield DrawOffered(seat=seat, ply=match.course.ply)


def answer_draw(unfolding: Unfolding, player: PlayerId, *, accept: bool) -> Deciding:
    """Accept or decline the draw that was offered. Raises Rejection."""
    match = unfolding.match
    seat = _require_draws(player, match)
    offer = match.pending.offer
    if offer is None or seat == offer.seat or seat in offer.accepted:
        raise Rejection("no_draw_offer")
    yield DrawAccepted(seat=seat) if accept else DrawDeclined(seat=seat)


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
