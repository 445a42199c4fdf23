"""Names and addresses of players: which are allowed, and how look-alike names are prevented."""

from __future__ import annotations

import re
from itertools import count
from typing import Final

from pbem.errors import Rejection
from pbem.mail.addresses import remove_tags
from pbem.names import PlayerId
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import players
from pbem.store.tables import PlayerRow

MAX_NAME: Final = 30  # characters of a name, so that it fits beside a board
_NAME: Final = re.compile(r"[^\W_](?:[\w .'-]*[\w.])?")
_DOMAIN: Final = re.compile(r"(\w\w)\.(?=\w\w)")  # like a domain; mail programs make links of it
_RESERVED: Final = frozenset({"bot", "link", "me", "no", "open", "players", "yes"})


def choose_name(uow: UnitOfWork, text: str) -> str:
    """Return a name for a new player that is allowed and free, and similar to `text`."""
    letters = re.sub(r"[^\w .'-]|_", " ", remove_tags(uow.app.keys, text))
    letters = _DOMAIN.sub(r"\1 ", letters)
    name = " ".join(letters.split())[:MAX_NAME].strip(" .'-")
    name = name if is_name(name) else "Player"
    if players.find_lookalike(uow.conn, name) is None:
        return name
    numbered = (f"{name[: MAX_NAME - 4]} {number}" for number in count(2))
    return next(option for option in numbered if players.find_lookalike(uow.conn, option) is None)


def is_name(name: str) -> bool:
    """Return whether a text is allowed as a player's name."""
    # A list of names contains commas and "and", and follows "with". It may also contain "open" and
    # the names of bots. Emails to strangers contain names, so a name must not look like a link.
    if _NAME.fullmatch(name) is None or len(name) > MAX_NAME or _DOMAIN.search(name):
        return False
    words = {*name.casefold().split()}
    return not words & {"and", "with"} and name.casefold() not in _RESERVED


def require_free_name(uow: UnitOfWork, name: str, *, besides: PlayerId) -> None:
    """Refuse a name that is not allowed, or looks like the name of another player.

    `besides` is the player who wants the name. Their present name is not compared.

    Raises:
        Rejection: `bad_name` or `name_taken`.
    """
    if not is_name(name):
        raise Rejection("bad_name", typed=name, most=MAX_NAME)
    lookalike = players.find_lookalike(uow.conn, name, besides=besides)
    if lookalike is not None:
        raise Rejection("name_taken", typed=lookalike)


def require_removable(uow: UnitOfWork, player: PlayerId, address: str) -> None:
    """Refuse to remove an address that the player does not have, or the player's only address.

    Raises:
        Rejection: `no_such_address` or `last_address`.
    """
    own = players.list_addresses(uow.conn, player)
    if address not in own:
        raise Rejection("no_such_address", address=address, addresses=own)
    if len(own) == 1:
        raise Rejection("last_address", address=address)


def record_consent(uow: UnitOfWork, player: PlayerRow) -> None:
    """Record that a player has agreed to play here.

    The first time, their name is changed if it is too similar to another player's, and their
    addresses no longer count towards the limits on emails to strangers.
    """
    player_id = PlayerId(player.id)
    if player.confirmed_at is not None:
        return
    lookalike = players.find_lookalike(uow.conn, player.name, besides=player_id)
    if lookalike is not None:
        player.name = choose_name(uow, player.name)
    players.update_player(uow.conn, player_id, name=player.name, confirmed_at=uow.now)
    for address in players.list_addresses(uow.conn, player_id):
        uow.limits.forget_mailbox(address)
