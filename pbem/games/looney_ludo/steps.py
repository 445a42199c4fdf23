"""The steps of a turn: when they are legal, and what they change (LL-2.6 to LL-2.20)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from pbem.errors import Fact, Rejection
from pbem.games.looney_ludo.boards import (
    DIRECTIONS,
    EXITS,
    NO_ARROW,
    OFF_TABLE,
    PLACE,
    PLACE_NAMES,
    QUARTERS,
    SQUARES,
    connected_groups,
    find_destination,
    landings,
    list_boards,
    normalise_slots,
    slot_name,
)
from pbem.games.looney_ludo.position import (
    CENTRES,
    COLOURS,
    LETTERS,
    MAX_POINTS,
    NESTS,
    OWN,
    PIECES,
    SIZES,
    Aim,
    Climb,
    Dig,
    Face,
    Hop,
    Position,
    Roll,
    Stack,
    Step,
    Swap,
    Tip,
    Walk,
)

# The face of the Treehouse die that allows each action, by the class of the step.
ACTIONS: Final = {Tip: Face.TIP, Dig: Face.DIG, Swap: Face.SWAP, Hop: Face.HOP, Aim: Face.AIM}


class Course:
    """The state of a turn after the steps taken so far. `take` changes it with each step.

    Attributes:
        position: The position before the turn.
        mover: The colour of the seat to act.
        slots: The slot of each board, as in `Position`.
        turned: The orientation of each board, as in `Position`.
        stacks: The pieces on each square, as in `Position`.
        face: The face of the Treehouse die that was rolled.
        points: The number of movement points left.
        has_action: Whether the turn's action is still available.
        can_move_others: Whether the mover may move pieces of other players, too (LL-2.13).
        winner: The seat that has won by a nest, or 0.
    """

    __slots__ = (
        "can_move_others", "face", "has_action", "mover", "points", "position", "slots", "stacks",
        "turned", "winner",
    )  # fmt: skip

    def __init__(self, position: Position) -> None:
        """Begin the turn of the seat to act, with the dice as rolled."""
        roll = position.roll
        if roll is None:
            raise ValueError("a turn needs dice")
        self.position = position
        self.mover = position.colour
        self.slots = position.slots
        self.turned = position.turned
        self.stacks = list(position.stacks)
        self.face = roll.face
        self.points = roll.points
        self.has_action = True
        self.can_move_others = roll.face is Face.DIG
        self.winner = 0


def dice_facts(roll: Roll | None) -> Fact:
    """Return the dice and points of a roll as facts for templates; None without a roll (LL-9.5)."""
    if roll is None:
        return None
    first, second, face = roll
    return {"first": first, "second": second, "points": roll.points, "face": face.name}


def add_clause(fault: Rejection, number: int, text: str, position: Position) -> Rejection:
    """Return `fault` with the number and text of the clause that caused it, and the dice (LL-8.1).

    A clause is a part of a typed turn, such as `M n`.
    """
    return Rejection(
        fault.code, **fault.facts, clause=number, text=text, dice=dice_facts(position.roll)
    )


def take(course: Course, step: Step) -> None:
    """Apply the step to the state of the turn.

    Raises:
        Rejection: The step is illegal; the state is then unchanged.
    """
    match step:
        case Walk(piece, direction):
            _walk(course, resolve_colour(course, piece), direction)
        case Climb(piece):
            _climb(course, resolve_colour(course, piece))
        case _:
            _act(course, step)


def resolve_colour(course: Course, piece: int) -> int:
    """Return the piece that a step names, with the mover's colour in place of OWN."""
    return piece if piece < PIECES * OWN else piece - PIECES * (OWN - course.mover)


# --- pieces ------------------------------------------------------------------------------------


def find_square(stacks: Sequence[Stack], piece: int) -> int | None:
    """Return the square of the piece, or None if the piece is not on a square."""
    for square, stack in enumerate(stacks):
        if piece in stack:
            return square
    return None


def square_facts(square: int, turned: tuple[int, ...]) -> Fact:
    """Return the board of a square and the place there as facts for the templates (LL-1.9).

    The place is a name such as `centre`, and depends on how the board is turned. `turned` has the
    orientation of each board in quarter turns clockwise.
    """
    board, printed = divmod(square, SQUARES)
    return {"board": COLOURS[board], "place": PLACE_NAMES[PLACE[turned[board]][printed]]}


