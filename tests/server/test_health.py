"""What counts as wrong, and what the operator is told of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
import structlog
from sqlalchemy import Connection, insert, text
from structlog.testing import capture_logs

from pbem.server.alarms import AlarmWatch
from pbem.server.faults import FaultLog
from pbem.server.health import HealthCheck, check_health
from pbem.server.listener import format_metrics
from pbem.server.log_setup import configure_logging
from pbem.server.sending_limits import NO_SENDING_LIMITS, SendingLimits
from pbem.service.app import App
from pbem.settings import LogSettings
from pbem.store import faults, inbox, outbox
from pbem.store.heartbeats import FETCH, SERVE, note_heartbeat
from pbem.store.inbox import ReceivedMessage
from pbem.store.tables import MatchRow, OutboxRow
from pbem.transport import TransportError
from tests.server.conftest import NOON, Clock, queue_many

Setting = Callable[[Connection], Any]


def ago(**span: float) -> Any:
    return NOON - timedelta(**span)


def alive(part: str, **span: float) -> Setting:
    return lambda conn: note_heartbeat(conn, part, ago(**span))


def failed(name: str, text: str, count: int = 1, **span: float) -> Setting:
    return lambda conn: faults.note_fault(conn, name, text, ago(**span), count)


def fail_twice(conn: Connection) -> None:
    failed("loop send", "TransportError: no", minutes=6)(conn)
    failed("loop send", "TransportError: again", minutes=1)(conn)


def receive(conn: Connection, **span: float) -> None:
    message = ReceivedMessage("key", "account", b"Subject: x\r\n\r\n")
    inbox.store_messages(conn, [message], checkpoint=None, received_at=ago(**span))


def set_aside(conn: Connection) -> None:
    receive(conn, days=9)
    conn.execute(text("UPDATE inbox SET state = 'set-aside'"))


def change(conn: Connection, values: str) -> None:
    conn.execute(text(f"UPDATE outbox SET {values}"))  # noqa: S608 - words of this file


def wait_in_outbox(conn: Connection) -> None:
    change(conn, "queued_at = '2026-11-28 11:00:00', smtp_reply = '451 later'")


def send_others(conn: Connection) -> None:
    wait_in_outbox(conn)
    change(conn, "state = 'sent', sent_at = '2026-11-28 11:55:00' WHERE id = 1")


def set_timer(conn: Connection, due: str) -> None:
    conn.execute(text(f"INSERT INTO timer VALUES ('K7QX2', '{due}', 0)"))  # noqa: S608


def run_match(conn: Connection, ruleset: str) -> None:
    row = MatchRow(
        id="K7QX2", ruleset=ruleset, status="running", version=1, head="", created_at=NOON
    )
    conn.execute(insert(MatchRow), row.model_dump())


CASES: dict[str, tuple[Setting, str, str]] = {
    "all is well": (lambda _: None, "", ""),
    "serve is silent": (alive(SERVE, minutes=4), "serve", "Start it"),
    "the clock was wrong": (alive(SERVE, days=-20), "serve", "in the future"),
    "nothing is fetched": (alive(FETCH, minutes=16), "mailbox", "`pbem check` tries the login"),
    "an email is new": (lambda conn: receive(conn, minutes=9), "", ""),
    "an email waits": (lambda conn: receive(conn, minutes=11), "inbox", "wait to be processed"),
    "an email is set aside": (set_aside, "set_aside", "1 email failed three times"),
    "nothing is sent": (wait_in_outbox, "outbox", "no email is sent (451 later)"),
    "others are sent": (send_others, "", ""),
    "all are refused": (lambda conn: change(conn, "state = 'failed'"), "failed", "refused"),
    "a sending limit is near": (
        lambda conn: change(conn, "state = 'sent', sent_at = '2026-11-28 11:30:00'"),
        "sent_in_hour",
        "12 of 15 emails that smtp.per_hour allows",
    ),
    "a timer is due": (lambda conn: set_timer(conn, "2026-11-28 11:50:00"), "", ""),
    "a timer is late": (lambda conn: set_timer(conn, "2026-11-28 11:40:00"), "timers", "late"),
    "a loop fails": (
        failed("loop send", "TransportError: no", minutes=6),
        "loops",
        "send fails since 2026-11-28 11:54 UTC: TransportError: no",
    ),
    "a loop fails again": (fail_twice, "loops", "send fails since 2026-11-28 11:54 UTC"),
    "a loop has just failed": (failed("loop send", "TransportError: no", minutes=4), "", ""),
    "an error was logged": (
        failed("timer_failed", "KeyError: 1", 2, hours=23),
        "errors",
        "timer_failed (2, last 2026-11-27 13:00 UTC): KeyError: 1",
    ),
    "an error is long ago": (failed("timer_failed", "KeyError", hours=25), "", ""),
    "a game is there": (lambda conn: run_match(conn, "logger-1"), "", ""),
    "a game is missing": (lambda conn: run_match(conn, "go-1"), "matches", "rules of go-1 are"),
}


@pytest.mark.parametrize(("setting", "name", "fault"), CASES.values(), ids=CASES)
def test_what_is_wrong(setting: Setting, name: str, fault: str, app: App) -> None:
    queue_many(app, 12)

    def prepare(conn: Connection) -> list[HealthCheck]:
        note_heartbeat(conn, SERVE, ago(minutes=2))
        note_heartbeat(conn, FETCH, ago(minutes=2))
        setting(conn)
        return check_health(conn, app, SendingLimits(per_hour=15, per_day=100))

    checks = app.database.run(prepare)
    assert [check.name for check in checks if not check.is_well] == [name][: bool(name)]
    assert not [check for check in checks if check.is_well and "failing" in check.text]
    assert fault in "".join(check.fault for check in checks)
    about = {"loops": "send", "errors": "timer_failed", "matches": "go-1"}.get(name, "")
    assert "".join(check.affected_parts for check in checks) == about  # an alarm for each of them
    metrics = format_metrics(checks)
    assert f"pbem_outbox {len(read_unsent(app))}" in metrics.splitlines()
    assert f'pbem_ok{{check="{name or "serve"}"}} {int(not name)}' in metrics.splitlines()


def test_the_cap_of_a_day_counts_emails_of_a_day(app: App) -> None:
    queue_many(app, 12)

    def prepare(conn: Connection) -> list[HealthCheck]:
        change(conn, "state = 'sent', sent_at = '2026-11-28 08:00:00'")
        return check_health(conn, app, SendingLimits(per_hour=9, per_day=15))

    [check] = [check for check in app.database.run(prepare) if "smtp.per_" in check.fault]
    assert (check.name, check.value) == ("sent_in_day", 12)


@pytest.mark.parametrize(("free", "fault"), [(500_000_000, ""), (499_000_000, "only 499 MB")])
def test_how_much_space_a_database_needs(
    free: int, fault: str, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    checks = app.database.run(lambda conn: check_health(conn, app, NO_SENDING_LIMITS))
    [check] = [check for check in checks if check.name == "disk_free"]
    assert check.fault.startswith(fault)
    assert check.is_well is not bool(fault)


@pytest.mark.parametrize(
    ("failed", "sent", "is_well"),
    [
        (10, 100, False),  # a tenth
        (10, 101, True),
        (9, 10, True),  # too few for the rule of a tenth
        (3, 2, False),  # most
        (3, 3, True),
        (2, 0, True),
    ],
)
def test_how_many_refused_emails_are_wrong(
    failed: int, sent: int, app: App, *, is_well: bool
) -> None:
    queue_many(app, failed + sent)

    def prepare(conn: Connection) -> list[HealthCheck]:
        change(conn, f"state = 'failed' WHERE id <= {failed}")
        change(conn, f"state = 'sent', sent_at = '2026-11-28 08:00:00' WHERE id > {failed}")
        return check_health(conn, app, NO_SENDING_LIMITS)

    [check] = [check for check in app.database.run(prepare) if check.name == "failed"]
    assert (check.value, check.is_well) == (failed, is_well)


def read_unsent(app: App) -> list[OutboxRow]:
    return app.database.run(lambda conn: outbox.list_emails(conn, "queued", limit=99))


def wrong(name: str, about: str = "") -> HealthCheck:
    return HealthCheck(name=name, value=1, text="", fault=f"{name} is bad", affected_parts=about)


WELL = HealthCheck(name="serve", value=0, text="alive")


async def test_what_lasts_is_an_alarm_once_a_day(app: App, clock: Clock) -> None:
    watch = AlarmWatch(app)
    await watch.look([WELL, wrong("outbox")])
    assert read_unsent(app) == []
    await watch.look([WELL])
    await watch.look([wrong("outbox")])
    assert read_unsent(app) == []  # it was well in between
    await watch.look([wrong("outbox"), wrong("loops", "send")])
    [alarm] = read_unsent(app)
    assert (alarm.kind, alarm.address) == ("alarm", "me@example.org")
    assert "outbox: outbox is bad." in alarm.text
    assert "loops" not in alarm.text
    clock.go_on(minutes=1)
    await watch.look([wrong("outbox"), wrong("loops", "send")])
    assert len(read_unsent(app)) == 2  # for the loop
    for hours, alarms in ((23, 2), (2, 3)):
        clock.go_on(hours=hours)
        await watch.look([wrong("outbox"), wrong("loops", "send")])
        assert len(read_unsent(app)) == alarms


async def test_an_alarm_without_an_operator_is_only_logged(app: App) -> None:
    watch = AlarmWatch(replace(app, site=replace(app.site, operator="")))
    with capture_logs() as entries:
        for _ in range(2):
            await watch.look([wrong("outbox")])
    assert [entry["event"] for entry in entries] == ["alarm_raised"]
    assert read_unsent(app) == []


async def test_ten_alarms_a_day_are_enough(app: App, clock: Clock) -> None:
    watch = AlarmWatch(app)
    for number in range(30):
        for _ in range(2):
            clock.go_on(minutes=1)
            await watch.look([wrong("errors", f"number {number}")])
    assert len(read_unsent(app)) == 10


async def fail_to_write(log: FaultLog, app: App) -> None:
    failure = mock.patch.object(app.database, "write", side_effect=OSError("disk full"))
    with failure, pytest.raises(OSError, match="disk full"):
        await log.write(app.database, NOON)


async def test_faults_are_kept_until_they_are_mended(app: App) -> None:
    log = FaultLog()
    log.note_loop("send", TransportError("no"))
    log.note_loop("send", TransportError("still no"))
    try:
        dict[str, str]()["x"]
    except KeyError:
        log.note_error(None, "exception", {"event": "timer_failed", "match": "K7QX2"})
    log.note_error(None, "warning", {"event": "login_refused"})
    log.note_loop("receive", TransportError("no"))
    log.clear_loop("receive")
    await fail_to_write(log, app)
    await log.write(app.database, NOON)
    await log.write(app.database, NOON)

    def read() -> dict[str, tuple[int, str]]:
        rows = app.database.run(lambda conn: faults.list_faults(conn, NOON))
        return {row.name: (row.count, row.text) for row in rows}

    timer = (1, "match=K7QX2 KeyError: 'x'")
    assert read() == {"loop send": (2, "TransportError: still no"), "timer_failed": timer}
    log.clear_loop("send")
    await fail_to_write(log, app)
    await log.write(app.database, NOON)
    assert read() == {"timer_failed": timer}


async def test_errors_in_the_log_are_faults(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    collected = FaultLog()
    configure_logging(LogSettings(level="error", format="json"), collected)
    log = structlog.get_logger()
    log.warning("login_refused")
    log.error("disk_broken", path="/x")
    [line] = capsys.readouterr().err.splitlines()
    assert json.loads(line)["event"] == "disk_broken"
    await collected.write(app.database, NOON)
    [row] = app.database.run(lambda conn: faults.list_faults(conn, NOON))
    assert (row.name, row.text) == ("disk_broken", "path=/x")


def test_nobody_is_asked_about_a_service_that_never_ran(app: App) -> None:
    checks = app.database.run(lambda conn: check_health(conn, app, NO_SENDING_LIMITS))
    assert [check.name for check in checks if check.fault] == ["serve", "mailbox"]
