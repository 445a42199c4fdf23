"""Commands on a service on which Ann and Bob play a match, in which Bob is to move."""

from __future__ import annotations

import asyncio
import json
import re
import stat
import time
from contextlib import closing
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.server.loops import Server
from pbem.service.app import open_app
from pbem.settings import load_settings
from pbem.store.database import Database
from pbem.store.heartbeats import RESTORED, find_heartbeat
from pbem.store.worker_lock import hold_worker_lock
from pbem.transport.factory import open_mailbox, open_mailer
from tests.cli.conftest import Commands
from tests.conversations.runner import BEGINNING


def list_json(club: Commands, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(club(*words, "--json"))
    return found


def find_code(club: Commands) -> str:
    [match] = list_json(club, "match", "list")
    return str(match["match"])


def send_emails(club: Commands) -> dict[str, EmailMessage]:
    """Send what waits, and return it by the name of its reader."""
    known = {path for path in (club.folder / "out").rglob("*") if path.is_file()}

    async def run() -> None:
        settings = load_settings(club.folder / "config.toml")
        app = open_app(settings)
        server = Server(app, open_mailbox(settings), open_mailer(settings))
        await server.run_until_idle()
        await server.drawer.close()
        app.database.close()

    asyncio.run(run())
    files = {path for path in (club.folder / "out").rglob("*") if path.is_file()} - known
    emails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in files]
    return {email["To"].addresses[0].username: email for email in emails}


def read_text(email: EmailMessage) -> str:
    body = email.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def test_lists_are_tables_or_json(club: Commands) -> None:
    code = find_code(club)
    header, line = club("match", "list", "--status", "running").splitlines()
    assert header.startswith("MATCH")
    assert line.startswith(code)
    assert club("match", "list", "--player", "bob") == club("match", "list")
    assert club("match", "list", "--player", "dora") == "There are no such matches.\n"
    assert club("match", "list", "--status", "ended") == "There are no such matches.\n"
    [match] = list_json(club, "match", "list")
    assert (match["players"], match["to_move"]) == (["Ann", "Bob"], ["Bob"])
    assert {player["name"] for player in list_json(club, "player", "list")} == {
        "Ann",
        "Bob",
        "Dora",
    }
    assert [player["name"] for player in list_json(club, "player", "list", "bob@")] == ["Bob"]
    sent = list_json(club, "mail", "outbox", "--state", "sent")
    assert {email["reader"] for email in sent} >= {"Ann", "Bob"}
    club("match", "list", "--status", "over", fails=2)


def test_a_match_is_shown_without_secrets(club: Commands) -> None:
    code = find_code(club)
    facts = json.loads(club("match", "show", code.lower(), "--json"))
    assert facts["log"] == "verified"
    assert facts["last_moves"] == {"1": "place a1"}
    assert [seat["to_move"] for seat in facts["seats"]].count(True) == 1
    assert "place a1" in club("match", "show", code)
    assert "There is no match 'XXXXX'" in club("match", "show", "XXXXX", fails=1)


REASON = ("--reason", "Bob is\nin hospital.")


@pytest.mark.parametrize(
    ("words", "kind", "status"),
    [
        (("extend", "{}", "Bob", "--days", "3"), "news", "running"),
        (("void", "{}", "--yes"), "end", "ended"),
        (("adjudicate", "{}", "1", "2", "-y"), "end", "ended"),
        (("rollback", "{}", "0", "-y"), "turn", "running"),
    ],
)
def test_players_read_why_the_operator_acts(
    words: tuple[str, ...], kind: str, status: str, club: Commands
) -> None:
    code = find_code(club)
    club("match", *(word.format(code) for word in words), *REASON)
    [match] = list_json(club, "match", "list")
    assert match["status"] == status
    assert json.loads(club("match", "show", code, "--json"))["log"] == "verified"
    emails = send_emails(club)
    assert {*emails} == {"ann", "bob"}
    assert emails["ann"]["X-PBEM-Kind"] == kind
    assert words[0] != "extend" or "3 days" in read_text(emails["bob"])
    for email in emails.values():
        assert "A note from us:" in read_text(email)
        assert "in hospital." in read_text(email)


