"""What a bot does at once is told in the mail that goes before it, which waits for that a moment.

A bot acts in a unit of work of its own, a second after what it answers. So a mail about a match in
which a bot is next is queued for a little later; the bot's unit adds its news to that mail, and
lets it go. Whatever becomes of the bot, the mail goes out when its moment is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.matches.duties import duty
from pbem.names import is_bot
from pbem.notices import codec
from pbem.notices.news import MatchWatched, TurnPrompt
from pbem.notices.notice import Notice
from pbem.notices.reactions.react import rank
from pbem.notices.replies import NoOrderFound
from pbem.store.mails import waiting_mails
from pbem.transaction.installation import match_stream

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.matches.match import Match
    from pbem.store.mails.outbox import QueuedMail

MOMENT: Final = timedelta(seconds=15)
"""Longer than a bot searches for a move."""

BEARINGS: Final = "bearings"
"""The kind of mails that answer letters without an order: there are few of them."""


def kind_of(notices: Sequence[Notice]) -> str:
    """`prompt`: only a turn, which a newer one supersedes; `turn`: a turn with other news.

    `bearings`: the answer to a letter without an order.
    """
    if any(isinstance(notice, NoOrderFound) for notice in notices):
        return BEARINGS
    prompts = sum(isinstance(notice, TurnPrompt) for notice in notices)
    if not prompts:
        return "news"
    return "prompt" if prompts == len(notices) else "turn"


def wait_for_bots(
    conn: Connection,
    mails: Sequence[QueuedMail],
    matches: Iterable[Match],
    now: datetime,
    *,
    by_bot: bool,
) -> list[QueuedMail]:
    """The mails as they are to be queued; `by_bot`: they are owed for what a bot has done."""
    queued = list(mails)
    for match in matches:
        if any(map(is_bot, match.players)):
            due = now + MOMENT if _bot_is_next(match) else now
            if by_bot:
                queued = _joined(conn, queued, match, now, due)
            if due > now:
                queued = [_later(mail, match_stream(match.id), due) for mail in queued]
    return queued


def _bot_is_next(match: Match) -> bool:
    asked = duty(match)
    return asked is not None and asked.what in ("play", "resign")


def _later(mail: QueuedMail, stream: str, due: datetime) -> QueuedMail:
    waits = mail.stream == stream and mail.held_until is None
    return replace(mail, not_before=due) if waits and _waits(codec.load(mail.notices)) else mail


def _waits(notices: Sequence[Notice]) -> bool:
    return all(notice.traits.lasts for notice in notices)


def _joined(
    conn: Connection, mails: Sequence[QueuedMail], match: Match, now: datetime, due: datetime
) -> list[QueuedMail]:
    """The mails that are left when others, which wait, have taken up the news of some."""
    stream = match_stream(match.id)
    news = {mail.recipient: mail for mail in mails if mail.stream == stream and not mail.held_until}
    taken = []
    for early in waiting_mails.waiting(conn, stream, now):
        later = news.get(early.recipient)
        notices = codec.load(early.notices)
        if later is not None:
            notices = tuple(_told_together(notices, codec.load(later.notices)))
        rewritten = waiting_mails.rewrite(
            conn,
            early,
            notices=codec.dump(notices),
            kind=kind_of(notices),
            version=match.version,
            due=due if _waits(notices) else now,
        )
        if rewritten and later is not None:
            taken.append(news.pop(early.recipient))
    return [mail for mail in mails if mail not in taken]


def _told_together(earlier: Sequence[Notice], later: Sequence[Notice]) -> list[Notice]:
    """One mail's notices in their order, without what others of them say anyway."""
    needless = {kind for notice in later for kind in notice.traits.covers}

    def all_of_them() -> Iterator[Notice]:
        yield from (notice for notice in earlier if type(notice) not in needless)
        watched = any(isinstance(notice, MatchWatched) for notice in earlier)
        for notice in later:
            if not (watched and isinstance(notice, MatchWatched)):  # the first tells what follows
                yield notice

    return sorted(all_of_them(), key=rank)
