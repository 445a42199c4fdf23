"""Mails with many boards, and mails that are late: digests, reminders, time that is given back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.games.still import AWAY
from pbem.legacy.matches import timing
from pbem.legacy.matches.match import Status
from pbem.names import MatchId, PlayerId
from pbem.legacy.notices.codec import load
from pbem.legacy.notices.courtesies import LeaveUsed
from pbem.legacy.notices.news import ChallengeOff, Invitation, InvitationAnswered, MatchWatched, TurnPrompt
from pbem.legacy.notices.personal import PlayerAway, Reminder
from pbem.legacy.notices.replies import DailyDigest
from pbem.legacy.notices.seasons import season_line
from pbem.legacy.notices.tournaments import SeasonNews, SeasonOver, SeasonStarted
from pbem.legacy.players import decide
from pbem.legacy.players.player import next_digest
from pbem.legacy.players.wishes import stops_all
from pbem.legacy.store import still, timers, tournaments, views
from pbem.legacy.store.mails import waiting_mails
from pbem.legacy.store.people import roster
from pbem.legacy.store.runner_state import GRACE
from pbem.legacy.transaction.checkpoints import packed, signed
from pbem.legacy.transaction.coalescing import is_page_played, set_digest
from pbem.legacy.transaction.dispatch import is_wanted
from pbem.legacy.transaction.player_clocks import RUNNING, require_going, stands_still
from pbem.legacy.transaction.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import Connection

    from pbem.games.game import Seat
    from pbem.legacy.matches.clocks import Running
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.store.mails.outbox import OutboxRow
    from pbem.legacy.store.mails.waiting_mails import WaitingMail
    from pbem.legacy.transaction.installation import House


# --- reminders -----------------------------------------------------------------------------------
# Reminders: one mail with every board that waits for its reader, the most urgent first.

SOON: Final = timedelta(hours=24)
"""A reminder speaks for all matches whose time is over so soon after it."""

BOARDS: Final = 20
"""That one mail shows at most."""

_LATEST: Final = datetime.max.replace(tzinfo=UTC)


def remind(txn: Transaction, match: MatchId, seat: Seat) -> None:
    """Remind a seat of its turn. Raises Rejection where it need not be.

    Its clock does not run any more, it has moved and nobody knows it yet, or the match stands
    still (`rules_away`).
    """
    found = txn.match(match)
    if found.clocks is None or seat not in found.clocks.running or seat in found.pending.held:
        raise Rejection("not_due")
    require_going(txn, match)
    player = found.player_at(seat)
    waiting = waiting_boards(txn, player)
    txn.tell(player, Reminder(matches=tuple(name for name, _, _ in waiting[:BOARDS])))
    for name, number, clock in waiting[:BOARDS]:
        if clock is not None and clock.due < txn.now + SOON:
            timers.cancel(txn.conn, f"reminder:{name}:{number}")


def waiting_boards(
    txn: Transaction, player: PlayerId
) -> list[tuple[MatchId, Seat, Running | None]]:
    """The matches in which a player is to act, the next deadline first."""
    waiting = []
    for row in views.matches_of(txn.conn, player, RUNNING):
        match = txn.match(row.id)
        seat = match.seat_of(player)
        if seat is None or seat not in match.to_act or seat in match.pending.held:
            continue
        if not stands_still(txn, row.id):
            clock = match.clocks.running.get(seat) if match.clocks is not None else None
            waiting.append((row.id, seat, clock))
    return sorted(waiting, key=lambda item: item[2].due if item[2] is not None else _LATEST)


# --- digests -------------------------------------------------------------------------------------
# The digest: one mail with every board that waits, and all news that could wait for it.


DAY: Final = timedelta(days=1)
"""Between two digests of somebody."""


def make_digest(txn: Transaction, player: PlayerId) -> None:
    """Let one mail take the place of all that are held for a player."""
    held = [mail for mail in waiting_mails.held(txn.conn, player) if not _is_page_played(mail)]
    row = roster.player(txn.conn, player)
    if not held or row is None:
        return
    waiting_mails.take_up(txn.conn, held)
    if stops_all(row.wishes):
        return  # `start` will show the boards that wait
    # Another digest is another cause, though the timer is the same.
    txn.cause = f"{txn.cause}:{held[-1].id}"
    boards = waiting_boards(txn, player)[:BOARDS]
    waiting = tuple(name for name, seat, _ in boards if seat not in txn.match(name).pending.held)
    news = [
        notice
        for mail in held
        for notice in load(mail.notices)
        if is_wanted(notice, row.wishes, answers=False)
    ]
    news = _still_true(txn, player, news, waiting)
    if waiting or news:
        seasons = [*_seasons(txn, player, news)]
        told = [one for one in seasons if is_wanted(one, row.wishes, answers=False)]
        digest = DailyDigest(
            matches=waiting,
            checkpoint=signed(txn.conn, txn.house),
            packed=packed(txn.conn),
        )
        txn.gather(player, [digest, *news, *told])


def _seasons(txn: Transaction, player: PlayerId, news: Sequence[Notice]) -> Iterator[SeasonNews]:
    """How seasons stand in which something has happened since the digest of the day before.

    What began or has ended since stands among the news itself.
    """
    told = {one.tournament for one in news if isinstance(one, SeasonStarted | SeasonOver)}
    lines = []
    for entry in tournaments.entries_of(txn.conn, player):
        loaded = txn.house.tournaments.load(txn.conn, entry.tournament)
        at = loaded[0].at if loaded is not None else None
        if loaded is None or at is None or at <= txn.now - DAY or entry.tournament in told:
            continue
        line = season_line(loaded[0], player)
        if line is not None:
            lines.append(line)
    if lines:
        yield SeasonNews(player=player, lines=tuple(lines))


def reset_digest(txn: Transaction, player: PlayerId, chosen: Mapping[str, str]) -> None:
    """After a change of wishes: what is held comes at the new time, or now where there is none."""
    if waiting_mails.held(txn.conn, player):
        set_digest(txn.conn, player, next_digest(chosen, txn.now) or txn.now)


def drop_page_moves(txn: Transaction, player: PlayerId) -> None:
    """What waits for a mail to a player is not told: there will be none."""
    held = waiting_mails.held(txn.conn, player)
    waiting_mails.take_up(txn.conn, [mail for mail in held if _is_page_played(mail)])


def _is_page_played(mail: WaitingMail) -> bool:
    return is_page_played(load(mail.notices))


def _still_true(
    txn: Transaction, player: PlayerId, news: Sequence[Notice], waiting: Sequence[MatchId]
) -> list[Notice]:
    """News without those that later ones have overtaken; boards stand in the digest anyway."""
    rows = views.matches_of(txn.conn, player, (Status.CHALLENGE.value,))
    asked = {row.id for row in rows if player in row.to_act}
    invited = {notice.match for notice in news if isinstance(notice, Invitation)}

    watched = {one.match: one for one in reversed(news) if isinstance(one, MatchWatched)}

    def stands(notice: Notice) -> bool:
        match notice:
            case TurnPrompt():
                return False
            case Invitation(match=name):
                return name in asked
            case ChallengeOff(match=name):
                return name not in invited  # else the invitation was never sent
            case InvitationAnswered(match=name):
                return txn.match(name).status is Status.CHALLENGE
            case MatchWatched(match=name):
                return notice is watched[name]  # the first: it tells of all that came after it
            case LeaveUsed(match=name, end=end):
                # Where the digest shows the board, it tells of leave as well.
                return name not in waiting and datetime.fromisoformat(end) > txn.now
            case PlayerAway(player=other, end=end):
                away = txn.player(other).leave  # who is back meanwhile has no such leave
                return any(one.end.isoformat() == end and one.end > txn.now for one in away)
            case _:
                return True

    return [notice for notice in news if stands(notice)]


# --- late mails ----------------------------------------------------------------------------------
# A prompt that the relay took late gives its reader's clock the time back.

_PUT_OFF: Final = re.compile(r"4\d\d\b")
"""What a server answered that took no mail for now; where it gave no answer it was away."""


def credit_late_mail(conn: Connection, house: House, row: OutboxRow, sent_at: datetime) -> None:
    """The relay took a prompt late: its reader's clock did not know that it ran."""
    if row.sent_at is not None:
        return  # the operator sends it once more: its reader had it
    if row.recipient is None or sent_at - row.queued_at <= GRACE:
        return
    matches = [*_prompted(load(row.notices))]
    if not matches:
        return
    txn = Transaction(conn=conn, house=house, cause=f"late:{row.id}", now=sent_at)
    begin = row.queued_at
    if _PUT_OFF.match(row.smtp_reply or ""):
        # Perhaps it was the reader's own server that said so: then they could say it in each turn.
        late = txn.decide_player(row.recipient, decide.arrive_late, begin=begin, end=sent_at)
        spans = late.standstills
        begin = next((first for first, last in spans if last == sent_at), sent_at)
    for match in matches:
        try:
            txn.decide(
                match,
                timing.credit_clock,
                row.recipient,
                begin=begin,
                end=sent_at,
                reason="late_mail",
            )
        except Rejection as rejection:
            if rejection.code == AWAY:
                still.reach_back(conn, match, begin)
            # Else it has no clocks, or is over.
    if txn.has_changes:
        txn.close()


def _prompted(notices: Iterable[Notice]) -> Iterator[MatchId]:
    """The matches whose boards a mail shows to whoever is to move."""
    for notice in notices:
        match notice:
            case TurnPrompt(match=match):
                yield match
            case DailyDigest(matches=matches):
                yield from matches
            case _:
                pass
