"""Turns that a player composes step by step on a web page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pbem.errors import Facts, Rejection
from pbem.games.drawing.document import MARGIN
from pbem.games.game import Hotspot, PartialMove
from pbem.games.looney_ludo.boards import (
    DIRECTIONS,
    QUARTERS,
    Slots,
    find_destination,
    slot_name,
)
from pbem.games.looney_ludo.notation import read_notation
from pbem.games.looney_ludo.picture import Table, lay_out
from pbem.games.looney_ludo.picture_symbols import CELL
from pbem.games.looney_ludo.position import (
    COLOURS,
    LETTERS,
    PIECES,
    SIZES,
    Climb,
    Hop,
    Move,
    Phase,
    Position,
    Step,
    Walk,
    WholeTurn,
)
from pbem.games.looney_ludo.steps import ACTIONS, Course, find_square, resolve_colour, take

_PIECE: Final = re.compile(rf"(?P<colour>[{LETTERS}]?)(?P<size>[SML])(?P<path>.*)")
_PARTS: Final = re.compile(r"[;,] ")
_AND: Final = ", "
_WORDS: Final = ("keep", "reroll")
_FREE_RING: Final = 13  # radius of the ring on a free square, between the arrows


def partial_move(
    position: Position, text: str, following: Sequence[str]
) -> PartialMove[Position, Move]:
    """Return the state of a turn that a player has begun to compose.

    `text` is the beginning of the turn in canonical notation, and `following` has the words
    that can come next.
    """
    steps, rest = _read_steps(position, text)
    course = Course(position)
    try:
        for step in steps:
            take(course, step)
    except Rejection:  # an incomplete HOP: a board stays in its slot, but has no rotation yet
        steps, rest = steps[:-1], text.rpartition("; ")[2]
    # After WILD, the die shows the action that the player has named, because TIP gives 7 points.
    faces = [ACTIONS[type(step)] for step in steps if type(step) in ACTIONS]
    roll = position.roll._replace(face=faces[0]) if position.roll and faces else position.roll
    after = replace(
        position,
        slots=_keep_names(position.slots, steps) or course.slots,
        turned=course.turned,
        stacks=tuple(course.stacks),
        roll=roll,
        # The picture shows no slots to which a second board could hop.
        phase=position.phase if course.has_action else Phase.ROLL,
    )
    move = WholeTurn(steps) if steps else None
    pieces = {word: piece for word in following if (piece := _PIECE.fullmatch(word)) is not None}
    facts: Facts = {
        "points": course.points,
        "can_move": bool(pieces) or any(word.upper() in DIRECTIONS for word in following),
        "covered": [word for word, piece in pieces.items() if _is_covered(piece, course)],
        "face": course.face.name if course.has_action else "",
        "begun": bool(steps),
        "wins": course.winner == position.to_act,
        **_next_choice(course, steps, rest),
        "doubles": position.roll.first if position.phase is Phase.DOUBLES and position.roll else 0,
    }
    return PartialMove(after, move, facts, tuple(_ways(after, course, steps, rest, following)))


def _keep_names(slots: Slots, steps: Sequence[Step]) -> Slots | None:
    """Return the slots after the HOP of a turn, numbered as before the turn; None without a HOP.

    The names of slots hold for the whole turn (LL-7.5), so the picture shows the names of the text.
    """
    hop = next((step for step in steps if isinstance(step, Hop)), None)
    return None if hop is None else (*slots[: hop.board], hop.slot, *slots[hop.board + 1 :])


def _read_steps(position: Position, text: str) -> tuple[tuple[Step, ...], str]:
    """Return the steps of the longest turn with which the text begins, and the rest of the text."""
    ends = [len(text), *(match.start() for match in _PARTS.finditer(text))]
    for end in sorted(ends, reverse=True):
        try:
            move = read_notation(text[:end], position)
        except Rejection:
            continue
        if isinstance(move, WholeTurn):
            return move.steps, text[end:].lstrip(" ;,")
    return (), text


def _next_choice(course: Course, steps: Sequence[Step], rest: str) -> Facts:
    """Return the player's next choice after the last complete step as facts for the templates.

    `rest` is the text after that step.
    """
    if rest in _WORDS:
        return {"kind": rest}
    parsed = _PIECE.fullmatch(rest)
    if parsed is not None:
        colour, size = divmod(_read_piece(parsed, course), PIECES)
        own = colour == course.mover
        return {
            "kind": "way",
            "piece": {"colour": "" if own else COLOURS[colour], "size": SIZES[size]},
            "cost": size + 1,
        }
    action, *words = rest.split(" ")
    if action in COLOURS:  # one more board to turn
        action, words = "aim", [action]
    elif action == "hop" and words[-1:] and words[-1][-1:].isdecimal():
        action = "aim"
    board = next((word for word in words if word in COLOURS), "")
    if action not in ("swap", "hop", "aim"):
        hopped = COLOURS[steps[-1].board] if steps and isinstance(steps[-1], Hop) else ""
        return {"kind": "step", "last": _kind(steps), "board": hopped}
    home = slot_name(course.slots[COLOURS.index(board)]) if board else ""
    return {"kind": f"{action}_to" if board else action, "board": board, "home": home}


def _kind(steps: Sequence[Step]) -> str:
    """Return the templates' name for the kind of the last step; empty if there are no steps."""
    return type(steps[-1]).__name__.lower() if steps else ""


