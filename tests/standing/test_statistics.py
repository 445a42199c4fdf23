"""What has come of the matches of a game: counted as they end, and the same in a dataset."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.cli import dataset
from pbem.games import GAMES
from pbem.matches.match import Match
from pbem.standing.statistics import First, Statistics, alone, statistics
from pbem.store import views
from pbem.store.standings import Alike
from pbem.transaction.installation import load_match
from pbem.transaction.statistics import PlayedHere, played_here, statistics_of
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.kept import kept

KNOWN = {"title": "Club", "licence": "CC0", "made": "2026-11-21", "format": "1", "pbem": "1"}

BY_SEAT = """
select seat, sum(place = 1 and match in (
    select match from seats where place = 1 group by match having count(*) = 1))
from seats join matches using (match)
where ruleset = ? and seat_count = ? and lesson = 0 and termination <> 'voided'
group by seat order by seat
"""
LENGTHS = """
select ply_count from matches
where ruleset = ? and seat_count = ? and lesson = 0 and termination <> 'voided' order by 1
"""
FIRSTS = """
with opening as (
    select plies.match, seat, text, row_number() over (partition by plies.match order by number)
    as nth from plies join matches using (match) where kind = 'move'
    and ruleset = ? and seat_count = ? and lesson = 0 and termination <> 'voided')
select text, count(*), sum(place = 1 and (
    select count(*) from seats where seats.match = opening.match and place = 1) = 1)
from opening join seats using (match, seat) where nth = 1 group by text order by 2 desc, 1 limit 5
"""


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def played(club: Club, terms: str, *moves: str, leaves: int = 1) -> None:
    """A match of Ann and Bob with these moves, which one of them then resigns."""
    people = (ANN, BOB)
    await club.write(ANN, f"new logger with {BOB} seat_order=given {terms}")
    await club.answer(ANN, "yes")
    name = club.last(ANN).subject.partition("]")[0].split()[-1]
    await club.answer(BOB, "accept")
    for number, move in enumerate(moves):
        await club.answer(people[number % 2], f"{name} {move}")
    await club.insist(people[leaves], f"{name} resign")


@kept
async def matches(club: Club) -> None:
    """Four that are counted, one that is private, one that teaches, and one that runs."""
    for person in (ANN, BOB):
        await club.write(person, "games")
        await club.answer(person, "yes")
    await played(club, "", "e1", "a5")
    await played(club, "", "e1", leaves=0)
    await played(club, "", "a1", "e5", "a1 stay pass")
    await played(club, "")
    await played(club, "private", "e1")
    await club.answer(BOB, "learn logger")
    await club.insist(BOB, "resign")
    await club.answer(ANN, f"new logger with {BOB}")
    await club.answer(BOB, "accept")


async def counted(club: Club) -> tuple[Statistics, ...]:
    found = await club.read(lambda conn: statistics_of(conn, GAMES["logger-1"]))
    assert isinstance(found, tuple)
    return found


async def test_public_matches_are_counted_as_they_end(club: Club) -> None:
    assert await counted(club) == ()
    await matches(club)
    (one,) = await counted(club)
    assert (one.game, one.seats, one.matches, one.won, one.shared) == ("logger", 2, 4, (3, 1), 0)
    assert one.lengths[0] == 0
    assert one.firsts == (First("place e1", 2, 1), First("place a1", 1, 1))


async def test_a_dataset_gives_the_same_figures(club: Club, tmp_path: Path) -> None:
    await matches(club)
    folder = tmp_path / "data"
    await asyncio.to_thread(dataset.write, club.house.db, folder, KNOWN, bytes(32))
    (one,) = await counted(club)
    with closing(sqlite3.connect(folder / dataset.TABLES)) as tables:
        by_seat, lengths, firsts = (
            tables.execute(text, ("logger-1", 2)).fetchall() for text in (BY_SEAT, LENGTHS, FIRSTS)
        )
    assert tuple(won for _, won in by_seat) == one.won
    assert one.matches == len(lengths)
    assert one.lengths == tuple(lengths[(one.matches * n + 3) // 4 - 1][0] for n in (1, 2, 3))
    assert one.firsts == tuple(First(*row) for row in firsts)


HERE = """
select text, count(*), sum(place = 1 and (
    select count(*) from seats where seats.match = plies.match and place = 1) = 1)
