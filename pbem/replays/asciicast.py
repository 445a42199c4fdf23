"""A replay as a recording of a terminal: asciicast v2, a marker for each ply.

Source: the format as asciinema documents it, a header object and one array a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pbem.replays.stepping import Window, screen

if TYPE_CHECKING:
    from pbem.replays.frames import Replay

PAUSE: Final = 1.5
"""Seconds that a frame stands."""

_COLUMNS, _LINES = 80, 24
_CLEAR: Final = "\x1b[H\x1b[2J"


def asciicast(replay: Replay, made: datetime | None) -> Iterator[str]:
    """The lines of the file; `made` is the time that its header tells."""
    boards = [replay.lines(at) for at in range(len(replay.frames))]
    columns = max(_COLUMNS, *(len(line) for board in boards for line in board))
    room = Window(columns, 1_000, coloured=True)
    screens = [screen(replay, at, room)[:-1] for at in range(len(replay.frames))]  # no keys here
    header = {
        "version": 2,
        "width": columns,
        "height": max(_LINES, *map(len, screens)),
        "title": replay.title,
    }
    if made is not None:
        header["timestamp"] = int(made.timestamp())
    yield json.dumps(header, ensure_ascii=False)
    for at, (frame, lines) in enumerate(zip(replay.frames, screens, strict=True)):
        second = round(at * PAUSE, 3)
        if at and frame.ply != replay.frames[at - 1].ply:
            yield json.dumps([second, "m", f"ply {frame.ply}"], ensure_ascii=False)
        yield json.dumps([second, "o", _CLEAR + "\r\n".join(lines)], ensure_ascii=False)
    yield json.dumps([round(len(screens) * PAUSE, 3), "o", "\r\n"])
