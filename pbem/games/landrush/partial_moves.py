"""Moves that a player composes step by step on a web page.

There are two kinds of moves. A play is composed in three steps: the square, the size of the
pyramid, and the sizes that replace captured pyramids. A placement has only the square.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pbem.errors import Fact, Facts, Rejection
from pbem.games.game import PartialMove
from pbem.games.landrush.legal import keep_sizes
from pbem.games.landrush.position import (
    BIT,
    NUMBERS,
    SIZE_LETTERS,
    SIZES,
    TILES,
    Move,
    Phase,
    Placement,
    Play,
    Position,
)
from pbem.games.landrush.rules import play
from pbem.games.landrush.tracts import open_squares

_BEGUN: Final = re.compile(r"(?P<square>[a-h][0-9]{1,2})(?: (?P<size>[SML]))?(?P<taken>.*)")
_PAIR: Final = re.compile(r"([a-h][0-9]{1,2})=([SML])")
_ASKED: Final = re.compile(r" ([a-h][0-9]{1,2})$")


def partial_move(
    position: Position, text: str, following: Sequence[str]
) -> PartialMove[Position, Move]:
    """Return the state of a placement or play that a player has begun to compose.

    `text` is the beginning of the move in canonical notation; it is empty before the first step.
    `following` has the words that can come next. The position in the result keeps the coin, so that
    the picture still shows it.
    """
    parsed = _BEGUN.fullmatch(text)
    if position.phase is Phase.PLACE:
        if parsed is None or text not in NUMBERS:
            return PartialMove(position, None, {"kind": "place"})
        placing = Placement(NUMBERS[text])
        return PartialMove(_preview(position, placing), placing, {"kind": "done"})
    captured = {square: captures for square, captures, _ in open_squares(position)}
    empty = [square for square in TILES[position.coin] if not position.taken & BIT[square]]
    is_crossed = len(captured) < len(empty)
    if parsed is None or NUMBERS[parsed["square"]] not in captured:
        open_ones = (name for name in following if name in NUMBERS)
        takes = {name: captured[NUMBERS[name]].bit_count() for name in open_ones}
        return PartialMove(
            position, None, {"kind": "square", "takes": takes, "crossed": is_crossed}
        )
    square = NUMBERS[parsed["square"]]
    if not parsed["size"]:
        sizes: Facts = {
            "kind": "size",
            "square": parsed["square"],
            "only": len(captured) == 1,
            "left": _supply(position, ()),
        }
        return PartialMove(position, None, sizes)
    choices = {NUMBERS[name]: SIZE_LETTERS.index(size) for name, size in _PAIR.findall(text)}
    replacements = tuple({**dict(keep_sizes(position, captured[square])), **choices}.items())
    move = Play(square, SIZE_LETTERS.index(parsed["size"]), replacements)
    facts: Facts = {"kind": "done"}
    question = _ASKED.search(parsed["taken"])
    if question is not None and following:
        replaced = NUMBERS[question[1]]
        replacement = dict(replacements).get(replaced)
        facts = {
            "kind": "replace",
            "square": question[1],
            "old": SIZES[position.find_size(replaced)],
            "chosen": "" if replacement is None else SIZE_LETTERS[replacement],
            "left": _supply(position, (move.size, *choices.values())),
        }
    return PartialMove(_preview(position, move), move, facts)


def _supply(position: Position, sizes: Sequence[int]) -> dict[str, Fact]:
    """Return the number of pyramids left in the stash of the seat to act, by size letter.

    `sizes` are the sizes of the pyramids that the composed play uses.
    """
    stash = position.stash(position.to_act)
    return {letter: stash[size] - sizes.count(size) for size, letter in enumerate(SIZE_LETTERS)}


def _preview(position: Position, move: Placement | Play) -> Position:
    """Return the position after the move, but with the same coin and seat to act, for the picture.

    If the move ends the game, the result is the final position. If the move is illegal, for example
    because the stash has too few pyramids, the result is the position before the move.
    """
    try:
        after = play(position, move)
    except Rejection:
        return position
    if after.cause:
        return after
    return replace(after, phase=position.phase, to_act=position.to_act, coin=position.coin)
