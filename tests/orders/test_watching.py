"""Spectators by mail: what they see, what they may ask for, and who keeps them away."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pbem.games.game import Style
from pbem.matches.match import Match
from pbem.names import MatchId
from pbem.transaction.installation import find_match, verified
from tests.clubs.club import ANN, BOB, CLEO, Clock, Club, open_club
from tests.clubs.hostile import registered
from tests.clubs.kept import kept


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
async def begun(club: Club, order: str = f"new logger with {BOB} seat_order=given") -> MatchId:
    """A match of Ann and Bob, in which Ann has placed her logger."""
    await club.answer(ANN, order)
    await club.answer(BOB, "accept")
    found = re.search(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b", club.last(ANN).subject)
    assert found is not None
    return MatchId(found[0])


@kept
async def watched(club: Club) -> MatchId:
    """The same with Cleo watching."""
    name = await begun(club)
    await club.answer(ANN, "e1")
    await club.answer(CLEO, f"watch {name}")
    return name


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


async def test_a_spectator_gets_the_board_and_then_every_move(club: Club) -> None:
    name = await watched(club)
    assert said(club, CLEO).startswith(f"You are watching Logger {name}. Bob is to move.")
    before = len(club.mails(CLEO))
    await club.answer(BOB, "a5")
    await club.answer(ANN, "e3 plant d3")
    first, second = club.mails(CLEO)[before:]
    assert first.text.startswith(f"News of Logger {name}, which you watch. Ann is to move.")
    assert "- Bob puts the logger on a5" in first.text
    assert "Ann goes from e1 to e3 and plants d3" in " ".join(second.text.split())
    assert "Bob puts" not in second.text
    assert "1 other player watches this match." in club.last(BOB).text
    assert "Cleo" not in club.last(BOB).text
    await club.answer(BOB, "resign yes")
    assert "which you watch: it is over, and Ann has won." in said(club, CLEO)
    found: Any = await club.read(lambda conn: verified(conn, name))
    assert found[0].findings == ()


@pytest.mark.parametrize("word", ["unwatch", "unwatch K7QX2"])
async def test_one_word_in_a_reply_stops_it(club: Club, word: str) -> None:
    name = await watched(club)
    await club.answer(CLEO, word.replace("K7QX2", name))
    assert "You watch the match no more." in said(club, CLEO)
    before = len(club.mails(CLEO))
    await club.answer(BOB, "a5")
    assert len(club.mails(CLEO)) == before
    await club.answer(CLEO, "unwatch")
    assert "say Hello!" not in club.last(CLEO).text
    assert "You watch no such match." in said(club, CLEO)


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("board", "as it is now. Bob is to move."),
        ("history", "so far: 1 move."),
        ("replay", "Open the page that comes with this mail"),
        ("gif", "The picture that comes with this mail"),
        ("analysis", "An analysis is for"),
        ("proof", "This service signs no"),
        ("record", "1. place e1"),
        ("verify", "history and draws are sound"),
        ("rules", "Logger"),
        ("say Nice!", "says nothing to the players before the match is over"),
        ("a5", "You only watch"),
        ("try a5", "You only watch"),
        ("resign yes", "You only watch"),
        ("note hm", "You only watch"),
        ("accept", "You only watch"),
        ("rematch", "You only watch"),
    ],
)
async def test_a_spectator_may_ask_for_what_is_public(club: Club, order: str, answer: str) -> None:
    name = await watched(club)
    before = await match_of(club, name)
    await club.answer(CLEO, order)
    assert answer in said(club, CLEO)
    assert await match_of(club, name) == before


async def test_after_the_end_a_spectator_may_speak_and_is_spoken_to(club: Club) -> None:
    await watched(club)
    await club.answer(ANN, "resign yes")
    await club.answer(CLEO, "say Well played!")
    for player in (ANN, BOB):
        assert "Cleo writes to you" in said(club, player)
    await club.answer(ANN, "say Thank you.")
    assert "Ann writes to you" in said(club, CLEO)


async def test_mails_name_whom_words_reach(club: Club) -> None:
    """One player by name; whoever watches hears them once it is over, and is not named."""
    name = await watched(club)
    await club.answer(ANN, "board")
    assert "To tell Bob something" in said(club, ANN)
    await club.answer(ANN, "resign yes")
    assert "A kind word to the others" in said(club, ANN)
    await club.answer(CLEO, f"unwatch {name}")
    await club.answer(ANN, "board")
    assert "To tell Bob something" in said(club, ANN)
    await club.insist(BOB, "delete me")
    await club.answer(ANN, "say Good game!")
    assert "To tell" not in said(club, ANN)


async def test_beside_a_bot_words_reach_who_watches_when_it_is_over(club: Club) -> None:
    await club.write(ANN, "new logger with bot")
    await club.answer(ANN, "yes")
    await club.work()
    found = re.search(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b", club.last(ANN).subject)
    assert found is not None
    await club.answer(CLEO, f"watch {found[0]}")
    heard = len(club.mails(CLEO))
    await club.answer(ANN, "say Hello!")
    assert "others will read it" not in said(club, ANN)
    assert "To tell" not in said(club, ANN)
    assert len(club.mails(CLEO)) == heard
    await club.answer(ANN, "resign yes")
    assert "A kind word to the others" in said(club, ANN)
    await club.answer(ANN, "say Hello!")
    assert "Hello!" in said(club, CLEO)


async def test_what_players_write_to_each_other_is_not_for_spectators(club: Club) -> None:
    await watched(club)
    await club.answer(
        BOB, "a5\n\nsay I really like this corner best of all.\n\nsay Your move, Ann!"
    )
    assert "this corner best" in club.last(ANN).text
    assert "Your move, Ann" in club.last(ANN).text
    assert all("this corner best" not in mail.text for mail in club.mails(CLEO))
    assert all("Your move, Ann" not in mail.text for mail in club.mails(CLEO))


async def test_nobody_watches_a_private_match_or_one_that_there_is_not(club: Club) -> None:
    name = await begun(club, f"new logger with {BOB} private seat_order=given")
    await club.answer(CLEO, f"watch {name}")
    private = said(club, CLEO).partition("You wrote")[2]
    assert "There is nothing to watch" in private
    await club.answer(CLEO, "watch X9X9X")
    assert said(club, CLEO).partition("You wrote")[2].replace("X9X9X", name) == private
    await club.answer(ANN, f"watch {name}")
    assert "You play in this match" in said(club, ANN)


async def test_a_block_keeps_spectators_away_and_sends_them_away(club: Club) -> None:
    name = await watched(club)
    await club.answer(BOB, "block Cleo")
    assert "and Cleo can watch no match of yours." in said(club, BOB)
    assert (await match_of(club, name)).table.watchers == ()
    assert said(club, CLEO).startswith(f"You no longer watch Logger {name}:")
    assert "Bob" not in club.last(CLEO).text
    assert "block" not in club.last(CLEO).text
    before = len(club.mails(CLEO))
    await club.answer(BOB, f"{name} a5")
    assert len(club.mails(CLEO)) == before
    await club.answer(CLEO, f"watch {name}")
    assert "There is nothing to watch" in said(club, CLEO)


async def test_a_spectator_sees_no_hidden_face(club: Club) -> None:
    name = await begun(club, f"new logan stones with {BOB} starter=given")
    await club.answer(CLEO, f"watch {name}")
    match = await match_of(club, name)
    shown = match.game.board(match.course.position, None, Style.ASCII)
    assert all(line in club.last(CLEO).text for line in shown.lines)


async def test_a_digest_tells_a_spectator_of_several_moves_once(club: Club) -> None:
    await watched(club)
    await club.answer(CLEO, "digest 18:00")
    before = len(club.mails(CLEO))
    await club.answer(BOB, "a5")
    await club.answer(ANN, "e3 plant d3")
    assert len(club.mails(CLEO)) == before
    assert isinstance(club.clock, Clock)
    club.clock.time = club.clock.time.replace(hour=18, minute=1)
    await club.work()
    [digest] = club.mails(CLEO)[before:]
    assert digest.text.count("Bob puts the logger on a5") == 1
    assert digest.text.count("Ann goes from e1 to e3") == 1


async def test_who_is_forgotten_watches_no_more(club: Club) -> None:
    name = await watched(club)
    await club.insist(CLEO, "delete me")
    assert "has forgotten you" in said(club, CLEO)
    assert (await match_of(club, name)).table.watchers == ()
