"""`pbem check` finds a tournament that would stand still, and lists that show another one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.cli.findings import found
from pbem.tournaments import decide
from tests.clubs.club import Club, open_club
from tests.clubs.kept import kept
from tests.tournaments.service.club import NAME, PEOPLE, decided, decides, join, opens, running


@pytest.fixture
async def begun(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await beginning(one)
    yield one
    one.house.db.close()


@kept
async def beginning(one: Club) -> None:
    """A season has begun, and none of its tables."""
    await join(one, *PEOPLE[:4])
    opens(one, at_once=2)
    for who in PEOPLE[:4]:
        await one.answer(who, f"enter {NAME}")
    decides(one, decide.begin)


@pytest.fixture
async def club(begun: Club) -> Club:
    """A match of it is over, and the tournament has not been told yet."""
    await begun.work()
    decided(begun, running(begun)[0].id, 1, 2)
    return begun


def told(club: Club) -> list[str]:
    return club.house.db.read(lambda conn: list(found(conn))).result()


def does(club: Club, statement: str) -> None:
    club.house.db.write(lambda conn: conn.exec_driver_sql(statement)).result()


def test_nothing_is_wrong_with_what_grew(club: Club) -> None:
    assert told(club) == []


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE tournament SET status = 'open'", "is listed with another status"),
        ("UPDATE tournament SET season = 0", "is listed with another season"),
        ("UPDATE tournament SET due_at = NULL", "is listed with another due_at"),
        ("UPDATE tournament_player SET playing = 0", "is listed otherwise than the log has it"),
        ("DELETE FROM tournament_player", "is listed otherwise than the log has it"),
        ("DELETE FROM timer WHERE kind = 'season'", "acts at 2027-"),
        ("DELETE FROM timer WHERE kind = 'table'", "ended waits without a timer"),
    ],
)
def test_what_is_wrong_is_told(club: Club, statement: str, words: str) -> None:
    does(club, statement)
    assert any(words in one for one in told(club)), told(club)


async def test_tables_that_nobody_begins_are_told(begun: Club) -> None:
    assert told(begun) == []
    does(begun, "DELETE FROM timer WHERE kind = 'tables'")
    assert told(begun) == ["tournament spring has tables that wait without a timer"]
