"""Landrush, a game for 2 to 5 players. `LR-` numbers refer to its rulebook, docs/games/landrush.md.

`position` and `tracts` define the types and the bit sets of squares. `rules` plays moves,
`legal` lists them, `move_checks` rejects illegal ones, and `scoring` counts points.
`grammar` and `resolve` parse what players type. `notation` converts moves to text and back,
`draws` does the same for random draws, and `position_text` for positions. `board`, `samples`
and `move_facts` provide the data for the templates.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.games.game import Game, Options
from pbem.games.landrush.board import board
from pbem.games.landrush.draws import chance_notation, read_chance
from pbem.games.landrush.evaluation import evaluate
from pbem.games.landrush.legal import forced_move, legal_moves
from pbem.games.landrush.lesson import LESSON
from pbem.games.landrush.move_facts import move_facts
from pbem.games.landrush.notation import notation, read_notation
from pbem.games.landrush.partial_moves import partial_move
from pbem.games.landrush.picture import hotspots, picture
from pbem.games.landrush.position import (
    COLOUR_LETTERS,
    COLOURS,
    Move,
    Position,
)
from pbem.games.landrush.position_text import dump, load
from pbem.games.landrush.resolve import parse
from pbem.games.landrush.rules import initial_position, leave, play, turn
from pbem.games.landrush.vocabulary import VOCABULARY
from pbem.games.options import Option, colour_choice

__all__ = ["GAME", "Move", "Position"]

_SIZE: Final = r"(?:small|medium|med|large|lg|[sml])+"
_IGNORED: Final = "play|place|put|on|at|to|the|my|pyramid|square"
_SIZE_WORD: Final = "(?:small|medium|med|large|little|big)"
_CORNER: Final = (
    "(?:(?:top|bottom|upper|lower)[ -](?:left|right)|(?:left|right)[ -](?:top|bottom)|[ns][ew])"
)
_BETWEEN: Final = (
    r"(?:[\s,:-]+(?:one|pyramid|in|on|at|to|the|of|goes|im|in|der|die|das|ein|eine)\b){0,3}"
)
_WORDS: Final = re.compile(
    # A square, as in `b6`, `xb6` or `b6L`. It may be off the board.
    r"(?<![a-z0-9])x?(?:[a-z][0-9]{1,2}|[a-h]-[0-9]{1,2}|[0-9]{1,2}[a-h])(?=[xsml]|[^a-z0-9]|$)"
    # A dictated square (`on d 5`), except in column a: `a` is a word.
    r"|\b(?:on|at|to)[ \t]+[b-h][ \t]+[0-9]{1,2}(?![a-z0-9])"
    # A size and a corner of the tile.
    rf"|\b{_SIZE_WORD}{_BETWEEN}[\s,:-]+{_CORNER}\b|\b{_CORNER}{_BETWEEN}[\s,:-]+{_SIZE_WORD}\b"
    # A line of only words of LR-7.1 and LR-7.2. Filler words, `with`, `x`, `no` and `so` alone are
    # not enough. (`no` and `so` are German abbreviations of corners, but everyday words, too.)
    rf"|^(?=.*\b(?!(?:{_IGNORED}|with|x|no|so)\b)\w)"
    rf"(?:[\W_]*(?:{_IGNORED}|with|x?{_SIZE}|x|pass|skip|[ns][ewo]|[tb][lr])(?!\w))+[\W_]*$"
)


def is_seat_order_drawn(options: Options) -> bool:
    """Return False: seats have the challenger's order. The game draws who starts (LR-1.8)."""
    del options
    return False


GAME: Final[Game[Position, Move]] = Game(
    key="landrush",
    edition=1,
    title="Landrush",
    seats=(2, 3, 4, 5),
    options=(
        Option("adj", ("4", "8"), "4"),
        Option("sizes", ("free", "same"), "free"),
        Option("starter", ("random", "given"), "random", is_starter=True),
        colour_choice(COLOURS, COLOUR_LETTERS),  # LR-1.6
    ),
    move_words=_WORDS,
    vocabulary=VOCABULARY,
    example="red a2 M, b2 S, b3 L; yellow c1 M, d2 S; to draw red",
    initial_position=initial_position,
    turn=turn,
    legal_moves=legal_moves,
    parse=parse,
    read_notation=read_notation,
    notation=notation,
    play=play,
    leave=leave,
    move_facts=move_facts,
    board=board,
    picture=picture,
    hotspots=hotspots,
    partial_move=partial_move,
    dump=dump,
    load=load,
    is_seat_order_drawn=is_seat_order_drawn,
    max_random_plies=2000,
    evaluate=evaluate,
    lesson=LESSON,
    forced_move=forced_move,
    chance_notation=chance_notation,
    read_chance=read_chance,
)
