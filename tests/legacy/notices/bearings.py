"""Answers to letters without an order: where their writer stands, and what they can write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.replies import GamesListed, NoOrderFound, QuestionAsked
from pbem.legacy.notices.views.scene import Reader, Scene
from tests.legacy.notices.scenes import ANN, BOB, OPENING, begun, challenge, played, reader, scene

TWO = played(begun(), *OPENING)
ID = TWO.id

BEARINGS: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "question_asked_order": (
        (QuestionAsked(question="order", match=ID, facts={"order": "undo"}),),
        scene(TWO),
        reader(),
    ),
    "no_order_found": (
        (
            NoOrderFound(
                match=ID,
                text=True,
                mentioned=("undo", "away 5 days"),
                card=("move", "board", "undo", "say", "help all"),
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "no_order_found_in_answer": (
        (NoOrderFound(match=ID, text=True, mentioned=(), card=("board", "help all"), waits=True),),
        scene(TWO),
        reader(BOB),
    ),
    "no_order_found_asked": (
        (
            NoOrderFound(
                match=ID,
                text=True,
                mentioned=(),
                card=("move", "board", "help all"),
                asked=("what", "are", "protesters", "for"),
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "no_order_found_invited": (
        (NoOrderFound(match=ID, text=False, mentioned=(), card=("accept", "decline", "help all")),),
        scene(challenge("K7QX2", (ANN, BOB))),
        reader(BOB),
    ),
    "no_order_found_nowhere": (
        (
            NoOrderFound(match=None, text=True, mentioned=(), card=("new", "games", "help all")),
            GamesListed(matches=(ID,), boards=False),
        ),
        scene(TWO),
        reader(),
    ),
}
