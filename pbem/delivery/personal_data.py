"""All that is held on one player, for the mail that tells it: rows, own events, kept mails."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pbem.delivery.player_traces import traces
from pbem.notices.views.clean import clean
from pbem.notices.views.scene import Holding
from pbem.store.codec import digests, encode
from pbem.store.log import event_log, sealed
from pbem.store.people import personal
from pbem.transaction.installation import player_stream

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import PlayerId

LONGEST: Final = 60_000
"""Characters of all of it: more than that no mail program likes. The rest is told by its number."""

_ROWS: Final = ("question", "rate", "timer", "inbox", "outbox", "fingerprint", "match_watcher",
         "seat_name", "standing")  # fmt: skip


def holdings(conn: Connection, player: PlayerId) -> tuple[Holding, ...]:
    """What is held, most personal first; what is beyond the longest mail is only counted."""
    room = LONGEST
    found = []
    for name, items in _sections(conn, player):
        lines = [clean(json.dumps(item, ensure_ascii=False, default=_plain)) for item in items]
        fit = _fitting(lines, room)
        room -= sum(len(line) for line in lines[:fit])
        found.append(Holding(name, len(lines), tuple(lines[:fit])))
    return tuple(found)


def _fitting(lines: list[str], room: int) -> int:
    for number, line in enumerate(lines):
        room -= len(line)
        if room < 0:
            return number
    return len(lines)


def _sections(
    conn: Connection, player: PlayerId
) -> Iterator[tuple[str, Iterable[Mapping[str, Any]]]]:
    for table in ("player", "address", "reply_address"):
        yield table, personal.rows_of(conn, table, player)
    yield "stream", _own_stream(conn, player)
    yield "matches", _own_events(conn, player)
    for table in _ROWS:
        yield table, personal.rows_of(conn, table, player)


def _own_stream(conn: Connection, player: PlayerId) -> Iterator[Mapping[str, Any]]:
    for one in event_log.load(conn, player_stream(player)):
        event = event_log.event_of(one)
        texts = sealed.unseal(conn, list(digests(event)))
        yield {"at": one.recorded_at, "event": one.type, **_opened(one.data, texts)}


def _own_events(conn: Connection, player: PlayerId) -> Iterator[Mapping[str, Any]]:
    """Moves, messages, notes, and whatever else the player did in matches, with its texts."""
    for trace in traces(conn, player):
        form = encode(trace.event)
        texts = sealed.unseal(conn, list(digests(trace.event)))
        head = {"match": trace.match, "at": trace.at, "event": form.type}
        yield {**head, **_opened(form.data, texts)}


def _opened(data: str, texts: Mapping[Any, str]) -> dict[str, Any]:
    """The fields of an event that say something, with texts in place of their digests."""
    fields = json.loads(data)
    return {
        name: texts.get(value, value) if isinstance(value, str) else value
        for name, value in fields.items()
        if value not in (None, "", False, [], {})
    }


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    raise TypeError(f"{value!r} has no place in a mail")
