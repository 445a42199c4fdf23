"""What a letter will touch when it is taken: so that other processes take others beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.intake.sender import Known
from pbem.mail.addresses import PlayerAddress, SeatAddress, find_tags, read
from pbem.orders.order_table import TABLE
from pbem.store import scopes
from pbem.transaction.installation import match_stream, player_stream

if TYPE_CHECKING:
    from pbem.intake.intent import Intent
    from pbem.mail.addresses import Keys, ReplyTo
    from pbem.store.scopes import Scope

HEAD = 32_768
"""Bytes at the beginning of a letter in which its recipients are looked for."""


def scope_of(intent: Intent) -> Scope:
    """What it touches: its match and its writer where it does nothing else, or else anything."""
    letter, sender = intent.letter, intent.sender
    if letter.is_bounce or letter.automatic or not isinstance(sender, Known):
        return scopes.ALL
    if sender.home is None or sender.doubt or sender.new_address:
        return scopes.ALL
    said = intent.orders
    if any(said.elsewhere) or not all(TABLE[type(one.order)].of_match for one in said.todo):
        return scopes.ALL
    return scopes.of(match_stream(sender.home), player_stream(sender.player.id))


def lane_of(raw: bytes, envelope_to: str | None, keys: Keys) -> str | None:
    """What letters must be taken in their order: all that were sent to one match, or one player.

    It is found without reading the letter; None for what was sent to no address of anybody's.
    """
    for tag in find_tags(f"{envelope_to or ''} {raw[:HEAD].decode('latin-1')}"):
        to = read(keys, tag)
        if to is not None:
            return _lane(to)
    return None


def _lane(to: ReplyTo) -> str | None:
    match to:
        case SeatAddress(match=match):
            return match_stream(match)
        case PlayerAddress(player=player):
            return player_stream(player)
        case _:
            return None
