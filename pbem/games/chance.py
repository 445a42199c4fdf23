"""What chance may be asked for, and how a stream of bytes becomes a fair answer; no entropy here.

A game asks with a `Draw`: a name and a list of parts. The answer is a flat tuple of integers, part
after part. Every part is uniform over its possibilities: bytes that would favour some are thrown
away (rejection sampling), so there is no modulo bias.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Dice:
    """`count` independent dice with faces 1 to `sides`: `count` values."""

    count: int
    sides: int

    def __str__(self) -> str:
        """Dice notation, as in `2d6`."""
        return f"{self.count}d{self.sides}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of `size` equal things: a single value from 0 to `size` - 1."""

    size: int

    def __str__(self) -> str:
        """`one of 24`."""
        return f"one of {self.size}"


@dataclass(frozen=True, slots=True)
class Permutation:
    """An order of `size` things: the values 0 to `size` - 1, each once."""

    size: int

    def __str__(self) -> str:
        """`order of 18`."""
        return f"order of {self.size}"


Part: TypeAlias = Dice | OneOf | Permutation


@dataclass(frozen=True, slots=True)
class Draw:
    """A request to chance: what it is for, its parts, and whether the answer stays secret."""

    name: str
    parts: tuple[Part, ...]
    secret: bool = False

    def __str__(self) -> str:
        """The canonical text of the request, which goes into the keyed hash of the draw."""
        return f"{self.name}: {', '.join(map(str, self.parts))}"


_PART = re.compile(
    r"(?P<count>[1-9][0-9]{0,5})d(?P<sides>[1-9][0-9]{0,5})"
    r"|one of (?P<one>[1-9][0-9]{0,5})"
    r"|order of (?P<order>[1-9][0-9]{0,5})"
)


def parse_draw(text: str) -> Draw:
    """The request that `str` wrote as `text`; whether it was secret is not in the text.

    Raises ValueError for any other text: verification reads records that it does not trust.
    """
    name, _, listed = text.partition(": ")
    found = [_PART.fullmatch(part) for part in listed.split(", ")]
    draw = Draw(name, tuple(_part(match) for match in found if match is not None))
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


def uniform(source: Iterator[int], size: int) -> int:
    """A number from 0 to `size` - 1, each equally likely, from a source of random bytes.

    Takes big-endian numbers of just enough bytes and throws away those at or above the largest
    multiple of `size`.
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


def permutation(source: Iterator[int], size: int) -> tuple[int, ...]:
    """An order of the numbers 0 to `size` - 1 by the Fisher-Yates shuffle, from the end down."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        chosen = uniform(source, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def sample(draw: Draw, source: Iterator[int]) -> tuple[int, ...]:
    """Answer a request from a source of random bytes: the values of all parts, in order."""
    values: list[int] = []
    for part in draw.parts:
        match part:
            case Dice(count, sides):
                values.extend(uniform(source, sides) + 1 for _ in range(count))
            case OneOf(size):
                values.append(uniform(source, size))
            case Permutation(size):
                values.extend(permutation(source, size))
    return tuple(values)


def count_values(draw: Draw) -> int:
    """How many values an answer to the request has."""
    return sum(_length(part) for part in draw.parts)


def is_possible(draw: Draw, values: tuple[int, ...]) -> bool:
    """Whether `values` could be an answer to the request; replay and verification ask this."""
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


def _fits(part: Part, taken: tuple[int, ...]) -> bool:
    match part:
        case Dice(count, sides):
            return len(taken) == count and all(1 <= value <= sides for value in taken)
        case OneOf(size):
            return len(taken) == 1 and 0 <= taken[0] < size
        case Permutation(size):
            return len(taken) == size and sorted(taken) == list(range(size))
