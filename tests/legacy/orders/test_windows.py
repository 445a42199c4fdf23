"""The correction window by mail: what is held is nobody else's to see, and goes out once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.games.game import Style
from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId
from pbem.legacy.notices.codec import load
from pbem.legacy.notices.replies import Account
from pbem.legacy.runners.receive import store_letter
from pbem.legacy.runners.timers import fire_due
from pbem.legacy.store import tables, timers, views
from pbem.legacy.store.log import event_log, exchange
from pbem.legacy.transaction.installation import find_match, match_stream, verified
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport import Fetched
from tests.legacy.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.legacy.clubs.kept import kept

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path, window=5)
    yield one
    one.house.db.close()


async def reply(club: Club, player: str, text: str) -> None:
    """An answer without a quote: what is in it is what is looked for."""
    mail = club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


@kept
async def begun(club: Club, game: str = "logger", *, others: str = BOB) -> MatchId:
    """A match in which it is Ann's turn."""
    first = {"logger": "seat_order=given", "logan stones": "starter=given"}.get(game, "")
    await club.write(ANN, f"new {game} with {others} {first}")
    await reply(club, ANN, "yes")
    for other in others.split(", "):
        await reply(club, other, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=2))
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


# --- holding -------------------------------------------------------------------------------------


async def test_a_move_goes_out_when_its_window_closes(club: Club) -> None:
    name = await begun(club)
    before = len(club.mails(BOB))
    await reply(club, ANN, "e1")
    assert f"Held until 12:05 UTC: your move in Logger {name}; then it goes to Bob." in said(
        club, ANN
    )
    assert 'Ann puts the logger on e1 ("place e1").' in said(club, ANN)
    assert 'Take it back: "undo" - Send it at once: "now"' in said(club, ANN)
    assert len(club.mails(BOB)) == before
    assert (await match_of(club, name)).course.ply == 0
    after = len(club.mails(ANN))
    await club.wait(minutes=5)
    assert "Your turn in Logger" in said(club, BOB)
    assert (await match_of(club, name)).course.ply == 1
    assert len(club.mails(ANN)) == after  # she has had her receipt
    assert await sound(club, name)


async def test_nothing_goes_with_a_held_move_that_was_not_said(club: Club) -> None:
    await begun(club)
    secret = "not: he is weak in the corner\nand will fall there\n\niff he goes there I attack"
    await reply(club, ANN, f"Such a fine day it is!\n\ne1\n\n{secret}")
    await club.wait(minutes=5)
    assert "Such a fine day it is!" not in said(club, BOB)
    for mail in club.mails(BOB):
        for word in ("weak", "fall there", "attack"):
            assert word not in mail.text


async def test_undo_is_a_word(club: Club) -> None:
    name = await begun(club)
    before = len(club.mails(BOB))
    await reply(club, ANN, "e1")
    await reply(club, ANN, "undo")
    assert 'Withdrawn: your move "place e1" in Logger' in said(club, ANN)
    assert "nobody has seen it" in said(club, ANN)
    assert "free corner: a1 a5 e1 e5" in said(club, ANN)
    await club.wait(minutes=10)
    assert (await match_of(club, name)).course.ply == 0
    await reply(club, ANN, "a1")
    await club.wait(minutes=5)
    assert (await match_of(club, name)).course.steps[-1].text == "place a1"
    assert len(club.mails(BOB)) == before + 1
    assert await sound(club, name)


