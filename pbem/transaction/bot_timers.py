"""The bots as players: which one is meant, its row, and the timer that asks it to act."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pbem.bots.levels import BOTS, level_unasked, levels
from pbem.errors import Rejection
from pbem.matches.duties import duty
from pbem.names import PlayerId, bot_level, bot_number, is_bot, next_bot
from pbem.players.names import skeleton
from pbem.store import timers
from pbem.store.people import roster
from pbem.transaction.installation import match_stream

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.games import AnyGame
    from pbem.matches.match import Match

_BOT: Final = re.compile(
    rf"(?:(?:an?|the)\s+)?(?:(?P<before>{'|'.join(BOTS)})\s+)?"
    r"(?:(?:ro)?bot|computer)(?:\s+\(?(?P<after>\w+)\)?)?",
    re.IGNORECASE,
)
"""What people call a bot: `bot`, `bot greedy`, `a random bot`, `Robot (random)`."""

_CALLED: Final = ("robot", "bot", "computer")


def level_asked(conn: Connection, typed: str, game: AnyGame) -> str | None:
    """The level of the bot that is meant, the best of the game where none is named.

    None if a person may be meant. Raises Rejection `no_such_bot`.
    """
    found = _BOT.fullmatch(typed.strip())
    if found is None:
        return None
    there = levels(game)
    level = (found["before"] or found["after"] or level_unasked(game)).casefold()
    if level in there:
        return level
    if level not in BOTS and roster.players_named(conn, typed):
        return None
    raise Rejection("no_such_bot", level=level, game=game.title, levels=list(there))


def find_bot(
    conn: Connection, level: str, *, but: Collection[PlayerId] = (), now: datetime
) -> PlayerId:
    """A bot of a level; none of those `but`."""
    bot = next_bot(level, but)
    know_bot(conn, bot, now)
    return bot


def know_bot(conn: Connection, bot: PlayerId, now: datetime) -> None:
    """A bot is made when it is first needed."""
    if roster.player(conn, bot) is None:
        roster.add_bot(conn, bot, name=bot_name(bot_level(bot), bot_number(bot)), now=now)


def bot_name(level: str, number: int) -> str:
    """What a bot is called in mails; nobody else can be."""
    return f"Robot ({level})" if number == 1 else f"Robot {number} ({level})"


def is_bots_name(name: str) -> bool:
    """Whether a name is a bot's, or looks as if it were."""
    looks = skeleton(name)
    for called in map(skeleton, _CALLED):
        rest = looks.removeprefix(called).lstrip("0123456789lo")
        if looks.startswith(called) and rest in ("", *map(skeleton, BOTS)):
            return True
    return False


def ask_bots(conn: Connection, match: Match, now: datetime) -> None:
    """Set the timer by which the match's bots act, or take it back, with the events that ask."""
    if not any(map(is_bot, match.players)):
        return
    key = f"{timers.BOT}:{match.id}"
    if duty(match) is None:
        timers.cancel(conn, key)
    else:
        timers.set_timer(conn, key, now, match_stream(match.id), timers.BOT, {"match": match.id})
