"""Matches with bots: asked for, played to the end, killed on the way, and never written to."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.legacy.bots.levels import choice_of, lively_move
from pbem.bots.luck import seed_of_move, seeded
from pbem.legacy.cli.bots import SHOWN, Again, chosen_again, told
from pbem.errors import ConfigError, StreamConflict
from pbem.fairness import bots_seed
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.legacy.mail.addresses import SeatAddress, mint, reply_address
from pbem.legacy.matches.match import Match, Status, StepKind
from pbem.names import MatchId, is_bot
from pbem.legacy.runners import bots
from pbem.legacy.runners.receive import store_letter
from pbem.legacy.runners.supervise import Wakes, supervise
from pbem.legacy.store.log.event_log import RecordedEvent, load
from pbem.legacy.store.log.sealed import draws, seed_of_bots
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.installation import Loaded, find_match, match_stream, verified
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport import Fetched
from tests.legacy.clubs.club import ANN, BOB, Clock, Club, open_club
from tests.legacy.clubs.club import GAMES as GAMES_ADDRESS
from tests.legacy.clubs.kept import kept
from tests.legacy.engines import on_both

pytestmark = on_both

GAMES_BY_KEY = {game.key: game for game in GAMES.values()}
PATIENCE = 1500


@kept
async def lived_in(club: Club) -> None:
    await club.write(ANN, "help")
    await club.answer(ANN, "yes")


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await lived_in(one)
    yield one
    one.house.db.close()


@kept
async def begun(club: Club, order: str) -> MatchId:
    """The match that Ann's order begins at once."""
    await club.answer(ANN, order)
    found = re.match(r"\[[\w ]+ ([A-Z0-9]{5})\]", club.last(ANN).subject)
    assert found is not None, club.last(ANN).text
    return MatchId(found[1])


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


async def played_out(club: Club, name: MatchId) -> Match:
    """The match after Ann has played it to its end."""
    rng = random.Random(5)
    for _ in range(PATIENCE):
        match = await match_of(club, name)
        if match.status is Status.ENDED:
            return match
        move = lively_move(match.game, match.course.position, rng.randrange)
        await club.answer(ANN, f"#{match.course.ply + 1} {match.game.notation(move)}")
        assert (await match_of(club, name)).course.ply > match.course.ply, club.last(ANN).text
    raise AssertionError("it does not end")


@pytest.mark.parametrize("key", [*sorted(GAMES_BY_KEY)][::3])
async def test_a_match_against_a_bot_is_played_to_its_end(club: Club, key: str) -> None:
    name = await begun(club, f"new {key.replace('_', ' ')} with bot")
    match = await played_out(club, name)
    assert match.course.outcome is not None
    found: Any = await club.read(lambda conn: verified(conn, name))
    assert found[0].findings == ()
    assert "Over: " in club.last(ANN).text.splitlines()[0]
    assert {recipient for recipient, _ in club.postbox.mails} == {ANN}




async def test_one_mail_says_that_a_match_with_a_bot_has_begun(club: Club) -> None:
    before = len(club.mails(ANN))
    await club.answer(ANN, "new logger with bot seat_order=given")
    [mail] = club.mails(ANN)[before:]
    assert mail.text.startswith("Begun: Logger ")
    assert "Seat 2: Robot (medium)" in mail.text


async def test_who_was_not_invited_is_told_of_the_chain_at_the_start(club: Club) -> None:
    match = await match_of(club, await begun(club, "new logger with bot"))
    assert match.chance.commitment in club.last(ANN).text.split()


@pytest.mark.parametrize("bots", [1, 2, 3])
async def test_what_bots_do_before_ones_first_move_stands_in_the_mail_of_the_start(
    club: Club, bots: int
) -> None:
    mail = club.last(ANN)
    for _ in range(40):
        before = len(club.mails(ANN))
        await club.answer(ANN, f"new logger with {', '.join(['bot'] * bots)}")
        [mail] = club.mails(ANN)[before:]
        if "it is your turn" in mail.text.splitlines()[0]:
            break
    assert re.match(r"Begun: Logger \w+, and it is your turn\.", mail.text)
    text = " ".join(mail.text.split())
    moved = text.count("puts the logger on")
    assert 1 <= moved <= bots
    assert text.index("puts the logger on") < text.index("You place") < text.index("Seat 1:")
    await club.answer(ANN, re.findall(r'"(place \w\d)"', mail.text)[-1])
    assert "Your turn in Logger" in club.last(ANN).text


