"""Replies that real mail programs wrote to real mails of ours in whole matches, byte by byte.

The samples beside them are modelled on what programs send; these were sent. Each stands beside the
mail that it answers: pictures are in both, where the match had them on.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.legacy.mail.corpus.understood import Sent, Understood, understand

FOLDER = Path(__file__).parent / "recorded"
RECORDED = json.loads((FOLDER / "recorded.json").read_text(encoding="utf-8"))
"""The client and how it was used; of the match its ruleset, position and seat; the move meant."""


def sent(name: str) -> Sent:
    """The mail that is answered."""
    kept = RECORDED[name]
    return Sent(
        key=name,
        raw=(FOLDER / f"{name}.sent.eml").read_bytes(),
        name=kept["name"],
        ruleset=kept["ruleset"],
        position=kept["position"],
        seat=kept["seat"],
        moves=(kept["plays"],),
    )


def read(name: str) -> Understood:
    return understand((FOLDER / f"{name}.reply.eml").read_bytes(), sent(name))


@pytest.mark.parametrize("name", RECORDED)
def test_the_move_is_read_and_nothing_is_asked(name: str) -> None:
    found = read(name)
    assert (found.plays, found.asks) == (RECORDED[name]["plays"], ())
    assert (found.orders, found.own_lines, found.conflict) == ((), (), False)


def test_each_game_was_played_with_each_program() -> None:
    played = {(one["client"].split()[0], one["ruleset"]) for one in RECORDED.values()}
    rulesets = {"logger-1", "looney_ludo-1", "logan_stones-1", "landrush-1"}
    assert played >= {(program, one) for program in ("neomutt", "Thunderbird") for one in rulesets}


def test_each_game_was_played_by_a_tap() -> None:
    tapped = {one["ruleset"] for one in RECORDED.values() if one["client"].endswith(" tap")}
    assert len(tapped) == 4
