"""Errors that pbem raises on purpose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

# A JSON value without floats, which can be stored, hashed and shown.
Fact: TypeAlias = "str | int | bool | Sequence[Fact] | Mapping[str, Fact] | None"

Facts: TypeAlias = Mapping[str, Fact]


class PbemError(Exception):
    """Base class of all errors that pbem raises on purpose."""


class Rejection(PbemError):  # noqa: N818 - the field's word: a player's mistake is no error of ours
    """Raised if a player's command is refused, with a code and the facts for its message.

    `code` names the block with the message in templates/email/rejections.txt.j2, or in the file
    rejections.txt.j2 of a game in templates/games. `facts` are JSON values by name, and never
    contain what is hidden from the player.
    """

    def __init__(self, code: str, /, **facts: Fact) -> None:
        super().__init__(code)
        self.code = code
        self.facts: Facts = facts

    def __str__(self) -> str:
        return f"{self.code} {dict(self.facts)}" if self.facts else self.code


class ConfigError(PbemError):
    """Raised if the operator's settings are wrong. The message names the setting and a remedy."""
