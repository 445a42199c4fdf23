"""Tell the operator of what has turned wrong, and that it is well again; a mail to ourselves."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

import structlog

from pbem.legacy.health import is_recent
from pbem.legacy.mail.headers import read_headers
from pbem.legacy.mail.letter import LIMITS, UnreadableLetter, read_letter
from pbem.legacy.mail.mime import parse
from pbem.legacy.store import runner_state, scopes
from pbem.legacy.transport import Checkpoint, Envelope, Mailbox, Sender, TransportError

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.health import Check
    from pbem.legacy.runners.watch import Report
    from pbem.legacy.store.scopes import Scope
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transport.imap import ImapMailbox


# --- alarms --------------------------------------------------------------------------------------
# Tell the operator of what has turned wrong, and that it is well again, by a command of theirs.
#
# The command is run without a shell and told by its environment and standard input, in words of
# our own: nothing that a player or a server wrote gets into it. It has its time, and no loop
# waits for it. What was told last is kept among the signs, so that a new start tells nothing
# twice, and of several processes only one.

SIGN: Final = "alarm "
"""What the name of a check's sign begins with: what was told of it last, and when."""

WRONG, WELL, TELLING, FAILED = "wrong", "well", "telling ", "not told, was "

STEADY: Final = 2
"""Looks in a row that agree before anybody is woken, or told that they may sleep."""

CALM: Final = timedelta(seconds=90)
"""So soon nothing is called well again: another process may hear only then what one has told."""

SECONDS: Final = 30.0
"""The time that the command has."""

MOMENT: Final = 2.0
"""Seconds that we wait for what was told to be kept: who writes may be what is wrong."""

RETRY: Final = timedelta(minutes=5)
"""A command that failed is run again so much later; one that another process runs has so long."""

PASSED_ON: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TZ")
"""What the command gets of our own environment, in which passwords may be."""

log = structlog.get_logger("pbem.alarms")


@dataclass(frozen=True, slots=True)
class Told:
    """What was told of a check last, and when; `state` begins with TELLING while it is told.

    It begins with FAILED where that could not be told: then the state that was told before follows.
    """

    state: str
    at: datetime

    def settles(self, state: str, now: datetime, again: timedelta) -> bool:
        """Whether it need not be told now that a check is in this state."""
        if self.state.startswith((TELLING, FAILED)) and is_recent(self.at, now, RETRY):
            return True
        if self.state.startswith(FAILED):
            return state == WELL == self.last
        if self.state.startswith(TELLING):
            return False
        if self.state == state:
            return state == WELL or is_recent(self.at, now, again)
        return state == WELL and is_recent(self.at, now, CALM)

    @property
    def last(self) -> str:
        """What the operator has heard last, or may have: who told it may have ended meanwhile."""
        return self.state.removeprefix(TELLING).removeprefix(FAILED)


@dataclass(slots=True)
class _Seen:
    """In which state a check was at the last looks, since when, and at how many of them."""

    state: str
    since: datetime
    looks: int = 0
    failed: datetime | None = None


