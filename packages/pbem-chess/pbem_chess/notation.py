"""Moves as people write them: `e4`, `Nf3`, `Sf3`, `exd5`, `e2-e4`, `O-O`, `0-0`, `e8=Q`, `e8D`."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

import chess

from pbem.errors import Rejection
from pbem.games.game import Seats
from pbem.games.vocabulary import Vocabulary
from pbem_chess.rules import Move, Position, board_of, turn

_PIECES: Final = {
    **dict(zip("KQRBN", "KQRBN", strict=True)),
    **dict(zip("SLTD", "NBRQ", strict=True)),  # German: Springer, Läufer, Turm, Dame
}
_PAWN: Final = "P"
_SMALL: Final = {letter.lower(): piece for letter, piece in _PIECES.items()}

_CASTLES: Final = re.compile(r"[O0o]-?[O0o](?P<far>-?[O0o])?[+#!?]*")
_SQUARES: Final = re.compile(
    r"(?P<piece>[KQRBNSLTDP])?(?P<start>[a-h][1-8])\s*(?:-|–|to|x|:)?\s*(?P<to>[a-h][1-8])"
    r"\s*[=(/]?(?P<into>[QRBNSLTDqrbnsltd])?\)?[+#!?]*"
)
_SAN: Final = re.compile(
    r"(?P<piece>[KQRBNSLTDPkqrnslt])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<takes>[x:])?"
    r"(?P<to>[a-h][1-8])\s*[=(/]?(?P<into>[QRBNSLTDqrbnsltd])?\)?[+#!?]*"
)
_BISHOP: Final = re.compile(r"b(?P<rest>[a-h]?[1-8]?[x:]?[a-h][1-8][+#!?]*)")
_AROUND: Final = re.compile(r"^\s*(?:\d{1,3}\s*\.+\s*)?|\s*(?:e\.?\s?p\.?)?[\s.]*$")

_FIGURINES: Final = str.maketrans(
    dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNP" * 2, strict=True)) | {"\ufe0e": None, "\ufe0f": None}
)
_APART: Final = re.compile(r"(?P<letter>[KQRBNSLTDP])[\s.]+(?=[a-hx1-8])")
_BLANKS: Final = re.compile(r"\s+(?=x|[+#])|(?<=x)\s+(?=[a-h][1-8])")

WORDS: Final = re.compile(
    r"(?<![\w@])(?:[kqrbnsltd]?[a-h]?[1-8]?[x:-]?[a-h][1-8](?:=?[qrbnsltd])?[+#]?"
    r"|[o0]-[o0](?:-[o0])?)(?![\w@])"
)
"""What is likely a move of chess and nothing else."""

LETTERED: Final = re.compile(r"((?<![\w])|=)([KQRBN])(?=[a-h]?[1-8]?x?[a-h][1-8]|[+#]|(?!\w))")
"""The letters of pieces in a move as it is kept."""

VOCABULARY: Final = Vocabulary(
    {
        "": "please|i|i'll|my|the|from|on|to|move|moves|goes|play",
        "K": "king",
        "Q": "queen",
        "R": "rook",
        "B": "bishop",
        "N": "knight",
        "P": "pawn",
        "x": "takes|take|taking|captures|capture",
        "=": "promotes to|promoting to|becomes|promotion to",
        "+": "check|with check",
        "#": "mate|checkmate",
        "O-O": "castle kingside|castles kingside|castle short|castles short|kingside castling",
        "O-O-O": "castle queenside|castles queenside|castle long|castles long|queenside castling",
    },
    {
        "de": {
            "": "bitte|ich|mein|meine|meinen|der|die|den|von|vom|nach|auf|spiele|ziehe|zieht|geht",
            "K": "könig|koenig",
            "Q": "dame",
            "R": "turm",
            "B": "läufer|laeufer",
            "N": "springer",
            "P": "bauer",
            "x": "schlägt|schlaegt|schlage",
            "=": "wird|wird zur|wird zum|umwandlung in",
            "+": "schach",
            "#": "matt|schachmatt",
            "O-O": "|kurze rochade|rochade kurz|rochiere kurz",
            "O-O-O": "|lange rochade|rochade lang|rochiere lang",
        }
    },
    letters={"de": {"Q": "D", "R": "T", "B": "L", "N": "S"}},
    lettered=LETTERED,
)
"""What people write for pieces, and the letters of pieces in German."""


def notation(move: Move) -> str:
    """A move in standard algebraic notation, which is what is kept."""
    return board_of(move.at).san(chess.Move.from_uci(move.uci))


def read_notation(text: str, position: Position) -> Move:
    """What is kept, strictly."""
    if isinstance(turn(position), Seats):
        with suppress(ValueError):
            move = Move(board_of(position).parse_san(text).uci(), position)
            if notation(move) == text:
                return move
    raise Rejection("illegal", typed=text, legal=_some(position, _legal(position)))


def parse(text: str, position: Position, seat: int) -> Move:
    """A move as somebody typed it. Raises Rejection."""
    del seat
    typed = _in_letters(text)
    moves = _legal(position)
    if not moves:
        raise Rejection("game_over", termination="", placings=())
    board = board_of(position)
    if (found := _CASTLES.fullmatch(typed)) is not None:
        castles = (
            board.is_kingside_castling if found["far"] is None else board.is_queenside_castling
        )
        meant = [move for move in moves if castles(move)]
    elif len(typed) == 1 and typed in {*_PIECES, _PAWN}:
        raise _unsaid(position, moves, typed)
    elif (found := _SQUARES.fullmatch(typed)) is not None:
        meant = _between(board, moves, found)
    elif (found := _SAN.fullmatch(typed)) is not None:
        meant = _to(board, moves, found)
        small = _BISHOP.fullmatch(typed)
        if not meant and small is not None and (again := _SAN.fullmatch("B" + small["rest"])):
            meant = _to(board, moves, again)
    else:
        raise Rejection("not_a_move", typed=text, example=board.san(moves[0]))
    return Move(_one(position, typed, meant, found).uci(), position)


def _in_letters(text: str) -> str:
    """A move with its piece as a letter, however it is named: `knight f3`, `♘f3`, `N f3`."""
    typed = _AROUND.sub("", VOCABULARY.normalise(text).translate(_FIGURINES))
    letter = _APART.match(typed)
    if letter is not None:
        typed = letter["letter"] + typed[letter.end() :]
    return _BLANKS.sub("", typed)


def _legal(position: Position) -> list[chess.Move]:
    if not isinstance(turn(position), Seats):
        return []
    return sorted(board_of(position).legal_moves, key=chess.Move.uci)


def _between(board: chess.Board, moves: list[chess.Move], found: re.Match[str]) -> list[chess.Move]:
    """The moves between two squares; a king castles to where it comes, or onto its rook."""
    start, to = chess.parse_square(found["start"]), chess.parse_square(found["to"])
    if found["piece"] and board.piece_type_at(start) != _kind(found["piece"]):
        return []  # `Bg1-f3` moves no knight
    meant = [move for move in moves if move.from_square == start and move.to_square == to]
    for move in moves:
        if not meant and move.from_square == start and board.is_castling(move):
            short = board.is_kingside_castling(move)
            rook = chess.square_file(to) > chess.square_file(start)
            onto = to in board.pieces(chess.ROOK, board.turn) and rook == short
            if onto or to == chess.square(6 if short else 2, chess.square_rank(start)):
                meant = [move]
    return meant


def _kind(letter: str) -> chess.PieceType:
    symbol = _PIECES.get(letter) or _SMALL.get(letter) or _PAWN
    return chess.Piece.from_symbol(symbol).piece_type


def _unsaid(position: Position, moves: list[chess.Move], letter: str) -> Rejection:
    """Refuse a piece without a square, which is a part of a move."""
    board = board_of(position)
    own = [move for move in moves if board.piece_type_at(move.from_square) == _kind(letter)]
    if not own:
        return Rejection("illegal", typed=letter, legal=_some(position, moves))
    return Rejection("ambiguous", typed=letter, choices=_some(position, own))


def _to(board: chess.Board, moves: list[chess.Move], found: re.Match[str]) -> list[chess.Move]:
    to, wanted = chess.parse_square(found["to"]), _kind(found["piece"] or _PAWN)
    return [
        move
        for move in moves
        if move.to_square == to
        and board.piece_type_at(move.from_square) == wanted
        and not board.is_castling(move)
        and (found["takes"] is None or board.is_capture(move))
        and (found["file"] is None or chess.square_name(move.from_square)[0] == found["file"])
        and (found["rank"] is None or chess.square_name(move.from_square)[1] == found["rank"])
    ]


def _one(
    position: Position, typed: str, meant: list[chess.Move], found: re.Match[str]
) -> chess.Move:
    if any(move.promotion for move in meant):
        into = found.groupdict().get("into")
        if into is None:
            raise Rejection("promotion_missing", typed=typed, choices=_some(position, meant))
        kind = chess.Piece.from_symbol(_SMALL[into.lower()]).piece_type
        meant = [move for move in meant if move.promotion == kind]
    elif found.groupdict().get("into"):
        meant = []  # `f3 N` is no promotion; the piece is not dropped from what was typed
    if len(meant) > 1:
        raise Rejection("ambiguous", typed=typed, choices=_some(position, meant))
    if not meant:
        code = "in_check" if board_of(position).is_check() else "illegal"
        raise Rejection(code, typed=typed, legal=_some(position, _legal(position)))
    return meant[0]


_MOST: Final = 12


def _some(position: Position, moves: list[chess.Move]) -> list[str]:
    board = board_of(position)
    return [board.san(move) for move in moves[:: max(1, len(moves) // _MOST)][:_MOST]]
