"""`delete me`: a person goes, the matches and their history stay whole."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal

from pbem.delivery.player_traces import own_names, traces
from pbem.errors import Rejection
from pbem.mail.addresses import message_id
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.notices import codec
from pbem.notices.personal import Banned, Farewell
from pbem.orders.handlers.watching import watch_no_more
from pbem.players import commands as player_commands
from pbem.store import views
from pbem.store.log import sealed
from pbem.store.mails import outbox
from pbem.store.mails.outbox import QueuedMail
from pbem.store.people import personal, roster
from pbem.transaction import newcomer_quota

if TYPE_CHECKING:
    from pbem.names import PlayerId
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.transaction import Transaction

_WRITERS: Final = re.compile(
    rb"^(?:from|sender|reply-to|return-path):(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE
)


def forget(txn: Transaction, player: PlayerId, *, by: Literal["player", "operator"]) -> None:
    """Let somebody go: out of the matches, then name, addresses, texts, letters and mails.

    The others play on with somebody without a name. Moves stay, and so do the words of acceptances,
    which are in the draws; events name a player by an id that leads to nobody any more.
    """
    row = roster.player(txn.conn, player)
    own = [own.address for own in roster.addresses_of(txn.conn, player)]
    leave_matches(txn, player)
    txn.decide_player(player, player_commands.Forget(by=by))
    if row is not None and row.confirmed and not row.suspended:
        last_mail(txn, row, Farewell(by=by, wishes=dict(row.wishes)))
    texts = [text for trace in traces(txn.conn, player) for text in trace.texts]
    for text in (*texts, *own_names(txn.conn, player)):
        sealed.forget(txn.conn, text)
    personal.erase(txn.conn, player, _letters_from(txn, own))
    newcomer_quota.forget(txn.conn, own)
    txn.forgotten.add(player)


def leave_matches(txn: Transaction, player: PlayerId) -> None:
    """Resign what runs, decline or withdraw what has not begun, watch no other."""
    wanted = (Status.RUNNING.value, Status.CHALLENGE.value)
    for row in views.matches_of(txn.conn, player, wanted):
        with suppress(Rejection):  # the seat may have been left before
            if txn.match(row.id).status is Status.CHALLENGE:
                txn.decide(row.id, commands.Decline(player=player))
            else:
                txn.decide(row.id, commands.Resign(player=player))
    watch_no_more(txn, player)


def last_mail(txn: Transaction, row: PlayerRow, notice: Farewell | Banned) -> None:
    """A mail to somebody who cannot answer; its row goes when it is sent: it holds the address."""
    key = f"{txn.cause}:farewell:{row.id}"
    mail = QueuedMail(
        key=key,
        message_id=message_id(txn.house.keys, cause=key, domain=txn.house.domain),
        recipient=None,
        to_address=row.address,
        kind="farewell",
        notices=codec.dump([notice]),
        in_reply_to=txn.thread.in_reply_to if txn.actor == row.id else None,
    )
    outbox.queue(txn.conn, [mail], txn.now)


def _letters_from(txn: Transaction, own: Collection[str]) -> list[str]:
    """Letters of which nobody noted whose they are (doubted, refused at the door), by From."""
    wanted = [address.casefold().encode() for address in own]
    return [
        key
        for key, header in personal.headers_of_others(txn.conn)
        if any(address in found.lower() for found in _WRITERS.findall(header) for address in wanted)
    ]
