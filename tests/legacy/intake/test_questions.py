"""What is in no order gets the board and the words, once; help knows its topics."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from pbem.legacy.cli import findings
from pbem.legacy.mail.verbs.verb_table import BY_WORD
from pbem.legacy.store import tables
from pbem.legacy.store.mails import inbox
from pbem.legacy.store.upkeep import deep
from pbem.legacy.transaction.coalescing import BEARINGS
from pbem.legacy.transaction.installation import find_match
from pbem.legacy.transaction.timers import KEPT
from tests.legacy.clubs.club import ANN, BOB, WORDS, Club, open_club
from tests.legacy.intake.test_conversations import (
    answer_old,
    at_play,
    first_line,
    invited,
    ply,
    register,
    status,
)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def words(club: Club, reader: str) -> str:
    """The newest mail as one line."""
    return " ".join(club.last(reader).text.split())


async def became(club: Club) -> tuple[str | None, str | None]:
    """What became of the newest letter, and its code."""

    def unit(conn: Connection) -> tuple[str | None, str | None]:
        [line] = inbox.listed(conn, limit=1)
        return line.disposition, line.code

    found = await club.read(unit)
    assert isinstance(found, tuple)
    return found


SENTENCES = (
    "Is anybody there?",
    "Hi, bin ich hier eigentlich richtig?",
    "I would love to, but I do not know how to move. Can anybody tell me?",
    "?",
    "Bonjour, c'est vous qui avez écrit ça ?",
    "",
)


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize(("reader", "turn"), [(ANN, "It is your turn."), (BOB, "Ann is to move.")])
async def test_a_letter_without_an_order_gets_the_board_and_the_words(
    club: Club, reader: str, turn: str, text: str
) -> None:
    name = await at_play(club)
    before = await ply(club, name), len(club.postbox.mails)
    await club.answer(reader, text)
    told = words(club, reader)
    assert await became(club) == ("refused", "no_orders")
    assert (await ply(club, name), len(club.postbox.mails)) == (before[0], before[1] + 1)
    assert turn in " ".join(club.last(reader).text.partition("===")[0].split())
    for part in ("5 | B |", '"board": the board', '"help all": all words'):
        assert part in told
    assert ("Nobody else has got it." in told) is bool(text)


async def test_every_letter_is_answered_in_short_the_second_time_in_a_ply(club: Club) -> None:
    # MAIL 4: no letter of a player meets silence.
    await at_play(club)
    for reader in (ANN, BOB):
        await club.answer(reader, "Is anybody there?")
        told, first = len(club.postbox.mails), len(club.last(reader).text)
        await club.answer(reader, "And why me?")
        assert (await became(club), len(club.postbox.mails)) == (("refused", "no_orders"), told + 1)
        assert len(club.last(reader).text) < first
    await club.answer(BOB, "I asked you something, did I not?\n\nboard")  # an order is an order
    assert "as it is now" in first_line(club.last(BOB))
    await club.answer(ANN, "e3 plant d3")
    told = len(club.postbox.mails)
    await club.answer(BOB, "Hm, and what is this now?")
    assert (await became(club), len(club.postbox.mails)) == (("refused", "no_orders"), told + 1)


async def test_the_third_letter_of_an_hour_without_an_order_is_the_last_that_is_answered(
    club: Club,
) -> None:
    await at_play(club)
    for text in ("Is anybody there?", "And why me?", "Hm, what now?"):
        assert "I answer no other" not in words(club, ANN)
        await club.answer(ANN, text)
    assert "I answer no other" in words(club, ANN)
    told = len(club.postbox.mails)
    await club.answer(ANN, "Anybody there?")
    assert (await became(club), len(club.postbox.mails)) == (("unanswered", None), told)
    await club.wait(hours=1)
    await club.answer(ANN, "Anybody there?")
    assert len(club.postbox.mails) == told + 1


async def test_it_is_told_again_on_a_ply_that_has_come_back(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "Is anybody there?")
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, "undo")
    await club.answer(BOB, "yes")
    assert await ply(club, name) == 2
    await club.answer(ANN, "Is anybody there?")
    assert await became(club) == ("refused", "no_orders")


@pytest.mark.parametrize("text", ["Thanks, Bob!", "Hallo zusammen", "Viele Grüße\nAnn"])
async def test_a_greeting_gets_nothing(club: Club, text: str) -> None:
    await at_play(club)
    told = len(club.postbox.mails)
    await club.answer(ANN, text)
    assert (await became(club), len(club.postbox.mails)) == (("greeting", None), told)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Sorry, could I perhaps undo that move of mine?", "undo"),
        ("I think that I have to resign, my friend.", "resign"),
        ("Wir sind im Urlaub, geht das?", "away 5 days"),
    ],
)
async def test_what_a_sentence_speaks_of_is_told_and_not_done(
    club: Club, said: str, meant: str
) -> None:
    await at_play(club)
    await club.answer(ANN, said)
    assert f'Did you mean "{meant}"? It works alone on a line.' in words(club, ANN)
    assert "What you want to tell the others begins with a word of ours" in words(club, ANN)


async def test_who_is_invited_and_asks_is_told_how_to_answer(club: Club) -> None:
    await invited(club)
    await club.answer(BOB, "What am I supposed to do?")
    assert '"accept": you play. - "decline": you do not play.' in words(club, BOB)


AGREEING = (
    ("Gern, annehmen", "Ja."),
    ("Klingt gut, ja", "ja"),
    ("sounds like a plan, accept", "yes"),
    ("ok let us go for this one: accept", "Yes"),
    ("I'd love to join!\n\nBob", "yes"),
)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("said", "yes"), AGREEING)
async def test_a_sentence_that_ends_with_an_order_is_asked_about(
    club: Club, said: str, yes: str, *, known: bool
) -> None:
    if known:
        await register(club, BOB)
    name = await invited(club)
    await club.answer(BOB, said)
    assert (await became(club), await status(club, name)) == (
        ("refused", "order_meant"),
        "challenge",
    )
    await club.answer(BOB, yes)
    assert await status(club, name) == "running"


async def test_only_a_yes_alone_is_a_newcomers_consent(club: Club) -> None:
    name = await invited(club)
    await club.answer(BOB, "sounds like a plan, accept")
    await club.answer(BOB, "Yes, with my cousin's pleasure, accept")
    assert (await became(club))[0] == "refused"
    assert await status(club, name) == "challenge"


@pytest.mark.parametrize(
    "said",
    [
        "Schade, keine Zeit, ich muss ablehnen",
        "sorry, too busy these days: decline",
    ],
)
async def test_a_sentence_that_declines_is_a_no(club: Club, said: str) -> None:
    await register(club, BOB)
    name = await invited(club)
    await club.answer(BOB, said)
    assert await became(club) == ("done", None)
    assert await status(club, name) == "off"


@pytest.mark.parametrize(
    "said",
    [
        "I do not know yet whether to accept",
        "Shall I accept?",
        "accept or decline, who knows",
        "Schön, dass du fragst",
    ],
)
async def test_what_only_speaks_of_an_order_is_not_asked_about(club: Club, said: str) -> None:
    await register(club, BOB)
    await invited(club)
    await club.answer(BOB, said)
    assert await became(club) == ("refused", "no_orders")


async def test_a_takeback_may_be_granted_so_and_only_while_nothing_is_played(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, "undo")
    await club.answer(BOB, "Of course, Ann, whatever you like, accept")
    assert (await became(club), await ply(club, name)) == (("refused", "order_meant"), 3)
    await club.answer(BOB, "yes")
    assert await ply(club, name) == 2


@pytest.mark.parametrize(("said", "order"), [("accept", "Accept"), ("Decline", "Decline")])
async def test_an_answer_to_a_pause_that_is_half_understood_is_asked_about(
    club: Club, said: str, order: str
) -> None:
    name = await at_play(club)
    await club.answer(ANN, "pause 5 days")
    await club.answer(BOB, f"Holiday sounds nice to me as well, {said}")
    assert await became(club) == ("refused", "order_meant")
    assert order.lower() in words(club, BOB)
    await club.answer(BOB, "yes")
    pending = (await club.read(lambda conn: find_match(conn, name))).match.pending  # type: ignore[attr-defined] # it is there
    assert pending.pause is None
    assert (pending.paused is not None) == (order == "Accept")


async def test_nobody_is_asked_whether_they_agree_to_what_they_ask(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "pause 5 days")
    await club.answer(ANN, "Holiday sounds nice to me as well, accept")
    assert await became(club) == ("refused", "no_orders")


async def test_who_asks_outside_of_a_match_is_told_of_all_matches_once_a_day(club: Club) -> None:
    await register(club, ANN)
    welcome = club.last(ANN)
    name = await at_play(club)
    await answer_old(club, ANN, welcome, "Where has everything gone, please?")
    assert await became(club) == ("refused", "no_orders")
    assert f"Logger {name} against Bob" in club.last(ANN).text
    assert '"new logger with bob@example.org": invites' in words(club, ANN)
    await answer_old(club, ANN, welcome, "And who are you?")
    assert f"Logger {name}" not in club.last(ANN).text
    told = len(club.postbox.mails)
    await answer_old(club, ANN, welcome, "games")
    assert len(club.postbox.mails) == told + 1
    await club.wait(days=1)
    await answer_old(club, ANN, welcome, "And who are you?")
    assert await became(club) == ("refused", "no_orders")


async def test_against_a_program_nobody_is_told_of_others_who_read(club: Club) -> None:
    await club.write(ANN, "new looney ludo with bot")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "Is anybody there?")
    assert "It is your turn." in words(club, ANN)
    assert "say Hello!" not in words(club, ANN)
    await club.answer(ANN, "help")
    assert "say Hello!" not in words(club, ANN)


async def test_help_is_short_and_leads_to_all_of_it(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "help")
    assert len(club.last(ANN).text.splitlines()) < 30
    assert '"help all": all words that you can write.' in club.last(ANN).text


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("help all", "What you can write in a mail"),
        ("Hilfe alles", "What you can write in a mail"),
        ("hilfe alle", "What you can write in a mail"),
        ("Hilfe Zug", "How a move is written."),
        ("help move", "How a move is written."),
        ("Hilfe mein Zug", "How a move is written."),
        ("hilfe rückgängig", 'Help on "undo".'),
        ("Hilfe Remis anbieten, bitte", 'Help on "offer draw".'),
    ],
)
async def test_help_knows_its_topics_in_every_language(club: Club, asked: str, first: str) -> None:
    await at_play(club)
    await club.answer(ANN, asked)
    assert await became(club) == ("done", None)
    assert first in first_line(club.last(ANN))




async def test_a_topic_that_is_nearly_one_is_asked_about(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "help bord")
    assert await became(club) == ("refused", "no_such_topic")
    assert 'Did you mean "board"' in words(club, ANN)


async def test_the_rules_say_what_is_asked_of_them(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "Hello!\nWhat are protesters good for?")
    assert "The rules say of this:" in words(club, ANN)
    assert "Protest put protesters from your hand on mature trees" in words(club, ANN)
    assert await became(club) == ("refused", "no_orders")
    await club.answer(BOB, "Do you like the weather?")
    assert "The rules say of this:" not in words(club, BOB)


@pytest.mark.sqlite
async def test_no_question_or_answer_is_damage_to_who_looks_deep(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "Hello Bob, I would like to play e3 plant d3 but am not sure")
    await club.answer(BOB, "Is anybody there?")

    def unit(conn: Connection) -> tuple[set[str], set[str], list[str]]:
        asked, sent = (
            {*conn.execute(select(column)).scalars()}
            for column in (tables.question.c.kind, tables.outbox.c.kind)
        )
        return asked, sent, [*deep.wrong(conn, club.house.now(), findings.kinds())]

    found: Any = await club.read(unit)
    asked, sent, wrong = found
    assert KEPT in asked
    assert BEARINGS in sent
    assert wrong == []
