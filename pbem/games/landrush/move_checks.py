"""Checks of moves, in the order of section 8 of the rulebook, and Rejections of illegal moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.errors import Fact, Rejection
from pbem.games.landrush.position import (
    BIT,
    FULL,
    LARGE,
    MEDIUM,
    NO_COIN,
    SIZE_LETTERS,
    SIZES,
    SMALL,
    SQUARES,
    SUITS,
    TILES,
    VALUES,
    Phase,
    Play,
    Position,
    Stash,
    list_squares,
    neighbours,
    square_names,
    stash_text,
)
from pbem.games.landrush.scoring import placings
from pbem.games.landrush.tracts import (
    FORBIDDEN,
    Rival,
    count_sizes,
    find_captured,
    find_site,
    is_enough,
    open_squares,
    playable_sizes,
    remove_piece,
)


def refusal(position: Position, code: str, **facts: Fact) -> Rejection:
    """Return a Rejection with the code, the facts, the current coin and playable squares.

    Rules: LR-8.1.
    """
    return Rejection(code, **facts, coin=coin_facts(position), playable=playable_names(position))


def coin_facts(position: Position) -> Mapping[str, Fact] | None:
    """Return the current coin and the squares of the coin's tile as facts for the templates.

    The result is None while no coin has been drawn for the turn.
    """
    if position.coin == NO_COIN:
        return None
    suit, value = divmod(position.coin, len(VALUES))
    names = [SQUARES[square] for square in TILES[position.coin]]
    return {"suit": SUITS[suit], "value": VALUES[value], "squares": names}


def playable_names(position: Position) -> list[str]:
    """Return the names of the squares where the seat to act may play or place."""
    if position.phase is Phase.PLACE:
        return square_names(placeable_squares(position))
    if position.phase is Phase.PLAY:
        return [SQUARES[square] for square, _, _ in open_squares(position)]
    return []


def placeable_squares(position: Position) -> int:
    """Return the bit set of squares where a first pyramid may be placed (LR-1.9, LR-3.2).

    These are the squares that have no pyramid on or around them.
    """
    return FULL & ~(position.taken | neighbours(position.taken, eight=True))


def game_over(position: Position) -> Rejection:
    """Return the Rejection for a move after the end of the game (LR-8.3)."""
    ranks = placings(position)
    winners = [position.colour(seat) for seat, rank in enumerate(ranks, 1) if rank == 1]
    return Rejection("game_over", termination=position.cause, placings=ranks, winners=winners)


def must_play(position: Position) -> Rejection:
    """Return the Rejection for a pass while a play is legal (LR-8.16)."""
    return refusal(position, "must_play")


def size_missing(position: Position, square: int) -> Rejection:
    """Return the Rejection for a play on the square without a size (LR-8.18).

    The facts have complete moves on the square as examples. If nothing can be played there, the
    examples are for another square.
    """
    stash, playable = position.stash(position.to_act), playable_names(position)
    name = SQUARES[square]
    if playable and name not in playable:
        name = playable[0]
    orders = [f"{name} {SIZE_LETTERS[size]}" for size in range(3) if stash[size]]
    return refusal(position, "size_missing", stash=stash_text(stash).split(), orders=orders)


def check_placement(position: Position, square: int) -> None:
    """Raise a Rejection if the square is taken or too close to a pyramid (LR-8.20, LR-8.21)."""
    _check_free(position, square)
    around = neighbours(BIT[square], eight=True) & position.taken
    if around:
        near = list_squares(around)[0]
        colour = position.colour(position.find_owner(near))
        raise refusal(
            position, "too_close", square=SQUARES[square], near=SQUARES[near], colour=colour
        )


def _check_free(position: Position, square: int) -> None:
    if position.taken & BIT[square]:
        raise refusal(
            position,
            "occupied",
            square=SQUARES[square],
            colour=position.colour(position.find_owner(square)),
            size=SIZES[position.find_size(square)],
        )


def check_site(position: Position, square: int, size: int) -> int:
    """Return the bit set of squares captured by playing a pyramid of this size on the square.

    Raises:
        Rejection: The square or size cannot be played (LR-8.19 to LR-8.25).
    """
    seat = position.to_act
    if square not in TILES[position.coin]:
        raise refusal(position, "wrong_tile", square=SQUARES[square])
    _check_free(position, square)
    stash = position.stash(seat)
    if not stash[size]:
        raise refusal(position, "size_gone", size=SIZES[size], stash=stash_text(stash))
    captured = find_captured(position, seat, square)
    if captured == FORBIDDEN or not playable_sizes(position, captured, stash):
        raise forbidden(position, square, remove_piece(stash, size))
    return captured


def forbidden(position: Position, square: int, supply: Stash) -> Rejection:
    """Return the Rejection for an illegal play on the empty square (LR-8.23 to LR-8.25).

    `supply` is the stash without the played pyramid.
    """
    name = SQUARES[square]
    site = find_site(position, position.to_act, square)
    if site.too_long is not None:
        rival = rival_facts(position, site.too_long)
        return refusal(position, "too_short", square=name, rival=rival, yours=site.length)
    captured, count = site.captured, sum(supply)
    if count < captured.bit_count():
        needed = captured.bit_count()
        return refusal(position, "stash_too_small", square=name, needed=needed, left=count)
    sizes = stash_text(count_sizes(position, captured)).split()
    return refusal(position, "right_sizes", square=name, needed=sizes, left=stash_text(supply))


def rival_facts(position: Position, rival: Rival) -> dict[str, Fact]:
    """Return another seat's tract as facts for the templates: its colour, squares and length."""
    return {
        "colour": position.colour(rival.seat),
        "squares": square_names(rival.squares),
        "length": rival.length,
    }


