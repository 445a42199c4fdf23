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
    from pbem.store.mails.inbox import InboxRow
    from pbem.transaction.transaction import Taking

LETTERS: Final = "letters"
"""The kind of the timer that lets the next letter of a player be taken."""

MOST_HOURS: Final = 24
"""Of so many hours of the limit letters may wait: else a flood would wait for months."""

A_DAY: Final = timedelta(days=1)


def must_wait(taking: Taking, row: InboxRow) -> bool:
    """Whether there is no room for a letter of the sender yet, or one before it waits.

    Then it is put off, and its writer is told: once for all that wait, and once an hour at most.
    """
    before = inbox.waits_before(taking.conn, taking.sender, row.key)
    if not before and takes_letters(taking):
        return False
    inbox.put_off(taking.conn, row.key)
    if before:
        return True
    at = _room_at(taking)
    _set_timer(taking, taking.sender, at)
    told = f"letters-wait:{taking.sender}"
    if rates.take(taking.conn, told, now=taking.now, capacity=1, per=AN_HOUR):
        limit = taking.house.settings.limits.letters_per_hour
        taking.answer(LettersWait(match=taking.home, until=at.isoformat(), limit=limit))
        taking.close()
    return True


def is_too_much(taking: Taking) -> bool:
    """Whether so many letters of the sender wait that no more can: a flood; once told, a day."""
    limit = taking.house.settings.limits.letters_per_hour
    if inbox.waiting_of(taking.conn, taking.sender) < limit * MOST_HOURS:
        return False
    told = f"letters-lost:{taking.sender}"
    if rates.take(taking.conn, told, now=taking.now, capacity=1, per=A_DAY):
        taking.answer(LettersWait(match=taking.home, until="", limit=limit))
        taking.close()
    return True


def let_go(taking: Taking, player: PlayerId) -> None:
    """Let the letter of a player be taken that has waited longest; the next one waits its turn."""
    if inbox.let_go(taking.conn, player) and inbox.waiting_of(taking.conn, player):
        limit = taking.house.settings.limits.letters_per_hour
        _set_timer(taking, player, taking.now + AN_HOUR // limit)


def _room_at(taking: Taking) -> datetime:
    limit, bucket = taking.house.settings.limits.letters_per_hour, letters_bucket(taking.sender)
    return rates.room_at(taking.conn, bucket, now=taking.now, capacity=limit, per=AN_HOUR)


def _set_timer(taking: Taking, player: PlayerId, at: datetime) -> None:
    facts: Facts = {"player": player}
    key, stream = f"{LETTERS}:{player}", player_stream(player)
    timers.set_timer(taking.conn, key, at, stream, LETTERS, facts)
