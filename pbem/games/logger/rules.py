"""The rules of Logger: setup, legal turns, their effects, and the end."""

from __future__ import annotations

from typing import Final, assert_never

from pbem.errors import Rejection
from pbem.games.evaluation import rank
from pbem.games.game import ChanceResult, GameOver, Options, Outcome, Seat, Seats, Turn
from pbem.games.logger.actions import act, actions, check_action
from pbem.games.logger.growth import check_growth, ground, group_growths, grow
from pbem.games.logger.position import (
    BIT,
    CELLS,
    CENTRE,
    CORNERS,
    HANDS,
    NEXT,
    NO_LIMIT,
    NOWHERE,
    Act,
    Move,
    Placing,
    Position,
    Trees,
    WholeTurn,
    cell_names,
    cells,
    free_cells,
    free_corners,
    reachable_cells,
)

GOAL: Final = 10  # points that end the game after the round in which a seat reaches them (LG-4.1)

STANDSTILL: Final = 10  # successive rounds without a change of trees and protesters (LG-4.7)


def initial_position(seats: int, options: Options) -> Position:
    """Return the initial position: a seedling in the centre, and seat 1 to place its logger.

    Rules: LG-1.1, LG-1.4, LG-1.6.
    """
    limit = options["tree_limit"]
    return Position(
        trees=Trees(CENTRE, 0, 0, 0),
        loggers=(NOWHERE,) * seats,
        scores=(0,) * seats,
        hands=(HANDS[seats],) * seats,
        to_act=1,
        limit=NO_LIMIT if limit == "none" else int(limit),
        auto_pass=options["forced_pass"] == "auto",  # noqa: S105 - an option
    )


def turn(position: Position) -> Turn:
    """Return the seat to act, or the outcome of the game."""
    if not position.cause:
        return Seats((Seat(position.to_act),))
    return GameOver(Outcome(placings(position), position.cause))


def placings(position: Position) -> tuple[int, ...]:
    """Return the final place of each seat: by points, then by protesters in hand.

    Seats that have left rank below all others. Among them, the last to leave ranks highest
    (LG-4.3, LG-4.4, LG-4.15, LG-3.22).
    """
    scores = []
    for seat, (points, hand) in enumerate(zip(position.scores, position.hands, strict=True), 1):
        if seat in position.left:
            scores.append((0, position.left.index(seat), 0))
        else:
            scores.append((1, points, hand))
    return rank(scores)


def legal_moves(position: Position) -> list[Move]:
    """Return the legal moves (LG-11.1); none after the end.

    They are the free corners on which the logger can be placed, or all distinct turns later. If
    turns have the same new seedlings and differ only in the trees that spawn them, only one of
    these turns is listed.
    """
    if position.cause:
        return []
    if position.here == NOWHERE:
        return [Placing(cell) for cell in cells(free_corners(position))]
    turns: list[Move] = []
    for end in cells(reachable_cells(position, position.here)):
        field = ground(position, end)
        for sown, spawns in group_growths(field).items():
            turns += [
                WholeTurn(position.here, end, spawns, action, targets)
                for action, targets in actions(grow(field, sown))
            ]
    return turns


def forced_move(position: Position) -> Move | None:
    """Return a pass if it is the only legal turn, otherwise None (LG-5.5).

    If the option forced_pass leaves the pass to the player, the result is always None.
    """
    if position.cause or not position.auto_pass or position.here == NOWHERE:
        return None
    # LG-4.8: if the logger can step, there are two legal turns or more: with a step and without.
    if NEXT[position.here] & free_cells(position):
        return None
    match legal_moves(position):
        case [WholeTurn(action=Act.PASS) as only]:
            return only
        case _:
            return None


def play(position: Position, move: Move | ChanceResult) -> Position:
    """Return the position after a legal move (LG-7.12).

    Raises:
        Rejection: The move is illegal.
    """
    if position.cause:
        raise game_over(position)
    match move:
        case WholeTurn():
            return _play_turn(position, move)
        case Placing():
            return _place(position, move)
        case ChanceResult():
            raise TypeError("nothing is drawn in Logger but the seat order")
    assert_never(move)


def game_over(position: Position) -> Rejection:
    """Return the Rejection for a move after the end of the game (LG-8.2)."""
    return Rejection("game_over", termination=position.cause, placings=placings(position))


def check_placing(position: Position, cell: int) -> None:
    """Raise a Rejection if the cell is not a free corner (LG-8.14, LG-8.15)."""
    if not CORNERS & BIT[cell]:
        code = "place_not_corner"
    elif not free_cells(position) & BIT[cell]:
        code = "place_occupied"
    else:
        return
    raise Rejection(code, cell=CELLS[cell], cells=cell_names(free_corners(position)))