def _read_piece(parsed: re.Match[str], course: Course) -> int:
    colour = LETTERS.index(parsed["colour"]) if parsed["colour"] else course.mover
    return PIECES * colour + "SML".index(parsed["size"])


def _is_covered(parsed: re.Match[str], course: Course) -> bool:
    """Return whether the named piece lies below other pieces, and so can only climb (LL-2.9)."""
    piece = _read_piece(parsed, course)
    return any(piece in stack[:-1] for stack in course.stacks)


def _ways(
    position: Position, course: Course, steps: Sequence[Step], rest: str, following: Sequence[str]
) -> Iterator[Hotspot]:
    """Yield hotspots for the squares to which the chosen piece can move.

    `rest` is the text after the last complete step. If `rest` is empty, the chosen piece is the
    piece that moved last. The name of a hotspot is a shortest path to its square, as in `nne`.
    """
    parsed = _PIECE.fullmatch(rest)
    if parsed is not None:
        piece = _read_piece(parsed, course)
    elif not rest and steps and isinstance(steps[-1], Walk | Climb):
        piece = resolve_colour(course, steps[-1].piece)
    else:
        return
    square = find_square(course.stacks, piece)
    if square is None:
        return
    _, middles = lay_out(position)
    table = Table(position, middles)
    spaces = course.points // (piece % PIECES + 1)
    for end, names in _reachable(position, square, spaces, following):
        x, y = table.middle(end)
        ring = 0 if position.stacks[end] else _FREE_RING
        yield Hotspot(names, x + MARGIN, y + MARGIN, CELL / 2, is_square=True, ring=ring)


def _reachable(
    position: Position, square: int, spaces: int, following: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Yield the squares that a piece can reach, nearest first, each with its path.

    `spaces` is the greatest distance. The first direction of each path must be in `following`. A
    piece that has moved is on top of its stack, so only missing arrows can stop it.
    """
    ways = {square: ""}
    for _ in range(spaces):
        for start, names in [*ways.items()]:
            for way in range(QUARTERS):
                name = DIRECTIONS[way].lower()
                end = find_destination(start, way, position.slots, position.turned)
                if end >= 0 and end not in ways and (names or name in following):
                    ways[end] = names + name
                    yield end, ways[end]


def reordered_texts(text: str, begun: str) -> tuple[str, ...]:
    """Return other texts for the same turn, with the boards of its last action in other orders.

    For a SWAP, the result has one text, in which the two boards are exchanged. For an AIM that the
    player has begun, the texts start with the boards in `begun`, and there is one text for each
    board that can be next. For all other turns, the result is empty.

    Args:
        text: The canonical text of the turn.
        begun: The text of the choices that the player has made so far.
    """
    earlier, cut, last = text.rpartition("; ")
    action, _, names = last.partition(" ")
    head = f"{earlier}{cut}{action} "
    if action == "swap":
        return (head + " ".join(reversed(names.split(" "))),)
    if action != "aim" or not begun.startswith(head):
        return ()
    parts, picks = names.split(_AND), begun[len(head) :].split(_AND)
    first = picks if picks[-1] in parts else picks[:-1]
    if not {*first} <= {*parts}:
        return ()
    rest = [part for part in parts if part not in first]
    every = ([*first, board, *(part for part in rest if part != board)] for board in rest)
    return tuple(head + _AND.join(order) for order in every if order != parts)
