"""Orders of spectators: to watch a match of others, and to watch it no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.verbs import orders
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.notices.news import WatchClosed
from pbem.orders.handlers.open_seats import is_unwelcome
from pbem.store import views
from pbem.transaction.installation import match_of_stream

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.names import MatchId, PlayerId
    from pbem.orders.letter_context import LetterContext
    from pbem.store.mails.outbox import OutboxRow
    from pbem.transaction.transaction import Transaction

WATCHED: Final = 20
"""Matches that one player may watch at once: each of them brings a mail a move."""


def watch(txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Watch) -> None:
    """Watch a match. Who may not learns no more than that there is nothing to watch."""
    name = order.match or typed.match or context.home
    if name is None:
        raise Rejection("text_missing", verb="watch")
    found = txn.found(name)
    if found is None or not (txn.actor in found.match.players or _is_shown(txn, found.match.id)):
        raise Rejection("nothing_to_watch", match=name)
    watched = views.watched(txn.conn, txn.sender)
    if len(watched) >= WATCHED and name not in watched:
        raise Rejection("too_many_watched", most=WATCHED)
    txn.decide(name, commands.Watch(player=txn.sender))
    views.begin_watch(txn.conn, name, txn.sender)
    txn.done(typed.typed, "watching")


def _is_shown(txn: Transaction, name: MatchId) -> bool:
    match = txn.match(name)
    running = match.status is Status.RUNNING
    return running and not match.private and not is_unwelcome(txn, match.players)


def unwatch(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Unwatch
) -> None:
    """Watch a match no more."""
    name = order.match or typed.match or context.home
    if name is None:
        watched = views.watched(txn.conn, txn.sender)
        if len(watched) != 1:
            raise Rejection("not_watching")
        name = watched[0]
    if txn.found(name) is None:
        raise Rejection("not_watching")
    txn.decide(name, commands.Unwatch(player=txn.sender))
    views.end_watch(txn.conn, name, txn.sender)
    txn.done(typed.typed, "unwatched")


def send_away(txn: Transaction, spectator: PlayerId) -> None:
    """Who is blocked by a player watches no match of theirs any more, and is told, but not why."""
    for row in views.matches_of(txn.conn, txn.sender, (Status.RUNNING.value,)):
        if spectator in txn.match(row.id).watchers:
            txn.decide(row.id, commands.Unwatch(player=spectator))
            views.end_watch(txn.conn, row.id, spectator)
            txn.tell(spectator, WatchClosed(match=row.id))


def watch_no_more(txn: Transaction, player: PlayerId) -> None:
    """Somebody goes for good."""
    for name in views.watched(txn.conn, player):
        txn.decide(name, commands.Unwatch(player=player))
        views.end_watch(txn.conn, name, player)


def watched_match(context: LetterContext, mail: OutboxRow | None) -> MatchId | None:
    """The match whose news a spectator answers: no reply address of theirs names it."""
    name = match_of_stream(mail.stream) if mail is not None else None
    found = context.found(name) if name is not None else None
    return found.match.id if found is not None and context.actor in found.match.watchers else None
