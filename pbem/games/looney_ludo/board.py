"""The board as text and facts (section 9 of the rulebook). `board_text` draws the text.

Facts are data for the templates, which write the legend and the description for screen readers.
"""

from __future__ import annotations

from typing import Final

from pbem.errors import Fact, Facts
from pbem.games.game import Board, GameOver, SeatLetters, Style, Viewpoint
from pbem.games.looney_ludo.board_text import is_deep, picture, signs
from pbem.games.looney_ludo.boards import (
    DIRECTIONS,
    DOTS,
    EXITS,
    PLACE_NAMES,
    PRINTED,
    QUARTERS,
    SQUARES,
    find_destination,
    last_named_slot,
    list_boards,
    slot_name,
)
from pbem.games.looney_ludo.legal import open_actions, open_moves
from pbem.games.looney_ludo.notation import piece_name
from pbem.games.looney_ludo.position import (
    CENTRES,
    COLOURS,
    LETTERS,
    OWN,
    PIECES,
    SIZES,
    Climb,
    Phase,
    Position,
    Walk,
)
from pbem.games.looney_ludo.rules import LAST_TURNS, turn
from pbem.games.looney_ludo.samples import samples
from pbem.games.looney_ludo.steps import (
    Course,
    dice_facts,
    piece_text,
    resolve_colour,
    square_facts,
)

_SAMPLE_COUNT: Final = 3


def board(
    position: Position,
    viewpoint: Viewpoint,
    style: Style,
    letters: SeatLetters = (),  # noqa: ARG001 - colours tell seats apart
) -> Board:
    """Return the board as text and facts. Nothing is hidden from any player (LL-6.1).

    The facts contain choices only if the viewpoint is the seat to act.
    """
    facts = {**_facts(position, viewpoint), "signs": signs(style)}
    return Board(picture(position, style), facts)


def piece_facts(piece: int) -> Fact:
    """Return facts for the templates: a piece's colour, its size and its text on boards."""
    colour, size = divmod(piece, PIECES)
    return {"colour": COLOURS[colour], "size": SIZES[size], "text": piece_text(piece)}


def _facts(position: Position, viewpoint: Viewpoint) -> Facts:
    lying = sorted(list_boards(position.slots), key=position.slots.__getitem__)
    cap = position.setting.cap
    turns = cap - position.played
    acting = position.phase in (Phase.ACT, Phase.DOUBLES)
    return {
        "phase": str(position.phase),
        "you": viewpoint,
        "to_move": position.to_act or None,
        "seats": [
            {
                "seat": seat,
                "colour": COLOURS[colour],
                "letter": LETTERS[colour],
                "you": seat == viewpoint,
                "home": sum(
                    piece // PIECES == colour for piece in position.stacks[CENTRES[colour]]
                ),
                "to_move": seat == position.to_act,
                "left": seat in position.left,
            }
            for seat, colour in enumerate(position.setting.colours, 1)
        ],
        "range": {"first": "A1", "last": slot_name(last_named_slot(position.slots))}
        if lying
        else None,
        "boards": [_board_facts(position, board) for board in lying],
        "stacks": _stack_facts(position, lying),
        "dice": dice_facts(position.roll),
        "turns_left": turns if cap and turns <= LAST_TURNS and not position.cause else None,
        "over": _ending(position),
        "can": _choices(position) if acting and viewpoint == position.to_act else None,
    }


def _board_facts(position: Position, board: int) -> Fact:
    turns = position.turned[board]
    return {
        "colour": COLOURS[board],
        "letter": LETTERS[board],
        "slot": slot_name(position.slots[board]),
        "dot": DOTS[turns],
        "squares": [
            {
                "place": PLACE_NAMES[place],
                "exits": [
                    _exit_facts(position, SQUARES * board + printed, direction)
                    for direction in range(QUARTERS)
                    if EXITS[turns][printed][direction]
                ],
            }
            for place, printed in enumerate(PRINTED[turns])
        ],
    }


def _exit_facts(position: Position, square: int, direction: int) -> Fact:
    """Return facts about an exit of a square, which is an arrow, for the templates (LL-9.8).

    The fact `direction` is the direction of the arrow. `off` is True if the arrow does not lead to
    a board. If the arrow leads to another board, `to` is the square there; otherwise `to` is None.
    """
    end = find_destination(square, direction, position.slots, position.turned)
    inside = end >= 0 and end // SQUARES == square // SQUARES
    return {
        "direction": DIRECTIONS[direction],
        "off": end < 0,
        "to": None if inside or end < 0 else square_facts(end, position.turned),
    }


def _stack_facts(position: Position, lying: list[int]) -> Fact:
    """Return the stacks of all occupied squares, in the order of the boards in `lying` (LL-9.5)."""
    stacks: list[Fact] = []
    for board in lying:
        turns = position.turned[board]
        for place, printed in enumerate(PRINTED[turns]):
            stack = position.stacks[SQUARES * board + printed]
            if stack:
                stacks.append(
                    {
                        "board": COLOURS[board],
                        "place": PLACE_NAMES[place],
                        "pieces": [piece_facts(piece) for piece in stack],
                        "deep": is_deep(stack),
                    }
                )
    return stacks


def _ending(position: Position) -> Fact:
    match turn(position):
        case GameOver(outcome):
            winner = position.winner
            return {
                "termination": outcome.termination,
                "placings": outcome.placings,
                "winner": winner or None,
                "colour": COLOURS[position.setting.colours[winner - 1]] if winner else None,
            }
        case _:
            return None


def _choices(position: Position) -> Fact:
    """Return facts for the templates: what the seat to act can do first.

    `pieces` has the pieces that can move, each with its directions (`top` is a climb). `steps` is
    the number of directions of all these pieces together, and `actions` the number of legal
    actions. `samples` has some legal moves as text. `doubles` is True if the player may still roll
    doubles again.
    """
    course = Course(position)
    ways: dict[int, list[str]] = {}
    for move in open_moves(course):
        for step in move.steps:
            if isinstance(step, Walk):
                ways.setdefault(step.piece, []).append(DIRECTIONS[step.direction].lower())
            elif isinstance(step, Climb):
                ways.setdefault(step.piece, []).append("top")
    order = sorted(ways, key=lambda piece: (piece // PIECES != OWN, piece))
    return {
        "doubles": position.phase is Phase.DOUBLES,
        "steps": sum(map(len, ways.values())),
        "pieces": [
            {
                "name": piece_name(piece),
                "own": piece // PIECES == OWN,
                "piece": piece_facts(resolve_colour(course, piece)),
                "ways": ways[piece],
            }
            for piece in order
        ],
        "actions": len(open_actions(course)),
        "samples": samples(position, _SAMPLE_COUNT),
    }
