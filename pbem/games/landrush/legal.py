"""Lists of legal moves, and the pass that the server makes for a player."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pbem.games.landrush.move_checks import placeable_squares
from pbem.games.landrush.position import (
    SIZES,
    SQUARES,
    Move,
    Pass,
    Phase,
    Placement,
    Play,
    Position,
    Stash,
    list_squares,
)
from pbem.games.landrush.tracts import count_sizes, is_enough, open_squares, remove_piece

MAX_CHOICES: Final = 100  # most choices of sizes of a take-over that `legal_moves` lists (LR-11.5)

_PLACEMENTS: Final = tuple(Placement(square) for square in range(len(SQUARES)))
_PLAIN: Final = tuple(  # every play without captures, by square and size
    tuple(Play(square, size) for size in range(len(SIZES))) for square in range(len(SQUARES))
)


def legal_moves(position: Position) -> list[Move]:
    """Return the legal moves of the seat to act; none while a random draw is due.

    These are placements, or plays on the coin's tile. Plays are sorted by square (row by row), then
    by size, then by replacements. If no play is legal, the only move is a pass.

    A take-over is a play that captures pyramids and replaces them. It is listed once for each
    choice of replacement sizes. With more than MAX_CHOICES choices, it is listed only once: with
    the sizes of the captured pyramids if the stash allows, else with the first choice of
    `list_choices`.
    """
    if position.phase is Phase.PLACE:
        return [_PLACEMENTS[square] for square in list_squares(placeable_squares(position))]
    if position.phase is not Phase.PLAY:
        return []
    plays: list[Move] = []
    for square, captured, sizes in open_squares(position):
        for size in sizes:
            if captured:
                plays += _takeovers(position, square, size, captured)
            else:
                plays.append(_PLAIN[square][size])
    return plays or [Pass()]


def _takeovers(position: Position, square: int, size: int, captured: int) -> list[Play]:
    targets, supply = list_squares(captured), remove_piece(position.stash(position.to_act), size)
    alike = keep_sizes(position, captured)
    if position.setting.same:
        return [Play(square, size, alike)]
    if count_choices(len(targets), supply) <= MAX_CHOICES:
        choices = list_choices(len(targets), supply)
        return [Play(square, size, tuple(zip(targets, c, strict=True))) for c in choices]
    if is_enough(supply, count_sizes(position, captured)):
        return [Play(square, size, alike)]
    choice = next(list_choices(len(targets), supply))
    return [Play(square, size, tuple(zip(targets, choice, strict=True)))]


@lru_cache(maxsize=1 << 14)
def count_choices(squares: int, stash: Stash) -> int:
    """Return the number of choices that `list_choices` yields for the same arguments."""
    if squares == 0:
        return 1
    return sum(
        count_choices(squares - 1, remove_piece(stash, size)) for size in range(3) if stash[size]
    )


def list_choices(squares: int, stash: Stash) -> Iterator[tuple[int, ...]]:
    """Yield every choice of sizes from the stash for replacements, in ascending order.

    `squares` is the number of captured squares. A choice has one size for each of them.
    """
    if squares == 0:
        yield ()
        return
    for size in range(3):
        if stash[size]:
            for rest in list_choices(squares - 1, remove_piece(stash, size)):
                yield size, *rest


def count_plays(position: Position) -> int:
    """Return the number of legal plays, counting each choice of replacement sizes (LR-11.5).

    MAX_CHOICES does not limit the number, and a pass does not count.
    """
    stash, same = position.stash(position.to_act), position.setting.same
    return sum(
        1
        if same or not captured
        else count_choices(captured.bit_count(), remove_piece(stash, size))
        for _, captured, sizes in open_squares(position)
        for size in sizes
    )


def keep_sizes(position: Position, captured: int) -> tuple[tuple[int, int], ...]:
    """Return replacements that keep the sizes of the captured pyramids (LR-7.7c).

    Each item has a captured square and a size. `captured` is the bit set of the squares.
    """
    return tuple((square, position.find_size(square)) for square in list_squares(captured))


def forced_move(position: Position) -> Move | None:
    """Return a pass if the seat to act has no legal play; else None (LR-2.4)."""
    if position.phase is Phase.PLAY and not open_squares(position):
        return Pass()
    return None
