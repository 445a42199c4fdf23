"""Which letters, timers and mails belong to an event: by the causes that all are kept with."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, or_, select

from pbem.names import PlayerId
from pbem.store import tables
from pbem.store.timers import read_cause

TOGETHER = 100
"""Causes that are asked for at once: a statement has only so many variables."""


@dataclass(frozen=True, slots=True)
class SentMail:
    """A mail that was owed for a cause; `notices` are the kinds of its news, in their order."""

    id: int
    cause: str
    recipient: PlayerId | None
    kind: str
    notices: tuple[str, ...]
    state: str
    attempts: int
    queued_at: datetime
    sent_at: datetime | None
    smtp_reply: str | None


@dataclass(frozen=True, slots=True)
class TakenLetter:
    """A letter, and what became of it."""

    key: str
    player: PlayerId | None
    received_at: datetime
    state: str
    disposition: str | None
    code: str | None


@dataclass(frozen=True, slots=True)
class SetTimer:
    """A timer, and when it was due."""

    key: str
    kind: str
    due_at: datetime


_OUT, _IN = tables.outbox.c, tables.inbox.c

_SHOWN = [column for column in _OUT if column.name != "data"]


def mails_of(conn: Connection, stream: str, causes: Collection[str]) -> list[SentMail]:
    """The mails in a stream's thread, and those of these causes to anybody; the oldest first."""
    wanted = [_OUT.stream == stream]
    found = {}
    for some in _parts(sorted(causes)):
        # A range, so that the index is used: `;` comes after `:`.
        ranges = [(_OUT.mail_key >= f"{one}:") & (_OUT.mail_key < f"{one};") for one in some]
        rows = select(*_SHOWN).where(or_(*wanted, *ranges))
        found.update({row.id: row for row in conn.execute(rows)})
        wanted = []
    if wanted:
        found.update({r.id: r for r in conn.execute(select(*_SHOWN).where(*wanted))})
    return [
        SentMail(
            id=row.id,
            cause=row.mail_key.rsplit(":", 2)[0],
            recipient=PlayerId(row.recipient) if row.recipient is not None else None,
            kind=row.kind,
            notices=tuple(item["notice"] for item in json.loads(row.notices)),
            state=row.state,
            attempts=row.attempts,
            queued_at=row.queued_at,
            sent_at=row.sent_at,
            smtp_reply=row.smtp_reply,
        )
        for _, row in sorted(found.items())
    ]


def letters(conn: Connection, keys: Collection[str]) -> dict[str, TakenLetter]:
    """The letters of these keys; causes that are none are missing."""
    columns = (_IN.mail_key, _IN.player, _IN.received_at, _IN.state, _IN.disposition, _IN.code)
    return {
        row.mail_key: TakenLetter(*row)
        for some in _parts(sorted(keys))
        for row in conn.execute(select(*columns).where(_IN.mail_key.in_(some)))
    }


def timers(causes: Collection[str]) -> dict[str, SetTimer]:
    """The timers that these causes name; causes that are none are missing."""
    named = ((cause, read_cause(cause)) for cause in causes)
    return {
        cause: SetTimer(key=found[0], kind=found[0].partition(":")[0], due_at=found[1])
        for cause, found in named
        if found is not None
    }


def _parts(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), TOGETHER):
        yield keys[start : start + TOGETHER]
