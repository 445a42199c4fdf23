"""A slow second opinion on Looney Ludo: squares on a table of coordinates, everything by trying.

It shares nothing with pbem.games.looney_ludo but the text of positions and of steps, and follows
the statements of the rulebook one by one, without regard to time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations, product

PICTURE = [["NES", "ESW", "NEW"], ["NEW", "NES", "NES"], ["ESW", "NESW", "NEW"]]
WAYS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
DOTS = ["NW", "NE", "SE", "SW"]
PLACES = ["nw", "n", "ne", "w", "c", "e", "sw", "s", "se"]
NAMES = {name[0]: name for name in ("Blue", "Green", "Orange", "Purple", "Red", "Yellow")}
TURNS = ["", "cw", "180", "ccw"]
COST = {"s": 1, "m": 2, "l": 3}


@dataclass
class Table:
    """`boards`: letter to x, y, turns. `stacks`: board, printed row and column to pieces."""

    boards: dict[str, tuple[int, int, int]]
    stacks: dict[tuple[str, int, int], list[str]]
    mover: str
    left: list[str]
    own_turn: bool
    points: int
    face: str
    acted: bool = False
    dig: bool = False
    winner: str = ""
    rolled: int = 0
    corner: tuple[int, int] = field(default=(0, 0))

    def __post_init__(self) -> None:
        self.dig = self.face == "dig"
        self.rolled = self.points
        xs, ys = ([board[axis] for board in self.boards.values()] for axis in (0, 1))
        self.corner = (min(xs) - 1, min(ys) - 1)


def turned(grid: list[list[str]]) -> list[list[str]]:
    """A quarter turn clockwise."""
    return [[grid[2 - column][row] for column in range(3)] for row in range(3)]


def squares(table: Table) -> dict[tuple[int, int], tuple[str, int, int, str]]:
    """Every square on the table: its board, printed row and column, and its exits there."""
    found = {}
    for letter, (x, y, turns) in table.boards.items():
        grid = [[f"{row}{column}{PICTURE[row][column]}" for column in range(3)] for row in range(3)]
        for _ in range(turns):
            grid = turned(grid)
        for row in range(3):
            for column in range(3):
                text = grid[row][column]
                exits = "".join("nesw"[("NESW".index(way) + turns) % 4] for way in text[2:])
                where = 3 * x + column, 3 * y + row
                found[where] = (letter, int(text[0]), int(text[1]), exits)
    return found


def table(text: str) -> Table:
    """From the text of a position with dice."""
    parts = dict(re.findall(r"(seats|boards|pieces|to move|dice|left|nest_timing) ([^;]+)", text))
    colours = [name[0] for name in parts["seats"].split(", ")]
    boards = {}
    for entry in parts["boards"].split(", "):
        name, slot, dot = entry.split()
        boards[name[0]] = ("ABCDEFGH".index(slot[0]), int(slot[1]) - 1, DOTS.index(dot))
    dice = parts.get("dice", "1 1 swap").split()
    made = Table(
        boards=boards,
        stacks={},
        mover=colours[int(parts["to move"]) - 1] if "to move" in parts else "",
        left=[colours[int(seat) - 1] for seat in parts.get("left", "").split(", ") if seat],
        own_turn="nest_timing" in parts,
        points=7 if dice[2] == "tip" else max(int(dice[0]), int(dice[1])),
        face=dice[2],
    )
    where = squares(made)
    for entry in parts["pieces"].split():
        square, stack = entry.split("=")
        x, y, _ = boards[square[0]]
        row, column = divmod(PLACES.index(square[2:]), 3)
        letter, i, j, _ = where[3 * x + column, 3 * y + row]
        made.stacks[letter, i, j] = stack.split("<")
    return made


def lying(of: Table) -> tuple[object, object]:
    """Boards and stacks, without regard to how the slots are named."""
    x, y = (min(board[axis] for board in of.boards.values()) for axis in (0, 1))
    boards = {letter: (bx - x, by - y, turns) for letter, (bx, by, turns) in of.boards.items()}
    return boards, {square: stack for square, stack in of.stacks.items() if stack}


def connected(slots: list[tuple[int, int]]) -> bool:
    seen, rest = {slots[0]}, set(slots[1:])
    while near := {
        slot
        for slot in rest
        if any((slot[0] + dx, slot[1] + dy) in seen for dx, dy in WAYS.values())
    }:
        seen |= near
        rest -= near
    return not rest


def after(of: Table, step: str) -> Table | None:
    """The table after a step in canonical form, or None if it is not legal."""
    new = deepcopy(of)
    word, *rest = step.split(" ")
    if word in ("tip", "dig", "swap", "hop", "aim"):
        if of.acted or of.face not in (word, "wild"):
            return None
        new.acted = True
        legal = ACTIONS[word](new, " ".join(rest))
    else:
        colour, size = (word[0], word[1]) if len(word) == 2 else (of.mover, word[0])
        legal = moved(new, colour + size.lower(), rest[0])
    if not legal:
        return None
    look_for_nest(new)
    return new


def look_for_nest(of: Table) -> None:
    for letter in NAMES:
        stack = of.stacks.get((letter, 1, 1), [])
        nest = stack[-3:] == [f"{letter}s", f"{letter}m", f"{letter}l"]
        if nest and letter not in of.left and (letter == of.mover or not of.own_turn):
            of.winner = letter


def moved(of: Table, piece: str, way: str) -> bool:
    at = [square for square, stack in of.stacks.items() if piece in stack]
    if not at or (piece[0] != of.mover and not of.dig):
        return False
    stack = of.stacks[at[0]]
    on_top = stack[-1] == piece
    of.points -= COST[piece[1]]
    if of.points < 0 or on_top == (way == "top"):
        return False
    if way == "top":
        stack.remove(piece)
        stack.append(piece)
        return True
    where = squares(of)
    x, y = next(xy for xy, (letter, i, j, _) in where.items() if (letter, i, j) == at[0])
    to = (x + WAYS[way][0], y + WAYS[way][1])
    if way not in where[x, y][3] or to not in where:
        return False
    stack.pop()
    letter, i, j, _ = where[to]
    of.stacks.setdefault((letter, i, j), []).append(piece)
    return True


def tip(of: Table, _rest: str) -> bool:
    of.points += 7 - of.rolled
    return True


def dig(of: Table, _rest: str) -> bool:
    of.dig = True
    return True


def swap(of: Table, rest: str) -> bool:
    one, other = (name[0] for name in rest.split(" "))
    if one not in of.boards or other not in of.boards or one == other:
        return False
    (x, y, turns), (ox, oy, other_turns) = of.boards[one], of.boards[other]
    of.boards[one], of.boards[other] = (ox, oy, turns), (x, y, other_turns)
    return True


def hop(of: Table, rest: str) -> bool:
    name, _, slot, *turn = rest.split(" ")
    if name[0] not in of.boards:
        return False
    x, y, turns = of.boards[name[0]]
    to = of.corner[0] + "ABCDEFGH".index(slot[0]), of.corner[1] + int(slot[1]) - 1
    by = TURNS.index(turn[0] if turn else "")
    others = [(bx, by_) for letter, (bx, by_, _) in of.boards.items() if letter != name[0]]
    of.boards[name[0]] = (*to, (turns + by) % 4)
    return (to != (x, y) or by != 0) and to not in others and connected([to, *others])


def aim(of: Table, rest: str) -> bool:
    for entry in rest.split(", "):
        name, turn = entry.split(" ")
        if name[0] not in of.boards:
            return False
        x, y, turns = of.boards[name[0]]
        of.boards[name[0]] = x, y, (turns + TURNS.index(turn)) % 4
    return True


ACTIONS = {"tip": tip, "dig": dig, "swap": swap, "hop": hop, "aim": aim}


def move_steps(of: Table) -> Iterator[str]:
    """Every move and climb that could be written down."""
    for letter, size in product(NAMES, "SML"):
        piece = size if letter == of.mover else letter + size
        for way in ("n", "e", "s", "w", "top"):
            yield f"{piece} {way}"


def action_steps(of: Table) -> Iterator[str]:
    """Every action that could be written down for the boards of the table."""
    names = [NAMES[letter] for letter in NAMES if letter in of.boards]
    if of.face == "wild":
        yield from ("tip", "dig")
    if of.face in ("swap", "wild"):
        yield from (f"swap {one} {other}" for one, other in combinations(names, 2))
    if of.face in ("hop", "wild"):
        slots = [column + row for column in "ABCDEFGH" for row in "12345678"]
        for name, slot, turn in product(names, slots, TURNS):
            yield f"hop {name} to {slot} {turn}".rstrip()
    if of.face in ("aim", "wild"):
        for turns in product(TURNS, repeat=len(names)):
            pairs = [f"{name} {turn}" for name, turn in zip(names, turns, strict=True) if turn]
            if pairs:
                yield f"aim {', '.join(pairs)}"


def legal(of: Table) -> dict[str, Table]:
    """Every legal step with the table after it."""
    steps = [*move_steps(of), *action_steps(of)]
    return {step: new for step in steps if (new := after(of, step)) is not None}