@dataclass(slots=True)
class Alarms:
    """Hears of each report, and has the command run for what has changed.

    `again`: what stays wrong is told once more after so long.
    """

    house: House
    command: Sequence[str]
    again: timedelta
    _seen: dict[str, _Seen] = field(default_factory=dict)
    _told: dict[str, Told] = field(default_factory=dict)
    _telling: asyncio.Task[None] | None = None

    async def hear(self, report: Report) -> None:
        """Take a report in; what is to be told is told by a task of its own."""
        for check in report.checks:
            seen = self._seen.get(check.name)
            if seen is None or seen.state != state_of(check):
                seen = self._seen[check.name] = _Seen(state_of(check), report.at)
            seen.looks += 1
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell_all(report))

    async def close(self) -> None:
        """End a command that is at work."""
        if self._telling is not None:
            self._telling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._telling

    async def _tell_all(self, report: Report) -> None:
        try:
            await self._learn()
            for check in report.checks:
                if self._is_news(check, report.at):
                    await self._tell(check, report.at)
        except Exception:
            log.exception("alarm_failed")

    def _is_news(self, check: Check, now: datetime) -> bool:
        seen, told = self._seen[check.name], self._told.get(check.name)
        if seen.state != state_of(check) or seen.looks < STEADY:
            return False
        if seen.failed is not None and is_recent(seen.failed, now, RETRY):
            return False
        if told is None:
            return seen.state == WRONG  # that all is well as ever is no news
        return not told.settles(seen.state, now, self.again)

    async def _tell(self, check: Check, now: datetime) -> None:
        seen, before = self._seen[check.name], self._told.get(check.name)
        last = WELL if before is None else before.last
        claim = partial(_claim, name=check.name, state=seen.state, now=now, again=self.again)
        if not await self._kept(claim, scopes.CLAIMS):
            return
        title = self.house.settings.site.title
        why = await run(self.command, facts_of(check, since=seen.since, title=title))
        if why:
            seen.failed = now
            log.error("alarm_not_told", check=check.name, state=seen.state, why=why)
            told = self._told[check.name] = Told(f"{FAILED}{last}", now)
            await self._kept(partial(_keep, name=check.name, told=told), scopes.OWN_ROWS)
            return
        seen.failed = None
        log.info("alarm_told", check=check.name, state=seen.state)
        told = self._told[check.name] = Told(seen.state, now)
        await self._kept(partial(_keep, name=check.name, told=told), scopes.OWN_ROWS)

    # --- what was told ---------------------------------------------------------------------------

    async def _learn(self) -> None:
        """What was told before a new start, or by another process; we may know of later."""
        reading = asyncio.wrap_future(self.house.db.read(told_before))
        await asyncio.wait({reading}, timeout=MOMENT)
        if not reading.done() or reading.exception() is not None:
            return
        for name, told in reading.result().items():
            ours = self._told.get(name)
            if ours is None or ours.at <= told.at:
                self._told[name] = told

    async def _kept(self, unit: Callable[[Connection], bool], scope: Scope) -> bool:
        """What a unit says; True where who writes does not answer, or cannot keep anything."""
        writing = asyncio.wrap_future(self.house.db.write(unit, scope))
        await asyncio.wait({writing}, timeout=MOMENT)
        return not writing.done() or writing.exception() is not None or writing.result()


def state_of(check: Check) -> str:
    """How a check is, in a word."""
    return WELL if check.well else WRONG


def told_before(conn: Connection) -> dict[str, Told]:
    """What was told of each check last."""
    signs = runner_state.signs(conn)
    return {
        name.removeprefix(SIGN): Told(sign.what, sign.last_at)
        for name, sign in signs.items()
        if name.startswith(SIGN)
    }


def _claim(conn: Connection, *, name: str, state: str, now: datetime, again: timedelta) -> bool:
    """Note that we tell it, unless another process does, or has."""
    told = told_before(conn).get(name)
    if told is not None and told.settles(state, now, again):
        return False
    return _keep(conn, name=name, told=Told(f"{TELLING}{state}", now))


def _keep(conn: Connection, *, name: str, told: Told) -> bool:
    runner_state.leave_sign(conn, f"{SIGN}{name}", told.at, told.state)
    return True


# --- the command ---------------------------------------------------------------------------------


def facts_of(check: Check, *, since: datetime, title: str) -> Mapping[str, str]:
    """What the command finds in its environment."""
    return {
        "PBEM_CHECK": check.name,
        "PBEM_STATE": state_of(check),
        "PBEM_WORDS": check.line,
        "PBEM_SINCE": f"{since:%Y-%m-%dT%H:%M:%SZ}",
        "PBEM_TITLE": title,
    }


def text_of(facts: Mapping[str, str]) -> str:
    """The same in a line, for its standard input."""
    check, words, since = facts["PBEM_CHECK"], facts["PBEM_WORDS"], facts["PBEM_SINCE"]
    return f"{facts['PBEM_TITLE']}: {check} is {facts['PBEM_STATE']} since {since}: {words}\n"


