"""Chess and Chess960 for pbem: rules.md as functions, on the board of python-chess.

`rules` says what may be done, `notation` how it is written, `board` shows it, `value` judges it.
"""

from __future__ import annotations

from typing import Final

from pbem.games.game import Example, Game
from pbem.games.options import Option
from pbem_chess.board import board, facts, picture, places
from pbem_chess.notation import VOCABULARY, WORDS, notation, parse, read
from pbem_chess.rules import (
    Move,
    Position,
    agree,
    claimed,
    dump,
    initial,
    leave,
    legal,
    load,
    play,
    turn,
)
from pbem_chess.value import value

__all__ = ["GAME", "Move", "Position"]


GAME: Final[Game[Position, Move]] = Game(
    key="chess",
    edition=1,
    title="Chess",
    seats=(2,),
    options=(
        Option("start", ("usual", "960"), "usual"),
        Option("seat_order", ("random", "given"), "random", begins=True),
    ),
    words=WORDS,
    vocabulary=VOCABULARY,
    example=Example(
        "usual|r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4|||0",
        lines=10,
        columns=24,
    ),
    initial=initial,
    turn=turn,
    legal=legal,
    parse=parse,
    read=read,
    notation=notation,
    play=play,
    leave=leave,
    draw_offers=lambda _: True,
    agree=agree,
    claimed=claimed,
    facts=facts,
    board=board,
    picture=picture,
    places=places,
    value=value,
    dump=dump,
    load=load,
)
