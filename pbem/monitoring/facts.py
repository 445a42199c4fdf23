"""How the service is doing, as one value: read from the database, the disk and signs of life."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from pbem.delivery.sending_caps import caps_of
from pbem.store import runner_state
from pbem.store.engine import file_of, url_of
from pbem.store.presence import unmarked
from pbem.store.schema import current_of, head, unfit
from pbem.store.upkeep import ages
from pbem.transport import REACHED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection

    from pbem.config import Settings

WRITER: Final = "writer"
"""The sign of a process that writes: its last answer, and the seconds that the one before took."""

MAILBOX: Final = "mailbox "
"""What the name of a mailbox's sign begins with: when it was reached last."""

NEVER: Final = "never reached"
"""What stands in that sign until then; its time is that of the first look."""

_RECEIVING: Final = "receiving "


@dataclass(frozen=True, kw_only=True, slots=True)
class WriterSeen:
    """When who writes answered last, and how many seconds the answer before that took.

    `fault` says why nothing could be kept; only who writes knows that.
    """

    ago: timedelta
    took: float
    name: str = WRITER
    fault: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class MailboxSeen:
    """How long ago a mailbox was reached, and whether it is now."""

    account: str
    ago: timedelta
    reached: bool
    ever: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class CapUsed:
    """How much of a cap on sending is used."""

    name: str
    most: int
    used: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """How the service was doing `at` a time; what waits for nothing has waited no time.

    `writers` are the processes that write, one where the service runs alone. `unfit` says what is
    wrong with the tables. `free` is the part of the disk that is; None where the disk is another
    machine's.
    """

    at: datetime
    unfit: str = ""
    writers: tuple[WriterSeen, ...] = ()
    mailboxes: tuple[MailboxSeen, ...] = ()
    letter: timedelta = timedelta(0)
    mail: timedelta = timedelta(0)
    timer: timedelta = timedelta(0)
    caps: tuple[CapUsed, ...] = ()
    free: float | None = None

    @property
    def hears(self) -> bool:
        """Whether mail can come in: else nothing falls due, since nobody could have answered."""
        return all(mailbox.reached for mailbox in self.mailboxes)


def read_facts(conn: Connection, *, settings: Settings, now: datetime) -> Facts:
    """The facts of an installation, by a reader of its database."""
    have = current_of(conn)
    if have != head():
        return Facts(at=now, unfit=unfit(have), free=free_part(settings))
    return Facts(
        at=now,
        writers=tuple(_writers(conn, now)),
        mailboxes=tuple(_mailboxes(conn, now)),
        letter=_since(ages.oldest_letter(conn), now),
        mail=_since(ages.mail_owed_since(conn, now), now),
        timer=_since(ages.next_timer(conn), now),
        caps=tuple(
            CapUsed(name=cap.name, most=cap.most, used=cap.used(conn, now))
            for cap in caps_of(settings.smtp)
        ),
        free=free_part(settings),
    )


def free_part(settings: Settings) -> float | None:
    """How much of the disk with the database is free, as a part of it that we may write."""
    file = file_of(url_of(settings.store.database))
    if file is None:
        return None
    disk = shutil.disk_usage(file.absolute().parent)
    # What is kept for root alone is neither free nor used.
    usable = disk.used + disk.free
    return disk.free / usable if usable else 0.0


def note_signs(conn: Connection, *, name: str, took: float, now: datetime) -> None:
    """Leave the signs of one look: that who writes is there, and which mailboxes are reached."""
    signs = runner_state.signs(conn)
    runner_state.leave_sign(conn, name, now, f"{took:.3f}")
    receiving = {_account(one.runner): one for one in _receiving(conn)}
    for account, one in receiving.items():
        sign = f"{MAILBOX}{account}"
        if one.what == REACHED:
            runner_state.leave_sign(conn, sign, one.last_at, REACHED)
        elif sign not in signs:
            runner_state.leave_sign(conn, sign, now, NEVER)
    for sign in signs:
        if sign.startswith(MAILBOX) and sign.removeprefix(MAILBOX) not in receiving:
            runner_state.drop_sign(conn, sign)


def _writers(conn: Connection, now: datetime) -> Iterator[WriterSeen]:
    for name, sign in runner_state.signs(conn).items():
        if name.startswith(WRITER):
            ago, took = _since(sign.last_at, now), _seconds(sign.what)
            yield WriterSeen(ago=ago, took=took, name=name)


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0  # damaged: its time is good enough


def _mailboxes(conn: Connection, now: datetime) -> Iterator[MailboxSeen]:
    signs = runner_state.signs(conn)
    for one in _receiving(conn):
        account, reached = _account(one.runner), one.what == REACHED
        sign = signs.get(f"{MAILBOX}{account}")
        last = one.last_at if reached or sign is None else sign.last_at
        yield MailboxSeen(
            account=account,
            ago=_since(last, now),
            reached=reached,
            ever=reached or (sign is not None and sign.what == REACHED),
        )


def _receiving(conn: Connection) -> Iterable[runner_state.RunnerState]:
    """Who reads each mailbox: of several workers the one that has reached it, or was last there."""
    found: dict[str, runner_state.RunnerState] = {}
    for one in runner_state.states(conn):
        if one.runner.startswith(_RECEIVING):
            other = found.setdefault(_account(one.runner), one)
            if (one.what == REACHED, one.last_at) > (other.what == REACHED, other.last_at):
                found[_account(one.runner)] = one
    return found.values()


def _account(runner: str) -> str:
    return unmarked(runner).removeprefix(_RECEIVING)


def _since(then: datetime | None, now: datetime) -> timedelta:
    return timedelta(0) if then is None else max(now - then, timedelta(0))
