"""The order `hint`: among bots alone a move and why, three a match; between people no advice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.bots import hints
from pbem.games import GAMES
from pbem.matches.events import HintGiven
from pbem.matches.hints import MOST_HINTS, HintAsked, hint_awaited, hint_for, hints_left
from pbem.matches.match import Match, Status
from pbem.names import MatchId
from pbem.runners import bots
from pbem.runners.receive import store_letter, take_waiting
from pbem.store import views
from pbem.store.log import event_log
from pbem.transaction.installation import find_match, match_stream, verified
from pbem.transport import Fetched
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club

OTHERS = [f"{name}@example.net" for name in ("bob", "cleo", "dora", "emil", "fay")]
KEYS = sorted({game.key for game in GAMES.values()})
TABLES = [(game.key, seats) for game in GAMES.values() for seats in game.seats]


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def newest(club: Club) -> Match:
    rows: Any = await club.read(views.matches)
    found: Any = await club.read(partial(find_match, match=rows[0].id))
    match: Match = found.match
    return match


async def events(club: Club, match: MatchId) -> list[Any]:
    found: Any = await club.read(lambda conn: event_log.load(conn, match_stream(match)))
    return [*event_log.match_events_of(found)]


async def among_bots(club: Club, game: str = "logger", bots: str = "bot easy") -> Match:
    await club.write(ANN, f"new {game} with {bots}")
    await club.answer(ANN, "yes")
    return await newest(club)


def said(club: Club, reader: str = ANN) -> str:
    return " ".join(club.last(reader).text.split())


async def arrives(club: Club, text: str, number: int = 900) -> None:
    """A letter is taken, and nothing else is done."""
    letter = club.letter(ANN, club.last(ANN).reply_to, text).as_bytes()
    await store_letter(Fetched("test", "INBOX", 1, number, letter), club.house)
    await take_waiting(club.house)


# --- among bots ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
async def test_one_mail_has_a_move_that_plays_if_it_is_typed(club: Club, key: str) -> None:
    match = await among_bots(club, key.replace("_", " "))
    seat = match.seat_of(match.table.entrants[0])
    before = len(club.mails(ANN))
    await club.answer(ANN, "hint")
    [mail] = club.mails(ANN)[before:]
    match = await newest(club)
    found = hint_for(match, seat)
    assert found is not None
    assert seat is not None
    assert hints_left(match, seat) == MOST_HINTS - 1
    assert mail.text.startswith(f"Hint in {match.game.title} {match.id}: ")
    assert "2 hints are left in this match." in " ".join(mail.text.split())
    ply = match.course.ply
    await club.answer(ANN, f"#{ply + 1} {found.notation}")
    after = await newest(club)
    own = [one for one in after.course.steps if one.seat == seat and one.ply == ply + 1]
    assert [one.text for one in own] == [found.notation]
    checked: Any = await club.read(lambda conn: verified(conn, match.id))
    assert checked[0].findings == ()


async def test_the_page_of_a_mail_has_the_move_as_a_link(club: Club) -> None:
    await among_bots(club)
    await club.answer(ANN, "hint")
    found = hint_for(await newest(club), (await newest(club)).to_act[0])
    assert found is not None
    assert f"mailto:{club.last(ANN).reply_to.partition('<')[2].rstrip('>')}" in club.last(ANN).html
    assert found.notation.replace(" ", "%20") in club.last(ANN).html


async def test_there_are_three_a_match_and_one_position_needs_one(club: Club) -> None:
    match = await among_bots(club)
    seat = match.to_act[0]
    for number in range(1, MOST_HINTS + 1):
        for _ in range(2):
            await club.answer(ANN, "hint")
            assert said(club).startswith("Hint in Logger")
            assert hints_left(await newest(club), seat) == MOST_HINTS - number
        found = hint_for(await newest(club), seat)
        assert found is not None
        await club.answer(ANN, found.notation)
    await club.answer(ANN, "hint")
    assert "has 3 hints, and you have had them all" in said(club)
    assert hints_left(await newest(club), seat) == 0
    assert "/ hint /" not in said(club)
    await club.answer(ANN, "undo")
    assert hints_left(await newest(club), seat) == 0
    given = [one for one in await events(club, match.id) if isinstance(one, HintGiven)]
    assert len(given) == MOST_HINTS


@pytest.mark.parametrize("word", ["tipp", "Hinweis", "rat"])
async def test_it_is_asked_for_in_german(club: Club, word: str) -> None:
    await among_bots(club)
    await club.answer(ANN, "sprache de")
    await club.answer(ANN, word)
    assert said(club).startswith("Tipp in Logger")


async def test_what_is_asked_twice_before_it_comes_is_one_hint(club: Club) -> None:
    match = await among_bots(club)
    await arrives(club, "hint", 900)
    await arrives(club, "hint", 901)
    await club.work()
    kinds = [type(one) for one in await events(club, match.id)]
    assert (kinds.count(HintAsked), kinds.count(HintGiven)) == (1, 1)


async def test_a_move_that_is_made_meanwhile_voids_it_and_it_does_not_count(club: Club) -> None:
    match = await among_bots(club)
    seat = match.to_act[0]
    await arrives(club, "hint", 900)
    assert hint_awaited(await newest(club)) == seat
    move = match.game.notation(match.game.legal(match.course.position)[0])
    await arrives(club, f"#{match.course.ply + 1} {move}", 901)
    assert hint_awaited(await newest(club)) is None
    await club.work()
    after = await newest(club)
    assert after.course.ply == match.course.ply + 2
    assert (hints_left(after, seat), after.table.hints) == (MOST_HINTS, ())


async def test_a_hint_is_told_to_nobody_who_watches(club: Club) -> None:
    match = await among_bots(club)
    await club.write(BOB, "help")
    await club.answer(BOB, "yes")
    await club.answer(BOB, f"watch {match.id}")
    before = len(club.mails(BOB))
    await club.answer(ANN, "hint")
    assert len(club.mails(BOB)) == before
    await club.answer(BOB, f"{match.id} hint")
    assert "Hint in" not in said(club, BOB)
    assert hints_left(await newest(club), match.to_act[0]) == MOST_HINTS - 1


async def test_who_has_ended_the_match_gets_none(club: Club) -> None:
    match = await among_bots(club)
    await club.answer(ANN, "resign yes")
    assert (await newest(club)).status is Status.ENDED
    await club.answer(ANN, "hint")
    assert f"Logger {match.id}" in said(club)
    assert "Hint in" not in said(club)
    assert not [one for one in await events(club, match.id) if isinstance(one, HintAsked)]


# --- between people ------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "seats"), TABLES)
async def test_between_people_it_shows_what_can_be_played_and_thinks_of_nothing(
    club: Club, key: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def advises(*_: object, **__: object) -> None:
        raise AssertionError("somebody is advised")

    monkeypatch.setattr(bots, "hint", advises)
    monkeypatch.setattr(hints, "best_move", advises)
    others = OTHERS[: seats - 1]
    await club.write(ANN, f"new {key.replace('_', ' ')} with {', '.join(others)}")
    await club.answer(ANN, "yes")
    for other in others:
        await club.answer(other, "accept")
    match = await newest(club)
    assert match.status is Status.RUNNING
    seat = match.to_act[0]
    asks = (ANN, *others)[match.table.entrants.index(match.player_at(seat))]
    await club.answer(asks, "hint")
    assert said(club, asks).startswith(f"No advice in {match.game.title} {match.id}: ")
    assert "Which move is good is told only" in said(club, asks)
    rest = next(one for one in (ANN, *others) if one != asks)
    await club.answer(rest, "hint")
    assert said(club, rest).startswith("Not your turn yet")
    after = await newest(club)
    assert (hint_awaited(after), after.table.hints, hints_left(after, seat)) == (None, (), 3)


async def test_with_one_more_person_among_bots_there_is_no_advice(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}, bot seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "hint")
    assert said(club).startswith("No advice in Logger")


async def test_where_a_bot_stands_in_for_somebody_there_is_no_advice(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} seat_order=given vacant=bot")
    await club.answer(ANN, "yes")
    for other in (BOB, CLEO):
        await club.answer(other, "accept")
    for other in (BOB, CLEO):
        await club.answer(other, "resign yes")
    await club.answer(ANN, "hint")
    match = await newest(club)
    assert match.status is Status.RUNNING
    assert match.table.hints == ()
    assert said(club).startswith("No advice in Logger")
