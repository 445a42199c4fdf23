"""The options of a match: rules that the challenger may choose, and the colours of the seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MAX_DIGITS: Final = 9  # of a typed number; Python refuses to convert thousands of digits


@dataclass(frozen=True, slots=True)
class Option:
    """A choice about the rules that the challenger may make.

    Attributes:
        name: The name of the option.
        values: The words that challengers may choose.
        default: The value of the option if the challenger chooses no value.
        numbers: Whole numbers that challengers may choose as well, or None.
        is_starter: Whether the option decides who starts. With the value `given`, the challenger's
            seat order decides; with any other value, chance does. Players call such an option
            `starter` in every game.
    """

    name: str
    values: tuple[str, ...]
    default: str
    numbers: range | None = None
    is_starter: bool = False

    def normalise(self, typed: str) -> str | None:
        """Return the stored form of a typed value, or None if the value is not allowed."""
        value = typed.strip().casefold()
        if value in self.values:
            return value
        is_number = value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS
        if self.numbers is None or not is_number or int(value) not in self.numbers:
            return None
        return str(int(value))


@dataclass(frozen=True, slots=True)
class ColourChoice(Option):
    """The option `colours`: the colour of each seat, in seat order.

    Hosts write letters, as in `rb`, or names, as in `red-blue`. The stored form has the letters
    of all colours, the chosen ones first, so that it is valid for any number of seats.
    `names` has all colours in their usual order, and `default` has their letters.
    """

    names: tuple[str, ...] = ()

    def normalise(self, typed: str) -> str | None:
        """Return the typed colours in stored form, or None if they are not allowed.

        Unknown and repeated colours are not allowed, and at least one colour must be typed.
        """
        words = typed.strip().casefold().replace("_", "-").split("-")
        letters = "".join(self._letters.get(word, word) for word in words)
        if not letters or len({*letters}) != len(letters) or not {*letters} <= {*self.default}:
            return None
        return letters + "".join(letter for letter in self.default if letter not in letters)

    def find_colour(self, typed: str) -> str | None:
        """Return the name of the colour with the typed name or letter, or None if there is none."""
        text = typed.strip().casefold()
        for name, letter in zip(self.names, self.default, strict=True):
            if text in (name.casefold(), letter):
                return name
        return None

    def assign(self, recorded: str, chosen: Sequence[str | None]) -> str:
        """Return the stored form of the option after players have chosen colours.

        Args:
            recorded: The stored form before the choice.
            chosen: For each seat, the name of the chosen colour, or None. Seats without a choice
                get the colours that are left, in the order of `recorded`.
        """
        letters = [None if name is None else self._letters[name.casefold()] for name in chosen]
        spares = iter([letter for letter in recorded if letter not in letters])
        seats = [letter if letter is not None else next(spares) for letter in letters]
        return "".join([*seats, *(letter for letter in self.default if letter not in seats)])

    @property
    def _letters(self) -> dict[str, str]:
        names = (name.casefold() for name in self.names)
        return dict(zip(names, self.default, strict=True))


def colour_choice(names: Sequence[str], letters: str) -> ColourChoice:
    """Return the option `colours` of a game with these colours.

    Args:
        names: The names of all colours, in the order in which seats get them.
        letters: The letter of each colour, in the same order.
    """
    in_order = letters.casefold()
    return ColourChoice("colours", (in_order,), in_order, names=tuple(names))
