"""The rules of Looney Ludo: setup, random draws, turns, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

from pbem.errors import Rejection
from pbem.games.chance import Dice, Draw, OneOf, Permutation, is_possible
from pbem.games.evaluation import rank
from pbem.games.game import Chance, ChanceResult, GameOver, Options, Outcome, Seat, Seats, Turn
from pbem.games.looney_ludo.boards import OFF_TABLE, START_LAYOUTS, make_slot
from pbem.games.looney_ludo.deals import DEALS, deal
from pbem.games.looney_ludo.legal import PASS, open_actions, open_moves
from pbem.games.looney_ludo.notation import notation
from pbem.games.looney_ludo.position import (
    CENTRES,
    COLOURS,
    LETTERS,
    NO_STACKS,
    PIECES,
    Face,
    Keep,
    Move,
    Phase,
    Position,
    Reroll,
    Roll,
    Setting,
    Stack,
    Step,
    WholeTurn,
)
from pbem.games.looney_ludo.steps import Course, add_clause, has_nest, take

# Emails show how many turns are left before `turn_cap` if at most this many are left (LL-4.4).
LAST_TURNS: Final = 20

_TWO: Final = 2
_OFF: Final = (OFF_TABLE,) * len(COLOURS)
_UNTURNED: Final = (0,) * len(COLOURS)
_DICE: Final = Chance(Draw("dice", (Dice(2, 6), OneOf(len(Face)))))
_NEW_DICE: Final = Chance(Draw("reroll", (Dice(2, 6),)))


# --- setup -------------------------------------------------------------------------------------


def initial_position(seats: int, options: Options) -> Position:
    """Return the empty table before the random draws of the setup (LL-1.13)."""
    colours = tuple(LETTERS.index(letter) for letter in options["colours"].upper()[:seats])
    cap = options["turn_cap"]
    setting = Setting(
        colours, 0 if cap == "none" else int(cap), options["nest_timing"] == "own_turn"
    )
    position = Position(setting, _OFF, _UNTURNED, NO_STACKS, Phase.ROLL_OFF, 0)
    if options["starter"] == "given":  # LL-1.14
        return _start_with(position, 1)
    return replace(position, tied=tuple(range(1, seats + 1)))


def boards(setting: Setting) -> tuple[int, ...]:
    """Return the boards of a game: first those of the seats, then neutral ones (LL-1.1, LL-1.2)."""
    colours = setting.colours
    unused = [board for board in range(len(COLOURS)) if board not in colours]
    return (*colours, *unused[: max(0, min(START_LAYOUTS) - len(colours))])


def _start_with(position: Position, seat: int) -> Position:
    """Return the position after the rules have determined that `seat` starts (LL-1.15).

    With 2 players, the starting seat determines the layout. In that case, the boards are laid out,
    too.
    """
    position = replace(position, to_act=seat, tied=(), phase=Phase.LAYOUT)
    if position.seats > _TWO:
        return position
    first, second, *neutral = boards(position.setting)
    return _lay(position, (first, neutral[0], second, neutral[1]))


def _lay(position: Position, order: Sequence[int]) -> Position:
    """Return the position with the boards on the starting slots in the given order (LL-1.12)."""
    slots, turned = list(_OFF), list(_UNTURNED)
    for board, (x, y, turns) in zip(order, START_LAYOUTS[len(order)], strict=True):
        slots[board], turned[board] = make_slot(x, y), turns
    return replace(position, slots=tuple(slots), turned=tuple(turned), phase=Phase.DEAL)


def _deal(position: Position, number: int) -> Position:
    """Return the position after deal `number` has put pieces on the boards' centres (LL-1.16)."""
    colours = position.setting.colours
    stacks = list(NO_STACKS)
    dealt = deal(number, position.seats, position.to_act - 1)
    for board, cups in zip(boards(position.setting), dealt, strict=True):
        stacks[CENTRES[board]] = tuple(PIECES * colours[player] + size for player, size in cups)
    position = replace(position, stacks=tuple(stacks), phase=Phase.ROLL)
    if position.to_act in position.left:
        return _pass_on(position, position.to_act)
    return position


def _roll_off(position: Position, numbers: Sequence[int]) -> Position:
    """Return the position after the tied seats have rolled these numbers for the start (LL-1.14).

    If several seats share the highest number, they are to roll again.
    """
    rolled = zip(position.tied, numbers, strict=True)
    tied = tuple(seat for seat, number in rolled if number == max(numbers))
    if len(tied) == 1:
        return _start_with(position, tied[0])
    return replace(position, tied=tied)


