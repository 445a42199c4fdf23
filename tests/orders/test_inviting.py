"""An invitation of several is one: whoever of them cannot be asked, nobody is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from pbem.names import PlayerId
from pbem.store import tables
from pbem.store.log import event_log
from pbem.store.people import roster
from pbem.transaction.installation import player_stream
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.hostile import registered
from tests.clubs.kept import kept

ZOE, DAN = "zoe@example.org", "dan@example.edu"


@kept
async def lived_in(club: Club) -> None:
    await registered(club)
    await club.answer(CLEO, "never again")


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """Ann, Bob and Cleo are players here; Cleo wants no invitations."""
    one = open_club(tmp_path)
    await lived_in(one)
    yield one
    one.house.db.close()


async def players(club: Club) -> dict[str, PlayerId]:
    rows: Any = await club.read(roster.all_players)
    return {row.name: row.id for row in rows}


async def log(club: Club, player: PlayerId) -> list[str]:
    recorded: Any = await club.read(lambda conn: event_log.load(conn, player_stream(player)))
    return [type(event_log.event_of(event)).__name__ for event in recorded]


async def position(club: Club) -> int:
    """How many events there are by now."""
    found: Any = await club.read(
        lambda conn: conn.scalar(select(func.count()).select_from(tables.event))
    )
    return int(found)


@pytest.mark.parametrize("second", ["Nobody", CLEO, "Cleo", "Ann", "Bob"])
@pytest.mark.parametrize("first", [BOB, ZOE])
async def test_a_challenge_is_refused_as_a_whole(club: Club, first: str, second: str) -> None:
    if (first, second) == (ZOE, "Bob"):
        second = ZOE
    known, count = await players(club), len(club.postbox.mails)
    before = await position(club)
    await club.answer(ANN, f"new logger with {first}, {second}")
    assert "changed nothing" in club.last(ANN).text
    assert len(club.postbox.mails) == count + 1
    assert await players(club) == known
    assert await position(club) == before
    await club.answer(ANN, f"new logger with {first}")
    assert "went out to" in club.last(ANN).text
    if first == ZOE:
        assert await log(club, (await players(club))["Zoe"]) == ["PlayerInvited"]


async def test_a_challenge_beside_one_that_is_refused_goes_out(club: Club) -> None:
    await club.answer(ANN, f"new logger with {DAN}\n\nnew logger with {ZOE}, Nobody")
    assert "Zoe" not in await players(club)
    assert await log(club, (await players(club))["Dan"]) == ["PlayerInvited"]
    assert "invites you" in club.last(DAN).text


async def reply(club: Club, player: str, text: str) -> None:
    """An answer to the last mail, without its quote."""
    mail = club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


async def test_a_known_order_that_is_written_otherwise_is_shown_how(club: Club) -> None:
    await club.write("dora@example.org", "hello")
    await club.answer("dora@example.org", "yes")
    await club.answer("dora@example.org", "new logger")
    text = " ".join(club.last("dora@example.org").text.split())
    assert 'It is written as in "new logger with bob@example.org"' in text


@pytest.mark.parametrize(
    ("sender", "answer", "name"),
    [
        ("Dora Weiß <dora@example.org>", "accept", "Dora Weiß"),
        ("dora@example.org", "accept", "Dora"),
        ("Ann <dora@example.org>", "accept", "Dora"),  # somebody else is called so
        ("Dora Weiß <dora@example.org>", "decline", "Dora"),
    ],
)
async def test_who_is_invited_is_called_as_their_answer_says(
    club: Club, sender: str, answer: str, name: str
) -> None:
    await club.write("Ann <ann@example.org>", "hello")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "name Ann")
    await club.answer(ANN, "new logger with dora@example.org")
    await club.answer("dora@example.org", answer, sender=sender)
    told = " ".join(club.last(ANN).text.split())
    assert f"{name} declined" in told or f": {name} - Seat " in told or f": {name} The" in told


async def test_help_begins_with_how_to_begin_where_no_match_is(club: Club) -> None:
    await club.write("dora@example.org", "hello")
    await club.answer("dora@example.org", "yes")
    await club.answer("dora@example.org", "help")
    text = club.last("dora@example.org").text
    assert text.index('- "new logger') < text.index('- "games"')
    await club.answer("dora@example.org", "help all")
    text = club.last("dora@example.org").text
    assert text.index('- "new"') < text.index('- "try"')


async def turns_explained(club: Club, match: str) -> list[bool]:
    """Whether each turn mail of Ann's in a match explained the signs."""
    mails = [mail for mail in club.mails(ANN) if match in mail.subject]
    return [
        "A = Ann" in mail.text
        for mail in mails
        if "reply with your move" in " ".join(mail.text.split())
    ]


async def test_a_game_is_explained_for_three_turns_and_not_again(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "yes")
    for ann, bob in (("a1", "e5"), ("a2 plant a3", "e4 plant e3"), ("a1 plant b1", "e5 plant d5")):
        await club.answer(ANN, ann)
        await club.answer(BOB, bob)
    first = club.last(ANN).subject.split("]")[0].split()[-1]
    assert await turns_explained(club, first) == [True, True, True, False]
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    if "yes" in club.last(ANN).text:
        await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    second = club.last(ANN).subject.split("]")[0].split()[-1]
    assert second != first
    assert await turns_explained(club, second) == [False]
    club.house.db.close()


async def test_whoever_invites_with_the_first_mail_is_not_told_to_invite(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    (_, after) = club.mails(ANN)
    text = " ".join(after.text.split())
    assert "went out to Bob" in text
    assert "Welcome to Club! The others see you as Ann." in text
    assert "Invite somebody" not in text
    assert "To begin" not in text
    club.house.db.close()
