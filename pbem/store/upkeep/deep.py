"""Every row of a database looked at: by SQLite itself, and against checksums and each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection

from pbem.store import sums
from pbem.store.damage import RESTORE, kind_of

LISTED: Final = 100
"""The most that SQLite says of a file."""

MEND: Final = RESTORE


def integrity(conn: Connection) -> Iterator[str]:
    """What SQLite says of its own pages, indexes and references."""
    if conn.dialect.name != "sqlite":
        return
    for (said,) in conn.exec_driver_sql(f"PRAGMA integrity_check({LISTED})"):
        if said != "ok":
            yield f"the file is damaged: {_of_pages(str(said))}"
    for table, _, parent, _ in conn.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"a row of {table} names one of {parent} that is not there"


def _of_pages(said: str) -> str:
    """SQLite names pages and tables; a row's number, and nothing that it holds."""
    return " ".join(said.replace("*", " ").split())


def checksums(conn: Connection) -> Iterator[str]:
    """Rows that no statement made as they are."""
    for table in sums.SUMMED:
        try:
            for one in sums.altered(conn, table):
                yield f"{table} {_named(one.key)} {one.how} by no pbem: {MEND}"
        except Exception as error:  # noqa: BLE001 - the other tables are looked at all the same
            yield f"{table}: {kind_of(error)}"


def _named(key: str) -> str:
    """A row by its key, cut short: those of rates and addresses say who somebody is."""
    shown = key.replace(sums.BETWEEN, " ")
    return f"{shown[:12]}..." if len(shown) > 12 else shown  # noqa: PLR2004 - as keys of letters


# --- against the log -----------------------------------------------------------------------------

_CHECKS: Final[tuple[tuple[str, str], ...]] = (
    (
        "names an event that is not in the log",
        (
            "SELECT 'inbox ' || substr(mail_key, 1, 12) FROM inbox WHERE stream IS NOT NULL"
            " AND to_version > coalesce((SELECT version FROM stream WHERE id = inbox.stream), 0)"
        ),
    ),
    (
        "speaks of an event that is not in the log",
        (
            "SELECT 'outbox ' || id FROM outbox WHERE stream IS NOT NULL"
            " AND version > coalesce((SELECT version FROM stream WHERE id = outbox.stream), 0)"
        ),
    ),
    (
        "waits for a player who is not there",
        (
            "SELECT 'outbox ' || id FROM outbox WHERE state IN ('new', 'failed', 'leased')"
            " AND recipient IS NOT NULL AND recipient NOT IN (SELECT id FROM player)"
        ),
    ),
    (
        "waits and is never due",
        "SELECT 'outbox ' || id FROM outbox WHERE state = 'new' AND next_at IS NULL",
    ),
    (
        "is of a stream that is not there",
        (
            "SELECT 'timer ' || substr(key, 1, 40) FROM timer WHERE stream IS NOT NULL"
            " AND fired_at IS NULL AND stream NOT IN (SELECT id FROM stream)"
        ),
    ),
    (
        "is put to a player who is not there",
        (
            "SELECT 'question ' || number FROM question WHERE answered_at IS NULL"
            " AND player NOT IN (SELECT id FROM player)"
        ),
    ),
    (
        "is listed as of another event than its newest",
        (
            "SELECT 'match ' || id FROM \"match\" WHERE version <>"
            " coalesce((SELECT version FROM stream WHERE id = 'match-' || \"match\".id), -1)"
        ),
    ),
    (
        "is a match that no list has",
        (
            "SELECT 'stream ' || id FROM stream WHERE category = 'match' AND closed_at IS NULL"
            ' AND substr(id, 7) NOT IN (SELECT id FROM "match")'
        ),
    ),
)
"""What is wrong with rows that contradict the log, and the statement that finds them."""


def contradictions(conn: Connection) -> Iterator[str]:
    """Rows beside the log that cannot be if the log is right."""
    for why, sql in _CHECKS:
        try:
            yield from _found(conn, sql, why)
        except Exception as error:  # noqa: BLE001 - the others are looked at all the same
            yield kind_of(error)


def _found(conn: Connection, sql: str, why: str) -> Iterator[str]:
    for (row,) in conn.exec_driver_sql(sql):
        yield f"{row} {why}: {MEND}"