async def run(command: Sequence[str], facts: Mapping[str, str]) -> str:
    """Run the command, within its time; why it failed, or nothing."""
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env={**kept, **facts},
            start_new_session=True,
        )
    except OSError as error:
        return f"{command[0]} cannot be run: {error.strerror}"
    try:
        async with asyncio.timeout(SECONDS):
            await process.communicate(text_of(facts).encode())
    except TimeoutError:
        return f"it did not end within {SECONDS:g} s"
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    return f"it ended with {process.returncode}" if process.returncode else ""


# --- loop mail -----------------------------------------------------------------------------------
# A mail to ourselves, out through our sender and in through our mailbox: `pbem check --loop`.

TEXT = "This is pbem's mail to itself (`pbem check --loop`). It can be deleted.\n"


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """How a mail to ourselves came back: after so many seconds, for these recipients.

    `results` are its Authentication-Results, the topmost first.
    """

    seconds: float
    recipients: tuple[str, ...]
    results: tuple[str, ...]


def loop_mail(
    *,
    sender: str,
    returns_to: str,
    recipient: str,
    message_id: str,
    now: datetime,
    authserv_id: str = "",
) -> Envelope:
    """The mail; it says that it is automatic, so that a running service lets it be.

    `sender` and `returns_to` are those of real mails: not every provider takes them. With an
    `authserv_id` it has a forged verdict of that server on itself, as anybody could write one.
    """
    message = EmailMessage(policy=SMTP)
    if authserv_id:
        message["Authentication-Results"] = _forged(authserv_id, sender, message_id)
    message["From"] = sender
    message["To"] = recipient
    message["Date"] = now
    message["Message-ID"] = message_id
    message["Subject"] = "pbem check"
    message["Auto-Submitted"] = "auto-generated"
    message["X-PBEM"] = "check"
    message.set_content(TEXT)
    return Envelope(mail_from=returns_to, rcpt_to=[recipient], data=message.as_bytes())


def _forged(authserv_id: str, sender: str, message_id: str) -> str:
    domain = sender.rpartition("@")[2]
    return f"{authserv_id}; dmarc=pass ({_mark(message_id)}) header.from={domain}"


def _mark(message_id: str) -> str:
    """What stands in the forged verdict of this mail and in no other header."""
    return message_id.strip("<>").partition("@")[0]


Fate = Literal["believed", "buried", "removed"]


def fate_of_forgery(results: tuple[str, ...], message_id: str) -> Fate:
    """What became of the forged verdict: it would be believed, or stands below another, or is gone.

    Who reads the topmost field only is safe from those below (MAIL 3).
    """
    mark = _mark(message_id)
    if results and mark in results[0]:
        return "believed"
    return "buried" if any(mark in value for value in results) else "removed"


async def round_trip(
    envelope: Envelope,
    message_id: str,
    *,
    way_out: AbstractAsyncContextManager[Sender],
    mailbox: ImapMailbox,
    seconds: float,
) -> RoundTrip:
    """Send the mail and wait for it.

    Only what arrives from now on is looked at. Raises TransportError if the mail was refused, or
    did not come within `seconds`.
    """
    facts = (await mailbox.probe()).facts
    before = Checkpoint("", "", int(facts["uidvalidity"]), int(facts["uidnext"]) - 1)
    began = time.monotonic()
    async with way_out as sender:
        for recipient, result in (await sender.send(envelope)).items():
            if result.kind != "sent":
                raise TransportError(f"the mail to {recipient} was not taken: {result.text}")
    try:
        async with asyncio.timeout(seconds):
            raw = await _arrival(mailbox, before, message_id)
    except TimeoutError:
        raise TransportError(f"the mail did not come within {seconds:g} s") from None
    took = time.monotonic() - began
    results = tuple(read_headers(parse(raw, LIMITS)).all.get("authentication-results", ()))
    return RoundTrip(took, read_letter(raw).recipients, results)


async def _arrival(mailbox: Mailbox, after: Checkpoint, message_id: str) -> bytes:
    async with aclosing(mailbox.batches(after)) as batches:
        async for batch in batches:
            for mail in batch.mails:
                try:
                    letter = read_letter(mail.raw)
                except UnreadableLetter:
                    continue
                if letter.message_id == message_id:
                    return mail.raw
    raise TransportError("the mailbox ended")
