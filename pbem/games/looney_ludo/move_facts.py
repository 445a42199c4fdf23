"""The effects of moves and random draws as facts for the templates."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import Fact, Facts
from pbem.games.game import ChanceResult
from pbem.games.looney_ludo.board import piece_facts
from pbem.games.looney_ludo.boards import (
    DIRECTIONS,
    DOTS,
    NEXT_SLOT,
    Slots,
    list_boards,
    slot_name,
)
from pbem.games.looney_ludo.draws import list_dealt
from pbem.games.looney_ludo.notation import clauses
from pbem.games.looney_ludo.position import (
    COLOURS,
    Aim,
    Climb,
    Dig,
    Hop,
    Keep,
    Move,
    Phase,
    Position,
    Reroll,
    Step,
    Swap,
    Tip,
    Walk,
    WholeTurn,
)
from pbem.games.looney_ludo.steps import (
    Course,
    dice_facts,
    find_square,
    resolve_colour,
    square_facts,
    take,
)


def move_facts(move: Move | ChanceResult, before: Position, after: Position) -> Facts:
    """Return the effects of a move or random draw as facts for the templates.

    Squares have the names that they had at each step of the turn, because a step can turn boards
    and so rename their squares (LL-1.9).
    """
    match move:
        case ChanceResult(values):
            return {**_draw_facts(values, before, after), **_end(after)}
        case Keep():
            return {"kind": "keep", **_mover(before), **_end(after)}
        case Reroll():
            return {"kind": "reroll", **_mover(before), **_end(after)}
        case WholeTurn(steps):
            return {
                "kind": "turn",
                **_mover(before),
                "kept": before.phase is Phase.DOUBLES,
                "clauses": _clauses(steps, before),
                **_end(after),
            }


def _mover(position: Position) -> Facts:
    return {
        "seat": position.to_act,
        "colour": COLOURS[position.colour],
        "dice": dice_facts(position.roll),
    }


def _end(after: Position) -> Facts:
    winner = after.winner
    return {
        "over": after.cause or None,
        "winner": COLOURS[after.setting.colours[winner - 1]] if winner else None,
        "winning_seat": winner or None,
    }


def _clauses(steps: Sequence[Step], before: Position) -> list[Fact]:
    course = Course(before)
    parts: list[Fact] = []
    for _, run in clauses(steps):
        match run[0]:
            case Walk(piece) | Climb(piece):
                parts.append(_movement(run, resolve_colour(course, piece), course))
            case action:
                parts.append(_action(action, course))
                take(course, action)
    return parts


def _movement(run: Sequence[Step], piece: int, course: Course) -> Fact:
    """Apply the piece's steps to `course`, and return its movement as facts for the templates.

    The facts are the first and last square, and the number of spaces and climbs.
    """
    squares = [_square(course, piece)]
    climbs = 0
    for step in run:
        take(course, step)
        if isinstance(step, Climb):
            climbs += 1
        else:
            squares.append(_square(course, piece))
    return {
        "kind": "move",
        "piece": piece_facts(piece),
        "own": course.mover == piece // 3,
        "from": squares[0],
        "to": squares[-1],
        "spaces": len(squares) - 1,
        "climbs": climbs,
    }


def _square(course: Course, piece: int) -> Fact:
    return square_facts(find_square(course.stacks, piece) or 0, course.turned)


def _action(step: Step, course: Course) -> Fact:
    """Return an action as facts for the templates.

    Slots have the names that they had before the turn (LL-7.5). A HOP also has the fact `beside`,
    which stays true when slots get other names.
    """
    slots, turned = course.slots, course.turned
    match step:
        case Tip():
            return {"kind": "tip"}
        case Dig():
            return {"kind": "dig"}
        case Swap(first, second):
            return {
                "kind": "swap",
                "boards": [COLOURS[first], COLOURS[second]],
                "slots": [slot_name(slots[second]), slot_name(slots[first])],
            }
        case Hop(board, slot, turns):
            return {
                "kind": "hop",
                "board": COLOURS[board],
                "stays": slot == slots[board],
                "slot": slot_name(slot),
                "beside": _neighbour(board, slot, slots),
                "turns": turns,
                "dot": DOTS[(turned[board] + turns) % 4],
            }
        case Aim(pairs):
            return {
                "kind": "aim",
                "boards": [
                    {
                        "board": COLOURS[board],
                        "turns": turns,
                        "dot": DOTS[(turned[board] + turns) % 4],
                    }
                    for board, turns in pairs
                ],
            }
        case _:
            return {"kind": "move"}


def _neighbour(board: int, slot: int, slots: Slots) -> Fact:
    """Return a board beside the slot, and the direction from that board to the slot (LL-7.6).

    `board` is the board that hops to the slot; another one is returned.
    """
    others = {slots[other]: other for other in list_boards(slots) if other != board}
    direction, beside = next(
        (DIRECTIONS[way], others[slot - gap])
        for way, gap in enumerate(NEXT_SLOT)
        if slot - gap in others
    )
    return {"board": COLOURS[beside], "direction": direction}


def _draw_facts(values: Sequence[int], before: Position, after: Position) -> Facts:
    match before.phase:
        case Phase.ROLL_OFF:
            return {
                "kind": "roll_off",
                "rolled": [
                    {"seat": seat, "number": number}
                    for seat, number in zip(before.tied, values, strict=True)
                ],
                "again": list(after.tied),
                "first": after.to_act or None,
            }
        case Phase.LAYOUT:
            lying = sorted(list_boards(after.slots), key=after.slots.__getitem__)
            return {
                "kind": "layout",
                "boards": [
                    {"colour": COLOURS[board], "slot": slot_name(after.slots[board])}
                    for board in lying
                ],
            }
        case Phase.DEAL:
            return {
                "kind": "deal",
                "stacks": [
                    {"board": COLOURS[board], "pieces": [piece_facts(piece) for piece in stack]}
                    for board, stack in list_dealt(before, values[0])
                ],
            }
        case _:
            return {
                "kind": "dice" if before.phase is Phase.ROLL else "rerolled",
                **_mover(before),
                "dice": dice_facts(after.roll),
                "doubles": after.phase is Phase.DOUBLES,
            }
