"""The colours of the seats as an option of the match (LL-1.2)."""

from __future__ import annotations

from typing import Final

from pbem.games.game import Option
from pbem.games.looney_ludo.position import COLOURS, LETTERS

IN_ORDER: Final = LETTERS.lower()
"""LL-1.2: the colours without a choice."""

_NAMES: Final = {name.casefold(): name[0].casefold() for name in COLOURS}


class ColourChoice(Option):
    """`colours`: the letters of the seats' colours, as in `rb`, or their names, as in `red-blue`.

    The recorded form has all six letters, the unused ones in their usual order, so that it can be
    read for any number of seats.
    """

    __slots__ = ()

    def __init__(self) -> None:
        """The only listed value is the usual order."""
        super().__init__("colours", (IN_ORDER,), IN_ORDER)

    def normal(self, typed: str, *, offered: bool = True) -> str | None:
        """All letters in the order chosen, or None for a letter too much or an unknown one."""
        del offered  # every order of colours may be chosen
        value = typed.strip().casefold()
        words = value.replace("_", "-").split("-")
        letters = "".join(_NAMES.get(word, word) for word in words)
        if not letters or len({*letters}) != len(letters) or not {*letters} <= {*IN_ORDER}:
            return None
        return letters + "".join(letter for letter in IN_ORDER if letter not in letters)
