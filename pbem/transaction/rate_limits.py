"""How much one sender may ask of us: leaky buckets on our clock, in the database."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.matches.match import Status
from pbem.matches.steps import OPEN
from pbem.store import views
from pbem.store.people import rates
from pbem.transaction import newcomer_quota

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.names import PlayerId
    from pbem.store.views import MatchRow
    from pbem.transaction.transaction import Transaction

AN_HOUR: Final = timedelta(hours=1)
A_DAY: Final = timedelta(days=1)
FOR_EVER: Final = timedelta(days=3650)
QUESTIONS_A_DAY: Final = 10
ADDRESSES_A_DAY: Final = 5
SEEN_A_DAY: Final = 20
NO_ORDERS_AN_HOUR: Final = 3
HINTS_BY_TOKEN: Final = 3


def welcomes(txn: Transaction, address: str, *, wrote: bool) -> bool:
    """Whether a stranger is welcomed; `wrote`: our mail server says that it is their letter.

    Nobody else's letters use up what people have who did write.
    """
    most = txn.house.settings.limits.welcomes_per_day
    return most > 0 and newcomer_quota.admits(txn, address, ground="wrote" if wrote else "asked")


def takes_letters(txn: Transaction, empty_at: datetime | None) -> bool:
    """Whether the sender may send one more letter.

    Counted for each player, and so for each of their tokens; doubtful letters do not count.
    `empty_at` is what this unit has read of the bucket.
    """
    limit = txn.house.settings.limits.letters_per_hour
    bucket = letters_bucket(txn.sender)
    return rates.pour(txn.conn, bucket, empty_at, now=txn.now, capacity=limit, per=AN_HOUR)


def takes_seen(txn: Transaction) -> bool:
    """Whether one more letter is taken that came to an address of the sender's that others know.

    They are counted apart, so that nobody else uses up what the player may send.
    """
    return _fits(txn, f"letters-seen:{txn.sender}", SEEN_A_DAY)


def letters_bucket(player: PlayerId) -> str:
    """Where the letters of a player are counted."""
    return f"letters:{player}"


def answers_refusals(txn: Transaction) -> bool:
    """A program that answers our refusals must not go on for ever; a move is always answered.

    The last refusal that is answered says until when no other will be.
    """
    limit = txn.house.settings.limits.refusals_per_day
    return txn.has_changes or _answers(txn, f"refusal:{txn.sender}", limit, A_DAY)


def answers_no_order(txn: Transaction) -> bool:
    """Whether a letter without an order is answered: three an hour, of which the last says so."""
    return _answers(txn, f"no-order:{txn.sender}", NO_ORDERS_AN_HOUR, AN_HOUR)


def _answers(txn: Transaction, bucket: str, limit: int, per: timedelta) -> bool:
    """Whether one more answer goes out; after the last `silent_until` says when the next does."""
    if not _fits(txn, bucket, limit, per):
        return False
    again = rates.room_at(txn.conn, bucket, now=txn.now, capacity=limit, per=per)
    if again > txn.now:
        txn.silent_until = again
    return True


def asks_about_doubts(txn: Transaction) -> bool:
    """Whether a player is asked about one more letter that may be somebody else's.

    Once a day, and again as soon as they have said that it was theirs: who forges says nothing.
    """
    return _fits(txn, f"doubt:{txn.sender}", 1)


def asks_about_doubts_again(txn: Transaction) -> None:
    """The sender has said that a letter was theirs: they are asked about the next one, too."""
    rates.empty(txn.conn, f"doubt:{txn.sender}")


def asks_once(txn: Transaction) -> bool:
    """Whether the sender may order one more thing that is asked about before it is done."""
    return _fits(txn, f"once:{txn.sender}", QUESTIONS_A_DAY)


def hints(txn: Transaction, whom: str, *, known: bool, most: int = 1) -> bool:
    """Whether an answer that is no consent is answered: once a day, and once to who is unknown.

    `most`: so often to who has answered a token of ours, and so reads our mail (MAIL 3).
    """
    return _fits(txn, f"hint:{whom}", most, A_DAY if known else FOR_EVER)


def asks_addresses(txn: Transaction) -> bool:
    """Whether the sender may name one more address that we write to."""
    return _fits(txn, f"address:{txn.sender}", ADDRESSES_A_DAY)


def require_room_for_invitation(
    txn: Transaction, inviter: PlayerId, target: PlayerId, *, count: bool
) -> None:
    """Caps for the inviter, and for a target: nobody's mailbox is filled by strangers.

    `count`: the target is written to at once. Raises Rejection.
    """
    limits = txn.house.settings.limits
    if not _fits(txn, f"invite:{inviter}", limits.invitations_per_day):
        raise Rejection("too_many_invitations", limit=limits.invitations_per_day)
    most = limits.pending_invitations
    asked = views.matches_of(txn.conn, target, (Status.CHALLENGE.value,))
    if sum(target in row.to_act for row in asked) >= most:
        raise Rejection("too_many_pending", limit=most)
    newcomer_quota.require_for(txn, target, count=count)


def require_few_joins(txn: Transaction) -> None:
    """Whoever joins and leaves again all day has the challenger written to each time.

    Raises Rejection `too_many_joins`.
    """
    limit = txn.house.settings.limits.invitations_per_day
    if not _fits(txn, f"join:{txn.sender}", limit):
        raise Rejection("too_many_joins", limit=limit)


def require_room_to_play(txn: Transaction) -> None:
    """A newcomer plays few matches at once; each that is played to its end allows one more.

    What waits for others counts as well, and an invitation only once it is accepted. Raises
    Rejection `too_many_matches`.
    """
    limits = txn.house.settings.limits
    finished = views.count_finished(txn.conn, txn.sender)
    limit = min(limits.matches_at_first + finished, max(limits.matches_at_most, 1))
    rows = views.matches_of(txn.conn, txn.sender, OPEN)
    if sum(_plays(txn, row) for row in rows) >= limit:
        most = limits.matches_at_most
        raise Rejection("too_many_matches", limit=limit, most=most)


def _plays(txn: Transaction, row: MatchRow) -> bool:
    if row.status == Status.CHALLENGE:
        return txn.sender not in row.to_act
    found = txn.found(row.id)
    return found is None or found.match.seat_of(txn.sender) not in found.match.left


def _fits(txn: Transaction, bucket: str, capacity: int, per: timedelta = A_DAY) -> bool:
    return rates.take(txn.conn, bucket, now=txn.now, capacity=capacity, per=per)
