"""Evaluation of chess positions: material, and the squares that pieces reach."""

from __future__ import annotations

from typing import Final

import chess

from pbem.games.evaluation import evaluate_end
from pbem.games.game import GameOver
from pbem_chess.rules import Position, board_of, turn

_WORTH: Final = {"pawn": 100, "knight": 310, "bishop": 325, "rook": 500, "queen": 950}


def evaluate(position: Position) -> tuple[int, ...]:
    """Return the worth of a position by seat, in hundredths of a pawn."""
    now = turn(position)
    if isinstance(now, GameOver):
        return evaluate_end(now.outcome.placings)
    board = board_of(position)
    return _count(board, chess.WHITE), _count(board, chess.BLACK)


def _count(board: chess.Board, colour: chess.Color) -> int:
    pieces = sum(
        len(board.pieces(kind, colour)) * worth for kind, worth in enumerate(_WORTH.values(), 1)
    )
    own = chess.SquareSet(board.occupied_co[colour])
    reach = sum(
        len(board.attacks(square)) for square in own if board.piece_type_at(square) != chess.KING
    )
    return pieces + 3 * reach
