"""Conditional moves by mail: given, shown, played at once, void, and seen by nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from pbem.names import MatchId
from pbem.runners.timers import fire_due
from pbem.store.log import event_log
from pbem.store.mails import inbox
from pbem.transaction.installation import load_match, match_stream, verified
from tests.clubs.club import ANN, BOB, CLEO, Clock, Club, open_club
from tests.intake.test_conversations import answer_old, at_play, ply


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def words(club: Club, reader: str) -> str:
    """The newest mail as one line."""
    return " ".join(club.last(reader).text.split())


async def sound(club: Club, name: MatchId) -> bool:
    found = await club.read(lambda conn: verified(conn, name))
    return isinstance(found, tuple) and found[0].findings == ()


async def test_an_answer_is_given_shown_and_played_at_once(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e3 plant d3\n\nIf A3, plant B3, then “e2 plant e1”.")
    text = words(club, ANN)
    assert "- If: Bob goes from a5 to a3 and plants b3" in text
    assert "- you answer: Ann goes from e3 to e2 and plants e1" in text
    anns, bobs = len(club.mails(ANN)), len(club.mails(BOB))
    await club.answer(BOB, "a3 plant b3")
    assert await ply(club, name) == 5
    (mail,) = club.mails(BOB)[bobs:]  # his move, her answer, his turn: one mail
    assert mail.text.startswith("Your turn in Logger")
    assert "(At once, as decided in advance.)" in " ".join(mail.text.split())
    (mail,) = club.mails(ANN)[anns:]
    assert " ".join(mail.text.split()).startswith(f"What you named in Logger {name} was played")
    assert '"e2; plant e1"' in mail.text
    await club.answer(BOB, "history")
    assert '5. Ann: "e2; plant e1". (decided in advance)' in words(club, BOB)
    await club.answer(BOB, "record")
    assert "5. e2; plant e1 {decided before}" in words(club, BOB)
    assert await sound(club, name)


async def test_conditions_stand_in_every_mail_of_their_owner_and_in_nobody_elses(
    club: Club,
) -> None:
    name = await at_play(club)
    bobs = len(club.mails(BOB))
    await club.answer(ANN, "e3 plant d3\n\nif a4 plant b4 then e2 plant e1\nif any then resign yes")
    for order in ("board", "say Hello!", "history", "queue", "record", "verify"):
        await club.answer(ANN, order)
        assert "| if a4; plant b4 then e2; plant e1" in club.last(ANN).text
        assert "| if any then resign yes" in club.last(ANN).text
    for order in ("board", "history", "record", "verify", "queue", "diff 0 1"):
        await club.answer(BOB, order)
    for mail in club.mails(BOB)[bobs:]:
        assert b"e2; plant e1" not in mail.raw
        assert "a4; plant b4" not in mail.text
        assert "resign yes" not in mail.text
    events = await club.read(lambda conn: event_log.load(conn, match_stream(name)))
    assert isinstance(events, list)
    assert not any("e2" in event.data for event in events)


async def test_another_move_voids_them_and_the_prompt_says_so(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, "if a3 plant b3 then e2 plant e1, if any then e1 plant d1")
    anns = len(club.mails(ANN))
    await club.answer(BOB, "a4 plant b4")
    (mail,) = club.mails(ANN)[anns:]
    assert mail.text.startswith("Your turn in Logger")
    assert "is void: something else was played." in " ".join(mail.text.split())
    assert "| if" not in mail.text
    await club.answer(ANN, "queue")
    assert "No conditional moves" in words(club, ANN)


async def test_queue_clear_drops_them(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "queue clear")
    assert "You have decided nothing in advance" in words(club, ANN)
    await club.answer(ANN, "e3 plant d3\n\npremove e2 plant e1")
    assert "| if any then e2 plant e1" in club.last(ANN).text
    await club.answer(ANN, "queue clear")
    assert "Your conditional moves are dropped." in words(club, ANN)
    await club.answer(BOB, "a3 plant b3")
    assert await ply(club, name) == 4


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("if c1 plant c2 then e2 plant e1", "c1"),
        ("if a3 plant b3 then a1 plant a2", "a1"),
        ("if a3 plant b3 then resign", "is no answer that can be played"),
        ("if a3 plant b3 if a2 then e2 plant e1", "named more moves"),
    ],
)
async def test_what_cannot_come_true_is_refused_in_words(club: Club, typed: str, says: str) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(ANN, typed)
    assert "changed nothing" in words(club, ANN)
    assert says in words(club, ANN)


async def test_on_ones_own_turn_the_move_comes_first(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "if a3 plant b3 then e2 plant e1")
    assert "Write your move first" in words(club, ANN)
    await club.answer(ANN, "if a3 plant b3 then e2 plant e1\n\ne3 plant d3")
    await club.answer(BOB, "a3 plant b3")
    assert await ply(club, name) == 5


async def test_mails_may_cross(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    receipt = club.last(ANN)
    await club.answer(BOB, "a3 plant b3")
    await answer_old(club, ANN, receipt, "if a4 plant b4 then e2 plant e1")
    assert "has played" in words(club, ANN)
    await answer_old(club, ANN, receipt, "if a3 plant b3 then e2 plant e1")
    assert await ply(club, name) == 5
    await club.answer(BOB, "a4 plant b4")
    await answer_old(club, ANN, receipt, "if any then e2 plant e1")  # written for another board
    assert await ply(club, name) == 6


async def test_what_was_decided_before_ones_own_move_is_for_another_board(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e3 plant d3")
    receipt = club.last(ANN)
    await club.answer(BOB, "a3 plant b3")
    await club.answer(ANN, "e2 plant e1")
    await answer_old(club, ANN, receipt, "if any then e3 plant d2")
    loaded = await club.read(lambda conn: load_match(conn, name))
    assert loaded.match.pending.conditions == {}  # type: ignore[attr-defined]
    [line] = cast("list[inbox.InboxLine]", await club.read(partial(inbox.listed, limit=1)))
    assert (line.disposition, line.code) == ("refused", "stale_mail")
    await answer_old(club, ANN, club.mails(ANN)[-2], "if any then e3 plant d2")
    loaded = await club.read(lambda conn: load_match(conn, name))
    assert loaded.match.pending.conditions.keys() == {1}  # type: ignore[attr-defined]


async def test_sentences_that_begin_with_if_are_no_orders(club: Club) -> None:
    name = await at_play(club)
    said = ("If you like, then we can play faster.", "If it rains then I have time.")
    await club.answer(ANN, "\n".join((*said, "", "e3 plant d3")))
    assert await ply(club, name) == 2  # it is held: they may be conditions that went wrong
    assert words(club, ANN).startswith("Held until 13:01 UTC, since your mail says more: ")
    for sentence in said:
        assert f'"{sentence}"' in words(club, ANN)
    loaded = await club.read(lambda conn: load_match(conn, name))
    assert loaded.match.pending.conditions == {}  # type: ignore[attr-defined]
    await club.wait(minutes=60)
    assert await ply(club, name) == 3
    assert "Your turn in Logger" in words(club, BOB)
    assert "it rains" not in words(club, BOB)


async def test_three_players_name_a_move_each(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(CLEO, "accept")
    for player, move in ((ANN, "e1"), (BOB, "a5"), (CLEO, "e5"), (ANN, "e3 plant d3")):
        await club.answer(player, move)
    await club.answer(ANN, "if a3 plant b3 then e2 plant e1")
    assert "Cleo moves, too" in words(club, ANN)
    await club.answer(ANN, "if a3 plant b3 if any then e2 plant e1")
    assert "- and: Cleo plays anything." in words(club, ANN)
    await club.answer(BOB, "a3 plant b3")
    anns = len(club.mails(ANN))
    await club.answer(CLEO, "d5 plant d4")
    (mail,) = club.mails(ANN)[anns:]
    assert '"e2; plant e1"' in mail.text


async def test_a_ludo_answer_waits_for_its_dice(club: Club) -> None:
    await club.write(ANN, f"new looney ludo with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    mover, other = (ANN, BOB) if "Your move" in club.last(ANN).text else (BOB, ANN)
    await club.answer(other, "if pass then pass")
    assert "Something is drawn before it is your turn" in words(club, other)
    await club.answer(other, "if any then pass")
    assert "- Whatever happens until your turn," in words(club, other)
    await club.answer(mover, "pass")
    assert "(At once, as decided in advance.)" in words(club, mover)


async def test_hidden_faces_tell_nothing(club: Club) -> None:
    await club.write(ANN, f"new logan stones with {BOB} starter=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(BOB, "if rock n21 then 1 n19")
    assert "Write the move in full" in words(club, BOB)
    await club.answer(BOB, "if 1 n21 then 1 n19")
    assert '- If: "add 1 N21".' in words(club, BOB)
    assert "cannot be checked before its time" in words(club, BOB)


# --- the correction window -----------------------------------------------------------------------


async def test_conditions_after_a_held_move_stand_once_it_goes_out(tmp_path: Path) -> None:
    clock = Clock()
    club = open_club(tmp_path, clock=clock, window=5)
    name = await at_play_with_window(club, clock)
    await club.answer(ANN, "e3 plant d3\n\nif a3 plant b3 then e2 plant e1")
    assert "- If: Bob goes from a5 to a3" in words(club, ANN)
    await pass_time(club, clock)
    await club.answer(BOB, "a3 plant b3")
    assert await ply(club, name) == 3  # his move is held, and no condition sees it
    await pass_time(club, clock)
    assert await ply(club, name) == 5
    loaded = await club.read(lambda conn: load_match(conn, name).match.pending.held)
    assert loaded == {}  # the answer is not held
    assert await sound(club, name)
    club.house.db.close()


async def test_undo_takes_the_conditions_with_it(tmp_path: Path) -> None:
    clock = Clock()
    club = open_club(tmp_path, clock=clock, window=5)
    await at_play_with_window(club, clock)
    await club.answer(ANN, "e3 plant d3\n\nif a3 plant b3 then e2 plant e1")
    await club.answer(ANN, "undo")
    assert "decided in advance for after the move is dropped" in words(club, ANN)
    await club.answer(ANN, "e3 plant d3\n\nif a3 plant b3 then e2 plant e1")
    await club.answer(ANN, "e2 plant d2")
    assert "decided in advance for after the move is dropped" in words(club, ANN)
    await club.answer(ANN, "queue")
    assert "No conditional moves" in words(club, ANN)
    club.house.db.close()


async def at_play_with_window(club: Club, clock: Clock) -> MatchId:
    name = await at_play(club)
    await pass_time(club, clock)
    await club.answer(ANN, "e1")
    await pass_time(club, clock)
    await club.answer(BOB, "a5")
    await pass_time(club, clock)
    assert await ply(club, name) == 2
    return name


async def pass_time(club: Club, clock: Clock) -> None:
    clock.time += timedelta(minutes=6)
    await fire_due(club.house)
    await club.work()


async def test_who_resigns_in_advance_is_told_and_a_bot_plays_on(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, f"new logger with {BOB}, {CLEO} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(CLEO, "accept")
    for player, move in ((ANN, "e1"), (BOB, "a5"), (CLEO, "e5"), (ANN, "e3 plant d3")):
        await club.answer(player, move)
    await club.answer(ANN, "if any then resign yes")
    await club.answer(BOB, "a3 plant b3")
    await club.answer(CLEO, "d5 plant d4")
    assert "you have resigned, as you decided" in words(club, ANN)
    for other in (BOB, CLEO):
        assert ": Ann resigned, as decided in advance." in words(club, other)
        assert "Robot (medium) plays on for" in words(club, other)
    club.house.db.close()


async def test_both_read_that_a_resignation_was_decided_in_advance(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e3 plant d3\n\nif any then resign yes")
    await club.answer(BOB, "a3 plant b3")
    for reader in (ANN, BOB):
        assert "Ann resigned, as decided in advance." in words(club, reader)


async def test_the_end_of_an_agreed_game_names_the_agreement(club: Club) -> None:
    await club.write(ANN, f"new logan-stones with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "offer draw")
    await club.answer(BOB, "accept")
    assert "The game is over: a draw was agreed on. [LS-4.8]" in words(club, BOB)
