"""Strings that make a regular expression work as hard as it can, made from its own structure.

A search is more than linear where a repeat can end at many places and what follows it fails: in a
repeat within a repeat, in two repeats side by side, in a repeat that a search begins anew at every
character. So every repeat is fed with each of its own kinds of characters and strings, behind what
stands before it, and before what neither it nor what follows it takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise, product
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

_LONG: Final = 16
"""Times that a repeat can run at least so that it counts as one."""

_SAMPLES: Final = 14
"""Strings that stand for all that a piece of an expression takes."""

_ATTACKS: Final = 250
"""Attacks on one expression at most, of all kinds: an expression of many parts has thousands."""

_SIGNS: Final = [*map(chr, range(128)), *"ä“ſ·é的²：\u00a0\u2028\x85…٣"]
"""Characters of every sort that expressions tell apart."""

_REPEATS: Final = {kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT}
_AROUND: Final = {kinds.ASSERT, kinds.ASSERT_NOT, kinds.AT}


class Attack(NamedTuple):
    """A string of any length: `prefix`, so much of `pump` as is wanted, `suffix`."""

    prefix: str
    pump: str
    suffix: str

    def string(self, length: int) -> str:
        """The attack with so many characters of the pump."""
        return self.prefix + (self.pump * (length // len(self.pump) + 1))[:length] + self.suffix


class _Structure:
    """The parts of one expression and the characters that it tells apart."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        text = pattern.pattern
        if isinstance(text, bytes):
            text = text.decode("latin-1")
        self.flags = pattern.flags & ~re.DEBUG
        if isinstance(pattern.pattern, bytes):
            self.flags |= re.ASCII
        self.ignores_case = bool(self.flags & re.IGNORECASE)  # asked for each pair of characters
        self.tree = parser.parse(text, self.flags)
        self.signs = self._signs()

    # --- characters ------------------------------------------------------------------------------

    def _signs(self) -> list[str]:
        """One character of each kind: those of a kind are in the same sets of the expression."""
        sets = list({str(one): one for one in self._sets(self.tree)}.values())
        kept: dict[tuple[bool, ...], str] = {}
        # Letters first: what a person types is likelier to be found in what surrounds.
        for sign in sorted(_SIGNS, key=lambda one: not one.isalnum()):
            kept.setdefault(tuple(self._takes(one, sign) for one in sets), sign)
        return list(kept.values())

    def _sets(self, tree: Any) -> Iterator[Any]:
        for kind, value in tree:
            if kind in {kinds.IN, kinds.LITERAL, kinds.NOT_LITERAL, kinds.ANY}:
                yield kind, value
            for part in _parts(kind, value):
                yield from self._sets(part)

    def _takes(self, one: Any, sign: str) -> bool:
        kind, value = one
        number = ord(sign)
        if kind is kinds.ANY:
            return bool(self.flags & re.DOTALL) or sign != "\n"
        if kind in {kinds.LITERAL, kinds.NOT_LITERAL}:
            return self._same(sign, value) != (kind is kinds.NOT_LITERAL)
        found = False
        for member, what in value:
            if member is kinds.LITERAL:
                found = found or self._same(sign, what)
            elif member is kinds.RANGE:
                found = found or what[0] <= number <= what[1] or self._cased(sign, *what)
            elif member is kinds.CATEGORY:
                found = found or _in_category(what, sign)
        return found != (value[0][0] is kinds.NEGATE)

    def _same(self, sign: str, number: int) -> bool:
        other = chr(number)
        return sign == other or (self.ignores_case and sign.casefold() == other.casefold())

    def _cased(self, sign: str, low: int, high: int) -> bool:
        return self.ignores_case and any(
            low <= ord(one) <= high for one in (sign.lower(), sign.upper()) if len(one) == 1
        )

    # --- strings ---------------------------------------------------------------------------------

    def samples(self, tree: Any) -> list[str]:
        """Some strings that a part takes, the shortest repeats of it."""
        parts = [found for item in tree if (found := self._of(*item)) != [""]]
        whole = ("".join(found) for found in product(*(part[:4] for part in parts)))
        if len(parts) == 1:
            return parts[0][:_SAMPLES]
        return list(dict.fromkeys(islice(whole, _SAMPLES)))

    def _of(self, kind: Any, value: Any) -> list[str]:
        if kind in _AROUND:
            return [""]
        if kind is kinds.LITERAL:
            return [chr(value)]
        if kind in {kinds.IN, kinds.NOT_LITERAL, kinds.ANY}:
            found = [sign for sign in self.signs if self._takes((kind, value), sign)]
            return found or [chr(_any_of(value))]
        if kind in _REPEATS:
            least, _, part = value
            inner = self.samples(part)
            return [one * least for one in inner] if least else ["", *inner[:1]]
        if kind is kinds.BRANCH:
            return [one for part in value[1] for one in self.samples(part)[:3]][:_SAMPLES]
        found = [one for part in _parts(kind, value) for one in self.samples(part)]
        return found or [""]

    # --- attacks ---------------------------------------------------------------------------------

    def attacks(self) -> Iterator[Attack]:
        """Every attack on the expression."""
        yield from self._repeats(self.tree, "")

    def _repeats(self, tree: Any, prefix: str) -> Iterator[Attack]:
        items = list(tree)
        for at, (kind, value) in enumerate(items):
            if kind in _REPEATS and value[1] >= _LONG:
                yield from self._on(value[2], prefix, items[at + 1 :])
            for part in _parts(kind, value):
                yield from self._repeats(part, prefix)
            prefix += self.samples([(kind, value)])[0] if kind not in _AROUND else ""

    def _on(self, part: Any, prefix: str, after: list[Any]) -> Iterator[Attack]:
        bodies = [one for one in self.samples(part) if one]
        behind = [one for one in self.samples(after)[:1] if one]
        refused = [sign for sign in self.signs if sign not in bodies]
        ends = list(dict.fromkeys(["", *refused[-2:], "\x00"]))[:4]
        pumps = [*bodies, *(f"{prefix}{one}" for one in bodies[:3] if prefix), prefix]
        pumps += [f"{one}{two}" for one in bodies[:2] for two in behind]
        pumps += [f"{one}{two}" for one, two in pairwise(bodies)]
        for pump in dict.fromkeys(filter(None, pumps)):
            for end in ends:
                yield Attack(prefix, pump, end)


