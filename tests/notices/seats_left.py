"""The mails about seats that somebody left in a match of three, for the goldens."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from pbem.games.game import Ply, Seat
from pbem.matches.commands import (
    AnswerTakeover,
    Command,
    ProposeTakeover,
    Resign,
    WaiveTakeover,
)
from pbem.matches.decide import decide
from pbem.matches.match import Match
from pbem.names import PlayerId
from pbem.notices.news import (
    SeatFilled,
    SeatOpened,
    TakeoverClosed,
    TakeoverOffered,
    TakeoverRefused,
    TakeoverWanted,
    TurnPrompt,
)
from pbem.notices.notice import Notice
from pbem.notices.views.scene import Reader, Scene, Wishes
from tests.notices.scenes import ANN, BOB, CLEO, NAMES, NOW, begun, played, reader, scene

DAN: Final = PlayerId("p4")
UNTIL: Final = NOW + timedelta(hours=48)


def _after(match: Match, *commands: Command) -> Match:
    for command in commands:
        match = decide(command, match, now=NOW).match
    return match


THREE = played(begun("M3SS4", players=(ANN, BOB, CLEO)), "e1", "a5", "e5")
OPEN = _after(THREE, Resign(player=BOB, vacate_until=UNTIL))
PROPOSED = _after(OPEN, ProposeTakeover(player=ANN, newcomer=DAN))
AGREED = _after(PROPOSED, AnswerTakeover(player=CLEO, accept=True))
WAIVED = _after(AGREED, WaiveTakeover(player=ANN), WaiveTakeover(player=CLEO))
FILLED = _after(AGREED, AnswerTakeover(player=DAN, accept=True))

ID, SEAT = THREE.id, Seat(2)


def _seen(match: Match) -> Scene:
    return scene(match, names={**NAMES, DAN: "Dan"})


def _dan() -> Reader:
    return Reader(player=DAN, name="Dan", wishes=Wishes())


SEATS_LEFT: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "seat_opened": (
        (SeatOpened(match=ID, seat=SEAT, until=UNTIL.isoformat()),),
        _seen(OPEN),
        reader(),
    ),
    "seat_opened_by_condition": (
        (SeatOpened(match=ID, seat=SEAT, until=UNTIL.isoformat(), condition=True),),
        _seen(OPEN),
        reader(),
    ),
    "seat_opened_on_time": (
        (SeatOpened(match=ID, seat=SEAT, until=UNTIL.isoformat(), timed_out=True),),
        _seen(OPEN),
        reader(CLEO),
    ),
    "takeover_wanted": (
        (TakeoverWanted(match=ID, seat=SEAT, player=DAN, until=UNTIL.isoformat()),),
        _seen(PROPOSED),
        reader(CLEO),
    ),
    "takeover_offered": (
        (TakeoverOffered(match=ID, seat=SEAT, by=ANN, until=UNTIL.isoformat()),),
        _seen(AGREED),
        _dan(),
    ),
    "takeover_closed": ((TakeoverClosed(match=ID, seat=SEAT, left=BOB),), _seen(WAIVED), _dan()),
    "takeover_refused": (
        (TakeoverRefused(match=ID, seat=SEAT, player=DAN),),
        _seen(OPEN),
        reader(),
    ),
    "seat_filled": (
        (
            TurnPrompt(match=ID, seat=Seat(1), ply=Ply(3)),
            SeatFilled(match=ID, seat=SEAT, player=DAN, left=BOB),
        ),
        _seen(FILLED),
        reader(),
    ),
    "seat_filled_newcomer": (
        (SeatFilled(match=ID, seat=SEAT, player=DAN, left=BOB),),
        _seen(FILLED),
        _dan(),
    ),
}
