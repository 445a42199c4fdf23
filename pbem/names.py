"""Types for the ids of matches, players and tournaments, and for the progress in a mailbox."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import count
from typing import Final, NewType

MatchId = NewType("MatchId", str)  # short public code of a match, such as `K7QX2`

PlayerId = NewType("PlayerId", str)  # events contain it instead of a name or an address

TournamentId = NewType("TournamentId", str)  # as people type it, such as `logger-league`

BOT: Final = "bot-"  # prefix of the ids of bots; ids of people have no hyphen

AFTER_BOTS: Final = "bou"  # sorts just after all ids of bots, for range queries that use an index


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpoint:
    """The message up to which a mailbox has been fetched.

    `account` and `mailbox` name the mailbox. `uid` is the number of the newest message fetched. If
    the server changes the `uidvalidity` of the mailbox (RFC 3501, section 2.3.1.1), `uid` is no
    longer valid, and all messages are fetched again.
    """

    account: str
    mailbox: str
    uidvalidity: int
    uid: int


def bot_id(level: str, number: int) -> PlayerId:
    """Return the id of the bot with this level and number, such as `bot-easy-1`."""
    return PlayerId(f"{BOT}{level}-{number}")


def next_bot(level: str, taken: Collection[PlayerId]) -> PlayerId:
    """Return the first id of a bot of this level that is not in `taken`.

    For example, `bot-easy-2` is returned if only `bot-easy-1` is taken.
    """
    return next(bot for bot in (bot_id(level, number) for number in count(1)) if bot not in taken)


def is_bot(player: PlayerId) -> bool:
    """Return whether a player is a bot."""
    return player.startswith(BOT)


def bot_level(player: PlayerId) -> str:
    """Return the level of a bot, such as `easy`."""
    return player.removeprefix(BOT).rpartition("-")[0]


def bot_number(player: PlayerId) -> int:
    """Return the number of a bot among the bots of its level, counted from 1."""
    return int(player.rpartition("-")[2])
