"""The mails about moves that are held, or taken back later, for the goldens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.games.game import Ply, Seat
from pbem.legacy.notices.news import TurnPrompt
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.replies import (
    Account,
    AddressShown,
    BoardShown,
    HistoryShown,
    OrderRefused,
    OrderResult,
)
from pbem.legacy.notices.second_thoughts import (
    MoveKept,
    MoveReturned,
    MovesTakenBack,
    PagePlayed,
    ResignationKept,
    ResignationOff,
    TakebackRefused,
    TakebackWanted,
)
from pbem.legacy.notices.views.scene import Reader, Scene, Wishes
from tests.legacy.notices.scenes import (
    ANN,
    BOB,
    OPENING,
    begun,
    held,
    nearly_over,
    played,
    reader,
    resigning,
    scene,
    undone,
)

TWO = played(begun(), *OPENING)
HELD = held(TWO, "stay c3>c4 chop d3")
LAST, LAST_MOVE = nearly_over(begun())
UNDONE = undone(TWO, ANN, BOB)
RESIGNING = resigning(TWO, ANN)
THEIRS = resigning(TWO, BOB)
UNTIL = "2026-11-22T14:10:00+00:00"

ID = TWO.id

SECOND_THOUGHTS: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "page_played": (
        (
            TurnPrompt(match=ID, seat=Seat(1), ply=TWO.course.ply),
            PagePlayed(
                match=ID,
                seat=Seat(1),
                ply=Ply(TWO.course.ply - 1),
                notation="stay; plant a2",
                at="2026-11-21T14:05:00+00:00",
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "move_kept": (
        (
            MoveKept(
                match=ID,
                seat=Seat(1),
                notation="stay; c3>c4; chop d3",
                until="2026-11-21T14:10:00+00:00",
            ),
        ),
        scene(HELD),
        reader(),
    ),
    "move_kept_at_the_end": (
        (
            MoveKept(
                match=ID,
                seat=LAST.to_act[0],
                notation=LAST_MOVE,
                until="2026-11-21T14:10:00+00:00",
            ),
        ),
        scene(held(LAST, LAST_MOVE)),
        reader(LAST.player_at(LAST.to_act[0])),
    ),
    "move_kept_with_offer": (
        (
            MoveKept(
                match=ID,
                seat=Seat(1),
                notation="stay; c3>c4; chop d3",
                until="2026-11-21T14:10:00+00:00",
                draw=True,
                says=1,
            ),
        ),
        scene(HELD),
        reader(ANN, Wishes(tz="Europe/Paris")),
    ),
    "move_returned": (
        (MoveReturned(match=ID, seat=Seat(1), notation="stay; c3>c4; chop d3"),),
        scene(TWO),
        reader(),
    ),
    "resignation_kept": (
        (ResignationKept(match=ID, seat=Seat(2), until=UNTIL),),
        scene(THEIRS),
        reader(BOB),
    ),
    "resignation_kept_by_condition": (
        (
            ResignationKept(match=ID, seat=Seat(1), until=UNTIL, condition=True),
            TurnPrompt(match=ID, seat=Seat(1), ply=TWO.course.ply),
        ),
        scene(RESIGNING),
        reader(ANN, Wishes(tz="Europe/Paris")),
    ),
    "resignation_off": (
        (ResignationOff(match=ID, seat=Seat(1), why="undone"),),
        scene(TWO),
        reader(),
    ),
    "resignation_off_by_a_move": (
        (ResignationOff(match=ID, seat=Seat(2), why="moved"),),
        scene(TWO),
        reader(BOB),
    ),
    "resignation_off_by_a_takeback": (
        (
            TurnPrompt(match=ID, seat=Seat(1), ply=Ply(2)),
            ResignationOff(match=ID, seat=Seat(1), why="changed"),
        ),
        scene(UNDONE),
        reader(),
    ),
    "board_shown_resigning": (
        (BoardShown(match=ID, ply=TWO.course.ply),),
        scene(RESIGNING),
        reader(),
    ),
    "board_shown_resigning_to_others": (
        (BoardShown(match=ID, ply=TWO.course.ply),),
        scene(RESIGNING),
        reader(BOB),
    ),
    "address_shown": (
        (
            AddressShown(match=ID, players=(BOB,)),
            Account(results=(OrderResult(typed="say Hello", status="done", outcome="said"),)),
        ),
        scene(TWO),
        reader(),
    ),
    "account_of_what_was_cut": (
        (
            Account(
                results=(
                    OrderResult(
                        typed="say Have fun!",
                        status="done",
                        outcome="said",
                        facts={"cut": ["Ann Smith, Example Ltd", "Tel: +49 30 1234567"]},
                    ),
                ),
                match=ID,
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "order_refused_two_moves": (
        (
            OrderRefused(
                match=ID,
                typed="e1 plant e2",
                code="two_moves_in_mail",
                facts={"candidates": ["e1; plant e2", "d2; plant d1"]},
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "address_shown_to_somebody": ((AddressShown(match=ID, players=()),), scene(TWO), reader()),
    "address_shown_outside": ((AddressShown(match=None, players=()),), scene(), reader()),
    "takeback_wanted": (
        (TakebackWanted(match=ID, seat=Seat(1), ply=Ply(2)),),
        scene(undone(TWO, ANN)),
        reader(BOB),
    ),
    "takeback_refused": ((TakebackRefused(match=ID, seat=Seat(2)),), scene(TWO), reader()),
    "moves_taken_back": (
        (
            TurnPrompt(match=ID, seat=Seat(1), ply=Ply(2)),
            MovesTakenBack(match=ID, seat=Seat(1), ply=Ply(2)),
        ),
        scene(UNDONE),
        reader(),
    ),
    "moves_taken_back_to_others": (
        (MovesTakenBack(match=ID, seat=Seat(1), ply=Ply(2)),),
        scene(UNDONE),
        reader(BOB),
    ),
    "history_shown_undone": ((HistoryShown(match=ID),), scene(UNDONE), reader()),
    "board_shown_held": ((BoardShown(match=ID, ply=TWO.course.ply),), scene(HELD), reader()),
    "board_shown_held_to_others": (
        (BoardShown(match=ID, ply=TWO.course.ply),),
        scene(HELD),
        reader(BOB),
    ),
}
