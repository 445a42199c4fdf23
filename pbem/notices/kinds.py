"""Which notices a reader can do without, and the wish that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.notices.news import (
    ChallengeOff,
    DrawRefused,
    Invitation,
    InvitationAnswered,
    LeaveUsed,
    MatchBegan,
    MatchWatched,
    MessageReceived,
    MoveKept,
    MoveReceipt,
    SeatVacated,
    TurnPrompt,
    WatchClosed,
)
from pbem.notices.notice import Notice
from pbem.notices.personal import PlayerAway, PlayerBack, PlayerUnreachable
from pbem.notices.replies import SayOffered
from pbem.players.wishes import stops_all, wished

WISH_OF: Final[Mapping[type[Notice], str]] = {
    MoveReceipt: "receipts",
    MoveKept: "receipts",
    SayOffered: "receipts",
    MessageReceived: "chat",
    DrawRefused: "news",
    InvitationAnswered: "news",
    PlayerUnreachable: "news",
    PlayerBack: "news",
    LeaveUsed: "news",
    PlayerAway: "news",
}
"""The wish by which notices of a class are stopped. All others are needed by whoever plays."""


def is_wanted(notice: Notice, chosen: Mapping[str, str], *, answers: bool) -> bool:
    """Whether its reader wants to be told; `answers`: the reader's own letter brought it about."""
    if not answers and stops_all(chosen):
        return False
    wish = WISH_OF.get(type(notice))
    return wish is None or wished(chosen, wish) != "off"


CAN_WAIT: Final = frozenset(
    {
        ChallengeOff,
        DrawRefused,
        Invitation,
        InvitationAnswered,
        MatchBegan,
        MatchWatched,
        MessageReceived,
        LeaveUsed,
        PlayerAway,
        PlayerBack,
        PlayerUnreachable,
        SeatVacated,
        TurnPrompt,
        WatchClosed,
    }
)
"""Notices that wait for a digest. Others go out at once: ends, questions, reminders, answers."""


def can_wait(notice: Notice) -> bool:
    """Whether it is soon enough if its reader is told with the next digest."""
    return type(notice) in CAN_WAIT
