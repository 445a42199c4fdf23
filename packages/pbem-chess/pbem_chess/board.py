"""What the words of the templates need, and the board in letters and as a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import chess
import chess.svg

from pbem.errors import Facts
from pbem.games.drawing.document import MARGIN, document
from pbem.games.drawing.glyphs import write_all
from pbem.games.drawing.palette import GREY
from pbem.games.drawing.svg import element
from pbem.games.game import (
    Board,
    ChanceResult,
    GameOver,
    Hotspot,
    Marks,
    SeatLetters,
    Seats,
    Style,
    Viewpoint,
)
from pbem_chess.notation import notation
from pbem_chess.rules import Move, Position, board_of, legal_moves, turn

NAMES: Final = {1: "White", 2: "Black"}
_SIDE: Final = 45
"""The side of a square: python-chess draws its pieces in such."""

_EDGE: Final = 22
_WIDE: Final = 2 * _EDGE + 8 * _SIDE
_FAR: Final = _WIDE - _EDGE / 2
_LIGHT, _DARK, _FROM, _TO, _CHECK = "#f0d9b5", "#b58863", "#e6cf6e", "#f3e27c", "#f0877c"
_SAMPLES: Final = 3


def squares(viewpoint: Viewpoint) -> Iterator[list[int]]:
    """The rows of the board from the top, as a viewpoint looks at it: Black from its own side."""
    ranks, files = (range(8), range(7, -1, -1)) if viewpoint == 2 else (range(7, -1, -1), range(8))  # noqa: PLR2004
    for rank in ranks:
        yield [chess.square(file, rank) for file in files]


def move_facts(move: Move | ChanceResult, before: Position, after: Position) -> Facts:
    """What happened: the move, or the number of the start that was drawn."""
    if isinstance(move, ChanceResult):
        return {"kind": "start", "number": move.values[0]}
    board, played, over = board_of(before), chess.Move.from_uci(move.uci), turn(after)
    kind = chess.PAWN if board.is_en_passant(played) else board.piece_type_at(played.to_square)
    return {
        "kind": "move",
        "taken": chess.piece_name(kind) if kind and board.is_capture(played) else None,
        "check": board_of(after).is_check(),
        "over": over.outcome.termination if isinstance(over, GameOver) else None,
    }


def board(position: Position, viewpoint: Viewpoint, style: Style, signs: SeatLetters = ()) -> Board:
    """The board in signs, with what is told of it."""
    del signs
    now = turn(position)
    ended = now.outcome.termination if isinstance(now, GameOver) else None
    if not position.root:
        return Board((), {"kind": "start", "over": ended, "can": None})
    shown = board_of(position)
    rows = list(squares(viewpoint))
    names = "    " + " ".join(chess.square_name(square)[0] for square in rows[0])
    lines = [names, *(_line(shown, row, style) for row in rows), names]
    to_move = now.seats[0] if isinstance(now, Seats) else 0
    return Board(
        tuple(lines),
        {
            "kind": "board",
            "seats": [_side(shown, seat, to_move, viewpoint) for seat in (1, 2)],
            "check": shown.is_check(),
            "move": shown.fullmove_number,
            "fen": shown.fen(),
            "over": ended,
            "claim": to_move != 0 and (shown.is_fifty_moves() or shown.is_repetition(3)),
            "can": {"samples": _samples(position)} if to_move and viewpoint == to_move else None,
        },
    )


def _samples(position: Position) -> list[str]:
    moves = legal_moves(position)
    return [notation(move) for move in moves[:: max(1, len(moves) // _SAMPLES)][:_SAMPLES]]


def _line(shown: chess.Board, row: list[int], style: Style) -> str:
    rank = chess.square_name(row[0])[1]
    return f"{rank}   {' '.join(_sign(shown.piece_at(square), style) for square in row)}   {rank}"


def _sign(piece: chess.Piece | None, style: Style) -> str:
    if piece is None:
        return "." if style is Style.ASCII else "·"
    return piece.symbol()


def _side(shown: chess.Board, seat: int, to_move: int, viewpoint: Viewpoint) -> Mapping[str, Any]:
    colour = seat == 1
    pieces = {
        chess.piece_name(kind): [chess.square_name(one) for one in shown.pieces(kind, colour)]
        for kind in range(chess.KING, 0, -1)
    }
    mine = {"to_move": seat == to_move, "you": seat == viewpoint, "left": False}
    return {"seat": seat, "colour": NAMES[seat], "pieces": pieces, **mine}


# --- picture --------------------------------------------------------------------------------------


def _grounds(position: Position, marks: Marks[Position, Move]) -> dict[int, str]:
    """The colour of each square: those of the last move, and of a king in check, are others."""
    light = chess.SquareSet(chess.BB_LIGHT_SQUARES)
    found = {square: _LIGHT if square in light else _DARK for square in chess.SQUARES}
    for one in [one.move for one in marks.transitions if isinstance(one.move, Move)][-1:]:
        for square in (chess.parse_square(one.uci[:2]), chess.parse_square(one.uci[2:4])):
            found[square] = _TO if square in light else _FROM
    board = board_of(position) if position.root else None
    if board is not None and board.is_check() and (king := board.king(board.turn)) is not None:
        found[king] = _CHECK
    return found


_TAG: Final = re.compile(r"<(\w+)([^>]*?)(/?)>")
_STYLE: Final = re.compile(r"([\w-]+):\s*([^;]+)")


def _plain(tag: re.Match[str]) -> str:
    """A tag of python-chess's with attributes in place of styles, which win over attributes."""
    given = dict(re.findall(r'([\w-]+)="([^"]*)"', tag[2]))
    given |= dict(_STYLE.findall(given.pop("style", "")))
    said = "".join(f' {k}="{v.strip()}"' for k, v in given.items() if k not in {"id", "class"})
    return f"<{tag[1]}{said}{tag[3]}>"