async def test_a_move_and_what_bots_answer_at_once_make_one_mail(club: Club) -> None:
    name = await begun(club, "new logger with bot, bot seat_order=given")
    before = len(club.mails(ANN))
    await club.answer(ANN, "e1")
    [mail] = club.mails(ANN)[before:]
    assert mail.text.startswith(f"Your turn in Logger {name} against Robot (medium) and Robot 2")
    assert f"Sent: your move in Logger {name} " in mail.text
    assert '("place e1")' in mail.text
    assert mail.text.count("puts the logger on") == 3
    assert mail.text.count("+-----+-----+") == 2 * 6
    await club.answer(ANN, "e3 plant d3")
    assert (await match_of(club, name)).course.ply == 6


async def test_who_has_a_digest_reads_in_the_receipt_what_the_bot_did(club: Club) -> None:
    name = await begun(club, "new logger with bot seat_order=given")
    await club.answer(ANN, f"digest 18:00\n\n{name} board")
    before = len(club.mails(ANN))
    await club.answer(ANN, "e1")
    [mail] = club.mails(ANN)[before:]
    assert mail.text.startswith(f"Sent: your move in Logger {name}")
    assert "Robot (medium) puts the logger on" in mail.text
    assert "It is your turn." in mail.text


async def test_the_end_that_bots_bring_about_is_told_in_one_mail(club: Club) -> None:
    await begun(club, "new looney ludo with bot, bot, bot easy")
    before = len(club.mails(ANN))
    await club.answer(ANN, "resign yes")
    [mail] = club.mails(ANN)[before:]
    assert "Over: " in mail.text.splitlines()[0]
    assert "You have resigned in Looney Ludo" in mail.text


async def test_who_watches_a_match_with_bots_gets_one_mail_for_all_of_their_moves(
    club: Club,
) -> None:
    name = await begun(club, "new logger with bot, bot seat_order=given")
    await club.write(BOB, "help")
    await club.answer(BOB, "yes")
    await club.answer(BOB, f"watch {name}")
    before = len(club.mails(BOB))
    await club.answer(ANN, "e1")
    [mail] = club.mails(BOB)[before:]
    assert mail.text.count("puts the logger on") == 3


async def test_a_bot_and_a_person_are_asked_together(club: Club) -> None:
    await club.answer(ANN, f"new logger with {BOB}, a random bot")
    assert "went out to Bob." in club.last(ANN).text
    assert "At the table: Ann, Bob and Robot (easy)." in " ".join(club.last(BOB).text.split())
    await club.answer(BOB, "accept")
    assert any("Begun:" in mail.text for mail in club.mails(BOB))


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("new landrush with bot strong", 'no bot "strong" for Landrush; there is: easy'),
        ("new looney ludo with bot wild", "there is: easy, medium, strong"),
    ],
)
async def test_a_level_that_a_game_has_not_is_refused(club: Club, order: str, reason: str) -> None:
    await club.answer(ANN, order)
    assert reason in " ".join(club.last(ANN).text.split())


@pytest.mark.parametrize(("typed", "level"), [("leicht", "easy"), ("stark", "strong")])
async def test_a_level_is_named_in_another_language(club: Club, typed: str, level: str) -> None:
    await club.answer(ANN, "sprache de")
    name = await begun(club, f"neu logger mit bot {typed}")
    match = await match_of(club, name)
    assert f"bot-{level}-1" in match.table.players
    await club.answer(ANN, "neu landrush mit bot stark")
    assert 'Einen Bot "stark" gibt es' in " ".join(club.last(ANN).text.split())
    assert "leicht, mittel." in " ".join(club.last(ANN).text.split())


async def test_bots_have_names_in_the_readers_language(club: Club) -> None:
    await club.answer(ANN, "sprache de")
    await begun(club, "neu logger mit Roboter (leicht), bot, bot seat_order=given")
    before = len(club.mails(ANN))
    await club.answer(ANN, "e1")
    await club.answer(ANN, "protokoll")
    await club.answer(ANN, "kalender")
    texts = [mail.text + mail.html for mail in club.mails(ANN)[before:]]
    files = [str(data) for mail in club.mails(ANN)[before:] for data in mail.files.values()]
    assert all(name in texts[0] for name in ("Roboter (leicht)", "Roboter 2 (mittel)"))
    assert not re.findall(".*Robot .*", "".join(texts))
    assert "Roboter (mittel)" in "".join(files)


