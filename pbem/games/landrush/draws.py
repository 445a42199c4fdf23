"""Notation of random draws: `Suns 3` for a coin, `Yellow` for the starting seat (LR-6.2)."""

from __future__ import annotations

import re
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import ChanceResult
from pbem.games.landrush.move_checks import refusal
from pbem.games.landrush.position import (
    COLOUR_LETTERS,
    SUITS,
    VALUES,
    Phase,
    Position,
)

_SUITS: Final = {name.casefold(): number for number, name in enumerate(SUITS)}
_VALUES: Final = {name.casefold(): number for number, name in enumerate(VALUES)}
_SEAT: Final = re.compile(r"(?:seat )?([1-5])")


def coin_text(coin: int) -> str:
    """Return the text of the coin with this number, as in `Suns 3`."""
    suit, value = divmod(coin, len(VALUES))
    return f"{SUITS[suit]} {VALUES[value]}"


def coin_number(text: str) -> int | None:
    """Return the number of the coin from its text (`Suns 3` or `3 Suns`); None for other text."""
    match text.casefold().split():
        case [one, other]:
            suit, value = (one, other) if one in _SUITS else (other, one)
        case _:
            return None
    if suit in _SUITS and value in _VALUES:
        return len(VALUES) * _SUITS[suit] + _VALUES[value]
    return None


def chance_notation(position: Position, result: ChanceResult) -> str:
    """Return the result of the draw as text: a coin as `Suns 3`, a starting seat as its colour."""
    if position.phase is Phase.START:
        return position.colour(position.playing[result.values[0]])
    return coin_text(result.values[0])


def read_chance(text: str, position: Position) -> ChanceResult:
    """Return the result of the random draw that `chance_notation` writes as this text.

    A starting seat may also be named by its colour's letter or by its number.

    Raises:
        Rejection: `unreadable` for any other text, or if no such draw is due.
    """
    value = _value(" ".join(text.casefold().split()), position)
    if value is None:
        raise _unreadable(position, text)
    return ChanceResult((value,))


def _value(text: str, position: Position) -> int | None:
    if position.phase is Phase.DRAW:
        return coin_number(text)
    if position.phase is not Phase.START:
        return None
    numbered = _SEAT.fullmatch(text)
    for index, seat in enumerate(position.playing):
        letter = COLOUR_LETTERS[position.setting.colours[seat - 1]]
        if text in {position.colour(seat).casefold(), letter.casefold()}:
            return index
        if numbered is not None and int(numbered[1]) == seat:
            return index
    return None


def _unreadable(position: Position, text: str) -> Rejection:
    return refusal(position, "unreadable", word=text)
