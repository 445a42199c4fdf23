"""Commands on what is damaged, full or closed: words and what helps, and nothing of a row."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli.columns_read import columns_read_by_all
from tests.cli.service import Service, run
from tests.matches.story import ANN, BOB, MATCH

SECRET = "Zyxwvu"  # stands in rows, and in nothing that is said

READING = (
    "status",
    "check --offline",
    "check --offline --deep",
    "matches --all",
    f"show {MATCH}",
    f"replay {MATCH}",
    f"verify {MATCH}",
    f"history {MATCH}",
    f"export {MATCH}",
    "mails",
    "mails --outbox",
    "mails --outbox 1",
    "mails aaaa",
    "keys list",
)
ACTING = (
    "backup COPY",
    "retry aaaa",
    "resend 1",
    f"ban {ANN} --reason x --yes",
    f"forget {ANN} --yes",
    f"match void {MATCH} --reason x --yes",
    "reach --all --yes",
    "upgrade",
    "init",
)
"""Every other command that opens the database, but for `serve`."""


def said(service: Service, command: str) -> tuple[int, str]:
    """How a command ended and what it said; no error comes out of it."""
    words = command.replace("COPY", str(service.folder / "copy")).split()
    result = run("--config", str(service.config), *words)
    assert "Traceback" not in result.output
    # Lists show what rows hold; what is said of damage does not.
    findings = [line for line in result.output.splitlines() if line.startswith(("pbem:", "WRONG"))]
    assert SECRET not in (result.output if command.startswith("check") else "".join(findings))
    return result.exit_code, result.output


# --- the file ------------------------------------------------------------------------------------


def _no_database(file: Path) -> None:
    file.write_bytes(f"From: {SECRET}@example.org\r\n".encode() * 4000)


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _cut_to_a_page(file: Path) -> None:
    os.truncate(file, 4096)


def _header(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(16)
        opened.write(b"\xff" * 60)


def _garbage(file: Path) -> None:
    """Everything but the first page and the list of tables is noise."""
    with file.open("r+b") as opened:
        size = file.stat().st_size
        for page in range(3 * 4096, size, 4096):
            opened.seek(page)
            opened.write(os.urandom(4096))


def _schema(file: Path) -> None:
    text = file.read_bytes()
    assert b"CREATE TABLE stream" in text
    file.write_bytes(text.replace(b"CREATE TABLE stream", b"CRXXTE TABLE stream"))


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


FILES = (_no_database, _empty, _cut, _cut_to_a_page, _header, _garbage, _schema, _folder)


@pytest.fixture
def settled(service: Service) -> Service:
    """A service whose file is complete in itself."""
    with closing(sqlite3.connect(service.database)) as conn:
        conn.execute("PRAGMA journal_mode = DELETE").close()
    return service


@pytest.mark.parametrize("damage", FILES)
def test_a_damaged_file_is_told_in_words(settled: Service, damage: Callable[[Path], None]) -> None:
    damage(settled.database)
    for command in (*READING, *ACTING):
        code, words = said(settled, command)
        whole = damage in (_garbage, _cut) and command in ("upgrade", "init", "keys list")
        assert code == 1 or whole, (command, words)
        assert words.strip(), command


@pytest.mark.parametrize("damage", [_no_database, _header, _schema, _folder, _empty])
def test_a_damaged_file_is_not_served(settled: Service, damage: Callable[[Path], None]) -> None:
    damage(settled.database)
    code, words = said(settled, "serve")
    assert code == 1
    assert str(settled.database) in words or "database" in words


# --- rows ----------------------------------------------------------------------------------------

BAD: dict[str, str] = {
    "text that is no UTF-8": "CAST(x'5a7978777675ff' AS TEXT)",
    "no JSON": f"'{SECRET}'",
    "a number": "17",
    "bytes": "x'5a797877767500'",
    "nothing": "''",
}
PLACES = (
    "event.data",
    "event.meta",
    "event.recorded_at",
    "event.type",
    "event.schema",
    "event.hash",
    "stream.head_hash",
    "stream.version",
    "match.players",
    "match.to_act",
    "match.status",
    "match.ruleset",
    "match.waiting_since",
    "player.name",
    "player.wishes",
    "address.address",
    "address.bounced_since",
    "inbox.received_at",
    "inbox.state",
    "inbox.raw",
    "inbox.attempts",
    "outbox.notices",
    "outbox.queued_at",
    "outbox.smtp_reply",
    "outbox.state",
    "outbox.version",
    "runner_state.last_at",
    "rate.empty_at",
    "chance_secret.secret",
    "chance_secret.links",
    "sealed.text",
    "log_head.position",
)


def _fill(service: Service) -> None:
    at = "2026-11-21T12:00:00.000000Z"
    with closing(sqlite3.connect(service.database)) as conn, conn:
        conn.execute(
            "INSERT INTO inbox (mail_key, account, mailbox, uidvalidity, uid, raw, received_at, "
            "attempts, state) VALUES ('aaaa', 'a', 'b', 1, 1, ?, ?, 3, 'shunted')",
            (f"From: {SECRET}".encode(), at),
        )
        conn.execute(
            "INSERT INTO outbox (mail_key, message_id, version, recipient, kind, notices, state, "
            "attempts, queued_at, data, stream) "
            "VALUES ('k', 'm', 3, ?, 'turn', '[]', 'sent', 1, ?, ?, ?)",
            (ANN, at, SECRET.encode(), f"match-{MATCH}"),
        )
        conn.execute("INSERT INTO runner_state VALUES ('letters', ?, 'waiting')", (at,))
        conn.execute("INSERT INTO rate VALUES ('mails:hour', ?)", (at,))
        conn.execute("INSERT INTO sealed VALUES ('d', x'00', 'x')")


def _spoil(service: Service, place: str, value: str) -> None:
    table, _, column = place.partition(".")
    with closing(sqlite3.connect(service.database)) as conn, conn:
        for (name,) in conn.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", (table,)
        ).fetchall():
            conn.execute(f'DROP TRIGGER "{name}"')
        first = f'(SELECT rowid FROM "{table}" ORDER BY rowid LIMIT 1)'  # noqa: S608 - ours
        done = conn.execute(
            f'UPDATE "{table}" SET "{column}" = {value} WHERE rowid = {first}'  # noqa: S608 - ours
        )
        assert done.rowcount == 1


PAIRS = [
    pytest.param(place, bad, marks=[] if number == 2 * kind else pytest.mark.slow)
    for number, place in ((turn % (2 * len(BAD)), place) for turn, place in enumerate(PLACES))
    for kind, bad in enumerate(BAD)
]
"""Each second place with one kind of damage; with all of them among the slow tests.

