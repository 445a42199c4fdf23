"""Orders about what is said: notes for oneself, and hearing no more of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail import orders
from pbem.mail.addresses import without_tags
from pbem.matches import commands
from pbem.players import commands as player_commands
from pbem.players.names import skeleton
from pbem.runners.which_match import match_of
from pbem.store import roster

if TYPE_CHECKING:
    from pbem.mail.order_lines import TypedOrder
    from pbem.matches.match import Match
    from pbem.names import PlayerId
    from pbem.runners.taking import Taking

NOTE: Final = 4_000
"""Characters of a note."""


def note(taking: Taking, typed: TypedOrder, text: str) -> None:
    """Keep something for its writer alone. Raises Rejection."""
    if len(text) > NOTE:
        raise Rejection("text_too_long", most=NOTE)
    match = match_of(taking, typed)
    text = without_tags(taking.house.keys, text)
    taking.decide(match, commands.KeepNote(player=taking.sender, text=taking.seal(text)))
    taking.done(typed.typed, "noted")


def mute(taking: Taking, typed: TypedOrder) -> None:
    """Let nothing through that somebody, or anybody, says in the match; or let it through again.

    Whoever is muted is not told.
    """
    match = taking.match(match_of(taking, typed))
    order = typed.order
    if not isinstance(order, orders.Mute | orders.Unmute):
        raise TypeError(f"{order} is not about who is heard")
    others = match.others(taking.sender)
    if order.player:
        others = (_among(taking, match, order.player),)
    facts = {"name": order.player}
    if isinstance(order, orders.Mute):
        command = player_commands.Mute(match=match.id, players=others)
        taking.decide_player(taking.sender, command)
        taking.done(typed.typed, "muted", facts)
    else:
        again = player_commands.Unmute(match=match.id, players=others)
        taking.decide_player(taking.sender, again)
        taking.done(typed.typed, "unmuted", facts)


def _among(taking: Taking, match: Match, name: str) -> PlayerId:
    """One of the others in the match by name. Raises Rejection `no_such_player`."""
    others = match.others(taking.sender)
    rows = roster.players(taking.conn, sorted(others))
    for player in others:
        if player in rows and skeleton(rows[player].name) == skeleton(name):
            return player
    raise Rejection("no_such_player", player=name)
