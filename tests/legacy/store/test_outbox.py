"""Mails: queued once, leased, kept as bytes, sent again as they were, superseded, pruned."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import Connection

from pbem.names import PlayerId
from pbem.legacy.store.database import Database
from pbem.legacy.store.mails import leases, outbox, waiting_mails
from pbem.legacy.store.mails.outbox import FinishedMail, OutboxRow, QueuedMail
from pbem.legacy.store.mails.waiting_mails import quotable
from tests.legacy.store.given import ANN, BOB, DAY, MINUTE, NOW, read, write

LEASE = timedelta(minutes=5)


def mail(
    name: str,
    *,
    to: PlayerId = ANN,
    version: int = 1,
    kind: str = "prompt",
    stream: str = "match-A",
) -> QueuedMail:
    return QueuedMail(
        key=f"{name}:{to}",
        message_id=f"<{name}.{to}@example.org>",
        recipient=to,
        kind=kind,
        notices='[{"notice":"TurnPrompt"}]',
        stream=stream,
        version=version,
        root="<root@example.org>",
    )


def queue(db: Database, *mails: QueuedMail, at: datetime = NOW) -> None:
    write(db, lambda conn: outbox.queue(conn, mails, at))


def lease(db: Database, at: datetime = NOW, limit: int = 10) -> list[OutboxRow]:
    return write(db, lambda conn: leases.lease(conn, now=at, limit=limit, lease_for=LEASE))


def keep(db: Database, row: OutboxRow, *lines: str) -> None:
    finished = FinishedMail(
        id=row.id,
        data=b"bytes",
        fingerprints=lines,
        mail_from="games@example.org",
        rcpt="a@x.org",
    )
    write(db, lambda conn: outbox.keep(conn, [finished]))


def states(db: Database) -> dict[str, str]:
    return {row.key: row.state for row in read(db, outbox.listed)}


def test_a_mail_is_queued_once(db: Database) -> None:
    queue(db, mail("a"), mail("b"))
    queue(db, mail("a", version=9), mail("c"), at=NOW + MINUTE)
    rows = lease(db, NOW + MINUTE)
    assert [(row.key, row.version) for row in rows] == [("a:ann", 1), ("b:ann", 1), ("c:ann", 1)]
    first = rows[0]
    assert (first.message_id, first.root) == ("<a.ann@example.org>", "<root@example.org>")
    assert (first.queued_at, first.state, first.attempts) == (NOW, "leased", 1)
    assert (first.data, first.rcpt) == (None, None)


def test_nothing_queued_is_nothing(db: Database) -> None:
    queue(db)
    assert lease(db) == []
    assert read(db, outbox.next_due) is None


def test_turns_may_go_first_and_what_is_due_may_wait(db: Database) -> None:
    queue(db, mail("a", kind="news"), mail("b"), mail("c", kind="turn"), mail("d", kind="news"))
    rows = write(
        db,
        lambda conn: leases.lease(conn, now=NOW, limit=3, lease_for=LEASE, turns_first=True),
    )
    assert [row.key for row in rows] == ["b:ann", "c:ann", "a:ann"]
    until = NOW + 2 * LEASE
    wait = write(db, lambda conn: outbox.postpone(conn, now=NOW, until=until, why="a cap"))
    assert wait == 1
    assert lease(db) == []
    assert [(row.key, row.attempts) for row in lease(db, until)][-1] == ("d:ann", 1)


def test_a_leased_mail_is_nobody_elses_until_the_lease_runs_out(db: Database) -> None:
    queue(db, mail("a"), mail("b"))
    assert [row.key for row in lease(db, limit=1)] == ["a:ann"]
    assert [row.key for row in lease(db)] == ["b:ann"]
    assert lease(db, NOW + MINUTE) == []
    assert read(db, outbox.next_due) == NOW + LEASE
    again = lease(db, NOW + LEASE)
    assert [(row.key, row.attempts) for row in again] == [("a:ann", 2), ("b:ann", 2)]


def test_leases_of_a_process_that_is_gone_are_released_at_the_start(db: Database) -> None:
    queue(db, mail("a"))
    (row,) = lease(db)
    keep(db, row, "line")
    assert write(db, lambda conn: leases.take_over(conn, NOW + MINUTE)) == []
    (again,) = lease(db, NOW + MINUTE)
    assert (again.data, again.mail_from, again.rcpt) == (
        b"bytes",
        "games@example.org",
        "a@x.org",
    )


def test_a_mail_that_was_sent_is_settled(db: Database) -> None:
    queue(db, mail("a"))
    (row,) = lease(db)
    keep(db, row, "line")
    write(db, lambda conn: outbox.sent(conn, {row.id: ("250 ok", NOW + MINUTE)}))
    assert lease(db, NOW + DAY) == []
    stored = read(db, lambda conn: outbox.row(conn, row.id))
    assert stored is not None
    assert (stored.state, stored.smtp_reply) == ("sent", "250 ok")
    assert (stored.sent_at, stored.next_at, stored.data) == (NOW + MINUTE, None, b"bytes")


def test_a_mail_that_failed_waits_or_is_dead(db: Database) -> None:
    queue(db, mail("a"), mail("b"))
    a, b = lease(db)
    later = NOW + 15 * MINUTE
    write(db, lambda conn: outbox.failed(conn, a.id, permanent=False, reply="450", next_at=later))
    write(db, lambda conn: outbox.failed(conn, b.id, permanent=True, reply="550", next_at=later))
    assert states(db) == {"a:ann": "failed", "b:ann": "dead"}
    assert read(db, outbox.counts) == {"failed": 1, "dead": 1}
    assert read(db, outbox.next_due) == later
    assert lease(db, later - MINUTE) == []
    assert [row.key for row in lease(db, later)] == ["a:ann"]
    with pytest.raises(ValueError, match="again"):
        write(db, lambda conn: outbox.failed(conn, a.id, permanent=False, reply="450"))


def overtake(conn: Connection) -> None:
    mails = waiting_mails.unsent(conn, "match-A")
    waiting_mails.take_up(conn, [one for one in mails if one.recipient == ANN])


def test_a_mail_that_was_overtaken_is_not_sent(db: Database) -> None:
    queue(db, mail("old"), mail("other-reader", to=BOB), mail("other-match", stream="match-B"))
    write(db, overtake)
    assert [row.key for row in lease(db)] == ["other-reader:bob", "other-match:ann"]
    assert states(db)["old:ann"] == "superseded"


def test_a_mail_that_is_under_way_or_sent_is_not_overtaken(db: Database) -> None:
    queue(db, mail("sent"), mail("leased"), mail("failed"))
    sent, _, failed = lease(db)
    write(db, lambda conn: outbox.sent(conn, {sent.id: ("250", NOW)}))
    write(
        db,
        lambda conn: outbox.failed(conn, failed.id, permanent=False, reply="450", next_at=NOW),
    )
    write(db, overtake)
    assert states(db) == {"sent:ann": "sent", "leased:ann": "leased", "failed:ann": "superseded"}


def test_a_settled_mail_is_sent_again_as_it_was(db: Database) -> None:
    queue(db, mail("a"))
    (row,) = lease(db)
    keep(db, row, "line")
    assert not write(db, lambda conn: outbox.resend(conn, row.id))
    write(db, lambda conn: outbox.sent(conn, {row.id: ("250", NOW)}))
    assert write(db, lambda conn: outbox.resend(conn, row.id))
    assert not write(db, lambda conn: outbox.resend(conn, 99))
    (again,) = lease(db)
    assert (again.data, again.message_id, again.attempts) == (b"bytes", row.message_id, 1)


def test_a_mail_that_waits_for_its_next_try_is_sent_at_once_when_asked_for(db: Database) -> None:
    queue(db, mail("a"))
    (row,) = lease(db)
    write(
        db,
        lambda conn: outbox.failed(conn, row.id, permanent=False, reply="", next_at=NOW + DAY),
    )
    assert lease(db) == []
    assert write(db, lambda conn: outbox.resend(conn, row.id))
    assert [(again.id, again.attempts) for again in lease(db)] == [(row.id, 1)]


def test_a_reply_finds_the_mail_that_it_answers(db: Database) -> None:
    queue(db, mail("a"), mail("b", to=BOB))
    found = read(db, lambda conn: outbox.find_by_message_id(conn, "<b.bob@example.org>"))
    assert found is not None
    assert (found.recipient, found.stream) == (BOB, "match-A")
    assert read(db, lambda conn: outbox.find_by_message_id(conn, "<x@example.org>")) is None
    for reader, ident, is_theirs in (
        (BOB, found.message_id, True),
        (ANN, found.message_id, False),
        (BOB, "<x@example.org>", False),
        (BOB, None, False),
    ):
        ours = read(db, partial(quotable, recipient=reader, answered=ident))
        assert ours.answered == (found if is_theirs else None)


def test_the_bytes_of_the_answered_mail_alone_are_read(db: Database) -> None:
    queue(db, mail("a"), mail("b"))
    for row in lease(db):
        keep(db, row)
    for key in "ab":
        answered = read(
            db, partial(quotable, recipient=ANN, answered=f"<{key}.ann@example.org>")
        ).answered
        assert answered is not None
        assert (answered.key, answered.data) == (f"{key}:ann", b"bytes")


def test_the_lines_that_a_reply_may_quote(db: Database) -> None:
    for number in range(4):
        queue(db, mail(f"m{number}"), mail(f"m{number}", to=BOB))
    for row in lease(db):
        keep(db, row, "both", f"line of {row.key}", f"line of {row.key}")

    def lines(*named: str | None, newest: int = 0) -> set[str]:
        wanted = partial(quotable, recipient=ANN, answered=None, named=named, newest=newest)
        return set(read(db, wanted).fingerprints)

    assert lines(None) == set()
    assert lines("<m0.ann@example.org>", None) == {"both", "line of m0:ann"}
    assert lines(newest=2) == {"both", "line of m2:ann", "line of m3:ann"}
    assert lines("<m0.ann@example.org>", newest=1) == {"both", "line of m0:ann", "line of m3:ann"}
    # A reference to somebody else's mail tells nothing of what stands in it.
    assert lines("<m0.bob@example.org>") == set()


def test_old_bytes_and_lines_are_pruned_where_nothing_waits(db: Database) -> None:
    queue(db, mail("old"), mail("waits"))
    queue(db, mail("young"), at=NOW + DAY)
    old, waits, young = lease(db, NOW + DAY)
    for row in (old, waits, young):
        keep(db, row, f"line of {row.key}")
    write(db, lambda conn: outbox.sent(conn, {old.id: ("250", NOW)}))
    write(db, lambda conn: outbox.sent(conn, {young.id: ("250", NOW)}))
    assert write(db, lambda conn: waiting_mails.prune(conn, NOW + DAY)) == 1
    assert write(db, lambda conn: waiting_mails.prune(conn, NOW + DAY)) == 0
    assert {row.key: row.data for row in read(db, outbox.listed)} == {
        "old:ann": None,
        "waits:ann": b"bytes",
        "young:ann": b"bytes",
    }
    lines = read(db, partial(quotable, recipient=ANN, answered=None, newest=9)).fingerprints
    assert lines == {"line of waits:ann", "line of young:ann"}
    assert not write(db, lambda conn: outbox.resend(conn, old.id))
    assert write(db, lambda conn: outbox.resend(conn, young.id))


def test_of_an_old_mail_the_kinds_of_its_news_stay(db: Database) -> None:
    told = '[{"notice":"Account","results":[{"typed":"block bob@example.net"}]},{"notice":"Help"}]'
    queue(db, replace(mail("old"), notices=told))
    (row,) = lease(db, NOW)
    keep(db, row, "line")
    write(db, lambda conn: outbox.sent(conn, {row.id: ("250", NOW)}))
    write(db, lambda conn: waiting_mails.prune(conn, NOW + DAY))
    (pruned,) = read(db, outbox.listed)
    assert json.loads(pruned.notices) == [{"notice": "Account"}, {"notice": "Help"}]


def test_lists_show_the_newest_first(db: Database) -> None:
    queue(db, mail("a"), mail("b"), mail("c"))
    (first,) = lease(db, limit=1)
    assert [row.key for row in read(db, lambda conn: outbox.listed(conn, limit=2))] == [
        "c:ann",
        "b:ann",
    ]
    leased = read(db, lambda conn: outbox.listed(conn, state="leased"))
    assert [row.key for row in leased] == [first.key]


# --- mails that wait a moment --------------------------------------------------------------------


def waiting(db: Database) -> list[waiting_mails.WaitingMail]:
    return read(db, lambda conn: waiting_mails.unsent(conn, "match-A"))


def rewrite(db: Database, one: waiting_mails.WaitingMail, due: datetime) -> bool:
    def unit(conn: Connection) -> bool:
        return waiting_mails.rewrite(conn, one, notices="[1]", kind="turn", version=7, due=due)

    return write(db, unit)


def test_a_mail_that_waits_is_rewritten_and_sent_when_it_is_due(db: Database) -> None:
    queue(db, replace(mail("a"), not_before=NOW + MINUTE), mail("b", stream="match-B"), mail("c"))
    assert [row.key for row in lease(db)] == ["b:ann", "c:ann"]
    [one] = waiting(db)
    assert one.recipient == ANN
    assert rewrite(db, one, NOW + 2 * MINUTE)
    assert lease(db, NOW + MINUTE) == []
    [row] = lease(db, NOW + 2 * MINUTE)
    assert (row.key, row.notices, row.kind, row.version) == ("a:ann", "[1]", "turn", 7)
    assert not rewrite(db, one, NOW)  # it is under way
    assert waiting(db) == []


def test_a_mail_whose_bytes_are_kept_says_what_it_said(db: Database) -> None:
    queue(db, mail("a"))
    [row] = lease(db)
    keep(db, row, "line")
    write(db, lambda conn: leases.give_back(conn, [row.id], NOW))
    [one] = waiting(db)
    assert one.written
    assert not rewrite(db, one, NOW)


def test_mails_that_wait_are_let_go(db: Database) -> None:
    queue(db, replace(mail("a"), not_before=NOW + MINUTE), mail("b"))
    write(db, lambda conn: waiting_mails.release(conn, "match-A", NOW))
    assert [row.key for row in lease(db)] == ["a:ann", "b:ann"]


def test_a_mail_that_may_have_ended_the_process_comes_alone(db: Database) -> None:
    queue(db, mail("a"), mail("b"))
    at = NOW
    for tried in range(leases.SUSPECT + 1):
        rows = lease(db, at)
        # What was leased so often and has no bytes yet is the first suspect.
        assert len(rows) == (1 if tried >= leases.SUSPECT else 2)
        at += 2 * LEASE
