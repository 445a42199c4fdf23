"""Every row of a database looked at: by SQLite itself, by checksums, by what may stand in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from sqlalchemy import Boolean, Column, Connection, Float, Integer, LargeBinary, Table

from pbem.legacy.store import ratings, sums
from pbem.legacy.store.codec import OLDEST, instant_of
from pbem.legacy.store.columns import Instant, Packed, PackedText
from pbem.legacy.store.damage import RESTORE, kind_of
from pbem.legacy.store.packing import DamagedBytes, unpack, unpack_text
from pbem.legacy.store.tables import METADATA

# --- deep ----------------------------------------------------------------------------------------
# Every row of a database looked at: by SQLite itself, and against checksums and each other.

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
    (
        "is listed as of another event than its newest",
        (
            "SELECT 'tournament ' || id FROM tournament WHERE version <>"
            " coalesce((SELECT version FROM stream WHERE id = 'tournament-' || tournament.id), -1)"
        ),
    ),
    (
        "is a tournament that no list has",
        (
            "SELECT 'stream ' || id FROM stream WHERE category = 'tournament'"
            " AND substr(id, 12) NOT IN (SELECT id FROM tournament)"
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
    if wrong := ratings.unsound(conn):
        yield f"{wrong} results and ratings are not what the log gives: `pbem ratings --rebuild`"


def _found(conn: Connection, sql: str, why: str) -> Iterator[str]:
    for (row,) in conn.exec_driver_sql(sql):
        yield f"{row} {why}: {MEND}"


# --- rows ----------------------------------------------------------------------------------------
# Rows that hold what no statement of ours writes, each told in a line: what, where, what helps.
#
# What a column may hold is said where it is defined: by its type, and by `columns` (`one_of`,
# `names`, `json_of`, `ahead`). A statement of somebody else renews a row's checksum, and then only
# this tells. SQLite only, where a column takes anything.

Kinds: TypeAlias = Mapping[tuple[str, str], Collection[str]]
"""The words that stand in columns which the store does not know, by table and column."""

SLACK: Final = timedelta(days=2)
"""So much may a clock be behind what it has written."""

FARTHEST: Final = timedelta(days=3660)
"""Nothing is timed for later than so long from now."""

PEOPLE: Final = "people"
SHOWN: Final = 12

_WAITING: Final = {"outbox": "next_at IS NOT NULL", "timer": "fired_at IS NULL",
                   "question": "answered_at IS NULL"}  # fmt: skip
"""Which rows somebody still works with: what is done may be of a kind that is no more."""


@dataclass(frozen=True, slots=True)
class _World:
    """What columns are held to: a time that has come, names that there are, and kinds."""

    conn: Connection
    newest: datetime
    kinds: Kinds
    named: dict[str, frozenset[str]] = field(default_factory=dict)

    def names(self, where: str) -> frozenset[str]:
        """All names of `table.column`, or of people."""
        if where not in self.named:
            self.named[where] = frozenset(self._names(where))
        return self.named[where]

    def _names(self, where: str) -> Iterator[str]:
        wanted = ["player.id", "stream.id"] if where == PEOPLE else [where]
        for one in wanted:
            table, _, column = one.partition(".")
            sql = f'SELECT CAST("{column}" AS BLOB) FROM "{table}"'  # noqa: S608 - names of ours
            for (name,) in self.conn.exec_driver_sql(sql):
                text = bytes(name or b"").decode("utf-8", "replace")
                # Who is forgotten has no row any more, but has done what the log says.
                yield text.removeprefix("player-") if where == PEOPLE else text


def wrong(conn: Connection, now: datetime, kinds: Kinds) -> Iterator[str]:
    """What columns hold that they cannot, in words; `now` is the time of the machine."""
    if conn.dialect.name != "sqlite":
        return
    world = _World(conn, now, kinds)
    for name, table in METADATA.tables.items():
        if name in sums.OWN:
            continue
        for column in table.columns:
            try:
                yield from _column(world, table, column)
            except Exception as error:  # noqa: BLE001 - the others are looked at all the same
                yield f"{name}: its column {column.name} cannot be read: {kind_of(error)}"


def _column(world: _World, table: Table, column: Column[Any]) -> Iterator[str]:
    keys = " || ' ' || ".join(f'CAST("{one.name}" AS TEXT)' for one in table.primary_key.columns)
    # As bytes, since text that is no text cannot even be read.
    sql = (
        f'SELECT CAST({keys} AS BLOB), typeof("{column.name}"), '  # noqa: S608 - names of ours
        f'CAST("{column.name}" AS BLOB) FROM "{table.name}"'
    )
    if column.info.get("kinds") and table.name in _WAITING:
        sql += f" WHERE {_WAITING[table.name]}"
    check = _check_of(world, table, column)
    for key, stored, value in world.conn.exec_driver_sql(sql):
        if why := _why(column, stored, value, check):
            yield f"{table.name} {_shown(key)}: its {column.name} {why}: {RESTORE}"


def _shown(key: bytes | None) -> str:
    """A row by its key, cut short and without what a terminal would obey."""
    text = bytes(key or b"?").decode("utf-8", "replace")
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


_Check: TypeAlias = Callable[[bytes], str]
"""Why bytes cannot stand in a column; empty if they can."""


def _why(column: Column[Any], stored: str, value: bytes | None, check: _Check) -> str:
    if value is None:
        return "" if column.nullable else "is missing"
    if stored != _stored(column):
        return f"holds {_NAMES.get(stored, 'something')} in place of {_NAMES[_stored(column)]}"
    return check(value)


_NAMES: Final = {"text": "text", "integer": "a number", "blob": "bytes", "real": "a fraction"}


def _stored(column: Column[Any]) -> str:
    if isinstance(column.type, Integer | Boolean):
        return "integer"
    if isinstance(column.type, Float):
        return "real"
    binary = isinstance(column.type, LargeBinary | Packed)
    return "blob" if binary else "text"


def _check_of(world: _World, table: Table, column: Column[Any]) -> _Check:
    kind, says = column.type, column.info
    if isinstance(kind, Boolean):
        return lambda value: "" if value in {b"0", b"1"} else "is neither yes nor no"
    if isinstance(kind, Integer):
        return lambda value: "is less than nothing" if value.startswith(b"-") else ""
    if isinstance(kind, Float):
        return lambda _: ""
    if isinstance(kind, Packed):
        return _unpacks
    if isinstance(kind, LargeBinary):
        return lambda _: ""
    if isinstance(kind, PackedText):
        return _text(lambda text: _fails(unpack_text, text, "cannot be unpacked"))
    if isinstance(kind, Instant):
        most = world.newest + (FARTHEST if says.get("ahead") else SLACK)
        return _text(lambda text: _time(text, most))
    if "json" in says:
        return _text(lambda text: _json(text, says["json"]))
    allowed = _allowed(world, table, column)
    if allowed is None:
        return _text(lambda _: "")
    words, why = allowed
    return _text(lambda text: "" if text in words else why)


def _allowed(
    world: _World, table: Table, column: Column[Any]
) -> tuple[Collection[str], str] | None:
    says = column.info
    if "one_of" in says:
        return says["one_of"], "is no word that can stand there"
    if "names" in says:
        return world.names(says["names"]), "names what is not there"
    kinds = world.kinds.get((table.name, column.name)) if "kinds" in says else None
    return (kinds, "is no kind that there is") if kinds is not None else None


def _text(check: Callable[[str], str]) -> _Check:
    def checked(value: bytes) -> str:
        try:
            return check(value.decode())
        except UnicodeDecodeError:
            return "is no text (UTF-8)"

    return checked


def _unpacks(value: bytes) -> str:
    return _fails(unpack, value, "cannot be unpacked")


def _fails(read: Callable[[Any], object], value: object, why: str) -> str:
    try:
        read(value)
    except (DamagedBytes, UnicodeDecodeError):
        return why
    return ""


def _time(text: str, most: datetime) -> str:
    try:
        at = instant_of(text)
    except (TypeError, ValueError):
        return "is no time"
    if at < OLDEST:
        return f"is a time before {OLDEST:%Y}"
    return f"is a time after {most:%Y-%m-%d}" if at > most else ""


def _json(text: str, shape: type) -> str:
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return "is no JSON"
    return "" if isinstance(held, shape) else "is JSON of another shape"
