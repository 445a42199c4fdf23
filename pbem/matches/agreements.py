"""Draws by agreement (LS-4.8, LL-4.3): offers, how long they stand, and who may answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.games.game import Over, Seat
from pbem.matches.checks import require_seat
from pbem.matches.events import DrawAccepted, DrawDeclined, DrawOffered
from pbem.matches.steps import Offer, Seen, Step, StepKind

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.matches.pending import Pending
    from pbem.matches.unfolding import Unfolding
    from pbem.names import PlayerId

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
    if not match.game.draw_offers(match.options):
        raise Rejection("draw_offers_off", game=match.game.title)
    return seat


def offer_draw(player: PlayerId, unfolding: Unfolding) -> None:
    """Offer a draw; where an offer of another stands, it may be accepted so. Raises Rejection."""
    match = unfolding.match
    seat = _require_draws(player, match)
    offer = match.offer
    if offer is not None and offer.seat != seat and not match.game.offer_outlives_answerer:
        answer_draw(player, unfolding, yes=True)  # both want it
        return
    if offer is not None:
        raise Rejection("draw_already_offered", seat=offer.seat, ply=offer.ply)
    if seat in match.offered and not match.game.offer_outlives_answerer:
        # LS-4.8: an offer may be repeated only after one's own next turn.
        raise Rejection("draw_already_offered", seat=seat, ply=match.ply)
    unfolding.happens(DrawOffered(seat=seat, ply=match.ply))


def answer_draw(player: PlayerId, unfolding: Unfolding, *, yes: bool) -> None:
    """Accept or decline the draw that was offered. Raises Rejection."""
    match = unfolding.match
    seat = _require_draws(player, match)
    offer = match.offer
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
    offer = state.offer
    if seat not in state.playing or not state.game.draw_offers(state.options):
        yield f"seat {seat} can neither offer nor answer a draw"
    match event:
        case DrawOffered(ply=ply):
            if offer is not None:
                yield "a draw was offered while an offer stood"
            elif seat in state.offered and not state.game.offer_outlives_answerer:
                yield f"seat {seat} offered a draw again before its next turn"
            if ply != state.ply:
                yield f"a draw offered after ply {ply} stands after ply {state.ply}"
        case _:
            if offer is None or seat in (offer.seat, *offer.accepted):
                yield f"seat {seat} answered an offer that did not stand"
