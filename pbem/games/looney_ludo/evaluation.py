"""Evaluation of positions of Looney Ludo, for bots and hints.

The value of a seat depends on the movement points that the seat still needs to complete its nest.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from typing import Final

from pbem.games.evaluation import WON, evaluate_end
from pbem.games.looney_ludo.boards import (
    ENTRY,
    NEXT_SLOT,
    OFF_BOARD,
    OFF_TABLE,
    QUARTERS,
    SQUARES,
    WAYS,
    Slots,
)
from pbem.games.looney_ludo.position import CENTRES, PIECES, Position, Stack

POINT: Final = 100  # loss of value for each movement point that a seat still needs (LL-2.3, LL-1.3)

_UNREACHABLE: Final = 12  # assumed distance to a centre that no arrows lead to (LL-11.7)


def evaluate(position: Position) -> tuple[int, ...]:
    """Return the value of the position for each seat, in hundredths of a movement point.

    The value is minus the points that the seat's Small, Medium and Large need to become a nest on
    the centre of their own board (LL-2.19). After the end, the values are the result of
    `evaluate_end`; a draw counts as a win for every seat.
    """
    if position.cause:
        winner = position.winner
        seats = range(1, position.seats + 1)
        return (
            evaluate_end([1 if seat == winner else 2 for seat in seats])
            if winner
            else ((WON,) * position.seats)
        )
    needs = dict.fromkeys(position.setting.colours, 0)
    for piece, points in _needs(position.stacks, position.slots, position.turned, needs):
        needs[piece // PIECES] += points
    return tuple([-POINT * points for points in needs.values()])


def need(stacks: Sequence[Stack], slots: Slots, turned: tuple[int, ...], colour: int) -> int:
    """Return an estimate of the movement points that the colour needs for its nest (LL-11.7)."""
    return sum(points for _, points in _needs(stacks, slots, turned, {colour}))


def _needs(
    stacks: Sequence[Stack], slots: Slots, turned: tuple[int, ...], colours: Container[int]
) -> Iterator[tuple[int, int]]:
    """Yield each piece of the given colours with the movement points that it still needs."""
    for square, stack in enumerate(stacks):
        for index, piece in enumerate(stack):
            colour = piece // PIECES
            if colour not in colours:
                continue
            if square == CENTRES[colour]:
                yield piece, _need_at_home(stack, index, piece)
                continue
            spaces = _spaces(slots, turned, colour)[square]
            yield piece, (piece % PIECES + 1) * (spaces + (piece != stack[-1]))


def _need_at_home(stack: Stack, index: int, piece: int) -> int:
    """Return the movement points that a piece still needs although it is on its own centre.

    `index` is the index of `piece` in `stack`, with 0 at the bottom. The result is 0 if the piece
    already lies where it must lie in a nest.
    """
    size = piece % PIECES
    if size == 0:
        return int(index + 1 < len(stack) and stack[index + 1] != piece + 1)
    below = stack[index - 1] if index else None
    return 0 if below == piece - 1 else size + 1


@lru_cache(maxsize=1 << 13)
def _spaces(slots: Slots, turned: tuple[int, ...], colour: int) -> tuple[int, ...]:
    """Return the distance in spaces from each square to the centre of the colour's own board.

    Distances follow the arrows and ignore pieces. A distance is _UNREACHABLE if no way leads to the
    centre.
    """
    sources = _sources(slots, turned)
    spaces = [_UNREACHABLE] * len(sources)
    seen = ring = 1 << CENTRES[colour]
    distance = 0
    while ring:
        beyond = 0
        while ring:
            last = ring & -ring
            square = last.bit_length() - 1
            spaces[square] = distance
            beyond |= sources[square]
            ring ^= last
        ring = beyond & ~seen
        seen |= ring
        distance += 1
    return tuple(spaces)


@lru_cache(maxsize=1 << 11)
def _sources(slots: Slots, turned: tuple[int, ...]) -> list[int]:
    """Return, for each square, the bit set of the squares from which an arrow leads to it."""
    result = [0] * (SQUARES * len(slots))
    for board, slot in enumerate(slots):
        if slot == OFF_TABLE:
            continue
        first = SQUARES * board
        for square, sources in enumerate(_LOCAL_SOURCES[turned[board]], first):
            result[square] |= sources << first
        for direction, step in enumerate(NEXT_SLOT):
            if (near := slot + step) in slots:
                neighbour = slots.index(near)
                entry = ENTRY[turned[neighbour]][direction]
                for printed, index in _EXIT_SQUARES[turned[board]][direction]:
                    result[SQUARES * neighbour + entry[index]] |= 1 << first + printed
    return result


def _local_sources(turns: int, square: int) -> int:
    """Return the bit set of printed squares from which an arrow leads to `square`.

    All squares are on one board, whose orientation is `turns`.
    """
    return sum(1 << printed for printed, ways in enumerate(WAYS[turns]) if square in ways)


def _exit_squares(turns: int, direction: int) -> tuple[tuple[int, int], ...]:
    """Return the printed squares from which an arrow in the direction leaves the board.

    Each comes with its position along that side of the board, from 0 to 2, counted from the north
    or west. The orientation of the board is `turns`.
    """
    ways = [(printed, ways[direction] - OFF_BOARD) for printed, ways in enumerate(WAYS[turns])]
    return tuple(pair for pair in ways if pair[1] >= 0)


_LOCAL_SOURCES: Final = tuple(
    tuple(_local_sources(turns, square) for square in range(SQUARES)) for turns in range(QUARTERS)
)
_EXIT_SQUARES: Final = tuple(
    tuple(_exit_squares(turns, direction) for direction in range(QUARTERS))
    for turns in range(QUARTERS)
)
