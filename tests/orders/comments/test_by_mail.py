"""Comments on the moves of a match that is over: who may make them, and who is told, and when."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.matches.match import Match
from pbem.matches.steps import Comment
from pbem.names import MatchId
from pbem.store.log.sealed import unseal
from pbem.transaction.installation import find_match, verified
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.hostile import registered


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await registered(one)
    yield one
    one.house.db.close()


async def at_play(club: Club, order: str = f"new logger with {BOB} seat_order=given") -> MatchId:
    """A match of Ann and Bob with two moves, and Cleo watching where she may."""
    await club.answer(ANN, order)
    await club.answer(BOB, "accept")
    found = re.search(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b", club.last(ANN).subject)
    assert found is not None
    await club.answer(CLEO, f"watch {found[0]}")
    await club.answer(ANN, "e1")
    await club.answer(BOB, "a5")
    return MatchId(found[0])


async def over(club: Club, *order: str) -> MatchId:
    """The same, when Bob has given up."""
    name = await at_play(club, *order)
    await club.answer(BOB, "resign yes")
    return name


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


async def comments_of(club: Club, name: MatchId) -> list[tuple[str, int | None, str]]:
    """Who said what of which move, in order."""
    made: tuple[Comment, ...] = (await match_of(club, name)).table.comments
    texts: Any = await club.read(partial(unseal, digests=[one.text for one in made]))
    rows: Any = await club.read(lambda conn: {one.author: _name(conn, one.author) for one in made})
    return [(rows[one.author], one.ply, texts.get(one.text, "")) for one in made]


def _name(conn: Any, player: Any) -> str:
    from pbem.store.people import roster

    row = roster.player(conn, player)
    return row.name if row is not None else "?"


def said(club: Club, reader: str) -> str:
    """The newest mail to somebody, in one line."""
    return " ".join(club.last(reader).text.split())


async def test_players_and_spectators_comment_by_mail(club: Club) -> None:
    name = await over(club)
    await club.answer(ANN, "comment 2: That was the move.\nAnd how!\n\nNot this.")
    assert 'It stands beside move 2, "place a5", for all who may see the match' in said(club, ANN)
    assert 'What stands below is no part of it: "Not this."' in said(club, ANN)
    await club.answer(BOB, "comment: What a match!")
    assert "It stands beside the end" in said(club, BOB)
    await club.answer(CLEO, "Comment 0 - A fine beginning.\ncomment 1: Or was it?")
    assert await comments_of(club, name) == [
        ("Ann", 2, "That was the move.\nAnd how!"),
        ("Bob", None, "What a match!"),
        ("Cleo", 0, "A fine beginning."),
        ("Cleo", 1, "Or was it?"),
    ]
    found: Any = await club.read(partial(verified, match=name))
    assert found[0].findings == ()


async def test_what_others_say_comes_gathered_once_a_day(club: Club) -> None:
    await over(club)
    bobs, cleos = len(club.mails(BOB)), len(club.mails(CLEO))
    await club.answer(ANN, "comment 2: First.")
    await club.wait(hours=20)
    await club.answer(ANN, "comment 1: Second.")
    await club.work()
    assert (len(club.mails(BOB)), len(club.mails(CLEO))) == (bobs, cleos)
    await club.wait(hours=4, minutes=1)
    await club.work()
    (bob,), (cleo,) = club.mails(BOB)[bobs:], club.mails(CLEO)[cleos:]
    for mail in (bob, cleo):
        text = " ".join(mail.text.split())
        assert text.startswith("Ann comments on move 2 of Logger")
        assert text.index("| First.") < text.index("Ann comments on move 1 of Logger")
        assert "| Second." in text
    await club.wait(days=2)
    await club.work()
    assert len(club.mails(BOB)) == bobs + 1


async def test_a_mail_that_goes_anyway_has_what_was_gathered(club: Club) -> None:
    await over(club)
    bobs = len(club.mails(BOB))
    await club.answer(ANN, "comment 2: First.")
    await club.answer(ANN, "say Good game!")
    (mail,) = club.mails(BOB)[bobs:]
    assert "| First." in mail.text
    assert "| Good game!" in mail.text


async def test_a_digest_has_them_where_there_is_one(club: Club) -> None:
    await over(club)
    await club.answer(BOB, "digest 18:00")
    bobs = len(club.mails(BOB))
    await club.answer(ANN, "comment 2: First.")
    await club.wait(hours=23, minutes=59)
    await club.work()
    (mail,) = club.mails(BOB)[bobs:]
    assert "| First." in mail.text
    assert "digest" in mail.text or mail.subject


@pytest.mark.parametrize("order", ["stop chat", "mute Ann", "mute"])
async def test_nobody_hears_who_does_not_want_to(club: Club, order: str) -> None:
    name = await over(club)
    await club.answer(BOB, order)
    bobs = len(club.mails(BOB))
    await club.answer(ANN, "comment 2: First.")
    await club.wait(days=2)
    await club.work()
    assert len(club.mails(BOB)) == bobs
    assert len(await comments_of(club, name)) == 1


async def test_a_spectator_who_comments_can_be_muted_by_name(club: Club) -> None:
    await over(club)
    await club.answer(BOB, "mute Cleo")  # nobody knows that she watches
    assert 'Nobody else in this match is called "Cleo"' in said(club, BOB)
    await club.answer(CLEO, "comment 2: First.")
    await club.answer(BOB, "mute Cleo")
    assert "You get no messages of Cleo" in said(club, BOB)
    bobs = len(club.mails(BOB))
    await club.answer(CLEO, "comment 2: Second.")
    await club.wait(days=2)
    await club.work()
    assert "Second" not in "".join(mail.text for mail in club.mails(BOB)[bobs:])


@pytest.mark.parametrize(
    ("who", "line", "answer"),
    [
        (ANN, "comment 9: Hm", "There is no move 9; the last one of the match was 2."),
        (ANN, "comment", 'After "comment" a text is missing, as in'),
        (ANN, "comment 2:", 'After "comment" a text is missing, as in'),
        (ANN, f"comment 1: {'x' * 1001}", "A message may have 1000 letters at most."),
        (ANN, "> comment 1: Hm", ""),
        (ANN, "Comment ça va ?", ""),
    ],
)
async def test_what_is_no_comment(club: Club, who: str, line: str, answer: str) -> None:
    name = await over(club)
    await club.answer(who, line)
    assert answer in said(club, who)
    assert await comments_of(club, name) == []


@pytest.mark.parametrize("who", [ANN, CLEO])
async def test_before_the_end_there_are_none(club: Club, who: str) -> None:
    name = await at_play(club)
    before = await match_of(club, name)
    await club.answer(who, "comment 1: That was the move.")
    words = {ANN: "Comments on moves are for when the match is over", CLEO: "says nothing"}
    assert words[who] in said(club, who)
    assert await match_of(club, name) == before


async def test_a_move_beside_one_that_is_too_early_is_played(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e3 plant d3\n\nComment: that hurt.")
    assert (await match_of(club, name)).course.ply == 3
    assert "Comments on moves are for when the match is over" in said(club, ANN)


async def test_one_that_fails_stops_no_other(club: Club) -> None:
    name = await over(club)
    await club.answer(ANN, "comment 9: No.\n\ncomment 1: Yes.\n\ncomment 2: Yes, too.")
    assert [one[2] for one in await comments_of(club, name)] == ["Yes.", "Yes, too."]


async def test_a_stranger_to_the_match_learns_nothing_of_it(club: Club) -> None:
    name = await over(club)
    await club.answer(CLEO, f"unwatch {name}")
    await club.write(CLEO, f"{name} comment 1: Hm", to="games@pbem.example")
    assert await comments_of(club, name) == []


async def test_there_are_so_many_a_day(club: Club) -> None:
    name = await over(club)
    for part in range(3):
        lines = "\n".join(f"comment 1: {part}-{number}" for number in range(8))
        await club.answer(ANN, lines)
    assert len(await comments_of(club, name)) == 20
    assert "Tomorrow you can make more." in said(club, ANN)
    await club.wait(days=1)
    await club.answer(ANN, "comment 2: The next day.")
    assert len(await comments_of(club, name)) == 21
