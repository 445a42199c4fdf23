"""The mails about seats that somebody left, or that wait behind a link, for the goldens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pbem.games.game import Ply, Seat
from pbem.legacy.matches.decide import decide
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.operator_acts import give_seat
from pbem.legacy.matches.resigning import resign
from pbem.legacy.matches.unfolding import Unfolding
from pbem.names import Digest, PlayerId, bot_id
from pbem.legacy.notices.news import ChallengeSent, Invitation, InvitationAnswered, TurnPrompt
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.personal import Welcome
from pbem.legacy.notices.replies import OpenSeat, SeatMissed
from pbem.legacy.notices.seats import SeatFilled, SeatOut
from pbem.legacy.notices.views.scene import Reader, Scene, Wishes
from tests.legacy.notices.scenes import (
    ANN,
    BOB,
    CLEO,
    NAMES,
    NOW,
    begun,
    challenge,
    joined,
    played,
    reader,
    scene,
)

DAN: Final = PlayerId("p4")
ROBOT: Final = bot_id("medium", 1)

_PLAYED = played(begun("M3SS4", players=(ANN, BOB, CLEO)), "e1", "a5", "e5")
THREE: Final = replace(_PLAYED, terms=replace(_PLAYED.terms, stand_in="medium"))
FILLED: Final = decide(Unfolding(match=THREE, now=NOW), resign, player=BOB).match
GIVEN: Final = decide(
    Unfolding(match=THREE, now=NOW),
    give_seat,
    author="anna",
    reason=Digest("0" * 64),
    seat=Seat(2),
    player=DAN,
).match

ID, SEAT = THREE.id, Seat(2)
STAYS: Final = SeatFilled(match=ID, seat=SEAT, player=ROBOT, left=BOB, why="resigned")


LINKED: Final = challenge("L2NKS", (ANN,), open_seats=1, linked=True, time="240/36/240")
LINKED_TO_THREE: Final = challenge("L3NKS", (ANN, BOB), open_seats=1, linked=True)
JOINED: Final = joined(LINKED_TO_THREE, CLEO)
FREE: Final = challenge("M3SS4", (BOB,), open_seats=1)
SHARED: Final = "https://games.example.org/join/l2nks.0.aa.coduapgyv22jy5huymj3fdvnga"
TAKEN: Final = SeatMissed(
    named=LINKED.id,
    taken=True,
    seats=(OpenSeat(match=FREE.id, since="2026-11-19T09:30:00+00:00"),),
)


def _linked(match: Match) -> Scene:
    return replace(scene(match), link=SHARED)


def _seen(match: Match) -> Scene:
    return scene(match, names={**NAMES, DAN: "Dan", ROBOT: "Robot (medium)"})


def _of(player: PlayerId, name: str) -> Reader:
    return Reader(player=player, name=name, wishes=Wishes())


SEATS_LEFT: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "seat_filled": (
        (TurnPrompt(match=ID, seat=Seat(1), ply=Ply(3)), STAYS),
        _seen(FILLED),
        reader(),
    ),
    "seat_filled_alone": ((STAYS,), _seen(FILLED), reader(CLEO)),
    "seat_filled_by_condition": ((replace(STAYS, why="decided"),), _seen(FILLED), reader()),
    "seat_filled_on_time": ((replace(STAYS, why="time"),), _seen(FILLED), reader(CLEO)),
    "seat_filled_for_you": ((replace(STAYS, why="time"),), _seen(FILLED), _of(BOB, "Bob")),
    "seat_filled_newcomer": (
        (SeatFilled(match=ID, seat=SEAT, player=DAN, left=BOB),),
        _seen(GIVEN),
        _of(DAN, "Dan"),
    ),
    "seat_out": ((SeatOut(match=ID, seat=Seat(3)),), _seen(THREE), reader(CLEO)),
    "challenge_sent_link": ((ChallengeSent(match=LINKED.id),), _linked(LINKED), reader()),
    "challenge_sent_link_and_asked": (
        (ChallengeSent(match=LINKED_TO_THREE.id),),
        _linked(LINKED_TO_THREE),
        reader(),
    ),
    "challenge_sent_link_joined": (
        (ChallengeSent(match=JOINED.id),),
        scene(JOINED),
        reader(CLEO),
    ),
    "invitation_link": ((Invitation(match=JOINED.id),), scene(LINKED_TO_THREE), reader(BOB)),
    "invitation_answered_link": (
        (InvitationAnswered(match=JOINED.id, player=CLEO, answer="left"),),
        scene(LINKED_TO_THREE),
        reader(),
    ),
    "seat_missed": ((TAKEN,), scene(FREE), reader(CLEO)),
    "seat_missed_over": ((replace(TAKEN, taken=False, seats=()),), scene(), reader(CLEO)),
    "seat_missed_newcomer": ((TAKEN, Welcome()), scene(FREE), reader(CLEO)),
}