def test_no_deadline_is_centuries_away(club: Commands) -> None:
    extend = ("match", "extend", find_code(club), "Bob", *REASON, "--days")
    assert "365" in club(*extend, "30000", fails=2)
    assert send_emails(club) == {}
    club(*extend, "3")
    assert "December 2026" not in read_text(send_emails(club)["bob"])
    club(*extend, "365")
    assert "December 2027" in read_text(send_emails(club)["bob"])


def test_a_seat_goes_to_another_player(club: Commands) -> None:
    code = find_code(club)
    taken = club("match", "reassign", code, "Bob", "Ann", *REASON, "-y", fails=1)
    assert taken == "pbem: They play in this match already.\n"
    unknown = club("match", "reassign", code, "Bob", "Cleo", *REASON, "-y", fails=1)
    assert unknown == "pbem: There is no player 'Cleo'. See `pbem player list`.\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("adjudicate", "{}", "1", "3", "-y"), "1, 3 are no places of 2 seats"),
        (("rollback", "{}", "5", "-y"), "has no move 5 to go back to. The newest one is 1"),
        (("extend", "{}", "Ann", "--days", "3"), "The clock of seat 1 does not run"),
        (("extend", "{}", "3", "--days", "3"), "No player plays at seat 3"),
    ],
)
def test_what_cannot_be_done_is_explained(
    words: tuple[str, ...], message: str, club: Commands
) -> None:
    code = find_code(club)
    output = club("match", *(word.format(code) for word in words), *REASON, fails=1)
    assert message in output
    assert len(output.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("match", "void", "{}", *REASON),
        ("match", "adjudicate", "{}", "1", "2", *REASON),
        ("match", "rollback", "{}", "0", *REASON),
        ("match", "reassign", "{}", "Bob", "Ann", *REASON),
        ("player", "ban", "Bob"),
        ("player", "erase", "Bob"),
        ("mail", "drop", "1"),
    ],
)
def test_nothing_is_done_without_a_yes(words: tuple[str, ...], club: Commands) -> None:
    code = find_code(club)
    output = club(*(word.format(code) for word in words), fails=1, answers="n\n")
    assert "Nothing was changed." in output
    [match] = list_json(club, "match", "list")
    assert (match["status"], match["ply"]) == ("running", 1)
    assert {player["state"] for player in list_json(club, "player", "list")} == {"player"}


def test_players_are_renamed_banned_and_erased(club: Commands) -> None:
    club("player", "rename", "Bob", "Bobby")
    assert "Ann has that name" in club("player", "rename", "Bobby", "Änn", fails=1)
    club("player", "ban", "Bobby", "-y")
    [player] = list_json(club, "player", "list", "bobby")
    assert player["state"] == "banned"
    [match] = list_json(club, "match", "list")
    assert match["status"] == "ended"
    assert "again" in club("player", "unban", "Bobby")
    assert "not banned" in club("player", "unban", "Bobby")
    assert list_json(club, "player", "list", "bobby")[0]["state"] == "player"
    assert "Bobby" in club("player", "show", "bob@example.net")
    club("player", "erase", "Bobby", "-y")
    facts = json.loads(club("player", "show", player["id"], "--json"))
    assert (facts["state"], facts["addresses"]) == ("deleted", [])


def test_addresses_are_changed(club: Commands) -> None:
    bob = list_json(club, "player", "list", "bob")[0]["addresses"][0]
    club("player", "addresses", "Bob", "--add", "Bob@Example.com")
    assert send_emails(club)["bob"]["X-PBEM-Kind"] == "account"
    known = list_json(club, "player", "addresses", "Bob")
    assert [(row["address"].lower(), row["main"]) for row in known] == [
        (bob, True),
        ("bob@example.com", False),
    ]
    assert "already" in club("player", "addresses", "Ann", "--add", "bob@example.com", fails=1)
    shown = club("player", "addresses", "Bob", "--remove", bob)
    assert bob not in shown
    assert send_emails(club)["bob"]["X-PBEM-Kind"] == "account"
    assert "Add another one first" in club(
        "player", "addresses", "Bob", "--remove", "bob@example.com", fails=1
    )
    games = club("player", "addresses", "Bob", "--add", "games+x@pbem.example", fails=1)
    assert "is no address that players can have" in games


