"""Ratings and profiles by mail: what everybody may know, and what only its player."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.standing import book
from pbem.store import ratings
from pbem.store.people import roster
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.kept import kept
from tests.store.ratings.league import end


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def members(club: Club) -> None:
    """Ann and Bob have played a match that is over, and Cleo has come."""
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "e1")
    await club.answer(BOB, "a5")
    await club.insist(BOB, "resign")
    await club.write(CLEO, "games")
    await club.answer(CLEO, "yes")


async def listed(club: Club, *matches: tuple[str, ...], game: str = "logger") -> None:
    """These matches end, each with its players in the order of their places, at distant times."""

    def unit(conn: Connection) -> None:
        ids = {}
        for one in {one for match in matches for one in match}:
            row = roster.player_by_address(conn, one)
            assert row is not None
            ids[one] = row.id
        for number, people in enumerate(matches):
            at = club.house.now() - timedelta(days=11 * (len(matches) - number))
            places = range(1, len(people) + 1)
            end(conn, f"{game[1]}{number}", [ids[one] for one in people], places, at, game=game)
        ratings.follow(conn)

    await asyncio.wrap_future(club.house.db.write(unit))


async def test_a_list_has_places_and_marks_its_reader(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await members(club)
    await club.answer(ANN, "ratings logger")
    assert "Nobody has played enough rated matches of Logger" in club.last(ANN).text
    assert "and stand in no list" in club.last(ANN).text
    monkeypatch.setattr(book, "SURE", 330.0)
    await listed(club, (ANN, BOB), (ANN, BOB))
    await club.answer(BOB, "ratings logger")
    shown = club.last(BOB)
    rows = [line.split() for line in shown.text.splitlines() if line[:1].isdigit()]
    assert rows[0][:2] == ["1", "Ann"]
    assert rows[0][-2:] == ["3", "3"]
    assert rows[1][:3] == ["2", "Bob", "(you)"]
    assert rows[1][-2:] == ["3", "0"]
    assert int(rows[0][2]) > 1500 > int(rows[1][3])
    assert shown.html.count("<tr>") >= 3
    await club.answer(CLEO, "ratings")
    assert "You have no rating yet" in club.last(CLEO).text
    assert "Bob (you)" not in club.last(CLEO).text
    assert [
        line.split()[:2] for line in club.last(CLEO).text.splitlines() if line[:1].isdigit()
    ] == [
        ["1", "Ann"],
        ["2", "Bob"],
    ]


async def test_a_profile_is_what_is_public_and_all_of_it_to_its_player(club: Club) -> None:
    await members(club)
    await club.answer(ANN, f"new logger with {BOB} private seat_order=given")
    await club.answer(BOB, "accept")
    hidden = club.last(ANN).subject.partition("]")[0].split()[-1]
    await club.answer(ANN, f"{hidden} e1")
    await club.answer(BOB, f"{hidden} a5")
    await club.insist(BOB, f"{hidden} resign")
    await club.answer(CLEO, "profile Ann")
    public = club.last(CLEO).text
    assert "Ann has been here since 21 November 2026." in public
    assert "1. Ann, 2. Bob" in public
    assert "New: 2 matches ended" in public
    assert hidden not in public
    assert ANN not in public
    await club.answer(ANN, "profile")
    own = club.last(ANN).text
    assert hidden in own
    assert own.count("1. Ann, 2. Bob") == 2
    await club.answer(ANN, "profile ann")  # the same by one's own name
    assert hidden in club.last(ANN).text


@pytest.mark.parametrize("asked", ["Nobody", BOB, "Cleo", "Bob"])
async def test_nothing_tells_why_there_is_no_profile(club: Club, asked: str) -> None:
    await members(club)
    await club.answer(BOB, "profile off")
    await club.answer(ANN, f"profile {asked}")
    assert f'There is nobody called "{asked}" of whom I could show' in " ".join(
        club.last(ANN).text.split()
    )
    await club.answer(BOB, "profile")
    assert "You have been here since" in club.last(BOB).text


async def test_how_reliable_somebody_is(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await members(club)
    monkeypatch.setattr(book, "NEWCOMER", 1)
    await club.answer(CLEO, "profile Bob")
    told = " ".join(club.last(CLEO).text.split())
    assert "100 % of turns in time, 1 of 1 match ended without losing on time." in told


async def test_open_seats_say_how_reliable_whoever_offers_them_is(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await members(club)
    monkeypatch.setattr(book, "NEWCOMER", 2)
    await listed(club, (ANN, BOB), (BOB, CLEO))
    await club.write(ANN, "new logger open")
    await club.answer(ANN, "yes")
    await club.write(CLEO, "new landrush open 2")
    await club.answer(CLEO, "yes")
    await club.answer(BOB, "open")
    told = " ".join(club.last(BOB).text.split())
    assert "Ann is 100 % reliable. Rating: " in told
    assert "You two have played it 2 times: you won 0, Ann 2." in told
    assert "Cleo is new here. The match is" in told


async def test_a_list_in_german(club: Club) -> None:
    await members(club)
    await club.answer(ANN, "sprache deutsch")
    await club.answer(ANN, "wertungen logger")
    assert "und stehst in keiner Liste" in " ".join(club.last(ANN).text.split())
    await club.answer(ANN, "profil bob")
    assert "Bob ist seit" in club.last(ANN).text
    await club.answer(ANN, "profil aus")
    await club.answer(ANN, "profil")
    assert "Du bist seit" in club.last(ANN).text


async def test_help_says_what_is_fair(club: Club) -> None:
    await members(club)
    await club.answer(ANN, "help fair play")
    assert "no program that finds or judges moves" in " ".join(club.last(ANN).text.split())
    await club.answer(ANN, "sprache deutsch")
    await club.answer(ANN, "hilfe fair spielen")
    assert "kein Programm benutzen" in " ".join(club.last(ANN).text.split())
