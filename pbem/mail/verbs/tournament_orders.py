"""The orders about tournaments, each a frozen value."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class ShowTournaments:
    """Which tournaments are there, and which am I in?"""


@dataclass(frozen=True, slots=True)
class Enter:
    """I play in a tournament, by its name; with no name: which are there?"""

    tournament: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """I play in it no more; with no name I am asked which."""

    tournament: str


@dataclass(frozen=True, slots=True)
class ShowStandings:
    """How a tournament stands; with no name those that I am in."""

    tournament: str


AboutTournaments: TypeAlias = ShowTournaments | Enter | Withdraw | ShowStandings

NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{1,29}", re.IGNORECASE)
"""What a tournament is called."""


def tournament(
    build: Callable[[str], AboutTournaments],
) -> Callable[[str], AboutTournaments | None]:
    """A name, in any case, or none: with more on its line it is a sentence and no order."""

    def read(rest: str) -> AboutTournaments | None:
        name = rest.strip().rstrip(".!").casefold()
        return build(name) if not name or NAME.fullmatch(name) else None

    return read
