"""Mail that comes back: whose it was, when an address is suspended, and when it lives again."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from pbem.legacy.delivery.records import games_of, list_games
from pbem.legacy.mail.addresses import read_verp
from pbem.legacy.matches import timing
from pbem.legacy.matches.match import Status
from pbem.legacy.notices.personal import PlayerBack, PlayerUnreachable
from pbem.legacy.players import decide
from pbem.legacy.players.player import A_DAY, MOST
from pbem.legacy.players.wishes import stops_all
from pbem.legacy.store import timers, views
from pbem.legacy.store.mails import outbox
from pbem.legacy.store.mails.leases import note_bounced
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.player_clocks import (
    in_every_match,
    set_standstill,
    stands_still,
    standstill_key,
    time_standstill,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.mail.automatic import Bounce
    from pbem.legacy.mail.letter import Letter
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.store.mails.outbox import OutboxRow
    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transaction.transaction import Transaction

SUSPENDED_AFTER: Final = 3
"""Permanent bounces without a letter in between."""

_OF_MAIL: Final = re.compile(r"\W{0,2}5\.(?:[67]\.\d|3\.4|2\.3)")
_OF_ADDRESS: Final = re.compile(r"\W{0,2}5\.[12]\.\d")

RUNNING: Final = (Status.RUNNING.value,)


def bounced_mail(conn: Connection, house: House, letter: Letter) -> OutboxRow | None:
    """Which mail came back: the envelope sender of every mail names it (VERP), and is signed."""
    site = house.settings.site
    for recipient in letter.recipients:
        ident = read_verp(house.keys, recipient, site.address, delimiter=site.delimiter)
        mail = outbox.find_by_mail_id(conn, ident) if ident is not None else None
        if mail is not None and mail.to_address is None:  # else an address that was never theirs
            return mail
    return None


def take_bounce(txn: Transaction, letter: Letter, report: Bounce | None) -> bool:
    """Count a bounce that is for good; whether it was one of ours, permanent, and its first.

    One mail proves one thing, however many servers (or its reader) say it.
    """
    mail = bounced_mail(txn.conn, txn.house, letter)
    if mail is None or mail.recipient is None or report is None or not report.permanent:
        return False
    if not note_bounced(txn.conn, mail.id):
        return False
    if not refuses_address(report.status or "", after_data=report.after_data):
        return False
    note_bounce(txn, mail.recipient, mail.queued_at)
    return True


def refuses_address(words: str, *, after_data: bool) -> bool:
    """Whether a refusal for good, with its status first, says that an address is dead.

    RFC 3463: 5.6 and 5.7, a mail that is too big (5.2.3, 5.3.4), and what follows DATA without
    naming the mailbox speak of what stands in the mail. Others write that too: with words that a
    relay takes for spam nobody shall make an opponent's address dead.
    """
    if _OF_MAIL.match(words):
        return False
    return not after_data or _OF_ADDRESS.match(words) is not None


def note_bounce(txn: Transaction, player: PlayerId, made_at: datetime) -> None:
    """A mail to this player, made at that time, is refused for good.

    The third in a row suspends the address. PLAY 3: clocks stand still while it bounces, so what
    they have counted since the first of the row was made is given back, as far as the allowance
    for both goes. A single bounce gives nothing back: nobody else hears of it, and its reader
    could make one whenever time is short.
    """
    bounces, since = roster.count_bounce(txn.conn, player, made_at)
    if bounces < SUSPENDED_AFTER or txn.player(player).suspended:
        return
    roster.suspend(txn.conn, player, txn.now)
    stands = txn.decide_player(player, decide.suspend_address, since=since).standing(txn.now)
    if stands is not None:
        in_every_match(
            txn, player, timing.credit_clock, begin=stands[0], end=txn.now, reason="unreachable"
        )
        in_every_match(txn, player, timing.pause_clock, reason="unreachable")
    set_standstill(txn, player)
    _tell_opponents(txn, player, _unreachable(txn, player))


def resume(txn: Transaction, player: PlayerRow) -> bool:
    """A letter of somebody to whom mail did not go: it does again, first what waits for them.

    Whether it had come back until now.
    """
    roster.resume(txn.conn, player.id)
    if not player.suspended:
        return False
    _go_on(txn, player.id)
    list_games(txn, boards=True, resumed=True)
    return True


def reach(txn: Transaction, player: PlayerRow) -> None:
    """The operator says that mail arrives again: as `resume`, but nobody has written."""
    roster.resume(txn.conn, player.id)
    _go_on(txn, player.id)
    if not stops_all(player.wishes):
        txn.tell(player.id, games_of(txn, player.id, boards=True, resumed=True))


def _go_on(txn: Transaction, player: PlayerId) -> None:
    txn.decide_player(player, decide.resume_address)
    timers.cancel(txn.conn, standstill_key(player))
    in_every_match(txn, player, timing.resume_clock, reason="unreachable")
    _tell_opponents(txn, player, PlayerBack)


# --- when it lasts -------------------------------------------------------------------------------


def end_standstill(txn: Transaction, player: PlayerId) -> None:
    """Clocks have stood as long as they may: leave is spent now, day by day, and then they run.

    So a match with somebody whose mailbox is dead, or who makes mail come back, comes to an end.
    """
    if not txn.player(player).suspended:
        return
    if in_every_match(txn, player, timing.resume_clock, reason="unreachable"):
        _tell_opponents(txn, player, _unreachable(txn, player))
    again = _spend_leave(txn, player)
    if again is not None:
        time_standstill(txn.conn, player, again)


def _spend_leave(txn: Transaction, player: PlayerId) -> datetime | None:
    """Spend a day of leave if a clock of theirs runs; when to look again, None: need not be."""
    rows = views.matches_of(txn.conn, player, RUNNING)
    matches = [txn.match(row.id) for row in rows]
    playing = [one for one in matches if one.seat_of(player) in one.table.playing]
    if not playing:
        return None  # a match that begins sets the timer again
    then = txn.now + A_DAY
    away = [one.end for one in txn.player(player).leave if one.begin <= txn.now < one.end]
    if away:
        return max(away)
    running = (one for one in playing if one.clocks and one.seat_of(player) in one.clocks.running)
    if all(stands_still(txn, one.id) for one in running):
        return then
    before = txn.player(player).version
    spent = txn.decide_player(player, decide.spend_leave, begin=txn.now)
    # Without leave the clock runs; what is earned later is spent when time would be over.
    return then if spent.version != before else None


def watch_over_suspended(conn: Connection) -> int:
    """Let the standstill of everybody who is suspended come to an end, also where none is known.

    How many had no timer: those who were suspended when clocks stood still for ever.
    """
    since = roster.suspended_since(conn)
    known = timers.waiting(conn, [standstill_key(player) for player in since])
    lost = [player for player in since if standstill_key(player) not in known]
    for player in lost:
        time_standstill(conn, player, since[player] + MOST)
    return len(lost)


def _unreachable(txn: Transaction, player: PlayerId) -> Callable[..., PlayerUnreachable]:
    """What the opponents read: until when clocks stand, and how often this has happened."""
    known = txn.player(player)
    stands = known.standing(txn.now)
    until = stands[1].isoformat() if stands is not None else ""
    return partial(PlayerUnreachable, until=until, times=known.suspensions)


def _tell_opponents(
    txn: Transaction, player: PlayerId, notice: Callable[..., PlayerBack | PlayerUnreachable]
) -> None:
    """PLAY 5: one mail to each, however many matches they share."""
    shared: dict[PlayerId, list[MatchId]] = {}
    for row in views.matches_of(txn.conn, player, RUNNING):
        match = txn.match(row.id)
        playing = [match.player_at(seat) for seat in match.table.playing]
        for other in playing if player in playing else ():
            shared.setdefault(other, []).append(row.id)
    shared.pop(player, None)
    for other, names in shared.items():
        txn.tell(other, notice(player=player, matches=tuple(names)))
