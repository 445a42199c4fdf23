"""What mails of matches and digests tell of tournaments."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.matches.match import Match
from pbem.tournaments import decide
from tests.clubs.club import Club, open_club
from tests.tournaments.service.club import (
    NAME,
    PEOPLE,
    decided,
    decides,
    join,
    match_of,
    opens,
    player,
    running,
    state,
    voided,
)

ANN, BOB, CLEO, DAN, EVE, FAY = PEOPLE


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def begins(club: Club, kind: str, *people: str, **terms: object) -> None:
    await join(club, *people)
    opens(club, kind=kind, **terms)
    for one in people:
        await club.answer(one, f"enter {NAME}")
    decides(club, decide.begin)
    await club.work()


def between(club: Club, one: str, other: str) -> Match:
    """The match that these two play."""
    pair = {player(club, one), player(club, other)}
    return next(match for match in running(club) if {*match.table.players} == pair)


async def wins(club: Club, winner: str, loser: str) -> Match:
    """One of two wins their match, by the operator's word."""
    match = between(club, winner, loser)
    first = match.table.players[0] == player(club, winner)
    decided(club, match.id, *((1, 2) if first else (2, 1)))
    await club.work()
    return match


async def moves_to(club: Club, reader: str, other: str) -> None:
    """It is the reader's turn in their match against somebody, and they are to be told so."""
    match = between(club, reader, other)
    if match.player_at(match.to_act[0]) != player(club, reader):
        await club.answer(other, f"{match.id} e1")
        await club.wait(minutes=10)


def told(club: Club, address: str, match: Match, what: str) -> str:
    """The text of the newest mail of a match to somebody that says so, in one line."""
    mails = [mail.text for mail in club.mails(address) if match.id in mail.subject]
    return " ".join([text for text in mails if what in text][-1].split())


async def test_a_league_is_named_where_its_matches_begin_go_on_and_end(club: Club) -> None:
    await begins(club, "league", ANN, BOB, CLEO, DAN)
    first, second = between(club, ANN, BOB), between(club, ANN, CLEO)
    assert "A match of spring, season 1." in told(club, ANN, first, "Begun")
    mover = next(one for one in (ANN, BOB) if player(club, one) == first.table.players[0])
    other = BOB if mover == ANN else ANN
    await club.answer(mover, f"{first.id} e1")
    await club.wait(minutes=10)
    prompt = told(club, other, first, "Your turn")
    assert "A match of spring. Fair play:" in prompt
    await club.answer(ANN, "games")
    assert "A match of spring." in club.last(ANN).text
    await wins(club, ANN, BOB)
    assert "spring, season 1: you are on place 1 of 4, with 1 point." in told(
        club, ANN, first, "Over"
    )
    decided(club, second.id, 1, 1)
    await club.work()
    assert "you are on place 1 of 4, with 1½ points." in told(club, ANN, second, "Over")
    assert "spring, season 1: you are on place 2 of 4, with ½ points." in told(
        club, CLEO, second, "Over"
    )
    third = between(club, BOB, DAN)
    voided(club, third.id)
    await club.work()
    assert "In spring this match counts for nobody." in told(club, BOB, third, "Over")


async def test_the_end_of_a_match_tells_what_its_tournament_will_say(club: Club) -> None:
    """Whichever of the two is written first, the mail or the result."""
    await begins(club, "cup", ANN, BOB, CLEO, DAN)
    before = state(club)
    match = between(club, ANN, DAN)
    decided(club, match.id, 1, 1)
    assert state(club).version == before.version
    await club.work()
    assert "spring, season 1: you two play once more, in a new match." in told(
        club, ANN, match, "Over"
    )


async def test_a_cup_tells_who_goes_on(club: Club) -> None:
    await begins(club, "cup", ANN, BOB, CLEO, DAN, EVE)
    assert "A match of spring, season 1, round 1 of 3: whoever wins goes on." in told(
        club, DAN, between(club, DAN, EVE), "Begun"
    )
    match = await wins(club, DAN, EVE)
    assert "spring, season 1: you are in round 2 of 3." in told(club, DAN, match, "Over")
    assert "spring, season 1: you are out." in told(club, EVE, match, "Over")
    first, second = between(club, BOB, CLEO), await wins(club, ANN, DAN)
    assert "spring, season 1: you are in the final." in told(club, ANN, second, "Over")
    await wins(club, BOB, CLEO)
    assert first.id not in {one.id for one in running(club)}
    last = between(club, ANN, BOB)
    assert "The final of spring, season 1." in told(club, BOB, last, "Begun")
    await wins(club, BOB, ANN)
    assert "You have won season 1 of spring!" in told(club, BOB, last, "Over")
    assert "spring, season 1: you are second." in told(club, ANN, last, "Over")
    assert match_of(club, last.id).course.outcome is not None


