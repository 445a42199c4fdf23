"""Our games pass the contract that games of packages have to pass."""

from __future__ import annotations

from pbem.games import GAMES, editions_of, newest, ours
from pbem.testing import GameContract


class TestOurGames(GameContract):
    games = tuple(ours())


def test_rulesets_are_named_by_key_and_edition() -> None:
    for ruleset, game in GAMES.items():
        assert ruleset == f"{game.key}-{game.edition}"
        assert ruleset in editions_of(game)
        newer = newest(game.key)
        assert newer is not None
        assert newer.edition >= game.edition
