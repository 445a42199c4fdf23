"""Open seats for who is reliable and about as good, and `any`: the next who looks for a match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.matches.match import Status
from pbem.names import MatchId, PlayerId
from pbem.store import ratings, views
from pbem.store.people import roster
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.hostile import registered
from tests.orders.test_open_seats import match_of, opened, said
from tests.store.ratings.league import end

OTHER = PlayerId("other")


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await registered(one)
    yield one
    one.house.db.close()


async def has_played(club: Club, address: str, *, won: bool, lost_on_time: int = 0) -> None:
    """Somebody has ended six matches of Logger, of which so many were lost on time."""

    def unit(conn: Connection) -> None:
        row = roster.player_by_address(conn, address)
        assert row is not None
        for number in range(6):
            late = (row.id,) if number < lost_on_time else ()
            places = (1, 2) if won and not late else (2, 1)
            at = club.house.now() - timedelta(days=200 - 30 * number)
            end(conn, f"{address[:3]}{number}", (row.id, OTHER), places, at, lost=late)
        ratings.follow(conn)

    await asyncio.wrap_future(club.house.db.write(unit))


async def test_a_seat_for_the_reliable_is_for_them_and_for_who_is_new(club: Club) -> None:
    name = await opened(club, "new logger open reliable 90")
    assert (await match_of(club, name)).terms.asks == {"reliable": 90}
    await has_played(club, BOB, won=True, lost_on_time=2)
    await club.answer(BOB, f"join {name}")
    assert "you are at 66 %" in said(club, BOB)
    await club.answer(BOB, "open")
    assert name not in said(club, BOB)
    await club.answer(CLEO, "open")
    assert "Open seats are for who is at least 90 % reliable, or new." in said(club, CLEO)
    await club.answer(CLEO, f"join {name}")
    assert (await match_of(club, name)).status is Status.RUNNING


@pytest.mark.parametrize(("won", "joins"), [(True, False), (False, True)])
async def test_a_seat_for_a_rating_is_for_who_has_it(club: Club, *, won: bool, joins: bool) -> None:
    name = await opened(club, "new logger open rating 900-1500")
    await has_played(club, BOB, won=won)
    await club.answer(BOB, f"join {name}")
    assert ((await match_of(club, name)).status is Status.RUNNING) is joins
    assert joins or "That seat is for players with a rating from 900 to 1500" in said(club, BOB)


@pytest.mark.parametrize("typed", ["reliable=0", "reliable=101", "rating=1700-1400", "rating=good"])
async def test_what_cannot_be_asked_is_refused_with_an_example(club: Club, typed: str) -> None:
    await club.answer(ANN, f"new logger open {typed}")
    assert "It may be: " in said(club, ANN)


async def test_any_meets_the_next_who_looks_for_a_match(club: Club) -> None:
    name = await opened(club, "new logger any")
    await club.answer(BOB, "new landrush any")
    assert (await match_of(club, name)).status is Status.CHALLENGE
    await club.answer(CLEO, "new logger any")
    match = await match_of(club, name)
    assert match.status is Status.RUNNING
    assert len(match.table.players) == 2


async def test_who_is_named_is_invited_whatever_stands_beside(club: Club) -> None:
    waits = await opened(club, "new logger open")
    await club.answer(BOB, f"new logger with {CLEO} any")
    assert (await match_of(club, waits)).status is Status.CHALLENGE


async def test_any_takes_no_seat_that_is_not_as_usual(club: Club) -> None:
    taken: list[MatchId] = [
        await opened(club, f"new logger open {terms}")
        for terms in ("unrated", "private", "tree_limit=20", "time=fast", "4")
    ]
    await club.answer(BOB, "new logger any")
    for name in taken:
        assert (await match_of(club, name)).status is Status.CHALLENGE
    rows = await club.read(lambda conn: views.open_matches(conn, 9))
    assert len(list(rows)) == len(taken) + 1  # type: ignore[call-overload]
