"""A move is read with its piece, or not at all: no word is dropped from it."""

from __future__ import annotations

import pytest
from pbem_chess import GAME

from pbem.errors import Rejection
from pbem.games.game import Seat

START = GAME.initial_position(2, GAME.normalise_options({}))


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("knight f3", "Nf3"),
        ("N f3", "Nf3"),
        ("Springer f3", "Nf3"),
        ("♘f3", "Nf3"),
        ("N.f3", "Nf3"),
        ("N. f3", "Nf3"),
        ("N\nf3", "Nf3"),
        ("pawn e4", "e4"),
        ("e4", "e4"),
    ],
)
def test_a_piece_is_read(typed: str, played: str) -> None:
    assert GAME.notation(GAME.parse(typed, START, Seat(1))) == played


@pytest.mark.parametrize("typed", ["K f3", "B x c3", "horse f3", "f3 knight", "f3\nN", "f3 N"])
def test_what_is_not_whole_is_refused(typed: str) -> None:
    with pytest.raises(Rejection):
        GAME.notation(GAME.parse(typed, START, Seat(1)))
