from __future__ import annotations

import re
import time

import pytest

from pbem.errors import Rejection
from pbem.mail.commands import (
    MAX_READINGS,
    Argument,
    CommandSpec,
    CommandTable,
    ParsedEmail,
    parse,
    read_move,
)
from tests.mail.test_reading_moves import LOGGER, LOGGER_START, Grammar

TABLE = CommandTable([
    CommandSpec("board", ("board", "brett"), Argument.OPTIONAL, False, re.compile(r"\d+")),
    CommandSpec("history", ("history", "verlauf"), Argument.NONE, is_binding=False),
    CommandSpec("time", ("time",), Argument.NONE, is_binding=False),
    CommandSpec("undo", ("undo", "take back"), Argument.NONE, is_binding=True),
    CommandSpec("resign", ("resign", "aufgeben"), Argument.NONE, is_binding=True),
    CommandSpec("new", ("new",), Argument.REQUIRED, is_binding=False),
    CommandSpec("new address", ("new address",), Argument.NONE, is_binding=True),
    CommandSpec("set", ("set",), Argument.REQUIRED, is_binding=False),
    CommandSpec("say", ("say", "sag"), Argument.TEXT, is_binding=False),
])  # fmt: skip


class CountingGrammar(Grammar):
    readings = 0

    def read(self, text: str) -> str:
        self.readings += 1
        return super().read(text)


class NotToMove(Grammar):
    """The grammar while the opponent is to move."""

    def read(self, text: str) -> str:
        raise Rejection("not_your_turn", typed=text)


PLACING, TURN = Grammar(LOGGER_START), Grammar(LOGGER)


def read(text: str, grammar: Grammar | None = TURN) -> ParsedEmail:
    return parse(text, TABLE, grammar)


@pytest.mark.parametrize(
    "text",
    [
        "b1; plant a1", "B1; PLANT A1!", '"b1; plant a1"', "*b1; plant a1*", "b1; plant *a1*",
        "- b1; plant a1", "1) b1; plant a1", "b1; plant a1, please",
        "Ok, I go to b1 plant a1. Thanks!", "Hi Bob, b1 plant a1",
        "Hello Bob!\n\nMy move: b1; plant a1\n\nThanks and best wishes,\nAnn",
        "Guten Abend Bob,\n\nmein Zug: b1; plant a1\n\nViele Grüße\nAnn Keller",
        "Move: b1. Action: plant a1.", "b1\nplant a1", "b1\n\nplant a1",
        "b1; plant a1\nb1 plant a1", "b1; plant a1\n\nOur garden is green again.",
        "Our garden is green again. b1; plant a1",
    ],
)  # fmt: skip
def test_a_whole_unit_is_a_move(text: str) -> None:
    email = read(text)
    assert email.moves == ("b1; plant a1",)
    assert not email.attempts
    assert not email.is_doubtful


@pytest.mark.parametrize(
    "text",
    [
        "b1 plant up", "a2, plant next to it", "b1 plant a2 not a1", "knight b1 plant a1",
        "b1\nplant", "b1", "plant", "b1; plant a1?", "Hi Plant a1 b1", "I think b1; plant a1",
        "b1; plant a1 turned", "3. b1; plant a1", "c3",
    ],
)  # fmt: skip
def test_a_part_of_a_unit_is_never_played(text: str) -> None:
    email = read(text)
    assert email.moves == ()
    assert email.attempts


def test_the_best_attempt_comes_first() -> None:
    first, second = read("knight b1 plant x9\n\nOur garden.\n\nb1; plant c3").attempts
    assert (first.typed, second.typed) == ("b1; plant c3", "knight b1 plant x9")


@pytest.mark.parametrize(
    ("text", "is_doubtful"),
    [
        ("b1; plant a1\nNo wait, maybe not.", True),
        ("b1; plant a1\n\nCheers\n\nWait, no.", True),
        ("Warte mal.\nb1; plant a1", True),
        ("b1; plant a1\nNo", True),
        ("Flipped\nb1; plant a1", True),
        ("b1; plant a1. Forget it", True),
        ("b1; plant a1\nThe train was late today.", False),
        ("b1; plant a1\n\nThe train was late.\n\nMaybe we meet on Sunday.", False),
        ("Maybe we meet on Sunday.", False),
        ("b1; plant a1\n\nCheers\nAnn\n\nP.S. Perhaps we wait till Sunday.", True),
    ],
)
def test_a_suspicious_remark_beside_a_move_is_a_doubt(text: str, is_doubtful: bool) -> None:  # noqa: FBT001 - a column of a table
    assert read(text).is_doubtful is is_doubtful


def test_a_correction_below_a_farewell_is_an_attempt() -> None:
    email = read('b1; plant a1\n\nYours\nAnn\n\nErratum: for "a1" read "c1"')
    assert [attempt.typed for attempt in email.attempts] == ['Erratum: for "a1" read "c1"']


