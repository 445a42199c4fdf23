"""What is read of a service, and which of it is called wrong: each thing caused, and mended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from pbem.legacy import health
from pbem.legacy.config.settings import Imap, Maildir, Smtp
from pbem.legacy.health import (
    CHECKS,
    Facts,
    MailboxSeen,
    checks,
    is_recent,
    look,
    read_facts,
    wrong,
)
from pbem.legacy.runners.alarms import Told
from pbem.legacy.runners.deliver import deliver_due
from pbem.legacy.runners.receive import store_letter, take_waiting
from pbem.legacy.runners.supervise import _hearing
from pbem.legacy.runners.watch import note_signs
from pbem.legacy.store import runner_state, still, timers, views
from pbem.legacy.store.runner_state import lies_ahead
from pbem.legacy.transport import REACHED, Envelope, Fetched, Result
from tests.legacy.clubs.club import ANN, BOB, CLEO, GAMES, Clock, Club


@pytest.fixture(autouse=True)
async def _seen(club: Club) -> None:
    await write(club, partial(note_signs, name="writer", took=0.01, now=club.house.now()))


async def write(club: Club, unit: Callable[[Connection], object]) -> None:
    await asyncio.wrap_future(club.house.db.write(unit))


async def facts(club: Club) -> Facts:
    house = club.house
    read = partial(read_facts, settings=house.settings, now=house.now())
    return await asyncio.wrap_future(house.db.read(read))


async def wrongs(club: Club) -> list[str]:
    return [check.name for check in wrong(checks(await facts(club)))]


def later(club: Club, **time: float) -> None:
    """So much time goes by in which nothing is done but who writes is there."""
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(**time)
    sign = partial(note_signs, name="writer", took=0.01, now=club.clock.time)
    club.house.db.write(sign).result()


async def stored(club: Club) -> None:
    await store_letter(
        Fetched("test", "INBOX", 1, 1, club.letter(ANN, GAMES, "hello").as_bytes()), club.house
    )


async def test_a_service_that_does_nothing_is_well(club: Club) -> None:
    found = checks(await facts(club))
    assert [check.name for check in found] == list(CHECKS)
    assert all(check.well for check in found)


async def test_a_service_that_nobody_has_heard_of_is_wrong(club: Club) -> None:
    await write(club, lambda conn: runner_state.drop_sign(conn, "writer"))
    assert await wrongs(club) == ["writer"]


async def test_a_service_that_is_silent_is_wrong(club: Club) -> None:
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(seconds=70)
    assert await wrongs(club) == ["writer"]
    later(club)
    assert await wrongs(club) == []


@pytest.mark.parametrize(("took", "named"), [(0.9, []), (1.1, ["writer"])])
async def test_who_writes_answers_within_a_second(
    club: Club, took: float, named: list[str]
) -> None:
    await write(club, partial(note_signs, name="writer", took=took, now=club.house.now()))
    assert await wrongs(club) == named


async def test_each_of_several_writers_has_to_answer(club: Club) -> None:
    now = club.house.now()
    for name, took in (("writer @6", 0.1), ("writer @7", 2.0)):
        await write(club, partial(note_signs, name=name, took=took, now=now))
    assert {one.name for one in (await facts(club)).writers} == {"writer @6", "writer @7"}
    assert await wrongs(club) == ["writer"]
    await write(club, partial(runner_state.forget, marks=[" @7"]))  # it is gone
    assert await wrongs(club) == []
    later(club)  # a service that is one process again
    assert [one.name for one in (await facts(club)).writers] == ["writer"]


async def test_of_several_processes_one_reaches_the_mailbox(club: Club) -> None:
    await receiving(club, "started", mark=" @6")
    await receiving(club, REACHED, mark=" @7")
    for _ in range(20):
        later(club, minutes=1)
        await receiving(club, REACHED, mark=" @7")
    [mailbox] = (await facts(club)).mailboxes
    assert (mailbox.account, mailbox.reached) == ("games", True)
    later(club, minutes=11)
    assert await wrongs(club) == ["mailbox"]


async def receiving(club: Club, state: str, mark: str = "") -> None:
    """Who reads the mailbox notes how it is doing, and a look follows."""
    now = club.house.now()
    note = partial(runner_state.note, runner=f"receiving games{mark}", now=now, what=state)
    await write(club, note)
    later(club)


async def test_a_mailbox_may_be_out_of_reach_for_ten_minutes(club: Club) -> None:
    await receiving(club, REACHED)
    later(club, minutes=1)
    await receiving(club, "<script> says its server")
    later(club, minutes=8)
    assert await wrongs(club) == []
    later(club, minutes=2)
    found = checks(await facts(club))
    assert [check.name for check in wrong(found)] == ["mailbox"]
    assert "script" not in str(found)
    await receiving(club, REACHED)
    assert await wrongs(club) == []


async def test_a_mailbox_that_was_never_reached_is_told_after_a_while(club: Club) -> None:
    await receiving(club, "connecting")
    later(club, minutes=9)
    await receiving(club, "refused")
    assert await wrongs(club) == []
    later(club, minutes=2)
    [check] = wrong(checks(await facts(club)))
    assert (check.name, "has not been reached for 11 min" in check.words) == ("mailbox", True)


async def test_a_mailbox_that_nobody_reads_any_more_is_forgotten(club: Club) -> None:
    await receiving(club, REACHED)
    await write(club, partial(runner_state.keep_only, runners=["letters"]))
    later(club, minutes=30)
    assert (await facts(club)).mailboxes == ()
    assert list(club.house.db.read(runner_state.signs).result()) == ["writer"]


async def test_a_mailbox_whose_reader_is_gone_is_not_reached(club: Club) -> None:
    settings = club.house.settings.model_copy(
        update={"maildir": Maildir(incoming=Path("in"))}  # only its name counts here
    )
    house = replace(club.house, settings=settings, worker=2)
    hears = _hearing(house, [])

    async def seen(state: str | None, **time: float) -> tuple[bool, list[str], bool]:
        """Who reads the mailbox, if somebody does, finds this: is it heard, and what is wrong."""
        assert isinstance(club.clock, Clock)
        club.clock.time += timedelta(**time)
        now = club.clock.time
        if state is not None:
            await write(
                club,
                partial(runner_state.note, runner="receiving maildir @1", now=now, what=state),
            )
        await write(club, partial(note_signs, name="writer @2", took=0.0, now=now, named="maildir"))
        read = partial(read_facts, settings=settings, now=now)
        found = await asyncio.wrap_future(club.house.db.read(read))
        return await hears(), [check.name for check in wrong(checks(found))], found.hears

    assert await seen(None) == (False, [], False)  # nobody has begun yet
    assert await seen(REACHED, seconds=10) == (True, [], True)
    await write(club, partial(runner_state.forget, marks=[runner_state.mark_of(1)]))
    assert await seen(None, seconds=10) == (False, [], False)
    assert await seen(None, minutes=9) == (False, [], False)
    assert await seen(None, minutes=2) == (False, ["mailbox"], False)
    assert await seen(REACHED, seconds=10) == (True, [], True)
    assert await seen("away", hours=1) == (False, ["mailbox"], False)
    await write(club, partial(runner_state.forget, marks=[runner_state.mark_of(1)]))
    assert await seen(None) == (False, ["mailbox"], False)


async def test_a_mailbox_that_nobody_ever_reads_is_told_after_a_while(club: Club) -> None:
    settings = club.house.settings.model_copy(update={"imap": Imap(host="h.example", user="u")})
    start = club.house.now()
    for minutes, named in ((0, []), (9, []), (11, ["mailbox"])):
        now = start + timedelta(minutes=minutes)
        note = partial(note_signs, name="writer", took=0.0, now=now, named=settings.mailbox)
        await write(club, note)
        read = partial(read_facts, settings=settings, now=now)
        found = await asyncio.wrap_future(club.house.db.read(read))
        assert [check.name for check in wrong(checks(found))] == named
        assert [(one.account, one.ever) for one in found.mailboxes] == [("u@h.example", False)]


async def test_a_letter_that_nobody_takes_is_told(club: Club) -> None:
    await stored(club)
    later(club, minutes=4)
    assert await wrongs(club) == []
    later(club, minutes=2)
    assert await wrongs(club) == ["letters"]
    await club.work()
    assert await wrongs(club) == []


async def test_a_timer_that_does_not_fire_is_told_unless_nobody_is_heard(club: Club) -> None:
    for key, kind in (("a", "reminder"), ("b", timers.BOT)):
        due = club.house.now()
        put = partial(
            timers.set_timer, key=key, due_at=due, stream=None, kind=kind, facts={"match": "x"}
        )
        await write(club, put)
        later(club, minutes=4)
        assert await wrongs(club) == []
        later(club, minutes=2)
        await receiving(club, REACHED)
        assert await wrongs(club) == ["timers"]
        await receiving(club, "away")
        assert await wrongs(club) == []
        await receiving(club, REACHED)
        assert await wrongs(club) == ["timers"]
        await write(club, partial(timers.cancel, key=key))
        assert await wrongs(club) == []


# --- mails ---------------------------------------------------------------------------------------


async def send(club: Club, verdict: Callable[[Envelope], Result]) -> None:
    club.postbox.verdict = verdict
    await deliver_due(club.house, club.postbox)


def taken(_: Envelope) -> Result:
    return Result("sent", 250, "ok")


def away(_: Envelope) -> Result:
    return Result("transient", None, "connection refused", cause="relay")


def full(_: Envelope) -> Result:
    return Result("transient", 452, "4.2.2 mailbox full")


async def owe(club: Club, *readers: str) -> None:
    """Each gets an answer that is not sent yet."""
    for number, reader in enumerate(readers, 1):
        raw = club.letter(reader, GAMES, "hello").as_bytes()
        await store_letter(Fetched("test", "INBOX", 1, number, raw), club.house)
    await take_waiting(club.house)


async def test_a_mail_that_nobody_sends_is_told(club: Club) -> None:
    await owe(club, ANN)
    later(club, minutes=14)
    assert await wrongs(club) == []
    later(club, minutes=2)
    assert await wrongs(club) == ["mails"]


async def test_a_relay_that_is_away_is_told_though_every_mail_has_been_put_off(
    club: Club,
) -> None:
    await owe(club, ANN)
    for minutes in (8, 8):
        later(club, minutes=minutes)
        await send(club, away)
    assert await wrongs(club) == ["mails"]
    later(club, minutes=2)
    await send(club, taken)
    assert await wrongs(club) == []


async def test_a_reader_whose_server_takes_nothing_is_no_fault_of_ours(club: Club) -> None:
    await owe(club, ANN)
    for _ in range(3):
        later(club, minutes=20)
        await send(club, full)
    assert await wrongs(club) == []


async def test_a_relay_that_takes_nothing_for_anybody_is_told(club: Club) -> None:
    await owe(club, ANN, BOB)
    later(club, minutes=3)
    await send(club, full)
    later(club, minutes=14)
    await send(club, full)
    assert await wrongs(club) == ["mails"]
    await owe(club, CLEO)
    later(club, minutes=2)
    await send(club, lambda envelope: (taken if CLEO in envelope.rcpt_to else full)(envelope))
    assert await wrongs(club) == []


async def test_a_mail_that_waits_on_purpose_is_not_late(club: Club) -> None:
    await owe(club, ANN)
    await send(club, taken)
    wait = "UPDATE outbox SET state = 'held', next_at = '2099-01-01T00:00:00.000000Z'"
    await write(club, lambda conn: conn.execute(text(wait)))
    later(club, minutes=300)
    assert await wrongs(club) == []


async def test_a_cap_that_is_used_up_is_told(club: Club) -> None:
    smtp = Smtp(connections=1, max_mails_per_hour=2)
    settings = club.house.settings.model_copy(update={"smtp": smtp})
    club.house = replace(club.house, settings=settings)
    later(club)
    await club.write(ANN, "hello")
    assert await wrongs(club) == []
    await club.write(BOB, "hello")
    assert await wrongs(club) == ["caps"]
    later(club, hours=1)
    assert await wrongs(club) == []


async def test_the_rules_that_most_matches_wait_for_are_told(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    for _ in range(2):
        await club.answer(ANN, f"new logger with {BOB}")
    rows = club.house.db.read(views.matches).result()
    told = []
    for row, ruleset in zip(rows, ("hexes-1", "tens-1", "tens-1"), strict=True):
        stands = still.Standing(row.id, ruleset, club.house.now(), f"no {ruleset}")
        await write(club, partial(still.stop, one=stands))
        told += [one.words for one in checks(await facts(club)) if one.name == "games"]
    assert told == [
        "1 match stands still; of hexes-1 1: no hexes-1",
        "2 matches stand still; of hexes-1 1: no hexes-1",
        "3 matches stand still; of tens-1 2: no tens-1",
    ]


# --- the disk, and the tables --------------------------------------------------------------------


async def test_a_disk_that_is_nearly_full_is_told(club: Club, disk: Callable[[int], None]) -> None:
    disk(50)
    assert await wrongs(club) == ["disk"]
    disk(51)
    assert await wrongs(club) == []


@pytest.mark.sqlite
async def test_tables_of_another_version_are_told_and_nothing_else_is_read(
    club: Club,
) -> None:
    await stored(club)
    later(club, minutes=20)
    await write(
        club, lambda conn: conn.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    )
    found = checks(look(club.house.settings, club.house.now()))
    assert [(check.name, check.well) for check in found] == [("schema", False), ("disk", True)]
    assert "pbem upgrade" in found[0].line


def test_a_database_elsewhere_has_no_disk_here() -> None:
    here = Facts(at=Clock()(), free=None)
    assert checks(here)[-1].well
    silent = checks(replace(here, unfit="it cannot be reached"))[-1]  # it may be on this machine
    assert (silent.name, silent.well, silent.words != checks(here)[-1].words) == (
        "disk",
        True,
        True,
    )
    assert not checks(replace(here, free=0.01))[-1].well


def test_every_mailbox_has_to_be_reached() -> None:
    good = MailboxSeen(account="a", ago=timedelta(0), reached=True)
    bad = MailboxSeen(account="b", ago=timedelta(hours=1), reached=False)
    for both in ((good, bad), (bad, good)):
        [check] = (c for c in checks(Facts(at=Clock()(), mailboxes=both)) if c.name == "mailbox")
        assert not check.well
        assert "mailbox b was" in check.words


def test_a_sign_that_is_damaged_is_no_fault_of_the_service() -> None:
    assert health._seconds("?") == 0.0


# --- times that lie ahead: our own clock was, and has gone back -----------------------------------

MONTH = timedelta(days=40)


async def test_a_service_that_was_heard_of_ahead_was_never_heard_of(club: Club) -> None:
    await write(club, partial(note_signs, name="writer", took=0.1, now=club.house.now() + MONTH))
    assert await wrongs(club) == ["writer"]
    later(club)
    assert await wrongs(club) == []


async def test_a_mailbox_that_was_reached_ahead_is_not_reached(club: Club) -> None:
    ahead = partial(
        runner_state.note, runner="receiving games", now=club.house.now() + MONTH, what=REACHED
    )
    await write(club, ahead)
    await write(
        club,
        lambda conn: runner_state.leave_sign(
            conn, "mailbox games", club.house.now() + MONTH, REACHED
        ),
    )
    assert not (await facts(club)).hears
    assert await wrongs(club) == ["mailbox"]
    await receiving(club, REACHED)
    assert await wrongs(club) == []
    later(club, minutes=11)
    assert await wrongs(club) == ["mailbox"]


async def test_what_a_relay_took_ahead_says_nothing_of_now(club: Club) -> None:
    await owe(club, CLEO)
    await send(club, taken)
    await write(
        club,
        lambda conn: conn.execute(
            text("UPDATE outbox SET sent_at = '2099-01-01T00:00:00.000000Z' WHERE state = 'sent'")
        ),
    )
    await owe(club, ANN, BOB)
    for _ in range(2):
        later(club, minutes=9)
        await send(club, full)
    assert await wrongs(club) == ["mails"]


@pytest.mark.parametrize("state", ["wrong", "telling wrong", "well"])
def test_an_alarm_that_was_told_ahead_is_told_again(state: str) -> None:
    now, again = Clock()(), timedelta(hours=24)
    told = Told(state, now + MONTH)
    assert not told.settles("wrong", now, again)


@pytest.mark.parametrize(
    ("then", "lies", "recent"),
    [
        (0, False, True),
        (59, False, True),
        (61, True, False),
        (-59, False, True),
        (-61, False, False),
    ],
)
def test_what_lies_ahead_was_never(then: int, *, lies: bool, recent: bool) -> None:
    now = Clock()()
    at = now + timedelta(seconds=then)
    assert lies_ahead(at, now) == lies
    assert is_recent(at, now, timedelta(minutes=1)) == recent


@pytest.mark.sqlite
def test_what_the_disk_has_no_more_is_told_though_it_is_in_memory(club: Club) -> None:
    house = club.house
    assert look(house.settings, house.now(), house.db).unfit == ""
    file = Path(str(house.settings.store.database))
    house.db.empty_journal()
    whole = file.read_bytes()
    file.write_bytes(b"x" * 100 + whole[100:])
    assert "is no database" in look(house.settings, house.now(), house.db).unfit
    file.write_bytes(whole)
    assert look(house.settings, house.now(), house.db).unfit == ""


@pytest.mark.sqlite
@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
async def test_a_file_that_cannot_be_written_is_named(
    club: Club, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    file = f"{club.house.settings.store.database}{end}"
    monkeypatch.setattr(os, "access", lambda path, _: str(path) != file)
    [check] = wrong(checks(look(club.house.settings, club.house.now(), club.house.db)))
    assert check.name == "writer"
    assert f"{file} belongs to another user" in check.line
