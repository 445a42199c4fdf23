"""How the service is doing, as one value: read from the database, the disk and signs of life."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from pbem.delivery.sending_caps import caps_of
from pbem.store import runner_state
from pbem.store.engine import file_of
from pbem.store.presence import unmarked
from pbem.store.runner_state import RunnerState
from pbem.store.schema import current_of, head, unfit
from pbem.store.upkeep import ages
from pbem.transport import REACHED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from pbem.config import Settings

WRITER: Final = "writer"
"""The sign of a process that writes: its last answer, and the seconds that the one before took."""

MAILBOX: Final = "mailbox "
"""What the name of a mailbox's sign begins with: when it was reached last."""

NEVER: Final = "never reached"
"""What stands in that sign until then; its time is that of the first look."""

STALE: Final = timedelta(minutes=1)
"""A state of a mailbox that nobody has noted for so long says nothing of it now."""

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
    file = file_of(settings.store.database)
    if file is None:
        return None
    disk = shutil.disk_usage(file.absolute().parent)
    # What is kept for root alone is neither free nor used.
    usable = disk.used + disk.free
    return disk.free / usable if usable else 0.0


def note_signs(conn: Connection, *, name: str, took: float, now: datetime) -> None:
    """Leave the signs of one look: that who writes is there, and which mailboxes are reached.

    `name` is WRITER where the service is one process, else that and the mark of ours.
    """
    signs = runner_state.signs(conn)
    runner_state.leave_sign(conn, name, now, f"{took:.3f}")
    receiving = _receiving(conn)
    for account, states in receiving.items():
        sign, last = signs.get(f"{MAILBOX}{account}"), _last_reached(states)
        if last is not None and (sign is None or sign.what == NEVER or sign.last_at < last):
            runner_state.leave_sign(conn, f"{MAILBOX}{account}", last, REACHED)
        elif sign is None:
            runner_state.leave_sign(conn, f"{MAILBOX}{account}", now, NEVER)
    for sign_name in signs:
        if _is_over(sign_name, name, receiving):
            runner_state.drop_sign(conn, sign_name)


def _is_over(sign: str, ours: str, receiving: Collection[str]) -> bool:
    """Whether nobody leaves a sign any more: a service is either one process or several."""
    if sign.startswith(WRITER):
        return sign != ours and WRITER in (sign, ours)
    return sign.startswith(MAILBOX) and sign.removeprefix(MAILBOX) not in receiving


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
    for account, states in _receiving(conn).items():
        sign, last = signs.get(f"{MAILBOX}{account}"), _last_reached(states)
        if sign is not None and sign.what == REACHED:
            last = max(last or sign.last_at, sign.last_at)
        first = sign.last_at if sign is not None else min(one.last_at for one in states)
        yield MailboxSeen(
            account=account,
            ago=_since(last or first, now),
            reached=any(one.what == REACHED and now - one.last_at < STALE for one in states),
            ever=last is not None,
        )


def _receiving(conn: Connection) -> dict[str, list[RunnerState]]:
    """How each mailbox is doing, in the words of each process that reads it, or would."""
    found: dict[str, list[RunnerState]] = {}
    for one in runner_state.states(conn):
        if one.runner.startswith(_RECEIVING):
            account = unmarked(one.runner).removeprefix(_RECEIVING)
            found.setdefault(account, []).append(one)
    return found


def _last_reached(states: Collection[RunnerState]) -> datetime | None:
    return max((one.last_at for one in states if one.what == REACHED), default=None)


def _since(then: datetime | None, now: datetime) -> timedelta:
    return timedelta(0) if then is None else max(now - then, timedelta(0))
