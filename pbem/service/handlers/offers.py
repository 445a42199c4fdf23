"""Commands that offer a draw or ask for a takeback, and the answers to them."""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.match.endings import answer_draw, offer_draw
from pbem.match.state import Match
from pbem.match.takeback import answer_takeback, request_takeback
from pbem.names import is_bot
from pbem.service.moves import find_scheduled_move
from pbem.service.registry import N_, Group, Request, command
from pbem.store import waiting

DRAW: Final = "draw"


@command(
    DRAW,
    "offer draw",
    "offer a draw",
    "=",
    german=("remis", "biete remis an", "unentschieden"),
    group=Group.PLAY,
    help=N_("offer a draw, or accept one"),
    details=N_(
        "If you write it below a move, the offer goes out with the move. Your opponent replies "
        '"yes" or "no"; playing a move counts as no. You can offer one draw for each of your '
        "moves. Some games don't allow draws by agreement, and bots never accept."
    ),
    needs_match=True,
    is_binding=True,
)
def draw(request: Request) -> None:
    """Offer a draw, or accept the opponent's offer of a draw.

    If the sender has a move in its undo window, the offer is sent together with that move. If the
    rules grant a draw to any player who claims it in this position, the command claims it, and the
    match ends.

    Raises:
        Rejection: `no_draws_with_bots`, `player_limit`, or any rejection by `offer_draw`.
    """
    uow, match = request.uow, request.match()
    can_claim = match.game.claim_draw(match.position) is not None if match.position else False
    if match.has_only_bots_against(request.player_id) and not can_claim:
        raise Rejection("no_draws_with_bots")
    scheduled = find_scheduled_move(request)
    if scheduled is not None and match.offers.draw is None and not can_claim:
        offer_draw(match, request.player_id, uow.now)  # raises if no draw can be offered
        waiting.add_draw_offer(uow.conn, scheduled)
        request.reply("answer", topic="draw_scheduled")
        return
    events = offer_draw(match, request.player_id, uow.now)
    if match.offers.draw is None and not can_claim:
        _reserve_opponent_emails(request, match)
    after = uow.append(match.id, events)
    if after.offers.draw is not None:
        request.reply("answer", topic="draw_offered")


def ask_for_takeback(request: Request) -> None:
    """Ask the opponent to agree that the sender's last move is taken back.

    Raises:
        Rejection: `player_limit`, or any rejection by `request_takeback`.
    """
    uow, match = request.uow, request.match()
    events = request_takeback(match, request.player_id, uow.now)
    _reserve_opponent_emails(request, match)
    after = uow.append(match.id, events)
    if after.offers.takeback is not None:
        request.reply("answer", topic="takeback_requested")


def _reserve_opponent_emails(request: Request, match: Match) -> None:
    """Count one email for each opponent towards the sender's rate limit.

    Nothing is counted if the sender's email also plays a move, because the opponents are notified
    of that move anyway.

    Raises:
        Rejection: `player_limit`, if the limit is reached.
    """
    if match.ply > request.uow.load_record(match.id).row.ply:
        return
    opponents = [
        player
        for player in map(match.player_at, match.playing)
        if player != request.player_id and not is_bot(player)
    ]
    request.uow.limits.reserve_player_emails(request.player_id, opponents)


def answer_offer(request: Request, *, agrees: bool) -> None:
    """Agree to the opponent's open takeback request or draw offer, or decline it.

    Raises:
        Rejection: `no_offer` if the offer is no longer open; `stale_reply` if the sender agrees to
            an offer that they have not seen.
    """
    uow, match = request.uow, request.match()
    seat, offers = match.seat_of(request.player_id), match.offers
    version = request.submission.sender.seen_version
    if agrees and version is not None and version < offers.version:
        raise Rejection("stale_reply", match=match.id)
    if seat is not None and offers.takeback is not None and offers.takeback.seat != seat:
        events = answer_takeback(match, request.player_id, agrees=agrees, now=uow.now)
    elif seat is not None and offers.draw is not None and seat not in offers.agreed:
        events = answer_draw(match, request.player_id, agrees=agrees, now=uow.now)
    else:
        raise Rejection("no_offer", match=match.id)
    after = uow.append(match.id, events)
    if after.version == match.version + 1 and not agrees:
        request.reply("answer", topic="offer_answered")
