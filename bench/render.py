"""Writes one turn's prompt again and again: microseconds for view, text, HTML and bytes.

    python -m bench.render

The figure to reach: 700 us for text and HTML together, since a turn has two mails and 300 turns/s
are wanted of one process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from pbem.games.game import Seat
from pbem.legacy.mail.compose import Headers, compose
from pbem.legacy.notices.news import TurnPrompt
from pbem.legacy.notices.rendering.render import Renderer
from pbem.legacy.notices.views.view import build
from tests.legacy.notices.scenes import OPENING, begun, played, reader, scene

ROUNDS = 7
CALLS = 200


def microseconds(call: Callable[[], object]) -> float:
    """The best mean of some rounds: what the machine can do when nobody else uses it."""
    call()
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(CALLS):
            call()
        best = min(best, (time.perf_counter() - begin) / CALLS)
    return best * 1e6


def main() -> None:
    """Measure and print."""
    match = played(begun(), *OPENING)
    notices = [TurnPrompt(match=match.id, seat=Seat(1), ply=match.course.ply)]
    who, about, renderer = reader(), scene(match), Renderer()
    view = build(notices, who, about)
    plain = build(notices, replace(who, wishes=replace(who.wishes, html=False)), about)
    rendered = renderer.render(view)
    headers = Headers(
        message_id="<abcdefghijklmnopqrst.aabcdefghij@example.org>",
        from_name=view.sender,
        from_address=view.reply_address,
        to_name=view.reader,
        to_address="ann@example.com",
        reply_to=view.reply_address,
        subject=rendered.subject,
        date=datetime.now(UTC),
        references=("<root@example.org>",),
        list_id="example.org",
        unsubscribe="games@example.org",
    )
    text = microseconds(lambda: renderer.render(plain))
    both = microseconds(lambda: renderer.render(view))
    print(f"view            {microseconds(lambda: build(notices, who, about)):7.0f} us")
    print(f"text            {text:7.0f} us")
    print(f"HTML            {both - text:7.0f} us more")
    print(f"compose         {microseconds(lambda: compose(headers, rendered)):7.0f} us")
    print(f"mail            {len(compose(headers, rendered)):7d} bytes")
