"""A mail that was not sent yet takes up what is new to its reader in its match.

That is how a bot's move stands in the receipt of the move that it answers, how a prompt that is
overtaken is not sent, and how several things that happen at once are told in one mail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pbem.notices import codec
from pbem.notices.news import MatchWatched, TurnPrompt
from pbem.notices.reactions.react import rank
from pbem.notices.replies import NoOrderFound
from pbem.store.mails import waiting_mails
from pbem.transaction.delivery_policy import goes_at
from pbem.transaction.installation import match_stream

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.matches.match import Match
    from pbem.notices.notice import Notice
    from pbem.store.mails.outbox import QueuedMail
    from pbem.store.mails.waiting_mails import WaitingMail
    from pbem.transaction.working_copy import OpenMatch

BEARINGS: Final = "bearings"
"""The kind of mails that answer letters without an order: there are few of them."""


def kind_of(notices: Sequence[Notice]) -> str:
    """`prompt`: only a turn; `turn`: a turn with other news; `bearings`: see BEARINGS."""
    if any(isinstance(notice, NoOrderFound) for notice in notices):
        return BEARINGS
    prompts = sum(isinstance(notice, TurnPrompt) for notice in notices)
    if not prompts:
        return "news"
    return "prompt" if prompts == len(notices) else "turn"


def coalesce(
    conn: Connection, mails: Sequence[QueuedMail], matches: Iterable[OpenMatch], now: datetime
) -> list[QueuedMail]:
    """The mails that are left to be queued when those that wait have taken up what they can."""
    left = list(mails)
    for opened in matches:
        if opened.events:
            taken = _take_up(conn, left, opened, now)
            left = [mail for mail in left if mail not in taken]
    return left


def _take_up(
    conn: Connection, mails: Sequence[QueuedMail], opened: OpenMatch, now: datetime
) -> list[QueuedMail]:
    """Bring the mails about a match that are not sent up to date; which of the new ones they tell.

    What was taken back is told as it was: no notice of it means anything on the board of now.
    """
    match = opened.now
    stream = match_stream(match.id)
    went_back = len(match.taken_back) > len(opened.before.taken_back)
    news = [mail for mail in mails if mail.stream == stream and _is_news(mail)]
    taken, overtaken = [], []
    for early in waiting_mails.unsent(conn, stream):
        told = codec.load(early.notices)
        kept = [notice for notice in told if not _is_overtaken(notice, match)]
        if told and not kept:
            overtaken.append(early)
        elif not went_back and _can_grow(early, kept):
            more = next((mail for mail in news if _is_next_to(mail, early)), None)
            waits = early.state == "new" and early.next_at > now
            stale = len(kept) < len(told)
            if more or waits or stale:
                notices = _told_together(kept, codec.load(more.notices) if more else ())
                if _rewrite(conn, early, notices, match, now) and more:
                    taken.append(more)
                    news.remove(more)
    waiting_mails.take_up(conn, overtaken)
    return taken


def _is_news(mail: QueuedMail) -> bool:
    """Whether a mail may be told in another: an answer is a mail of its own, and so is a digest."""
    apart = mail.in_reply_to or mail.to_address or mail.held_until
    return mail.root is not None and not apart


def _is_next_to(mail: QueuedMail, early: WaitingMail) -> bool:
    """Whether it is for the same reader, in the same thread; what is held the digest takes up."""
    return early.state == "new" and (mail.recipient, mail.root) == (early.recipient, early.root)


def _can_grow(early: WaitingMail, told: Sequence[Notice]) -> bool:
    """Whether a mail says on the board of now what it says on its own."""
    unwritten = early.state in ("new", "held") and not early.written
    return unwritten and all(notice.traits.lasts or _stands(notice) for notice in told)


def _stands(notice: Notice) -> bool:
    """A turn that is not overtaken is as true as it was."""
    return isinstance(notice, TurnPrompt)


def _is_overtaken(notice: Notice, match: Match) -> bool:
    """Whether somebody need not be asked for a move any more."""
    if not isinstance(notice, TurnPrompt):
        return False
    asked = notice.seat in match.to_act and notice.seat not in match.held
    return not asked or notice.ply != match.ply


def _rewrite(
    conn: Connection,
    early: WaitingMail,
    notices: Sequence[Notice],
    match: Match,
    now: datetime,
) -> bool:
    return waiting_mails.rewrite(
        conn,
        early,
        notices=codec.dump(notices),
        kind=kind_of(notices),
        version=match.version,
        due=early.next_at if early.state == "held" else goes_at(notices, match, now),
    )


def _told_together(earlier: Sequence[Notice], later: Sequence[Notice]) -> list[Notice]:
    """One mail's notices in their order, without what others of them say anyway."""
    needless = {kind for notice in later for kind in notice.traits.covers}

    def all_of_them() -> Iterator[Notice]:
        said = (one for one in earlier if type(one) not in needless and one not in later)
        yield from said
        watched = any(isinstance(notice, MatchWatched) for notice in earlier)
        for notice in later:
            if not (watched and isinstance(notice, MatchWatched)):  # the first tells what follows
                yield notice

    return sorted(all_of_them(), key=rank)
