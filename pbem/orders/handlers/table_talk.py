"""Orders about what is said: notes for oneself, and hearing no more of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.addresses import without_tags
from pbem.mail.verbs import private_orders
from pbem.matches import commands
from pbem.orders.handlers.correction_window import cut_of
from pbem.orders.handlers.showing import show_notes
from pbem.orders.which_match import match_of
from pbem.players import commands as player_commands
from pbem.players.names import named_among
from pbem.store.people import roster

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.matches.match import Match
    from pbem.names import MatchId, PlayerId
    from pbem.orders.letter_context import LetterContext
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.transaction import Transaction

NOTE: Final = 4_000
"""Characters of a note."""


def note(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: private_orders.Note
) -> None:
    """Keep something for its writer alone, or show what was kept. Raises Rejection."""
    text = order.text
    if not text:
        show_notes(txn, context, typed, order)
        return
    if len(text) > NOTE:
        raise Rejection("text_too_long", most=NOTE)
    match = match_of(context, typed)
    text = without_tags(txn.house.keys, text)
    txn.decide(match, commands.KeepNote(player=txn.sender, text=txn.seal(text)))
    txn.done(typed.typed, "noted", cut_of(typed))


def mute(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: private_orders.Mute
) -> None:
    """Hear no more of others in a match."""
    match, others, name = _named(txn, context, typed, order.player)
    txn.decide_player(txn.sender, player_commands.Mute(match=match, players=others))
    txn.done(typed.typed, "muted", {"name": name})


def unmute(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: private_orders.Unmute
) -> None:
    """Hear others again."""
    match, others, name = _named(txn, context, typed, order.player)
    txn.decide_player(txn.sender, player_commands.Unmute(match=match, players=others))
    txn.done(typed.typed, "unmuted", {"name": name})


def _named(
    txn: Transaction, context: LetterContext, typed: TypedOrder, name: str
) -> tuple[MatchId, tuple[PlayerId, ...], str]:
    """The match, and the one of the others who is named, by their own name, or all of them."""
    match = txn.match(match_of(context, typed))
    if not name:
        return match.id, match.others(txn.sender), ""
    found = _among(txn, match, name)
    return match.id, (found.id,), found.name


def _among(txn: Transaction, match: Match, name: str) -> PlayerRow:
    """One of the others in the match by name. Raises Rejection `no_such_player`."""
    others = match.others(txn.sender)
    rows = roster.players(txn.conn, sorted(others))
    found = named_among({player: row.name for player, row in rows.items()}, name)
    if found is None:
        raise Rejection("no_such_player", player=name)
    return rows[found]
