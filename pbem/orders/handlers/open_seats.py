"""Seats for anybody: the list of those that are open, and taking one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.addresses import without_tags
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.names import is_bot
from pbem.notices.replies import OpenSeat, OpenSeatsListed
from pbem.orders.handlers.unbound_letters import tell_unbound
from pbem.store import views
from pbem.transaction.installation import load_player
from pbem.transaction.rate_limits import require_few_joins, require_room_to_play

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.errors import Facts
    from pbem.mail.free_text import TypedOrder
    from pbem.matches.match import Match
    from pbem.names import MatchId, PlayerId
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction

LOOKED_AT: Final = 100
LISTED: Final = 20


def list_open(txn: Transaction) -> None:
    """Answer with the seats that the sender may take."""
    rows = [
        row
        for row in views.open_matches(txn.conn, LOOKED_AT)
        if txn.actor not in row.players and not is_unwelcome(txn, row.players)
    ]
    seats = [
        OpenSeat(match=row.id, since=row.waiting_since.isoformat() if row.waiting_since else "")
        for row in rows[:LISTED]
    ]
    txn.answer(OpenSeatsListed(seats=tuple(seats)))


def join(
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    name: MatchId,
    words: str,
    *,
    colour: str = "",
) -> None:
    """Take an open seat. Raises Rejection.

    A match that there is not, one that is full, and one where somebody has blocked the sender are
    told with the same words.
    """
    found = txn.found(name)
    stranger = is_stranger(txn, name)
    if found is None or (stranger and is_unwelcome(txn, found.match.players)):
        raise Rejection("no_open_seat", match=name)
    require_room_to_play(txn)
    if stranger:
        require_few_joins(txn)
    words = without_tags(txn.house.keys, words)  # everybody reads them in the record
    after = txn.decide(
        name,
        commands.Join(player=txn.sender, words=words, letter=context.digest, colour=colour),
    )
    _seated(txn, typed, after, "joined")
    tell_unbound(txn, context, name)


def take_seat(
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    name: MatchId,
    words: str,
    *,
    colour: str = "",
) -> None:
    """Take the seat that one is invited to, or choose a colour for the one that one has."""
    waited = txn.sender in txn.match(name).waiting_for
    if waited:
        require_room_to_play(txn)
    words = without_tags(txn.house.keys, words)
    after = txn.decide(
        name,
        commands.Accept(player=txn.sender, words=words, letter=context.digest, colour=colour),
    )
    if not waited:
        txn.done(typed.typed, "colour_chosen", _colour(after, txn.sender))
        return
    _seated(txn, typed, after, "accepted")
    tell_unbound(txn, context, name)


def _seated(txn: Transaction, typed: TypedOrder, after: Match, waits: str) -> None:
    """Account for a seat that was taken."""
    begun = after.status is Status.RUNNING
    txn.done(typed.typed, "begun" if begun else waits, _colour(after, txn.sender))


def _colour(match: Match, player: PlayerId) -> Facts:
    """The colour that somebody has chosen, if so."""
    return {"colour": match.colours.get(player, "")}


def is_unwelcome(txn: Transaction, players: Iterable[PlayerId]) -> bool:
    """Whether one of these players has blocked the sender."""
    people = (player for player in players if not is_bot(player))
    return any(txn.actor in load_player(txn.conn, player).blocked for player in people)


def is_stranger(txn: Transaction, name: MatchId) -> bool:
    """Whether the sender is not in a match, or there is none of that name."""
    return txn.found(name) is None or txn.actor not in txn.match(name).players
