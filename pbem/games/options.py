"""The options of a match: rules that the host may choose, and the colours of the seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.errors import Rejection

DIGITS: Final = 9
"""Digits that no option needs more of; Python refuses to read some thousands with an error."""


@dataclass(frozen=True, slots=True)
class Option:
    """One rule that the host may choose: either listed values, or also whole numbers in a range.

    `beyond` are numbers that the rules take and no host is offered: for positions and tests.
    `begins`: it says who begins, by chance at first or as `given`; players call it `starter` in
    every game.
    """

    name: str
    values: tuple[str, ...]
    default: str
    numbers: range | None = None
    beyond: range | None = None
    begins: bool = False

    def normal(self, typed: str, *, offered: bool = True) -> str | None:
        """The value in its recorded form, or None if this option has no such value."""
        value = typed.strip().casefold()
        if value in self.values:
            return value
        if not (value.isascii() and value.isdigit() and len(value) <= DIGITS):
            return None
        ranges = [self.numbers] if offered else [self.numbers, self.beyond]
        fits = any(int(value) in numbers for numbers in ranges if numbers is not None)
        return str(int(value)) if fits else None


@dataclass(frozen=True, slots=True)
class ColourChoice(Option):
    """`colours`: the letters of the seats' colours, as in `rb`, or their names, as in `red-blue`.

    The recorded form has the letters of all colours, the unused ones in their usual order, so that
    it can be read for any number of seats. `names` are all colours in that order.
    """

    names: tuple[str, ...] = ()

    def normal(self, typed: str, *, offered: bool = True) -> str | None:
        """All letters in the order chosen, or None for a letter too much or an unknown one."""
        del offered  # every order of colours may be chosen
        words = typed.strip().casefold().replace("_", "-").split("-")
        letters = "".join(self._letters.get(word, word) for word in words)
        if not letters or len({*letters}) != len(letters) or not {*letters} <= {*self.default}:
            return None
        return letters + "".join(letter for letter in self.default if letter not in letters)

    def colour(self, typed: str) -> str | None:
        """The name of one colour, from its name or its letter; None if there is no such colour."""
        wanted = typed.strip().casefold()
        for name, letter in zip(self.names, self.default, strict=True):
            if wanted in (name.casefold(), letter):
                return name
        return None

    def seated(self, recorded: str, chosen: Sequence[str | None]) -> str:
        """The recorded form where the seats have chosen so by name, None for no choice.

        Who has not chosen gets what is left, in the order that was recorded.
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
    """The option of a game with these colours, in the order in which seats get them."""
    in_order = letters.casefold()
    return ColourChoice("colours", (in_order,), in_order, names=tuple(names))


def normal_options(
    options: Sequence[Option], typed: Mapping[str, str], *, offered: bool
) -> dict[str, str]:
    """All options with their values: the typed ones normalised, defaults for the rest.

    Raises Rejection `bad_option` for a name or value that there is not.
    """
    known = {option.name: option for option in options}
    for name in typed:
        if name not in known:
            raise Rejection("bad_option", name=name, value=typed[name], names=list(known))
    chosen = {}
    for option in options:
        value = option.normal(typed.get(option.name, option.default), offered=offered)
        if value is None:
            allowed = [*option.values]
            if option.numbers is not None:
                allowed.append(f"{option.numbers.start} to {option.numbers.stop - 1}")
            raise Rejection(
                "bad_option", name=option.name, value=typed[option.name], values=allowed
            )
        chosen[option.name] = value
    return chosen
