"""Each column of each table damaged in turn: `check --deep` names it, and no list ends in an error.

By statements, as somebody may type them: those renew the checksums.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any, Final, cast

import pytest
from sqlalchemy import Boolean, Column, Connection, Float, Integer, LargeBinary, Table

from pbem.cli import findings
from pbem.store import sums
from pbem.store.columns import Instant, Packed
from pbem.store.database import Database
from pbem.store.engine import engine_of
from pbem.store.packing import MARK
from pbem.store.tables import METADATA
from pbem.store.upkeep import deep
from tests.cli import service as services
from tests.cli.columns_read import columns_read
from tests.cli.service import Service, run
from tests.matches.story import ANN, MATCH

AT: Final = "2026-11-21T12:00:00.000000Z"
NOW: Final = datetime(2026, 11, 23, tzinfo=UTC)
SECRET: Final = "Zyxwvu"
LEAGUE: Final = "spring"
TABLES: Final = [table for name, table in METADATA.tables.items() if name not in sums.OWN]
COMMANDS: Final = ("status", "mails", "mails --outbox", "matches --all", f"history {MATCH}")
NO_TEXT: Final = "CAST(x'5a79ff' AS TEXT)"


def damages(column: Column[Any]) -> Iterator[str]:
    """What somebody may write into a column that cannot stand there, as SQL."""
    kind = column.type
    if isinstance(kind, Boolean):
        yield from ("7", f"'{SECRET}'")
    elif isinstance(kind, Integer):
        yield from (f"'{SECRET}'", "-7", "x'5a7900'")
    elif isinstance(kind, Float):
        yield from (f"'{SECRET}'", "x'5a7900'")
    elif isinstance(kind, Packed):
        yield from (f"x'{MARK.hex()}5a79'", f"'{SECRET}'")
    elif isinstance(kind, LargeBinary):
        yield from (f"'{SECRET}'", "7")
    else:
        yield from (NO_TEXT, "x'5a79ff00'")
        if isinstance(kind, Instant):
            yield from ("'soon'", "'2926-11-21T12:00:00.000000Z'", "'1926-11-21T12:00:00.000000Z'")
        elif "json" in column.info:
            yield from ("'{'", "'7'", f"'{'[' * 9000}'")
        elif column.info:
            yield f"'{SECRET}'"


PLACES: Final = [
    pytest.param(table, column, damage, id=f"{table.name}.{column.name}-{number}",
                 marks=[] if number == turn % len(made) else pytest.mark.slow)
    for turn, (table, column) in enumerate((t, c) for t in TABLES for c in t.columns)
    for made in [list(damages(column))]
    for number, damage in enumerate(made)
]  # fmt: skip
"""Each column with one kind of damage; with all of them among the slow tests."""


# --- one database, one connection, and nothing of it is ever committed ----------------------------


def _value(table: Table, column: Column[Any]) -> object:
    """What a row of its table may hold."""
    kind, says = column.type, column.info
    if isinstance(kind, Instant):
        return AT
    if isinstance(kind, Integer | Boolean):
        return 1
    if isinstance(kind, Float):
        return 1.5
    if isinstance(kind, LargeBinary | Packed):
        return SECRET.encode()
    if "one_of" in says:
        return next(iter(sorted(says["one_of"])))
    if "json" in says:
        return "[]" if says["json"] is list else "{}"
    if "kinds" in says:
        return next(iter(sorted(findings.kinds()[table.name, column.name])))
    if (table.name, column.name) == ("tournament", "id"):
        return LEAGUE
    names = {"people": ANN, "match.id": MATCH, "stream.id": f"match-{MATCH}"}
    names["tournament.id"] = LEAGUE
    return names.get(says.get("names", ""), SECRET)


def _fill(conn: sqlite3.Connection) -> None:
    """A row for every table that has none."""
    for table in TABLES:
        if conn.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()[0]:  # noqa: S608 - ours
            continue
        done = {"fired_at", "answered_at"}
        wanted = {c.name: _value(table, c) for c in table.columns if c.name not in done}
        columns = ", ".join(f'"{name}"' for name in wanted)
        marks = ", ".join("?" for _ in wanted)
        conn.execute(f'INSERT INTO "{table.name}" ({columns}) VALUES ({marks})', [*wanted.values()])  # noqa: S608 - ours


class Open:
    """The database as commands use it, on one connection."""

    def __init__(self, conn: Connection) -> None:
        self.conn = conn

    def read(self, unit: Callable[[Connection], Any]) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(unit(self.conn))
        except Exception as error:  # noqa: BLE001 - it is the command's, as from the real one
            future.set_exception(error)
        return future

    def close(self) -> None:
        """It is used again."""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Connection]]:
    service = services.make(tmp_path_factory.mktemp("damaged"))
    with engine_of(f"sqlite:///{service.database}", lenient=True).connect() as conn:
        driver = cast("sqlite3.Connection", conn.connection.driver_connection)
        driver.execute("PRAGMA foreign_keys = OFF")
        conn.begin()
        found = driver.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for (name,) in found:
            driver.execute(f'DROP TRIGGER "{name}"')
        _fill(driver)
        yield service, conn
        conn.rollback()


@pytest.fixture(scope="module")
def reads(opened: tuple[Service, Connection]) -> dict[str, set[str]]:
    """The columns that each of the commands reads."""
    service, conn = opened
    driver = cast("sqlite3.Connection", conn.connection.driver_connection)
    found = {}
    for command in COMMANDS:
        with pytest.MonkeyPatch.context() as patch, columns_read(driver) as found[command]:
            patch.setattr(Database, "open", lambda *_, **__: Open(conn))
            run("--config", str(service.config), *command.split())
    return found


def wrong(conn: Connection) -> list[str]:
    return list(deep.wrong(conn, NOW, findings.kinds()))


def test_nothing_is_wrong_with_what_is_whole(opened: tuple[Service, Connection]) -> None:
    assert wrong(opened[1]) == []


def test_commands_read_what_they_list(reads: dict[str, set[str]]) -> None:
    """None of them is left out because nothing was seen of what it reads."""
    shown = ("inbox.state", "inbox.received_at", "outbox.state", "match.players", "event.data")
    assert {
        command: one in reads[command] for command, one in zip(COMMANDS, shown, strict=True)
    } == (dict.fromkeys(COMMANDS, True))


@pytest.mark.parametrize(("table", "column", "damage"), PLACES)
def test_a_damaged_column_is_named_and_hides_nothing(
    opened: tuple[Service, Connection],
    reads: dict[str, set[str]],
    monkeypatch: pytest.MonkeyPatch,
    *,
    table: Table,
    column: Column[Any],
    damage: str,
) -> None:
    service, conn = opened
    driver = cast("sqlite3.Connection", conn.connection.driver_connection)
    driver.execute("SAVEPOINT damage")
    try:
        first = ", ".join(f'"{one.name}"' for one in table.primary_key.columns)
        try:
            driver.execute(
                f'UPDATE "{table.name}" SET "{column.name}" = {damage} WHERE ({first}) IN '  # noqa: S608 - ours
                f'(SELECT {first} FROM "{table.name}" ORDER BY {first} LIMIT 1)'
            )
        except sqlite3.IntegrityError:
            pytest.skip("SQLite itself refuses it")
        named = [one for one in wrong(conn) if one.startswith(f"{table.name} ")]
        assert any(f": its {column.name} " in one for one in named), wrong(conn)
        assert all("pbem restore" in one for one in named)
        assert not any(SECRET in one.partition(": its ")[2] for one in named)
        monkeypatch.setattr(Database, "open", lambda *_, **__: Open(conn))
        for command in COMMANDS:
            if f"{table.name}.{column.name}" not in reads[command]:
                continue
            result = run("--config", str(service.config), *command.split())
            assert result.output.strip(), command
            assert "Traceback" not in result.output
            assert "NoResultFound" not in result.output
            assert not any(
                line.startswith("WRONG") and "b'" in line for line in result.output.splitlines()
            )
    finally:
        driver.execute("ROLLBACK TO damage")
        driver.execute("RELEASE damage")


def test_each_text_says_what_it_holds_or_is_free() -> None:
    """A new column of words, names or JSON has to say so (`columns`)."""
    free = {
        f"{table.name}.{column.name}"
        for table in TABLES
        for column in table.columns
        if deep._stored(column) == "text" and not column.info
        and not isinstance(column.type, Instant) and not column.primary_key
    }  # fmt: skip
    assert free == {
        "stream.head_hash", "event.stream", "event.event_id", "event.type", "event.hash",
        "sealed.text", "chance_secret.commitment",
        "inbox.mail_key", "inbox.lane", "inbox.account", "inbox.mailbox", "inbox.message_id",
        "inbox.envelope_to", "inbox.disposition", "inbox.code",
        "outbox.mail_key", "outbox.message_id", "outbox.to_address", "outbox.in_reply_to",
        "outbox.root", "outbox.mail_from", "outbox.rcpt", "outbox.smtp_reply",
        "result.unrated", "fingerprint.lines", "timer.stream", "question.key", "runner_state.what",
        "analysis.as_of", "player.name", "player.name_folded", "address.address", "address.player",
        "seat_name.name", "identity.left_for", "log_note.note", "log_note.key",
        "match.ruleset", "tournament.ruleset", "match_still.ruleset", "match_still.why",
    }  # fmt: skip
