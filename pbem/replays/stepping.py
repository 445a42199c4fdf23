"""A replay at a terminal: where it stands, what a key does, and what the screen then shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.replays.frames import Replay

_FEW: Final = 10
_MOST_CHANGED: Final = 4
"""A board of which more than one character in so many is new is new as a whole."""

_WIDEST_SLIDER: Final = 60
_MARK, _PLAIN, _STRONG = "\x1b[1;7m", "\x1b[0m", "\x1b[1m"
KEYS: Final = "left/right: a step   up/down: ten   home/end   q: done"

_STEPS: Final = {
    "\x1b[C": 1,
    "\x1bOC": 1,
    " ": 1,
    "l": 1,
    "n": 1,
    "\r": 1,
    "\n": 1,
    "\x1b[D": -1,
    "\x1bOD": -1,
    "h": -1,
    "p": -1,
    "\x7f": -1,
    "\x1b[B": _FEW,
    "\x1bOB": _FEW,
    "\x1b[6~": _FEW,
    "j": _FEW,
    "\x1b[A": -_FEW,
    "\x1bOA": -_FEW,
    "\x1b[5~": -_FEW,
    "k": -_FEW,
}
_FIRST: Final = ("\x1b[H", "\x1bOH", "\x1b[1~", "g", "0")
_LAST: Final = ("\x1b[F", "\x1bOF", "\x1b[4~", "G", "$")
_DONE: Final = ("q", "Q", "\x1b", "\x03", "\x04")
"""q, Escape alone, Ctrl-C and Ctrl-D."""


def after_key(key: str, at: int, count: int) -> int | None:
    """The frame that a key leads to, of `count`; None where it ends the replay."""
    if key in _DONE:
        return None
    if key in _FIRST:
        return 0
    if key in _LAST:
        return count - 1
    return min(max(at + _STEPS.get(key, 0), 0), count - 1)


@dataclass(frozen=True, slots=True)
class Window:
    """The terminal: columns, lines, and whether it has colours."""

    columns: int
    lines: int
    coloured: bool


def screen(replay: Replay, at: int, window: Window) -> list[str]:
    """What the terminal shows of a frame; what has changed since the one before it stands out."""
    frame = replay.frames[at]
    before = replay.lines(at - 1) if at else replay.lines(at)
    board = _shown(replay.lines(at), before, window)
    said = wrap(frame.told, window.columns) if frame.told else []
    head = f"{replay.title}"[: window.columns]
    title = f"{_STRONG}{head}{_PLAIN}" if window.coloured else head
    below = ["", *said, "", *_slider(frame.ply, at, len(replay.frames), window.columns)]
    room = window.lines - len(below) - 3
    if len(board) > room > 0:
        board = [*board[: room - 1], f"({len(board) - room + 1} more lines: make it higher)"]
    return [title, "", *board, *below]


def _slider(ply: int, at: int, count: int, columns: int) -> Iterator[str]:
    width = min(columns - 2, _WIDEST_SLIDER)
    done = round(width * at / max(count - 1, 1))
    yield f"[{'=' * done}{' ' * (width - done)}]"
    yield f"{at} of {count - 1}, after ply {ply}"[:columns]
    yield KEYS[:columns]


def _shown(lines: Sequence[str], before: Sequence[str], window: Window) -> list[str]:
    cut = [line[: window.columns] for line in lines]
    if not window.coloured or _all_new(lines, before):
        return cut
    pairs = zip_longest(cut, before[: len(cut)], fillvalue="")
    return [_marked(line, old) for line, old in pairs]


def _all_new(lines: Sequence[str], before: Sequence[str]) -> bool:
    """Whether so much has changed (a board was laid out) that nothing would stand out."""
    pairs = [
        (new, old)
        for line, was in zip_longest(lines, before, fillvalue="")
        for new, old in zip_longest(line, was, fillvalue=" ")
    ]
    changed = sum(new != old for new, old in pairs)
    return changed * _MOST_CHANGED > len(pairs)


def _marked(line: str, old: str) -> str:
    """A line with its changed characters standing out; a blank that nothing has left does not."""
    text, on = "", False
    for new, was in zip_longest(line, old[: len(line)], fillvalue=" "):
        changed = new != was
        if changed is not on:
            text += _MARK if changed else _PLAIN
            on = changed
        text += new
    return text + _PLAIN * on