_DRAWN: Final = {symbol: _TAG.sub(_plain, drawn) for symbol, drawn in chess.svg.PIECES.items()}
"""The pieces as python-chess draws them, in squares of 45."""


def picture(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> str:
    """The board with the last move, and a king in check, on other grounds."""
    shown = board_of(position) if position.root else chess.Board(None)
    grounds, body, names, used = _grounds(position, marks), [], [], set()
    for square, x, y in _placed(viewpoint):
        name, piece = chess.square_name(square), shown.piece_at(square)
        ground = grounds[square]
        body.append(element("rect", x=x, y=y, width=_SIDE, height=_SIDE, fill=ground))
        if piece is not None:
            code = ("w" if piece.color else "b") + piece.symbol().lower()
            used.add((code, piece.symbol()))
            body.append(element("use", href=f"#c-{code}", x=x, y=y))
        if y == _EDGE:
            names += [(name[0], x + _SIDE / 2, north) for north in (_EDGE / 2, _FAR)]
        if x == _EDGE:
            names += [(name[1], west, y + _SIDE / 2) for west in (_EDGE / 2, _FAR)]
    defs = "".join(f'<g id="c-{code}">{_DRAWN[symbol]}</g>' for code, symbol in sorted(used))
    return document(_WIDE, _WIDE, defs, [*body, write_all(names, 10, GREY)])


def _placed(viewpoint: Viewpoint) -> Iterator[tuple[int, float, float]]:
    """Each square with its upper left corner."""
    for y, row in enumerate(squares(viewpoint)):
        for x, square in enumerate(row):
            yield square, _EDGE + x * _SIDE, _EDGE + y * _SIDE


def hotspots(_position: Position, viewpoint: Viewpoint) -> tuple[Hotspot, ...]:
    """Every square of the board."""
    half = _SIDE / 2
    return tuple(
        Hotspot(chess.square_name(square), MARGIN + x + half, MARGIN + y + half, half, True)
        for square, x, y in _placed(viewpoint)
    )
