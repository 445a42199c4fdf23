"""Seats whose players go, by mail (PLAY 3): a bot plays on at once, or the seat leaves."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from pbem.games.game import Seat
from pbem.matches.match import Match
from pbem.matches.operator_acts import give_seat
from pbem.names import MatchId, is_bot
from pbem.orders.handlers.challenges import new_player
from pbem.store import views
from pbem.transaction.installation import find_match, verified
from pbem.transaction.transaction import Transaction
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.kept import kept


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def reply(club: Club, player: str, text: str) -> None:
    """An answer to the last mail, without a quote."""
    mail = club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


@kept
async def begun(club: Club, options: str = "") -> MatchId:
    """A match of three in which it is Ann's turn."""
    await club.write(ANN, f"new logger with {BOB}, {CLEO} seat_order=given {options}")
    await reply(club, ANN, "yes")
    for other in (BOB, CLEO):
        await reply(club, other, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    for player, move in ((ANN, "e1"), (BOB, "a5"), (CLEO, "e5")):
        await reply(club, player, move)
    return MatchId(rows[0].id)


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


def said(club: Club, reader: str) -> str:
    return " ".join(club.last(reader).text.split())


async def sound(club: Club, name: MatchId) -> bool:
    found: Any = await club.read(lambda conn: verified(conn, name))
    return bool(found[0].findings == ())


async def test_a_bot_plays_on_at_once_and_the_others_are_told(club: Club) -> None:
    name = await begun(club)
    await reply(club, BOB, "resign yes")
    assert "You have resigned" in said(club, BOB)
    match = await match_of(club, name)
    assert is_bot(match.player_at(Seat(2)))
    for reader in (ANN, CLEO):
        told = f"Robot (medium) plays on for Bob in Logger {name}: Bob resigned."
        assert told in said(club, reader)
    before = len(club.mails(BOB))
    await reply(club, ANN, "e3 plant d3")
    match = await match_of(club, name)
    assert [step.seat for step in match.course.steps if step.kind == "move"][-2:] == [1, 2]
    assert len(club.mails(BOB)) == before
    assert await sound(club, name)


async def test_the_seat_leaves_where_the_challenge_says_so(club: Club) -> None:
    name = await begun(club, "vacant=leave")
    await reply(club, BOB, "resign yes")
    match = await match_of(club, name)
    assert (match.table.left, any(map(is_bot, match.table.players))) == ((Seat(2),), False)
    assert f"Bob resigned in Logger {name}; the others play on." in said(club, CLEO)
    assert await sound(club, name)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("", "If somebody resigns or loses on time, a bot plays on there."),
        ("vacant=bot", "If somebody resigns or loses on time, a bot plays on there."),
        ("vacant=leave", "the others play on without that seat."),
    ],
)
async def test_the_invitation_says_what_becomes_of_a_seat(
    club: Club, options: str, says: str
) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} {options}")
    await reply(club, ANN, "yes")
    for reader in (ANN, BOB):
        assert says in said(club, reader)


async def test_for_two_there_is_nothing_to_say_and_another_value_is_refused(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} vacant=leave")
    await reply(club, ANN, "yes")
    assert "loses on time" not in said(club, BOB)
    await reply(club, ANN, f"new logger with {BOB}, {CLEO} vacant=dan")
    assert re.search(r"vacant.*bot.*leave", said(club, ANN))
    assert not club.mails(CLEO)
    await reply(club, ANN, f"new logan stones with {BOB} vacant=leave")
    assert "vacant" in said(club, ANN)


async def test_a_rematch_keeps_what_was_agreed_on(club: Club) -> None:
    name = await begun(club, "vacant=leave")
    for player in (BOB, CLEO):
        await reply(club, player, "resign yes")
    await reply(club, ANN, "rematch")
    assert "the others play on without that seat." in said(club, BOB)
    assert (await match_of(club, name)).course.outcome is not None


async def test_who_went_is_told_so_and_is_offered_nothing(club: Club) -> None:
    name = await begun(club)
    await reply(club, BOB, "resign yes")
    await reply(club, BOB, "a3 plant b3")
    assert "You left this match after move 3" in said(club, BOB)
    ply = (await match_of(club, name)).course.ply
    await reply(club, BOB, "resign")
    assert "You left this match" in said(club, BOB)
    assert (await match_of(club, name)).course.ply == ply


async def test_what_was_played_before_is_told_of_who_played_it(club: Club) -> None:
    name = await begun(club)
    await reply(club, BOB, "resign yes")
    await reply(club, ANN, "history")
    assert 'Bob: "place a5".' in said(club, ANN)
    assert "Bob resigned; Robot (medium) plays on." in said(club, ANN)
    await reply(club, ANN, "record")
    assert "{seat 2: Robot (medium) plays on for Bob}" in said(club, ANN)
    assert await sound(club, name)


async def test_who_loses_on_time_is_told_and_the_bot_has_fresh_time(club: Club) -> None:
    name = await begun(club, "time=24/8/48")
    await reply(club, ANN, "e3 plant d3")
    for _ in range(14):  # his time, and his leave
        await club.wait(days=1)
    await reply(club, ANN, "claim")
    assert f"Robot (medium) plays on for Bob in Logger {name}: Bob lost on time." in said(
        club, CLEO
    )
    assert "Robot (medium) plays on for you" in said(club, BOB)
    match = await match_of(club, name)
    assert match.clocks is not None
    assert match.clocks.flagged == ()
    assert match.clocks.banks[Seat(2)] >= 24 * 3600
    assert await sound(club, name)


async def test_who_is_forgotten_is_stood_in_for(club: Club) -> None:
    name = await begun(club)
    await reply(club, BOB, "delete me")
    await reply(club, BOB, "yes")
    match = await match_of(club, name)
    assert is_bot(match.player_at(Seat(2)))
    assert "Robot (medium) plays on for" in said(club, CLEO)
    assert await sound(club, name)


async def test_the_operator_gives_the_seat_to_somebody(club: Club) -> None:
    name = await begun(club)
    await reply(club, BOB, "resign yes")

    def unit(conn: Connection) -> None:
        txn = Transaction(conn=conn, house=club.house, cause="operator", now=club.house.now())
        eve = new_player(txn, "eve@example.com").id
        why = txn.seal("Eve asked for it.")
        txn.decide(name, give_seat, author="root", reason=why, seat=Seat(2), player=eve)
        txn.close()

    await asyncio.wrap_future(club.house.db.write(unit))
    await club.work()
    assert "You play on for Robot (medium)" in said(club, "eve@example.com")
    assert not any(map(is_bot, (await match_of(club, name)).table.players))
    assert await sound(club, name)
