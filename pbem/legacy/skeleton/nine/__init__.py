"""Nine: who has three in a row wins. rules.md as functions; `NI-` numbers cite it.

`rules` is the game, `notation` writes and reads its moves, `board` and `picture` show it, `value`
says who stands better. texts/ has its words, and locale/ those of other languages.
"""

from __future__ import annotations

from typing import Final

from pbem.games.game import Example, Game
from pbem.games.options import Option
from pbem.legacy.skeleton.nine.board import board, facts
from pbem.legacy.skeleton.nine.notation import WORDS, dump, load, notation, parse, read
from pbem.legacy.skeleton.nine.picture import picture, places
from pbem.legacy.skeleton.nine.rules import Move, Position, initial, leave, legal, play, turn
from pbem.legacy.skeleton.nine.value import value

__all__ = ["GAME", "Move", "Position"]

GAME: Final[Game[Position, Move]] = Game(
    key="nine",
    edition=1,
    title="Nine",
    seats=(2,),
    options=(Option("seat_order", ("random", "given"), "random", begins=True),),
    words=WORDS,
    keywords=("take",),
    example=Example("x...o...x", lines=9, columns=24),
    initial=initial,
    turn=turn,
    legal=legal,
    play=play,
    leave=leave,
    parse=parse,
    read=read,
    notation=notation,
    dump=dump,
    load=load,
    board=board,
    facts=facts,
    picture=picture,
    places=places,
    value=value,
)
