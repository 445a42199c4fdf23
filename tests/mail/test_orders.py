"""Which orders typed lines are: the table of verbs, blocks of game text, comments, near misses."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games import GAMES
from pbem.games.game import Ply
from pbem.mail.free_text import is_order, read_orders
from pbem.mail.verbs.agreeing import Accept, Decline, OfferDraw, Resign, Yes
from pbem.mail.verbs.club import Help, ListGames, ShowRules
from pbem.mail.verbs.own import Block, DeleteMe, Invitations, MyData, Rename, RenewAddress
from pbem.mail.verbs.playing import Move, ShowBoard, ShowClocks, ShowHistory, Try
from pbem.mail.verbs.seats import Join, ListOpen, NewGame, Unwatch, Watch
from pbem.mail.verbs.showing import ShowRecord, Verify
from pbem.mail.verbs.talking import Note, Say
from pbem.mail.verbs.verb import Order
from pbem.mail.verbs.verb_table import VERBS
from pbem.names import MatchId
from pbem.wiring.words import words_of

LOGGER = GAMES["logger-1"]


def read(text: str) -> list[Order]:
    """The orders in a text, in a match of Logger."""
    return [typed.order for typed in read_orders(text.split("\n"), LOGGER).orders]


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("help", Help(None)),
        ("HELP!", Help(None)),
        ("help say", Help("say")),
        ("board", ShowBoard(None)),
        ("Board 12.", ShowBoard(Ply(12))),
        ("board #12", ShowBoard(Ply(12))),
        ("history", ShowHistory()),
        ("time", ShowClocks()),
        ("Clock?", ShowClocks()),
        ("games", ListGames(boards=False)),
        ("games next", ListGames(boards=True)),
        ("rules", ShowRules(None)),
        ("rules logger", ShowRules("logger")),
        ("resign", Resign(sure=False)),
        ("Resign yes.", Resign(sure=True)),
        ("I resign.", Resign(sure=False)),
        ("I accept!", Accept("")),
        ("I offer a draw.", OfferDraw()),
        ("yes", Yes()),
        ("OK.", Yes()),
        ("accept", Accept("")),
        ('accept "the owl flies at noon"', Accept("the owl flies at noon")),
        ("decline", Decline()),
        ("offer draw", OfferDraw()),
        ("draw?", OfferDraw()),
        ("verify", Verify()),
        ("name Ann of the Hill", Rename("Ann of the Hill")),
        ("My data, please", MyData()),
        ("delete me", DeleteMe()),
        ("Delete me yes.", DeleteMe()),
        ("new address", RenewAddress()),
        ("New address, please.", RenewAddress()),
        ("new address yes", RenewAddress()),
        ("block bob@example.org", Block("bob@example.org")),
        ("never again", Invitations(welcome=False)),
        ("invitations on", Invitations(welcome=True)),
        ("try c1 plant c2", Try("c1 plant c2")),
        ('"board"', ShowBoard(None)),
        ("! board", ShowBoard(None)),
        (
            "new logger with Bob, cleo@example.org and Dan tree_limit=20",
            NewGame("logger", ("Bob", "cleo@example.org", "Dan"), (("tree_limit", "20"),)),
        ),
        ("new logger with Bob, please", NewGame("logger", ("Bob",), ())),
        (
            "new logger with bob@example.org time=fast. Thanks!",
            NewGame("logger", ("bob@example.org",), (("time", "fast"),)),
        ),
        ("challenge Logger vs <bob@example.org>", NewGame("Logger", ("bob@example.org",), ())),
        ("new logger open", NewGame("logger", (), (), 0)),
        ("new game of logger open for 3", NewGame("logger", (), (), 3)),
        (
            "new logger with Bob and Cleo, open 4 tree_limit=20",
            NewGame("logger", ("Bob", "Cleo"), (("tree_limit", "20"),), 4),
        ),
        ("new logger with Bob private", NewGame("logger", ("Bob",), (), None, private=True)),
        ("new logger open 3 private", NewGame("logger", (), (), 3, private=True)),
        ("new logger with bot random", NewGame("logger", ("bot random",), ())),
        ("new logger with a bot", NewGame("logger", ("bot",), ())),
        ("open", ListOpen()),
        ("watch K7QX2", Watch(MatchId("K7QX2"))),
        ("observe", Watch(None)),
        ("unwatch", Unwatch(None)),
        ("Unwatch k7qx2.", Unwatch(MatchId("K7QX2"))),
        ("join k7qx2", Join(MatchId("K7QX2"))),
        ('join K7QX2 "my words"', Join(MatchId("K7QX2"), "my words")),
        ("join", Accept("")),
        ("leave", Decline()),
    ],
)
def test_a_line_is_an_order(typed: str, order: Order) -> None:
    assert read(typed) == [order]


@pytest.mark.parametrize(
    "typed",
    [
        "Hi Ann!",
        "Thanks, that was a nice one.",
        "yes, I think so",
        "accept my apologies for the delay",
        "rules are rules my dear friend",
        "new job here, sorry for the delay",
        "history repeats itself",
        "boarding in five minutes",
        "Games are fun",
        "draw breath",
        "Name your price!",
        "I will help you",
        "",
    ],
)
def test_a_sentence_is_a_comment(typed: str) -> None:
    assert read(typed) == []


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("c1 plant c2", "c1 plant c2"),
        ("move c1 plant c2", "move c1 plant c2"),
        ('"c1 plant c2"', "c1 plant c2"),
        ("mv: c1 plant c2", "c1 plant c2"),
        ("play c1 plant c2", "c1 plant c2"),
        ("Hi Bob!\nc1; plant c2\nSee you", "c1; plant c2"),
        ("c1\nc3>c4\nplant c2", "c1\nc3>c4\nplant c2"),
        ("Dear Bob,\n\nstay. chop d3\n\nYours, Ann", "stay. chop d3"),
    ],
)
def test_lines_with_words_of_the_game_are_one_block(typed: str, text: str) -> None:
    assert read(typed) == [Move(text)]


def test_paragraphs_are_blocks_of_their_own() -> None:
    assert read("c1 plant c2\n\nc1 plant d1") == [Move("c1 plant c2"), Move("c1 plant d1")]


def test_several_orders_keep_their_order() -> None:
    assert read("c1 plant c2\nsay good luck\n\nboard") == [
        Move("c1 plant c2"),
        Say("good luck"),
        ShowBoard(None),
    ]


def test_what_is_said_runs_to_the_next_blank_line() -> None:
    typed = "say Well played!\nI did not see c1 plant c2.\n\nstay pass"
    assert read(typed) == [
        Say("Well played!\nI did not see c1 plant c2."),
        Move("stay pass"),
    ]


@pytest.mark.parametrize(
    "note", ["note He never sees it.", "K7QX2 note He sees e3.", "Note: the corner", "notiz Aha!"]
)
def test_a_note_below_what_is_said_is_for_no_other_eyes(note: str) -> None:
    lines = ["say Well played!", "See you.", note]
    said, noted = read_orders(lines, LOGGER, words=words_of()).orders
    assert said.order == Say("Well played!\nSee you.")
    assert isinstance(noted.order, Note)


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("Hi, board", [ShowBoard(None)]),
        ("Hello Bob! resign", [Resign(sure=False)]),
        ("Dear all, help", [Help(None)]),
        ("Hallo, new logger with bob@example.org",
         [NewGame("logger", ("bob@example.org",), ())]),
        ("Hi resign", []),
        ("Hi, board games are nice, are they not?", []),
        ("Hi, say nothing", []),
        ("Hi, note that I am away", []),
    ],
)  # fmt: skip
def test_a_greeting_may_stand_before_an_order(line: str, orders: list[Order]) -> None:
    assert read(line) == orders


@pytest.mark.parametrize("line", ["Note that I am away.", "note", "Notes are fine.", "A note: hi"])
def test_a_sentence_about_notes_is_said(line: str) -> None:
    [said] = read_orders(["say Hello!", line], LOGGER, words=words_of()).orders
    assert said.order == Say(f"Hello!\n{line}")


def test_a_line_may_name_its_match_and_ply() -> None:
    [order] = read_orders(["k7qx2#12 c1 plant c2"], LOGGER).orders
    assert (order.match, order.ply, order.order) == ("K7QX2", 12, Move("c1 plant c2"))
    [order] = read_orders(["#3: c1 plant c2"], LOGGER).orders
    assert (order.match, order.ply) == (None, 3)
    [order] = read_orders(["K7QX2 board"], None).orders
    assert (order.match, order.order) == ("K7QX2", ShowBoard(None))


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("record K7QX2", ShowRecord()),
        ("Export k7qx2.", ShowRecord()),
        ("history K7QX2", ShowHistory()),
        ("verify K7QX2", Verify()),
        ("show K7QX2#3", ShowBoard(Ply(3))),
    ],
)
def test_what_shows_a_match_names_it_before_the_verb_or_behind_it(line: str, read: Order) -> None:
    [order] = read_orders([line], None).orders
    assert (order.match, order.order) == ("K7QX2", read)
    verb, _, rest = line.strip(".").partition(" ")
    [before] = read_orders([f"{rest} {verb}"], None).orders
    assert before.match == "K7QX2"


def test_a_record_is_of_no_single_ply() -> None:
    assert read_orders(["record K7QX2#3"], None).orders == ()


def test_no_word_of_five_letters_is_taken_for_a_match() -> None:
    [order] = read_orders(["games next"], LOGGER).orders
    assert order.match is None


def test_input_ends_at_end() -> None:
    assert read("board\nEND\nhistory") == [ShowBoard(None)]
    assert read("board\nsignoff\nhistory") == [ShowBoard(None)]


def test_a_near_miss_is_told_and_not_carried_out() -> None:
    reading = read_orders(["borad"], LOGGER)
    assert reading.orders == ()
    assert reading.near_misses == (("borad", ("board", "bad"), "borad"),)
    for line in ("Hello Bob", "What is Logger?", "Moin Bob", "Not now, sorry"):
        assert read_orders([line], LOGGER).near_misses == ()


def test_without_a_match_no_text_is_a_move() -> None:
    assert read_orders(["c1 plant c2"], None).orders == ()


def test_is_order_knows_orders_and_moves() -> None:
    assert is_order("c1 plant c2", LOGGER)
    assert is_order("board", None)
    assert not is_order("On Monday Ann wrote:", LOGGER)


@pytest.mark.parametrize(
    ("also", "verb"),
    [
        ("preview c1 plant c2", "try c1 plant c2"),
        ("premove c1 plant c2", "queue c1 plant c2"),
        ("show 3", "board 3"),
        ("takeback", "undo"),
        ("concede", "resign"),
        ("concede yes", "resign yes"),
        ("draw", "offer draw"),
        ("export", "record"),
        ("status", "games"),
        ("status next", "games next"),
        ("chat Hello", "say Hello"),
        ("press Hello", "say Hello"),
        ("diary To the west!", "note To the west!"),
        ("challenge logger with Bob", "new logger with Bob"),
        ("observe K7QX2", "watch K7QX2"),
        ("absence 5 days", "away 5 days"),
        ("vacation 2026-12-24 2027-01-02", "away 2026-12-24 2027-01-02"),
        ("set remind 12h", "remind 12h"),
        ("set ascii", "ascii"),
        ("unsubscribe", "stop"),
        ("mv c1 plant c2", "c1 plant c2"),
        ("play c1 plant c2", "c1 plant c2"),
    ],
)
def test_every_other_name_of_an_order_is_read_as_the_order(also: str, verb: str) -> None:
    assert read(also) == read(verb) != []


def test_the_words_of_a_game_win_over_all_orders_but_three() -> None:
    wordy = replace(LOGGER, words=re.compile(r"\b(?:board|help|resign|history|end)\b"))

    def read_wordy(text: str) -> list[Order]:
        return [typed.order for typed in read_orders(text.split("\n"), wordy).orders]

    assert read_wordy("history") == [Move("history")]
    assert read_wordy("!history") == [ShowHistory()]
    assert read_wordy("board\nhelp\nresign yes") == [ShowBoard(None), Help(None), Resign(sure=True)]
    assert read_wordy("END\n\nboard") == [Move("END"), ShowBoard(None)]


def test_no_name_belongs_to_two_verbs() -> None:
    words = [word for verb in VERBS for word in (verb.name, *verb.also)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_example_of_the_help_mail_is_read_as_its_verb(verb: object) -> None:
    assert hasattr(verb, "examples")
    for example in verb.examples:
        line = example.format(move="c1 plant c2", answer="e1 plant e2")
        [order] = read_orders([line], LOGGER).orders
        [plain] = read_orders([f"!{line}"], LOGGER).orders
        assert order.order == plain.order
        assert not isinstance(order.order, Move)


@given(st.lists(st.text(max_size=60), max_size=12))
def test_any_lines_can_be_read(lines: list[str]) -> None:
    reading = read_orders(lines, LOGGER)
    assert len(reading.orders) <= len(lines)
