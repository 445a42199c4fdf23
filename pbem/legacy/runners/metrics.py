"""What one process shows to Prometheus: ages of what waits, counts, and how long turns take.

Nothing here names a player or a match. Counts begin at nothing with each process, as counters do;
all else is as the last look found it, whose time is among it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Final, get_args

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from pbem import __version__
from pbem.legacy.transaction.installation import BOUNDS
from pbem.legacy.transport import ResultKind

if TYPE_CHECKING:
    from pbem.legacy.health import Facts
    from pbem.legacy.runners.watch import Report
    from pbem.legacy.transaction.installation import Tally

RESULTS: Final = get_args(ResultKind)


class Metrics(Collector):
    """Makes metrics of the last report and of the counts of this process."""

    def __init__(self, tally: Tally) -> None:
        """Nobody has looked yet."""
        self._tally = tally
        self._report: Report | None = None
        self.registry = CollectorRegistry()
        self.registry.register(self)

    def take(self, report: Report) -> None:
        """From now on this is the last report."""
        self._report = report

    def text(self) -> bytes:
        """All metrics as Prometheus reads them."""
        return generate_latest(self.registry)

    def collect(self) -> Iterator[Metric]:
        """Each family of metrics."""
        yield InfoMetricFamily("pbem_build", "Which pbem this is", {"version": __version__})
        yield from self._counts()
        report = self._report
        if report is None:
            return
        yield _gauge(
            "pbem_looked_timestamp_seconds",
            "When all that is no counter was looked at",
            report.at.timestamp(),
        )
        yield _gauge(
            "pbem_writer_answer_seconds",
            "How long the database took to keep something, or has not answered",
            report.unanswered,
        )
        well = GaugeMetricFamily("pbem_check_well", "1 if a check finds nothing", labels=["check"])
        for check in report.checks:
            well.add_metric([check.name], int(check.well))
        yield well
        if not report.facts.unfit:
            yield from _found(report.facts)

    def _counts(self) -> Iterator[Metric]:
        tally = self._tally
        letters = CounterMetricFamily(
            "pbem_letters", "Letters by what became of them, since the start", labels=["outcome"]
        )
        for outcome, count in sorted(dict(tally.letters).items()):
            letters.add_metric([outcome], count)
        yield letters
        mails = CounterMetricFamily(
            "pbem_mails", "Mails by what the relay said, since the start", labels=["result"]
        )
        for result in RESULTS:
            mails.add_metric([result], tally.mails[result])
        yield mails
        names = (*map(str, BOUNDS), "+Inf")
        turns = HistogramMetricFamily(
            "pbem_turn_seconds", "Seconds of turns, from the claim of their letter to the commit"
        )
        counts = list(zip(names, accumulate(tally.turns), strict=True))
        turns.add_metric([], counts, tally.seconds)
        yield turns


def _found(facts: Facts) -> Iterator[Metric]:
    """What was read of the database and the disk."""
    for name, what, age in (
        ("letter_oldest", "How long the oldest letter has waited to be taken", facts.letter),
        ("mail_oldest_due", "How long a mail has been owed that is ours to send", facts.mail),
        ("timer_late", "How long a timer has been due", facts.timer),
    ):
        yield _gauge(f"pbem_{name}_seconds", what, age.total_seconds())
    if facts.mailboxes:
        seen = max(mailbox.ago for mailbox in facts.mailboxes)
        yield _gauge(
            "pbem_imap_last_seen_seconds",
            "How long ago the mailbox was reached",
            seen.total_seconds(),
        )
    left = GaugeMetricFamily("pbem_cap_left", "Mails that a cap leaves", labels=["period"])
    for cap in facts.caps:
        left.add_metric([cap.name], max(cap.most - cap.used, 0))
    yield left
    yield _gauge(
        "pbem_unwritten_mails",
        "Mails that could not be written yet",
        len(facts.unwritten),
    )
    yield _gauge(
        "pbem_suspended_addresses",
        "Addresses to which nothing is sent, since mail came back",
        facts.suspended,
    )
    if facts.free is not None:
        what = "The part of the disk with the database that is free"
        yield _gauge("pbem_disk_free_ratio", what, facts.free)


def _gauge(name: str, what: str, value: float) -> Metric:
    return GaugeMetricFamily(name, what, value)
