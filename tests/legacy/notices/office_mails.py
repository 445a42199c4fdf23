"""The mails of operators' acts, of what is held on somebody, and to nobody, for the goldens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from pbem.games.game import Ply, Seat
from pbem.legacy.matches.operator_acts import adjudicate, give_seat, roll_back, void_match
from pbem.names import PlayerId
from pbem.legacy.notices.news import MatchOver, TurnPrompt
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.personal import (
    Banned,
    DataShown,
    Farewell,
    OperatorDecided,
    ProfileShown,
    Rated,
    RatingsShown,
    ReportReceived,
    Result,
    SendingCapNear,
    StatisticsShown,
)
from pbem.legacy.notices.replies import PageShown
from pbem.legacy.notices.seats import OperatorActed, SeatFilled
from pbem.legacy.notices.views.scene import Holding, Reader, Scene
from pbem.legacy.standing.statistics import First, Statistics
from tests.legacy.notices.scenes import (
    ANN,
    BOB,
    CLEO,
    HELLO,
    OPENING,
    acted,
    begun,
    played,
    reader,
    resigned,
    scene,
)

TWO = played(begun(), *OPENING)
VOID = acted(TWO, partial(void_match, author="anna", reason=HELLO))
DECIDED = acted(TWO, partial(adjudicate, author="anna", reason=HELLO, placings=(2, 1)))
GIVEN = acted(TWO, partial(give_seat, author="anna", reason=HELLO, seat=Seat(2), player=CLEO))
BACK = acted(TWO, partial(roll_back, author="anna", reason=HELLO, ply=Ply(3)))
NOBODYS = replace(scene(), token_line="", reply_address="games@example.org")
RECORDS = (
    Holding("player", 1, ('{"id": "p1", "name": "Ann", "created_at": "2026-11-01T12:00:00Z"}',)),
    Holding("address", 1, ('{"address": "ann@example.org", "main": true, "confirmed": true}',)),
    Holding("timer", 0, ()),
    Holding("inbox", 12, ('{"received_at": "2026-11-21T14:05:00+00:00", "kept": 812}',)),
)

OVER = resigned(TWO, BOB)


def rated(player: PlayerId, place: int, rating: int, won: int, game: str = "logger") -> Rated:
    return Rated(
        game=game, player=player, place=place, rating=rating, give_or_take=87, played=31, won=won
    )


STATISTICS: Final = Statistics(
    game="logger",
    seats=2,
    matches=41,
    won=(22, 16),
    shared=3,
    lengths=(24, 31, 40),
    firsts=(First("place a1", 30, 17), First("place e5", 11, 5)),
)
PROFILE = ProfileShown(
    player=ANN,
    own=True,
    since="2025-03-01T12:00:00+00:00",
    ratings=(rated(ANN, 2, 1540, 17), rated(ANN, 0, 1498, 3, "landrush")),
    over=12,
    in_time=98,
    lost=1,
    new=False,
    last=(Result(match=OVER.id, ended="2026-11-20T09:30:00+00:00", rating=1540),),
)

OFFICE_MAILS: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "match_voided": (
        (
            OperatorActed(match=VOID.id, act="voided", reason=HELLO),
            MatchOver(match=VOID.id),
        ),
        scene(VOID),
        reader(),
    ),
    "match_adjudicated": (
        (
            OperatorActed(match=DECIDED.id, act="adjudicated", reason=HELLO),
            MatchOver(match=DECIDED.id),
        ),
        scene(DECIDED),
        reader(BOB),
    ),
    "comment_removed": (
        (OperatorActed(match=DECIDED.id, act="said", reason=HELLO, ply=2),),
        scene(DECIDED),
        reader(),
    ),
    "match_unrated": (
        (OperatorActed(match=DECIDED.id, act="unrated", reason=HELLO),),
        scene(DECIDED),
        reader(),
    ),
    "clocks_halted": (
        (OperatorActed(match=TWO.id, act="halted", reason=HELLO),),
        scene(TWO),
        reader(BOB),
    ),
    "clocks_released": (
        (OperatorActed(match=TWO.id, act="released", reason=HELLO),),
        scene(TWO),
        reader(),
    ),
    "deadline_moved": (
        (
            OperatorActed(
                match=TWO.id,
                act="deadline",
                reason=HELLO,
                seat=Seat(1),
                due="2026-11-24T12:00:00+00:00",
            ),
        ),
        scene(TWO),
        reader(BOB),
    ),
    "deadline_moved_for_you": (
        (
            OperatorActed(
                match=TWO.id,
                act="deadline",
                reason=HELLO,
                seat=Seat(1),
                due="2026-11-24T12:00:00+00:00",
            ),
        ),
        scene(TWO),
        reader(),
    ),
    "seat_reassigned": (
        (
            SeatFilled(match=GIVEN.id, seat=Seat(2), player=CLEO, left=BOB),
            OperatorActed(match=GIVEN.id, act="seat", reason=HELLO, seat=Seat(2)),
        ),
        scene(GIVEN),
        reader(CLEO),
    ),
    "seat_taken_away": (
        (OperatorActed(match=GIVEN.id, act="seat", reason=HELLO, seat=Seat(2)),),
        scene(GIVEN),
        reader(BOB),
    ),
    "match_rolled_back": (
        (
            TurnPrompt(match=BACK.id, seat=Seat(2), ply=BACK.course.ply),
            OperatorActed(match=BACK.id, act="back", reason=HELLO, ply=3),
        ),
        scene(BACK),
        reader(BOB),
    ),
    "match_back_at_its_start": (
        (OperatorActed(match=BACK.id, act="back", reason=HELLO),),
        scene(BACK),
        reader(),
    ),
    "banned": ((Banned(reason=HELLO, wishes={}),), NOBODYS, Reader(player=PlayerId(""), name="")),
    "operator_pardoned": (
        (OperatorDecided(act="pardoned", reason=HELLO, name="Ann"),),
        scene(),
        reader(),
    ),
    "operator_renamed": (
        (OperatorDecided(act="renamed", reason=HELLO, name="Anna"),),
        scene(),
        reader(),
    ),
    "page_shown": (
        (PageShown(),),
        replace(scene(), page="https://play.example.org/player/0-TOKEN/"),
        reader(),
    ),
    "data_shown": (
        (DataShown(),),
        replace(scene(), held=RECORDS),
        reader(),
    ),
    "farewell": (
        (Farewell(by="player", wishes={}),),
        NOBODYS,
        Reader(player=PlayerId(""), name=""),
    ),
    "sending_cap_near": (
        (SendingCapNear(period="hour", used=80, most=100),),
        NOBODYS,
        Reader(player=PlayerId(""), name=""),
    ),
    "report_received": (
        (ReportReceived(about=TWO.id, game="Logger", reporter=ANN, reported=BOB, said=(HELLO,)),),
        replace(NOBODYS, names=scene(TWO).names, sealed=scene(TWO).sealed),
        replace(reader(), name=""),
    ),
    "report_received_silent": (
        (ReportReceived(about=TWO.id, game="Logger", reporter=ANN, reported=BOB, said=()),),
        NOBODYS,
        replace(reader(), name=""),
    ),
    "ratings_shown": (
        (
            RatingsShown(
                player=ANN,
                game="",
                listed=(
                    rated(BOB, 1, 1720, 25),
                    rated(ANN, 2, 1540, 17),
                    rated(CLEO, 3, 998, 1),
                    rated(CLEO, 1, 1601, 8, "landrush"),
                ),
                own=(rated(ANN, 2, 1540, 17), rated(ANN, 0, 1498, 3, "landrush")),
                most=5,
            ),
        ),
        scene(),
        reader(),
    ),
    "ratings_shown_one": (
        (
            RatingsShown(
                player=CLEO,
                game="logger",
                listed=(rated(BOB, 1, 1720, 25), rated(ANN, 2, 1540, 17)),
                own=(rated(CLEO, 3, 998, 1),),
                most=2,
            ),
        ),
        scene(),
        reader(CLEO),
    ),
    "ratings_shown_none": (
        (RatingsShown(player=ANN, game="looney_ludo", listed=(), own=(), most=25),),
        scene(),
        reader(),
    ),
    "statistics_shown": ((StatisticsShown(game="logger", told=(STATISTICS,)),), scene(), reader()),
    "statistics_shown_all": (
        (
            StatisticsShown(
                game="",
                told=(
                    replace(STATISTICS, matches=4, won=(3, 1), shared=0, firsts=()),
                    replace(STATISTICS, game="landrush", seats=3, won=(20, 12, 8), shared=1),
                ),
            ),
        ),
        scene(),
        reader(),
    ),
    "statistics_shown_none": ((StatisticsShown(game="logger", told=()),), scene(), reader()),
    "profile_shown": ((PROFILE,), scene(OVER), reader()),
    "profile_shown_new": (
        (replace(PROFILE, player=BOB, own=False, ratings=(), over=1, new=True, last=()),),
        scene(),
        reader(),
    ),
}
