"""Logan Stones, a game for 2 players. `LS-` numbers refer to docs/games/logan_stones.md.

`stones` and `position` define the types. `rules` uses `draws` for the deal, and `shape` and
`move_checks` for legality. `lexicon`, `grammar` and `resolve` parse what players type.
`notation` converts turns to text and back, and `position_text` does the same for positions.
`board` and `move_facts` provide the data for the templates.

`Stone.seen_by` says who has seen the reverse (lower face) of a stone. A function that shows a
reverse must check `seen_by`.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.games.game import Game, Options
from pbem.games.logan_stones.board import board
from pbem.games.logan_stones.draws import chance_notation, read_chance
from pbem.games.logan_stones.evaluation import evaluate
from pbem.games.logan_stones.lesson import LESSON
from pbem.games.logan_stones.lexicon import AS_IT_LIES, ON_TOP, TURNED
from pbem.games.logan_stones.move_facts import move_facts
from pbem.games.logan_stones.notation import notation, read_notation
from pbem.games.logan_stones.partial_moves import partial_move
from pbem.games.logan_stones.picture import hotspots, picture
from pbem.games.logan_stones.position import Move, Position
from pbem.games.logan_stones.position_checks import CAPS
from pbem.games.logan_stones.position_text import dump, load
from pbem.games.logan_stones.resolve import parse
from pbem.games.logan_stones.rules import (
    agree_draw,
    initial_position,
    leave,
    legal_moves,
    play,
    turn,
)
from pbem.games.logan_stones.stones import SETS
from pbem.games.logan_stones.visibility import determinize, redact, reveals
from pbem.games.logan_stones.vocabulary import VOCABULARY
from pbem.games.options import Option

__all__ = ["GAME", "Move", "Position"]

_WORDS: Final = re.compile(
    r"(?<![a-z0-9])"
    rf"(?:{ON_TOP}|{TURNED}|{AS_IT_LIES}"
    rf"|-?[a-z]{{1,2}}-?[0-9]{{1,3}}|[a-z][ \t]+-?[0-9]{{1,3}}|flip|pass|skip"
    r"|[1-8][ \t]+(?:[0-9]{1,3}|(?:with[ \t]+)?(?:[rps]|rock|paper|scissors))"
    r"|(?:add|put|place)[ \t]+(?:(?:the|my|stone|number)[ \t]+){0,3}[1-8]|stone[ \t]+[1-8]"
    r"|turned(?=[ \t]*(?:[.!;]|$)))"
    r"(?![a-z0-9])"
)
"""The pattern of words that are typical of turns.

These are labels of spaces such as `L21`, and phrases that name no space of the board, such as
`add 3`. `turned` matches only at the end of a sentence (`4 on K22, please turned`).
"""


def is_seat_order_drawn(options: Options) -> bool:
    """Return whether players get their seats at random. Seat 1 starts (LS-5.6, LS-3.22)."""
    return options["starter"] == "random"


def can_offer_draw(options: Options) -> bool:
    """Return whether players may agree on a draw (LS-5.4)."""
    return options["draw_offers"] == "on"


GAME: Final[Game[Position, Move]] = Game(
    key="logan_stones",
    edition=1,
    title="Logan Stones",
    seats=(2,),
    options=(
        Option("stone_set", tuple(SETS), "6x3"),
        Option("draw_cap", ("none",), "100", numbers=CAPS),
        Option("repetition", ("on", "off"), "on"),
        Option("draw_offers", ("on", "off"), "on"),
        Option("memory_aid", ("on", "off"), "on"),
        Option("starter", ("random", "given"), "random", is_starter=True),
    ),
    move_words=_WORDS,
    vocabulary=VOCABULARY,
    example="M20=RP M22=SS N21=PR N23=SP",
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
    max_random_plies=1000,
    evaluate=evaluate,
    lesson=LESSON,
    determinize=determinize,
    can_offer_draw=can_offer_draw,
    agree_draw=agree_draw,
    has_sealed_draws=True,
    redact=redact,
    reveals=reveals,
    chance_notation=chance_notation,
    read_chance=read_chance,
)
