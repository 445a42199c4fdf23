"""When a mail goes: with its reader's digest, in a moment, since a bot is about to act, or at once.

A bot acts in a unit of work of its own, a second after what it answers. So a mail about a match in
which a bot is next waits for its news. Whatever becomes of the bot or of the digest, the mail goes
out by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.matches.duties import deadline, duty
from pbem.names import PlayerId
from pbem.notices import codec
from pbem.players.digest_time import next_digest
from pbem.store import timers
from pbem.transaction.installation import match_stream, player_stream

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.matches.match import Match
    from pbem.notices.notice import Notice
    from pbem.store.mails.outbox import QueuedMail
    from pbem.store.people.roster import ReaderRow

DIGEST: Final = "digest"
"""The kind of the timer, and of the mail that is made when it is due."""

SOON: Final = timedelta(hours=24)
"""A deadline so near does not wait for a digest."""

AT_LAST: Final = timedelta(days=1)
"""A mail that no digest has taken up goes out by itself so long after it should have: none is lost,
whatever becomes of the timer."""

MOMENT: Final = timedelta(seconds=15)
"""Longer than a bot searches for a move."""


def planned(
    conn: Connection,
    mails: Sequence[QueuedMail],
    chosen: Mapping[PlayerId, ReaderRow],
    matches: Iterable[Match],
    *,
    actor: PlayerId | None,
    now: datetime,
) -> list[QueuedMail]:
    """The mails as they are to be queued: what can wait does, and the digest is due.

    Whatever answers a letter (of `actor`) waits for no digest, nor does a turn whose deadline is
    near; `matches` are those that the mails speak of, and `chosen` has every reader.
    """
    by_stream = {match_stream(match.id): match for match in matches}
    queued = []
    for mail in mails:
        match, reader = by_stream.get(mail.stream or ""), mail.recipient
        due = next_digest(chosen[reader].wishes, now) if reader and reader != actor else None
        if reader and due and _waits(mail, reader, match, max(due, now + SOON)):
            queued.append(replace(mail, held_until=due + AT_LAST))
            set_digest(conn, reader, due)
        elif match is not None and _bot_is_next(match):
            moment = goes_at(codec.load(mail.notices), match, now)
            queued.append(replace(mail, not_before=moment) if moment > now else mail)
        else:
            queued.append(mail)
    return queued


def _waits(mail: QueuedMail, reader: PlayerId, match: Match | None, soon: datetime) -> bool:
    """Whether all of a mail is soon enough with the next digest."""
    due = deadline(match, reader) if match is not None else None
    if mail.to_address is not None or (due is not None and due <= soon):
        return False
    return all(notice.traits.waits for notice in codec.load(mail.notices))


def goes_at(notices: Sequence[Notice], match: Match, now: datetime) -> datetime:
    """When what waits for no digest goes out: in a moment if a bot is about to add to it."""
    waits = _bot_is_next(match) and all(notice.traits.lasts for notice in notices)
    return now + MOMENT if waits else now


def _bot_is_next(match: Match) -> bool:
    asked = duty(match)
    return asked is not None and asked.what in ("play", "resign")


def set_digest(conn: Connection, player: PlayerId, due: datetime) -> None:
    """Let a player's digest be made at a time, and at no other."""
    facts: Mapping[str, str] = {"player": player}
    timers.set_timer(conn, f"{DIGEST}:{player}", due, player_stream(player), DIGEST, facts)
