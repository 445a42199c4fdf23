"""An example of each type of event, for the schemas and their tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from pbem.games.game import Ply, Seat
from pbem.match.events import (
    ChallengeClosed,
    ChallengeIssued,
    ChanceCommitted,
    ChanceDrawn,
    ChanceRenewed,
    ChanceRevealed,
    ChanceSealed,
    ClockPaused,
    ClockResumed,
    DeadlineExtended,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    ExtensionReason,
    InvitationDeclined,
    LeavingReason,
    MatchAdjudicated,
    MatchEnded,
    MatchEvent,
    MatchRolledBack,
    MatchStarted,
    MatchVoided,
    MovePlayed,
    PauseReason,
    SeatReassigned,
    SeatReleased,
    SeatResigned,
    SeatTaken,
    SeatTimedOut,
    Source,
    StandingOrderGiven,
    TakebackDeclined,
    TakebackRequested,
)
from pbem.names import MatchId, PlayerId

ANN: Final = PlayerId("6e1c0f0a9d2b4c7f8a31")
BOB: Final = PlayerId("b7d92e4410c85f6a03de")
CLEO: Final = PlayerId("03fa8c71e5b94d2266c0")
NOON: Final = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HASH: Final = "648e848bb7fdbc14ce7835b090ae516fd5b72a5a94a3fc34f8402ae1ee2a6bc3"
COMMITMENT: Final = "2307827d47e34f5551f703bc20cace144dbe3b54acf9ed29977adf413c766457"
LINK: Final = "1cebfa41b5b27cb641f5fa154c2bf7ad40f15bff5b5e43532620edecac43e573"
DIGEST: Final = "24620f27b9b6bbb9c6c9c5e81065f213d86d54cd7d1266bbdc17513a2f5aa20a"
OPTIONS: Final = {"draw_cap": "none", "memory_aid": "on", "repetition": "on", "stone_set": "even"}

EXAMPLES: Final[tuple[MatchEvent, ...]] = (
    ChallengeIssued(
        at=NOON,
        challenger=ANN,
        ruleset="logan_stones-1",
        options=OPTIONS,
        invited=(BOB,),
        time_control="240/36/240",
        is_rated=True,
        expires=NOON + timedelta(days=30),
        protocol=2,
        commitment=COMMITMENT,
        links=4096,
        sealed_commitment=LINK,
    ),
    ChallengeIssued(
        at=NOON,
        challenger=ANN,
        ruleset="chess-1",
        options={"variant": "standard"},
        invited=(),
        time_control="none",
        is_rated=False,
        expires=NOON + timedelta(days=30, microseconds=1),
        protocol=2,
        commitment=COMMITMENT,
        links=4096,
        open_seats=1,
        is_listed=True,
        is_private=True,
        is_lesson=True,
        colour="white",
        seat_order=(ANN, BOB),
        rematch_of=MatchId("M3SS4"),
    ),
    SeatTaken(at=NOON, player=BOB, message_hash=HASH, colour="red"),
    SeatReleased(at=NOON, player=BOB),
    InvitationDeclined(at=NOON, player=BOB),
    ChallengeClosed(at=NOON, reason="declined"),
    MatchStarted(at=NOON, players=(BOB, ANN), options=OPTIONS),
    ChanceCommitted(at=NOON, commitment=COMMITMENT, links=4096, first=4097),
    ChanceRenewed(
        at=NOON,
        commitment=COMMITMENT,
        sealed_commitment=HASH,
        links=4096,
        number=123_456_789_012,
        restored_to=NOON - timedelta(days=1),
    ),
    ChanceDrawn(
        at=NOON, index=1, link=LINK, digest=DIGEST, request="seats: order of 2", values=(1, 0)
    ),
    ChanceDrawn(
        at=NOON, index=2, link=LINK, digest=DIGEST, request="roll: 2d6", values=(3, 4), ply=Ply(7)
    ),
    ChanceSealed(
        at=NOON,
        index=1,
        digest=DIGEST,
        request="deal: order of 3, 3d2",
        seal=HASH,
        values=(2, 0, 1, 1, 2, 2),
        ply=Ply(1),
    ),
    ChanceRevealed(at=NOON, index=1, link=LINK, values=(2, 0, 1, 1, 2, 2)),
    MovePlayed(
        at=NOON,
        seat=Seat(1),
        ply=Ply(1),
        notation="c1; plant c2",
        source=Source.EMAIL,
        received=NOON - timedelta(minutes=5, seconds=7),
        message_hash=HASH,
        bank=timedelta(days=9, hours=23, minutes=3),
    ),
    MovePlayed(
        at=NOON,
        seat=Seat(2),
        ply=Ply(2),
        notation="pass",
        source=Source.FORCED,
        received=NOON,
        message_hash="",
        bank=None,
    ),
    StandingOrderGiven(at=NOON, seat=Seat(1), order="doubles keep"),
    DrawOffered(at=NOON, seat=Seat(1)),
    DrawDeclined(at=NOON, seat=Seat(2)),
    DrawAgreed(at=NOON, seat=Seat(2)),
    TakebackRequested(at=NOON, seat=Seat(1), ply=Ply(4)),
    TakebackDeclined(at=NOON, seat=Seat(2)),
    MatchRolledBack(at=NOON, ply=Ply(4), seat=Seat(1)),
    MatchRolledBack(at=NOON, ply=Ply(0), seat=None),
    SeatResigned(at=NOON, seat=Seat(2)),
    SeatResigned(at=NOON, seat=Seat(2), reason=LeavingReason.BANNED),
    SeatTimedOut(at=NOON, seat=Seat(1)),
    SeatReassigned(at=NOON, seat=Seat(1), player=CLEO, former=ANN),
    ClockPaused(at=NOON, seat=Seat(1), reason=PauseReason.VACATION, until=NOON + timedelta(days=3)),
    ClockPaused(at=NOON, seat=Seat(1), reason=PauseReason.GAME, until=None),
    ClockResumed(at=NOON, seat=Seat(1), reason=PauseReason.BOUNCE),
    DeadlineExtended(
        at=NOON,
        seat=Seat(1),
        added=timedelta(hours=5),
        deadline=NOON + timedelta(days=2),
        reason=ExtensionReason.GIFT,
        giver=Seat(2),
    ),
    DeadlineExtended(
        at=NOON,
        seat=Seat(1),
        added=timedelta(seconds=90),
        deadline=None,
        reason=ExtensionReason.DOWNTIME,
    ),
    MatchVoided(at=NOON),
    MatchAdjudicated(at=NOON, placings=(1, 1, 3)),
    MatchEnded(at=NOON, placings=(2, 1), termination="resignation"),
)
