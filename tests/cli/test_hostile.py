"""Names, answers of servers and texts that are meant to be taken for something else."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from pbem.cli.opening import safe
from pbem.store import runner_state
from pbem.store.mails import inbox, outbox
from tests.cli.service import START, Service
from tests.cli.test_mails import do, letter
from tests.matches.story import ANN, BOB, MATCH

NAMES = ("[/b] Bob", "[red]Eve[/red]", "\x1b]0;owned\x07Mallory", "\u202eboB", ":smile: [link=x]")
COMMANDS = (
    "status",
    "matches --all",
    f"show {MATCH}",
    f"replay {MATCH} --at 1",
    f"history {MATCH}",
    f"verify {MATCH}",
    "mails",
    "mails --outbox",
    "mails --shunted",
    "keys list",
    "check --offline",
)


def hostile(service: Service, text: str) -> None:
    """A service in which everything that outsiders say says this."""
    with closing(sqlite3.connect(service.database)) as conn, conn:
        conn.execute("UPDATE player SET name = ?", (text,))
        conn.execute(
            "UPDATE match SET to_act = players, status = 'running', waiting_since = created_at"
        )

    def unit(conn: object) -> None:
        inbox.receive(conn, [letter("aaaa1111")], None, START)  # type: ignore[arg-type]
        inbox.shunt(conn, "aaaa1111", text)  # type: ignore[arg-type]
        runner_state.note(conn, f"receiving {text}", START, text)  # type: ignore[arg-type]
        mail = outbox.QueuedMail(
            key="c:ann", message_id="<1@x>", recipient=ANN, kind="turn", notices="[]"
        )
        outbox.queue(conn, [mail], START)  # type: ignore[arg-type]

    do(service, unit)
    with closing(sqlite3.connect(service.database)) as conn, conn:
        conn.execute("UPDATE outbox SET smtp_reply = ?, state = 'dead'", (text,))


@pytest.mark.parametrize("name", NAMES)
def test_every_list_shows_what_is_there_and_nothing_else(service: Service, name: str) -> None:
    hostile(service, name)
    said = {
        command: service.run(*command.split(), code=command.startswith("check"))
        for command in COMMANDS
    }
    for text in said.values():
        assert all(char.isprintable() or char in "\n\t" for char in text)
    for command in ("status", "matches --all", f"show {MATCH}", "mails", "mails --outbox"):
        assert safe(name) in said[command], command


def test_what_a_terminal_would_obey_is_shown() -> None:
    assert safe("Bj\u00f6rn\n\tx") == "Bj\u00f6rn\n\tx"
    assert safe("\x1b[2J\x9b\u202e\x7f\r") == "\ufffd[2J\ufffd\ufffd\ufffd\ufffd"


@pytest.mark.parametrize("name", NAMES)
def test_acting_on_somebody_shows_the_name_as_it_is(service: Service, name: str) -> None:
    hostile(service, name)
    said = service.run("ban", BOB, "--reason", "he asked for it", "--yes")
    assert f"{safe(name)} <bob@example.net>" in said
    assert all(char.isprintable() or char in "\n\t" for char in said)