def test_different_moves_are_all_returned_as_typed() -> None:
    email = read("a5\n\nBest wishes\nBob\n\nplace e1\na5", PLACING)
    assert email.moves == ("place a5", "place e1")
    assert email.typed_moves == ("a5", "place e1")


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("history\ntime\nbrett 3", [("history", ""), ("time", ""), ("board", "3")]),
        ("Undo please", [("undo", "")]),
        ("Hi Bob, undo", [("undo", "")]),
        ("take back. Thanks", [("undo", "")]),
        ("time?", [("time", "")]),
        ("board. history", [("board", ""), ("history", "")]),
        ("new logger with bob@example.net", [("new", "logger with bob@example.net")]),
        ("New address", [("new address", "")]),
        ("say Hello!\nHow are you?\n\nhistory", [("say", "Hello!\nHow are you?"), ("history", "")]),
        ("sag: Hallo", [("say", "Hallo")]),
        ("I said hello. say Hi", [("say", "Hi")]),
    ],
)
def test_commands_have_exactly_their_arguments(text: str, commands: list[tuple[str, str]]) -> None:
    email = read(text)
    assert [(command.name, command.argument) for command in email.commands] == commands
    assert not email.attempts


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("time flies", "time"),
        ("undo the last one", "undo"),
        ("resign?", "resign"),
        ("I resign if you agree", "resign"),
        ("new", "new"),
        ("say", "say"),
        ("my time is up", None),
        ("It was such a beautiful evening that I forgot all about\ntime", None),
        ("The soup was good, and we drank to the health of your\nsay no more", None),
        ("You need not even think of a\nresign", None),
        ("Our garden is green", None),
    ],
)
def test_a_verb_with_other_words_is_an_attempt(text: str, command: str | None) -> None:
    email = read(text)
    assert not email.commands
    assert [attempt.command for attempt in email.attempts] == ([command] if command else [])


def test_a_move_beside_a_command_and_a_remark() -> None:
    email = read("history\nb1; plant a1\nThe soup was good.\nsay Nice corner!")
    assert [command.name for command in email.commands] == ["history", "say"]
    assert email.moves == ("b1; plant a1",)
    assert email.remarks == ("The soup was good.",)


def test_greetings_and_names_are_no_remarks() -> None:
    text = "Hi Ann,\n-----\nnice move!\nThe soup was good.\n\nThanks Ann, have fun\nBob"
    assert read(text).remarks == ("The soup was good.",)


@pytest.mark.parametrize("grammar", [None, NotToMove(LOGGER)])
def test_without_a_turn_chat_is_a_remark(grammar: Grammar | None) -> None:
    email = read("Our garden is green again.", grammar)
    assert not email.attempts
    assert email.remarks == ("Our garden is green again.",)


def test_a_move_out_of_turn_is_an_attempt() -> None:
    (attempt,) = read("d5; plant e5", NotToMove(LOGGER)).attempts
    assert attempt.rejection is not None
    assert attempt.rejection.code == "not_your_turn"


@pytest.mark.parametrize(
    ("text", "answer", "is_strict", "refuses"),
    [
        ("yeah sure why not", "yes", False, False),
        ("no problem, I am in", None, False, False),
        ("no, why not ask Bob", None, False, True),
        ("yes", "yes", True, False),
        ("Ja!\nBob", "yes", True, False),
        ("SÍ.", "yes", True, False),
        ("yes\n\nThis email is not spam. Is this spam? Click to report it.", "yes", True, False),
        ("Hi Ann,\n\nyes please", "yes", False, False),
        ("Sure, count me in!", "yes", False, False),
        ("Gerne, ich bin dabei. Liebe Grüße", "yes", False, False),
        ("Yes please, but who are you?", None, False, False),
        ("yes\nbut not today", "yes", False, True),
        ("yes\nbut please write to my sister first", "yes", False, False),
        ("yes?", None, False, False),
        ("No, that was not me.", None, False, True),
        ("Hello,\n\nno thanks", "no", False, True),
        ("Please do not write again.", None, False, True),
        ("maybe next week", None, False, False),
        ("Is this free of charge?", None, False, False),
        ("", None, False, False),
    ],
)
def test_answers_to_questions(
    text: str,
    answer: str | None,
    is_strict: bool,  # noqa: FBT001 - a column of a table
    refuses: bool,  # noqa: FBT001 - a column of a table
) -> None:
    email = read(text, None)
    assert (email.answer, email.is_strict_yes, email.has_refusal) == (answer, is_strict, refuses)


@pytest.mark.parametrize(
    "text",
    [
        "b1 plant\n" * 3000, "b1 plant x. " * 80, "yes " * 8000, "thanks b1 " * 3000,
        "say\n" * 5000, "." * 32_000, "*" * 32_000, " - " * 5000, "a. " * 3000,
    ],
)  # fmt: skip
def test_readings_and_time_are_bounded(text: str) -> None:
    grammar = CountingGrammar(LOGGER)
    begun = time.process_time()
    read(text, grammar)
    assert grammar.readings <= MAX_READINGS
    assert time.process_time() - begun < 5


def test_a_move_among_too_many_units_is_doubtful() -> None:
    text = "b1; plant a1\n" + "\n".join(f"plant a1 a{number}" for number in range(MAX_READINGS))
    email = read(text)
    assert email.moves == ("b1; plant a1",)
    assert email.is_doubtful


def test_a_command_with_an_argument_of_another_form_is_a_remark() -> None:
    email = read("Board looks tricky. b1; plant a1")
    assert not email.commands
    assert email.moves == ("b1; plant a1",)


@pytest.mark.parametrize(
    "text", ["b1; plant a1", "Please b1, plant a1. Thanks!", '"*b1; plant a1*"']
)
def test_a_move_behind_try_is_read_as_in_an_email(text: str) -> None:
    assert read_move(text, TURN) == "b1; plant a1"


def test_a_part_of_a_text_is_no_move_behind_try() -> None:
    with pytest.raises(Rejection, match="unreadable"):
        read_move("knight b1 plant a1", TURN)
