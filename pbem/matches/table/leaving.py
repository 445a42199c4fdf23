"""How agreements and seats that leave change a match; `evolve` is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.games.game import Over, Seat
from pbem.matches.copies import replace
from pbem.matches.steps import Step, StepKind

if TYPE_CHECKING:
    from pbem.matches.events import Event
    from pbem.matches.match import Match

_ASIDE: Final = (StepKind.DRAW, StepKind.NEWS)
"""What stands between moves and is none."""


def after_turn(match: Match) -> Match:
    """What the end of a seat's turn means for draw offers (LS-4.8, LL-4.3).

    A decision within the turn does not end it: what is drawn then is still that seat's.
    """
    if match.offer is None and not match.offered:
        return match
    last = next((step for step in reversed(match.steps) if step.kind not in _ASIDE), None)
    seat = last.seat if last is not None and last.kind is StepKind.MOVE else None
    if seat is None or not match.to_act or seat in match.to_act:
        return match
    offer = match.offer
    if offer is not None and (offer.seat == seat) == match.game.offer_outlives_answerer:
        offer = None
    return replace(match, offer=offer, offered=tuple(s for s in match.offered if s != seat))


def offer_accepted(match: Match, seat: Seat) -> Match:
    """The match after one more has accepted the offer that stands."""
    if match.offer is None:
        return match
    return _agreed(
        replace(match, offer=replace(match.offer, accepted=(*match.offer.accepted, seat)))
    )


def _agreed(match: Match) -> Match:
    """End the game where every seat that is still playing has accepted."""
    offer = match.offer
    if offer is None or set(match.playing) - {offer.seat, *offer.accepted}:
        return match
    after = match.game.agree(match.position)
    step = Step(
        kind=StepKind.AGREED,
        ply=match.ply,
        seat=offer.seat,
        text="",
        before=match.position,
        after=after,
        players=match.players,
    )
    return replace(match, position=after, steps=(*match.steps, step))


def seat_left(match: Match, seat: Seat, event: Event) -> Match:
    """The match after a seat has left its game."""
    after = match.game.leave(match.position, seat)
    step = Step(
        kind=StepKind.LEFT,
        ply=match.ply,
        seat=seat,
        text="",
        before=match.position,
        after=after,
        players=match.players,
        event=event,
    )
    offer = None if match.offer is not None and match.offer.seat == seat else match.offer
    left = replace(
        match, position=after, left=(*match.left, seat), offer=offer, steps=(*match.steps, step)
    )
    # Who leaves answers no offer any more; the others may have accepted it already.
    return left if isinstance(left.turn, Over) else _agreed(left)
