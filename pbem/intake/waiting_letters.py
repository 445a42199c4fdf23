"""Letters above a player's limit wait, and are taken one by one, in the order of receipt."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.notices.personal import LettersWait
from pbem.store import timers
from pbem.store.mails import inbox
from pbem.store.people import rates
from pbem.transaction.installation import player_stream
from pbem.transaction.rate_limits import AN_HOUR, letters_bucket, takes_letters

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.errors import Facts
    from pbem.names import PlayerId
    from pbem.orders.letter_context import LetterContext
    from pbem.store.mails.inbox import InboxRow
    from pbem.store.people.writers import WriterFacts
    from pbem.transaction.transaction import Transaction

LETTERS: Final = "letters"
"""The kind of the timer that lets the next letter of a player be taken."""

MOST_HOURS: Final = 24
"""Of so many hours of the limit letters may wait: else a flood would wait for months."""

A_DAY: Final = timedelta(days=1)


def must_wait(txn: Transaction, context: LetterContext, row: InboxRow, facts: WriterFacts) -> bool:
    """Whether there is no room for a letter of the sender yet, or one before it waits.

    `facts` are the sender's. Then it is put off, and its writer is told: once for all that wait,
    and once an hour at most.
    """
    before = facts.waiting > 0 and inbox.waits_before(txn.conn, txn.sender, row.key)
    if not before and takes_letters(txn, facts.bucket_empty_at):
        return False
    inbox.put_off(txn.conn, row.key, txn.sender)
    if before:
        return True
    at = _room_at(txn)
    _set_timer(txn, txn.sender, at)
    told = f"letters-wait:{txn.sender}"
    if rates.take(txn.conn, told, now=txn.now, capacity=1, per=AN_HOUR):
        limit = txn.house.settings.limits.letters_per_hour
        txn.answer(LettersWait(match=context.home, until=at.isoformat(), limit=limit))
        txn.close()
    return True


def is_too_much(txn: Transaction, context: LetterContext, waiting: int) -> bool:
    """Whether so many letters of the sender wait that no more can: a flood; once told, a day."""
    limit = txn.house.settings.limits.letters_per_hour
    if waiting < limit * MOST_HOURS:
        return False
    told = f"letters-lost:{txn.sender}"
    if rates.take(txn.conn, told, now=txn.now, capacity=1, per=A_DAY):
        txn.answer(LettersWait(match=context.home, until="", limit=limit))
        txn.close()
    return True


def let_go(txn: Transaction, player: PlayerId) -> None:
    """Let the letter of a player be taken that has waited longest; the next one waits its turn."""
    if inbox.let_go(txn.conn, player) and inbox.waiting_of(txn.conn, player):
        limit = txn.house.settings.limits.letters_per_hour
        _set_timer(txn, player, txn.now + AN_HOUR // limit)


def _room_at(txn: Transaction) -> datetime:
    limit, bucket = txn.house.settings.limits.letters_per_hour, letters_bucket(txn.sender)
    return rates.room_at(txn.conn, bucket, now=txn.now, capacity=limit, per=AN_HOUR)


def _set_timer(txn: Transaction, player: PlayerId, at: datetime) -> None:
    facts: Facts = {"player": player}
    key, stream = f"{LETTERS}:{player}", player_stream(player)
    timers.set_timer(txn.conn, key, at, stream, LETTERS, facts)
