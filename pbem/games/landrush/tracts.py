"""Tracts (connected groups of one colour), legal plays, and the squares that a play captures."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.games.landrush.position import (
    BIT,
    FULL,
    NEXT,
    TILES,
    Position,
    Stash,
    list_squares,
    neighbours,
)

FORBIDDEN: Final = -1  # result of `find_captured` if no play is legal on the square


def tract(seed: int, own: int, *, eight: bool) -> int:
    """Return the bit set of squares in `own` that are connected to `seed` (LR-2.5, LR-3.1).

    `own` is the bit set of all squares of one colour, and `seed` a part of that set. With `eight`,
    squares connect at corners as well as sides.
    """
    while (extent := (neighbours(seed, eight=eight) | seed) & own) != seed:
        seed = extent
    return seed


def tracts(own: int, *, eight: bool) -> list[int]:
    """Return the tracts (connected groups) in `own`, the bit set of squares of one colour.

    Each tract is a bit set of squares. Tracts are sorted by their first squares.
    """
    parts = []
    while own:
        parts.append(part := tract(own & -own, own, eight=eight))
        own ^= part
    return parts


class Rival(NamedTuple):
    """A tract of another seat that is next to the square of a play.

    `seat` is the owner of the tract, and `squares` the bit set of its squares.
    """

    seat: int
    squares: int

    @property
    def length(self) -> int:
        """The number of pyramids in the tract (LR-2.5, LR-3.3)."""
        return self.squares.bit_count()


class Site(NamedTuple):
    """The facts that decide whether a play on a square is legal (LR-2.7, LR-2.8).

    Attributes:
        length: 1 for the played pyramid (LR-3.4), plus the lengths of the seat's own tracts next
            to the square. LR-2.6 calls this number A.
        rivals: The tracts of other seats next to the square of the play.
    """

    length: int
    rivals: tuple[Rival, ...]

    @property
    def captured(self) -> int:
        """The bit set of squares of all rival tracts."""
        return sum(rival.squares for rival in self.rivals)

    @property
    def too_long(self) -> Rival | None:
        """The first rival tract that is at least as long as the new tract, or None (LR-8.33)."""
        return next((rival for rival in self.rivals if rival.length >= self.length), None)


def find_site(position: Position, seat: int, square: int) -> Site:
    """Return the size of the tract that a play on an empty square makes, and the rivals next to it.

    `seat` is the player; the play may be illegal. The rival tracts are sorted by their first
    squares.
    """
    eight = position.setting.eight
    near = NEXT[eight][square]
    own = position.own[seat - 1]
    own_tract = tract(near & own, own, eight=eight)
    rivals = []
    for owner, rival_squares in enumerate(position.own, 1):
        touched = near & rival_squares if owner != seat else 0
        while touched:
            squares = tract(touched & -touched, rival_squares, eight=eight)
            rivals.append(Rival(owner, squares))
            touched &= ~squares
    rivals.sort(key=lambda rival: rival.squares & -rival.squares)
    return Site(1 + own_tract.bit_count(), tuple(rivals))


def find_captured(position: Position, seat: int, square: int) -> int:
    """Return the bit set of squares that a play by `seat` on `square` captures, or FORBIDDEN.

    The result is FORBIDDEN if no play there is legal by LR-2.7 and LR-2.8. It is 0 if a play there
    captures nothing. The option `sizes=same` can forbid more plays: see `playable_sizes`.
    """
    near, own = NEXT[position.setting.eight][square], position.own[seat - 1]
    if not near & position.taken & ~own:
        return 0
    if not near & own:  # LR-3.13
        return FORBIDDEN
    site = find_site(position, seat, square)
    captured = site.captured
    if site.too_long is not None or sum(position.stash(seat)) - 1 < captured.bit_count():
        return FORBIDDEN
    return captured


def count_sizes(position: Position, captured: int) -> Stash:
    """Return the number of pyramids of each size on the squares of the bit set `captured`."""
    small, medium, large = position.sizes
    return (
        (captured & small).bit_count(),
        (captured & medium).bit_count(),
        (captured & large).bit_count(),
    )


def remove_piece(stash: Stash, size: int) -> Stash:
    """Return the stash without one pyramid of this size."""
    small, medium, large = stash
    return (small - (size == 0), medium - (size == 1), large - (size == 2))  # noqa: PLR2004 - the sizes


def is_enough(stash: Stash, needed: Stash) -> bool:
    """Return whether the stash has at least the needed number of pyramids of every size."""
    return all(have >= want for have, want in zip(stash, needed, strict=True))


def playable_sizes(position: Position, captured: int, stash: Stash) -> list[int]:
    """Return the sizes that the played pyramid can have if the play captures `captured`.

    `captured` is a bit set of squares, and `stash` is the stash before the play. Any size in the
    stash can be played, unless the option `sizes=same` is on. With that option, the rest of the
    stash must have a pyramid of the same size for each captured one.

    Rules: LR-3.9, LR-3.10, LR-5.5.
    """
    sizes = [size for size in range(3) if stash[size]]
    if not captured or not position.setting.same:
        return sizes
    needed = count_sizes(position, captured)
    return [size for size in sizes if is_enough(remove_piece(stash, size), needed)]


def open_squares(position: Position) -> list[tuple[int, int, list[int]]]:
    """Return the squares where the seat to act may play, row by row.

    The squares belong to the tile (four squares) that the current coin names. Each item has the
    square, the bit set of squares that a play there captures, and the sizes that can be played.
    """
    seat, taken = position.to_act, position.taken
    foreign, near = taken & ~position.own[seat - 1], NEXT[position.setting.eight]
    stash = position.stash(seat)
    plain = playable_sizes(position, 0, stash)
    squares = []
    for square in TILES[position.coin]:
        if taken & BIT[square]:
            continue
        if not near[square] & foreign:  # LR-2.7, the usual case
            squares.append((square, 0, plain))
            continue
        captured = find_captured(position, seat, square)
        if captured != FORBIDDEN and (sizes := playable_sizes(position, captured, stash)):
            squares.append((square, captured, sizes))
    return squares


def can_ever_play(position: Position, seat: int) -> bool:
    """Return whether the seat has a legal play on some square of the board (LR-4.2).

    The square need not be on the tile of the current coin. The caller must have checked that the
    seat's stash is not empty.
    """
    eight, own, taken = position.setting.eight, position.own[seat - 1], position.taken
    if FULL & ~(taken | neighbours(taken & ~own, eight=eight)):
        return True
    stash = position.stash(seat)
    for square in list_squares(neighbours(own, eight=eight) & ~taken):
        captured = find_captured(position, seat, square)
        if captured != FORBIDDEN and playable_sizes(position, captured, stash):
            return True
    return False
