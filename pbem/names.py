"""Ids of matches, players and tournaments, and the checkpoint of a mailbox."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import count
from typing import Final, NewType

MatchId = NewType("MatchId", str)
"""The short public name of a match, as in `K7QX2`."""

PlayerId = NewType("PlayerId", str)
"""The id of a player. Names and addresses are in rows that can be deleted, never in events."""

TournamentId = NewType("TournamentId", str)
"""The name of a tournament as people type it, as in `logger-league`."""

BOT: Final = "bot-"
"""Prefix of the ids of bots; ids of people have no hyphen."""

AFTER_BOTS: Final = "bou"
"""Follows the ids of bots in order: a range can use an index, and LIKE cannot."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpoint:
    """How far a mailbox has been fetched.

    `uid` is that of the newest message fetched. It has a meaning only as long as the mailbox keeps
    its `uidvalidity` (RFC 3501, section 2.3.1.1); afterwards everything is fetched again.
    """

    account: str
    mailbox: str
    uidvalidity: int
    uid: int


def bot_id(level: str, number: int) -> PlayerId:
    """Return the id of a bot of a level, by its number from 1."""
    return PlayerId(f"{BOT}{level}-{number}")


def next_bot(level: str, taken: Collection[PlayerId]) -> PlayerId:
    """Return the first bot of a level that is not taken."""
    return next(bot for bot in (bot_id(level, number) for number in count(1)) if bot not in taken)


def is_bot(player: PlayerId) -> bool:
    """Return whether a player is a bot."""
    return player.startswith(BOT)


def bot_level(player: PlayerId) -> str:
    """Return the level of a bot."""
    return player.removeprefix(BOT).rpartition("-")[0]


def bot_number(player: PlayerId) -> int:
    """Return the number of a bot among those of its level."""
    return int(player.rpartition("-")[2])
