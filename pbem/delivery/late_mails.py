"""A prompt that the relay took late gives its reader's clock the time back."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pbem.delivery.lateness import is_late
from pbem.errors import Rejection
from pbem.matches.commands import CreditClock
from pbem.names import MatchId
from pbem.notices import codec
from pbem.notices.news import TurnPrompt
from pbem.notices.replies import DailyDigest
from pbem.players.commands import ArriveLate
from pbem.transaction.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection

    from pbem.notices.notice import Notice
    from pbem.store.mails.outbox import OutboxRow
    from pbem.transaction.installation import House

_PUT_OFF: Final = re.compile(r"4\d\d\b")
"""What a server answered that took no mail for now; where it gave no answer it was away."""


def credit_late_mail(conn: Connection, house: House, row: OutboxRow, sent_at: datetime) -> None:
    """The relay took a prompt late: its reader's clock did not know that it ran."""
    if row.recipient is None or not is_late(row, sent_at):
        return
    matches = [*_prompted(codec.load(row.notices))]
    if not matches:
        return
    txn = Transaction(conn=conn, house=house, cause=f"late:{row.id}", now=sent_at)
    begin = row.queued_at
    if _PUT_OFF.match(row.smtp_reply or ""):
        # Perhaps it was the reader's own server that said so: then they could say it in each turn.
        late = ArriveLate(begin=begin, end=sent_at)
        spans = txn.decide_player(row.recipient, late).standstills
        begin = next((first for first, last in spans if last == sent_at), sent_at)
    command = CreditClock(player=row.recipient, begin=begin, end=sent_at, reason="late_mail")
    for match in matches:
        try:
            txn.decide(match, command)
        except Rejection:
            continue  # no clocks, or the match is over
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
