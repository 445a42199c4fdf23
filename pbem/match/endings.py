"""How players end a match before the rules do: by resigning or by agreeing on a draw.

A draw needs the agreement of all players who are still in the game. A player who offers a draw
while another player's offer is open agrees to that offer. A player who moves instead declines it.
Each player can offer one draw per turn.

If the game is then over, `automatic.py` adds the event `MatchEnded`. Time-outs are in `timing.py`,
and decisions of the operator in `operator_actions.py`.
"""

from __future__ import annotations

from datetime import datetime

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.match.events import (
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    LeavingReason,
    MatchEvent,
    SeatResigned,
)
from pbem.match.state import Match, require_playing
from pbem.names import PlayerId


def resign(
    match: Match,
    player: PlayerId,
    now: datetime,
    reason: LeavingReason = LeavingReason.RESIGNED,
) -> list[MatchEvent]:
    """Return the event by which a player leaves a running match.

    The other players play on if the rules of the game allow it.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat` or `seat_out`.
    """
    return [SeatResigned(at=now, seat=require_playing(match, player), reason=reason)]


# --- draws ---------------------------------------------------------------------------------------


def offer_draw(match: Match, player: PlayerId, now: datetime) -> list[MatchEvent]:
    """Return the event by which a player offers a draw, or agrees to another player's open offer.

    In some positions, the rules grant a draw to any player who claims it. The offer then counts as
    such a claim, and ends the match.

    Raises:
        Rejection: `no_draw_offers`, `draw_offers_off`, `draw_already_offered`, or one of the codes
            that `resign` lists.
    """
    seat = _require_draws(match, player)
    if match.game.claim_draw(match.position) is not None:
        return [DrawOffered(at=now, seat=seat)]
    if match.offers.draw is not None and seat not in match.offers.agreed:
        return [DrawAgreed(at=now, seat=seat)]
    if match.offers.draw is not None or seat in match.offers.offered:
        raise Rejection("draw_already_offered", match=match.id)
    return [DrawOffered(at=now, seat=seat)]


def answer_draw(match: Match, player: PlayerId, *, agrees: bool, now: datetime) -> list[MatchEvent]:
    """Return the event of a player's answer to the open draw offer.

    Raises:
        Rejection: `no_draw_offer` if no offer is open, or if the player has agreed to it already;
            `no_draw_offers`, `draw_offers_off`, or one of the codes that `resign` lists.
    """
    seat = _require_draws(match, player)
    if match.offers.draw is None or seat in match.offers.agreed:
        raise Rejection("no_draw_offer", match=match.id)
    return [DrawAgreed(at=now, seat=seat) if agrees else DrawDeclined(at=now, seat=seat)]


def _require_draws(match: Match, player: PlayerId) -> Seat:
    seat = require_playing(match, player)
    if not match.game.has_draw_offers:
        raise Rejection("no_draw_offers", game=match.game.title)
    if not match.game.can_offer_draw(match.options):
        raise Rejection("draw_offers_off", game=match.game.title)
    return seat
