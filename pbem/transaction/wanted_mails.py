"""What of that which is owed to people they want to be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.notices.news import MoveKept
from pbem.notices.replies import NoOrderFound, OrderRefused, OrderResult
from pbem.players.wishes import stops_all, wished

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.names import MatchId, PlayerId
    from pbem.notices.notice import Notice
    from pbem.store.people.roster import ReaderRow


def is_wanted(notice: Notice, chosen: Mapping[str, str], *, answers: bool) -> bool:
    """Whether its reader wants to be told; `answers`: the reader's own letter brought it about."""
    if not answers and stops_all(chosen):
        return False
    wish = notice.traits.wish
    return not wish or wished(chosen, wish) != "off"


def wanted(
    chosen: Mapping[PlayerId, ReaderRow],
    owed: Sequence[tuple[PlayerId, Notice]],
    actor: PlayerId | None,
    *,
    receipts: bool = False,
) -> list[tuple[PlayerId, Notice]]:
    """Those notices that their readers have not stopped; a letter of `actor` brought them about.

    `chosen` has every reader. `receipts`: what is held of it is told all the same, since it may be
    somebody else's.
    """
    return [
        (who, notice)
        for who, notice in owed
        if is_wanted(notice, chosen[who].wishes, answers=who == actor)
        or (receipts and who == actor and notice.traits.though_stopped)
    ]


def in_part(
    told: Sequence[tuple[PlayerId, Notice]],
    actor: PlayerId | None,
    results: Sequence[OrderResult],
    silent_until: datetime | None = None,
) -> list[tuple[PlayerId, Notice]]:
    """What is told; no refusal says that nothing was done where another order of a letter was."""
    partly = any(result.status == "done" for result in results)
    last = silent_until.isoformat() if silent_until is not None else ""
    if not partly and not last:
        return list(told)

    def said(notice: Notice) -> Notice:
        match notice:
            case OrderRefused():
                return replace(notice, partly=partly, last=last)
            case NoOrderFound():
                return replace(notice, last=last)
            case _:
                return notice

    return [(who, said(notice) if who == actor else notice) for who, notice in told]


def with_unread(notice: Notice, unread: Mapping[MatchId, tuple[str, ...]]) -> Notice:
    """The receipt of a held move quotes what stood beside it; no event keeps that."""
    if isinstance(notice, MoveKept) and notice.match in unread:
        return replace(notice, unread=unread[notice.match])
    return notice
