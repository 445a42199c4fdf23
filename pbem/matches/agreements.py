"""What players agree on: draws (LS-4.8, LL-4.3), and pauses in which all clocks stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.matches.events import (
    ClockPaused,
    ClockResumed,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    MatchEnded,
    SeatResigned,
    SeatTimedOut,
)
from pbem.matches.match import Match, Pending, require_seat
from pbem.matches.operator_events import MatchRolledBack, SeatReassigned
from pbem.matches.seat_events import (
    PauseAccepted,
    PauseBegun,
    PauseDeclined,
    PauseEnded,
    PauseEvent,
    PauseProposed,
    SeatTakenOver,
    TakebackGranted,
)
from pbem.matches.steps import Offer, Paused, Proposal, StepKind
from pbem.matches.timing import require_clocks
from pbem.matches.unfolding import Deciding, Unfolding
from pbem.names import PlayerId, is_bot

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
    # A pause that is asked for was asked of those who sat there then.
    return replace(pending, offer=None if offers else pending.offer, pause=None)


def _went_back(pending: Pending, _: TakebackGranted | MatchRolledBack, _match: Match) -> Pending:
    return replace(pending, offer=None, offered=())


def _pause_proposed(pending: Pending, event: PauseProposed, match: Match) -> Pending:
    return replace(pending, pause=Proposal(event.seat, event.days, match.version + 1))


def _pause_accepted(pending: Pending, event: PauseAccepted, _: Match) -> Pending:
    asked = pending.pause
    if asked is None:
        return pending
    return replace(pending, pause=replace(asked, accepted=(*asked.accepted, event.seat)))


def _pause_declined(pending: Pending, _: PauseDeclined, _match: Match) -> Pending:
    return replace(pending, pause=None)


def _pause_begun(pending: Pending, event: PauseBegun, match: Match) -> Pending:
    return replace(pending, pause=None, paused=Paused(event.until, match.version + 1))


def _pause_over(pending: Pending, _: PauseEnded | MatchEnded, _match: Match) -> Pending:
    return replace(pending, pause=None, paused=None)


OPENS: Final[Mapping[type[Any], Callable[[Pending, Any, Match], Pending]]] = {
    DrawOffered: _offered,
    PauseProposed: _pause_proposed,
    PauseBegun: _pause_begun,
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
    PauseAccepted: _pause_accepted,
    PauseDeclined: _pause_declined,
    PauseEnded: _pause_over,
    MatchEnded: _pause_over,
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


# --- pauses ---------------------------------------------------------------------------------------
# All clocks of a match stand while all people in it agree on that, for some days at the longest.
# Moves may be made all the same, and change nothing of it: no clock counts, nor gets its increment.

USUAL_PAUSE, LONGEST_PAUSE = 14, 30
"""Days of a pause, if none are named, and at most."""

AGREED: Final = "agreed"


def pause(unfolding: Unfolding, player: PlayerId, *, days: int | None = None) -> Deciding:
    """Ask the others for a pause, or agree to the one that another asked for. Raises Rejection."""
    match = unfolding.match
    seat = require_seat(player, match)
    require_clocks(match)
    if match.pending.paused is not None:
        raise Rejection("match_paused", until=match.pending.paused.until.isoformat())
    asked = match.pending.pause
    if asked is not None and days in (None, asked.days) and seat not in _agreeing(asked):
        yield from answer_pause(unfolding, player, accept=True)  # both want it
        return
    if asked is not None:
        raise Rejection("pause_already_asked", seat=asked.seat, days=asked.days)
    days = USUAL_PAUSE if days is None else days
    if not 0 < days <= LONGEST_PAUSE:
        raise Rejection("pause_too_long", most=LONGEST_PAUSE)
    yield PauseProposed(seat=seat, days=days)
    yield from _begun(unfolding)


def answer_pause(unfolding: Unfolding, player: PlayerId, *, accept: bool) -> Deciding:
    """Agree to the pause that was asked for, or not. Raises Rejection `no_pause_asked`."""
    match = unfolding.match
    seat = require_seat(player, match)
    asked = match.pending.pause
    if asked is None or seat in _agreeing(asked):
        raise Rejection("no_pause_asked")
    if not accept:
        yield PauseDeclined(seat=seat)
        return
    yield PauseAccepted(seat=seat)
    yield from _begun(unfolding)


def _agreeing(asked: Proposal) -> tuple[Seat, ...]:
    return (asked.seat, *asked.accepted)


def still_asked(match: Match) -> tuple[Seat, ...]:
    """The seats of the people who have not said whether they agree to the pause; bots agree."""
    asked = match.pending.pause
    if asked is None:
        return ()
    others = (seat for seat in match.table.playing if seat not in _agreeing(asked))
    return tuple(seat for seat in others if not is_bot(match.player_at(seat)))


def _begun(unfolding: Unfolding) -> Deciding:
    """The pause begins, if all have agreed to it."""
    match, now = unfolding.match, unfolding.now
    asked = match.pending.pause
    if asked is None or still_asked(match):
        return
    clocks = require_clocks(match)
    yield PauseBegun(at=now, until=now + timedelta(days=asked.days))
    for seat in match.table.playing:
        yield ClockPaused(seat=seat, at=now, bank=clocks.left(seat, now), reason=AGREED)


def resume(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """End the pause, or take back that one has asked for one. Raises Rejection `not_paused`."""
    match = unfolding.match
    seat = require_seat(player, match)
    asked = match.pending.pause
    if asked is not None and asked.seat == seat:
        yield PauseDeclined(seat=seat)
        return
    if match.pending.paused is None:
        raise Rejection("not_paused")
    yield from _over(unfolding, seat)


def end_pause(unfolding: Unfolding) -> Deciding:
    """The time of the pause is over. Raises Rejection `not_due` where it is not."""
    paused = unfolding.match.pending.paused
    if paused is None or paused.until > unfolding.now:
        raise Rejection("not_due")
    yield from _over(unfolding, None)


def _over(unfolding: Unfolding, seat: Seat | None) -> Deciding:
    match, now = unfolding.match, unfolding.now
    clocks = require_clocks(match)
    yield PauseEnded(seat=seat, at=now)
    for one in match.table.playing:
        if AGREED in clocks.paused.get(one, ()):
            yield ClockResumed(seat=one, at=now, reason=AGREED)


def judged_pause(state: Match, event: PauseEvent) -> Iterator[str]:
    """What is wrong with asking for a pause, answering, its begin or its end, in words."""
    asked, paused = state.pending.pause, state.pending.paused
    if isinstance(event, PauseAccepted | PauseDeclined):
        yield from _judged_answer(state, event)
    match event:
        case PauseProposed(seat=seat, days=days):
            if not _may_ask(state, seat) or not 0 < days <= LONGEST_PAUSE:
                yield f"seat {seat} could not ask for a pause of {days} days"
        case PauseBegun(at=at, until=until):
            if asked is None or still_asked(state):
                yield "a pause began that not all had agreed to"
            elif until - at != timedelta(days=asked.days):
                yield "a pause began that is longer or shorter than was agreed"
        case PauseEnded(seat=seat, at=at):
            if paused is None or (seat is None and at < paused.until):
                yield "a pause ended that had not begun, or before its time"
            elif seat is not None and seat not in state.table.playing:
                yield f"seat {seat} ended a pause, and does not play"
        case _:
            pass


def _may_ask(state: Match, seat: Seat) -> bool:
    free = state.pending.pause is None and state.pending.paused is None
    return free and seat in state.table.playing and state.clocks is not None


def _judged_answer(state: Match, event: PauseAccepted | PauseDeclined) -> Iterator[str]:
    asked, seat = state.pending.pause, event.seat
    agrees = isinstance(event, PauseAccepted)
    if asked is None or seat in (_agreeing(asked) if agrees else asked.accepted):
        yield f"seat {seat} answered where no pause was asked of it"
    elif seat not in state.table.playing:
        yield f"seat {seat} answered for a pause, and does not play"


# --- whether it may stand in the log --------------------------------------------------------------


def judged_offer(state: Match, event: DrawOffered | DrawAccepted | DrawDeclined) -> Iterator[str]:
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
