"""Which notices a reader can do without, and the wish that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.notices.news import (
    DrawRefused,
    InvitationAnswered,
    MessageReceived,
    MoveKept,
    MoveReceipt,
)
from pbem.notices.notice import Notice
from pbem.notices.personal import PlayerBack, PlayerUnreachable
from pbem.players.wishes import stops_all, wished

WISH_OF: Final[Mapping[type[Notice], str]] = {
    MoveReceipt: "receipts",
    MoveKept: "receipts",
    MessageReceived: "chat",
    DrawRefused: "news",
    InvitationAnswered: "news",
    PlayerUnreachable: "news",
    PlayerBack: "news",
}
"""The wish by which notices of a class are stopped. All others are needed by whoever plays."""


def is_wanted(notice: Notice, chosen: Mapping[str, str], *, answers: bool) -> bool:
    """Whether its reader wants to be told; `answers`: the reader's own letter brought it about."""
    if not answers and stops_all(chosen):
        return False
    wish = WISH_OF.get(type(notice))
    return wish is None or wished(chosen, wish) != "off"
