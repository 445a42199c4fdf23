"""Our games keep the contract that games of others have to keep."""

from __future__ import annotations

from pbem.games import GAMES, editions_of, is_ours, newest
from pbem.legacy.testing.contract import Contract


class TestContract(Contract):
    games = tuple(game for game in GAMES.values() if is_ours(game))


def test_rulesets_are_named_by_key_and_edition() -> None:
    for ruleset, game in GAMES.items():
        assert ruleset == f"{game.key}-{game.edition}"
        assert ruleset in editions_of(game)
        newer = newest(game.key)
        assert newer is not None
        assert newer.edition >= game.edition
