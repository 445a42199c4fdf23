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
from pbem.orders.watching import watch_no_more
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
    from pbem.transaction.transaction import Taking

_WRITERS: Final = re.compile(
    rb"^(?:from|sender|reply-to|return-path):(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE
)


def forget(taking: Taking, player: PlayerId, *, by: Literal["player", "operator"]) -> None:
    """Let somebody go: out of the matches, then name, addresses, texts, letters and mails.

    The others play on with somebody without a name. Moves stay, and so do the words of acceptances,
    which are in the draws; events name a player by an id that leads to nobody any more.
    """
    row = roster.player(taking.conn, player)
    own = [own.address for own in roster.addresses_of(taking.conn, player)]
    leave_matches(taking, player)
    taking.decide_player(player, player_commands.Forget(by=by))
    if row is not None and row.confirmed and not row.suspended:
        last_mail(taking, row, Farewell(by=by, wishes=dict(row.wishes)))
    texts = [text for trace in traces(taking.conn, player) for text in trace.texts]
    for text in (*texts, *own_names(taking.conn, player)):
        sealed.forget(taking.conn, text)
    personal.erase(taking.conn, player, _letters_from(taking, own))
    newcomer_quota.forget(taking.conn, own)
    taking.forgotten.add(player)


def leave_matches(taking: Taking, player: PlayerId) -> None:
    """Resign what runs, decline or withdraw what has not begun, watch no other."""
    wanted = (Status.RUNNING.value, Status.CHALLENGE.value)
    for row in views.matches_of(taking.conn, player, wanted):
        with suppress(Rejection):  # the seat may have been left before
            if taking.match(row.id).status is Status.CHALLENGE:
                taking.decide(row.id, commands.Decline(player=player))
            else:
                taking.decide(row.id, commands.Resign(player=player))
    watch_no_more(taking, player)


def last_mail(taking: Taking, row: PlayerRow, notice: Farewell | Banned) -> None:
    """A mail to somebody who cannot answer; its row goes when it is sent: it holds the address."""
    key = f"{taking.cause}:farewell:{row.id}"
    mail = QueuedMail(
        key=key,
        message_id=message_id(taking.house.keys, cause=key, domain=taking.house.domain),
        recipient=None,
        to_address=row.address,
        kind="farewell",
        notices=codec.dump([notice]),
        in_reply_to=taking.answers if taking.actor == row.id else None,
    )
    outbox.queue(taking.conn, [mail], taking.now)


def _letters_from(taking: Taking, own: Collection[str]) -> list[str]:
    """Letters of which nobody noted whose they are (doubted, refused at the door), by From."""
    wanted = [address.casefold().encode() for address in own]
    return [
        key
        for key, header in personal.headers_of_others(taking.conn)
        if any(address in found.lower() for found in _WRITERS.findall(header) for address in wanted)
    ]
