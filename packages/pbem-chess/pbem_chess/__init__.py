"""Chess and Chess960 for pbem: rules.md as functions, on the board of python-chess.

`rules` has the rules, `notation` writes and reads moves, `board` draws positions, `evaluation`
evaluates them.
"""

from __future__ import annotations

from typing import Final

from pbem.games.game import Game
from pbem.games.options import Option
from pbem_chess.board import board, hotspots, move_facts, picture
from pbem_chess.evaluation import evaluate
from pbem_chess.notation import VOCABULARY, WORDS, notation, parse, read_notation
from pbem_chess.rules import (
    Move,
    Position,
    agree_draw,
    claim_draw,
    dump,
    initial_position,
    leave,
    legal_moves,
    load,
    play,
    turn,
)

__all__ = ["GAME", "Move", "Position"]


GAME: Final[Game[Position, Move]] = Game(
    key="chess",
    edition=1,
    title="Chess",
    seats=(2,),
    options=(
        Option("start", ("usual", "960"), "usual"),
        Option("seat_order", ("random", "given"), "random", is_starter=True),
    ),
    move_words=WORDS,
    vocabulary=VOCABULARY,
    example=("usual|r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4|||0"),
    initial_position=initial_position,
    turn=turn,
    legal_moves=legal_moves,
    parse=parse,
    read_notation=read_notation,
    notation=notation,
    play=play,
    leave=leave,
    can_offer_draw=lambda _: True,
    agree_draw=agree_draw,
    claim_draw=claim_draw,
    move_facts=move_facts,
    board=board,
    picture=picture,
    hotspots=hotspots,
    evaluate=evaluate,
    dump=dump,
    load=load,
)
