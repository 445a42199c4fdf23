"""What players agree on: draws (LS-4.8, LL-4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.course import if_agreed, step_aside, with_step
from pbem.legacy.matches.events import (
    Event,
    Eyes,
    MatchRolledBack,
    SeatReassigned,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
    Visible,
)
from pbem.legacy.matches.match import Course, Match, Pending, require_seat
from pbem.legacy.matches.steps import CLAIMED, Offer, StepKind
from pbem.legacy.matches.takebacks import TakebackGranted
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding, in_play
from pbem.names import PlayerId

_ASIDE: Final = (StepKind.DRAW, StepKind.NEWS)
"""What stands between moves and is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawOffered(Event):
    """A seat offered a draw after `ply` plies."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawAccepted(Event):
    """A seat accepted the draw that was offered; when all have, the match ends."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawDeclined(Event):
    """A seat declined the draw that was offered, for all."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


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


OPENS: Final[Changes[Pending]] = {
    DrawOffered: _offered,
}

CLOSES: Final[Changes[Pending]] = {
    DrawAccepted: _accepted,
    DrawDeclined: _declined,
    SeatResigned: _left,
    SeatTimedOut: _left,
    SeatTakenOver: _left,
    SeatReassigned: _left,
    TakebackGranted: _went_back,
    MatchRolledBack: _went_back,
}


def _agreed(course: Course, event: DrawAccepted, match: Match) -> Course:
    return if_agreed(course, match, event.seat)


def _claimed(course: Course, event: DrawOffered, match: Match) -> Course:
    """The end by a draw that is claimed, if the offer is such a claim."""
    after = match.game.claimed(course.position)
    if after is None:
        return course
    claim = step_aside(course, StepKind.AGREED, event.seat, match, after)
    return with_step(course, replace(claim, text=CLAIMED))


COURSE: Final[Changes[Course]] = {DrawAccepted: _agreed, DrawOffered: _claimed}


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
    """Offer a draw; where an offer of another stands, it may be accepted so. Raises Rejection.

    Where the rules give a draw to who asks for it, the offer is such a claim, and the game is over.
    """
    match = unfolding.match
    seat = _require_draws(player, match)
    if match.game.claimed(match.course.position) is not None:
        yield DrawOffered(seat=seat, ply=match.course.ply)
        return
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


def _judged_offer(state: Match, event: DrawOffered | DrawAccepted | DrawDeclined) -> Iterator[str]:
    """What is wrong with an offer of a draw, or an answer, in words."""
    seat = event.seat
    offer = state.pending.offer
    if seat not in state.table.playing or not state.game.draw_offers(state.terms.options):
        yield f"seat {seat} can neither offer nor answer a draw"
    match event:
        case DrawOffered(ply=ply):
            if state.game.claimed(state.course.position) is not None:
                pass  # it is a claim, and hangs on nobody
            elif offer is not None:
                yield "a draw was offered while an offer stood"
            elif seat in state.pending.offered and not state.game.offer_outlives_answerer:
                yield f"seat {seat} offered a draw again before its next turn"
            if ply != state.course.ply:
                yield f"a draw offered after ply {ply} stands after ply {state.course.ply}"
        case _:
            if offer is None or seat in (offer.seat, *offer.accepted):
                yield f"seat {seat} answered an offer that did not stand"


AUDIT: Final[Audit] = in_play(
    dict.fromkeys((DrawOffered, DrawAccepted, DrawDeclined), _judged_offer)
)
