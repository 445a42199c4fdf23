"""Vacated seats by mail: the match waits, the others agree, and the newcomer has a board."""

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
from pbem.matches.match import Match, Status
from pbem.matches.operator_events import GiveSeat
from pbem.names import MatchId, is_bot
from pbem.orders.handlers.challenges import new_player
from pbem.store import views
from pbem.transaction.installation import find_match, verified
from pbem.transaction.transaction import Transaction
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.kept import kept

DAN = "dan@example.edu"


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path, vacancy=48)
    yield one
    one.house.db.close()


async def reply(club: Club, player: str, text: str, *, to: ReceivedMail | None = None) -> None:
    """An answer to the last mail, or to an older one, without a quote."""
    mail = to or club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


@kept
async def left(club: Club, game: str = "logger", last: str = "resign yes") -> MatchId:
    """A match of three from which Bob has just resigned; it would be Ann's turn.

    `last` is what Bob wrote last, if he did not resign at once.
    """
    options = "seat_order=given" if game == "logger" else ""
    await club.write(ANN, f"new {game} with {BOB}, {CLEO} {options}")
    await reply(club, ANN, "yes")
    for other in (BOB, CLEO):
        await reply(club, other, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    name = MatchId(rows[0].id)
    if game == "logger":
        for player, move in ((ANN, "e1"), (BOB, "a5"), (CLEO, "e5")):
            await reply(club, player, move)
    await reply(club, BOB, last)
    return name


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


def said(club: Club, reader: str) -> str:
    return " ".join(club.last(reader).text.split())


async def sound(club: Club, name: MatchId) -> bool:
    found: Any = await club.read(lambda conn: verified(conn, name))
    return bool(found[0].findings == ())


async def give_to_eve(club: Club, name: MatchId) -> None:
    """The operator lets Eve, who plays nowhere yet, play on in Bob's seat."""

    def unit(conn: Connection) -> None:
        txn = Transaction(conn=conn, house=club.house, cause="operator", now=club.house.now())
        eve = new_player(txn, "eve@example.com").id
        why = txn.seal("Bob asked for it.")
        txn.decide(name, GiveSeat(author="root", reason=why, seat=Seat(2), player=eve))
        txn.close()

    await asyncio.wrap_future(club.house.db.write(unit))
    await club.work()


async def test_the_match_waits_and_all_who_play_on_are_told(club: Club) -> None:
    name = await left(club)
    for reader in (ANN, CLEO):
        assert said(club, reader).startswith(f"Bob resigned in Logger {name}; the match waits")
        assert "Monday 23 November" in said(club, reader)
        assert '"takeover bot"' in said(club, reader)
    match = await match_of(club, name)
    assert match.clocks is not None
    assert not match.clocks.running
    await reply(club, ANN, "e3 plant d3")
    assert "It is nobody's turn at the moment" in said(club, ANN)
    for asked in ("board", "games"):
        await reply(club, ANN, asked)
        assert "Nobody is to move: the match waits" in said(club, ANN)
    assert await sound(club, name)


async def test_a_bot_takes_the_seat_when_all_agree(club: Club) -> None:
    name = await left(club)
    await reply(club, ANN, "takeover bot")
    assert "Shall Robot" in said(club, CLEO)
    await reply(club, CLEO, "yes")
    match = await match_of(club, name)
    assert is_bot(match.player_at(Seat(2)))
    assert "plays on for Bob" in said(club, ANN)
    assert said(club, ANN).startswith(f"Your move in Logger {name}")
    await reply(club, ANN, "e3 plant d3")
    match = await match_of(club, name)
    assert [step.seat for step in match.steps if step.kind == "move"][-2:] == [1, 2]
    assert await sound(club, name)


async def test_a_person_takes_the_seat_by_mail_and_plays(club: Club) -> None:
    name = await left(club)
    await reply(club, CLEO, f"takeover {DAN}")
    assert not club.mails(DAN)
    assert "Shall Dan play on for Bob" in said(club, ANN)
    await reply(club, ANN, "accept")
    assert "Cleo asks you to play on for Bob" in said(club, DAN)
    assert "T* with protester" in said(club, DAN)
    await reply(club, DAN, "accept")
    match = await match_of(club, name)
    assert match.players[1] == match.entrants[3]
    assert "You play on for Bob" in said(club, DAN)
    assert "Dan plays on for Bob" in said(club, CLEO)
    await reply(club, ANN, "e3 plant d3")
    assert said(club, DAN).startswith(f"Your move in Logger {name}")
    await reply(club, DAN, "a3 plant b3")
    match = await match_of(club, name)
    assert (match.ply, match.steps[-1].seat) == (5, 2)
    await reply(club, BOB, "a4 plant b4")
    assert (await match_of(club, name)).ply == 5
    assert await sound(club, name)


async def test_a_newcomers_first_yes_counts_and_is_answered_in_one_mail(club: Club) -> None:
    name = await left(club)
    await reply(club, CLEO, f"takeover {DAN}")
    await reply(club, ANN, "yes")
    await reply(club, DAN, "yes")
    assert (await match_of(club, name)).players[1] == (await match_of(club, name)).entrants[3]
    assert len(club.mails(DAN)) == 2
    assert said(club, DAN).startswith(f"You play on for Bob in Logger {name}.")


@pytest.mark.parametrize("settled", ["late", "waived", "given"])
async def test_who_is_asked_to_the_table_hears_that_the_question_is_closed(
    club: Club, settled: str
) -> None:
    name = await left(club)
    await reply(club, CLEO, f"takeover {DAN}")
    await reply(club, ANN, "yes")
    await club.wait(hours=25)  # who has not answered gets one mail a day
    if settled == "late":
        await club.wait(hours=24)
    elif settled == "waived":
        await reply(club, ANN, "takeover none")
        await reply(club, CLEO, "takeover none")
    else:
        await give_to_eve(club, name)
    assert said(club, DAN).startswith(
        f"You need not answer any more: nobody is asked to play on for Bob in Logger {name}."
    )
    assert ("Eve plays on" if settled == "given" else "goes on without Bob") in said(club, DAN)
    assert len(club.mails(DAN)) == 2
    await reply(club, DAN, "yes", to=club.mails(DAN)[0])
    assert "This is settled already" in said(club, DAN)
    assert not club.last(DAN).subject.startswith("Welcome")


@pytest.mark.parametrize(("decliner", "asker"), [(ANN, CLEO), (DAN, CLEO)])
async def test_one_no_is_enough_and_another_may_be_proposed(
    club: Club, decliner: str, asker: str
) -> None:
    name = await left(club)
    await reply(club, asker, f"takeover {DAN}")
    if decliner == DAN:
        await reply(club, ANN, "yes")
    await reply(club, decliner, "no")
    assert "Nothing came of the proposal" in said(club, asker)
    assert (await match_of(club, name)).vacant
    await reply(club, asker, "takeover bot")
    await reply(club, ANN, "yes")
    assert not (await match_of(club, name)).vacant
    assert await sound(club, name)


async def test_nobody_takes_the_seat_and_it_leaves_after_two_days(club: Club) -> None:
    name = await left(club)
    await club.wait(hours=47)
    assert (await match_of(club, name)).vacant
    await club.wait(hours=2)
    match = await match_of(club, name)
    assert (match.vacant, match.left) == ({}, (Seat(2),))
    assert said(club, ANN).startswith(f"Your move in Logger {name}")
    assert "Bob resigned" in said(club, CLEO)
    assert await sound(club, name)


@pytest.mark.parametrize("newcomer", ["Dan", "bot"])
async def test_what_was_played_before_is_told_of_who_played_it(club: Club, newcomer: str) -> None:
    name = await left(club)
    await reply(club, ANN, "takeover bot" if newcomer == "bot" else f"takeover {DAN}")
    await reply(club, CLEO, "yes")
    if newcomer == "Dan":
        await reply(club, DAN, "accept")
    match = await match_of(club, name)
    assert is_bot(match.players[1]) == (newcomer == "bot")
    await reply(club, ANN, "history")
    assert 'Bob: "place a5".' in said(club, ANN)
    found = re.search(r"(Dan|\S+ \(\w+\)) plays on for Bob\.", said(club, ANN))
    assert found
    who = found[1]
    await reply(club, ANN, "record")
    assert f"{{seat 2: {who} plays on for Bob}}" in said(club, ANN)
    await reply(club, ANN, "e3 plant d3")
    await reply(club, DAN if newcomer == "Dan" else ANN, "history")
    assert 'Bob: "place a5".' in said(club, DAN if newcomer == "Dan" else ANN)
    assert f"{who} puts the logger on a5" not in "".join(mail.text for mail in club.mails(ANN))
    assert await sound(club, name)


async def test_when_all_want_nobody_it_goes_on_at_once(club: Club) -> None:
    name = await left(club)
    await reply(club, ANN, "takeover none")
    assert "You want nobody in that seat" in said(club, ANN)
    await reply(club, CLEO, "takeover none")
    match = await match_of(club, name)
    assert match.left == (Seat(2),)
    assert said(club, ANN).startswith(f"Your move in Logger {name}")
    assert await sound(club, name)


async def test_a_late_yes_settles_nothing(club: Club) -> None:
    name = await left(club)
    await reply(club, ANN, f"takeover {DAN}")
    asked = club.last(CLEO)
    await club.wait(hours=49)
    await reply(club, CLEO, "yes", to=asked)
    assert "This is settled already" in said(club, CLEO)
    assert (await match_of(club, name)).left == (Seat(2),)


async def test_orders_where_no_seat_waits_are_refused_in_words(club: Club) -> None:
    name = await left(club)
    await club.wait(hours=49)
    await reply(club, ANN, "takeover bot")
    assert "No seat of this match waits for anybody." in said(club, ANN)
    await reply(club, ANN, "resign yes")
    assert (await match_of(club, name)).status is Status.ENDED  # two play on no more


async def test_who_loses_on_time_leaves_a_seat_too_and_the_newcomer_has_fresh_time(
    club: Club,
) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} seat_order=given time=24/8/48")
    await reply(club, ANN, "yes")
    for other in (BOB, CLEO):
        await reply(club, other, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    name = MatchId(rows[0].id)
    await reply(club, ANN, "e1")
    for _ in range(14):  # his time, and his leave
        await club.wait(days=1)
    await reply(club, ANN, "claim")
    assert "Bob lost on time" in said(club, CLEO)
    await reply(club, ANN, "takeover bot")
    await reply(club, CLEO, "yes")
    match = await match_of(club, name)
    assert match.clocks is not None
    assert match.clocks.flagged == ()
    assert match.clocks.banks[Seat(2)] >= 24 * 3600
    assert await sound(club, name)


async def test_a_seat_resigned_in_advance_leaves_when_its_time_is_over(club: Club) -> None:
    name = await left(club, last="if any then resign yes")
    await reply(club, ANN, "e2 plant e3")
    assert (await match_of(club, name)).vacant
    assert await sound(club, name)
    await club.wait(hours=49)
    assert (await match_of(club, name)).left == (Seat(2),)
    assert await sound(club, name)


async def test_who_has_left_is_asked_for_nothing_and_offered_nothing(club: Club) -> None:
    await left(club, "looney ludo")
    words = said(club, BOB).partition("Words that work in any reply")[2]
    assert not {"try", "resign", "draw"} & set(words.split())
    await reply(club, BOB, "resign")
    assert "You left this match" in said(club, BOB)
    before = len(club.mails(BOB))
    await reply(club, ANN, "offer draw")
    assert "offers a draw" in said(club, CLEO)
    assert len(club.mails(BOB)) == before
