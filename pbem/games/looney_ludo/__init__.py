"""Looney Ludo, a game for 2 to 6 players. `LL-` numbers refer to docs/games/looney_ludo.md.

`boards` and `position` define the types. `rules` uses `deals` for the setup and `steps` for
the steps of a turn; `legal` lists legal steps. `lexicon`, `grammar` and `resolve` parse the
turns that players type, and `standing_orders` parses standing orders. Three modules write values
as text and read them: `notation` is for turns, `draws` for the results of random draws, and
`position_text` for positions. `board`, `samples` and `move_facts` provide the data for the
templates.
"""

from __future__ import annotations

from typing import Final

from pbem.games.game import Game, Options
from pbem.games.looney_ludo.board import board
from pbem.games.looney_ludo.draws import chance_notation, read_chance
from pbem.games.looney_ludo.evaluation import evaluate
from pbem.games.looney_ludo.lesson import LESSON
from pbem.games.looney_ludo.lexicon import WORDS
from pbem.games.looney_ludo.move_facts import move_facts
from pbem.games.looney_ludo.notation import notation, read_notation
from pbem.games.looney_ludo.partial_moves import partial_move, reordered_texts
from pbem.games.looney_ludo.picture import hotspots, picture
from pbem.games.looney_ludo.position import COLOURS, LETTERS, Move, Position
from pbem.games.looney_ludo.position_text import dump, load
from pbem.games.looney_ludo.resolve import parse
from pbem.games.looney_ludo.rules import (
    agree_draw,
    extensions,
    initial_position,
    leave,
    legal_moves,
    play,
    turn,
)
from pbem.games.looney_ludo.standing_orders import apply_standing_order, parse_standing_order
from pbem.games.looney_ludo.vocabulary import VOCABULARY
from pbem.games.options import Option, colour_choice

__all__ = ["GAME", "Move", "Position"]


def is_seat_order_drawn(options: Options) -> bool:
    """Return False, because the seat order is fixed when the match is created (LL-1.14)."""
    del options
    return False


def can_offer_draw(options: Options) -> bool:
    """Return whether players may offer draws (LL-4.3, LL-5.4)."""
    return options["draw_offers"] == "on"


GAME: Final[Game[Position, Move]] = Game(
    key="looney_ludo",
    edition=1,
    title="Looney Ludo",
    seats=(2, 3, 4, 5, 6),
    options=(
        Option("starter", ("roll", "given"), "roll", is_starter=True),
        Option("nest_timing", ("any_turn", "own_turn"), "any_turn"),
        Option("turn_cap", ("none",), "none", numbers=range(50, 2001)),
        Option("draw_offers", ("on", "off"), "on"),
        colour_choice(COLOURS, LETTERS),  # LL-1.2
    ),
    move_words=WORDS,
    vocabulary=VOCABULARY,
    example=(
        # LL-9.6
        "seats Red, Blue; boards Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW; "
        "pieces R.c=Bm Y.c=Rl<Bs G.c=Bl<Rs B.c=Rm; dice 5 3 swap"
    ),
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
    extensions=extensions,
    dump=dump,
    load=load,
    is_seat_order_drawn=is_seat_order_drawn,
    evaluate=evaluate,
    lesson=LESSON,
    can_offer_draw=can_offer_draw,
    agree_draw=agree_draw,
    has_lasting_draw_offers=True,
    chance_notation=chance_notation,
    read_chance=read_chance,
    parse_standing_order=parse_standing_order,
    apply_standing_order=apply_standing_order,
)