def piece_code(piece: int) -> str:
    """Return the piece as text, as in `Rs`: colour letter and lower-case size letter.

    Position texts and deals use this form.
    """
    return LETTERS[piece // PIECES] + SIZES[piece % PIECES][0].lower()


def piece_text(piece: int) -> str:
    """Return the piece as boards show it. A Large has `L`, because `l` looks like 1 (LL-9.4)."""
    return piece_code(piece).replace("l", "L")


def typed_piece(piece: int, mover: int) -> str:
    """Return the piece as the player whose colour is `mover` types it, as in `S` (LL-7.10).

    Pieces of other players have a colour letter before the size letter, as in `RS`.
    """
    size = SIZES[piece % PIECES][0]
    return size if piece // PIECES in (mover, OWN) else LETTERS[piece // PIECES] + size


def _locate(course: Course, piece: int) -> int:
    """Return the square of the piece.

    Raises:
        Rejection: The piece does not exist, or the mover may not move it (LL-8.22, LL-8.23).
    """
    square = find_square(course.stacks, piece)
    if square is None:
        raise Rejection("no_such_piece", colour=COLOURS[piece // PIECES])
    if piece // PIECES != course.mover and not course.can_move_others:  # LL-3.10
        # LL-8.37: under WILD the action can still be DIG.
        hint = course.face is Face.WILD and course.has_action
        raise Rejection("not_your_piece", piece=piece_text(piece), hint=hint)
    return square


def _pay(course: Course, piece: int) -> int:
    """Return the movement points that are left after one step with the piece.

    Raises:
        Rejection: There are not enough points (LL-8.28).
    """
    points = course.points - piece % PIECES - 1
    if points < 0:
        hint = course.face is Face.WILD and course.has_action
        cost = piece % PIECES + 1
        raise Rejection(
            "no_points", piece=piece_text(piece), cost=cost, left=course.points, hint=hint
        )
    return points


def _walk(course: Course, piece: int, direction: int) -> None:
    square = _locate(course, piece)
    stacks = course.stacks
    stack = stacks[square]
    if stack[-1] != piece:
        above = [piece_text(upper) for upper in stack[stack.index(piece) + 1 :]]
        order = typed_piece(piece, course.mover)
        raise Rejection("covered", piece=piece_text(piece), above=above, order=f"{order} top")
    end = find_destination(square, direction, course.slots, course.turned)
    if end < 0:
        raise _no_way(course, square, direction, end)
    course.points = _pay(course, piece)
    # LL-2.8, LL-1.5, LL-3.4: onto any pieces; LL-3.1: the new square needs no arrow.
    stacks[square] = stack[:-1]
    stacks[end] = (*stacks[end], piece)
    _look_for_nest(course, square)
    _look_for_nest(course, end)


def _no_way(course: Course, square: int, direction: int, code: int) -> Rejection:
    """Return the Rejection for a move in a direction without an arrow or without a board.

    `code` is NO_ARROW or NO_BOARD.

    Rules: LL-8.26, LL-8.27.
    """
    board, printed = divmod(square, SQUARES)
    exits = EXITS[course.turned[board]][printed]
    return Rejection(
        "no_arrow" if code == NO_ARROW else "no_board",
        square=square_facts(square, course.turned),
        direction=DIRECTIONS[direction].lower(),
        exits=[DIRECTIONS[way].lower() for way in range(QUARTERS) if exits[way]],
    )


def _climb(course: Course, piece: int) -> None:
    square = _locate(course, piece)
    stack = course.stacks[square]
    if stack[-1] == piece:
        raise Rejection("already_on_top", piece=piece_text(piece))
    course.points = _pay(course, piece)  # LL-3.5: one fee for any number of pieces above
    index = stack.index(piece)
    course.stacks[square] = (*stack[:index], *stack[index + 1 :], piece)
    _look_for_nest(course, square)


def _look_for_nest(course: Course, square: int) -> None:
    """Set the winner if `square`, which a step has changed, holds a winning nest (LL-2.20, LL-5.5).

    A step changes at most two squares, so no other nest can be new (LL-3.16).
    """
    if square in CENTRES:
        colour = square // SQUARES
        if course.position.setting.own_turn and colour != course.mover:
            return
        if has_nest(course.stacks, colour):
            course.winner = find_winner(course.position, colour)


def has_nest(stacks: Sequence[Stack], colour: int) -> bool:
    """Return whether the colour has its nest: its three pieces in order on top of its own centre.

    Rules: LL-2.19, LL-3.18.
    """
    return stacks[CENTRES[colour]][-PIECES:] == NESTS[colour]


def find_winner(position: Position, colour: int) -> int:
    """Return the seat that wins by a nest of this colour, or 0 if the seat has left (LL-4.7)."""
    seat = position.setting.colours.index(colour) + 1
    return 0 if seat in position.left else seat


# --- actions -----------------------------------------------------------------------------------


def check_action(course: Course, face: Face) -> None:
    """Raise a Rejection for a second action in the turn, or an action that the dice do not allow.

    Rules: LL-8.29, LL-8.30.
    """
    if not course.has_action:
        raise Rejection("action_used")
    if course.face not in (face, Face.WILD) or face is Face.WILD:
        raise Rejection("wrong_action", face=course.face.name, action=face.name)


def check_board(course: Course, board: int) -> None:
    """Raise a Rejection if the board is not in the game (LL-8.31).

    An action can use any board in the game, even the board of another player.
    """
    if course.slots[board] == OFF_TABLE:
        raise Rejection("no_such_board", colour=COLOURS[board])


def _act(course: Course, step: Tip | Dig | Swap | Hop | Aim) -> None:
    check_action(course, ACTIONS[type(step)])
    match step:
        case Tip():
            # LL-2.17: 7 in all, including points that are spent
            roll = course.position.roll
            course.points += MAX_POINTS - (roll.points if roll else 0)
        case Dig():
            course.can_move_others = True
        case Swap(one, other):
            _swap(course, one, other)
        case Hop(board, slot, turns):
            _hop(course, board, slot, turns)
        case Aim(turns):
            _aim(course, turns)
        case _:
            assert_never(step)
    course.has_action = False


def _swap(course: Course, first: int, second: int) -> None:
    check_board(course, first)
    check_board(course, second)
    if first == second:
        raise Rejection("same_board", board=COLOURS[first])
    slots = list(course.slots)
    slots[first], slots[second] = slots[second], slots[first]
    course.slots = tuple(slots)


def _hop(course: Course, board: int, slot: int, turns: int) -> None:
    check_board(course, board)
    slots = course.slots
    if slot == slots[board] and not turns:
        raise Rejection("changes_nothing", action="HOP")  # LL-3.21
    if slot != slots[board]:
        if slot in slots:
            holder = COLOURS[slots.index(slot)]
            raise Rejection("slot_occupied", slot=slot_name(slot), board=holder)
        layout = (*slots[:board], slot, *slots[board + 1 :])
        if slot not in landings(slots, board):  # LL-3.13, LL-3.14: the final layout counts
            raise Rejection("disconnects", boards=_smallest_group(layout))
        course.slots = normalise_slots(layout)
    course.turned = _turn_boards(course.turned, ((board, turns),))


def _smallest_group(slots: tuple[int, ...]) -> list[str]:
    """Return the names of the boards in the smallest group that is apart from all others."""
    part = min(connected_groups(slots), key=lambda part: (part.bit_count(), part))
    return [COLOURS[board] for board in list_boards(slots) if part >> slots[board] & 1]


def _aim(course: Course, turns: tuple[tuple[int, int], ...]) -> None:
    for board, _ in turns:
        check_board(course, board)
    for number, (board, _) in enumerate(turns):
        if any(board == before for before, _ in turns[:number]):
            raise Rejection("board_twice", board=COLOURS[board])
    if not turns or not all(turn for _, turn in turns):
        raise Rejection("changes_nothing", action="AIM")
    course.turned = _turn_boards(course.turned, turns)


def _turn_boards(turned: tuple[int, ...], turns: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    result = list(turned)
    for board, turn in turns:
        result[board] = (result[board] + turn) % QUARTERS
    return tuple(result)
