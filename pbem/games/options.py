"""The options of a match: rules that the host may choose, and the colours of the seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.errors import Rejection

MAX_DIGITS: Final = 9  # of a typed number; Python does not convert thousands of digits


@dataclass(frozen=True, slots=True)
class Option:
    """A choice about the rules that the host of a match may make.

    Attributes:
        name: The name of the option.
        values: The words that hosts may choose.
        default: The value if the host chooses none.
        numbers: Whole numbers that hosts may choose as well, or None.
        engine_numbers: Whole numbers that the rules allow but hosts are not offered, or None. They
            are used for positions that are set up.
        is_starter: Whether the option decides who starts: `given` is the host's seat order, any
            other value is chance. Players call such an option `starter` in every game.
    """

    name: str
    values: tuple[str, ...]
    default: str
    numbers: range | None = None
    engine_numbers: range | None = None
    is_starter: bool = False

    def normalise(self, typed: str, *, offered: bool = True) -> str | None:
        """Return a typed value in the form in which it is stored, or None if it is not allowed.

        Args:
            typed: The value as a player wrote it.
            offered: Whether to accept only values that hosts are offered, or all that the rules
                allow.
        """
        value = typed.strip().casefold()
        if value in self.values:
            return value
        if not (value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS):
            return None
        ranges = [self.numbers] if offered else [self.numbers, self.engine_numbers]
        fits = any(int(value) in numbers for numbers in ranges if numbers is not None)
        return str(int(value)) if fits else None


@dataclass(frozen=True, slots=True)
class ColourChoice(Option):
    """The option `colours`: the colour of each seat, in seat order.

    Hosts write letters, as in `rb`, or names, as in `red-blue`. The recorded form has the
    letters of all colours, the chosen ones first, so that it is valid for any number of seats.
    `names` has all colours in their usual order, and `default` has their letters.
    """

    names: tuple[str, ...] = ()

    def normalise(self, typed: str, *, offered: bool = True) -> str | None:
        """Return the typed colours in stored form; None if one is unknown, repeated or missing."""
        del offered  # hosts may choose every order of colours
        words = typed.strip().casefold().replace("_", "-").split("-")
        letters = "".join(self._letters.get(word, word) for word in words)
        if not letters or len({*letters}) != len(letters) or not {*letters} <= {*self.default}:
            return None
        return letters + "".join(letter for letter in self.default if letter not in letters)

    def find_colour(self, typed: str) -> str | None:
        """Return the name of the colour with the typed name or letter, or None if there is none."""
        wanted = typed.strip().casefold()
        for name, letter in zip(self.names, self.default, strict=True):
            if wanted in (name.casefold(), letter):
                return name
        return None

    def assign(self, recorded: str, chosen: Sequence[str | None]) -> str:
        """Return the stored form of the option after players have chosen colours.

        Args:
            recorded: The stored form before the choice.
            chosen: For each seat, the name of the chosen colour, or None. Seats without a choice
                get the colours that are left, in the order of `recorded`.
        """
        wanted = [None if name is None else self._letters[name.casefold()] for name in chosen]
        left = iter([letter for letter in recorded if letter not in wanted])
        seats = [letter if letter is not None else next(left) for letter in wanted]
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


def normalise_options(
    options: Sequence[Option], typed: Mapping[str, str], *, offered: bool
) -> dict[str, str]:
    """Return the values of all options: the normalised values that the host typed, or defaults.

    Args:
        options: The options of the game.
        typed: The typed values by the name of the option.
        offered: Whether to accept only values that hosts are offered, or all that the rules allow.

    Raises:
        Rejection: `bad_option` for an unknown name or value.
    """
    known = {option.name: option for option in options}
    for name in typed:
        if name not in known:
            raise Rejection("bad_option", name=name, value=typed[name], names=list(known))
    chosen = {}
    for option in options:
        value = option.normalise(typed.get(option.name, option.default), offered=offered)
        if value is None:
            allowed = [*option.values]
            if option.numbers is not None:
                allowed.append(f"{option.numbers.start} to {option.numbers.stop - 1}")
            raise Rejection(
                "bad_option", name=option.name, value=typed[option.name], values=allowed
            )
        chosen[option.name] = value
    return chosen
