"""A game of others is played by mail like ours, and what is wrong with it costs its own matches."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection

from pbem.foreign import child
from pbem.foreign.record import close_all, open_apart
from pbem.games import GAMES
from pbem.matches import operator_acts
from pbem.matches.match import Match, Status
from pbem.names import MatchId, is_bot
from pbem.runners.standing_still import look_after_games
from pbem.store import still, views
from pbem.transaction.installation import MatchCache, load_match
from pbem.transaction.transaction import Transaction
from tests.clubs.club import ANN, BOB, CLEO, Club
from tests.foreign.conftest import PACKAGE, forget


async def begin(
    club: Club, game: str = "tens", other: str = BOB, options: str = "seat_order=given"
) -> MatchId:
    """A match of Ann's and somebody else's; Ann moves first."""
    await club.write(ANN, f"new {game} with {other} {options}")
    if "yes" in club.last(ANN).text.partition("===")[0]:
        await club.answer(ANN, "yes")
    await club.answer(other, "yes")
    names = await club.read(lambda conn: views.match_ids(conn, ("running",)))
    assert isinstance(names, list)
    return MatchId(next(name for name in names if name in club.last(ANN).subject))


async def the_match(club: Club, name: MatchId) -> Match:
    found = await club.read(lambda conn: load_match(conn, name).match)
    assert isinstance(found, Match)
    return found


async def restart(club: Club) -> None:
    """The service begins anew, with nothing in memory."""
    close_all()
    GAMES.open_with(open_apart)
    club.house = replace(club.house, cache=MatchCache())
    await look_after_games(club.house, at_start=True)
    await club.work()


async def plays(club: Club, *moves: tuple[str, str]) -> None:
    for who, text in moves:
        await club.answer(who, text)


async def test_whom_the_rules_put_out_is_told_once_and_shown_no_clock(club: Club) -> None:
    await club.write(ANN, f"new tens with {BOB}, {CLEO} bust=on")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "yes")
    await club.answer(CLEO, "yes")
    await club.answer(ANN, "5")
    assert "Out of Tens" in club.last(ANN).text
    assert "Bob has" in club.last(ANN).text
    assert "You have" not in club.last(ANN).text
    told = len(club.mails(ANN))
    await plays(club, (BOB, "1"), (CLEO, "1"), (BOB, "1"))
    assert len(club.mails(ANN)) == told
    assert "Ann has" not in club.last(CLEO).text
    await club.answer(CLEO, "2")
    assert "Over: " in club.last(ANN).text


async def test_moves_are_offered_to_who_is_to_move(club: Club) -> None:
    """The board of Tens does not say by itself what can be done."""
    await begin(club)
    for player, offered in ((ANN, True), (BOB, False)):
        await club.answer(player, "board")
        assert ("For example" in club.last(player).text) == offered


async def test_nobody_waits_for_whom_the_rules_have_put_out(club: Club) -> None:
    """Who is out is asked nothing, told of no lateness, and no bot sits down there."""
    await club.write(ANN, f"new tens with {BOB}, {CLEO} bust=on")
    for player in (ANN, BOB, CLEO):
        await club.answer(player, "yes")
    names: Any = await club.read(lambda conn: views.match_ids(conn, ("running",)))
    await club.answer(ANN, "5")
    assert " / resign / " not in club.last(ANN).text
    told = len(club.mails(ANN))
    await club.answer(BOB, "pause 3 days")
    await club.answer(CLEO, "yes")
    assert (await the_match(club, names[0])).pending.paused is not None
    [paused] = club.mails(ANN)[told:]
    assert paused.headline.startswith("All clocks stand in Tens")
    for _ in range(6):
        await club.wait(days=5)
    assert 'reply with "claim"' in club.last(CLEO).text
    assert "claim" not in club.last(ANN).text
    await club.insist(ANN, "resign")
    await club.wait(days=2)
    match = await the_match(club, names[0])
    assert match.table.left == (1,)
    assert not any(map(is_bot, match.table.players))


async def test_a_match_is_played_to_its_end_and_rated(club: Club) -> None:
    name = await begin(club)
    await plays(club, (ANN, "2"), (BOB, "add 3"), (ANN, "3"), (BOB, "2"))
    match = await the_match(club, name)
    assert match.status is Status.ENDED
    assert match.course.outcome is not None
    assert match.course.outcome.placings == (2, 1)
    assert "The sum" in club.last(ANN).text or "Sum: 10" in club.last(ANN).text


async def test_what_is_no_move_is_refused_in_the_words_for_any_game(club: Club) -> None:
    name = await begin(club)
    await plays(club, (ANN, "3"), (BOB, "3"), (ANN, "3"))
    await club.answer(BOB, "move 9")
    assert "9" in club.last(BOB).text
    assert (await the_match(club, name)).course.ply == 3


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for rules that hang."""
    monkeypatch.setattr(child, "CALL_SECONDS", 0.3)