# --- the turn ----------------------------------------------------------------------------------


def turn(position: Position) -> Turn:
    """Return the seat to act, the random draw that is due, or the outcome of the game."""
    match position.phase:
        case Phase.DOUBLES | Phase.ACT:
            return Seats((Seat(position.to_act),))
        case Phase.ROLL:
            return _DICE
        case Phase.REROLL:
            return _NEW_DICE
        case Phase.OVER:
            return GameOver(Outcome(_placings(position), position.cause))
        case Phase.ROLL_OFF:
            return Chance(Draw("roll-off", (Dice(len(position.tied), 6),)))
        case Phase.LAYOUT:
            return Chance(Draw("layout", (Permutation(len(boards(position.setting))),)))
        case Phase.DEAL:
            return Chance(Draw("deal", (OneOf(DEALS[position.seats]),)))


def _placings(position: Position) -> tuple[int, ...]:
    """Return the final place of each seat. If the game is drawn, all remaining seats get place 1.

    Rules: LL-4.1, LL-4.4.
    """
    seats = range(1, position.seats + 1)
    if position.winner:
        return rank([(int(seat == position.winner),) for seat in seats])
    return rank([(int(seat not in position.left),) for seat in seats])


def legal_moves(position: Position) -> list[Move]:
    """Return the legal turns of a single step, and the pass. `extensions` adds further steps.

    If doubles wait for a decision, the result also has the decisions `Keep` and `Reroll`.
    """
    if position.phase not in (Phase.ACT, Phase.DOUBLES):
        return []
    course = Course(position)
    moves: list[Move] = [*open_moves(course), *open_actions(course), PASS]
    if position.phase is Phase.DOUBLES:
        moves += (Keep(), Reroll())
    return moves


def extensions(position: Position, move: Move) -> list[Move]:
    """Return the legal turns that continue the legal turn `move` by one more step.

    The result is empty for a pass, a decision on doubles and a turn that wins.
    """
    if not isinstance(move, WholeTurn) or not move.steps:
        return []
    course = _take_steps(position, move.steps)
    if course.winner:
        return []  # LL-7.10
    return [
        WholeTurn((*move.steps, *tail.steps))
        for tail in (*open_moves(course), *open_actions(course))
    ]


def play(position: Position, move: Move | ChanceResult) -> Position:
    """Return the position after a legal move or the result of a random draw.

    Raises:
        Rejection: The move is illegal.
        ValueError: The result does not fit the random draw that is due.
    """
    if isinstance(move, ChanceResult):
        return _answer(position, move)
    require_turn(position)
    match move:
        case WholeTurn(steps):
            return _end_turn(_take_steps(position, steps))
        case Keep() | Reroll():
            if position.phase is not Phase.DOUBLES:
                raise no_doubles()
            return replace(position, phase=Phase.ACT if isinstance(move, Keep) else Phase.REROLL)
    assert_never(move)


def _take_steps(position: Position, steps: Sequence[Step]) -> Course:
    """Return the state of the turn after these steps (LL-2.21).

    Raises:
        Rejection: A step is illegal; the facts name the clause (part of the text) with this step.
    """
    course = Course(position)
    for number, step in enumerate(steps, 1):
        try:
            if course.winner:
                raise game_over(position)  # LL-7.10: no step follows the winning one
            take(course, step)
        except Rejection as fault:
            raise add_clause(fault, number, notation(WholeTurn((step,))), position) from None
    return course


def require_turn(position: Position) -> None:
    """Raise a Rejection if the game has ended or if dice are to be rolled."""
    if position.phase is Phase.OVER:
        raise game_over(position)
    if position.phase not in (Phase.ACT, Phase.DOUBLES):
        raise Rejection("not_your_turn", seats=[])


def game_over(position: Position) -> Rejection:
    """Return the Rejection for a step after the end, or after a step that wins (LL-8.3)."""
    winner = COLOURS[position.setting.colours[position.winner - 1]] if position.winner else None
    return Rejection("game_over", termination=position.cause, colour=winner)


def no_doubles() -> Rejection:
    """Return the Rejection for a keep or re-roll while no doubles wait for a decision (LL-8.15)."""
    return Rejection("no_doubles")


