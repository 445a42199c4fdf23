"""What is wrong with the service, and what to do next: one check for each thing that can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pbem.monitoring.facts import Facts

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


def checks(facts: Facts) -> tuple[Check, ...]:
    """All of them; where the tables are of another version, nothing else of the database."""
    if facts.unfit:
        return (unreadable(f"the database {facts.unfit}"), _disk(facts))
    return tuple(check(facts) for check in CHECKS.values())


def unreadable(why: str) -> Check:
    """What is told where nothing can be read of the database; `why` says what helps."""
    return Check("schema", well=False, words=why, advice="nothing else can be looked at")


def _schema(_facts: Facts) -> Check:
    return Check("schema", well=True, words="the tables are those of this pbem")


def _writer(facts: Facts) -> Check:
    def wrong(words: str, advice: str) -> Check:
        return Check("writer", well=False, words=words, advice=advice)

    if not facts.writers:
        return wrong("no service has been heard of", "start `pbem serve`")
    if fault := next(filter(None, (writer.fault for writer in facts.writers)), ""):
        return wrong("the database keeps nothing", fault)
    silent = max(writer.ago for writer in facts.writers)
    slow = max(writer.took for writer in facts.writers)
    if silent > SILENT:
        return wrong(
            f"the service was last heard of {span(silent)} ago",
            "look whether `pbem serve` runs, and into its log; if it runs and hangs, start it anew",
        )
    if slow > ANSWERS:
        return wrong(
            f"the database took {slow:.1f} s to keep something",
            "look at what else uses the disk or the database",
        )
    return Check("writer", well=True, words=f"the database kept something in {slow:.3f} s")


def _mailbox(facts: Facts) -> Check:
    if not facts.mailboxes:
        return Check("mailbox", well=True, words="no mailbox is read")
    worst = max(facts.mailboxes, key=lambda mailbox: (not mailbox.reached, mailbox.ago))
    if worst.ago > MAILBOX:
        when = f"was last reached {span(worst.ago)} ago"
        if not worst.ever:
            when = f"has not been reached for {span(worst.ago)}"
        return Check(
            "mailbox",
            well=False,
            words=f"the mailbox {worst.account} {when}",
            advice="`pbem status` says what its server answers, `pbem check` what helps; "
            "meanwhile no deadline falls due",
        )
    words = f"last reached {span(worst.ago)} ago" if worst.ever else "not reached yet"
    return Check("mailbox", well=True, words=words)


def _letters(facts: Facts) -> Check:
    words = _waits("letter", facts.letter, "taken")
    advice = "look into the log of `pbem serve` for `letter_failed` and `runner_failed`"
    return Check("letters", facts.letter <= LETTERS, words, advice)


def _mails(facts: Facts) -> Check:
    words = _waits("mail", facts.mail, "sent")
    advice = "`pbem mails --outbox` says what the server answers, `pbem check` what helps"
    return Check("mails", facts.mail <= MAILS, words, advice)


def _timers(facts: Facts) -> Check:
    if not facts.hears:
        words = "deadlines stand still until the mailbox is reached"
        return Check("timers", well=True, words=words)
    words = "every deadline is looked at in time"
    if facts.timer > TIMERS:
        words = f"a timer has been due for {span(facts.timer)}"
    advice = "look into the log of `pbem serve` for `timer_failed` and `runner_failed`"
    return Check("timers", facts.timer <= TIMERS, words, advice)


def _caps(facts: Facts) -> Check:
    full = [cap for cap in facts.caps if cap.used >= cap.most]
    if not full:
        return Check("caps", well=True, words="there is room for more mails")
    most = "; ".join(f"all {cap.most} mails of the {cap.name} are used" for cap in full)
    advice = "further ones wait; raise smtp.max_mails_per_... if your provider lets you"
    return Check("caps", well=False, words=most, advice=advice)


def _disk(facts: Facts) -> Check:
    if facts.free is None:
        return Check("disk", well=True, words="the database is on another machine")
    words = f"{facts.free:.0%} of the disk are free"
    advice = "make room; a full disk stops the service, and nothing is lost by it"
    return Check("disk", facts.free > DISK, words, advice)


def _waits(what: str, waited: timedelta, done: str) -> str:
    if not waited:
        return f"no {what} waits to be {done}"
    return f"the oldest {what} has waited {span(waited)} to be {done}"


CHECKS: Final[Mapping[str, Callable[[Facts], Check]]] = {
    "schema": _schema,
    "writer": _writer,
    "mailbox": _mailbox,
    "letters": _letters,
    "mails": _mails,
    "timers": _timers,
    "caps": _caps,
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
