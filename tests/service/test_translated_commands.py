from __future__ import annotations

import re
from itertools import islice, product

import pytest

import pbem.service.handlers  # noqa: F401 - registers the commands
from pbem.files import find_shipped
from pbem.mail.commands import parse
from pbem.notifications.environment import make_environment
from pbem.service.handlers.account import read_setting
from pbem.service.registry import COMMANDS, command_table
from tests.accept import COMMAND_WORDS, write_command_names
from tests.mail.test_reading_moves import (
    AIM,
    CHESS_START,
    DIG,
    DOUBLES,
    HOP,
    LAND,
    LAND_START,
    LOGGER_START,
    NEAR_TREE,
    STONES,
    SWAP,
    TIP,
    WILD,
    Grammar,
)

DICE = (AIM, DIG, DOUBLES, HOP, SWAP, TIP, WILD)
MOVES = 40  # of each position

FOLDER = find_shipped("templates", "templates")
GERMAN = make_environment((FOLDER,), "de")
OFFERED = re.findall(
    r"pgettext\('command', '([\w ]+)'\)", COMMAND_WORDS.read_text(encoding="utf-8")
)


def test_what_an_email_offers_in_german_is_read() -> None:
    assert len(OFFERED) > 20
    say = GERMAN.filters["command"]
    for name in OFFERED:
        said = say(name)
        found, english = command_table().find(said), command_table().find(name)
        if english is None:
            assert parse(said, command_table(), None).answer == name
        else:
            assert found is not None, name
            assert found[0] == english[0]


def test_the_template_has_the_names_of_all_commands() -> None:
    assert COMMAND_WORDS.read_text(encoding="utf-8") == write_command_names(), "./run accept"


def test_a_command_is_said_by_its_first_german_word() -> None:
    say = GERMAN.filters["command"]
    named = {name: command for name, command in COMMANDS.items() if " " not in name}
    assert {name: say(name) for name in named} == {
        name: command.find_name("de") for name, command in named.items()
    }


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("language", "en"),
        ("timezone", "Europe/Berlin"),
        ("window", "10"),
        ("digest", "18:00"),
        ("digest", "on"),
        ("digest", "off"),
        ("reminder", "on"),
        ("reminder", "off"),
        ("pictures", "on"),
        ("pictures", "off"),
        ("format", "board"),
        ("format", "spoken"),
    ],
)
def test_a_setting_that_is_offered_in_german_is_read(setting: str, value: str) -> None:
    say = GERMAN.filters["word"]
    assert setting == "format" or say(setting) != setting
    english, german = read_setting(setting, value), read_setting(say(setting), say(value))
    assert english == german


@pytest.mark.parametrize(
    "position", [LOGGER_START, NEAR_TREE, STONES, LAND_START, LAND, CHESS_START, *DICE]
)
def test_an_offered_move_is_not_taken_for_a_command(position: str) -> None:
    grammar = Grammar(position)
    moves = [*islice(grammar.game.legal_moves(grammar.position), 0, MOVES * 5, 5)]
    for move, language in product(moves, ("en", "de")):
        notation = grammar.game.notation(move)
        said = grammar.game.vocabulary.say(notation, language)
        email = parse(said, command_table(), grammar)
        assert (email.moves, email.commands) == ((notation,), ()), said
