"""Ratings follow the log: in whatever portions, and made anew, they are the same."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Connection, func, select

from pbem.names import MatchId, PlayerId
from pbem.standing.book import Memory
from pbem.store import ratings, rebuilding, standings, tables
from pbem.store.database import Database
from pbem.store.prepared import MANY
from tests.store.ratings.league import DAY, MONDAY, Year, correct, end, rows

ANN, BOB, CLEO = map(PlayerId, ("ann", "bob", "cleo"))


def write(db: Database, unit: object) -> object:
    return db.write(unit).result()  # type: ignore[arg-type]


def play(db: Database, *, portions: tuple[int, ...], corrections: float = 0.0) -> None:
    """A year of 150 matches, followed after so many each, in turn."""
    year = Year(7)

    def unit(conn: Connection) -> None:
        waits = 0
        for number in range(150):
            year.play(conn, corrections)
            waits += 1
            if waits >= portions[number % len(portions)]:
                while not ratings.follow(conn, 3):
                    pass
                waits = 0
        while not ratings.follow(conn, 3):
            pass

    write(db, unit)


def built_anew(conn: Connection, memory: Memory | None, most: int = 7) -> None:
    ratings.rebuild(conn)
    while standings.next_build(conn) is not None:
        if memory is None:
            ratings.go_on(conn, most)
            continue
        portion = computed(conn, most, memory)
        for first in range(0, len(portion.rows), MANY):
            assert rebuilding.put(conn, portion, first, MANY)
        assert rebuilding.finish(conn, portion)


@pytest.mark.parametrize("corrections", [0.0, 0.1])
def test_ratings_are_the_same_however_they_came_to_be(db: Database, corrections: float) -> None:
    play(db, portions=(1, 4, 9), corrections=corrections)

    def unit(conn: Connection) -> None:
        found = rows(conn)
        assert ratings.unsound(conn) == 0
        assert len(found[0]) > 300
        assert {row[-4] for row in found[0]} >= {"", "wish", "often"}
        # Few rows at a time, and so many that PostgreSQL copies them.
        for memory, most in ((None, 7), (Memory(), 7), (Memory(), MANY)):
            built_anew(conn, memory, most)
            assert rows(conn) == found
            assert ratings.unsound(conn) == 0
        assert conn.execute(select(func.count()).select_from(tables.projection)).scalar() == 1

    write(db, unit)


def test_a_correction_counts_from_its_match_on(db: Database) -> None:
    def unit(conn: Connection) -> None:
        for number, places in enumerate(((1, 2), (1, 2), (2, 1))):
            end(conn, f"M{number}", (ANN, BOB), places, MONDAY + number * DAY)
        ratings.follow(conn)
        before = standings.standings_of(conn, ANN)["logger"]
        correct(conn, "M0", MONDAY + 3 * DAY)
        assert ratings.is_behind(conn)
        while not ratings.follow(conn, 1):
            pass
        after = standings.standings_of(conn, ANN)["logger"]
        assert (before.played, before.won, after.played, after.won) == (3, 2, 2, 1)
        assert after.rating.rating < before.rating.rating
        assert standings.change(conn, MatchId("M0"), "logger", ANN) == (None, None, "corrected")
        assert not ratings.is_behind(conn)

    write(db, unit)


def test_a_correction_that_comes_while_all_is_made_anew_is_not_lost(db: Database) -> None:
    def unit(conn: Connection) -> None:
        for number in range(6):
            end(conn, f"M{number}", (ANN, BOB), (1, 2), MONDAY + 40 * number * DAY)
        ratings.follow(conn)
        ratings.rebuild(conn)
        memory = Memory()
        portion = computed(conn, 2, memory)
        assert rebuilding.put(conn, portion, 0, MANY)
        assert rebuilding.finish(conn, portion)
        correct(conn, "M1", MONDAY + 300 * DAY)
        with pytest.raises(rebuilding.Overtaken):
            computed(conn, 2, memory)
        while not ratings.go_on(conn, 2):
            pass
        found = rows(conn)
        built_anew(conn, Memory())
        assert rows(conn) == found
        assert standings.standings_of(conn, ANN)["logger"].played == 5

    write(db, unit)


def test_what_happens_while_the_last_part_is_put_is_entered_too(db: Database) -> None:
    def unit(conn: Connection) -> None:
        for number in range(6):
            end(conn, f"M{number}", (ANN, BOB), (1, 2), MONDAY + 40 * number * DAY)
        ratings.follow(conn)
        ratings.rebuild(conn)
        portion = computed(conn, 50, Memory())
        assert rebuilding.put(conn, portion, 0, MANY)
        end(conn, "M6", (ANN, BOB), (2, 1), MONDAY + 290 * DAY)
        correct(conn, "M1", MONDAY + 300 * DAY)
        assert rebuilding.finish(conn, portion)
        assert standings.next_build(conn) is None
        found = standings.standings_of(conn, ANN)["logger"]
        assert (found.played, found.won) == (6, 5)
        assert ratings.unsound(conn) == 0

    write(db, unit)


def computed(conn: Connection, most: int, memory: Memory) -> rebuilding.Portion:
    build = next_of(conn)
    return rebuilding.compute(build, rebuilding.read(conn, build, most), memory)


def next_of(conn: Connection) -> ratings.Build:
    build = standings.next_build(conn)
    assert build is not None
    return build


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_whoever_goes_on_takes_away_what_is_ahead(db: Database, parts: int) -> None:
    play(db, portions=(5,))

    def unit(conn: Connection) -> None:
        found = rows(conn)
        ratings.rebuild(conn)
        memory = Memory()
        portion = computed(conn, 40, memory)
        assert rebuilding.put(conn, portion, 0, 200)
        assert rebuilding.finish(conn, portion)
        portion = computed(conn, 40, memory)
        for part in range(parts):
            assert rebuilding.put(conn, portion, 20 * part, 20)
        ratings.go_on(conn, 3)
        assert not rebuilding.put(conn, portion, 20 * parts, 20)
        assert not rebuilding.finish(conn, portion)
        while not ratings.go_on(conn, 50):
            pass
        assert rows(conn) == found
        assert ratings.unsound(conn) == 0

    write(db, unit)


def test_another_formula_is_made_beside_the_one_that_is_shown(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unit(conn: Connection) -> None:
        for number in range(3):
            end(conn, f"M{number}", (ANN, BOB), (1, 2), MONDAY + number * DAY)
        ratings.follow(conn)
        found = rows(conn)
        monkeypatch.setattr(ratings, "VERSION", 2)
        end(conn, "M3", (ANN, BOB), (1, 2), MONDAY + 3 * DAY)
        assert ratings.follow(conn)
        assert rows(conn) == found
        ratings.catch_up(conn)
        assert standings.standings_of(conn, ANN)["logger"].played == 3
        while ratings.is_behind(conn):
            ratings.catch_up(conn)
        assert standings.standings_of(conn, ANN)["logger"].played == 3  # the fourth is one too many
        assert len(standings.ended(conn, ANN)) == 4
        assert {row[0] for row in conn.execute(select(tables.rating.c.build))} == {2000}

    write(db, unit)


def test_what_two_play_too_often_is_not_rated(db: Database) -> None:
    def unit(conn: Connection) -> None:
        for number in range(5):
            end(conn, f"M{number}", (ANN, BOB), (1, 2), MONDAY + number * DAY)
        end(conn, "M5", (ANN, BOB), (1, 2), MONDAY + 4 * DAY, game="landrush")
        end(conn, "M6", (ANN, CLEO), (1, 2), MONDAY + 4 * DAY)
        end(conn, "M7", (ANN, BOB), (1, 2), MONDAY + 31 * DAY)
        ratings.follow(conn)
        said = {str(one.match): one.unrated for one in standings.ended(conn, ANN)}
        assert [said[f"M{number}"] for number in range(8)] == [
            "", "", "", "often", "often", "", "", "",
        ]  # fmt: skip
        assert standings.between(conn, ANN, BOB, "logger") == (6, 6, 0)

    write(db, unit)


def test_who_loses_much_on_time_at_once_loses_for_three(db: Database) -> None:
    def unit(conn: Connection) -> None:
        others = [PlayerId(f"other{number}") for number in range(5)]
        for number, other in enumerate(others):
            at = MONDAY + timedelta(hours=number)
            end(conn, f"M{number}", (other, ANN), (1, 2), at, lost=(ANN,))
        end(conn, "M5", (BOB, ANN), (1, 2), MONDAY + 8 * DAY, lost=(ANN,))
        ratings.follow(conn)
        assert [one.unrated for one in standings.ended(conn, ANN)] == [
            "",
            "late",
            "late",
            "",
            "",
            "",
        ]
        assert all(standings.standings_of(conn, other)["logger"].won == 1 for other in others)
        kept = standings.reliability(conn, [ANN, BOB], MONDAY + 9 * DAY)
        assert (kept[ANN].matches, kept[ANN].lost, kept[ANN].percent) == (6, 6, 0)
        assert kept[BOB].is_new

    write(db, unit)


def test_the_list_has_who_is_known_well_and_plays(db: Database) -> None:
    year = Year(3, players=5)

    def unit(conn: Connection) -> None:
        for player in year.players:
            conn.execute(
                tables.player.insert().values(
                    id=player, name=player, name_folded=player, generation=0, wishes="{}",
                    banned=False, created_at=MONDAY,
                )
            )  # fmt: skip
        for _ in range(120):
            year.play(conn)
        ratings.follow(conn, 1000)
        listed = standings.best(conn, "logger", year.at, 3)
        points = [one.standing.rating.rating for one in listed]
        assert len(points) == 3
        assert points == sorted(points, reverse=True)
        assert standings.rank(conn, "logger", listed[1].player, year.at) == 2
        conn.execute(tables.player.delete().where(tables.player.c.id == listed[0].player))
        left = standings.best(conn, "logger", year.at, 3)
        assert [one.player for one in left][:2] == [one.player for one in listed[1:]]
        assert standings.best(conn, "logger", year.at + 200 * DAY, 3) == []
        assert standings.rank(conn, "logger", listed[1].player, year.at + 200 * DAY) is None

    write(db, unit)


def test_rows_that_the_log_does_not_give_are_found(db: Database) -> None:
    play(db, portions=(50,))

    def unit(conn: Connection) -> None:
        assert ratings.unsound(conn) == 0
        changed = tables.rating.update().where(tables.rating.c.player == "p03")
        conn.execute(changed.values(won=tables.rating.c.won + 1))
        gone = tables.result.delete().where(tables.result.c.match == "M77")
        conn.execute(gone)
        assert ratings.unsound(conn) > 0
        built_anew(conn, None)
        assert ratings.unsound(conn) == 0

    write(db, unit)
