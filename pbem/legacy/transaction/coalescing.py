"""A mail that was not sent yet takes up what is new to its reader in its match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from pbem.legacy.matches.events import MovePlayed
from pbem.legacy.matches.match import Status, StepKind
from pbem.legacy.matches.table import deadline, duty
from pbem.legacy.matches.window import held_text
from pbem.names import PlayerId, is_bot
from pbem.legacy.notices.codec import dump, load
from pbem.legacy.notices.news import MatchWatched, TurnPrompt, rank
from pbem.legacy.notices.personal import Reminder
from pbem.legacy.notices.replies import NoOrderFound
from pbem.legacy.notices.second_thoughts import PagePlayed
from pbem.legacy.players.player import next_digest
from pbem.legacy.store import timers
from pbem.legacy.store.mails import waiting_mails
from pbem.legacy.transaction.installation import match_stream, player_stream

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId
    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.notices.replies import OrderResult
    from pbem.legacy.store.mails.outbox import QueuedMail
    from pbem.legacy.store.mails.waiting_mails import WaitingMail
    from pbem.legacy.store.people.roster import ReaderRow
    from pbem.legacy.transaction.unit import Unit
    from pbem.legacy.transaction.working_copy import OpenMatch


# --- delivery policy -----------------------------------------------------------------------------
# When a mail goes: with its reader's digest, in a moment, since a bot is about to act, or at once.
#
# A bot acts in a unit of work of its own, a second after what it answers. So a mail about a match
# in which a bot is next waits for its news. Whatever becomes of the bot or of the digest, the mail
# goes out by itself.

DIGEST: Final = "digest"
"""The kind of the timer, and of the mail that is made when it is due."""

SOON: Final = timedelta(hours=24)
"""A deadline so near does not wait for a digest."""

AT_LAST: Final = timedelta(days=1)
"""A mail that no digest has taken up goes out by itself so long after it should have: none is lost,
whatever becomes of the timer."""

UNTOLD: Final = timedelta(days=60)
"""So long a move that was made on a page waits for a mail that tells it: longer than clocks run."""

GATHERS: Final = timedelta(days=1)
"""So long a mail waits for more of what is gathered, if nothing else is told meanwhile."""

MOMENT: Final = timedelta(seconds=15)
"""Longer than a bot searches for a move."""


def planned(
    conn: Connection,
    mails: Sequence[QueuedMail],
    chosen: Mapping[PlayerId, ReaderRow],
    matches: Iterable[Match],
    *,
    actor: PlayerId | None,
    now: datetime,
) -> list[QueuedMail]:
    """The mails as they are to be queued: what can wait does, and the digest is due.

    Whatever answers a letter (of `actor`) waits for no digest, nor does a turn whose deadline is
    near; `matches` are those that the mails speak of, and `chosen` has every reader.
    """
    by_stream = {match_stream(match.id): match for match in matches}
    bots = [one for one, match in by_stream.items() if any(map(is_bot, match.table.players))]
    queued = []
    for mail in mails:
        match, reader = by_stream.get(mail.stream or ""), mail.recipient
        due = next_digest(chosen[reader].wishes, now) if reader and reader != actor else None
        if reader and due and _waits(mail, reader, match, max(due, now + SOON)):
            queued.append(replace(mail, held_until=due + AT_LAST))
            set_digest(conn, reader, due)
        elif match is not None and (mail.stream in bots or match.status is Status.ENDED):
            moment = goes_at(load(mail.notices), match, now)
            queued.append(replace(mail, not_before=moment) if moment > now else mail)
        else:
            queued.append(mail)
    return queued


def _waits(mail: QueuedMail, reader: PlayerId, match: Match | None, soon: datetime) -> bool:
    """Whether all of a mail is soon enough with the next digest."""
    due = deadline(match, reader) if match is not None else None
    if mail.to_address is not None or (due is not None and due <= soon):
        return False
    return all(notice.traits.waits for notice in load(mail.notices))


def goes_at(notices: Sequence[Notice], match: Match, now: datetime) -> datetime:
    """When what waits for no digest goes out: in a moment if a bot is about to add to it.

    What is gathered waits for more of it; nothing but that does in a match that is over.
    """
    if match.status is Status.ENDED:
        return now + GATHERS if all(one.traits.gathers for one in notices) else now
    asked = duty(match)
    waits = asked is not None and asked.what in ("play", "resign", "hint")
    return now + MOMENT if waits and all(notice.traits.lasts for notice in notices) else now


def set_digest(conn: Connection, player: PlayerId, due: datetime) -> None:
    """Let a player's digest be made at a time, and at no other."""
    facts: Mapping[str, str] = {"player": player}
    timers.set_timer(conn, f"{DIGEST}:{player}", due, player_stream(player), DIGEST, facts)


# --- coalescing ----------------------------------------------------------------------------------
# That is how a bot's move stands in the receipt of the move that it answers, how a prompt that is
# overtaken is not sent, and how several things that happen at once are told in one mail.

BEARINGS: Final = "bearings"
"""The kind of mails that answer letters without an order: there are few of them."""


def kind_of(notices: Sequence[Notice]) -> str:
    """`prompt`: only a turn; `turn`: a turn with other news; `bearings`: see BEARINGS."""
    if any(isinstance(notice, NoOrderFound) for notice in notices):
        return BEARINGS
    # A reminder shows boards that wait for their reader, whose time runs out.
    prompts = sum(isinstance(notice, TurnPrompt | Reminder) for notice in notices)
    if not prompts:
        return "news"
    return "prompt" if prompts == len(notices) else "turn"