async def test_a_ladder_tells_what_a_win_brings(club: Club) -> None:
    await begins(club, "ladder", ANN, BOB, CLEO, DAN)
    match = between(club, ANN, BOB)
    assert (
        "A match of spring: you are on place 2, Ann on place 1. If you win, you go up to place 1; "
        "else you stay where you are." in told(club, BOB, match, "Begun")
    )
    assert "If Bob wins, Bob goes up to place 1." in told(club, ANN, match, "Begun")
    await wins(club, BOB, ANN)
    assert "spring: you go up to place 1 of 4." in told(club, BOB, match, "Over")
    assert "spring: you are on place 2 of 4." in told(club, ANN, match, "Over")


async def test_a_digest_tells_how_seasons_stand(club: Club) -> None:
    """As long as something happens in them, and to who wants mails of tournaments."""
    await join(club, ANN, BOB)
    for one in (ANN, BOB):
        await club.answer(one, "digest 18:00")
    await begins(club, "league", ANN, BOB, CLEO, DAN)
    await club.wait(hours=7)
    digest = " ".join(club.last(ANN).text.split())
    assert "Season 1 of spring (Logger) begins." in digest
    assert "Your tournaments:" not in digest
    await club.wait(hours=17)
    await wins(club, BOB, CLEO)
    await moves_to(club, ANN, DAN)
    await moves_to(club, BOB, DAN)
    await club.answer(BOB, "stop tournaments")
    await club.wait(hours=7)
    digest = " ".join(club.last(ANN).text.split())
    assert digest.startswith("Digest:")
    assert "spring, season 1: Bob leads with 1 point; you are on place 2 of 4, with 0." in digest
    assert "Your tournaments:" not in club.last(BOB).text


async def test_a_digest_tells_of_a_ladder(club: Club) -> None:
    await join(club, ANN)
    await club.answer(ANN, "digest 18:00")
    await begins(club, "ladder", ANN, BOB, CLEO, DAN)
    await club.wait(hours=24)
    await wins(club, BOB, ANN)
    await wins(club, CLEO, DAN)
    await moves_to(club, ANN, DAN)
    await club.wait(hours=7)
    digest = " ".join(club.last(ANN).text.split())
    assert "spring: Bob stands first; you are on place 2 of 4." in digest


async def test_who_is_taken_out_hears_of_it_and_a_season_is_put_off(club: Club) -> None:
    await begins(club, "league", ANN, BOB, CLEO, DAN)
    decides(club, decide.withdraw, player(club, ANN), why="operator")
    await club.work()
    text = " ".join(club.last(ANN).text.split())
    assert text.startswith("Taken out of spring by the operator.")
    assert "3 matches of yours go on, and count in the standings." in text
    decides(club, decide.stop, author="otto", reason="0" * 64)
    decides(club, decide.plan, begins=club.house.now())
    await club.work()
    text = " ".join(club.last(BOB).text.split())
    assert text.startswith("Put off: season 2 of spring begins on")
    assert "3 players have entered, and it needs 4." in text


async def test_a_cup_tells_what_is_decided_without_a_match(club: Club) -> None:
    await begins(club, "cup", ANN, BOB, CLEO, DAN, EVE, FAY, days=3)
    assert "You are seed 1 of 6, and go on to round 2 without a match." in " ".join(
        next(mail.text for mail in club.mails(ANN) if "season 1" in mail.subject).split()
    )
    await wins(club, CLEO, FAY)
    await club.answer(CLEO, "withdraw spring")
    text = " ".join(club.last(FAY).text.split())
    assert text.startswith("You go on to round 2 of 3 of spring without a match.")
    assert "Cleo has left the tournament." in text
    await club.wait(days=4)
    on, out = (
        next(" ".join(mail.text.split()) for mail in club.mails(one) if what in mail.subject)
        for one, what in ((DAN, "you go on"), (EVE, "you are out"))
    )
    assert "Your match against Eve was not over in its time, so the higher seed is through." in on
    assert out.startswith("You are out of spring after round 1.")
