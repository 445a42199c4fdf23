"""The colours of the seats as an option of the match (LR-1.6)."""

from __future__ import annotations

from typing import Final

from pbem.games.game import Option
from pbem.games.landrush.position import COLOUR_LETTERS, COLOURS

IN_ORDER: Final = COLOUR_LETTERS.lower()
"""LR-1.6: the colours without a choice."""

_LETTERS: Final = {name.casefold(): letter for name, letter in zip(COLOURS, IN_ORDER, strict=True)}


class ColourChoice(Option):
    """`colours`: the letters of the seats' colours, as in `kr`, or their names, as in `black-red`.

    The recorded form has all five letters, the unused ones in their usual order, so that it serves
    any number of seats.
    """

    __slots__ = ()

    def __init__(self) -> None:
        """The only listed value is the usual order."""
        super().__init__("colours", (IN_ORDER,), IN_ORDER)

    def normal(self, typed: str, *, offered: bool = True) -> str | None:
        """All letters in the order chosen; None for an unknown colour, or the same one twice."""
        del offered  # every order of colours may be chosen
        words = typed.strip().casefold().replace("_", "-").split("-")
        chosen = "".join(_LETTERS.get(word, word) for word in words)
        if not chosen or len({*chosen}) != len(chosen) or not {*chosen} <= {*IN_ORDER}:
            return None
        return chosen + "".join(letter for letter in IN_ORDER if letter not in chosen)
