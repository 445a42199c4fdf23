"""The registry of games: all are there, and each is loaded when somebody asks for it."""

from __future__ import annotations

from typing import Final

import pytest

from pbem import games
from pbem.games import GAMES
from pbem.games.game import Seats
from pbem.games.packages import Package

RULESETS: Final = ["logger-1", "looney_ludo-1", "logan_stones-1", "landrush-1"]


@pytest.fixture
def fresh() -> games.Games:
    """A registry that nobody has asked for a game."""
    return games.Games()


def loaded(registry: games.Games) -> int:
    return len(registry._loaded)


def test_what_there_is_is_told_without_loading_any(fresh: games.Games) -> None:
    assert list(fresh) == list(fresh.keys()) == RULESETS
    assert len(fresh) == len(RULESETS)
    assert all(name in fresh for name in RULESETS)
    assert "chess-1" not in fresh
    assert loaded(fresh) == 0


def test_get_loads_what_there_is_and_nothing_else(fresh: games.Games) -> None:
    assert fresh.get("landrush-1") is GAMES["landrush-1"]
    assert loaded(fresh) == 1
    assert fresh.get("chess-1") is None
    assert fresh.get("chess-1", 7) == 7
    assert loaded(fresh) == 1


def test_no_package_brings_an_edition_of_a_game_of_the_house(
    fresh: games.Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Package("logger-2", "pbem_other:GAME", "")
    monkeypatch.setattr(games, "list_packages", lambda: {"logger-2": other})
    assert list(fresh) == RULESETS
    assert fresh["logger-2"].is_missing
    assert "pbem's own" in str(fresh.faults["logger-2"])


@pytest.mark.parametrize("ruleset", ["x-\N{SUPERSCRIPT TWO}", "x", "x-" + "9" * 5000, "", "-"])
def test_any_text_may_name_rules_that_are_not_there(fresh: games.Games, ruleset: str) -> None:
    assert fresh[ruleset].is_missing
    assert fresh[ruleset].turn(None) == Seats(())