async def test_a_bot_declines_draws_and_hears_no_talk(club: Club) -> None:
    name = await begun(club, "new logan stones with bot starter=given")
    await club.answer(ANN, "offer draw")
    assert "Robot (medium) declines the draw" in " ".join(club.last(ANN).text.split())
    await club.answer(ANN, "say Are you there?")
    assert "Only bots play here, and they do not read." in " ".join(club.last(ANN).text.split())
    assert "say Hello!" not in club.last(ANN).text
    assert (await match_of(club, name)).pending.offer is None
    assert {recipient for recipient, _ in club.postbox.mails} == {ANN}


async def test_bots_do_not_play_on_among_themselves(club: Club) -> None:
    name = await begun(club, "new looney ludo with bot, bot, bot easy")
    await club.answer(ANN, "resign yes")
    match = await match_of(club, name)
    assert match.status is Status.ENDED
    assert "Over: " in club.last(ANN).text.splitlines()[0]


async def test_a_rematch_with_a_bot_begins_at_once(club: Club) -> None:
    name = await begun(club, "new logger with bot")
    await club.answer(ANN, "resign yes")
    again = await begun(club, "rematch")
    assert (await match_of(club, again)).terms.rematch_of == name


OF_BOTS = ["Robot", "bot", "Robot (random)", "R0bot 2 (strong)", "computer", "Roboter 2 (leicht)"]


@pytest.mark.parametrize("name", OF_BOTS)
async def test_nobody_is_called_like_a_bot(club: Club, name: str) -> None:
    await club.answer(ANN, f"name {name}")
    rows: Any = await club.read(roster.all_players)
    assert [row.name for row in rows] == ["Ann"]


# --- when something goes wrong -------------------------------------------------------------------


def minutes(club: Club, count: int) -> None:
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(minutes=count)


