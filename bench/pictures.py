"""What a picture costs beside the mail that it would go with, and how large it is.

For each game: a prompt in the middle of its recorded match is rendered (view, text and HTML), and
the same position is drawn, with what happened since the reader's last turn: as SVG, which pages
have, and as PNG, which mails have. Processor time of all by turns, the least of many rounds. The
goals: the SVG costs less than the mail (1 x) and has at most 20,000 bytes; the PNG 10 ms and 16,000
bytes (Looney Ludo and Logan Stones 24,000), once its parts are known. Beside it stand the first PNG
of a process that knows none of them, those of the whole match one after the other, and what resvg
takes for the same picture in one piece.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import resvg_py

from pbem.games.game import Marks, Played, Seat
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.replay import replay
from pbem.legacy.notices.news import TurnPrompt
from pbem.legacy.notices.rendering.render import Renderer
from pbem.legacy.notices.views.view import build
from pbem.legacy.replays import raster
from pbem.legacy.store.log.event_log import event_of
from pbem.legacy.store.log.exported import read_export
from pbem.names import MatchId
from tests.games.samples import SAMPLES
from tests.legacy.notices.scenes import reader, scene

ROUNDS = 15
CALLS = 20
SINCE = 3

PNG_ROUNDS = 10


def middle(path: Path) -> Match:
    """The match when about half of its plies are played, and somebody has to move."""
    read = read_export(path.read_text("utf-8").splitlines())
    events: list[Any] = [event_of(one) for one in read.events]
    for last in range(len(events) // 2, len(events)):
        match = replay(MatchId("K7QX2"), events[:last], dict(read.sealed))
        if match.to_act:
            return match
    raise ValueError(f"nobody has to move in {path}")


def least(*calls: Callable[[], object], rounds: int = ROUNDS, times: int = CALLS) -> list[float]:
    """The least processor time of each call, in microseconds; they take turns."""
    for call in calls:
        call()
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for number, call in enumerate(calls):
            begin = time.process_time()
            for _ in range(times):
                call()
            best[number] = min(best[number], (time.process_time() - begin) / times)
    return [one * 1e6 for one in best]


def main() -> None:
    """Measure and print."""
    renderer = Renderer()
    for path in SAMPLES:
        match = middle(path)
        (seat, *_) = match.to_act
        player = match.player_at(seat)
        notices = [TurnPrompt(match=match.id, seat=seat, ply=match.course.ply)]
        names = {one: f"Player {number}" for number, one in enumerate(match.table.players, 1)}
        who = replace(reader(), player=player, name=names[player])
        about = scene(match, names=names)
        mail, drawn = least(
            lambda: renderer.render(build(notices, who, about)),  # noqa: B023 - called at once
            lambda: picture(match, len(match.course.steps), seat),  # noqa: B023
        )
        svg = picture(match, len(match.course.steps), seat)
        first = taken(partial(raster.png, svg))
        again, whole = least(
            partial(raster.png, svg), partial(in_one_piece, svg), rounds=PNG_ROUNDS, times=1
        )
        steps = range(1, len(match.course.steps) + 1)
        mean = sum(taken(partial(raster.png, picture(match, at, seat))) for at in steps) / len(
            steps
        )
        print(
            f"{path.stem:16} mail {mail:6.0f} us, SVG {drawn:6.0f} us ({drawn / mail:4.2f} x)"
            f" {len(svg.encode()):6d} bytes, PNG {1e-3 * again:5.1f} ms {len(raster.png(svg)):6d}"
            f" bytes (first {1e3 * first:3.0f} ms, half a match {1e3 * mean:4.1f} ms,"
            f" in one piece {1e-3 * whole:5.1f} ms)"
        )


def picture(match: Match, steps: int, seat: int) -> str:
    """The board after so many steps, with what the last of them did."""
    shown = match.course.steps[max(0, steps - SINCE) : steps]
    since = tuple(
        Played(step.move, step.before, step.after) for step in shown if step.move is not None
    )
    names = tuple(f"Player {number}" for number, _ in enumerate(match.table.players, 1))
    return match.game.picture(shown[-1].after, Seat(seat), Marks(since=since, names=names))


def taken(call: Callable[[], object]) -> float:
    """Seconds of processor time."""
    begin = time.process_time()
    call()
    return time.process_time() - begin


def in_one_piece(svg: str) -> object:
    """What drawing takes at least where nothing is known."""
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=raster.PNG_WIDTH,
        skip_system_fonts=True,
        shape_rendering="crisp_edges",
    )
