"""Turns that a player composes step by step on a web page: stone, space, face."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.errors import Fact, Facts, Rejection
from pbem.games.game import PartialMove
from pbem.games.logan_stones.notation import read_notation
from pbem.games.logan_stones.position import Move, Position
from pbem.games.logan_stones.rules import play
from pbem.games.logan_stones.spaces import label
from pbem.games.logan_stones.stones import Stone

_BEGUN: Final = re.compile(r"(?:add|move) (?P<stone>[A-Z0-9-]{1,6})(?P<rest>.{0,40})")


def partial_move(
    position: Position, text: str, following: Sequence[str]
) -> PartialMove[Position, Move]:
    """Return the state of a turn that a player has begun to compose.

    `text` is the beginning of the turn in canonical notation, and `following` has the words that
    can come next. Until the turn is complete, the state's facts describe the player's next choice.
    """
    try:
        move = read_notation(text, position)
    except Rejection:
        return PartialMove(position, None, _next_choice(position, text))
    if not following:
        return PartialMove(play(position, move), move, {"kind": "done"})
    parsed = _BEGUN.fullmatch(text)
    stone = _stones(position)[parsed["stone"]] if parsed is not None else None
    sides: dict[str, Fact] = {"top": stone.top, "under": stone.bottom} if stone is not None else {}
    return PartialMove(play(position, move), move, {"kind": "turn", **sides})


def _next_choice(position: Position, text: str) -> Facts:
    parsed = _BEGUN.fullmatch(text)
    stones = _stones(position)
    if parsed is None:
        choices: dict[str, Fact] = {
            name: {"top": stone.top, "under": stone.bottom} for name, stone in stones.items()
        }
        verb = text if position.hand or text else "any"
        return {"kind": verb, "stones": choices}
    stone = stones.get(parsed["stone"])
    return {"kind": "to", "stone": parsed["stone"], "top": stone.top if stone else "?"}


def _stones(position: Position) -> dict[str, Stone]:
    """Return the stones with which a turn can begin, by the text that names each stone.

    These are the stones in hand, by number. If the hand is empty, they are the stones of the
    island, by the label of the space.
    """
    if position.hand:
        return {str(hand_stone.number): hand_stone.stone for hand_stone in position.hand}
    return {label(space): stone for space, stone in position.island.items()}
