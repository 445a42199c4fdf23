"""Export of a match record: its events as lines of JSON, as far as a reader may know them.

The record of a finished match is complete. From it alone, every hash and every random draw
can be computed again, and every move replayed; docs/fairness.md has a program that checks
hashes and random draws. While the match runs, a record omits what the reader may not know:
the values of sealed random draws, and the standing orders of other players. The salts of
the events with such values are omitted, too. Without the salt, a reader cannot guess an
omitted value by hashing all possibilities.

A line is an object with these members:

| member | contents |
|---|---|
| match | the code of the match |
| version | the number of the event, counted from 1 |
| type, data | the event; docs and schemas are in events/ |
| cause | the number, counted from 1, of the unit of work that wrote the event |
| salt | the salt of the hash, in hex; empty if part of the event is omitted |
| hash | the hash of this event and of the hash before it, in hex |

In the database, a cause that is an email is identified by a hash of the email. The record has
numbers instead, so that a reader cannot test guesses of the email's text.
"""

from __future__ import annotations

import json
from itertools import groupby

from sqlalchemy import Connection

from pbem.match.events import redact_event
from pbem.match.state import Match, Status, apply
from pbem.names import MatchId, PlayerId
from pbem.store.codec import dump_event, load_event
from pbem.store.event_log import load_rows


def export_match(conn: Connection, match: MatchId, reader: PlayerId | None) -> list[str]:
    """Return the events of a match as lines of JSON, oldest first.

    Args:
        conn: The connection to the database.
        match: The code of the match.
        reader: The player who gets the lines; None for any other reader, even the operator.
    """
    rows = load_rows(conn, match)
    events = [load_event(row.type, row.data) for row in rows]
    state, seats = Match(id=match), []
    for event in events:
        state = apply(state, event)
        # The reader's seat can change, because the operator may give a seat to another player.
        seats.append(None if reader is None else state.seat_of(reader))
    is_over = state.status in (Status.ENDED, Status.CLOSED)
    units = [
        number
        for number, (_, unit) in enumerate(groupby(rows, key=lambda row: row.cause), 1)
        for _ in unit
    ]
    lines = []
    for row, event, seat, unit in zip(rows, events, seats, units, strict=True):
        visible = event if is_over else redact_event(event, seat)
        is_whole = visible == event
        line = {
            "match": match,
            "version": row.version,
            "type": row.type,
            "data": json.loads(row.data if is_whole else dump_event(visible)),
            "cause": unit,
            "salt": row.salt if is_whole else "",
            "hash": row.hash,
        }
        lines.append(json.dumps(line, separators=(",", ":"), ensure_ascii=False))
    return lines
