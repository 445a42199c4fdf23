"""Real orders that are shown as examples, chosen without any judgement of their worth."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.landrush.legal import legal_moves
from pbem.games.landrush.notation import notation
from pbem.games.landrush.position import Move, Phase, Play, Position


def samples(position: Position, most: int) -> list[str]:
    """At most `most` legal turns in canonical text, spread over the list of them."""
    turns = legal_moves(position)
    if position.phase is Phase.PLAY:
        turns = _plainest(position, turns)
    wanted = min(most, len(turns))
    found = [turns[(2 * nth + 1) * len(turns) // (2 * wanted)] for nth in range(wanted)]
    return [notation(move) for move in found]


def _plainest(position: Position, turns: Sequence[Move]) -> list[Move]:
    """Of the choices of replacement sizes for each square and size one, like for like if it can."""
    found: dict[object, Move] = {}
    for move in turns:
        if not isinstance(move, Play):
            return [*turns]
        alike = all(position.size_at(square) == size for square, size in move.taken)
        if alike or (move.square, move.size) not in found:
            found[move.square, move.size] = move
    return list(found.values())
