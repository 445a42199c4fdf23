"""Logger, a game for 2 to 4 players. `LG-` numbers refer to its rulebook, docs/games/logger.md.

`position` defines the types. `rules` uses `growth` for the Grow phase and `actions` for the
Act phase. `grammar` and `resolve` parse what players type. `notation` converts moves to
text and back, and `position_text` does the same for positions. `board` and `move_facts`
provide the data for the templates.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.games.game import Game, Options
from pbem.games.logger.board import board
from pbem.games.logger.evaluation import evaluate
from pbem.games.logger.lesson import LESSON
from pbem.games.logger.move_facts import move_facts
from pbem.games.logger.notation import notation, read_notation
from pbem.games.logger.partial_moves import partial_move, reordered_texts
from pbem.games.logger.picture import hotspots, picture
from pbem.games.logger.position import Move, Position
from pbem.games.logger.position_text import dump, load
from pbem.games.logger.resolve import parse
from pbem.games.logger.rules import forced_move, initial_position, leave, legal_moves, play, turn
from pbem.games.logger.vocabulary import VOCABULARY
from pbem.games.options import Option

__all__ = ["GAME", "Move", "Position"]

_WORDS: Final = re.compile(
    r"(?<![a-z0-9])"
    r"(?:[x*+]?(?:[a-h][1-9]|[1-9][a-h])|plant|chop|protest|hug|stay|pass)"
    r"(?![a-z0-9])"
)
"""A pattern that finds a cell, even one beyond the board, or one of some words of LG-7.2.

Each of these words suffices to take a line for a move, even without a cell.
"""


def is_seat_order_drawn(options: Options) -> bool:
    """Return whether the seat order is drawn at random (LG-5.2, LG-6.2, LG-3.24)."""
    return options["seat_order"] == "random"


GAME: Final[Game[Position, Move]] = Game(
    key="logger",
    edition=1,
    title="Logger",
    seats=(2, 3, 4),
    options=(
        Option("tree_limit", ("none", "20"), "none"),  # LG-5.1
        Option("seat_order", ("random", "given"), "random", is_starter=True),
        Option("forced_pass", ("ask", "auto"), "auto"),
    ),
    move_words=_WORDS,
    vocabulary=VOCABULARY,
    example=("loggers b3, d2; trees a4=1 b4=2 c3=3 c4=3* d3=1; scores 1, 0; hands 1, 2; to move 1"),
    # The signs of trees (LG-9.2), and the letters that mean plant and chop (LG-7.2).
    reserved_letters="IYTPX",
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
    reordered_texts=reordered_texts,
    dump=dump,
    load=load,
    is_seat_order_drawn=is_seat_order_drawn,
    max_random_plies=1000,
    evaluate=evaluate,
    lesson=LESSON,
    forced_move=forced_move,
)
