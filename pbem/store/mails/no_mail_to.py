"""Mailboxes, as mail/mailboxes.py folds them, whose owners want no mail: they answered `never`."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection, delete, select

from pbem.store import tables
from pbem.store.dialects import insert_absent

_T = tables.no_mail_to.c

_ADD = insert_absent(tables.no_mail_to, "mailbox")


def add(conn: Connection, mailbox: str, now: datetime) -> None:
    """Send nothing there any more, whoever names it."""
    conn.execute(_ADD[conn.dialect.name], {"mailbox": digest_of(mailbox), "since": now})


def has(conn: Connection, mailbox: str) -> bool:
    """Whether the owner of a mailbox wants no mail of ours."""
    return (
        conn.execute(select(_T.since).where(_T.mailbox == digest_of(mailbox))).first() is not None
    )


def forget(conn: Connection, mailbox: str) -> bool:
    """Its owner has written to us, and proved it; False if mail was welcome anyway."""
    mine = delete(tables.no_mail_to).where(_T.mailbox == digest_of(mailbox))
    return conn.execute(mine).rowcount == 1


def digest_of(mailbox: str) -> str:
    """What is kept of a mailbox."""
    return sha256(mailbox.encode()).hexdigest()
