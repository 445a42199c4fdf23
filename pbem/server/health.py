"""Health checks: about a dozen tests of whether the service works.

`pbem status`, `/readyz`, `/metrics` and alarms all use the same checks. They only need the
database, so that another process can check the service.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from pbem.games import GAMES
from pbem.server.sending_limits import URGENT_ONLY_FRACTION, SendingLimits
from pbem.service.app import App
from pbem.store.figures import Figures, read_figures

MAX_SILENCE: Final = timedelta(minutes=3)  # `serve` records each minute that it is alive
MAX_LOOP_FAILURE: Final = timedelta(minutes=5)  # a mail server may be down for a moment
MAX_FETCH_AGE: Final = timedelta(minutes=15)  # a fetch begins each minute
MAX_INBOX_AGE: Final = timedelta(minutes=10)  # an email that fails twice waits six minutes
MAX_OUTBOX_AGE: Final = timedelta(minutes=30)  # some servers let first emails wait 15 minutes
MAX_CLOCK_DIFFERENCE: Final = timedelta(minutes=3)  # between the clocks of two machines
MAX_TIMER_DELAY: Final = timedelta(minutes=15)
MANY_FAILED: Final = 10  # refused emails in a day that are a problem, if they are a tenth of all
SOME_FAILED: Final = 3  # refused emails in a day that are a problem, if fewer emails were sent
MIN_FREE_BYTES: Final = 500_000_000  # least free bytes on the disk of the database

LOOP_PREFIX: Final = "loop "  # prefix of the names of faults that are failed loops


@dataclass(frozen=True, kw_only=True, slots=True)
class HealthCheck:
    """The result of one health check.

    `name` and `value` are for programs, `text` is for people. `fault` describes the problem and its
    remedy; it is empty if there is no problem. `affected_parts` says which parts of the service
    have the problem, such as the names of failed loops. If it changes, the operator is alarmed
    again.
    """

    name: str
    value: float
    text: str
    fault: str = ""
    affected_parts: str = ""

    @property
    def is_well(self) -> bool:
        """Return whether the check found no problem."""
        return not self.fault


def check_health(conn: Connection, app: App, sending_limits: SendingLimits) -> list[HealthCheck]:
    """Run all health checks of a service that has these sending limits, and return the results."""
    now, database = app.now(), app.database.file
    figures = read_figures(conn, now)
    return [
        _check_alive(figures, now),
        _check_loops(figures, now),
        _check_fetch(figures, now),
        _check_inbox(figures, now),
        _check_set_aside(figures),
        _check_timers(figures, now),
        _check_outbox(figures, now),
        _check_failed(figures),
        *_check_sending_limits(figures, sending_limits),
        _check_errors(figures),
        _check_matches(figures),
        *([] if database is None else [_check_disk(database)]),
    ]


def _check_alive(figures: Figures, now: datetime) -> HealthCheck:
    age, text = _measure(figures.alive_at, now, "alive", never="never started")
    fault = ""
    if figures.alive_at is None or now - figures.alive_at > MAX_SILENCE:
        fault = "`pbem serve` is not running. Start it"
    elif figures.alive_at - now > MAX_CLOCK_DIFFERENCE:
        fault = (
            f"`pbem serve` was alive at {_say_time(figures.alive_at)}, which is in the future. "
            "Correct the clock of the machine, and start it again"
        )
    return HealthCheck(name="serve", value=age, text=text, fault=fault)


def _check_loops(figures: Figures, now: datetime) -> HealthCheck:
    failing = [row for row in figures.faults if row.name.startswith(LOOP_PREFIX)]
    lasting = [row for row in failing if now - row.since > MAX_LOOP_FAILURE]
    fault = "; ".join(
        f"{row.name.removeprefix(LOOP_PREFIX)} fails since {_say_time(row.since)}: {row.text}"
        for row in lasting
    )
    names = ", ".join(row.name.removeprefix(LOOP_PREFIX) for row in lasting or failing)
    text = f"{names} {'failing' if lasting else 'failed a moment ago'}" if names else "all work"
    parts = names if lasting else ""
    return HealthCheck(
        name="loops", value=len(failing), text=text, fault=fault, affected_parts=parts
    )


def _check_fetch(figures: Figures, now: datetime) -> HealthCheck:
    age, text = _measure(figures.fetched_at, now, "read", never="never read")
    fault = ""
    if figures.fetched_at is None or now - figures.fetched_at > MAX_FETCH_AGE:
        fault = "the mailbox is not read. `pbem check` tries the login"
    return HealthCheck(name="mailbox", value=age, text=text, fault=fault)


def _check_inbox(figures: Figures, now: datetime) -> HealthCheck:
    age, fault = _age(figures.unprocessed_since, now), ""
    if age > MAX_INBOX_AGE.total_seconds():
        fault = "emails wait to be processed. `pbem mail list` and the log of `serve` say why"
    text = _say_waiting(figures.unprocessed, age)
    return HealthCheck(name="inbox", value=figures.unprocessed, text=text, fault=fault)


def _check_set_aside(figures: Figures) -> HealthCheck:
    number, fault = figures.set_aside, ""
    if number:
        fault = f"{_say_emails(number)} failed three times. See `pbem mail list`"
    return HealthCheck(name="set_aside", value=number, text=_say_emails(number), fault=fault)


def _check_timers(figures: Figures, now: datetime) -> HealthCheck:
    age, fault = _age(figures.next_due, now), ""
    if age > MAX_TIMER_DELAY.total_seconds():
        fault = (
            "timers are late. They wait until the mailbox is read and each email is processed; "
            "the log of `serve` says if one fails"
        )
    text = f"{_say_span(age)} late" if age >= 1 else "none is late"
    return HealthCheck(name="timers", value=age, text=text, fault=fault)


def _check_outbox(figures: Figures, now: datetime) -> HealthCheck:
    age, fault = _age(figures.unsent_since, now), ""
    silent_since = now - MAX_OUTBOX_AGE
    is_silent = figures.sent_at is None or figures.sent_at < silent_since
    if is_silent and age > MAX_OUTBOX_AGE.total_seconds():
        reply = f" ({figures.unsent_reply})" if figures.unsent_reply else ""
        fault = f"no email is sent{reply}. `pbem check` tries the login"
    text = _say_waiting(figures.unsent, age)
    return HealthCheck(name="outbox", value=figures.unsent, text=text, fault=fault)


def _check_failed(figures: Figures) -> HealthCheck:
    number, fault = figures.failed_in_day, ""
    prompts = ", ".join(f"{email} (match {match})" for email, match in figures.refused_prompts)
    are_many = number >= MANY_FAILED and number * 10 >= figures.sent_in_day
    are_most = number >= SOME_FAILED and number > figures.sent_in_day
    if are_many or are_most:
        fault = "many emails are refused. `pbem mail outbox --state failed` says what servers say"
    elif prompts:
        fault = (
            f"players do not know that it is their turn: refused was email {prompts}. `pbem mail "
            "outbox --state failed` says why, `pbem mail resend ID` sends an email again"
        )
    text = f"{_say_emails(number)} in 24 hours"
    return HealthCheck(name="failed", value=number, text=text, fault=fault)


def _check_sending_limits(figures: Figures, sending_limits: SendingLimits) -> Iterator[HealthCheck]:
    for span, sent, limit in (
        ("hour", figures.sent_in_hour, sending_limits.per_hour),
        ("day", figures.sent_in_day, sending_limits.per_day),
    ):
        text, fault = _say_emails(sent), ""
        if limit:
            text = f"{text} of {limit}"
            if sent >= limit * URGENT_ONLY_FRACTION:
                fault = (
                    f"{sent} of {limit} emails that smtp.per_{span} allows were sent. What is over "
                    "waits, turns go first. Ask the provider for more"
                )
        yield HealthCheck(name=f"sent_in_{span}", value=sent, text=text, fault=fault)


def _check_errors(figures: Figures) -> HealthCheck:
    errors = [row for row in figures.faults if not row.name.startswith(LOOP_PREFIX)]
    names = ", ".join(row.name for row in errors)
    fault = "; ".join(
        f"{row.name} ({row.count}, last {_say_time(row.at)}): {row.text}" for row in errors
    )
    number, text = sum(row.count for row in errors), names or "none in 24 hours"
    return HealthCheck(name="errors", value=number, text=text, fault=fault, affected_parts=names)


def _check_matches(figures: Figures) -> HealthCheck:
    missing = [ruleset for ruleset, _ in figures.running_matches if ruleset not in GAMES]
    number, fault = sum(count for _, count in figures.running_matches), ""
    if missing:
        reasons = "; ".join(filter(None, map(GAMES.explain_fault, missing)))
        advice = reasons or "Install the package that has them"
        fault = f"the rules of {', '.join(missing)} are missing. {advice}"
    text = f"{number} running, {figures.players} players"
    return HealthCheck(
        name="matches", value=number, text=text, fault=fault, affected_parts=", ".join(missing)
    )


def _check_disk(database: Path) -> HealthCheck:
    free, fault = shutil.disk_usage(database.parent).free, ""
    if free < MIN_FREE_BYTES:
        fault = f"only {free // 10**6} MB are free in {database.parent}. Make room"
    return HealthCheck(name="disk_free", value=free, text=f"{free / 10**9:.1f} GB", fault=fault)


# --- words ---------------------------------------------------------------------------------------


def _age(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max((now - since).total_seconds(), 0.0)


def _measure(at: datetime | None, now: datetime, verb: str, *, never: str) -> tuple[float, str]:
    """Return the seconds since `at`, and a text such as `read 2 minutes ago`, if `verb` is `read`.

    If `at` is None, return 0 and the text `never`.
    """
    age = _age(at, now)
    return age, never if at is None else f"{verb} {_say_span(age)} ago"


def _say_span(seconds: float) -> str:
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            number = int(seconds // length)
            return f"{number} {unit}{'s' if number != 1 else ''}"
    return f"{int(seconds)} s"


def _say_emails(number: int) -> str:
    return f"{number} email{'s' if number != 1 else ''}"


def _say_waiting(number: int, age: float) -> str:
    return f"{_say_emails(number)}, the oldest for {_say_span(age)}" if number else "empty"


def _say_time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