def attacks(pattern: re.Pattern[Any]) -> list[Attack]:
    """Every attack that the structure of an expression suggests; none if nothing in it repeats."""
    found = list(dict.fromkeys(_Structure(pattern).attacks()))
    return found[:: len(found) // _ATTACKS + 1]


def _parts(kind: Any, value: Any) -> list[Any]:
    """The trees within one part of a tree."""
    if kind in _REPEATS:
        return [value[2]]
    if kind is kinds.SUBPATTERN:
        return [value[3]]
    if kind is kinds.BRANCH:
        return list(value[1])
    if kind in {kinds.ASSERT, kinds.ASSERT_NOT}:
        return [value[1]]
    if kind is kinds.ATOMIC_GROUP:
        return [value]
    if kind is kinds.GROUPREF_EXISTS:
        return [part for part in value[1:] if part is not None]
    return []


def _any_of(value: Any) -> int:
    """A character of a set that none of the usual ones is in."""
    for member, what in value if isinstance(value, list) else ():
        if member is kinds.LITERAL:
            return int(what)
        if member is kinds.RANGE:
            return int(what[0])
    return ord("~")


def _in_category(what: Any, sign: str) -> bool:
    name = str(what)
    digit, space, word = sign.isdecimal(), sign.isspace(), sign.isalnum() or sign == "_"
    inside = digit if "DIGIT" in name else space if "SPACE" in name else word
    return inside != ("NOT" in name)