async def test_a_bot_that_fails_tries_again_later(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    name = await begun(club, "new logger with bot seat_order=given")
    with monkeypatch.context() as patch:
        patch.setattr(bots, "choice_of", broken)
        await club.answer(ANN, "e1")
        assert (await match_of(club, name)).course.ply == 1
        assert club.last(ANN).text.startswith(f"Sent: your move in Logger {name}")
        minutes(club, 2)
        await club.work()
    assert (await match_of(club, name)).course.ply == 1
    await club.work()
    assert (await match_of(club, name)).course.ply == 1  # it waits longer each time
    minutes(club, 6)
    await club.work()
    assert (await match_of(club, name)).course.ply == 2


async def test_a_bot_that_thinks_too_long_plays_as_an_easy_one(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await begun(club, "new logger with bot strong seat_order=given")

    async def late(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(bots.THINKING, "do", late)
    await club.answer(ANN, "e1")
    assert (await match_of(club, name)).course.ply == 2

    noted = json.loads((await recorded(club, name))[-1].meta)["chosen"]
    assert noted["cut"]
    again = await chosen_anew(club, name, 2)
    assert (again.text, again.choice.plays) == (again.notation, noted["plays"])
    assert "easy, since the better one took too long" in next(told(again))


async def test_a_bot_that_looks_far_thinks_in_a_process_that_may_die(club: Club) -> None:
    bots.THINKING.forget()
    name = await begun(club, "new logger with bot strong seat_order=given")
    await club.answer(ANN, "e1")
    assert bots.THINKING.started
    there = bots.THINKING.pool().schedule(os.getpid).result()
    assert there != os.getpid()
    os.kill(there, signal.SIGKILL)
    match = await match_of(club, name)
    await club.answer(ANN, match.game.notation(match.game.legal(match.course.position)[0]))
    assert (await match_of(club, name)).course.ply == 4


async def test_a_bot_chooses_the_same_again_and_plays_it_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed before its commit: then the same timer makes it choose again."""
    name = await begun(club, "new looney ludo with bot starter=given")
    chosen: list[str] = []
    decide = Transaction.decide

    def killed(txn: Transaction, match: MatchId, act: Any, *said: Any, **named: Any) -> Match:
        if txn.actor is not None and is_bot(txn.actor):
            chosen.append(act.keywords["text"])
            if len(chosen) == 1:
                raise StreamConflict("it dies here", 0)
        return decide(txn, match, act, *said, **named)

    monkeypatch.setattr(Transaction, "decide", killed)
    match = await match_of(club, name)
    move = lively_move(match.game, match.course.position, random.Random(1).randrange)
    await club.answer(ANN, match.game.notation(move))
    assert len(chosen) >= 2
    assert chosen[0] == chosen[1]
    after = await match_of(club, name)
    played = [
        step.text for step in after.course.steps if step.kind is StepKind.MOVE and step.seat == 2
    ]
    assert played == chosen[1:]


async def posted(club: Club, number: int, name: MatchId, text: str) -> None:
    """Ann's letter lies in the inbox."""
    letter = club.letter(
        ANN, reply_address(GAMES_ADDRESS, mint(club.house.keys, SeatAddress(name, Seat(1)))), text
    )
    raw = letter.as_bytes()
    await store_letter(Fetched("test", "INBOX", 1, number, raw, None, None), club.house)


async def until_ply(club: Club, name: MatchId, ply: int) -> None:
    async with asyncio.timeout(60):
        while (await match_of(club, name)).course.ply < ply:  # noqa: ASYNC110 - the service tells nobody
            await asyncio.sleep(0.02)


async def test_a_running_service_lets_bots_act_within_a_second(club: Club) -> None:
    name = await begun(club, "new logger with bot seat_order=given")
    stop, wakes = asyncio.Event(), Wakes()
    running = asyncio.create_task(supervise(club.house, [], club.postbox, stop, wakes))
    await posted(club, 99, name, "e1")
    wakes.letters.set()
    await until_ply(club, name, 2)
    stop.set()
    await running


async def test_a_quick_bot_waits_for_no_slow_one(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick, late = [
        await begun(club, "new logger with bot seat_order=given") for _ in range(3)
    ]
    thinks, chosen = asyncio.Event(), bots._move

    async def move(loaded: Loaded, level: str, secret: str) -> bots._Chosen:
        if loaded.match.id == slow:
            thinks.set()
            await asyncio.Event().wait()
        return await chosen(loaded, level, secret)

    stop, wakes = asyncio.Event(), Wakes()
    with monkeypatch.context() as patch:
        patch.setattr(bots, "_move", move)
        running = asyncio.create_task(supervise(club.house, [], club.postbox, stop, wakes))
        await posted(club, 98, slow, "e1")
        wakes.letters.set()
        await thinks.wait()
        for number, name in enumerate((quick, late)):
            await posted(club, 99 + number, name, "e1")
            wakes.letters.set()
            await until_ply(club, name, 2)
        stop.set()
        await running
    assert (await match_of(club, slow)).course.ply == 1
    minutes(club, 2)  # where others work on the database, they wait for whoever began
    await club.work()
    assert (await match_of(club, slow)).course.ply == 2


# --- what a bot will do, and why -----------------------------------------------------------------


async def recorded(club: Club, name: MatchId) -> list[RecordedEvent]:
    found: Any = await club.read(lambda conn: load(conn, match_stream(name)))
    return list(found)


async def chosen_anew(club: Club, name: MatchId, ply: int) -> Again:
    found: Any = await club.read(partial(chosen_again, name=name, ply=ply))
    again: Again = found
    return again


@pytest.mark.parametrize("order", ["logan stones with bot strong", "looney ludo with bot"])
async def test_a_move_of_a_bot_can_be_chosen_anew(club: Club, order: str) -> None:
    name = await begun(club, f"new {order} starter=given")
    for _ in range(5):  # where nothing else is legal, a bot chooses nothing
        match = await match_of(club, name)
        move = lively_move(match.game, match.course.position, random.Random(1).randrange)
        await club.answer(ANN, f"#{match.course.ply + 1} {match.game.notation(move)}")
    chosen = [
        json.loads(one.data)["ply"]
        for one in await recorded(club, name)
        if one.type == "MovePlayed" and "chosen" in json.loads(one.meta)
    ]
    assert len(chosen) >= 3
    for ply in chosen:
        again = await chosen_anew(club, name, ply)
        assert again.text == again.notation
        assert again.choice.plays == again.noted["plays"] > 0
        lines = [*told(again)]
        assert "Chosen anew, it is the same" in lines[1]
        assert any(again.notation in line for line in lines[3:]) or len(lines) > SHOWN
    with pytest.raises(ConfigError, match="no bot has chosen ply 1 of"):
        await chosen_anew(club, name, 1)
    with pytest.raises(ConfigError, match="nobody has chosen ply 999 of"):
        await chosen_anew(club, name, 999)


async def test_who_knows_the_whole_history_does_not_know_what_a_bot_will_do(club: Club) -> None:
    name = await begun(club, "new looney ludo with bot easy starter=given")
    otherwise = 0
    for _ in range(4):
        match = await match_of(club, name)
        move = lively_move(match.game, match.course.position, random.Random(1).randrange)
        await club.answer(ANN, f"#{match.course.ply + 1} {match.game.notation(move)}")
        steps = (await match_of(club, name)).course.steps
        # A turn that has the dice rolled again is followed by none of the bot's.
        ply = max(one.ply for one in steps if one.seat == 2 and one.kind is StepKind.MOVE)
        again = await chosen_anew(club, name, ply)
        for seed in ("", "0" * 64):
            choose = seeded(seed_of_move(seed, name, again.at, again.head))
            guess = choice_of("easy", match.game, again.position, choose)
            otherwise += match.game.notation(guess.move) != again.notation
    assert otherwise > 2


async def test_the_seed_of_bots_is_shown_after_the_end_and_nowhere_before(club: Club) -> None:
    name = await begun(club, "new logger with bot seat_order=given")
    await club.answer(ANN, "e1")
    await club.answer(ANN, "verify")
    await club.answer(ANN, "record")
    seed: Any = await club.read(partial(seed_of_bots, match=name))
    assert re.fullmatch("[0-9a-f]{64}", seed)
    chain: Any = await club.read(partial(draws, match=name))
    assert seed == bots_seed(chain.secret, name)
    kept = [one.data + one.meta for one in await recorded(club, name)]
    sent = [
        text
        for mail in club.mails(ANN)
        for text in (mail.text, mail.html, *map(bytes.decode, mail.files.values()))
    ]
    assert sum('"type":"MovePlayed"' in text for text in sent) == 1
    assert not [text for text in kept + sent if seed in text]
    assert not [text for text in sent if '"chosen"' in text]
    await club.answer(ANN, "resign yes")
    await club.answer(ANN, f"verify {name}")
    assert seed in club.last(ANN).text


# --- hints ---------------------------------------------------------------------------------------


async def test_a_hint_is_given_once_though_it_dies_before_its_commit(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await begun(club, "new logger with bot easy")
    decide, found = Transaction.decide, []

    def killed(txn: Transaction, match: MatchId, act: Any, *said: Any, **named: Any) -> Match:
        if "hint" in getattr(act, "keywords", {}):
            found.append(act.keywords["hint"])
            if len(found) == 1:
                raise StreamConflict("it dies here", 0)
        return decide(txn, match, act, *said, **named)

    monkeypatch.setattr(Transaction, "decide", killed)
    before = len(club.mails(ANN))
    await club.answer(ANN, "hint")
    assert len(found) == 2
    assert found[0] == found[1]
    match = await match_of(club, name)
    assert [one.hint for one in match.table.hints] == found[1:]
    [mail] = club.mails(ANN)[before:]
    assert mail.text.startswith("Hint in Logger")
    checked: Any = await club.read(lambda conn: verified(conn, name))
    assert checked[0].findings == ()


async def test_a_hint_comes_though_the_process_dies_or_is_too_slow(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots.THINKING.forget()
    name = await begun(club, "new logger with bot easy")
    there = bots.THINKING.pool().schedule(os.getpid).result()
    assert there != os.getpid()
    os.kill(there, signal.SIGKILL)
    await club.answer(ANN, "hint")
    assert club.last(ANN).text.startswith("Hint in Logger")
    [given] = (await match_of(club, name)).table.hints
    await club.answer(ANN, given.hint.notation)
    monkeypatch.setattr(bots, "HINT_SECONDS", 0.0001)
    await club.answer(ANN, "hint")
    assert club.last(ANN).text.startswith("Hint in Logger")
    assert len((await match_of(club, name)).table.hints) == 2
