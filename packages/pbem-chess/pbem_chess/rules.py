"""Positions of chess, whose turn it is, and what becomes of them; `CH-` numbers cite rules.md.

The board itself is python-chess's. A position is the last one behind which there is no way back (a
capture, a move of a pawn), and the moves since: so it knows what has occurred how often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import chess

from pbem.errors import Rejection
from pbem.games.chance import Draw, OneOf
from pbem.games.game import Chance, ChanceResult, GameOver, Outcome, Seat, Seats, Turn

STARTS: Final = 960
"""The positions that Chess960 begins from."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position: `moves` (in UCI) were played since `root` (a FEN, empty before a start is drawn).

    `ended` is the word for an end that is not on the board: `agreement`, `threefold`, `fifty`.
    `gone` is the seat that has left, 0 while both play.
    """

    root: str
    moves: tuple[str, ...] = ()
    any_start: bool = False
    ended: str = ""
    gone: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """A move in UCI, and the position in which it can be made: by that it is written in SAN."""

    uci: str
    at: Position


@lru_cache(maxsize=1024)
def _board(root: str, moves: tuple[str, ...], any_start: bool) -> chess.Board:  # noqa: FBT001 - a field of positions
    if moves:
        board = _board(root, moves[:-1], any_start).copy()
        board.push(chess.Move.from_uci(moves[-1]))
        return board
    return chess.Board(root or None, chess960=any_start)


def board_of(position: Position) -> chess.Board:
    """The board with the moves since its root; whoever changes it copies it first."""
    return _board(position.root, position.moves, position.any_start)


def initial_position(seats: int, options: Mapping[str, str]) -> Position:
    """CH-1: the usual start, or one of 960 that is drawn (CH-6)."""
    del seats
    drawn = options["start"] == "960"
    return Position("" if drawn else chess.STARTING_FEN, any_start=drawn)


def turn(position: Position) -> Turn:
    """CH-2, CH-4: White is seat 1."""
    if position.gone:
        return GameOver(Outcome((2, 1) if position.gone == 1 else (1, 2), "last_seat"))
    if position.ended:
        return GameOver(Outcome((1, 1), position.ended))
    if not position.root:
        return Chance(Draw("start", (OneOf(STARTS),)))
    board = board_of(position)
    if not any(board.generate_legal_moves()):
        if not board.is_check():
            return GameOver(Outcome((1, 1), "stalemate"))
        return GameOver(Outcome((2, 1) if board.turn else (1, 2), "checkmate"))
    if board.is_insufficient_material():
        return GameOver(Outcome((1, 1), "material"))
    if board.is_seventyfive_moves():
        return GameOver(Outcome((1, 1), "seventy_five"))
    if len(position.moves) >= 16 and board.is_fivefold_repetition():  # noqa: PLR2004 - four times back
        return GameOver(Outcome((1, 1), "fivefold"))
    return Seats((Seat(1 if board.turn else 2),))


def legal_moves(position: Position) -> Sequence[Move]:
    """Every legal move, in an order that is always the same."""
    if not isinstance(turn(position), Seats):
        return ()
    return [Move(uci, position) for uci in sorted(m.uci() for m in board_of(position).legal_moves)]


def play(position: Position, move: Move | ChanceResult) -> Position:
    """The next position. Raises Rejection for what is not legal."""
    now = turn(position)
    if isinstance(move, ChanceResult):
        if not isinstance(now, Chance) or len(move.values) != 1 or not 0 <= move.values[0] < STARTS:
            raise Rejection("illegal", typed=str(move.values), legal=())
        return replace(position, root=chess.Board.from_chess960_pos(move.values[0]).fen())
    if isinstance(now, GameOver):
        raise Rejection("game_over", termination=now.outcome.termination, placings=())
    board, played = board_of(position), chess.Move.from_uci(move.uci)
    if not isinstance(now, Seats) or played not in board.legal_moves:
        raise Rejection("illegal", typed=move.uci, legal=())
    if not board.is_zeroing(played):
        return replace(position, moves=(*position.moves, move.uci))
    board = board.copy(stack=False)
    board.push(played)
    return replace(position, root=board.fen(), moves=())


def leave(position: Position, seat: int) -> Position:
    """CH-5.1: who resigns, or runs out of time, has lost."""
    return position if position.gone else replace(position, gone=seat)


def agree_draw(position: Position) -> Position:
    """CH-5.2; who agrees to what either could have claimed has claimed it."""
    return claim_draw(position) or replace(position, ended="agreement")


def claim_draw(position: Position) -> Position | None:
    """CH-5.3, CH-5.4: the position after a draw that can be claimed, if one can."""
    if not isinstance(turn(position), Seats):
        return None
    board = board_of(position)
    if board.is_repetition(3):
        return replace(position, ended="threefold")
    return replace(position, ended="fifty") if board.is_fifty_moves() else None


def dump(position: Position) -> str:
    """As one line: root, moves, and what else there is, between strokes."""
    kind = "960" if position.any_start else "usual"
    return "|".join(
        (kind, position.root, " ".join(position.moves), position.ended, str(position.gone))
    )


def load(text: str) -> Position:
    """What `dump` wrote, or a FEN. Raises Rejection `bad_position`."""
    parts = text.split("|") if "|" in text else ["usual", text, "", "", "0"]
    try:
        kind, root, moves, ended, gone = parts
        found = Position(root, tuple(moves.split()), kind == "960", ended, int(gone))
        board = chess.Board(root or None, chess960=found.any_start)
        for move in found.moves:
            board.push(board.parse_uci(move))
    except ValueError:
        raise Rejection("bad_position", found=text[:200]) from None
    if (
        dump(found) != "|".join(parts)
        or found.gone not in (0, 1, 2)
        or not (root or found.any_start)
    ):
        raise Rejection("bad_position", found=text[:200])
    if root and not board.is_valid():
        raise Rejection("bad_position", found=text[:200])
    return replace(found, root=chess.Board(root, chess960=found.any_start).fen() if root else "")
