"""Commands of a player in a match: take a move back, send it at once, resign."""

from __future__ import annotations

from pbem.errors import Rejection
from pbem.match.endings import resign as decide_resignation
from pbem.match.state import require_running, require_seat
from pbem.service import questions
from pbem.service.moves import (
    execute_scheduled_move,
    find_scheduled_move,
    require_fresh,
    take_back_scheduled_move,
)
from pbem.service.registry import N_, Request, command
from pbem.store import players


@command("undo", "take back", help=N_("take back a move that is not sent yet"), is_binding=True)
def undo(request: Request) -> None:
    """Delete the sender's waiting move.

    Raises:
        Rejection: `no_scheduled_move`, or `stale_reply`.
    """
    match = request.match()
    require_running(match)
    require_fresh(request, match)
    if not take_back_scheduled_move(request.uow, match.id, request.player_id):
        raise Rejection("no_scheduled_move", match=match.id)
    request.reply("answer", topic="undone")


@command("now", help=N_("send a move without waiting"))
def send_now(request: Request) -> None:
    """Execute the sender's waiting move at once.

    Raises:
        Rejection: `no_scheduled_move`.
    """
    row = find_scheduled_move(request)
    if row is None:
        raise Rejection("no_scheduled_move", match=request.match().id)
    execute_scheduled_move(request.uow, row)


@command("resign", "give up", help=N_("give up the match"), is_binding=True)
def resign(request: Request) -> None:
    """Ask at the sender's main address whether they really want to give up.

    Raises:
        Rejection: The match is not running, or the sender has no seat.
    """
    match = request.match()
    require_running(match)
    require_seat(match, request.player_id)
    [address, *_] = players.list_addresses(request.uow.conn, request.player_id)
    questions.ask(
        request.uow,
        questions.RESIGN,
        address,
        player=request.player,
        match_id=match.id,
        in_reply_to=request.message_id,
        payload={},
    )


def carry_out_resignation(request: Request) -> None:
    """Resign, after the player has confirmed it."""
    uow, match = request.uow, request.match()
    uow.actor = request.player_id
    uow.append(match.id, decide_resignation(match, request.player_id, uow.now))
