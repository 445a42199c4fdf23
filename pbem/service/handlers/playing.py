"""Commands of a player in a match: undo, play at once, try, `if`, standing orders, resign."""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.mail.commands import Argument, read_move
from pbem.match.endings import resign as decide_resignation
from pbem.match.play import give_standing_order, require_turn
from pbem.match.state import require_playing, require_running, require_seat
from pbem.notifications.move_views import MoveView
from pbem.service import questions
from pbem.service.conditions import add_condition, list_conditions
from pbem.service.handlers.offers import ask_for_takeback
from pbem.service.moves import (
    execute_scheduled_move,
    find_scheduled_move,
    require_fresh,
    send_receipt,
    take_back_scheduled_move,
)
from pbem.service.reading import PositionGrammar
from pbem.service.registry import N_, Group, Request, command
from pbem.store import waiting
from pbem.store.tables import QuestionRow

NO_CONDITIONS: Final = frozenset({"none", "keine"})


NOW: Final = "now"


@command(
    "undo",
    "take back",
    german=("zurücknehmen", "rückgängig"),
    group=Group.PLAY,
    help=N_("take back your last move"),
    details=N_(
        "If your move hasn't gone out yet, we take it back at once. After that we ask your "
        "opponent: only in two-player games, and once for each move. A bot always agrees. You "
        "can't take back a move if dice were rolled, or something was drawn or revealed, after it. "
        "Reply to our newest email: we refuse an undo in reply to an older one."
    ),
    needs_match=True,
    is_binding=True,
)
def undo(request: Request) -> None:
    """Delete the sender's scheduled move. If there is none, ask the opponent for a takeback.

    Raises:
        Rejection: `stale_reply`, or any rejection by `request_takeback`.
    """
    match = request.match()
    require_running(match)
    require_fresh(request, match)
    if take_back_scheduled_move(request.uow, match.id, request.player_id):
        request.reply("answer", topic="undone")
    else:
        ask_for_takeback(request)


@command(
    NOW,
    german=("sofort",),
    group=Group.PLAY,
    help=N_("send your move without waiting"),
    details=N_(
        "Your move goes out at once, with your message if you wrote one. After that, you can take "
        "it back only if your opponent agrees."
    ),
    needs_match=True,
    is_binding=True,
)
def send_now(request: Request) -> None:
    """Execute the sender's scheduled move at once.

    Raises:
        Rejection: `no_scheduled_move`.
    """
    row = find_scheduled_move(request)
    if row is None:
        raise Rejection("no_scheduled_move", match=request.match().id)
    execute_scheduled_move(request.uow, row)
    send_receipt(request)


@command(
    "try",
    german=("probier",),
    group=Group.PLAY,
    usage=N_("try MOVE"),
    help=N_("see the board after a move without playing it"),
    details=N_(
        "This works only when it's your turn. Your opponents aren't told, no dice are rolled, and "
        "nothing hidden is revealed."
    ),
    needs_match=True,
    argument=Argument.REQUIRED,
)
def try_move(request: Request) -> None:
    """Reply with the board after a move, without playing it or revealing anything hidden.

    Raises:
        Rejection: The move is illegal, or it is not the sender's turn.
    """
    match = request.match()
    seat = require_turn(match, request.player_id)
    notation = read_move(request.argument, PositionGrammar(match.game, match.position, seat))
    known = match.visible_position(seat)
    move = match.game.read_notation(notation, known)
    facts = match.game.move_facts(move, known, match.game.play(known, move))
    tried_move = MoveView(name=request.player.name, notation=notation, facts=facts, is_reader=True)
    request.reply("answer", topic="tried", tried=notation, tried_move=tried_move)


@command(
    "if",
    german=("wenn",),
    group=Group.PLAY,
    usage=N_("if MOVE then MOVE"),
    help=N_("answer a move in advance, with a conditional move"),
    details=N_(
        'For example: "if e5 then b1; plant a1". If your opponent plays the first move, we play '
        "the second one for you at once. If they play anything else, we drop it, and you move as "
        "usual. You can have five conditional moves at a time, only in two-player games, and only "
        "while it's your opponent's turn. To delete them, write \"if none\"."
    ),
    needs_match=True,
    argument=Argument.REQUIRED,
    form=r".+\s(?:then|dann)\s.+|none|keine",
)
def play_if(request: Request) -> None:
    """Store a conditional move, or delete the sender's conditional moves if the argument is `none`.

    Raises:
        Rejection: `stale_reply`, or any rejection by `add_condition`.
    """
    match = request.match()
    if request.argument.strip().casefold() in NO_CONDITIONS:
        seat = require_playing(match, request.player_id)
        waiting.drop_conditions(request.uow.conn, match.id, seat)
    else:
        require_fresh(request, match)
        add_condition(request)
        seat = require_seat(match, request.player_id)
    conditions = list_conditions(request.uow.conn, match.id, seat)
    request.reply("answer", topic="conditions", conditions=conditions)


def give_order(request: Request) -> None:
    """Store a standing order of the sender.

    The order makes a certain decision for the sender each time the decision is due. The argument of
    the request is the order in the game's notation.

    Raises:
        Rejection: Any rejection by `give_standing_order`.
    """
    uow, match = request.uow, request.match()
    events = give_standing_order(match, request.player_id, request.argument, uow.now)
    uow.append(match.id, events)
    request.reply("answer", topic="order", order=request.argument)


@command(
    "resign",
    "give up",
    german=("aufgeben", "gebe auf"),
    group=Group.PLAY,
    help=N_("give up the game"),
    details=N_("We ask you to confirm at your main address. After your yes, it can't be undone."),
    needs_match=True,
    is_binding=True,
)
def resign(request: Request) -> None:
    """Ask the sender, at their main address, to confirm that they resign.

    Raises:
        Rejection: The match is not running, or the sender has no seat.
    """
    match = request.match()
    require_running(match)
    require_seat(match, request.player_id)
    questions.ask_at_main_address(request, questions.RESIGN, match_id=match.id)


def carry_out_resignation(request: Request, _question: QuestionRow) -> None:
    """Resign the match for the sender, after their yes to our question."""
    uow, match = request.uow, request.match()
    uow.append(match.id, decide_resignation(match, request.player_id, uow.now))