def take_up(
    conn: Connection, mails: Sequence[QueuedMail], opened: OpenMatch, now: datetime
) -> list[QueuedMail]:
    """Bring the mails about a match that are not sent up to date; which of the new ones are left.

    What was taken back is told as it was: no notice of it means anything on the board of now.
    """
    match = opened.now
    stream = match_stream(match.id)
    waiting = waiting_mails.unsent(conn, stream)
    if not waiting:
        return [*mails]
    mails, told_elsewhere = _with_page_moves(mails, waiting, match)
    went_back = len(match.course.taken_back) > len(opened.before.course.taken_back)
    # An answer is a mail of its own, and so is a digest.
    news = [
        mail
        for mail in mails
        if mail.stream == stream and mail.root is not None
        if not (mail.in_reply_to or mail.to_address or mail.held_until)
    ]
    taken, overtaken = [], [*told_elsewhere]
    for early in waiting:
        if early in told_elsewhere:
            continue
        told = load(early.notices)
        kept = [notice for notice in told if not _is_overtaken(notice, match)]
        if told and not kept:
            overtaken.append(early)
        elif not went_back and _can_grow(early, kept):
            more = next((mail for mail in news if _is_next_to(mail, early)), None)
            waits = early.state == "new" and early.next_at > now
            stale = len(kept) < len(told)
            if more or waits or stale:
                notices = _told_together(kept, load(more.notices) if more else ())
                if _rewrite(conn, early, notices, match, now) and more:
                    taken.append(more)
                    news.remove(more)
    waiting_mails.take_up(conn, overtaken)
    return [mail for mail in mails if mail not in taken]


def is_page_played(notices: Sequence[Notice]) -> bool:
    """Whether a mail says no more than what its reader has done on a page, and so waits."""
    return bool(notices) and all(isinstance(notice, PagePlayed) for notice in notices)


def _with_page_moves(
    mails: Sequence[QueuedMail], waiting: Iterable[WaitingMail], match: Match
) -> tuple[list[QueuedMail], list[WaitingMail]]:
    """The mails with the moves that were made on pages since; and what they were kept in.

    Of several moves of a reader the last is told.
    """
    mails, done = [*mails], []
    for early in waiting:
        if PagePlayed.__name__ not in early.notices:
            continue
        told = load(early.notices)
        kept = [notice for notice in told if not _is_overtaken(notice, match)]
        at = next((at for at, mail in enumerate(mails) if _is_about(mail, early, match)), None)
        waits = at is None and bool(kept)
        if waits or not is_page_played(kept or told):
            continue
        done.append(early)
        if at is not None:
            news = load(mails[at].notices)
            more = () if any(isinstance(one, PagePlayed) for one in news) else kept
            both = sorted((*news, *more), key=rank)
            mails[at] = replace(mails[at], notices=dump(both), kind=kind_of(both))
    return mails, done


def _is_about(mail: QueuedMail, early: WaitingMail, match: Match) -> bool:
    """Whether it is for the same reader, about the same match, and needs no answer of its own."""
    ours = (mail.stream, mail.recipient) == (match_stream(match.id), early.recipient)
    return ours and mail.root is not None and mail.to_address is None


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
    """Whether somebody need not be asked for a move any more, or has taken it back."""
    if isinstance(notice, PagePlayed):
        return not _still_counts(notice, match)
    if not isinstance(notice, TurnPrompt):
        return False
    asked = notice.seat in match.to_act and notice.seat not in match.pending.held
    return not asked or notice.ply != match.course.ply


def _still_counts(notice: PagePlayed, match: Match) -> bool:
    held = match.pending.held.get(notice.seat)
    if held is not None and held.ply == notice.ply:
        text = held_text(match, held.move)
        return text is None or text.notation == notice.notation
    return any(
        (step.kind, step.ply, step.seat, step.text)
        == (StepKind.MOVE, notice.ply, notice.seat, notice.notation)
        for step in reversed(match.course.steps)
    )


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
        notices=dump(notices),
        kind=kind_of(notices),
        version=match.version,
        due=early.next_at if early.state == "held" else _due(early, notices, match, now),
    )


def _due(early: WaitingMail, notices: Sequence[Notice], match: Match, now: datetime) -> datetime:
    """What is gathered waits no longer for more of it than the first of it does."""
    due = goes_at(notices, match, now)
    return min(due, early.next_at) if due == now + GATHERS else due


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


# --- final accounts ------------------------------------------------------------------------------
# What an account says of a held move, as it stands at the end of the letter that held it.
#
# What goes out with a held move, words or an offer, is looked at after all other lines of a letter
# (`moves_first`), and so knows what has become of the move.


def settled(unit: Unit) -> tuple[OrderResult, ...]:
    """The results of a letter's lines: none says that a move waits which a later line settled."""
    return tuple(_settled(result, unit) for result in unit.results)


def _settled(result: OrderResult, unit: Unit) -> OrderResult:
    match = unit.opened.get(cast("MatchId", result.facts.get("match")))
    if result.outcome != "held" or match is None:
        return result
    seat = match.now.seat_of(unit.sender)
    if seat in match.now.pending.held:
        return result
    moves = (event for event in match.events if isinstance(event, MovePlayed))
    played = any(move.seat == seat for move in moves)
    return replace(result, outcome="played" if played else "held_undone")
