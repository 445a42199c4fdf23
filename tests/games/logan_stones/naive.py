"""Logan Stones once more, straight from the rulebook and slowly: the second opinion of tests.

Spaces are (row, number) pairs, stones have names, and what was seen is kept as sets of pairs
(stone, face) for each viewpoint, just as LS-6.2 says. Turns are canonical texts.
"""

from __future__ import annotations

import re
from collections import Counter

LOSES = {"R": "S", "S": "P", "P": "R"}
KINDS = ["RR", "PP", "SS", "RP", "PS", "SR"]
COUNTS = {"6x3": [3] * 6, "9x2": [2, 2, 2, 4, 4, 4], "3x6": [0, 0, 0, 6, 6, 6]}
Space = tuple[int, int]


def name(space: Space) -> str:
    row, number = space
    if row < 0:
        return f"-{chr(64 - row)}{number}"
    return f"{chr(65 + row)}{number}" if row < 26 else f"A{chr(65 + row - 26)}{number}"


def space_of(label: str) -> Space:
    found = re.fullmatch(r"(-?)([A-Z]+)(-?\d+)", label)
    assert found
    row = ord(found[2][-1]) - 65 + (26 if len(found[2]) == 2 else 0)
    return (-row - 1 if found[1] else row), int(found[3])


def around(space: Space) -> list[Space]:
    row, n = space
    return [(row, n - 2), (row, n + 2), (row - 1, n - 1), (row - 1, n + 1), (row + 1, n - 1),
            (row + 1, n + 1)]  # fmt: skip


def one_piece(spaces: set[Space]) -> bool:
    reached: set[Space] = set()
    border = set(list(spaces)[:1])
    while border:
        reached |= border
        border = {near for at in border for near in around(at) if near in spaces} - reached
    return reached == spaces


class Naive:
    """A game; `faces[stone]` are its two faces, `up[stone]` which of them is the upper one."""

    def __init__(self, cap: int | None) -> None:
        self.cap = cap
        self.faces: list[str] = []
        self.up: list[int] = []
        self.island: dict[Space, int] = {}
        self.hands: dict[int, dict[int, int]] = {1: {}, 2: {}}
        self.seen: dict[int | None, set[tuple[int, int]]] = {1: set(), 2: set(), None: set()}
        self.ply = 0
        self.reached: Counter[object] = Counter()
        self.result: tuple[int, str] | None = None

    def deal(self, values: tuple[int, ...], stone_set: str) -> None:
        self.faces = [k for k, n in zip(KINDS, COUNTS[stone_set], strict=True) for _ in range(n)]
        self.up = [0] * 18
        for place in range(18):
            self.up[values[place]] = values[18 + place] - 1
        self.hands = {
            1: {i + 1: values[i] for i in range(8)},
            2: {i + 1: values[8 + i] for i in range(8)},
        }
        self.island = {(12, 20): values[16], (12, 22): values[17]}
        for viewpoint in self.seen:
            self.seen[viewpoint] = {(stone, self.up[stone]) for stone in range(18)}
        for seat in (1, 2):
            self.seen[seat] |= {(stone, 1 - self.up[stone]) for stone in self.hands[seat].values()}

    def lay_out(self, text: str, ply: int) -> None:
        """An island alone, all of it seen by all."""
        self.ply = ply
        for word in text.split():
            label, faces = word.split("=")
            self.island[space_of(label)] = len(self.faces)
            self.faces.append(faces)
            self.up.append(0)
        for viewpoint in self.seen:
            self.seen[viewpoint] = {(stone, f) for stone in range(len(self.up)) for f in (0, 1)}
        self.reached[self.key()] += 1

    @property
    def mover(self) -> int:
        return 1 if self.ply % 2 == 0 else 2

    def top(self, stone: int) -> str:
        return self.faces[stone][self.up[stone]]

    def under(self, stone: int) -> str:
        return self.faces[stone][1 - self.up[stone]]

    def knows(self, viewpoint: int | None, stone: int) -> bool:
        return (stone, 1 - self.up[stone]) in self.seen[viewpoint]

    def goals(self, others: set[Space]) -> list[Space]:
        free = {near for at in others for near in around(at)} - others
        return sorted(at for at in free if sum(near in others for near in around(at)) >= 2)

    def legal(self) -> list[str]:
        if self.result:
            return []
        turns = []
        hand = self.hands[self.mover]
        if hand:
            for number in hand:
                for goal in self.goals(set(self.island)):
                    turns += [f"add {number} {name(goal)}", f"add {number} {name(goal)} turned"]
            return turns
        for start in self.island:
            others = set(self.island) - {start}
            turns.append(f"flip {name(start)}")
            if one_piece(others):
                for goal in self.goals(others):
                    if goal != start:
                        move = f"move {name(start)} to {name(goal)}"
                        turns += [move, f"{move} turned"]
        return turns

    def show(self, stone: int) -> None:
        for seen in self.seen.values():
            seen.add((stone, self.up[stone]))

    def turn(self, stone: int) -> None:
        self.up[stone] = 1 - self.up[stone]

    def play(self, text: str) -> list[str]:
        """Plays a legal turn; the spaces of the stones that the wave turned over."""
        kind, *rest = text.split()
        if kind == "add":
            stone = self.hands[self.mover].pop(int(rest[0]))
            space = space_of(rest[1])
        elif kind == "move":
            stone = self.island.pop(space_of(rest[0]))
            space = space_of(rest[2])
        else:
            space = space_of(rest[0])
            stone = self.island[space]
        if kind == "flip" or rest[-1] == "turned":
            self.turn(stone)
        self.island[space] = stone
        self.show(stone)
        victims = [
            near
            for near in around(space)
            if near in self.island and self.top(self.island[near]) == LOSES[self.top(stone)]
        ]
        for near in victims:
            self.turn(self.island[near])
            self.show(self.island[near])
        mover = self.mover
        self.ply += 1
        self.finish(mover)
        return [name(near) for near in sorted(victims)]

    def key(self) -> object:
        rows = min(row for row, _ in self.island)
        numbers = min(number for _, number in self.island)
        stones = [
            (row - rows, number - numbers, self.top(stone), self.under(stone))
            for (row, number), stone in self.island.items()
        ]
        return self.mover, frozenset(stones)

    def finish(self, mover: int) -> None:
        if self.has_line():
            self.result = mover, "line"
            return
        if not self.hands[1] and not self.hands[2]:
            self.reached[self.key()] += 1
            if self.reached[self.key()] == 3:
                self.result = 0, "repetition"
                return
        if self.cap is not None and self.ply == self.cap:
            self.result = 0, "cap"

    def has_line(self) -> bool:
        for row, number in self.island:
            for down, along in ((0, 2), (1, 1), (-1, 1)):
                four = [(row + down * i, number + along * i) for i in range(4)]
                if all(at in self.island for at in four):
                    tops = {self.top(self.island[at]) for at in four}
                    if len(tops) == 1:
                        return True
        return False
