"""Canonical notation of moves (LR-7.10). `grammar` reads what players type."""

from __future__ import annotations

import re
from typing import Final

from pbem.games.landrush.move_checks import refusal
from pbem.games.landrush.position import (
    NUMBERS,
    SIZE_LETTERS,
    SQUARES,
    Move,
    Pass,
    Placement,
    Play,
    Position,
)

_SQUARE: Final = "[a-h](?:1[0-2]|[1-9])"
_CANONICAL: Final = re.compile(
    rf"(?P<square>{_SQUARE})"
    rf"(?: (?P<size>[SML])(?: x (?P<taken>{_SQUARE}=[SML](?: {_SQUARE}=[SML])*))?)?"
    r"|pass"
)


def notation(move: Move) -> str:
    """Return the canonical text of a move."""
    match move:
        case Pass():
            return "pass"
        case Placement(square):
            return SQUARES[square]
        case Play(square, size, taken):
            text = f"{SQUARES[square]} {SIZE_LETTERS[size]}"
            if not taken:
                return text
            pairs = (f"{SQUARES[target]}={SIZE_LETTERS[new]}" for target, new in taken)
            return f"{text} x {' '.join(pairs)}"


def read_notation(canonical: str, position: Position) -> Move:
    """Return the move with this canonical text; its legality is not checked.

    Raises:
        Rejection: `unreadable` if the text is not canonical notation.
    """
    match = _CANONICAL.fullmatch(canonical)
    if match is None:
        raise refusal(position, "unreadable", word=canonical)
    if not match["square"]:
        return Pass()
    square = NUMBERS[match["square"]]
    if not match["size"]:
        return Placement(square)
    pairs = [pair.split("=") for pair in (match["taken"] or "").split()]
    replacements = tuple((NUMBERS[name], SIZE_LETTERS.index(letter)) for name, letter in pairs)
    if list(replacements) != sorted(replacements):  # LR-7.6
        raise refusal(position, "unreadable", word=canonical)
    return Play(square, SIZE_LETTERS.index(match["size"]), replacements)
