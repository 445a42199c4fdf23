"""Errors that pbem raises on purpose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Fact: TypeAlias = "str | int | bool | Sequence[Fact] | Mapping[str, Fact] | None"
"""What JSON can carry, without floats: facts are stored, hashed and shown."""

Facts: TypeAlias = Mapping[str, Fact]


class PbemError(Exception):
    """Root of all errors that pbem raises on purpose."""


class Rejection(PbemError):  # noqa: N818 - the field's word: a player's mistake is no error of ours
    """A player's mistake: a code, and the facts that its template needs.

    `code` names a block of templates/email/rejections.txt.j2, or of the same file of a game in
    templates/games. `facts` are JSON values, and never secrets of another seat.
    """

    def __init__(self, code: str, /, **facts: Fact) -> None:
        """Keep the code and the facts; the sentence is the template's."""
        super().__init__(code)
        self.code = code
        self.facts: Facts = facts

    def __eq__(self, other: object) -> bool:
        """Compare code and facts."""
        if not isinstance(other, Rejection):
            return NotImplemented
        return (self.code, self.facts) == (other.code, other.facts)

    def __hash__(self) -> int:
        """Hash the code alone: facts may be lists."""
        return hash(self.code)

    def __str__(self) -> str:
        """The code and its facts, for logs and failing tests."""
        return f"{self.code} {dict(self.facts)}" if self.facts else self.code


class ConfigError(PbemError):
    """The operator's settings cannot work; the message says which one and what to do."""
