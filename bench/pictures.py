"""What a picture costs beside the mail that it would go with, and how large it is.

For each game: a prompt in the middle of its recorded match is rendered (view, text and HTML), and
the same position is drawn, with what happened since the reader's last turn: as SVG, which pages
have, and as PNG, which mails have. Processor time of all by turns, the least of many rounds (of few
where PNG is made: it takes a hundred times as long, but once for all who see the same board). The
goals: the SVG costs less than the mail (1 x) and has at most 20,000 bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pbem.games.game import Marks, Played
from pbem.matches.match import Match, replay
from pbem.names import MatchId
from pbem.notices.news import TurnPrompt
from pbem.notices.rendering.render import Renderer
from pbem.notices.views.view import build
from pbem.replays.raster import mail_png
from pbem.store.log.exported import read_export
from pbem.store.log.recorded import event_of
from tests.games.test_record_text import SAMPLES
from tests.notices.scenes import reader, scene

ROUNDS = 15
CALLS = 20
SINCE = 3

PNG_ROUNDS = 3


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
        notices = [TurnPrompt(match=match.id, seat=seat, ply=match.ply)]
        names = {one: f"Player {number}" for number, one in enumerate(match.players, 1)}
        who = replace(reader(), player=player, name=names[player])
        about = scene(match, names=names)
        since = tuple(
            Played(step.move, step.before, step.after)
            for step in match.steps[-SINCE:]
            if step.move is not None
        )
        marks: Marks[Any, Any] = Marks(since=since, names=tuple(names.values()))
        mail, drawn = least(
            lambda: renderer.render(build(notices, who, about)),  # noqa: B023 - called at once
            lambda: match.game.picture(match.position, seat, marks),  # noqa: B023
        )
        svg = match.game.picture(match.position, seat, marks)
        (png,) = least(partial(mail_png, svg), rounds=PNG_ROUNDS, times=1)
        print(
            f"{path.stem:26} mail {mail:6.0f} us, SVG {drawn:6.0f} us ({drawn / mail:4.2f} x)"
            f" {len(svg.encode()):6d} bytes, PNG {1e-3 * png:6.1f} ms"
            f" {len(mail_png(svg)):6d} bytes"
        )