def test_emails_that_were_set_aside(club: Commands) -> None:
    settings = load_settings(club.folder / "config.toml")
    with closing(Database(settings.database.url)) as database, database.engine.begin() as conn:
        conn.exec_driver_sql("UPDATE inbox SET state = 'set-aside', error = 'KeyError'")
        conn.exec_driver_sql("UPDATE inbox SET raw = CAST(raw || char(27) || '[2Jred' AS BLOB)")
    listed = list_json(club, "mail", "list")
    number = str(listed[0]["number"])
    assert listed[0]["result"] == "KeyError"
    facts = json.loads(club("mail", "show", number, "--json"))
    assert re.fullmatch("[0-9a-f]{64}", facts["key"])
    assert facts["key"] == listed[0]["key"]  # as in the log
    shown = "".join(club("mail", "show", str(row["number"])) for row in listed)
    assert "place a1" in shown
    assert "?[2Jred" in shown  # no control characters reach the terminal
    health = club("status", fails=1)
    assert "set_aside: " in health
    assert re.findall(r"^(inbox|set_aside) +(ok|WRONG)", health, re.MULTILINE) == [
        ("inbox", "ok"),
        ("set_aside", "WRONG"),
    ]
    club("mail", "drop", number, "-y")
    [dropped] = list_json(club, "mail", "list", "--state", "done")
    assert dropped["result"] != "KeyError"  # but what became of it in the end
    assert f"No email {number} is set aside" in club("mail", "drop", number, "-y", fails=1)
    assert f"No email {number} is set aside" in club("mail", "retry", number, fails=1)
    assert (
        club("mail", "retry") == f"{len(listed) - 1} emails are processed again by `pbem serve`.\n"
    )
    assert club("mail", "list") == "There are none.\n"


def test_tournaments_and_ratings(club: Commands) -> None:
    assert club("tournament", "list") == "There are no tournaments.\n"
    club("tournament", "create", "Spring", "logger", "--group", "3", "--start", "2026-12-24")
    [row] = list_json(club, "tournament", "list")
    assert (row["name"], row["state"], row["entries"]) == ("spring", "open", 0)
    assert club("tournament", "show", "spring") == "No player has entered it.\n"
    assert "exists" not in club("tournament", "create", "summer", "Logan Stones")
    assert "There is no tournament 'autumn'" in club("tournament", "show", "autumn", fails=1)
    again = club("tournament", "create", "spring", "logger", fails=1)
    assert again == "pbem: There is a tournament spring already.\n"
    many = club("tournament", "create", "big", "logger", "--group", "99", fails=1)
    assert "cannot have group 99" in many
    past = ("tournament", "create", "past", "logger", "--start", "2020-03-01")
    assert "cannot have start '2020-03-01 00:00:00+00:00'" in club(*past, fails=1)
    assert len(list_json(club, "tournament", "list")) == 2
    assert "Logger" in club("ratings", "recompute")
    assert "There is no game 'go'" in club("ratings", "recompute", "go", fails=1)


def test_a_date_is_in_utc_wherever_the_operator_is(club: Commands) -> None:
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setenv("TZ", "America/New_York")
        time.tzset()
        club("tournament", "create", "spring", "logger", "--start", "2026-12-24 18:00")
    time.tzset()
    [row] = list_json(club, "tournament", "list")
    assert row["starts"] == "2026-12-24T18:00:00+00:00"


def test_a_record_is_exported(club: Commands) -> None:
    code = find_code(club)
    lines = club("export", code).splitlines()
    assert [json.loads(line)["version"] for line in lines] == [*range(1, len(lines) + 1)]
    file = club.folder / "record.jsonl"
    club("export", code, "-o", str(file))
    assert file.read_text().splitlines() == lines
    assert "File exists" in club("export", code, "-o", str(file), fails=1)


