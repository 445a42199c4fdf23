"""Open seats by mail: offered, listed, taken, left, and closed when nobody comes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId
from pbem.legacy.transaction.installation import find_match, verified
from tests.legacy.clubs.club import ANN, BOB, CLEO, Clock, Club, open_club
from tests.legacy.clubs.hostile import registered
from tests.legacy.clubs.kept import kept


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await registered(one)
    yield one
    one.house.db.close()


def said(club: Club, reader: str) -> str:
    """The newest mail to somebody, in one line."""
    return " ".join(club.last(reader).text.split())


@kept
async def opened(club: Club, order: str) -> MatchId:
    """The match in which Ann offers a seat."""
    if club.mails(ANN):
        await club.answer(ANN, order)
    else:
        await club.write(ANN, order)
        await club.answer(ANN, "yes")
    found = re.search(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b", club.last(ANN).text)
    assert found is not None, club.last(ANN).text
    return MatchId(found[0])


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


async def test_a_seat_is_offered_listed_and_taken(club: Club) -> None:
    name = await opened(club, "new logger open tree_limit=20")
    assert f"Logger {name} waits for somebody to join." in said(club, ANN)
    assert f'1 seat is open: whoever writes "join {name}" first has it.' in said(club, ANN)
    await club.answer(BOB, "open")
    assert f'1 match has an open seat; take it with "join {name}".' in said(club, BOB)
    assert f"Logger {name}: Ann, and 1 open seat, since Saturday 21 November." in said(club, BOB)
    assert "tree_limit=20" in said(club, BOB)
    await club.answer(BOB, f"join {name}")
    match = await match_of(club, name)
    assert match.status is Status.RUNNING
    assert "Begun:" in said(club, ANN)
    assert "Begun:" in said(club, BOB)
    await club.answer(CLEO, "open")
    assert "No seat is open at the moment." in said(club, CLEO)
    found: Any = await club.read(lambda conn: verified(conn, name))
    assert found[0].findings == ()


async def test_the_first_who_joins_has_the_seat_and_the_next_is_told(club: Club) -> None:
    name = await opened(club, "new logger open")
    await club.answer(BOB, f"join {name.lower()}")
    await club.answer(CLEO, f"{name} join")
    assert f"No seat is open in {name} any more." in said(club, CLEO)
    assert len((await match_of(club, name)).table.players) == 2


async def test_invited_and_open_seats_go_together(club: Club) -> None:
    name = await opened(club, f"new logger with {BOB} open 3 private")
    assert "The match is private: nobody else can watch it." in said(club, BOB)
    assert "went out to Bob." in said(club, ANN)
    assert "1 more seat is open to anybody." in said(club, BOB)
    await club.answer(CLEO, f'join {name} "tall trees"')
    assert f"You have a seat in Logger {name}; the match begins when" in said(club, CLEO)
    assert (await match_of(club, name)).chance.commitment in said(club, CLEO)
    assert 'Leave: "decline"' in said(club, CLEO)
    assert f"Cleo took an open seat in Logger {name}. " in said(club, ANN)
    await club.answer(BOB, "accept")
    match = await match_of(club, name)
    assert match.status is Status.RUNNING
    assert [
        words for player, words, _ in match.table.accepted if player == match.table.entrants[2]
    ] == ["tall trees"]
    await club.answer(CLEO, "board")
    assert f"Logger {name} as it is now." in said(club, CLEO)


async def test_who_joined_may_leave_before_the_start_and_come_back(club: Club) -> None:
    name = await opened(club, "new logger open 3")
    await club.answer(CLEO, f"join {name}")
    await club.answer(CLEO, f"{name} leave")
    assert "You have left, and your seat is open again." in said(club, CLEO)
    assert f"Cleo left Logger {name} before the start" in said(club, ANN)
    await club.answer(CLEO, f"join {name}")
    assert "You have a seat" in said(club, CLEO)
    await club.answer(ANN, "decline")
    assert f"Ann took the invitation to Logger {name} back." in said(club, CLEO)


async def test_who_is_blocked_neither_sees_the_seat_nor_gets_it(club: Club) -> None:
    name = await opened(club, "new logger open")
    await club.answer(ANN, "block Cleo")
    await club.answer(CLEO, "open")
    assert "No seat is open at the moment." in said(club, CLEO)
    await club.answer(CLEO, f"join {name}")
    refusal = said(club, CLEO)
    assert f"No seat is open in {name} any more." in refusal
    await club.answer(CLEO, "join X9X9X")
    assert (
        said(club, CLEO).partition("You wrote")[2].replace("X9X9X", name)
        == (refusal.partition("You wrote")[2])
    )


@pytest.mark.parametrize("order", ["new logger open", f"new logger with {BOB}"])
async def test_what_nobody_takes_is_closed_after_a_month_and_told(club: Club, order: str) -> None:
    name = await opened(club, order)
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(days=29)
    await club.work()
    assert (await match_of(club, name)).status is Status.CHALLENGE
    club.clock.time += timedelta(days=1, minutes=1)
    await club.work()
    assert (await match_of(club, name)).status is Status.OFF
    told = f"Not begun: Logger {name} has waited too long for players."
    assert told in said(club, ANN)
    assert (told in said(club, BOB)) == (BOB in order)
    await club.answer(CLEO, f"join {name}")
    assert "No seat is open" in said(club, CLEO)


async def test_a_match_that_began_is_not_closed(club: Club) -> None:
    name = await opened(club, "new logger open")
    await club.answer(BOB, f"join {name}")
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(days=31)
    await club.work()
    assert (await match_of(club, name)).status is Status.RUNNING


# --- how many matches ----------------------------------------------------------------------------


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[Club]:
    """A club in which newcomers may play one match."""
    one = open_club(tmp_path, matches_at_first=1, matches_at_most=2)
    await registered(one)
    yield one
    one.house.db.close()


async def test_a_newcomer_plays_few_matches_and_more_when_one_is_finished(small: Club) -> None:
    club = small
    first = await opened(club, "new logger open")
    await club.answer(ANN, "new logger open")
    assert "as many as you may have at once for now" in said(club, ANN)
    await club.answer(BOB, f"join {first}")
    await club.answer(ANN, f"new logger with {CLEO}")
    assert "as many as you may have at once for now" in said(club, ANN)
    await club.answer(BOB, "resign yes")
    second = await opened(club, "new logger open")
    third = await opened(club, "new logger open")
    assert len({first, second, third}) == 3
    await club.answer(ANN, "new logger open")
    assert "and nobody may have more at once" in said(club, ANN)


async def test_matches_against_bots_alone_do_not_count_as_finished(small: Club) -> None:
    await small.answer(ANN, "new logger with bot")
    await small.answer(ANN, "resign yes")
    await small.answer(ANN, "new logger with bot")
    await small.answer(ANN, "new logger with bot")
    assert "as many as you may have at once for now" in said(small, ANN)


async def test_invitations_do_not_count_before_they_are_accepted(small: Club) -> None:
    await small.answer(ANN, f"new logger with {CLEO}")
    await small.answer(BOB, f"new logger with {CLEO}")
    await small.answer(CLEO, "accept")
    other = re.search(
        r"Ann invites you to Logger (\w{5})", " ".join(mail.text for mail in small.mails(CLEO))
    )
    assert other is not None
    await small.answer(CLEO, f"{other[1]} accept")
    assert "as many as you may have at once for now" in said(small, CLEO)
    await small.answer(CLEO, f"{other[1]} decline")
    assert (await match_of(small, MatchId(other[1]))).status is Status.OFF


async def test_nobody_joins_and_leaves_all_day(tmp_path: Path) -> None:
    club = open_club(tmp_path, invitations_per_day=2)
    for person in (ANN, BOB):
        await club.write(person, "help")
        await club.answer(person, "yes")
    name = await opened(club, "new logger open 3")
    for _ in range(2):
        await club.answer(BOB, f"join {name}\n\n{name} leave")
    await club.answer(BOB, f"join {name}")
    assert "You can take 2 open seats a day" in said(club, BOB)
    assert (await match_of(club, name)).table.open_seats == 2
    club.house.db.close()
