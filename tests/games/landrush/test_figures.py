"""Section 11: counts of placements."""

from __future__ import annotations

from pbem.games.landrush import GAME
from pbem.games.landrush.move_checks import placeable
from tests.games.landrush.tables import start


def test_first_placements() -> None:
    # LR-11.1
    one = start(3)
    assert len(GAME.legal_moves(one)) == 96
    twos = [GAME.play(one, move) for move in GAME.legal_moves(one)]
    assert sum(len(GAME.legal_moves(two)) for two in twos) == 8468
    threes = (GAME.play(two, move) for two in twos for move in GAME.legal_moves(two))
    assert sum(placeable(three).bit_count() for three in threes) == 683640
