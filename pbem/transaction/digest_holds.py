"""Which mails wait for their reader's digest, and until when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

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
    from pbem.store.mails.outbox import QueuedMail
    from pbem.store.people.roster import ReaderRow

DIGEST: Final = "digest"
"""The kind of the timer, and of the mail that is made when it is due."""

SOON: Final = timedelta(hours=24)
"""A deadline so near does not wait for a digest."""

AT_LAST: Final = timedelta(days=1)
"""A mail that no digest has taken up goes out by itself so long after it should have: none is lost,
whatever becomes of the timer."""


def hold_for_digests(
    conn: Connection,
    mails: Sequence[QueuedMail],
    chosen: Mapping[PlayerId, ReaderRow],
    matches: Iterable[Match],
    *,
    actor: PlayerId | None,
    now: datetime,
) -> list[QueuedMail]:
    """The mails as they are to be queued; what can wait does, and the digest is due.

    Whatever answers a letter (of `actor`) goes out at once, and so does a turn whose deadline is
    near; `matches` are those that the mails speak of, and `chosen` has every reader.
    """
    by_stream = {match_stream(match.id): match for match in matches}
    queued = []
    for mail in mails:
        reader = mail.recipient
        due = next_digest(chosen[reader].wishes, now) if reader is not None else None
        if (
            due is None
            or reader in (None, actor)
            or not _waits(mail, by_stream.get(mail.stream or ""), max(due, now + SOON))
        ):
            queued.append(mail)
            continue
        queued.append(replace(mail, held_until=due + AT_LAST))
        set_digest(conn, reader, due)
    return queued


def _waits(mail: QueuedMail, match: Match | None, soon: datetime) -> bool:
    if mail.recipient is None or mail.to_address is not None:
        return False
    seat = match.seat_of(mail.recipient) if match is not None else None
    clock = match.clocks.running.get(seat) if match and match.clocks and seat else None
    if clock is not None and clock.due <= soon:
        return False
    return all(notice.traits.waits for notice in codec.load(mail.notices))


def set_digest(conn: Connection, player: PlayerId, due: datetime) -> None:
    """Let a player's digest be made at a time, and at no other."""
    facts: Mapping[str, str] = {"player": player}
    timers.set_timer(conn, f"{DIGEST}:{player}", due, player_stream(player), DIGEST, facts)
