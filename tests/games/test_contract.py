"""Our games pass the contract that games of packages have to pass."""

from __future__ import annotations

from pbem.games import GAMES, find_newest, list_editions
from pbem.testing import GameContract
from tests.games.playing import OUR_GAMES


class TestOurGames(GameContract):
    games = OUR_GAMES


def test_rulesets_are_named_by_key_and_edition() -> None:
    for ruleset, game in GAMES.items():
        assert ruleset == f"{game.key}-{game.edition}"
        assert ruleset in list_editions(game)
        newer = find_newest(game.key)
        assert newer is not None
        assert newer.edition >= game.edition