def check_targets(position: Position, square: int, captured: int, targets: Sequence[int]) -> None:
    """Raise a Rejection if a square in `targets` is not captured or is named twice.

    `targets` has the squares that the player names as captured, and `captured` is the bit set of
    squares that the play on `square` captures. If the play captures nothing, the move is rejected
    even if `targets` is empty.

    Rules: LR-8.26 to LR-8.28.
    """
    if not captured:
        raise refusal(position, "no_takeover", square=SQUARES[square])
    names = square_names(captured)
    for target in targets:
        if not captured & BIT[target]:
            raise refusal(position, "not_captured", square=SQUARES[target], captured=names)
    for target in targets:
        if targets.count(target) > 1:
            raise refusal(position, "named_twice", square=SQUARES[target], captured=names)


def sizes_count(position: Position, captured: int, count: int) -> Rejection:
    """Return the Rejection for a take-over with too few or too many sizes (LR-8.29).

    `captured` is the bit set of captured squares, and `count` the number of sizes that are named.
    """
    return refusal(position, "sizes_count", captured=square_names(captured), named=count)


def count_by_size(sizes: Iterable[int]) -> Stash:
    """Return how many of the sizes are Small, Medium and Large."""
    listed = list(sizes)
    return listed.count(SMALL), listed.count(MEDIUM), listed.count(LARGE)


def check_supply(position: Position, supply: Stash, needed: Stash) -> None:
    """Raise a Rejection if the stash lacks pyramids for the replacements (LR-8.31).

    `supply` is the stash without the played pyramid, and `needed` the number of replacements by
    size.
    """
    if not is_enough(supply, needed):
        short = next(size for size in range(3) if needed[size] > supply[size])
        raise refusal(
            position,
            "size_short",
            size=SIZES[short],
            letter=SIZE_LETTERS[short],
            needed=needed[short],
            have=supply[short],
        )


def check_same(position: Position, replacements: Sequence[tuple[int, int]]) -> None:
    """Raise a Rejection if the option `sizes=same` forbids the size of a replacement.

    Rules: LR-8.32.
    """
    if not position.setting.same:
        return
    for square, size in replacements:
        old = position.find_size(square)
        if old != size:
            raise refusal(
                position,
                "size_differs",
                square=SQUARES[square],
                held=SIZES[old],
                named=SIZES[size],
            )


def check_play(position: Position, move: Play) -> int:
    """Check a play with all its parts, and return the bit set of squares that it captures.

    Raises:
        Rejection: The play is illegal.
    """
    captured = check_site(position, move.square, move.size)
    if not captured and not move.taken:
        return 0
    targets = [square for square, _ in move.taken]
    check_targets(position, move.square, captured, targets)
    if len(targets) != captured.bit_count():
        raise sizes_count(position, captured, len(targets))
    supply = remove_piece(position.stash(position.to_act), move.size)
    check_supply(position, supply, count_by_size(size for _, size in move.taken))
    check_same(position, move.taken)
    return captured
