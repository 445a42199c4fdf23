"""Real orders that are shown as examples, the one that helps most first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.games.landrush.legal import legal
from pbem.games.landrush.notation import notation
from pbem.games.landrush.position import BIT, Move, Phase, Play, Position
from pbem.games.landrush.rules import play
from pbem.games.landrush.scoring import points
from pbem.games.landrush.tracts import tract

_LOOKED_AT: Final = 40
"""Plays of which the best is shown."""


def samples(position: Position, most: int) -> list[str]:
    """At most `most` legal turns in canonical text: the best of a play, and others spread."""
    turns = legal(position)
    found: list[Move] = []
    if position.phase is Phase.PLAY:
        turns = _plainest(position, turns)
        found = [max(turns[:_LOOKED_AT], key=lambda move: _gain(position, move))]
        turns = [move for move in turns if move not in found]
    wanted = min(most - len(found), len(turns))
    found += [turns[(2 * nth + 1) * len(turns) // (2 * wanted)] for nth in range(wanted)]
    return [notation(move) for move in found]


def _gain(position: Position, move: Move) -> tuple[int, int, int]:
    """By how much a play leads, if the game ended then; how long its tract is; how small it is."""
    if not isinstance(move, Play):
        return (0, 0, 0)
    seat, after = position.to_act, play(position, move)
    scores = [points(after, number) for number in range(1, position.seats + 1)]
    others = max(score for number, score in enumerate(scores, 1) if number != seat)
    own = tract(BIT[move.square], after.own[seat - 1], eight=after.setting.eight)
    return (scores[seat - 1] - others, own.bit_count(), -move.size)


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
