"""Conditional moves: `if MOVE then MOVE`, prepared for the opponent's next move.

Conditional moves are stored until the opponent has moved. If the opponent makes the expected move,
the answer is played in the same unit of work, so one email reports both moves. Whatever the
opponent plays, the unit of work then deletes all conditional moves for that turn. A conditional
move is refused if a random draw comes before the expected move or before the answer.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy import Connection

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Chance, Ply, Seat, Seats
from pbem.mail.commands import read_move
from pbem.match.events import Source
from pbem.match.play import SubmittedMove, play_move
from pbem.match.state import Match, require_playing
from pbem.names import MatchId
from pbem.service.reading import PositionGrammar
from pbem.service.registry import Request
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import waiting
from pbem.store.tables import ConditionalMoveRow

MAX_CONDITIONS: Final = 5  # conditional moves of one player for one turn
MAX_CONDITION_SEATS: Final = 2  # most seats of a match in which conditional moves are possible

_FORM: Final = re.compile(r"(?P<expected>.+?)[\s,;]+(?:then|dann)\s+(?P<answer>.+)", re.IGNORECASE)


def add_condition(request: Request) -> None:
    """Store the sender's conditional move, in place of an earlier one for the same expected move.

    The argument of the request is the text `MOVE then MOVE`.

    Raises:
        Rejection: `bad_condition`, `conditions_among_many`, `too_many_conditions`, `own_turn`,
            `no_answer_possible`, `draw_comes_first`, or a rejection of either move by the game.
    """
    uow, match = request.uow, request.match()
    seat = require_playing(match, request.player_id)
    if match.seats > MAX_CONDITION_SEATS:
        raise Rejection("conditions_among_many", match=match.id)
    parsed = _FORM.fullmatch(request.argument.strip())
    if parsed is None:
        raise Rejection("bad_condition", typed=request.argument)
    position, ply = match.visible_position(seat), Ply(match.ply + 1)
    if seat in match.to_move:
        scheduled = waiting.find_scheduled_move(uow.conn, match.id, seat)
        if scheduled is None:
            _try_two_moves(match.game, position)
            raise Rejection("own_turn", match=match.id)
        own_move = match.game.read_notation(scheduled.notation, position)
        position, ply = match.game.try_move(position, own_move, seat), Ply(ply + 1)
    expected, answer = _read(match, position, seat, parsed["expected"], parsed["answer"])
    rows = waiting.list_conditions(uow.conn, match.id, seat)
    if len([row for row in rows if row.expected != expected]) >= MAX_CONDITIONS:
        raise Rejection("too_many_conditions", most=MAX_CONDITIONS)
    waiting.add_condition(
        uow.conn,
        ConditionalMoveRow(
            match=match.id,
            seat=seat,
            expected=expected,
            ply=ply,
            answer=answer,
            message_hash=request.submission.message_hash,
        ),
    )


def _read(match: Match, position: Any, seat: Seat, expected: str, answer: str) -> tuple[str, str]:
    """Return the opponent's move `expected` and the seat's `answer` to it in canonical notation.

    Raises:
        Rejection: Either move is illegal in its position, the opponent is not to move in
            `position`, the seat is not to move after the expected move, or a random draw comes
            before one of the moves.
    """
    game = match.game
    seats = _require_no_draw(game, position)
    if not seats or seat in seats:
        raise Rejection("own_turn", match=match.id)
    [opponent] = seats
    expected = read_move(expected, PositionGrammar(game, position, opponent))
    move = game.read_notation(expected, position)
    after = game.try_move(position, move, opponent)
    if seat not in _require_no_draw(game, after):
        raise Rejection("no_answer_possible", move=expected)
    return expected, read_move(answer, PositionGrammar(game, after, seat))


def _try_two_moves(game: AnyGame, position: Any) -> None:
    """Play any move of the sender and any answer, to find out whether something is drawn after it.

    Then conditional moves are impossible in this game, and the sender learns it before moving.

    Raises:
        Rejection: `draw_comes_first`.
    """
    for _ in range(2):
        if _require_no_draw(game, position):
            position = game.play(position, game.legal_moves(position)[0])
    _require_no_draw(game, position)


def _require_no_draw(game: AnyGame, position: Any) -> tuple[Seat, ...]:
    """Return the seats to act in a position; empty if the game is over.

    Raises:
        Rejection: `draw_comes_first`: before any seat acts, something is drawn at random.
    """
    turn = game.turn(position)
    if isinstance(turn, Chance):
        raise Rejection("draw_comes_first", game=game.title)
    return turn.seats if isinstance(turn, Seats) else ()


def list_conditions(conn: Connection, match_id: MatchId, seat: Seat) -> list[dict[str, str]]:
    """Return the seat's conditional moves for templates.

    Each is a dict with the expected move as `if_move` and the answer as `then_move`.
    """
    rows = waiting.list_conditions(conn, match_id, seat)
    return [{"if_move": row.expected, "then_move": row.answer} for row in rows]


def fire_conditions(uow: UnitOfWork, match_id: MatchId, ply: Ply) -> None:
    """Play the conditional move that was prepared for the move just made, if there is one.

    `ply` is the number of that move.
    """
    match = uow.load_match(match_id)
    notation = match.game.notation(match.plies[ply - 1].move)
    for row in waiting.list_conditions(uow.conn, match_id):
        if row.ply == ply and row.expected == notation:
            _play_answer(uow, match, row)
            return


def _play_answer(uow: UnitOfWork, match: Match, row: ConditionalMoveRow) -> None:
    move = SubmittedMove(
        text=row.answer,
        source=Source.CONDITION,
        received=uow.now,
        message_hash=row.message_hash,
    )
    try:
        events = play_move(match, match.player_at(Seat(row.seat)), move, uow.now)
    except Rejection:
        return  # a hidden fact has made the answer illegal, or has ended the match
    uow.append(match.id, events)
