"""The rules of Logan Stones: setup, legal turns, their effects, and the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, assert_never

from pbem.errors import Rejection
from pbem.games.game import Chance, ChanceResult, GameOver, Options, Outcome, Seat, Seats, Turn
from pbem.games.hexes import AXES, STEPS
from pbem.games.logan_stones.draws import DEAL, deal
from pbem.games.logan_stones.move_checks import check
from pbem.games.logan_stones.position import (
    LAST_ADD,
    NO_CAP,
    Add,
    Flip,
    Hand,
    Move,
    Position,
    Rules,
    Shift,
    other,
    pattern,
)
from pbem.games.logan_stones.shape import destinations, movable_spaces, shape
from pbem.games.logan_stones.stones import BEATS, HIDDEN, Stone

MIN_LINE_LENGTH: Final = 4  # least number of equal symbols in a row that win (LS-4.1)

REPETITION_COUNT: Final = 3  # times that a position must be reached for a draw (LS-4.5)

_PAIR_CACHE_SIZE: Final = 1 << 16
_LIST_CACHE_SIZE: Final = 1 << 9


def initial_position(seats: int, options: Options) -> Position:
    """Return the position before the deal.

    Raises:
        Rejection: `bad_option` for options with which a game might never end.
    """
    del seats  # LS-1.1: always two
    rules = Rules(
        stone_set=options["stone_set"],
        cap=NO_CAP if options["draw_cap"] == "none" else int(options["draw_cap"]),
        repetition=options["repetition"] == "on",
        memory_aid=options["memory_aid"] == "on",
    )
    if rules.cap == NO_CAP and not rules.repetition:  # LS-5.9
        raise Rejection("bad_option", name="repetition", value="off", values=["on"])
    return Position(rules)


def turn(position: Position) -> Turn:
    """Return the seat to act, the deal if it is due, or the outcome of the game."""
    if position.cause:
        return GameOver(Outcome(placings(position), position.cause))
    return Seats((position.to_act,)) if position.is_dealt else Chance(DEAL)


def placings(position: Position) -> tuple[int, ...]:
    """Return the final place of each seat: 1 and 2, or both 1 if the game is drawn."""
    return {0: (1, 1), 1: (1, 2), 2: (2, 1)}[position.winner]


# --- legal turns ---------------------------------------------------------------------------------


def legal_moves(position: Position) -> Sequence[Move]:
    """Return every legal turn: adds while the mover has stones in hand, else moves and flips."""
    if position.cause or not position.is_dealt:
        return []
    if position.hand:
        return [
            move
            for stone in position.hand
            for end in shape(position.spaces).open
            for move in _adds(stone.number, end)
        ]
    return _moves(position.spaces)


@lru_cache(maxsize=_LIST_CACHE_SIZE)
def _moves(spaces: tuple[int, ...]) -> tuple[Move, ...]:
    island, movable = shape(spaces), movable_spaces(spaces)
    moves: list[Move] = []
    for start in spaces:
        if start in movable:
            for end in destinations(island, start):
                moves += _shifts(start, end)
    moves += map(Flip, spaces)
    return tuple(moves)


# `legal_moves` lists hundreds of turns at each ply, mostly the same ones, so turns are cached.


@lru_cache(maxsize=_PAIR_CACHE_SIZE)
def _adds(number: int, space: int) -> tuple[Add, Add]:
    return Add(number, space), Add(number, space, turned=True)


@lru_cache(maxsize=_PAIR_CACHE_SIZE)
def _shifts(start: int, end: int) -> tuple[Shift, Shift]:
    return Shift(start, end), Shift(start, end, turned=True)


# --- effects of a turn ---------------------------------------------------------------------------


def play(position: Position, move: Move | ChanceResult) -> Position:
    """Return the position after the deal or a legal turn.

    Raises:
        Rejection: The turn is illegal.
        ValueError: The result of the deal is impossible, or the stones are already dealt.
    """
    if isinstance(move, ChanceResult):
        return deal(position, move)
    check(position, move)
    island = position.island
    space, hands = act(position, island, move)
    changed = wave(island, space)
    for near in changed:
        island[near] = island[near].turn_over()
    changed.append(space)
    return _end_ply(position, island, hands, changed)


def act(position: Position, island: dict[int, Stone], move: Move) -> tuple[int, tuple[Hand, Hand]]:
    """Change `island` in place as the turn does, without the wave that follows (see `wave`).

    Returns:
        The space of the stone that was added, moved or flipped, and both hands after the turn.
    """
    hands = position.hands
    match move:
        case Add(number, end, turned):
            stone = next(
                hand_stone.stone for hand_stone in position.hand if hand_stone.number == number
            )
            island[end] = stone.turn_over() if turned else stone
            hand = tuple(
                [hand_stone for hand_stone in position.hand if hand_stone.number != number]
            )
            return end, (hand, hands[1]) if position.to_act == 1 else (hands[0], hand)
        case Shift(start, end, turned):  # LS-3.15: the stone need not slide
            stone = island.pop(start)
            island[end] = stone.turn_over() if turned else stone
            return end, hands
        case Flip(space):
            island[space] = island[space].turn_over()
            return space, hands
    assert_never(move)


def wave(island: Mapping[int, Stone], space: int) -> list[int]:
    """Return the spaces of the stones that the stone on `space` turns over (LS-2.7, LS-2.9).

    The stone turns over each adjacent stone whose upper symbol it beats: rock turns over scissors.
    This is called a wave. Each turn has one wave, around the stone that was added, moved or
    flipped. Players cannot leave out the wave (LS-3.6 to LS-3.8).
    """
    if island[space].top == HIDDEN:
        return []  # the symbol is unknown, and so is what it beats
    loser = BEATS[island[space].top]
    beaten = []
    for step in STEPS:
        near = island.get(space + step)
        if near is not None and near.top == loser:
            beaten.append(space + step)
    return beaten


def lines(island: Mapping[int, Stone], through: Sequence[int]) -> list[int]:
    """Return the spaces of every line of four or more equal stones, in ascending order.

    Stones are equal if they have the same upper face. A hidden face is equal to no other. Only
    lines that contain a space of `through` count.

    Rules: LS-2.10, LS-3.9, LS-3.10.
    """
    spaces: set[int] = set()
    for space in through:
        symbol = island[space].top
        for axis in AXES if symbol != HIDDEN else ():
            run = [space]
            for step in (axis, -axis):
                near = space + step
                while (stone := island.get(near)) is not None and stone.top == symbol:
                    run.append(near)
                    near += step
            if len(run) >= MIN_LINE_LENGTH:
                spaces.update(run)
    return sorted(spaces)


def _end_ply(
    position: Position,
    island: dict[int, Stone],
    hands: tuple[Hand, Hand],
    changed: Sequence[int],
) -> Position:
    """Return the position after a turn, and end the game if a rule says so.

    A line, a repetition and the limit on turns end a game, and are checked in this order (LS-4.4).

    A redacted position has `?` in place of the faces that a player has not seen. There, the limit
    does not end the game if the turn has turned up a `?`, because that face may complete a line.

    Args:
        position: The position before the turn.
        island: The stones after the turn, by space.
        hands: The hands after the turn.
        changed: The spaces of the stones that the turn has put down or turned over.
    """
    spaces = tuple(sorted(island))
    stones = tuple([island[space] for space in spaces])
    rules, ply, history = position.rules, position.ply + 1, position.history
    is_repeated = False
    if rules.repetition and ply >= LAST_ADD:  # LS-4.5
        key = pattern(ply % 2 + 1, spaces, stones)
        history = history.append(key)
        is_repeated = history.count(key) >= REPETITION_COUNT
    winner, cause = 0, ""
    if lines(island, changed):  # LS-4.2: there was no line before
        winner, cause = position.to_act, "line"
    elif is_repeated:
        cause = "repetition"
    elif ply == rules.cap and not any(island[space].top == HIDDEN for space in changed):
        cause = "cap"
    return Position(rules, spaces, stones, hands, ply, history, winner, cause)


def agree_draw(position: Position) -> Position:
    """Return the position after the players have agreed on a draw (LS-4.8).

    As after every end, all faces are then shown (LS-4.10).
    """
    return position if position.cause else replace(position, winner=0, cause="agreement")


def leave(position: Position, seat: Seat) -> Position:
    """Return the position after the seat has left and the other seat has won (LS-4.9)."""
    if position.cause:
        return position
    return replace(position, winner=other(seat), cause="last_seat")
