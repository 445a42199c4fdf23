"""Mails of what was said, noted, changed or decided in advance, for the golden mails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.games.game import Ply, Seat
from pbem.legacy.notices.courtesies import CommentMade
from pbem.legacy.notices.news import ConditionMet, MatchOver, TurnPrompt
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.replies import ChangesShown, ConditionsShown, MessagesShown, NotesShown
from pbem.legacy.notices.second_thoughts import MoveReceipt
from pbem.legacy.notices.views.scene import Reader, Scene
from tests.legacy.notices.scenes import (
    ANN,
    BOB,
    CLEO,
    FORGOTTEN,
    HELLO,
    OPENING,
    begun,
    planned,
    played,
    reader,
    resigned,
    scene,
    talked,
    watched,
)

TWO = played(begun(), *OPENING)
THREE = played(begun("M3SS4", players=(ANN, BOB, CLEO)), "e1", "a5", "e5", "e3 plant d3")
ID, ID3 = TWO.id, THREE.id
TALKED = talked(TWO)
OVER = resigned(TWO, BOB)
PLANNED = planned(
    TWO,
    BOB,
    "if e2 plant e1 then a3 c3>c2 plant a2, if any then a4 plant b4",
    "if c3>c2 plant e2 then resign yes",
)
PLANNED3 = planned(THREE, CLEO, "if any if any then e4 plant e3", "if any then resign yes")
MET = played(PLANNED, "e2 plant e1")
VOID = played(PLANNED, "e4 plant e5")
ILLEGAL = played(planned(TWO, BOB, "if any then e1 plant e2"), "e2 plant e1")

PRIVATE: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "changes_shown": (
        (ChangesShown(match=ID, first=Ply(2), last=Ply(4)),),
        scene(TWO),
        reader(BOB),
    ),
    "changes_shown_none": (
        (ChangesShown(match=ID, first=TWO.course.ply, last=TWO.course.ply),),
        scene(TWO),
        reader(BOB),
    ),
    "conditions_shown": ((ConditionsShown(match=ID),), scene(PLANNED), reader(BOB)),
    "conditions_shown_three": ((ConditionsShown(match=ID3),), scene(PLANNED3), reader(CLEO)),
    "conditions_shown_none": ((ConditionsShown(match=ID),), scene(TWO), reader(BOB)),
    "move_receipt_conditions": (
        (MoveReceipt(match=ID, seat=Seat(2), ply=TWO.course.ply),),
        scene(PLANNED),
        reader(BOB),
    ),
    "condition_met": (
        (ConditionMet(match=ID, seat=Seat(2), ply=MET.course.ply),),
        scene(MET),
        reader(BOB),
    ),
    "turn_prompt_void": (
        (TurnPrompt(match=ID, seat=Seat(2), ply=VOID.course.ply),),
        scene(VOID),
        reader(BOB),
    ),
    "turn_prompt_void_answer": (
        (TurnPrompt(match=ID, seat=Seat(2), ply=ILLEGAL.course.ply),),
        scene(ILLEGAL),
        reader(BOB),
    ),
    "messages_shown": ((MessagesShown(match=ID),), scene(TALKED), reader()),
    "messages_shown_none": ((MessagesShown(match=ID),), scene(TWO), reader()),
    "notes_shown": ((NotesShown(match=ID),), scene(TALKED), reader()),
    "comment_made": (
        (
            CommentMade(match=ID, author=BOB, ply=Ply(2), text=HELLO),
            CommentMade(match=ID, author=BOB, ply=None, text=FORGOTTEN),
        ),
        scene(OVER),
        reader(),
    ),
    "comment_made_of_the_beginning": (
        (CommentMade(match=ID, author=ANN, ply=Ply(0), text=HELLO),),
        scene(resigned(watched(TWO, CLEO), BOB)),
        reader(CLEO),
    ),
    "match_over_notes": ((MatchOver(match=ID),), scene(resigned(TALKED, BOB)), reader()),
}
