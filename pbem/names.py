"""Ids that events and tables share."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from typing import Final, NewType

MatchId = NewType("MatchId", str)
"""The short public name of a match, as in `K7QX2`."""

PlayerId = NewType("PlayerId", str)
"""The id of a player. Names and addresses are in rows that can be deleted, never in events."""

TournamentId = NewType("TournamentId", str)
"""The name of a tournament as people type it, as in `logger-league`."""

Digest = NewType("Digest", str)
"""SHA-256 in hex of a sealed fact; its text stands in the sealed rows, or nowhere any more."""

BOT: Final = "bot-"
"""Prefix of the ids of bots; ids of people have no hyphen."""


AFTER_BOTS: Final = "bou"
"""Behind the ids of bots: a range, unlike LIKE, can use an index; no id of a person is in it."""


def bot_id(level: str, number: int) -> PlayerId:
    """The player that is bot number `number` (from 1) of a level; it has no mail address."""
    return PlayerId(f"{BOT}{level}-{number}")


def next_bot(level: str, but: Collection[PlayerId]) -> PlayerId:
    """The first bot of a level that is none of those `but`."""
    return next(bot for bot in (bot_id(level, number) for number in count(1)) if bot not in but)


def is_bot(player: PlayerId) -> bool:
    """Whether a player is a program."""
    return player.startswith(BOT)


def is_only_bots(players: Collection[PlayerId]) -> bool:
    """Whether there are some, and all of them are programs."""
    return bool(players) and all(map(is_bot, players))


def bot_level(player: PlayerId) -> str:
    """The level of a bot."""
    return player.removeprefix(BOT).rpartition("-")[0]


def bot_number(player: PlayerId) -> int:
    """The number of a bot among those of its level."""
    return int(player.rpartition("-")[2])
