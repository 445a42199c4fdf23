"""A mail on a terminal: as much of it as leaves the board in sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

BELOW: Final = 3
"""Rows that are kept free below a mail: what it holds more, the prompt, and one to type on."""

WITH_THE_BOARD: Final = 3
"""Paragraphs that belong together: the board, its legend, and what can be played."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The size of a terminal."""

    rows: int = 24
    columns: int = 80

    def height(self, lines: Sequence[str]) -> int:
        """The rows that lines take; longer ones take several."""
        return sum(max(1, -(-len(line) // self.columns)) for line in lines)


def until_fold(lines: Sequence[str], boards: Sequence[Sequence[str]], screen: Screen) -> int:
    """How many lines of a mail to show first, so that its last board is still on the screen.

    `boards` are the pictures to look for; a mail without any of them is shown to its end.
    """
    at = max((_last(lines, board) for board in boards), default=(-1, 0))
    top, height = at
    room = screen.rows - BELOW
    if top < 0 or screen.height(lines[top:]) <= room:
        return len(lines)
    end = top + height
    for paragraph_end in _paragraph_ends(lines, end)[: WITH_THE_BOARD - 1]:
        if screen.height(lines[top:paragraph_end]) <= room:
            end = paragraph_end
    while end < len(lines) and screen.height(lines[: end + 1]) <= room:
        end += 1
    return end


def _last(lines: Sequence[str], board: Sequence[str]) -> tuple[int, int]:
    """Where a board begins for the last time, and its height; (-1, 0) if it is not there."""
    wanted = [line.rstrip() for line in board]
    for top in range(len(lines) - len(wanted), -1, -1):
        if wanted and [line.rstrip() for line in lines[top : top + len(wanted)]] == wanted:
            return top, len(wanted)
    return -1, 0


def _paragraph_ends(lines: Sequence[str], start: int) -> list[int]:
    """Where the paragraphs from a line on end."""
    return [
        number
        for number in range(start + 1, len(lines) + 1)
        if lines[number - 1].strip() and (number == len(lines) or not lines[number].strip())
    ]
