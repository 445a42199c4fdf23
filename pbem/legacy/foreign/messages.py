"""What passes between pbem and the process of a ruleset: questions, answers, texts for values."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, Protocol

from pbem.errors import Facts
from pbem.games import GAMES

STATIC: Final = (
    "key",
    "edition",
    "title",
    "seats",
    "options",
    "offer_outlives_answerer",
    "secrets",
    "keywords",
    "example",
    "reserved",
    "letters",
    "random_plies",
)
"""Fields of a record that are values of ours."""

HOOKS: Final = (
    "value",
    "terms",
    "worlds",
    "picture",
    "places",
    "longer",
    "half",
    "orders",
    "cells",
    "forced",
    "draw_offers",
    "agree",
    "claimed",
    "out",
    "spelled",
    "known",
    "reveals",
    "chance_notation",
    "read_chance",
    "recorded",
    "unrecorded",
    "standing",
    "obey",
)
"""Functions that a game may leave as they are for all: then nobody is asked."""

LARGEST: Final = 8_000_000
"""Bytes of a message."""

_SIZE: Final = struct.Struct("!I")


@dataclass(frozen=True, slots=True)
class Spot:
    """A position as its text. In a process that has the rules themselves it is read as theirs."""

    ruleset: str
    text: str

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as what each process knows."""
        return spot, (self.ruleset, self.text)


@dataclass(frozen=True, slots=True)
class Written:
    """A move as its notation, and the position in which it was read; None where no position is."""

    ruleset: str
    notation: str
    at: str | None

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as what each process knows."""
        return written, (self.ruleset, self.notation, self.at)


def spot(ruleset: str, text: str) -> Any:
    """A position from its text, as this process knows positions."""
    return GAMES[ruleset].load(text) if GAMES.runs_others else Spot(ruleset, text)


def written(ruleset: str, notation: str, at: str | None) -> Any:
    """A move from its notation, as this process knows moves."""
    if not GAMES.runs_others:
        return Written(ruleset, notation, at)
    game = GAMES[ruleset]
    return game.spelled(notation) if at is None else game.read(notation, game.load(at))


@dataclass(frozen=True, slots=True)
class Question:
    """A function of a game, and what it is asked about."""

    hook: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A function raised a Rejection."""

    code: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Failed:
    """A function failed, or gave what it may not."""

    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question, and of those that will follow it."""

    found: Any
    beside: tuple[tuple[Question, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Called:
    """The process wants a word said, by the number of who says words."""

    number: int
    text: str


class Sink(Protocol):
    """Where bytes go."""

    def write(self, data: bytes, /) -> int | None:
        """Some of them."""


def send(sink: Sink, message: object) -> None:
    """Write a message whole."""
    data = pickle.dumps(message)
    rest = memoryview(_SIZE.pack(len(data)) + data)
    while rest:
        rest = rest[sink.write(rest) or 0 :]  # type: ignore[arg-type]


def receive(source: BinaryIO) -> Any:
    """Read a message. Raises EOFError where there is none any more."""
    (size,) = _SIZE.unpack(_all(source, _SIZE.size))
    if size > LARGEST:
        raise EOFError(f"a message of {size} bytes")
    return pickle.loads(_all(source, size))  # noqa: S301 - our own process wrote it


def _all(source: BinaryIO, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = source.read(size - len(found))
        if not more:
            raise EOFError("the other end is closed")
        found += more
    return found
