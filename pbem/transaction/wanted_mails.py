"""What of that which is owed to people they want to be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.notices.kinds import is_wanted
from pbem.notices.news import MoveKept
from pbem.notices.replies import OrderRefused, OrderResult

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.names import PlayerId
    from pbem.notices.notice import Notice
    from pbem.store.people.roster import ReaderRow


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
        or (receipts and who == actor and isinstance(notice, MoveKept))
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
    return [
        (who, replace(notice, partly=partly, last=last))
        if isinstance(notice, OrderRefused) and who == actor
        else (who, notice)
        for who, notice in told
    ]
