"""Random draws: requests for random values, and their unbiased results from random bytes.

A game requests a `Draw`: a name and a list of parts, each of which is `Dice`, `OneOf` or a
`Permutation`. The result is a flat tuple of integers, part after part. Each part is
uniformly distributed: bytes that would favour some values are skipped (rejection sampling),
so there is no modulo bias. The caller supplies the bytes (pbem/fairness.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Dice:
    """A roll of `count` dice with faces 1 to `sides`; the result has one number for each die."""

    count: int
    sides: int

    def __str__(self) -> str:
        return f"{self.count}d{self.sides}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """A choice among `size` equally likely things; the result is a number from 0 to `size` - 1."""

    size: int

    def __str__(self) -> str:
        return f"one of {self.size}"


@dataclass(frozen=True, slots=True)
class Permutation:
    """A random order of `size` things; the result has each number from 0 to `size` - 1 once."""

    size: int

    def __str__(self) -> str:
        return f"order of {self.size}"


Part: TypeAlias = Dice | OneOf | Permutation


@dataclass(frozen=True, slots=True)
class Draw:
    """A game's request for random values.

    Attributes:
        name: The purpose of the values, such as `deal`.
        parts: The dice, choices and permutations, in order.
        is_sealed: Whether the result stays hidden from some players until the match ends.
    """

    name: str
    parts: tuple[Part, ...]
    is_sealed: bool = False

    def __str__(self) -> str:
        """Return the canonical text, which is part of the input of the keyed hash for this draw."""
        return f"{self.name}: {', '.join(map(str, self.parts))}"


_PART = re.compile(
    r"(?P<count>[1-9][0-9]{0,5})d(?P<sides>[1-9][0-9]{0,5})"
    r"|one of (?P<one>[1-9][0-9]{0,5})"
    r"|order of (?P<order>[1-9][0-9]{0,5})"
)


def parse_draw(text: str) -> Draw:
    """Return the `Draw` with this canonical text; `is_sealed` is False, because the text omits it.

    Raises:
        ValueError: The text is not the canonical text of a draw. This can happen because
            verification reads untrusted records.
    """
    name, _, listed = text.partition(": ")
    matches = [_PART.fullmatch(part) for part in listed.split(", ")]
    draw = Draw(name, tuple(_part(match) for match in matches if match is not None))
    if not draw.parts or str(draw) != text:
        raise ValueError(f"no request to chance: {text!r}")
    return draw


def _part(match: re.Match[str]) -> Part:
    match match.lastgroup:
        case "one":
            return OneOf(int(match["one"]))
        case "order":
            return Permutation(int(match["order"]))
        case _:
            return Dice(int(match["count"]), int(match["sides"]))


def random_below(source: Iterator[int], size: int) -> int:
    """Return a uniformly distributed number from 0 to `size` - 1.

    The function reads big-endian numbers of as few bytes as possible from `source`, a stream of
    random bytes. It skips numbers at or above the largest multiple of `size` in their range.
    """
    if size < 1:
        raise ValueError(f"nothing to choose from: {size}")
    width = max(1, ((size - 1).bit_length() + 7) // 8)
    limit = 256**width - 256**width % size
    while True:
        value = 0
        for _ in range(width):
            value = value << 8 | next(source)
        if value < limit:
            return value % size


def random_permutation(source: Iterator[int], size: int) -> tuple[int, ...]:
    """Return the numbers 0 to `size` - 1 in random order (Fisher-Yates shuffle from the end)."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        pick = random_below(source, last + 1)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)


def sample(draw: Draw, source: Iterator[int]) -> tuple[int, ...]:
    """Return the result of the draw, computed from `source`, a stream of random bytes."""
    values: list[int] = []
    for part in draw.parts:
        match part:
            case Dice(count, sides):
                values.extend(random_below(source, sides) + 1 for _ in range(count))
            case OneOf(size):
                values.append(random_below(source, size))
            case Permutation(size):
                values.extend(random_permutation(source, size))
    return tuple(values)


def count_values(draw: Draw) -> int:
    """Return the number of values in the result of the draw."""
    return sum(_length(part) for part in draw.parts)


def is_possible(draw: Draw, values: tuple[int, ...]) -> bool:
    """Return whether the values can be the result of the draw.

    Replay and verification use this to check recorded results.
    """
    rest = values
    for part in draw.parts:
        size = _length(part)
        if not _fits(part, rest[:size]):
            return False
        rest = rest[size:]
    return not rest


def _length(part: Part) -> int:
    match part:
        case Dice(count, _):
            return count
        case OneOf():
            return 1
        case Permutation(size):
            return size


def _fits(part: Part, values: tuple[int, ...]) -> bool:
    match part:
        case Dice(count, sides):
            return len(values) == count and all(1 <= value <= sides for value in values)
        case OneOf(size):
            return len(values) == 1 and 0 <= values[0] < size
        case Permutation(size):
            return len(values) == size and sorted(values) == list(range(size))
