"""A letter above its writer's limit waits, is taken in its turn, and is told of once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import Connection

from pbem.orders.handlers.people import forget
from pbem.store.mails import inbox
from pbem.store.people import roster
from pbem.transaction.transaction import Transaction
from tests.clubs.club import ANN, BOB, Clock, Club, open_club
from tests.clubs.hostile import raw, to_of
from tests.transaction.test_standstills import a_match, begin

LIMIT = 4


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await begin(one, BOB)
    limits = one.house.settings.limits.model_copy(update={"letters_per_hour": LIMIT})
    settings = one.house.settings.model_copy(update={"limits": limits})
    object.__setattr__(one.house, "settings", settings)
    assert isinstance(one.clock, Clock)
    one.clock.time += timedelta(hours=2)
    yield one
    one.house.db.close()


async def states(club: Club) -> list[tuple[str, str | None]]:
    """What became of the letters, the oldest first."""
    lines = cast("list[inbox.InboxLine]", await club.read(partial(inbox.listed, limit=1000)))
    return [(line.state, line.code) for line in reversed(lines)]


async def write(club: Club, to: str, text: str) -> None:
    await club.post(raw(ANN, to, text))


async def test_letters_above_the_limit_wait_and_are_taken_in_their_order(club: Club) -> None:
    to, before = to_of(club.last(ANN)), await states(club)
    texts = [f"say Ordinal {number}." for number in range(LIMIT + 4)]
    for text in texts:
        await write(club, to, text)
    new = (await states(club))[len(before) :]
    assert new == [("done", None)] * LIMIT + [("waits", None)] * 4
    heard = [mail.text for mail in club.mails(BOB) if "Ordinal" in mail.text]
    assert len(heard) == LIMIT
    await club.wait(minutes=16)
    assert [state for state, _ in await states(club)].count("waits") == 3
    # What comes now stands behind those that wait, though there would be room for it.
    await club.wait(minutes=14)
    await write(club, to, "say Ordinal at last.")
    for _ in range(8):
        await club.wait(minutes=15)
        await club.work()
    assert set(await states(club)) == {("done", None)}
    said = [line for mail in club.mails(BOB) for line in mail.text.split() if line in ALL]
    assert list(dict.fromkeys(said)) == ALL


ALL = [f"{number}." for number in range(LIMIT + 4)]


async def test_the_writer_hears_once_of_all_that_wait(club: Club) -> None:
    to = to_of(club.last(ANN))
    before = len(club.mails(ANN))
    for number in range(LIMIT + 6):
        await write(club, to, f"say Ordinal {number}.")
    told = [mail for mail in club.mails(ANN)[before:] if "Your mail waits until" in mail.text]
    assert len(told) == 1
    assert f"{LIMIT} mails of yours in an hour" in " ".join(told[0].text.split())


async def test_a_move_that_had_to_wait_is_played(club: Club) -> None:
    to = to_of(club.last(ANN))
    for number in range(LIMIT):
        await write(club, to, f"board {number}")
    await write(club, to, "e1")
    assert (await a_match(club)).course.ply == 0
    await club.wait(minutes=20)
    assert (await a_match(club)).course.ply == 1


async def test_others_do_not_wait(club: Club) -> None:
    to = to_of(club.last(ANN))
    for number in range(LIMIT + 3):
        await write(club, to, f"say Ordinal {number}.")
    await club.post(raw(BOB, to_of(club.last(BOB)), "say Here I am."))
    assert "Here I am." in club.last(ANN).text


async def test_a_flood_waits_for_a_day_at_most_and_its_writer_hears_that_too(club: Club) -> None:
    to = to_of(club.last(ANN))
    before = len(club.mails(ANN))
    for number in range(26 * LIMIT):
        await write(club, to, f"board {number}")
    became = [state for state, _ in await states(club)]
    assert became.count("waits") == 24 * LIMIT
    assert (await states(club))[-1] == ("refused", "rate_limited")
    told = [mail.text for mail in club.mails(ANN)[before:]]
    assert sum("cannot even wait" in " ".join(text.split()) for text in told) == 1
    assert len(told) == LIMIT + 2


async def test_what_waits_of_somebody_who_is_forgotten_is_not_taken(club: Club) -> None:
    to = to_of(club.last(ANN))
    for number in range(LIMIT + 3):
        await write(club, to, f"say Ordinal {number}.")
    row = await club.read(lambda conn: roster.player_by_address(conn, ANN))

    def forgotten(conn: Connection) -> None:
        txn = Transaction(conn=conn, house=club.house, cause="test", now=club.clock())
        forget(txn, row.id, by="operator")  # type: ignore[attr-defined]
        txn.close()

    await asyncio.wrap_future(club.house.db.write(forgotten))
    await club.wait(hours=2)
    await club.work()
    assert "waits" not in [state for state, _ in await states(club)]


async def test_a_flood_is_worked_off_after_a_restart(club: Club) -> None:
    """What waits is in the tables alone: timers that are due late let go one each."""
    to = to_of(club.last(ANN))
    for number in range(LIMIT + 3):
        await write(club, to, f"say Ordinal {number}.")
    await club.wait(days=1)
    for _ in range(3):
        await club.wait(hours=1)
        await club.work()
    assert set(await states(club)) == {("done", None)}
