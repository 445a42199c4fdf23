"""How the service is doing, as facts, and which of them are wrong: for all who ask or are told.

`pbem status --check`, alarms, metrics and the readiness of the pages judge by what `look` has seen.
Nothing that a player or a server wrote is in it, since it goes where operators are woken. A new
check is a function in CHECKS, and a section of docs/runbook.md.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.errors import ConfigError
from pbem.legacy.store import runner_state, still
from pbem.legacy.store.damage import kind_of
from pbem.legacy.store.engine import engine_of, file_of, unwritable, url_of
from pbem.legacy.store.identity import Replaced
from pbem.legacy.store.mails import outbox
from pbem.legacy.store.mails.leases import caps_of
from pbem.legacy.store.people import roster
from pbem.legacy.store.postgres import folder_here
from pbem.legacy.store.runner_state import RunnerState, lies_ahead, receiving
from pbem.legacy.store.schema import reached, require_file, unusable
from pbem.legacy.store.upkeep import condition
from pbem.legacy.transport import REACHED

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.config import Settings
    from pbem.legacy.store.database import Database
    from pbem.legacy.store.still import StillSeen

ANSWERS: Final = 1.0
"""Seconds within which who writes answers."""

SILENT: Final = timedelta(minutes=1)
"""Who writes is heard of every few seconds."""

MAILBOX: Final = timedelta(minutes=10)
LETTERS: Final = timedelta(minutes=5)
MAILS: Final = timedelta(minutes=15)
TIMERS: Final = timedelta(minutes=5)
"""How long a mailbox may be out of reach, and what waits may wait."""

DISK: Final = 0.05
"""The part of the disk that is to be free."""

WRITER: Final = "writer"
"""The sign of a process that writes: its last answer, and the seconds that the one before took."""

MAILBOX_SIGN: Final = "mailbox "
"""What the name of a mailbox's sign begins with: when it was reached last."""

NEVER: Final = "never reached"
"""What stands in that sign until then; its time is that of the first look."""

STALE: Final = timedelta(minutes=1)
"""A state of a mailbox that nobody has noted for so long says nothing of it now."""

PATIENCE: Final = 5.0
"""Seconds that a process waits for its own connection to the database."""


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


