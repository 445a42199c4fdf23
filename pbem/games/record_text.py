"""A match's record as text, read back: its tags, its plies, what happened between them, its result.

docs/record.md has the grammar. What a record says is not believed: whoever plays it again sees
whether the rules allow each ply, and compares the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.errors import PbemError, Rejection
from pbem.games import GAMES, AnyGame

LONGEST: Final = 2_000
"""Characters of a line. The longest that is written tells a turn of many steps in a few hundred."""

_TAG: Final = re.compile(r'\[([A-Z][A-Za-z]*[0-9]*) "((?:[^"\\]|\\["\\])*)"\]')
_ESCAPED: Final = re.compile(r"\\(.)")
_PLY: Final = re.compile(r"[0-9]{1,6}\. ([^{}]+)((?: \{[^{}]*\})*)")
_LEFT: Final = re.compile(r"\{seat ([1-9][0-9]?) left\}")
_DRAWN: Final = re.compile(r"\{drawn: ([^{}]*)\}")
_RESULT: Final = re.compile(r"\{([a-z_]+)\}((?: [1-9][0-9]?)*)")
_ASIDE: Final = re.compile(r"\{[^{}]*\}")
_UNOPENED: Final = "{drawn in secret}"
_AGREED: Final = "{a draw was agreed on}"
AGREED: Final = "draw agreed"
"""The line of a transcript by which all agree on a draw."""

RUNNING: Final = "*"
"""The result of a match that is not over, as in PGN."""

JUDGED: Final = ("adjudicated", "voided")
"""Terminations that an operator gives."""

_OPTION: Final = "Option"


class RecordError(PbemError):
    """A text that is no record; the message says in which line and why."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended: a place for each seat (1 is the best), and the word for the reason."""

    line: int
    termination: str
    placings: tuple[int, ...]

    def __str__(self) -> str:
        """As the record's last line has it, without braces."""
        return " ".join((self.termination, *map(str, self.placings)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record that was read. `tags` has all but the options; `ending` is None for a running match.

    `orders` are numbered lines as `pbem play` takes them. `secret` is the line of a draw that is
    not open yet: nothing behind it can be played.
    """

    game: AnyGame
    options: Mapping[str, str]
    tags: Mapping[str, str]
    names: tuple[str, ...]
    orders: tuple[tuple[int, str], ...]
    ending: Ending | None
    secret: int | None = None

    @property
    def judged(self) -> bool:
        """Whether the operator ended the match, so that the rules do not say how."""
        return self.ending is not None and self.ending.termination in JUDGED

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.names)


def tag_line(name: str, value: str) -> str:
    """A tag as a record and PGN have it."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def tag_of(line: str) -> tuple[str, str] | None:
    """The name and the value of a tag; None for any other line."""
    found = _TAG.fullmatch(line)
    return None if found is None else (found[1], _ESCAPED.sub(r"\1", found[2]))


def is_record(lines: Iterable[str]) -> bool:
    """Whether a text begins as records do: with a tag."""
    first = next((line for line in lines if line.strip()), "")
    return tag_of(first.strip()) is not None


def read_record(lines: Iterable[str], game: AnyGame | None = None) -> Record:
    """The record that these lines are, in our form or in that of its game. Raises RecordError.

    The game has to be said where no tag tells the ruleset, as in files of other programs.
    """
    numbered = _in_our_form([line.strip() for line in lines], game)
    tags, options = _tags(numbered)
    body = [(at, line) for at, line in numbered if not line.startswith("[")]
    orders: list[tuple[int, str]] = []
    ending, over, secret = None, False, None
    for at, line in body:
        if over:
            raise RecordError(f"line {at}: something stands behind the result")
        if line == _UNOPENED:
            secret = at
        elif line == RUNNING or _RESULT.fullmatch(line):
            ending, over = _ending(at, line), True
        elif (order := _order(at, line)) is not None and secret is None:
            orders.append((at, order))
    if not over:
        raise RecordError("the last line is missing: the result, or * while a match runs")
    game = _game(tags)
    names = _names(tags, game)
    if ending is not None and ending.placings and len(ending.placings) != len(names):
        raise RecordError(f"line {ending.line}: the result has a place for each of {len(names)}")
    return Record(
        game=game,
        options=options,
        tags=tags,
        names=names,
        orders=tuple(orders),
        ending=ending,
        secret=secret,
    )


def _in_our_form(lines: list[str], game: AnyGame | None) -> list[tuple[int, str]]:
    tags = dict(filter(None, map(tag_of, lines)))
    named = tags.get("Ruleset")
    by = GAMES[named] if named is not None and named in GAMES else game
    if by is not None and "Seat1" not in tags:
        try:
            lines = by.unrecorded("\n".join(lines)).split("\n")
        except Rejection as refusal:
            why = refusal.facts.get("found", refusal.code)
            raise RecordError(f"this is no record of {by.title}: {why}") from None
    return [(at, line) for at, line in enumerate(lines, 1) if line]


def _tags(numbered: Iterable[tuple[int, str]]) -> tuple[dict[str, str], dict[str, str]]:
    tags: dict[str, str] = {}
    options: dict[str, str] = {}
    begun = False
    for at, line in numbered:
        if len(line) > LONGEST:
            raise RecordError(f"line {at}: no line of a record has more than {LONGEST} characters")
        if not line.startswith("["):
            begun = True
            continue
        found = tag_of(line)
        if found is None or begun:
            where = "stand before the first ply" if found else 'look like [Game "Logger"]'
            raise RecordError(f"line {at}: tags {where}")
        name, value = found
        key, into = name, tags
        if name == _OPTION:
            key, equals, value = value.partition("=")
            if not equals:
                raise RecordError(f'line {at}: an option looks like [Option "name=value"]')
            into = options
        if key in into:
            raise RecordError(f"line {at}: {key} was said before")
        into[key] = value
    return tags, options


def _game(tags: Mapping[str, str]) -> AnyGame:
    ruleset = tags.get("Ruleset")
    if ruleset is None:
        raise RecordError('the tag [Ruleset "..."] is missing: by which rules was it played?')
    if ruleset not in GAMES:
        raise RecordError(f"there are no rules {ruleset!r}; there are {', '.join(GAMES)}")
    return GAMES[ruleset]


def _names(tags: Mapping[str, str], game: AnyGame) -> tuple[str, ...]:
    names: list[str] = []
    while (name := tags.get(f"Seat{len(names) + 1}")) is not None:
        names.append(name)
    if len(names) not in game.seats:
        allowed = ", ".join(map(str, game.seats))
        raise RecordError(f"tags name {len(names)} seats; {game.title} has {allowed}")
    return tuple(names)


def _order(at: int, line: str) -> str | None:
    """What a line says as a transcript has it; None for one that changes nothing on the board."""
    if found := _PLY.fullmatch(line):
        return found[1].strip()
    if found := _DRAWN.fullmatch(line):
        return f"* {found[1].strip()}"
    if found := _LEFT.fullmatch(line):
        return f"resign {found[1]}"
    if line == _AGREED:
        return AGREED
    if _ASIDE.fullmatch(line):
        return None
    raise RecordError(f"line {at}: a line of a record is `12. move`, `{{...}}` or the result")


def _ending(at: int, line: str) -> Ending | None:
    found = _RESULT.fullmatch(line)
    if found is None:
        return None
    return Ending(at, found[1], tuple(map(int, found[2].split())))
