"""Which mails have come back: each once, however often a server says so."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, update

from pbem.store import tables

_T = tables.outbox.c

_COME_BACK = (
    update(tables.outbox)
    # Not one that was refused when it was sent: it has been counted. One that is leased may have
    # arrived before whoever sends it could say so.
    .where(_T.id == bindparam("mail"), _T.state.in_(("sent", "leased")))
    .values(state="bounced", next_at=None)
)


def note_bounced(conn: Connection, mail: int) -> bool:
    """A mail that we sent has come back for good; False if that was known before."""
    return conn.execute(_COME_BACK, {"mail": mail}).rowcount == 1
