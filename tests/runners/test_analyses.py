"""Analyses that are asked for: made once, in pieces, told to who waits, refused to all others."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from email import message_from_bytes
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.bots.luck import seeded
from pbem.matches.steps import Status
from pbem.names import MatchId
from pbem.runners import analyses as runner
from pbem.runners.analyses import analyse_due
from pbem.store import analyses, views
from pbem.store.analyses import Kept
from pbem.transaction import analyses as asked
from pbem.transaction.installation import find_match
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.kept import kept
from tests.engines import on_both

pytestmark = on_both


@kept
async def begin(club: Club) -> None:
    """Ann and Bob play Logger, and Cleo watches."""
    for reader in (ANN, BOB, CLEO):
        await club.write(reader, "help")
        await club.answer(reader, "yes")
    await club.answer(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(BOB, "accept")
    await club.answer(CLEO, f"watch {await name(club)}")


@kept
async def over(club: Club) -> None:
    """After some moves Bob resigns."""
    await begin(club)
    for reader, move in ((ANN, "place a1"), (BOB, "place e5")):
        await club.answer(reader, move)
    for number in range(6):
        reader = (ANN, BOB)[number % 2]
        await club.answer(reader, await some_move(club, number))
    await club.answer(BOB, "resign yes")


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> Here:
    # A process apart needs seconds to start.
    here = Here()
    monkeypatch.setattr(runner, "THINKING", here)
    return here


@pytest.fixture
async def club(tmp_path: Path, thinking: Here) -> AsyncIterator[Club]:
    assert thinking.ranks == []
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


class Here:
    """Does at once, in a thread, what another process would do."""

    def __init__(self) -> None:
        self.fails = 0
        self.ranks: list[Any] = []

    async def do(self, work: Any, seconds: float, *, rank: Any) -> Any:
        assert seconds > 0
        self.ranks.append(rank)
        if self.fails:
            self.fails -= 1
            raise TimeoutError
        return await asyncio.to_thread(work)


async def name(club: Club) -> str:
    found = await club.read(
        lambda conn: views.matches_of(conn, player_of(conn, ANN), tuple(Status))
    )
    assert isinstance(found, list)
    return str(found[-1].id)


def player_of(conn: Any, address: str) -> Any:
    from pbem.store.people import roster

    row = roster.player_by_address(conn, address)
    assert row is not None
    return row.id


async def loaded(club: Club) -> Any:
    return await club.read(partial(find_match, match=MatchId(await name(club))))


async def some_move(club: Club, number: int) -> str:
    match = (await loaded(club)).match
    legal = match.game.legal(match.course.position)
    return str(match.game.notation(legal[seeded(f"{number}")(len(legal))]))


async def row(club: Club) -> Kept | None:
    found = await club.read(partial(analyses.find, match=MatchId(await name(club))))
    assert found is None or isinstance(found, Kept)
    return found


def told(club: Club, reader: str) -> list[str]:
    return [mail.text for mail in club.mails(reader) if "What decided Logger" in mail.text]


async def test_who_has_played_is_told_what_decided(club: Club) -> None:
    await over(club)
    await club.answer(ANN, "analysis")
    await club.think()
    receipt, found = (mail.text for mail in club.mails(ANN)[-2:])
    assert "The analysis is being made" in receipt
    assert "Who led, and when" in found
    assert re.search(r"- at the end, after move \d+: \S+ has won", found)
    assert re.search(r"^Move \d+, (yours|by \S+):", found, re.MULTILINE)
    assert "Played: " in found
    assert "Better: " in found
    data = [data for to, data in club.postbox.sent if to == ANN][-1]
    files = [part for part in message_from_bytes(data).walk() if part.get_filename()]
    [page] = [part for part in files if str(part.get_filename()).endswith("-analysis.html")]
    text = page.get_payload(decode=True)
    assert isinstance(text, bytes)
    assert text.count(b"<figure>") == 2 * found.count("\nBetter: ")
    assert b"<script" not in text
    assert b"http://" not in text.replace(b"http://www.w3.org/2000/svg", b"")
    assert not told(club, BOB)


async def test_it_is_made_once_and_then_told_at_once(club: Club, thinking: Here) -> None:
    await over(club)
    await club.answer(ANN, "analysis")
    await club.think()
    kept_then = await row(club)
    assert kept_then is not None
    assert kept_then.is_made
    assert kept_then.waits == ()
    assert {rank.name for rank in thinking.ranks} == {"ANALYSIS"}
    thinking.ranks.clear()
    await club.answer(BOB, "analysis")
    await club.think()
    assert len(told(club, BOB)) == 1
    assert not thinking.ranks
    assert await row(club) == kept_then


async def test_each_piece_is_kept_before_the_next(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await over(club)
    monkeypatch.setattr(runner, "AT_ONCE", 0.0)
    match = (await loaded(club)).match
    player = await club.read(lambda conn: player_of(conn, ANN))
    ask = partial(asked.ask, match=match, player=player, now=club.house.now())  # type: ignore[arg-type]
    await asyncio.wrap_future(club.house.db.write(ask))
    for done in range(1, len(asked.passed_of(match))):
        assert await analyse_due(club.house) == 1
        found = await row(club)
        assert found is not None
        assert (found.done, len(found.pieces), found.is_made) == (done, done, False)
    await club.think()
    assert len(told(club, ANN)) == 1


async def test_before_the_end_nobody_gets_advice(club: Club) -> None:
    await begin(club)
    await club.answer(ANN, "analysis")
    await club.think()
    assert "while it runs nobody gets advice" in " ".join(club.last(ANN).text.split())
    assert await row(club) is None


async def test_who_only_watched_is_shown_to_the_replay(club: Club) -> None:
    await over(club)
    await club.answer(CLEO, "analysis")
    text = " ".join(club.last(CLEO).text.split())
    assert 'An analysis is for those who have played. "replay" shows' in text
    assert await row(club) is None


async def test_a_match_without_a_move_has_nothing_to_look_at(club: Club) -> None:
    await begin(club)
    await club.answer(BOB, "resign yes")
    await club.answer(ANN, "analysis")
    await club.think()
    assert "nobody has moved in this match" in club.last(ANN).text


async def test_one_at_a_time_for_each_player(club: Club) -> None:
    await over(club)
    match = (await loaded(club)).match
    player = await club.read(lambda conn: player_of(conn, ANN))
    other = Kept(
        match=MatchId("QQQQQ"), as_of="x", waits=(player,), asked_at=club.house.now(),  # type: ignore[arg-type]
        due_at=club.house.now().replace(year=2100), tries=0, done=0, of=3,
    )  # fmt: skip
    await asyncio.wrap_future(club.house.db.write(partial(analyses.keep, kept=other)))
    await club.answer(ANN, "analysis")
    await club.think()
    assert "Your analysis of QQQQQ is still being made" in club.last(ANN).text
    await club.answer(BOB, "analysis")
    await club.think()
    assert len(told(club, BOB)) == 1
    assert match.id != other.match


async def test_one_that_cannot_be_made_is_tried_thrice_and_told(club: Club, thinking: Here) -> None:
    await over(club)
    thinking.fails = 3
    await club.answer(ANN, "analysis")
    await club.think()
    assert thinking.fails == 2
    for _ in range(2):
        await club.wait(minutes=15)
        await club.think()
    assert thinking.fails == 0
    assert "could not be made" in club.last(ANN).text
    await club.answer(ANN, "analysis")
    await club.think()
    assert len(told(club, ANN)) == 1


async def test_one_that_failed_once_comes_after_all(club: Club, thinking: Here) -> None:
    await over(club)
    thinking.fails = 1
    await club.answer(ANN, "analysis")
    await club.think()
    assert not told(club, ANN)
    await club.wait(minutes=2)
    await club.think()
    assert len(told(club, ANN)) == 1


async def test_of_another_end_it_is_void(club: Club) -> None:
    await over(club)
    await club.answer(ANN, "analysis")
    await club.think()
    made = await row(club)
    assert made is not None
    old = partial(analyses.keep, kept=Kept(**{**fields(made), "as_of": "another end"}))
    await asyncio.wrap_future(club.house.db.write(old))
    match = (await loaded(club)).match
    assert await club.read(partial(asked.ready, match=match)) is None
    await club.answer(BOB, "analysis")
    await club.think()
    assert await row(club) == Kept(**{**fields(made), "asked_at": (await row(club)).asked_at})  # type: ignore[union-attr]
    assert len(told(club, BOB)) == 1


def fields(one: Kept) -> dict[str, Any]:
    return {field: getattr(one, field) for field in Kept.__slots__}


async def test_who_is_forgotten_meanwhile_gets_nothing_and_stops_nobody(
    club: Club, thinking: Here
) -> None:
    await over(club)
    thinking.fails = 1
    await club.answer(ANN, "analysis")
    await club.think()
    await club.answer(BOB, "analysis")
    await club.think()
    await club.insist(ANN, "delete me")
    before = len(club.mails(ANN))
    await club.wait(minutes=2)
    await club.think()
    assert len(told(club, BOB)) == 1
    assert len(club.mails(ANN)) == before