async def test_now_lets_it_go_out_at_once(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    await reply(club, ANN, "now")
    assert 'Your move "place e1" has gone out.' in said(club, ANN)
    assert "Your turn in Logger" in said(club, BOB)
    before = len(club.postbox.mails)
    await club.wait(minutes=10)
    assert len(club.postbox.mails) == before
    assert (await match_of(club, name)).course.ply == 1


async def test_another_move_takes_its_place_and_has_a_window_of_its_own(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    await club.wait(minutes=3)
    await reply(club, ANN, "a1")
    assert "Held until 12:09 UTC" in said(club, ANN)
    await club.wait(minutes=3)
    assert (await match_of(club, name)).course.ply == 0
    await club.wait(minutes=3)
    assert [step.text for step in (await match_of(club, name)).course.steps] == ["place a1"]


async def test_what_was_decided_for_after_a_held_move_goes_with_it(club: Club) -> None:
    """With another move it would be for another board; the same move again keeps it."""
    name = await begun(club)
    await reply(club, ANN, "e1\n\nif any then e2 plant e1")
    assert (await match_of(club, name)).pending.conditions.keys() == {1}
    await reply(club, ANN, "e1")
    assert (await match_of(club, name)).pending.conditions.keys() == {1}
    await reply(club, ANN, "a1")
    assert (await match_of(club, name)).pending.held.keys() == {1}
    assert (await match_of(club, name)).pending.conditions == {}


async def test_a_letter_may_play_and_change_its_mind(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1\n\nnow")
    match = await match_of(club, name)
    assert match.course.ply == 1
    assert "Your turn in Logger" in said(club, BOB)
    await reply(club, BOB, "a5\n\nundo")
    assert (await match_of(club, name)).pending.held == {}
    assert "Withdrawn: your move" in said(club, BOB)
    assert 'is "place a5"' not in said(club, BOB)


async def test_orders_without_a_held_move_are_refused_in_words(club: Club) -> None:
    await begun(club)
    await reply(club, ANN, "undo")
    assert "There is no move of yours to take back." in said(club, ANN)
    await reply(club, ANN, "now")
    assert "No move of yours is waiting to go out." in said(club, ANN)


async def test_two_matches_hold_each_its_own(club: Club) -> None:
    one = await begun(club)
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await reply(club, ANN, "yes")
    await reply(club, BOB, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=3))
    two = next(MatchId(row.id) for row in rows if row.id != one)
    await reply(club, ANN, f"{one} e1\n\n{two} a1")
    assert (await match_of(club, one)).pending.held
    assert (await match_of(club, two)).pending.held
    await reply(club, ANN, f"{one} undo")
    await club.wait(minutes=6)
    assert (await match_of(club, one)).course.ply == 0
    assert (await match_of(club, two)).course.ply == 1


async def test_everybody_has_the_window_that_they_wish_for(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "window 2h\n\ne1")
    await club.wait(minutes=110)
    assert (await match_of(club, name)).course.ply == 0
    await club.wait(minutes=15)
    assert (await match_of(club, name)).course.ply == 1
    await reply(club, BOB, "window 0")
    assert 'This holds from now on: "window 0"' in said(club, BOB)
    await reply(club, BOB, "a5")
    assert (await match_of(club, name)).course.ply == 2
    await reply(club, ANN, "e3 plant d3")
    await club.wait(minutes=110)
    assert (await match_of(club, name)).course.ply == 2
    await club.wait(minutes=15)
    assert (await match_of(club, name)).course.ply == 3
    await reply(club, BOB, "window 25h")
    assert '"25h" is nothing that window can be' in said(club, BOB)


async def test_without_a_window_a_move_replaces_the_one_that_is_held(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    await reply(club, ANN, "window 0")
    await reply(club, ANN, "a1")
    assert [step.text for step in (await match_of(club, name)).course.steps] == ["place a1"]
    await club.wait(minutes=10)
    assert await sound(club, name)


# --- secrecy -------------------------------------------------------------------------------------


async def test_nobody_else_learns_of_a_held_move(club: Club) -> None:
    name = await begun(club)
    await reply(club, BOB, "verify")
    checked = said(club, BOB).partition("The head of the history")[0]
    seen = len(club.mails(BOB))
    await reply(club, ANN, "e1")
    for asked in ("board", "board 0", "history", "record", "games", "verify", "help"):
        await reply(club, BOB, asked)
    shown = club.mails(BOB)[seen:]
    assert len(shown) == 7
    for mail in shown:
        assert "place e1" not in " ".join(mail.text.split())
        assert "place e1" not in mail.raw.decode()
        assert "goes out" not in mail.text
    told = [mail.text for mail in shown if "Ann is to move" in " ".join(mail.text.split())]
    assert len(told) == 3  # the board twice, and the list of matches
    assert " ".join(shown[5].text.split()).startswith(checked[:60])
    lines: Any = await club.read(lambda conn: list(exchange.export(conn, match_stream(name))))
    assert not [line for line in lines if "place" in line and '"event_id"' in line]


async def test_what_was_checked_is_counted_without_held_moves(club: Club) -> None:
    await begun(club)
    await reply(club, BOB, "verify")
    first = said(club, BOB).partition("The head")[0]
    await reply(club, ANN, "e1")
    await reply(club, BOB, "verify")
    assert said(club, BOB).partition("The head")[0] == first


async def test_its_player_is_reminded_of_it_wherever_the_match_is_shown(club: Club) -> None:
    await begun(club)
    await reply(club, ANN, "e1")
    for asked in ("board", "games"):
        await reply(club, ANN, asked)
        assert 'Your move "place e1" goes out at 12:05 UTC' in said(club, ANN)
    await reply(club, ANN, "games next")
    assert "No match is waiting for you." in said(club, ANN)
    await reply(club, ANN, "history")
    assert "place e1" not in club.last(ANN).text


async def test_a_move_may_be_tried_while_another_is_held(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    await reply(club, ANN, "try a1")
    assert ': "place a1"; nothing was played' in said(club, ANN)
    assert (await match_of(club, name)).pending.held


async def test_a_turn_that_turns_hidden_faces_is_tried_and_held_without_showing_them(
    club: Club,
) -> None:
    name = await begun(club, "logan_stones")
    match = await match_of(club, name)
    address = dict(zip(match.table.entrants, (ANN, BOB), strict=True))
    mover = address[match.player_at(match.to_act[0])]
    moves = match.game.legal(match.course.position)
    seat = match.to_act[0]
    after = [match.game.tried(match.course.position, one, seat) for one in moves]
    drawn = ["\n".join(match.game.board(one, seat, Style.ASCII).lines) for one in after]
    hidden = [number for number, board in enumerate(drawn) if "[?" in board]
    move = match.game.notation(moves[hidden[0]])
    await reply(club, mover, f"try {move}")
    assert "nothing was played" in said(club, mover)
    assert "[?" in club.last(mover).text
    await reply(club, mover, move)
    assert "Held until" in said(club, mover)
    assert f'"{move}' in said(club, mover)
    truth = "\n".join(
        match.game.board(
            match.game.play(match.course.position, moves[hidden[0]]), seat, Style.ASCII
        ).lines
    )
    assert truth not in club.last(mover).text
    await club.wait(minutes=5)
    assert (await match_of(club, name)).course.ply == 1
    assert await sound(club, name)


# --- meanwhile -----------------------------------------------------------------------------------


async def test_a_draw_offered_beside_a_move_goes_out_with_it(club: Club) -> None:
    name = await begun(club, "logan_stones")
    match = await match_of(club, name)
    address = dict(zip(match.table.entrants, (ANN, BOB), strict=True))
    mover = address[match.player_at(match.to_act[0])]
    other = BOB if mover == ANN else ANN
    move = match.game.notation(match.game.legal(match.course.position)[0])
    before = len(club.mails(other))
    await reply(club, mover, f"{move}\n\noffer draw")
    assert "your move and your draw offer in Logan Stones" in said(club, mover)
    assert len(club.mails(other)) == before
    await club.wait(minutes=5)
    assert "offers a draw" in said(club, other)
    assert len(club.mails(other)) == before + 1
    await reply(club, other, "accept")
    assert (await match_of(club, name)).status is Status.ENDED
    assert await sound(club, name)


async def test_what_is_said_beside_a_move_goes_out_with_it(club: Club) -> None:
    name = await begun(club)
    before = len(club.mails(BOB))
    await reply(club, ANN, "say Now guess!\n\ne1")
    assert "What you say goes with it." in said(club, ANN)
    await reply(club, ANN, "a1")
    assert "What you say goes with it." in said(club, ANN)
    assert len(club.mails(BOB)) == before
    await club.wait(minutes=6)
    assert len(club.mails(BOB)) == before + 1
    assert "Now guess!" in club.last(BOB).text
    await reply(club, BOB, "a5\n\nsay Easy.")
    await reply(club, BOB, "undo")
    assert "What you wanted to say with it was not sent." in said(club, BOB)
    await reply(club, BOB, "e5")
    await reply(club, BOB, "say Hm.")
    assert "Hm." in club.last(ANN).text
    assert (await match_of(club, name)).course.ply == 1


async def test_what_was_to_be_said_is_dropped_if_the_match_ends_before(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1\n\nsay Good luck!")
    await reply(club, BOB, "resign yes")
    assert "Good luck!" not in club.last(BOB).text
    assert said(club, ANN).startswith("Over: you won")
    assert f'Withdrawn: your move "place e1" in Logger {name}, which nobody' in said(club, ANN)
    assert "What you wanted to say with it was not sent." in said(club, ANN)
    assert await sound(club, name)


async def test_who_agrees_to_a_takeback_is_told_of_the_move_that_was_held(club: Club) -> None:
    name = await begun(club)
    for player, move in ((ANN, "e1"), (BOB, "a5")):
        await reply(club, player, move)
        await reply(club, player, "now")
    await reply(club, ANN, "e3 plant d3\n\nsay I know your plan!")
    await reply(club, BOB, "undo")
    assert (await match_of(club, name)).pending.takeback is not None
    await reply(club, ANN, "yes")
    match = await match_of(club, name)
    assert (match.course.ply, match.pending.held) == (1, {})
    assert "which nobody has seen; the match has changed since" in said(club, ANN)
    assert "What you wanted to say with it was not sent." in said(club, ANN)
    assert not any("I know your plan" in mail.text for mail in club.mails(BOB))
    assert await sound(club, name)


async def test_the_opponent_resigns_and_the_held_move_is_never_played(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    await reply(club, BOB, "resign yes")
    assert "Over: you won" in said(club, ANN)
    await club.wait(minutes=10)
    match = await match_of(club, name)
    assert match.course.ply == 0
    assert await sound(club, name)
    await reply(club, ANN, "record")
    assert "place e1" not in club.last(ANN).text


async def test_resigning_is_not_held(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    await reply(club, ANN, "resign yes")
    assert (await match_of(club, name)).status is Status.ENDED
    await club.wait(minutes=10)
    assert (await match_of(club, name)).course.ply == 0


async def test_a_question_about_resigning_lapses_with_a_move(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "resign")
    asked = club.last(ANN)
    await reply(club, ANN, "e1")
    letter = club.letter(ANN, parseaddr(asked.reply_to)[1], "yes", Subject=f"Re: {asked.subject}")
    letter["In-Reply-To"] = asked.message_id
    await club.post(letter.as_bytes())
    assert (await match_of(club, name)).status is Status.RUNNING
    await reply(club, ANN, "resign")
    await reply(club, ANN, "yes")
    assert (await match_of(club, name)).status is Status.ENDED


async def test_three_players_and_one_leaves_while_a_move_is_held(club: Club) -> None:
    name = await begun(club, others=f"{BOB}, {CLEO}")
    await reply(club, ANN, "e1")
    await reply(club, CLEO, "resign yes")
    await club.wait(minutes=6)
    match = await match_of(club, name)
    assert match.course.ply == 1
    assert await sound(club, name)


async def test_a_move_for_another_ply_replaces_nothing(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    await reply(club, ANN, f"{name}#2 a1")
    assert "meant for move 2" in said(club, ANN)
    await reply(club, ANN, f"{name}#1 a5")
    await club.wait(minutes=6)
    assert [step.text for step in (await match_of(club, name)).course.steps] == ["place a5"]


# --- the timer -----------------------------------------------------------------------------------


async def test_an_undo_that_came_in_time_wins_over_the_timer(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    mail = club.last(ANN)
    letter = club.letter(ANN, parseaddr(mail.reply_to)[1], "undo", Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await store_letter(Fetched("test", "INBOX", 1, 99, letter.as_bytes(), None, None), club.house)
    club.clock.time = NOON.replace(hour=13)  # type: ignore[attr-defined]  # the driven clock
    await fire_due(club.house)
    await club.work()
    assert "Withdrawn: your move" in said(club, ANN)
    await club.wait(minutes=10)
    assert (await match_of(club, name)).course.ply == 0


async def test_a_timer_fires_once_even_if_two_workers_fire_it(club: Club) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    club.clock.time = NOON.replace(hour=13)  # type: ignore[attr-defined]  # the driven clock
    await asyncio.gather(fire_due(club.house), fire_due(club.house))
    await club.work()
    events: Any = await club.read(
        lambda conn: [one.type for one in event_log.load(conn, match_stream(name))]
    )
    assert events.count("MovePlayed") == 1
    due: Any = await club.read(timers.next_due)
    assert due > NOON.replace(day=22)  # a deadline, and nothing that is held


async def test_a_timer_that_was_cut_off_fires_again_and_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await begun(club)
    await reply(club, ANN, "e1")
    club.clock.time = NOON.replace(hour=13)  # type: ignore[attr-defined]  # the driven clock
    before = len(club.mails(BOB))
    whole = Transaction.close

    def cut_off(txn: Transaction) -> None:
        whole(txn)
        raise RuntimeError("killed before the commit")

    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "close", cut_off)
        await fire_due(club.house)
    assert (await match_of(club, name)).course.ply == 0
    for _ in range(2):
        await club.wait(minutes=5)
    assert (await match_of(club, name)).course.ply == 1
    assert len(club.mails(BOB)) == before + 1
    assert await sound(club, name)


async def test_a_held_move_survives_a_restart(tmp_path: Path) -> None:
    one = open_club(tmp_path, window=5)
    name = await begun(one)
    await reply(one, ANN, "e1")
    one.house.db.close()
    two = open_club(tmp_path, window=5)
    await two.wait(hours=1)
    assert (await match_of(two, name)).course.ply == 1
    assert "Your turn in Logger" in said(two, BOB)
    two.house.db.close()


# --- one account, one truth ----------------------------------------------------------------------

LETTERS = {
    "logger": {
        "e1\n\nnow": ["played", "gone_out"],
        "e1\n\nundo": ["held_undone", "undone"],
        "e1\n\nsay Hi!\n\nnow": ["played", "said", "gone_out"],
        "e1\n\nsay Hi!\n\nundo": ["held_undone", "said", "undone"],
        "e1\n\nsay Hi!": ["held", "said_later"],
    },
    "logan stones": {
        "1 L21\n\noffer draw\n\nnow": ["played", "draw_offered", "gone_out"],
        "1 L21\n\noffer draw\n\nundo": ["held_undone", "draw_offered", "undone"],
        "1 L21\n\noffer draw": ["held", "draw_held"],
    },
}


def outcomes(club: Club) -> list[str]:
    """What the newest account says of each line."""

    def read(conn: Any) -> list[str]:
        newest = select(tables.outbox.c.notices).order_by(tables.outbox.c.id.desc())
        for notices in conn.execute(newest).scalars():
            for notice in load(notices):
                if isinstance(notice, Account):
                    return [result.outcome or result.status for result in notice.results]
        return []

    return list(club.house.db.read(read).result())


@pytest.mark.parametrize(
    ("game", "letter"), [(game, letter) for game, letters in LETTERS.items() for letter in letters]
)
async def test_an_account_never_says_that_a_move_waits_which_has_gone_out(
    club: Club, game: str, letter: str
) -> None:
    name = await begun(club, game)
    await reply(club, ANN, letter)
    found = outcomes(club)
    assert found == LETTERS[game][letter]
    if not (await match_of(club, name)).pending.held:
        assert not {*found} & {"held", "draw_held", "said_later"}
        assert "goes out" not in said(club, ANN)
