"""Legal moves that are shown to players as examples of notation; they need not be good moves."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.landrush.legal import legal_moves
from pbem.games.landrush.notation import notation
from pbem.games.landrush.position import Move, Phase, Play, Position


def samples(position: Position, limit: int) -> list[str]:
    """Return at most `limit` legal moves as text, spread over the list of all legal moves."""
    turns = legal_moves(position)
    if position.phase is Phase.PLAY:
        turns = _plainest(position, turns)
    count = min(limit, len(turns))
    moves = [turns[(2 * nth + 1) * len(turns) // (2 * count)] for nth in range(count)]
    return [notation(move) for move in moves]


def _plainest(position: Position, turns: Sequence[Move]) -> list[Move]:
    """Return one play for each square and size, or all of `turns` if these are not plays.

    Plays with the same square and size differ in the replacements of captured pyramids. If one of
    these plays keeps the sizes of the captured pyramids, that play is returned.
    """
    plainest: dict[object, Move] = {}
    for move in turns:
        if not isinstance(move, Play):
            return [*turns]
        alike = all(position.find_size(square) == size for square, size in move.taken)
        if alike or (move.square, move.size) not in plainest:
            plainest[move.square, move.size] = move
    return list(plainest.values())