def check_reach(position: Position, cell: int) -> None:
    """Raise a Rejection if the mover's logger cannot reach the cell (LG-8.20)."""
    if not reachable_cells(position, position.here) & BIT[cell]:
        raise Rejection(
            "move_unreachable",
            cell=CELLS[cell],
            here=CELLS[position.here],
            cells=cell_names(reachable_cells(position, position.here)),
        )


def wrong_start(position: Position, cell: str) -> Rejection:
    """Return the Rejection for a movement that does not start at the mover's logger (LG-8.9).

    `cell` is the start that the movement names.
    """
    start = None if position.here == NOWHERE else CELLS[position.here]
    return Rejection("wrong_start", cell=cell, here=start)


def already_placed(position: Position) -> Rejection:
    """Return the Rejection for a second placing of the mover's logger (LG-8.16)."""
    cell = position.here
    return Rejection(
        "already_placed",
        cell=CELLS[cell],
        cells=cell_names(reachable_cells(position, position.here)),
    )


def must_place(position: Position) -> Rejection:
    """Return the Rejection for a move other than a placing while the logger is not placed.

    Rules: LG-8.13.
    """
    return Rejection("must_place", cells=cell_names(free_corners(position)))


def _place(position: Position, move: Placing) -> Position:
    if position.here != NOWHERE:
        raise already_placed(position)
    check_placing(position, move.cell)
    # LG-1.8, LG-3.8: trees do not change.
    return _pass_on(
        position,
        position.trees,
        _with(position.loggers, position.to_act, move.cell),
        position.scores,
        position.hands,
    )


def _play_turn(position: Position, move: WholeTurn) -> Position:
    seat, start, end = position.to_act, position.here, move.end
    if start == NOWHERE:
        raise must_place(position)
    if move.start != start:
        raise wrong_start(position, CELLS[move.start])
    check_reach(position, end)
    field = ground(position, end)
    check_growth(field, move.spawns)
    field = grow(field, sum(BIT[cell] for _, cell in move.spawns))
    check_action(field, move.action, move.cells)
    trees, points, hand = act(field, move.action, move.cells)
    scores, hands, loggers = position.scores, position.hands, position.loggers
    if points:
        scores = _with(scores, seat, scores[seat - 1] + points)
    if hand != field.hand:
        hands = _with(hands, seat, hand)
    if end != start:
        loggers = _with(loggers, seat, end)
    still = position.still + 1 if trees == position.trees else 0
    quiet = position.quiet + 1 if still and end == start else 0
    return _pass_on(position, trees, loggers, scores, hands, quiet=quiet, still=still)


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[: seat - 1], value, *values[seat:])


def leave(position: Position, seat: Seat) -> Position:
    """Return the position after the seat has left (LG-4.10 to LG-4.15).

    The logger and the protesters of the seat stay.
    """
    if position.cause or seat in position.left:
        return position
    return _pass_on(
        position,
        position.trees,
        position.loggers,
        position.scores,
        position.hands,
        leavers=(*position.left, seat),
        quiet=position.quiet,
        still=position.still,
        # LG-4.12: a seat that leaves during its turn counts as skipped.
        acted=seat == position.to_act,
    )


def _pass_on(
    position: Position,
    trees: Trees,
    loggers: tuple[int, ...],
    scores: tuple[int, ...],
    hands: tuple[int, ...],
    *,
    leavers: tuple[int, ...] | None = None,
    quiet: int = 0,
    still: int = 0,
    acted: bool = True,
) -> Position:
    """Return the position after a turn: the next seat is to act, or the game ends.

    The arguments are the new values of the position. If `leavers` is None, no other seat has left.
    `acted` is True if the seat to act has made its turn or left.
    """
    seats, leavers = len(loggers), position.left if leavers is None else leavers
    seat, round_closed = position.to_act, False
    if acted and len(leavers) < seats:
        seat = seat % seats + 1
        # LG-4.12: the last seat ends the round, whether it moves or is skipped.
        round_closed = seat == 1
        while seat in leavers:
            seat = seat % seats + 1
            round_closed = round_closed or seat == 1
    cause = ""
    if len(leavers) >= seats - 1:
        cause = "last_seat"  # LG-4.10, LG-4.14
    elif round_closed and any(
        points >= GOAL and scorer not in leavers for scorer, points in enumerate(scores, 1)
    ):
        cause = "points"  # LG-4.1, LG-4.13
    elif quiet >= seats - len(leavers):
        cause = "deadlock"  # LG-4.5, LG-4.6
    elif position.limit and still >= STANDSTILL * (seats - len(leavers)):
        cause = "deadlock"  # LG-4.7
    return Position(
        trees,
        loggers,
        scores,
        hands,
        0 if cause else seat,
        leavers,
        quiet,
        still,
        position.limit,
        position.auto_pass,
        cause,
    )