from plies join seats using (match, seat) join matches using (match)
where kind = 'move' and position = ? and ruleset = ? and lesson = 0 and termination <> 'voided'
group by text order by 2 desc, 1 limit 5
"""


async def test_what_others_played_is_told_where_enough_have_come(
    club: Club, tmp_path: Path
) -> None:
    await matches(club)
    for moves in (("e1", "a5"), ("e1",), ("e1", "a4")):
        await played(club, "", *moves)
    start = GAMES["logger-1"].initial(2, GAMES["logger-1"].normal_options({}))
    running = await one_of(club, "running", 0)
    found = await club.read(lambda conn: played_here(conn, running, start))
    folder = tmp_path / "data"
    await asyncio.to_thread(dataset.write, club.house.db, folder, KNOWN, bytes(32))
    with closing(sqlite3.connect(folder / dataset.TABLES)) as tables:
        position = GAMES["logger-1"].dump(start)
        rows = tables.execute(HERE, (position, "logger-1")).fetchall()
    assert found == PlayedHere(6, tuple(First(*row) for row in rows))
    assert [one.text for one in found.moves] == ["place e1", "place a1"]
    after = GAMES["logger-1"].play(start, GAMES["logger-1"].read("place e1", start))
    assert await club.read(lambda conn: played_here(conn, running, after)) is None
    ended = await one_of(club, "ended", 2)  # what it played itself is not what others did
    assert await club.read(lambda conn: played_here(conn, ended, start)) == PlayedHere(
        5, (First("place e1", 4, 3), First("place a1", 1, 1))
    )


async def one_of(club: Club, status: str, plies: int) -> Match:
    """A match that everybody may see, with so many plies."""

    def find(conn: Connection) -> Match:
        found = (load_match(conn, name).match for name in views.match_ids(conn, (status,)))
        return next(one for one in found if one.is_public and one.course.ply == plies)

    found = await club.read(find)
    assert isinstance(found, Match)
    return found


async def test_it_is_told_by_mail(club: Club) -> None:
    await matches(club)
    await club.answer(BOB, "stats logger")
    told = club.last(BOB).text
    assert "What came of 4 matches that everybody could see" in told
    assert [line.split() for line in told.splitlines() if "seat" in line and "%" in line] == [
        ["seat", "1", "won", "3", "75", "%"],
        ["seat", "2", "won", "1", "25", "%"],
    ]
    await club.answer(BOB, "stats landrush")
    assert "No match of Landrush that everybody could see" in club.last(BOB).text
    await club.answer(BOB, "stats")
    assert "What came of 4 matches" in club.last(BOB).text


def test_quarters_and_shares_are_of_all_matches_of_so_many_seats() -> None:
    kinds = [
        Alike(1, "a", (1, 2), 3),
        Alike(1, "a", (2, 1), 4),
        Alike(2, "b", (2, 1), 1),
        Alike(1, "b", (1, 1), 2),
        Alike(0, "", (1, 2, 2), 1),
    ]
    lengths = {2: {40: 2, 10: 3, 20: 4, 30: 1}, 3: {9: 1}}
    two, three = statistics("logger", kinds, lengths)
    assert two == Statistics(
        game="logger",
        seats=2,
        matches=10,
        won=(3, 5),
        shared=2,
        lengths=(10, 20, 30),
        firsts=(First("a", 7, 3), First("b", 3, 1)),
    )
    assert (three.matches, three.won, three.lengths, three.firsts) == (1, (1, 0, 0), (9, 9, 9), ())
    assert [alone(places) for places in ((1, 2), (2, 1), (1, 1), (1, 1, 3))] == [1, 2, 0, 0]
