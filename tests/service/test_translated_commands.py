from __future__ import annotations

import re
from itertools import islice, product

import pytest

import pbem.service.handlers  # noqa: F401 - registers the commands
from pbem.files import find_shipped
from pbem.mail.commands import parse
from pbem.notifications.environment import make_environment
from pbem.service.registry import command_table
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
OFFERED = re.findall(
    r"pgettext\('command', '(\w+)'\)",
    (FOLDER / "email" / "commands.txt.j2").read_text(encoding="utf-8"),
)


def test_what_an_email_offers_in_german_is_read() -> None:
    assert len(OFFERED) > 20
    say = make_environment((FOLDER,), "de").filters["command"]
    for name in OFFERED:
        said = say(name)
        found, english = command_table().find(said), command_table().find(name)
        if english is None:
            assert parse(said, command_table(), None).answer == name
        else:
            assert found is not None, name
            assert found[0] == english[0]


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
