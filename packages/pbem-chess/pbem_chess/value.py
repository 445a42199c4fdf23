"""What a position of chess is worth to each seat: material, and the squares that pieces reach."""

from __future__ import annotations

from typing import Final

import chess

from pbem.games.game import Over, Seats
from pbem.games.worth import Term, at_the_end, total
from pbem_chess.rules import Position, board_of, turn

_WORTH: Final = {"pawn": 100, "knight": 310, "bishop": 325, "rook": 500, "queen": 950}


def terms(position: Position) -> tuple[tuple[Term, ...], ...]:
    """Of each seat: its pieces by kind, and how many squares they reach."""
    if not isinstance(turn(position), Seats):
        return ()
    return tuple(_terms(board_of(position), seat == 1) for seat in (1, 2))


def _terms(board: chess.Board, colour: chess.Color) -> tuple[Term, ...]:
    found = []
    for kind, worth in enumerate(_WORTH.values(), 1):
        number = len(board.pieces(kind, colour))
        found.append(Term(chess.piece_name(kind), number, number * worth))
    own = chess.SquareSet(board.occupied_co[colour])
    reach = sum(
        len(board.attacks(square)) for square in own if board.piece_type_at(square) != chess.KING
    )
    return (*found, Term("reach", reach, reach * 3))


def value(position: Position) -> tuple[int, ...]:
    """A whole number a seat; ends as all games have them."""
    now = turn(position)
    if isinstance(now, Over):
        return at_the_end(now.outcome.placings)
    return tuple(total(one) for one in terms(position)) or (0, 0)
