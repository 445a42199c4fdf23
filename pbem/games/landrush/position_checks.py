"""Checks that a loaded position can occur in a game.

A fault is a tuple of texts: the part of the position text, the wrong value, and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Rejection
from pbem.games.landrush.position import (
    BIT,
    PIECES,
    SIZE_LETTERS,
    SIZES,
    SQUARES,
    Phase,
    Position,
    list_squares,
    neighbours,
    square_names,
)
from pbem.games.landrush.rules import is_dead_end


def check_sound(position: Position) -> None:
    """Raise the Rejection `bad_position` if the position cannot occur in a game."""
    for part, value, rule in _faults(position):
        raise Rejection("bad_position", part=part, found=value, wanted=rule)


def _faults(position: Position) -> Iterator[tuple[str, str, str]]:
    yield from _seat_faults(position)
    yield from _board_faults(position)
    if position.phase is Phase.START and position.taken:
        yield "starter", "open", "an empty board"
    if position.phase is Phase.PLACE:
        yield from _placing_faults(position)
    yield from _end_faults(position)


def _seat_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    colours = ", ".join(position.colour(seat) for seat in position.left)
    if len({*position.left}) != len(position.left):
        yield "left", colours, "each colour once"
    if position.to_act and position.to_act in position.left:
        yield "left", colours, "no colour that is on turn"
    if position.cause != "last_seat" and len(position.playing) <= 1:
        yield "left", colours, "two seats that play on, or over"


def _board_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    for seat, own in enumerate(position.own, 1):
        colour, pieces = position.colour(seat).casefold(), PIECES[position.seats]
        for size, count in enumerate(position.stash(seat)):
            if count < 0:
                total = f"{SIZE_LETTERS[size]}{pieces - count}"
                yield colour, total, f"at most {pieces} {SIZES[size]}"  # LR-1.5
        # LR-11.8
        touching = neighbours(own, eight=position.setting.eight) & position.taken & ~own
        if touching:
            yield colour, square_names(touching)[0], "no pyramid next to one of another colour"


def _placing_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    """Yield a fault for each violation of the rules of the first placement (LR-1.9).

    Each seat places one Medium, in seat order. No pyramid may touch another, even at a corner. A
    fault is a field of the position text, what it has, and what it should have.
    """
    placed = [bool(own) for own in position.own]
    for seat, own in enumerate(position.own, 1):
        colour = position.colour(seat).casefold()
        if own.bit_count() > 1 or own & ~position.sizes[1]:
            yield colour, " ".join(square_names(own)), "one Medium while pyramids are placed"
    for square in list_squares(position.taken):
        if neighbours(BIT[square], eight=True) & position.taken & ~BIT[square]:
            yield "to place", SQUARES[square], "no pyramid around another"
    first = position.to_act - 1
    order = [
        placed[seat % position.seats]
        for seat in range(first, first + position.seats)
        if seat % position.seats + 1 not in position.left
    ]
    if order and (order[0] or order != sorted(order)):
        yield "to place", position.colour(position.to_act), "the next seat without a pyramid"


def _end_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    empty = [seat for seat in range(1, position.seats + 1) if not any(position.stash(seat))]
    match position.cause:
        case "stash":
            if len(empty) != 1 or empty[0] in position.left:
                yield "over", "stash", "one empty stash, of a seat that plays"
        case "last_seat":
            if len(position.playing) != 1 or empty:
                yield "over", "last_seat", "one seat that plays, and no empty stash"
        case _:
            if empty:
                yield position.colour(empty[0]).casefold(), "no stash", "over stash"
            elif position.phase in {Phase.DRAW, Phase.PLAY, Phase.OVER}:
                yield from _dead_end_faults(position)


def _dead_end_faults(position: Position) -> Iterator[tuple[str, str, str]]:
    """Yield a fault if the game is recorded as blocked but is not, or the reverse (LR-4.2).

    A game is blocked if no seat has a legal play, whichever coin is drawn.
    """
    if is_dead_end(position) != (position.cause == "blocked"):
        yield "over", position.cause or "-", "blocked exactly where no seat can ever play"