Each column of each table is damaged in test_damaged_rows.py, on one connection; here it is a
whole command that finds it.
"""


# These show a letter or an event as it is.
LISTING = [
    one
    for one in READING
    if not one.endswith(("--deep", "aaaa", "outbox 1")) and not one.startswith("export")
]


@pytest.fixture(scope="module")
def reads(made: Service, tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The columns that each of the commands reads."""
    service = Service(tmp_path_factory.mktemp("read") / "service")
    shutil.copytree(made.folder, service.folder)
    _fill(service)
    found = {}
    for command in LISTING:
        with columns_read_by_all() as found[command]:
            said(service, command)
    assert all(found[command] for command in LISTING if command != "keys list")
    return found


@pytest.mark.parametrize(("place", "bad"), PAIRS)
def test_a_damaged_row_is_told_in_words(
    service: Service, reads: dict[str, set[str]], place: str, bad: str
) -> None:
    _fill(service)
    _spoil(service, place, BAD[bad])
    for command in LISTING:
        if place in reads[command]:
            said(service, command)
    assert said(service, "check --offline --deep")[0] == 1


def test_a_damaged_row_hides_no_other(service: Service) -> None:
    _fill(service)
    _spoil(service, "runner_state.last_at", "'x'")
    _spoil(service, "match.players", "'x'")
    assert "letters" in said(service, "status")[1]
    code, words = said(service, "matches --all")
    assert code == 1
    assert f"match {MATCH}: " in words


# --- the disk ------------------------------------------------------------------------------------


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without root's right to write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


CLOSED = [one for one in (*READING, *ACTING) if one != "init"]


@pytest.fixture(scope="module")
def _loaded(made: Service, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Modules that commands load late: nobody may not read them."""
    service = Service(tmp_path_factory.mktemp("loaded") / "service")
    shutil.copytree(made.folder, service.folder)
    for command in CLOSED:
        run("--config", str(service.config), *command.replace("COPY", "/dev/null/x").split())


@pytest.mark.usefixtures("_loaded")
@pytest.mark.parametrize("closed", ["file", "folder", "both"])
def test_what_may_not_be_written_is_told_in_words(service: Service, closed: str) -> None:
    config = service.config.read_text()
    for path in (service.folder, *service.folder.rglob("*")):
        os.chown(path, 65534, 65534)
    for parent in service.folder.parents:
        if parent.name.startswith("pytest-") or parent.parent.name.startswith("pytest-"):
            parent.chmod(0o755)
    if closed != "folder":
        service.database.chmod(0o400)
    if closed != "file":
        service.folder.chmod(0o500)
    try:
        with as_nobody():
            for command in CLOSED:
                said(service, command)
            assert said(service, f"ban {BOB} --reason x --yes")[0] == 1
            code, _ = said(service, "serve")
    finally:
        service.folder.chmod(0o700)
    assert code == 1
    assert service.config.read_text() == config


def test_a_full_disk_is_told_in_words(service: Service) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for command in (f"ban {ANN} --reason x --yes", "backup COPY", "status", "check --offline"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
        try:
            code, words = said(service, command)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert code == 1, command
        assert "disk" in words or "room" in words, words
