"""Moves as text and back, forgiving and strict, and positions as a line of text."""

from __future__ import annotations

import re
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.legacy.skeleton.nine.rules import CELLS, Move, Position, check, legal

WORDS: Final = re.compile(r"(?<![a-z0-9])(?:[a-c][1-3]|[1-3][a-c]|take)(?![a-z0-9])")
"""What only an order of this game is likely to have; a line without one is a comment."""

SIGNS: Final = ".xo"
"""A cell in a position's text: free, of seat 1, of seat 2."""

_WORD: Final = re.compile(r"\w+")
_POSITION: Final = re.compile(r"(?P<cells>[.xo]{9})(?: left (?P<left>[12]))?")


def notation(move: Move) -> str:
    """NI-4.1: the canonical form, in which a match is recorded."""
    return CELLS[move.cell]


def read(canonical: str, position: Position) -> Move:
    """The move that `notation` wrote, and nothing else."""
    del position
    if canonical not in CELLS:
        raise Rejection("unreadable", word=canonical)
    return Move(CELLS.index(canonical))


def parse(text: str, position: Position, seat: Seat) -> Move:
    """NI-4.2: what somebody typed: `b2`, `B2`, `2b`, `take b2`. Raises Rejection."""
    del seat
    words = [word for word in _WORD.findall(text.casefold()) if word != "take"]
    named = [name for word in words for name in (word, word[::-1]) if name in CELLS]
    if len(words) != 1 or not named:
        example = [notation(move) for move in legal(position)[:1]]
        raise Rejection("not_a_move", typed=text, example=", ".join(example))
    move = Move(CELLS.index(named[0]))
    check(position, move)
    return move


def dump(position: Position) -> str:
    """The signs of all cells, and who left."""
    cells = "".join(SIGNS[seat] for seat in position.cells)
    return f"{cells} left {position.left}" if position.left else cells


def load(text: str) -> Position:
    """The position that `dump` wrote. Raises Rejection."""
    found = _POSITION.fullmatch(text)
    if found is None:
        raise Rejection("bad_position", found=text)
    return Position(tuple(map(SIGNS.index, found["cells"])), int(found["left"] or 0))