class CapUsed(NamedTuple):
    """How much of a cap on sending is used."""

    name: str
    most: int
    used: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """How the service was doing `at` a time; what waits for nothing has waited no time.

    `unfit` says why nothing can be read, and what helps; `unwritable` which file cannot be written.
    `writers` are the processes that write, one where the service runs alone; `unwritten` mails that
    could not be written yet; `suspended` addresses to which nothing is sent. `free` is the part of
    the disk that is; None where that is another machine's, or PostgreSQL cannot be asked which.
    """

    at: datetime
    unfit: str = ""
    unwritable: str = ""
    writers: tuple[WriterSeen, ...] = ()
    mailboxes: tuple[MailboxSeen, ...] = ()
    letter: timedelta = timedelta(0)
    mail: timedelta = timedelta(0)
    timer: timedelta = timedelta(0)
    unwritten: tuple[int, ...] = ()
    caps: tuple[CapUsed, ...] = ()
    suspended: int = 0
    free: float | None = None
    still: tuple[StillSeen, ...] = ()

    @property
    def hears(self) -> bool:
        """Whether mail can come in: else nothing falls due, since nobody could have answered."""
        return all(mailbox.reached for mailbox in self.mailboxes)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing, whether it is well, and in words how it is; then what to do next."""

    name: str
    well: bool
    words: str
    advice: str = ""

    @property
    def line(self) -> str:
        """All of it that is worth a line."""
        return self.words if self.well else f"{self.words}: {self.advice}"


# --- the facts -----------------------------------------------------------------------------------


def look(settings: Settings, now: datetime, db: Database | None = None) -> Facts:
    """The facts of an installation, by a connection of its own; that there are none is one, too.

    One that is open for long still has in memory what the disk has no more. `db` is that by which
    a process works all the time: it must answer, and be the same database still.
    """
    database = settings.store.database
    try:
        require_file(database)
        if db is not None:
            db.require_same().result(PATIENCE)
        engine = engine_of(url_of(database), read_only=True, lenient=True)
        with reached(database), engine.connect() as conn, conn.begin():
            return read_facts(conn, settings=settings, now=now)
    except (ConfigError, Replaced) as error:
        unfit = str(error)
    except TimeoutError:
        unfit = "the database does not answer"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what was to be found
        unfit = kind_of(error)
    return Facts(at=now, unfit=unfit, free=free_part(settings))


def read_facts(conn: Connection, *, settings: Settings, now: datetime) -> Facts:
    """The facts of an installation, by a reader of its database."""
    free = free_part(settings, conn)
    if unfit := unusable(conn):
        return Facts(at=now, unfit=f"the database {unfit}", free=free)
    caps = caps_of(settings.smtp.max_mails_per_hour, settings.smtp.max_mails_per_day)
    return Facts(
        at=now,
        unwritable=unwritable(settings.store.database),
        writers=tuple(_writers(conn, now)),
        mailboxes=tuple(_mailboxes(conn, now, settings.mailbox)),
        letter=_waited(condition.oldest_letter(conn), now),
        mail=_waited(condition.mail_owed_since(conn, now), now),
        timer=_waited(condition.next_timer(conn), now),
        unwritten=tuple(outbox.unwritten(conn)),
        caps=tuple(CapUsed(cap.name, cap.most, cap.used(conn, now)) for cap in caps),
        suspended=len(roster.suspended_since(conn)),
        free=free,
        still=still.counted(conn),
    )


def free_part(settings: Settings, conn: Connection | None = None) -> float | None:
    """How much of the disk with the database is free, as a part of it that we may write."""
    file = file_of(settings.store.database)
    folder = file.absolute().parent if file else folder_here(conn) if conn else None
    if folder is None or not folder.exists():
        return None
    disk = shutil.disk_usage(folder)
    usable = disk.used + disk.free  # what is kept for root alone is neither
    return disk.free / usable if usable else 0.0


def _writers(conn: Connection, now: datetime) -> Iterator[WriterSeen]:
    for name, sign in runner_state.signs(conn).items():
        if name.startswith(WRITER) and not lies_ahead(sign.last_at, now):
            yield WriterSeen(ago=_waited(sign.last_at, now), took=_seconds(sign.what), name=name)


def _seconds(text: str) -> float:
    with suppress(ValueError):
        return float(text)
    return 0.0  # damaged: its time is good enough


def _mailboxes(conn: Connection, now: datetime, named: str | None) -> Iterator[MailboxSeen]:
    signs = runner_state.signs(conn)
    for account, states in receiving(conn, named).items():
        sign, last = signs.get(f"{MAILBOX_SIGN}{account}"), last_reached(states, now)
        if sign is not None and lies_ahead(sign.last_at, now):
            sign = None
        if sign is not None and sign.what == REACHED:
            last = max(last or sign.last_at, sign.last_at)
        # Where all times lie ahead nobody knows since when: then it is out of reach for long.
        known = [one.last_at for one in states if not lies_ahead(one.last_at, now)]
        unknown = now - timedelta(days=1) if states else now
        first = sign.last_at if sign is not None else min(known, default=unknown)
        yield MailboxSeen(
            account=account,
            ago=_waited(last or first, now),
            reached=any(
                one.what == REACHED and is_recent(one.last_at, now, STALE) for one in states
            ),
            ever=last is not None,
        )


def last_reached(states: Collection[RunnerState], now: datetime) -> datetime | None:
    """When a mailbox was reached last, by what those say who read it."""
    times = (one.last_at for one in states if one.what == REACHED)
    return max((at for at in times if not lies_ahead(at, now)), default=None)


def is_recent(then: datetime, now: datetime, span: timedelta) -> bool:
    """Whether a time is no longer ago than a span; one that lies ahead was never."""
    return not lies_ahead(then, now) and now - then < span


def _waited(then: datetime | None, now: datetime) -> timedelta:
    return timedelta(0) if then is None else max(now - then, timedelta(0))


# --- which of them are wrong ---------------------------------------------------------------------


def checks(facts: Facts) -> tuple[Check, ...]:
    """All of them; where nothing can be read of the database, of that and of the disk alone."""
    if facts.unfit:
        advice = "nothing else can be looked at"
        return (Check("schema", well=False, words=facts.unfit, advice=advice), _disk(facts))
    return tuple(check(facts) for check in CHECKS.values())


def _schema(_facts: Facts) -> Check:
    return Check("schema", well=True, words="the tables are those of this pbem")


def _writer(facts: Facts) -> Check:
    def found(words: str, advice: str) -> Check:
        return Check("writer", well=False, words=words, advice=advice)

    if facts.unwritable:
        return found("the database cannot be written", facts.unwritable)
    if not facts.writers:
        return found("no service has been heard of", "start `pbem serve`")
    if fault := next(filter(None, (writer.fault for writer in facts.writers)), ""):
        return found("the database keeps nothing", fault)
    silent = max(writer.ago for writer in facts.writers)
    slow = max(writer.took for writer in facts.writers)
    if silent > SILENT:
        return found(
            f"the service was last heard of {span(silent)} ago",
            "look whether `pbem serve` runs, and into its log; if it runs and hangs, start it anew",
        )
    if slow > ANSWERS:
        words = f"the database took {slow:.1f} s to keep something"
        return found(words, "look at what else uses the disk or the database")
    return Check("writer", well=True, words=f"the database kept something in {slow:.3f} s")


def _mailbox(facts: Facts) -> Check:
    if not facts.mailboxes:
        return Check("mailbox", well=True, words="no mailbox is read")
    worst = max(facts.mailboxes, key=lambda mailbox: (not mailbox.reached, mailbox.ago))
    last = f"last reached {span(worst.ago)} ago"
    if worst.ago <= MAILBOX:
        return Check("mailbox", well=True, words=last if worst.ever else "not reached yet")
    when = f"was {last}" if worst.ever else f"has not been reached for {span(worst.ago)}"
    advice = "`pbem status` says why, `pbem check` what helps; meanwhile no deadline falls due"
    return Check("mailbox", well=False, words=f"the mailbox {worst.account} {when}", advice=advice)


def _letters(facts: Facts) -> Check:
    words = _waits("letter", facts.letter, "taken")
    advice = "look into the log of `pbem serve` for `letter_failed` and `runner_failed`"
    return Check("letters", facts.letter <= LETTERS, words, advice)


def _mails(facts: Facts) -> Check:
    if facts.unwritten and facts.mail <= MAILS:
        return unwritten(facts.unwritten)
    advice = "`pbem mails --outbox` says what the server answers, `pbem check` what helps"
    return Check("mails", facts.mail <= MAILS, _waits("mail", facts.mail, "sent"), advice)


def unwritten(mails: Sequence[int]) -> Check:
    """That mails could not be written yet, which stay owed."""
    words = f"{len(mails)} of our mails could not be written yet, the oldest is mail {mails[0]}"
    advice = "`pbem mails --outbox` says why; each is tried again, and at once by `pbem resend`"
    return Check("mails", well=False, words=words, advice=advice)


def _timers(facts: Facts) -> Check:
    if not facts.hears:
        words = "deadlines stand still until the mailbox is reached"
        return Check("timers", well=True, words=words)
    late = f"a timer has been due for {span(facts.timer)}"
    words = late if facts.timer > TIMERS else "every deadline is looked at in time"
    advice = "look into the log of `pbem serve` for `timer_failed` and `runner_failed`"
    return Check("timers", facts.timer <= TIMERS, words, advice)


def _games(facts: Facts) -> Check:
    if not facts.still:
        return Check("games", well=True, words="no match stands still for its rules")
    worst = facts.still[0]
    many = sum(one.matches for one in facts.still)
    stand = "1 match stands" if many == 1 else f"{many} matches stand"
    words = f"{stand} still; of {worst.ruleset} {worst.matches}: {worst.why}"
    advice = "`pbem games` says what is installed; install what is missing or mended, and restart"
    return Check("games", well=False, words=words, advice=advice)


def _caps(facts: Facts) -> Check:
    full = [cap for cap in facts.caps if cap.used >= cap.most]
    if not full:
        return Check("caps", well=True, words="there is room for more mails")
    most = "; ".join(f"all {cap.most} mails of the {cap.name} are used" for cap in full)
    advice = "further ones wait; raise smtp.max_mails_per_... if your provider lets you"
    return Check("caps", well=False, words=most, advice=advice)


def _disk(facts: Facts) -> Check:
    if facts.free is None:
        where = "a disk that only it can name" if facts.unfit else "another machine"
        return Check("disk", well=True, words=f"the database is on {where}")
    words = f"{facts.free:.0%} of the disk are free"
    advice = "make room; a full disk stops the service, and nothing is lost by it"
    return Check("disk", facts.free > DISK, words, advice)


def _waits(what: str, waited: timedelta, done: str) -> str:
    oldest = f"the oldest {what} has waited {span(waited)} to be {done}"
    return oldest if waited else f"no {what} waits to be {done}"


CHECKS: Final[Mapping[str, Callable[[Facts], Check]]] = {
    "schema": _schema,
    "writer": _writer,
    "mailbox": _mailbox,
    "letters": _letters,
    "mails": _mails,
    "timers": _timers,
    "caps": _caps,
    "games": _games,
    "disk": _disk,
}
"""By what each is called, in the order in which one explains the next."""

PAGES_NEED: Final = frozenset({"schema", "writer", "letters"})
"""The checks without which a page cannot be answered, or what its form sends is not taken."""


def wrong(found: tuple[Check, ...]) -> Iterator[Check]:
    """Those that are not well."""
    return (check for check in found if not check.well)


def span(time: timedelta) -> str:
    """A span as people say it, in its largest unit."""
    seconds = max(0, int(time.total_seconds()))
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
