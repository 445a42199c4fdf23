"""Caps on sending: turns first, an alert in time, and everything in the end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from pbem.legacy.mail.addresses import message_id
from pbem.legacy.notices import codec
from pbem.legacy.notices.personal import Reminder, SendingCapNear
from pbem.legacy.runners.deliver import deliver_due
from pbem.legacy.store.mails import leases, outbox
from pbem.legacy.store.mails.leases import caps_of
from pbem.legacy.store.mails.outbox import FinishedMail, OutboxRow, QueuedMail
from pbem.legacy.transaction.coalescing import kind_of
from pbem.legacy.transport import Result
from tests.legacy.clubs.club import ANN, BOB, Clock, Club, open_club
from tests.legacy.clubs.hostile import at_play

OPERATOR = "operator@pbem.example"


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await at_play(one)
    yield one
    one.house.db.close()


def capped(club: Club, *, hour: int = 0, day: int = 0, contact: str = "") -> None:
    """From now on so many mails may go out."""
    settings = club.house.settings
    smtp = settings.smtp.model_copy(update={"max_mails_per_hour": hour, "max_mails_per_day": day})
    site = settings.site.model_copy(update={"contact": contact})
    club.house = replace(
        club.house, settings=settings.model_copy(update={"smtp": smtp, "site": site})
    )


def rows(club: Club) -> list[OutboxRow]:
    return club.house.db.read(outbox.listed).result()


def many(club: Club, number: int) -> list[QueuedMail]:
    """Mails to the operator: they are news of nobody's turn."""
    alert = codec.dump([SendingCapNear(period="hour", used=1, most=2)])
    return [
        QueuedMail(
            key=f"x:{one}",
            message_id=message_id(club.house.keys, cause=f"x:{one}", domain="pbem.example"),
            recipient=None,
            to_address=f"operator{one}@pbem.example",
            kind="news",
            notices=alert,
        )
        for one in range(number)
    ]


def later(club: Club, minutes: float) -> None:
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(minutes=minutes)


async def test_the_operator_is_told_once_before_the_cap_is_reached(club: Club) -> None:
    capped(club, hour=10, contact=OPERATOR)
    with capture_logs() as logs:
        for number in range(7):
            await club.answer(ANN, f"say {number}")
    near = [line for line in logs if line["event"] == "mail_cap_near"]
    assert near == [
        {"event": "mail_cap_near", "log_level": "warning", "period": "hour", "used": 8, "most": 10}
    ]
    [mail] = club.mails(OPERATOR)
    assert "8 of the 10 mails that may go out in an hour are used." in mail.text
    assert "needs no answer" in mail.text
    later(club, 90)
    for number in range(7):
        await club.answer(ANN, f"say {number}")
    assert len(club.mails(OPERATOR)) == 1


async def test_without_an_address_of_the_operator_only_the_log_tells(club: Club) -> None:
    capped(club, day=5)
    with capture_logs() as logs:
        for number in range(4):
            await club.answer(ANN, f"say {number}")
    assert [line["period"] for line in logs if line["event"] == "mail_cap_near"] == ["day"]
    assert {reader for reader, _ in club.postbox.mails} == {ANN, BOB}


async def test_at_the_cap_turns_go_first_and_the_others_go_in_the_end(club: Club) -> None:
    capped(club, hour=2)
    before = len(club.postbox.mails)
    for number in range(3):
        await club.answer(ANN, f"say {number}")
    await club.answer(ANN, "e1")
    assert len(club.postbox.mails) == before + 2
    waiting = {row.state for row in rows(club)}
    assert waiting == {"sent", "failed"}
    later(club, 59)
    await club.work()
    assert len(club.postbox.mails) == before + 2
    later(club, 6)
    await club.work()
    assert len(club.postbox.mails) == before + 4
    reader, mail = club.postbox.mails[-2]
    assert reader == BOB
    assert "Your turn" in mail.text
    for _ in range(20):
        later(club, 31)
        await club.work()
    assert {row.state for row in rows(club)} == {"sent"}


async def test_what_waits_for_a_cap_is_not_counted_as_tried(club: Club) -> None:
    capped(club, hour=1)
    for number in range(3):
        await club.answer(ANN, f"say {number}")
    waiting = [row for row in rows(club) if row.state == "failed"]
    assert waiting
    assert {row.attempts for row in waiting} == {0}
    assert {row.smtp_reply for row in waiting} == {"waits for our own cap"}


async def test_no_hour_and_no_day_has_more_mails_than_its_cap(club: Club) -> None:
    capped(club, hour=4, day=10)
    club.house.db.write(lambda conn: outbox.queue(conn, many(club, 30), club.clock())).result()
    sent: list[datetime] = []
    for _ in range(3 * 24 * 4):
        before = len(club.postbox.mails)
        await deliver_due(club.house, club.postbox)
        sent += [club.clock()] * (len(club.postbox.mails) - before)
        later(club, 15)
    assert len(sent) == 30
    for span, most in ((timedelta(hours=1), 4), (timedelta(days=1), 10)):
        held = [sum(begin <= one < begin + span for one in sent) for begin in sent]
        assert max(held) == most


async def test_a_relay_that_is_away_uses_nothing_up(club: Club) -> None:
    capped(club, day=10)
    club.postbox.verdict = lambda _: Result("transient", None, "refused", cause="relay")
    club.house.db.write(lambda conn: outbox.queue(conn, many(club, 1), club.clock())).result()
    for _ in range(30):
        later(club, 1)
        await deliver_due(club.house, club.postbox)
    [cap] = caps_of(0, 10)
    assert club.house.db.read(lambda conn: cap.used(conn, club.clock())).result() == 0
    club.postbox.verdict = lambda _: Result("transient", 451, "later")
    later(club, 2)
    await deliver_due(club.house, club.postbox)
    used = club.house.db.read(lambda conn: cap.used(conn, club.clock())).result()
    assert used == len([row for row in rows(club) if row.state == "failed"]) > 0


async def test_what_is_under_way_is_counted_and_what_is_given_back_is_not(club: Club) -> None:
    [cap] = caps_of(5, 0)

    def unit(conn: Connection) -> list[int]:
        now = club.clock()
        outbox.queue(conn, many(club, 3), now)
        leased = leases.lease(conn, now=now, limit=3, lease_for=timedelta(minutes=30), worker=1)
        used = [cap.used(conn, now)]
        leases.give_back(conn, [leased[0].id], now, 1)
        used.append(cap.used(conn, now))
        outbox.keep(
            conn,
            [
                FinishedMail(id=leased[1].id, data=b"x", fingerprints=(), mail_from="a", rcpt="b"),
            ],
        )
        leases.take_over(conn, now)  # the one with bytes may have gone out
        return [*used, cap.used(conn, now)]

    assert club.house.db.write(unit).result() == [3, 2, 1]


async def test_digests_and_reminders_do_not_wait_for_ever_behind_turns(club: Club) -> None:
    assert kind_of([Reminder(matches=())]) in leases.FIRST

    def unit(conn: Connection) -> str:
        turn, digest = many(club, 2)
        now = club.clock()
        outbox.queue(conn, [replace(digest, kind="digest"), replace(turn, kind="turn")], now)
        [row] = leases.lease(
            conn, now=now, limit=1, lease_for=timedelta(minutes=30), turns_first=True
        )
        return row.kind

    assert club.house.db.write(unit).result() == "digest"
