"""Databases as earlier versions left them: of each form of the first tables, and a played one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

FORMS: Final = 13
"""How many forms the first migration had; the last is that of 0001 for ever."""

_HERE: Final = Path(__file__).parent
_STATEMENT: Final = re.compile(r"^-- ([\d,-]+)\n(.*?)(?=\n\n--|\Z)", re.DOTALL | re.MULTILINE)
_AT: Final = "2026-11-21T12:00:00.000000Z"

_VERSION: Final = (
    "CREATE TABLE alembic_version ( version_num VARCHAR(32) NOT NULL, "
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num) )"
)

ROWS: Final[dict[str, list[dict[str, Any]]]] = {
    "player": [
        {"id": "ann", "name": "Ann", "name_folded": "ann", "generation": 0, "created_at": _AT}
        | {"private_comments": 1, "banned": 0, "wishes": '{"lang":"de"}'},
        {"id": "bob", "name": "Bob", "name_folded": "bob", "generation": 0, "created_at": _AT}
        | {"private_comments": 0, "banned": 1, "wishes": "{}"},
    ],
    "address": [
        {"folded": "ann@example.org", "address": "Ann@example.org", "player": "ann", "main": 1}
        | {"added_at": _AT, "confirmed": 1, "confirmed_at": _AT, "bounces": 2}
        | {"bounced_since": None, "suspended_at": _AT}
    ],
    "reply_address": [{"player": "ann", "generation": 0, "since": _AT}],
    "checkpoint": [
        {"account": "a", "mailbox": "INBOX", "uidvalidity": 1, "uid": 7, "read_at": _AT}
    ],
    "inbox": [
        {"number": 5, "mail_key": "small", "account": "a", "mailbox": "INBOX", "uidvalidity": 1}
        | {"uid": 6, "raw": b"From: x\r\n\r\n", "oversize": 0, "received_at": _AT, "attempts": 1}
        | {"state": "done", "from_version": 1, "to_version": 2, "player": "ann"}
    ],
    "outbox": [
        {"id": 9, "mail_key": "k", "message_id": "<1@example.org>", "version": 3, "kind": "turn"}
        | {"notices": "[]", "state": "sent", "attempts": 1, "queued_at": _AT}
        | {"references_root": "<0@example.org>", "root": "<0@example.org>", "data": b"bytes"}
    ],
    "fingerprint": [{"outbox_id": 9, "line": "aa"}, {"outbox_id": 9, "line": "bb"}],
    "question": [
        {"number": 3, "key": "q", "player": "ann", "kind": "register", "facts": "{}"}
        | {"asked_at": _AT, "expires_at": _AT, "answer": None}
    ],
    "match": [
        {"id": "K7QX2", "ruleset": "logger-1", "status": "running", "players": '["ann","bob"]'}
        | {"to_act": '["ann"]', "challenger": "ann", "open_seats": 0, "ply": 1, "version": 2}
        | {"created_at": _AT, "updated_at": _AT}
    ],
    "match_player": [
        {"player": "ann", "match": "K7QX2", "finished": 0},
        {"player": "bob", "match": "K7QX2", "finished": 0},
    ],
    "seat_name": [
        {"match": "K7QX2", "seat": 1, "player": "ann", "name": "Ann"},
        {"match": "K7QX2", "seat": 2, "player": "bob", "name": "Bob"},
    ],
    "timer": [{"key": "t", "due_at": _AT, "kind": "deadline", "facts": "{}", "fired_at": _AT}],
    "stream": [
        {"id": "player-ann", "category": "player", "version": 1, "head_hash": "h"}
        | {"created_at": _AT}
    ],
    "event": [
        {"position": 1, "stream": "player-ann", "version": 1, "event_id": "e", "type": "Joined"}
        | {"schema": 1, "data": "{}", "meta": "{}", "recorded_at": _AT, "hash": "h"}
    ],
}
"""A few rows with all columns that a form of their table ever had."""


def statements(form: int) -> Iterator[str]:
    """What a form of the first migration made."""
    text = (_HERE / "earlier_tables.sql").read_text(encoding="utf-8")
    for which, sql in _STATEMENT.findall(text):
        spans = [span.split("-") for span in which.split(",")]
        if any(int(span[0]) <= form <= int(span[-1]) for span in spans):
            yield sql


def of_form(path: Path, form: int, *, rows: bool = True) -> Path:
    """A database that says 0001, with the tables of one of its forms and, if wanted, some rows."""
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("PRAGMA journal_mode = WAL").close()
        for sql in statements(form):
            conn.execute(sql)
        conn.execute(_VERSION)
        conn.execute("INSERT INTO alembic_version VALUES ('0001')")
        conn.execute("INSERT INTO log_head (id, position) VALUES (1, ?)", (int(rows),))
        for table, listed in ROWS.items() if rows else ():
            for row in listed:
                _insert(conn, table, dict(row))
    return path


def _insert(conn: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    have = [column for _, column, *_ in conn.execute(f"PRAGMA table_info({table!r})")]
    if table == "fingerprint" and "lines" in have:
        if row["line"] != "aa":
            return
        row["lines"] = "aa\nbb"
    fits = {name: value for name, value in row.items() if name in have}
    if fits:
        names = ", ".join(f'"{name}"' for name in fits)
        marks = ", ".join("?" * len(fits))
        conn.execute(
            f'INSERT INTO "{table}" ({names}) VALUES ({marks})',  # noqa: S608 - names of ours
            tuple(fits.values()),
        )


def played(path: Path, version: str = "0001") -> Path:
    """A database of a version with five matches, as a club's year began."""
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript((_HERE / f"database_{version}.sql").read_text(encoding="utf-8"))
        conn.execute("PRAGMA journal_mode = WAL").close()
    return path
