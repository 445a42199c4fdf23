"""What people really write: slips, courtesies, late mails and words that mean two things."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from email.utils import parseaddr
from functools import partial
from pathlib import Path

import pytest

from pbem.games.record_text import tag_of
from pbem.names import MatchId
from pbem.legacy.store import views
from pbem.legacy.wiring.correspondent import ReceivedMail
from tests.legacy.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.legacy.clubs.kept import kept


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def invited(club: Club) -> MatchId:
    """Bob has an invitation of Ann, who sits first."""
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    found = re.search(r"Logger (\w{5})", club.last(ANN).subject)
    assert found is not None
    return MatchId(found[1])


async def register(club: Club, reader: str) -> None:
    """Somebody has consented to play here: they may answer in any words from then on."""
    await club.write(reader, "games")
    await club.answer(reader, "yes")


@kept
async def at_play(club: Club) -> MatchId:
    """Ann and Bob have placed their loggers; Ann is to move."""
    name = await invited(club)
    await club.answer(BOB, "accept")
    await club.answer(ANN, "e1")
    await club.answer(BOB, "a5")
    return name


async def ply(club: Club, name: MatchId) -> int:
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert isinstance(row, views.MatchRow)
    return row.ply


async def status(club: Club, name: MatchId) -> str:
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert isinstance(row, views.MatchRow)
    return row.status


async def answer_old(club: Club, reader: str, mail: ReceivedMail, text: str) -> None:
    """Somebody answers a mail that is not their newest."""
    letter = club.letter(reader, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


def first_line(mail: ReceivedMail) -> str:
    return mail.text.splitlines()[0]


# --- yes and no ----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["Yes", "yes please", "Yes, please!", "OK.", "accept, thanks!"])
async def test_an_invitation_is_accepted_in_many_words(club: Club, word: str) -> None:
    await register(club, BOB)
    name = await invited(club)
    await club.answer(BOB, word)
    assert await status(club, name) == "running"


async def test_who_answers_an_invitation_with_friendly_words_accepts_it(club: Club) -> None:
    name = await invited(club)
    await club.answer(BOB, "Sure, sounds great!")
    assert await status(club, name) == "running"


async def test_who_answers_an_invitation_with_small_talk_is_asked(club: Club) -> None:
    name = await invited(club)
    await club.answer(BOB, "Sure, sounds great, I have just painted the shed!")
    assert await status(club, name) == "challenge"
    await club.answer(BOB, "yes")
    assert await status(club, name) == "running"


async def test_yes_to_another_mail_than_the_one_that_asked_resigns_nothing(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "resign")
    await answer_old(club, ANN, club.mails(ANN)[-2], "ok")
    assert await status(club, name) == "running"
    assert "asked nothing" in club.last(ANN).text


async def test_who_plays_on_has_not_resigned_and_a_later_yes_does_not(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "resign")
    asked = club.last(ANN)
    await club.answer(ANN, "e3 plant d3")
    await answer_old(club, ANN, asked, "yes")
    assert await status(club, name) == "running"


async def test_who_has_moved_reads_what_came_since(club: Club) -> None:
    await club.write(ANN, f"new looney ludo with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    first = BOB if "you move first" in first_line(club.last(BOB)) else ANN
    second = ANN if first == BOB else BOB
    await club.answer(first, "pass")
    assert "So far:" in club.last(second).text
    await club.answer(second, "pass")
    assert "So far:" not in club.last(first).text
    assert "(draw " in club.last(first).text


async def test_withdraw_takes_an_invitation_back_and_gives_no_match_up(club: Club) -> None:
    off = await invited(club)
    await club.wait(days=1)  # who has never answered gets one mail a day
    await club.answer(ANN, "withdraw")
    assert await status(club, off) == "off"
    assert "took the invitation" in first_line(club.last(BOB))
    await club.wait(days=1)
    await club.answer(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "withdraw")
    assert "resign" not in first_line(club.last(ANN))
    rows = await club.read(partial(views.matches, statuses=("running",)))
    assert len(list(rows)) == 1  # type: ignore[call-overload]


async def test_no_closes_a_question(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "resign")
    asked = club.last(ANN)
    await club.answer(ANN, "no")
    assert "the question is closed" in first_line(club.last(ANN))
    await answer_old(club, ANN, asked, "yes")
    assert await status(club, name) == "running"


async def test_resigning_is_asked_once_and_done_on_yes(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "resign")
    await club.answer(ANN, "Yes!")
    assert await status(club, name) == "ended"


async def test_a_question_may_be_answered_in_a_sentence(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "I resign.")
    asked = club.last(ANN)
    await club.answer(ANN, "Well, what would happen then")
    assert "still waits" in " ".join(club.last(ANN).text.split())
    assert await status(club, name) == "running"
    await answer_old(club, ANN, asked, "Yes, I want to resign.\n\nDora")
    assert await status(club, name) == "ended"


@pytest.mark.parametrize("said", ["Yes, but let me think", "Well, what would happen then"])
async def test_an_answer_that_is_none_is_asked_for_again_where_it_is_refused(
    club: Club, said: str
) -> None:
    name = await at_play(club)
    await club.answer(ANN, "resign")
    asked = club.last(ANN)
    await club.answer(ANN, said)
    await club.answer(ANN, said)
    await club.answer(ANN, "Yes")
    assert await status(club, name) == "ended"
    await answer_old(club, ANN, asked, "yes")
    assert "answered that question already" in " ".join(club.last(ANN).text.split())


async def test_yes_with_regrets_is_yes(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "resign")
    await club.answer(ANN, "Ja, leider.")
    assert await status(club, name) == "ended"


async def test_who_was_doubted_and_says_so_in_a_sentence_is_asked_again(club: Club) -> None:
    await at_play(club)
    await club.write(ANN, "new logger with bob@example.net")
    assert "Was this you?" in club.last(ANN).text
    await club.answer(ANN, "Yes, it was me!")
    assert "your answer said more" in club.last(ANN).text
    await club.answer(ANN, "yes")
    assert "Your invitation to Logger" in first_line(club.last(ANN))


# --- late mails ----------------------------------------------------------------------------------


async def test_a_late_mail_for_an_earlier_ply_plays_nothing(club: Club) -> None:
    # MAIL 4: its writer has seen another board.
    name = await at_play(club)
    prompt = club.last(ANN)
    await club.answer(ANN, "e3 plant d3")
    await club.answer(BOB, "a3 plant b3")
    before = await ply(club, name)
    await answer_old(club, ANN, prompt, "stay plant d3")
    assert await ply(club, name) == before
    assert "move 5 is due by now" in " ".join(club.last(ANN).text.split())
    assert "+-----+" in club.last(ANN).text
    await club.answer(ANN, "e2 plant e1")
    assert await ply(club, name) == before + 1


async def test_an_older_mail_will_do_while_its_move_is_due(club: Club) -> None:
    name = await at_play(club)
    prompt = club.last(ANN)
    await club.answer(ANN, "board")
    await club.answer(BOB, "say Take your time!")
    await answer_old(club, ANN, prompt, "e3 plant d3")
    assert await ply(club, name) == 3


async def test_an_older_mail_of_the_match_still_shows_the_board(club: Club) -> None:
    await at_play(club)
    prompt = club.mails(ANN)[-3]
    await club.answer(ANN, "e3 plant d3")
    await answer_old(club, ANN, prompt, "board")
    assert "as it is now" in first_line(club.last(ANN))


# --- slips ---------------------------------------------------------------------------------------


async def test_a_full_stop_behind_an_address_is_no_part_of_it(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}. seat_order=given")
    await club.answer(ANN, "yes")
    assert "accept" in club.last(BOB).text


@pytest.mark.parametrize("asked", ["a game of Logger", "game logger", "logger game", "Logger"])
async def test_a_game_is_known_by_what_people_call_it(club: Club, asked: str) -> None:
    await club.write(ANN, f"New {asked} with {BOB}")
    await club.answer(ANN, "yes")
    assert "invites you to Logger" in club.last(BOB).subject


async def test_who_names_no_game_is_shown_how(club: Club) -> None:
    await club.write(ANN, f"new game with {BOB}")
    await club.answer(ANN, "yes")
    assert '"new logger with bob@example.org"' in " ".join(club.last(ANN).text.split())


async def test_who_asks_for_rules_of_no_game_is_asked_of_which(club: Club) -> None:
    await club.write(ANN, "settings")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "rules")
    assert "Of which game? You can play: Landrush, Logan Stones" in club.last(ANN).text


@pytest.mark.parametrize("words", ["ok thanks", "Good luck to you", "well played"])
async def test_mere_courtesy_is_no_order_and_not_taken_for_one(club: Club, words: str) -> None:
    name = await at_play(club)
    await club.answer(ANN, words)
    assert await ply(club, name) == 2
    text = club.last(ANN).text
    assert "Did you mean" not in text
    assert '"say Hello!"' in text


async def test_a_verb_with_too_many_words_is_not_called_unknown(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "stop foo")
    assert 'I know "stop", but not with what stands behind it' in club.last(ANN).text


async def test_a_block_of_nobody_says_what_is_missing(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "block")
    assert 'After "block" a name or a mail address is missing' in club.last(ANN).text


async def test_help_tells_how_to_write_a_move(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "help move")
    assert "stay chop d3" in club.last(ANN).text
    assert "How a move is written" in first_line(club.last(ANN))
    assert "invitations" not in club.last(ANN).text


async def test_no_line_of_an_answer_is_too_long(club: Club) -> None:
    await at_play(club)
    for words in ("help nothing", "help", "rules", "games", "record", "bord", "board 77", "new x"):
        await club.answer(ANN, words)
    lines = [line for mail in club.mails(ANN) for line in mail.text.splitlines()]
    # But a tag of a record is whole: it is copied out.
    assert [line for line in lines if len(line) > 72 and tag_of(line) is None] == []


async def test_what_is_said_runs_to_the_blank_line_and_is_accounted_for_whole(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "board\nsay one\nhistory\n\nboard 1")
    assert "| one\n| history" in club.last(BOB).text.replace("\r", "")
    assert '"say one history": The others will read it.' in club.last(ANN).text


# --- privacy -------------------------------------------------------------------------------------


async def test_a_stranger_to_a_match_learns_nothing_of_it(club: Club) -> None:
    name = await at_play(club)
    await club.write(CLEO, f"{name} board")
    await club.answer(CLEO, "yes")
    for mail in club.mails(CLEO):
        assert "Ann" not in mail.subject
        assert "Fair play" not in mail.text
        assert "Bob" not in mail.text
    assert f"You have no match {name}" in club.last(CLEO).text


# --- mails that answer none of ours --------------------------------------------------------------


async def test_a_fresh_mail_is_held_until_its_writer_says_yes(club: Club) -> None:
    name = await at_play(club)
    await club.write(ANN, f"{name} board")
    assert "Nothing in it proves that you sent" in club.last(ANN).text
    await club.answer(ANN, "yes")
    assert "as it is now" in first_line(club.last(ANN))


async def test_what_was_held_is_quoted_when_it_is_refused(club: Club) -> None:
    await at_play(club)
    await club.write(ANN, "new chess with Bob")
    await club.answer(ANN, "yes")
    assert 'You wrote "new chess with Bob"' in club.last(ANN).text


@pytest.mark.parametrize("text", ["e3 plant d3", "E3. Plant d3", "move e3 plant d3"])
async def test_a_move_is_known_by_the_name_of_its_match(club: Club, text: str) -> None:
    name = await at_play(club)
    await club.answer(ANN, f"new logger with {CLEO}")
    assert name not in club.last(ANN).subject
    await club.write(ANN, f"{name} {text}")
    await club.answer(ANN, "yes")
    assert await ply(club, name) == 3


async def test_an_order_for_another_match_is_taken_in_any_reply(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, f"new logger with {CLEO}")
    await club.answer(ANN, f"{name} e3 plant d3")
    assert await ply(club, name) == 3
    await club.answer(ANN, f"{name} board")
    assert f"Logger {name} as it is now" in club.last(ANN).text


async def test_one_mail_may_have_a_move_for_each_of_several_matches(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, f"new logger with {CLEO} seat_order=given")
    await club.answer(CLEO, "accept")
    found = re.search(r"\[Logger (\w{5})\]", club.last(CLEO).subject)
    assert found is not None
    await club.answer(ANN, f"{name} e3 plant d3\n{found[1]} a1")
    assert await ply(club, name) == 3
    assert await ply(club, MatchId(found[1])) == 1


async def test_the_same_move_twice_is_one_move(club: Club) -> None:
    name = await at_play(club)
    await club.answer(ANN, "e3 plant d3\n\nAgain:\n\ne3; plant d3")
    assert await ply(club, name) == 3


async def test_every_board_that_waits_can_be_answered_by_its_name(club: Club) -> None:
    first = await at_play(club)
    await club.answer(ANN, f"new logger with {CLEO} seat_order=given")
    await club.answer(CLEO, "accept")
    await club.answer(ANN, "games next")
    offered = re.search(r'as\s+in "(\w{5}) ([^"]+)"', club.last(ANN).text)
    assert offered is not None
    before = await ply(club, first)
    await club.answer(ANN, f"{offered[1]} {offered[2]}")
    assert await ply(club, first) == before + 1
    assert offered[1] == first  # the longest waited for


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("c3 plant c2", "cannot reach c3"),
        ("e9 plant e2", '"e9" is not on the board'),
        ("d1 plant a5", "a5"),
    ],
)
async def test_a_part_of_a_faulty_move_is_never_offered_for_it(
    club: Club, typed: str, why: str
) -> None:
    name = await at_play(club)
    await club.answer(ANN, typed)
    text = " ".join(club.last(ANN).text.split())
    assert "your move? Reply with" not in text
    assert why in text
    await club.answer(ANN, "yes")
    assert await ply(club, name) == 2


async def test_an_invitation_shares_neither_thread_nor_subject_with_its_match(club: Club) -> None:
    # PLAY 1: seats are drawn at the start, so the subject of the match is not known before.
    await club.write(ANN, f"new logger with {BOB}, {CLEO}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    before = [*club.mails(ANN)[-1:], *club.mails(BOB), *club.mails(CLEO)]
    await club.answer(CLEO, "accept")
    match = [club.last(reader) for reader in (ANN, BOB, CLEO)]
    assert {mail.subject.partition(" ")[0] for mail in match} == {"[Logger"}
    assert len({mail.subject for mail in match}) == 1
    assert not {mail.subject for mail in before} & {mail.subject for mail in match}
    refers = {ident for mail in match for ident in mail.references.split()}
    apart = {ident for mail in before for ident in (*mail.references.split(), mail.message_id)}
    assert not refers & apart
    assert len(refers) == 3


async def test_the_subject_stays_when_somebody_is_called_otherwise(club: Club) -> None:
    name = await at_play(club)
    subject = f"[Logger {name}] Ann - Bob"
    await club.answer(BOB, "name Robert")
    await club.answer(ANN, "e3 plant d3")
    assert club.last(BOB).subject == subject
    assert "in Logger" in club.last(BOB).text
    await club.answer(ANN, "board")
    assert "Robert" in club.last(ANN).text
    await club.answer(BOB, "delete me")
    await club.answer(BOB, "yes")
    assert club.last(ANN).subject == f"[Logger {name}] Ann - ?"


async def test_a_footer_names_only_what_works(club: Club) -> None:
    # PLAY 1: `resign` where one plays, and only there.
    def named(reader: str) -> set[str]:
        return set(club.last(reader).text.partition("Any time:")[2].split())

    await at_play(club)
    for player in (ANN, BOB):
        await club.answer(player, "board")
        assert "resign" in named(player)
    await club.answer(BOB, "try a3 plant b3")
    assert "Not your turn yet" in club.last(BOB).text
    await club.answer(BOB, "games")
    assert "games" in named(BOB)
    assert "resign" not in named(BOB)


async def test_whatever_shows_a_draw_has_its_number_and_link(club: Club) -> None:
    # PLAY 4: dice are shown again by a refusal, by `board`, and by what was drawn before.
    def links(reader: str) -> list[str]:
        return re.findall(r"(?<=\n)Draw \d+: [0-9a-f]{20}\b", club.last(reader).text)

    await club.write(ANN, f"new looney ludo with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    player = next(one for one in (ANN, BOB) if "\nYour turn in" in club.last(one).text)
    drawn = links(player)
    assert len(drawn) == 1  # those before it follow by hashing
    await club.answer(player, "swap Red Red")
    assert links(player)[-1] == drawn[-1]
    await club.answer(player, "pass")
    await club.answer(player, "board 0")
    assert links(player)[-1] == drawn[-1]
    other = BOB if player == ANN else ANN
    await club.answer(player, "board")
    assert links(player)
    assert links(player)[-1] == links(other)[-1] != drawn[-1]
