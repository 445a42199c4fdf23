"""Plays that a player composes step by step on a web page: square, size, replacements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pbem.errors import Fact, Facts, Rejection
from pbem.games.game import PartialMove
from pbem.games.landrush.legal import like_for_like
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
    """Return the state of a play that a player has begun to compose.

    `text` is the beginning of the play in canonical notation, and `following` has the words
    that can come next. The coin stays in the position, so that the picture still shows it.
    """
    begun = _BEGUN.fullmatch(text)
    if position.phase is Phase.PLACE:
        if begun is None or text not in NUMBERS:
            return PartialMove(position, None, {"kind": "place"})
        placing = Placement(NUMBERS[text])
        return PartialMove(_after(position, placing), placing, {"kind": "done"})
    captured = {square: taken for square, taken, _ in open_squares(position)}
    empty = [square for square in TILES[position.coin] if not position.taken & BIT[square]]
    is_crossed = len(captured) < len(empty)
    if begun is None or NUMBERS[begun["square"]] not in captured:
        open_ones = (name for name in following if name in NUMBERS)
        takes = {name: captured[NUMBERS[name]].bit_count() for name in open_ones}
        return PartialMove(
            position, None, {"kind": "square", "takes": takes, "crossed": is_crossed}
        )
    square = NUMBERS[begun["square"]]
    if not begun["size"]:
        sizes: Facts = {
            "kind": "size",
            "square": begun["square"],
            "only": len(captured) == 1,
            "left": _left(position, ()),
        }
        return PartialMove(position, None, sizes)
    named = {NUMBERS[name]: SIZE_LETTERS.index(size) for name, size in _PAIR.findall(text)}
    taken = tuple({**dict(like_for_like(position, captured[square])), **named}.items())
    move = Play(square, SIZE_LETTERS.index(begun["size"]), taken)
    facts: Facts = {"kind": "done"}
    asked = _ASKED.search(begun["taken"])
    if asked is not None and following:
        replaced = NUMBERS[asked[1]]
        like = dict(taken).get(replaced)
        facts = {
            "kind": "replace",
            "square": asked[1],
            "old": SIZES[position.find_size(replaced)],
            "chosen": "" if like is None else SIZE_LETTERS[like],
            "left": _left(position, (move.size, *named.values())),
        }
    return PartialMove(_after(position, move), move, facts)


def _left(position: Position, used: Sequence[int]) -> dict[str, Fact]:
    """Return the number of pyramids in the stash without those of `used` sizes, by size letter."""
    stash = position.stash(position.to_act)
    return {letter: stash[size] - used.count(size) for size, letter in enumerate(SIZE_LETTERS)}


def _after(position: Position, move: Placement | Play) -> Position:
    """Return the position after the move, with coin and seat to act unchanged, for the picture.

    If the move ends the game, it is the final position. If the move is illegal, for example because
    the stash has too few pyramids, it is the position before.
    """
    try:
        after = play(position, move)
    except Rejection:
        return position
    if after.cause:
        return after
    return replace(after, phase=position.phase, to_act=position.to_act, coin=position.coin)
