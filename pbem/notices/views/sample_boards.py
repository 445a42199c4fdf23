"""Boards that nobody plays on: in a test mail, in an invitation, beside the rules."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import cycle
from typing import Final

from pbem.errors import Rejection
from pbem.games import newest
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Marks, Seats, Style
from pbem.notices.views.accounts import Sight
from pbem.notices.views.matches import shown_in_html
from pbem.notices.views.scene import Wishes
from pbem.players.wishes import NARROWEST, WIDEST

WIDTHS: Final = (NARROWEST, 50, 60, WIDEST)
MOVES: Final = 6
"""So many moves fill the board a little."""


@cache
def boards(key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A position of a game as everybody may see it, in plain signs and in Unicode ones."""
    game = newest(key)
    if game is None:
        return (), ()
    position = game.initial(game.seats[0], game.normal_options({}))
    moves = 0
    with suppress(Rejection):
        while moves < MOVES:
            match game.turn(position):
                case Chance(draw=draw):
                    position = game.play(position, Drawn(answer(draw, cycle(range(256)))))
                case Seats():
                    legal = game.legal(position)
                    position = game.play(position, legal[len(legal) // 2])
                    moves += 1
                case _:
                    break
    plain, signs = (game.board(position, None, style) for style in (Style.ASCII, Style.UNICODE))
    return plain.lines, signs.lines


@cache
def example(key: str, wishes: Wishes) -> Sight | None:
    """A board that shows what a game looks like: as text a part of it, in HTML the whole."""
    game = newest(key)
    if game is None or game.example is None:
        return None
    shown = game.example
    position = game.load(shown.position)
    board = game.board(position, None, wishes.style)
    lines = (line[: shown.columns].rstrip() for line in board.lines[: shown.lines])
    cells, picture = shown_in_html(game, position, None, Marks(), wishes)
    return Sight(0, tuple(lines), board.facts, cells, picture)


def ruler() -> tuple[str, ...]:
    """Lines of known widths: each begins with its number and ends with a bar."""
    return tuple(f"{width}{'-' * (width - 3)}|" for width in WIDTHS)


def pictures(key: str) -> tuple[tuple[str, ...], ...]:
    """PLAY 2: what the reader sees of these says which wishes fit."""
    return (*boards(key), ruler())