def test_a_backup_is_restored_elsewhere(club: Commands, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    for day in (1, 2, 3):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "pbem.service.app._read_clock", lambda day=day: BEGINNING.replace(day=day)
            )
            club("backup", str(backups), "--keep", "2")
    kept = sorted(backups.iterdir())
    assert [folder.name for folder in kept] == ["2026-11-02T120000Z", "2026-11-03T120000Z"]
    assert stat.S_IMODE(backups.stat().st_mode) == 0o700  # it has the keys
    assert "is sound" in club("restore", str(kept[1]), "--check")
    assert "exists, and nothing is overwritten" in club("restore", str(kept[1]), fails=1)
    elsewhere = Commands(tmp_path / "elsewhere")
    elsewhere.folder.mkdir()
    restored = elsewhere("restore", str(kept[1]))
    assert "They are restored." in restored
    assert "waited to be sent" not in restored
    assert elsewhere("match", "list") == club("match", "list")
    (kept[0] / "pbem.db").write_bytes(b"")
    assert "damaged" in club("restore", str(kept[0]), "--check", fails=1)


@pytest.mark.parametrize("remedy", ["resend", "a later email"])
def test_a_refused_turn_is_a_problem_until_the_player_is_told(remedy: str, club: Commands) -> None:
    code, settings = find_code(club), load_settings(club.folder / "config.toml")
    sent = list_json(club, "mail", "outbox", "--state", "sent")
    [turn] = [row["id"] for row in sent if (row["reader"], row["kind"]) == ("Bob", "turn")]
    with closing(Database(settings.database.url)) as database, database.engine.begin() as conn:
        conn.exec_driver_sql("UPDATE outbox SET state = 'failed'")  # Ann is not to move
    assert f"refused was email {turn} (match {code}). " in club("status", fails=1)
    if remedy == "resend":
        club("mail", "resend", str(turn))
    else:
        club("match", "extend", code, "Bob", "--days", "3", *REASON)
    send_emails(club)
    assert "ok" in club("status")


def test_emails_that_were_given_up_are_sent_again(club: Commands) -> None:
    settings = load_settings(club.folder / "config.toml")
    with closing(Database(settings.database.url)) as database, database.engine.begin() as conn:
        conn.exec_driver_sql("UPDATE outbox SET state = 'failed' WHERE id = 1")
    assert "Email 1 is sent" in club("mail", "resend", "1")
    assert "No email 1 of ours was given up" in club("mail", "resend", "1", fails=1)
    assert len(send_emails(club)) == 1


def test_the_database_is_copied(club: Commands, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'copy.db'}"
    assert "rows were copied and compared" in club("db", "copy", url)
    assert "has rows already" in club("db", "copy", url, fails=1)


def test_a_database_that_is_served_is_not_copied(club: Commands, tmp_path: Path) -> None:
    settings = load_settings(club.folder / "config.toml")
    with closing(Database(settings.database.url)) as database, hold_worker_lock(database, "serve"):
        error = club("db", "copy", f"sqlite:///{tmp_path / 'copy.db'}", fails=1)
        marked = club("db", "restored", "2026-11-21T03:00", fails=1)
    assert "Cannot copy the database: process" in error
    assert all("serves it. Stop that first." in said for said in (error, marked))


def test_a_database_that_other_tools_restored_is_marked(club: Commands) -> None:
    settings = load_settings(club.folder / "config.toml")
    assert "is in the future" in club("db", "restored", "2999-01-01T00:00", fails=2)
    assert "Noted. 0 emails" in club("db", "restored", "2026-11-21T03:00")
    with closing(Database(settings.database.url)) as database:
        at = database.run(lambda conn: find_heartbeat(conn, RESTORED))
    assert at == datetime(2026, 11, 21, 3, 0, tzinfo=UTC)


def test_pages_alone_need_postgresql(club: Commands) -> None:
    assert "`pbem web` needs PostgreSQL" in club("web", fails=1)
