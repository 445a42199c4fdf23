"""Which game somebody means by what they typed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.errors import Rejection
from pbem.games import GAMES, OURS, AnyGame, list_games
from pbem.games.naming import find_game, find_near_titles, list_titles


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_game_is_known_however_its_name_is_written(game: AnyGame) -> None:
    words = game.title.split()
    for name in (joint.join(words) for joint in (" ", "-", "_", "", "  ", "\u2010")):
        for typed in (name, name.upper(), f" {name.lower()}. ", f"{name}!"):
            assert find_game(typed) is game


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("ludo", "Looney Ludo"),
        ("looneylu", "Looney Ludo"),
        ("logan", "Logan Stones"),
        ("land", "Landrush"),
        ("logger-1", "Logger"),
        ("looney-ludo-1", "Looney Ludo"),
    ],
)
def test_an_abbreviation_of_one_game_is_enough(typed: str, title: str) -> None:
    assert find_game(typed).title == title


def test_games_are_listed_and_found_in_their_newest_edition() -> None:
    newer = replace(GAMES["logger-1"], edition=2)
    with GAMES.including(newer):
        assert [game.ruleset for game in list_games()[: len(OURS)]] == ["logger-2", *OURS[1:]]
        for typed in ("logger", "logg", "logger-1"):
            assert find_game(typed) is newer


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("chess", []),
        ("log", ["Logan Stones", "Logger"]),
        ("lo", ["Logan Stones", "Logger", "Looney Ludo"]),
        ("logr", ["Logger", "Logan Stones"]),
        ("loney ludo", ["Looney Ludo"]),
        ("lnadrush", ["Landrush"]),
        ("", []),
        ("\N{WHITE CHESS PAWN}" * 1000, []),
    ],
)
def test_what_may_mean_several_is_asked_about(typed: str, near: list[str]) -> None:
    with pytest.raises(Rejection) as refusal:
        find_game(typed)
    assert refusal.value.code == "no_such_game"
    assert refusal.value.facts == {"game": typed, "games": list_titles(), "near": near}
    assert find_near_titles(typed) == near
