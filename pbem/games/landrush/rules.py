"""The rules of Landrush: setup, random draws, moves, their effects, and the end."""

from __future__ import annotations

from typing import Final, assert_never

from pbem.games.chance import Draw, OneOf
from pbem.games.game import Chance, ChanceResult, GameOver, Options, Outcome, Seat, Seats, Turn
from pbem.games.landrush.move_checks import (
    check_placement,
    check_play,
    game_over,
    must_play,
    refusal,
    size_missing,
)
from pbem.games.landrush.position import (
    BIT,
    COINS,
    COLOUR_LETTERS,
    NO_COIN,
    PIECES,
    SIZES,
    Move,
    Pass,
    Phase,
    Placement,
    Play,
    Position,
    Setting,
)
from pbem.games.landrush.scoring import placings
from pbem.games.landrush.tracts import (
    can_ever_play,
    open_squares,
)

COIN: Final = Chance(Draw("coin", (OneOf(COINS),)))  # draw of one of the 24 coins (LR-1.4, LR-2.2)


def initial_position(seats: int, options: Options) -> Position:
    """Return the empty board before the random draw of the starting seat (LR-1.5, LR-1.8).

    With the option `starter: given`, seat 1 starts and nothing is drawn.
    """
    colours = tuple(COLOUR_LETTERS.index(letter) for letter in options["colours"].upper()[:seats])
    setting = Setting(colours, options["adj"] == "8", options["sizes"] == "same")
    is_given = options["starter"] == "given"
    phase = Phase.PLACE if is_given else Phase.START
    return Position(setting, (0,) * seats, (0, 0, 0), phase, 1 if is_given else 0)


def turn(position: Position) -> Turn:
    """Return the seat to act, the random draw that is due, or the outcome of the game."""
    match position.phase:
        case Phase.PLACE | Phase.PLAY:
            return Seats((Seat(position.to_act),))
        case Phase.DRAW:
            return COIN
        case Phase.START:
            return Chance(Draw("starter", (OneOf(len(position.playing)),)))
        case Phase.OVER:
            return GameOver(Outcome(placings(position), position.cause))
    assert_never(position.phase)


def play(position: Position, move: Move | ChanceResult) -> Position:
    """Return the position after a legal move or the result of a random draw.

    Raises:
        Rejection: The move is illegal.
        ValueError: A random draw is due instead of a move, or no draw with this result is due.
    """
    if position.phase is Phase.OVER:
        raise game_over(position)
    match move:
        case ChanceResult(values):
            return _draw(position, values[0])
        case Play():
            _require_turn(position)
            return _play(position, move)
        case Placement(square):
            _require_turn(position)
            return _place(position, square)
        case Pass():
            _require_turn(position)
            return _pass(position)
    assert_never(move)


def _require_turn(position: Position) -> None:
    if position.phase is Phase.START or position.phase is Phase.DRAW:
        raise ValueError("a draw is due, no move")


def _draw(position: Position, value: int) -> Position:
    """Return the position after the random draw of a starting seat or coin.

    Rules: LR-1.8, LR-1.11, LR-2.2.
    """
    match position.phase:
        case Phase.START:
            return _begin_phase(position, Phase.PLACE, position.playing[value])
        case Phase.DRAW if 0 <= value < COINS:
            return _begin_phase(position, Phase.PLAY, position.to_act, value)
        case _:
            raise ValueError(f"no such draw is due: {value}")


def _begin_phase(position: Position, phase: Phase, to_act: int, coin: int = NO_COIN) -> Position:
    return Position(
        position.setting,
        position.own,
        position.sizes,
        phase,
        to_act,
        coin,
        position.left,
    )


def _place(position: Position, square: int) -> Position:
    """Return the position after the seat to act has placed a first pyramid (LR-1.9).

    Raises:
        Rejection: The placement is illegal.
    """
    if position.phase is not Phase.PLACE:
        # A play without a size looks like a placement.
        raise size_missing(position, square)
    check_placement(position, square)
    seat, (small, medium, large) = position.to_act, position.sizes
    own = tuple(
        squares | BIT[square] if owner == seat else squares
        for owner, squares in enumerate(position.own, 1)
    )
    placed = Position(
        position.setting,
        own,
        (small, medium | BIT[square], large),
        Phase.PLACE,
        seat,
        left=position.left,
    )
    return _end_placement(placed)


def _end_placement(position: Position) -> Position:
    seat = _next_seat(position.to_act, position.seats, position.left)
    # LR-1.9: the seat that placed first has the first turn.
    phase = Phase.DRAW if position.own[seat - 1] else Phase.PLACE
    return _begin_phase(position, phase, seat)


def _next_seat(seat: int, seats: int, leavers: tuple[int, ...]) -> int:
    seat = seat % seats + 1
    while seat in leavers:
        seat = seat % seats + 1
    return seat


def _pass(position: Position) -> Position:
    """Return the position after a pass (LR-2.3, LR-3.11).

    Raises:
        Rejection: A play is legal, or a placement is due.
    """
    if position.phase is Phase.PLACE:
        raise refusal(position, "place_first")
    if open_squares(position):
        raise must_play(position)
    following = _next_seat(position.to_act, position.seats, position.left)
    return _begin_phase(position, Phase.DRAW, following)


def _play(position: Position, move: Play) -> Position:
    if position.phase is Phase.PLACE:
        raise refusal(position, "place_first")
    captured = check_play(position, move)
    seat, bit = position.to_act, BIT[move.square]
    mask = ~captured
    sizes = [squares & mask for squares in position.sizes]
    sizes[move.size] |= bit
    for square, size in move.taken:  # LR-2.9
        sizes[size] |= BIT[square]
    own = tuple(
        squares | bit | captured if owner == seat else squares & mask
        for owner, squares in enumerate(position.own, 1)
    )
    small, medium, large = sizes
    after = Position(
        position.setting,
        own,
        (small, medium, large),
        Phase.DRAW,
        _next_seat(seat, position.seats, position.left),
        left=position.left,
    )
    # LR-2.11: the empty stash comes before the dead end.
    if own[seat - 1].bit_count() == len(SIZES) * PIECES[position.seats]:
        return _end_game(after, "stash")
    return _end_game(after, "blocked") if is_dead_end(after) else after


def is_dead_end(position: Position) -> bool:
    """Return whether no remaining seat has a legal play, whichever coin is drawn.

    Rules: LR-4.2, LR-3.19.
    """
    return not any(
        can_ever_play(position, seat)
        for seat in range(1, position.seats + 1)
        if seat not in position.left
    )


def _end_game(position: Position, cause: str) -> Position:
    return Position(
        position.setting,
        position.own,
        position.sizes,
        Phase.OVER,
        0,
        left=position.left,
        cause=cause,
    )


def leave(position: Position, seat: Seat) -> Position:
    """Return the position after the seat has left. Its pyramids stay (LR-4.8 to LR-4.10)."""
    if position.phase is Phase.OVER or seat in position.left:
        return position
    after = Position(
        position.setting,
        position.own,
        position.sizes,
        position.phase,
        position.to_act,
        position.coin,
        (*position.left, seat),
    )
    if len(after.playing) == 1:
        return _end_game(after, "last_seat")
    if after.phase is Phase.START:
        return after
    if after.phase is Phase.PLACE:
        return _end_placement(after) if seat == after.to_act else after
    if is_dead_end(after):  # LR-4.10
        return _end_game(after, "blocked")
    if seat != after.to_act:
        return after
    # LR-4.8: the coin goes back
    return _begin_phase(after, Phase.DRAW, _next_seat(seat, after.seats, after.left))