@pytest.mark.parametrize(
    "fault", ["parse hang", "parse die", "parse raise", "turn raise", "play die"]
)
@pytest.mark.usefixtures("hasty")
async def test_rules_that_fail_stop_their_matches_and_no_other(
    club: Club, fails: Callable[[str], None], fault: str
) -> None:
    ours = await begin(club, "logger", CLEO)
    theirs = await begin(club)
    before = await the_match(club, theirs)
    fails(fault)
    await club.answer(ANN, f"{theirs} add 5")
    assert (await the_match(club, theirs)).version == before.version
    assert "The rules of Tens cannot be used" in " ".join(club.last(ANN).text.split())
    await look_after_games(club.house)
    await club.work()
    assert club.last(BOB).subject == "Tens stands still"
    assert theirs in club.last(BOB).text
    assert [one.match for one in await stands(club)] == [theirs]
    assert not [mail for mail in club.mails(CLEO) if "stands still" in mail.subject]

    seats = (await the_match(club, ours)).to_act
    assert seats
    await club.wait(days=9)
    await look_after_games(club.house)
    assert [one.match for one in await stands(club)] == [theirs]

    fails("")
    await restart(club)
    assert await stands(club) == []
    assert club.last(BOB).subject == "Tens goes on"
    await club.wait(days=9)
    assert (await the_match(club, theirs)).status is Status.RUNNING, "its time was given back"
    await club.answer(ANN, f"{theirs} add 5")
    assert (await the_match(club, theirs)).course.ply == 1


async def stands(club: Club) -> list[still.Standing]:
    found = await club.read(still.standing)
    assert isinstance(found, list)
    return found


async def test_a_game_that_is_not_installed_any_more_stands_still_until_it_is_back(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = await begin(club)
    await club.answer(ANN, f"{theirs} add 5")
    with monkeypatch.context() as gone:
        gone.setattr(sys, "path", [one for one in sys.path if one != str(PACKAGE)])
        forget()
        await restart(club)
        assert "tens-1" not in GAMES
        assert [one.why for one in await stands(club)] == ["not installed"]
        assert club.last(BOB).subject == "Tens stands still"
        for order in (
            "games",
            f"{theirs} board",
            f"{theirs} time",
            "new tens",
            "games all",
            "rules",
        ):
            before = len(club.mails(ANN))
            await club.answer(ANN, order)
            assert len(club.mails(ANN)) == before + 1, order
        await club.answer(ANN, f"{theirs} 3")
        assert "The rules of Tens cannot be used" in " ".join(club.last(ANN).text.split())
        await club.wait(days=30)
        assert not [mail for mail in club.mails(BOB) if f"time in Tens {theirs}" in mail.text]
    forget()
    await restart(club)
    assert await stands(club) == []
    match = await the_match(club, theirs)
    assert (match.status, match.course.ply) == (Status.RUNNING, 1)
    await club.answer(BOB, f"{theirs} add 5")
    assert (await the_match(club, theirs)).status is Status.ENDED


async def test_a_match_whose_game_never_comes_back_can_be_voided(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = await begin(club)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one != str(PACKAGE)])
    forget()
    await restart(club)

    def void(conn: Connection) -> None:
        txn = Transaction(conn=conn, house=club.house, cause="operator", now=club.clock())
        txn.decide(
            theirs, operator_acts.void_match, author="op", reason=txn.seal("the game is gone")
        )
        txn.close()

    await asyncio.wrap_future(club.house.db.write(void))
    await club.work()
    assert (await the_match(club, theirs)).status is Status.ENDED
    assert theirs in club.last(BOB).subject
    await restart(club)
    assert await stands(club) == []
