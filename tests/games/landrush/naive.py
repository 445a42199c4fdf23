"""A slow second opinion on Landrush: the rules again, as dictionaries and by trying everything.

It shares nothing with pbem.games.landrush but the text of positions and of moves, and follows the
statements of the rulebook one by one, without regard to time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

COLUMNS, ROWS = "abcdefgh", range(1, 13)
SQUARES = [f"{column}{row}" for column in COLUMNS for row in ROWS]
COLOURS = ["Red", "Yellow", "Green", "Blue", "Black"]

Taken = tuple[tuple[str, str], ...]
Turn = tuple[str, str, Taken]


@dataclass(frozen=True)
class State:
    board: dict[str, tuple[str, str]]
    """Colour and size letter by square."""
    colours: list[str]
    mover: str
    coin: str | None
    left: list[str]
    corners: bool
    same: bool


def state(text: str) -> State:
    """From the text of a position."""
    parts = [part.split(" ") for part in text.split("; ")]
    board, colours = {}, []
    for colour, *rest in parts:
        if colour in COLOURS:
            colours.append(colour)
            board.update({at: (colour, size) for at, size in zip(*[iter(rest)] * 2, strict=True)})
    mover = re.search(r"to (?:move|draw|place) (\w+)", text)
    coin = re.search(r"coin (\w+ \w+)", text)
    left = re.search(r"left ([\w, ]+)", text)
    return State(
        board=board,
        colours=colours,
        mover=mover[1] if mover else "",
        coin=coin[1] if coin else None,
        left=left[1].split(", ") if left else [],
        corners="adj 8" in text,
        same="sizes same" in text,
    )


def tile(coin: str) -> list[str]:
    """LR-1.3, from its table."""
    suit, value = coin.split()
    columns = {"Suns": "ab", "Moons": "cd", "Crowns": "ef", "Arms": "gh"}[suit]
    rows = {"Null": 1, "2": 3, "3": 5, "4": 7, "5": 9, "Ace": 11}[value]
    return [f"{column}{row}" for row in (rows, rows + 1) for column in columns]


def around(square: str, *, corners: bool) -> list[str]:
    """LR-1.7"""
    column, row = COLUMNS.index(square[0]), int(square[1:])
    return [
        other
        for other in SQUARES
        for x, y in [(abs(COLUMNS.index(other[0]) - column), abs(int(other[1:]) - row))]
        if x + y == 1 or (corners and x == y == 1)
    ]


def tract(of: State, square: str) -> frozenset[str]:
    """LR-2.5"""
    colour, found = of.board[square][0], {square}
    while True:
        more = {
            near
            for one in found
            for near in around(one, corners=of.corners)
            if near in of.board and of.board[near][0] == colour
        }
        if more <= found:
            return frozenset(found)
        found |= more


def tracts(of: State, colour: str) -> set[frozenset[str]]:
    return {tract(of, square) for square, (owner, _) in of.board.items() if owner == colour}


def stash(of: State, colour: str) -> Counter[str]:
    """LR-1.5, LR-6.1"""
    pieces = 5 if len(of.colours) <= 3 else 4
    out = Counter(size for owner, size in of.board.values() if owner == colour)
    return Counter({size: pieces - out[size] for size in "SML"})


def plays_on(of: State, colour: str, square: str) -> Iterator[Turn]:
    """LR-2.6 to LR-2.9: every play of a colour on a square."""
    if square in of.board:
        return
    near = [one for one in around(square, corners=of.corners) if one in of.board]
    own = {tract(of, one) for one in near if of.board[one][0] == colour}
    others = {tract(of, one) for one in near if of.board[one][0] != colour}
    length = 1 + sum(len(one) for one in own)
    captured = sorted((one for other in others for one in other), key=SQUARES.index)
    for size in "SML":
        rest = stash(of, colour)
        if rest[size] == 0:
            continue
        rest[size] -= 1
        if any(len(other) >= length for other in others) or rest.total() < len(captured):
            continue
        choices = product("SML", repeat=len(captured))
        if of.same:
            choices = iter([tuple(of.board[one][1] for one in captured)])  # type: ignore[assignment]  # both are iterators of tuples
        for sizes in choices:
            if all(rest[one] >= count for one, count in Counter(sizes).items()):
                yield square, size, tuple(zip(captured, sizes, strict=True))


def legal(of: State) -> set[Turn]:
    assert of.coin is not None
    return {turn for square in tile(of.coin) for turn in plays_on(of, of.mover, square)}


def played(of: State, turn: Turn) -> dict[str, tuple[str, str]]:
    square, size, taken = turn
    board = dict(of.board)
    board[square] = (of.mover, size)
    board.update({one: (of.mover, new) for one, new in taken})
    return board


def dead_end(of: State) -> bool:
    """LR-4.2"""
    return not any(
        next(plays_on(of, colour, square), None)
        for colour in of.colours
        if colour not in of.left
        for square in SQUARES
    )


def points(of: State, colour: str) -> int:
    """LR-4.4, LR-4.5"""
    total = 5 if stash(of, colour).total() == 0 else 0
    scoring = []
    for one in tracts(of, colour):
        sizes = [of.board[square][1] for square in one]
        needed = 4 if "L" in sizes else 3 if "M" in sizes else 2
        if len(one) >= needed:
            scoring.append(one)
            total += sum({"S": 1, "M": 2, "L": 3}[size] for size in sizes)
            if len(set(sizes)) == 1:
                total += {"S": 1, "M": 3, "L": 4}[sizes[0]]
    if len(tracts(of, colour)) == 1 and scoring:
        total += 5
    return total