def _end_turn(course: Course) -> Position:
    """Return the position after a turn: the next seat is to roll, or the game has ended.

    The game ends if the turn has completed a nest, or was the last one before the limit of turns.
    """
    before = course.position
    setting, played = before.setting, before.played + 1
    seat, winner, cause = before.to_act, course.winner, ""
    if winner:
        cause = "nest"
    elif setting.cap and played >= setting.cap:
        cause = "cap"  # LL-4.4
    else:
        seat = _next_seat(before, seat)
        winner, cause = _check_early_win(before, course.stacks, seat)
    return Position(
        setting,
        course.slots,
        course.turned,
        tuple(course.stacks),
        Phase.OVER if cause else Phase.ROLL,
        0 if cause else seat,
        None,
        played,
        before.left,
        (),
        winner,
        cause,
    )


def _next_seat(position: Position, seat: int) -> int:
    """Return the next seat in turn order after `seat` that has not left (LL-2.22)."""
    seats = position.seats
    seat = seat % seats + 1
    while seat in position.left:
        seat = seat % seats + 1
    return seat


def _check_early_win(position: Position, stacks: Sequence[Stack], seat: int) -> tuple[int, str]:
    """Return the winner and the cause if `seat` has a nest when its turn begins (LL-5.5).

    If the seat has no nest, or the option nest_timing is not `own_turn`, return 0 and an empty
    string.
    """
    setting = position.setting
    if setting.own_turn and has_nest(stacks, setting.colours[seat - 1]):
        return seat, "nest"
    return 0, ""


def _end_game(position: Position, cause: str, winner: int = 0) -> Position:
    return replace(
        position, phase=Phase.OVER, to_act=0, roll=None, tied=(), winner=winner, cause=cause
    )


def _pass_on(position: Position, seat: int) -> Position:
    """Return the position after `seat`, which was to act, has left the game.

    The next seat is to roll, unless the game has ended.
    """
    seat = _next_seat(position, seat)
    winner, cause = _check_early_win(position, position.stacks, seat)
    if cause:
        return _end_game(position, cause, winner)
    return replace(position, phase=Phase.ROLL, to_act=seat, roll=None)


def agree_draw(position: Position) -> Position:
    """Return the position after the players have agreed on a draw (LL-4.3)."""
    return position if position.cause else _end_game(position, "agreement")


def leave(position: Position, seat: Seat) -> Position:
    """Return the position after the seat has left. Its pieces and board stay (LL-4.5 to LL-4.8)."""
    if position.phase is Phase.OVER or seat in position.left:
        return position
    position = replace(position, left=(*position.left, seat))
    playing = position.playing
    if len(playing) == 1:
        return _end_game(position, "last_seat", playing[0])
    match position.phase:
        case Phase.ROLL_OFF:
            tied = tuple(other for other in position.tied if other != seat)
            return replace(position, tied=tied) if len(tied) > 1 else _start_with(position, tied[0])
        case Phase.LAYOUT | Phase.DEAL:
            return position
        case _:
            # LL-4.5: its dice are void. LL-4.8: dice of others stay.
            return _pass_on(position, seat) if seat == position.to_act else position


# --- chance ------------------------------------------------------------------------------------


def _answer(position: Position, result: ChanceResult) -> Position:
    """Return the position after the result of the random draw that was due (LL-6.2)."""
    due = turn(position)
    if not isinstance(due, Chance) or not is_possible(due.draw, result.values):
        raise ValueError(f"no answer to what is due: {result.values}")
    values = result.values
    match position.phase:
        case Phase.ROLL_OFF:
            return _roll_off(position, values)
        case Phase.LAYOUT:
            lying = boards(position.setting)
            return _lay(position, [lying[value] for value in values])
        case Phase.DEAL:
            return _deal(position, values[0])
        case Phase.ROLL:
            return _apply_roll(position, Roll(values[0], values[1], Face(values[2])))
        case _:
            face = position.roll.face if position.roll else Face.TIP
            return _apply_roll(position, Roll(values[0], values[1], face))


def _apply_roll(position: Position, roll: Roll) -> Position:
    """Return the position after this roll. Doubles need a decision (LL-2.2, LL-2.4, LL-3.7)."""
    return Position(
        position.setting,
        position.slots,
        position.turned,
        position.stacks,
        Phase.DOUBLES if roll.doubles else Phase.ACT,
        position.to_act,
        roll,
        position.played,
        position.left,
    )
