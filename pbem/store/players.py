"""Players and their addresses, and the mailboxes that must not get emails from us."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from pbem.mail.addresses import hash_mailbox
from pbem.names import AFTER_BOTS, BOT, PlayerId
from pbem.store.rows import to_optional_row, to_row
from pbem.store.tables import AccountChangeRow, AddressRow, DoNotMailRow, PlayerRow, SeatRow

DELETED_NAME: Final = "Former player"  # name of players whose account was deleted

_ACCENTS: Final = 200  # lowest Unicode combining class of accents; marks of lower classes are kept
_LOOKALIKES: Final = str.maketrans(
    "01iавекмнорстухјѕԁһԛԝӏгпαβεζηκμνορτυχ",
    "ollabekmhopctyxjsdhqwlrnabezhkmnoptyx",
)
"""A translation of digits, Cyrillic and Greek letters to the Latin letters they look like."""

_PLAYER = PlayerRow.__table__  # type: ignore[attr-defined]
_ADDRESS = AddressRow.__table__  # type: ignore[attr-defined]
_CHANGE = AccountChangeRow.__table__  # type: ignore[attr-defined]
_DO_NOT_MAIL = DoNotMailRow.__table__  # type: ignore[attr-defined]
_SEAT = SeatRow.__table__  # type: ignore[attr-defined]

_LIST_PLAYERS = select(_PLAYER).where(_PLAYER.c.id.in_(bindparam("players", expanding=True)))
_FIND_BY_ADDRESS = (
    select(_PLAYER)
    .join(_ADDRESS, _ADDRESS.c.player == _PLAYER.c.id)
    .where(_ADDRESS.c.address == bindparam("address"))
)
_FIND_RECIPIENT = (
    select(_PLAYER.c.name, _ADDRESS.c.address)
    .join(_ADDRESS, _ADDRESS.c.player == _PLAYER.c.id)
    .where(_PLAYER.c.id == bindparam("player"))
    .order_by(_ADDRESS.c.is_main.desc(), _ADDRESS.c.address)
    .limit(1)
)


def add_player(
    conn: Connection, player: PlayerId, *, name: str, address: str, now: datetime
) -> PlayerRow:
    """Add a player who is not confirmed yet, with a main address, and return the player's row."""
    conn.execute(insert(_PLAYER).values(id=player, name=name, created_at=now))
    conn.execute(insert(_ADDRESS).values(address=address.lower(), player=player, is_main=True))
    return get_player(conn, player)


def add_bot(conn: Connection, bot: PlayerId, *, name: str, now: datetime) -> None:
    """Add a row for a bot, unless the bot has one; bots have no address and get no emails."""
    if find_player(conn, bot) is None:
        conn.execute(insert(_PLAYER).values(id=bot, name=name, created_at=now))


def add_main_address(conn: Connection, player: PlayerId, address: str) -> None:
    """Add an address to a player as the main one, to which all emails to the player now go."""
    conn.execute(update(_ADDRESS).where(_ADDRESS.c.player == player).values(is_main=False))
    conn.execute(insert(_ADDRESS).values(address=address.lower(), player=player, is_main=True))


def get_player(conn: Connection, player: PlayerId) -> PlayerRow:
    """Return the row of the player with this id.

    Raises:
        LookupError: There is no such player.
    """
    row = find_player(conn, player)
    if row is None:
        raise LookupError(f"there is no player {player}")
    return row


def find_player(conn: Connection, player: PlayerId) -> PlayerRow | None:
    """Return the row of the player with this id, or None if there is none."""
    row = conn.execute(select(_PLAYER).where(_PLAYER.c.id == player)).mappings().one_or_none()
    return to_optional_row(PlayerRow, row)


def find_by_address(conn: Connection, address: str) -> PlayerRow | None:
    """Return the player who has this address, ignoring case, or None if no player has it."""
    row = conn.execute(_FIND_BY_ADDRESS, {"address": address.lower()}).mappings().one_or_none()
    return to_optional_row(PlayerRow, row)


def find_by_name(conn: Connection, name: str) -> PlayerRow | None:
    """Return the confirmed player with this name, ignoring case, or None if there is none."""
    query = select(_PLAYER).where(_PLAYER.c.confirmed_at.is_not(None))
    for row in conn.execute(query).mappings():
        if row["name"].casefold() == name.casefold():
            return to_row(PlayerRow, row)
    return None


def find_by_public_name(conn: Connection, name: str) -> PlayerRow | None:
    """Return the confirmed player or the bot with exactly this name, or None.

    Any visitor can request the web page of a player by name, so the query uses an index.
    """
    is_public = _PLAYER.c.confirmed_at.is_not(None) | _PLAYER.c.id.between(BOT, AFTER_BOTS)
    query = select(_PLAYER).where(_PLAYER.c.name == name, is_public)
    return to_optional_row(PlayerRow, conn.execute(query).mappings().first())


def find_lookalike(conn: Connection, name: str, *, besides: PlayerId | None = None) -> str | None:
    """Return the name of a confirmed player that looks like `name` or is equal to it, or None.

    The name of the player `besides` is not compared.
    """
    query = select(_PLAYER.c.id, _PLAYER.c.name).where(_PLAYER.c.confirmed_at.is_not(None))
    looks = _outline(name)
    for player, other_name in conn.execute(query):
        if player != besides and _outline(other_name) == looks:
            return str(other_name)
    return None


def _outline(name: str) -> str:
    """Return a form of `name` that is the same for all names that look alike.

    The form has no accents, spaces, signs or capital letters. Letters that look alike are replaced
    by one of them.
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(char for char in folded if char.isalnum() or _is_vowel_sign(char))
    return letters.translate(_LOOKALIKES).replace("rn", "m").replace("vv", "w")


def _is_vowel_sign(char: str) -> bool:
    return 0 < unicodedata.combining(char) < _ACCENTS


def list_players(conn: Connection, players: Iterable[PlayerId]) -> dict[PlayerId, PlayerRow]:
    """Return the rows of the players with these ids, by id; unknown ids are left out."""
    rows = conn.execute(_LIST_PLAYERS, {"players": [*players]}).mappings()
    return {PlayerId(row["id"]): to_row(PlayerRow, row) for row in rows}


def search_players(conn: Connection, text: str, *, limit: int) -> list[PlayerRow]:
    """Return at most `limit` players with `text` in their name or an address, newest first.

    Case is ignored, and bots are left out.
    """
    folded = text.casefold()
    has_address = _PLAYER.c.id.in_(
        select(_ADDRESS.c.player).where(_ADDRESS.c.address.contains(folded, autoescape=True))
    )
    is_named = func.lower(_PLAYER.c.name).contains(folded, autoescape=True)
    query = (
        select(_PLAYER)
        .where(_PLAYER.c.id.not_like(f"{BOT}%"), is_named | has_address)
        .order_by(_PLAYER.c.created_at.desc(), _PLAYER.c.id)
        .limit(limit)
    )
    return [to_row(PlayerRow, row) for row in conn.execute(query).mappings()]


def list_names(conn: Connection, players: Iterable[PlayerId]) -> dict[PlayerId, str]:
    """Return the name of each of these players by id. All of them must exist."""
    players = [*players]
    rows = list_players(conn, players)
    return {player: rows[player].name for player in players}


def list_addresses(conn: Connection, player: PlayerId) -> list[str]:
    """Return the addresses of a player, the main one first."""
    query = (
        select(_ADDRESS.c.address)
        .where(_ADDRESS.c.player == player)
        .order_by(_ADDRESS.c.is_main.desc(), _ADDRESS.c.address)
    )
    return [*conn.execute(query).scalars()]


def find_recipient(conn: Connection, player: PlayerId) -> tuple[str, str] | None:
    """Return the name and the main address of a player, or None if the player has no address."""
    row = conn.execute(_FIND_RECIPIENT, {"player": player}).one_or_none()
    return None if row is None else (row.name, row.address)


def add_address(conn: Connection, player: PlayerId, address: str, now: datetime) -> None:
    """Add an address to a player, but not as the main one, and record the change.

    The caller has confirmed that the address belongs to the player.
    """
    conn.execute(insert(_ADDRESS).values(address=address.lower(), player=player, is_main=False))
    note_change(conn, player, "address_added", now, address=address.lower())


def remove_address(conn: Connection, player: PlayerId, address: str, now: datetime) -> None:
    """Remove one of several addresses of a player, and record the change.

    If it was the main address, another one becomes the main address.
    """
    conn.execute(delete(_ADDRESS).where(_ADDRESS.c.address == address, _ADDRESS.c.player == player))
    main, *_ = list_addresses(conn, player)
    conn.execute(
        update(_ADDRESS)
        .where(_ADDRESS.c.player == player)
        .values(is_main=_ADDRESS.c.address == main)
    )
    note_change(conn, player, "address_removed", now, address=address)


def replace_reply_addresses(conn: Connection, player: PlayerId) -> None:
    """Invalidate all reply addresses of a player; later emails to the player have new ones."""
    conn.execute(
        update(_PLAYER).where(_PLAYER.c.id == player).values(generation=_PLAYER.c.generation + 1)
    )
    conn.execute(
        update(_SEAT).where(_SEAT.c.player == player).values(generation=_SEAT.c.generation + 1)
    )


def blank_player(conn: Connection, player: PlayerId, now: datetime) -> None:
    """Delete the name, preferences and addresses of a player whose account is deleted.

    The row itself stays, because events refer to it. The row keeps a ban, and also the generation,
    so that old links remain invalid.
    """
    blank = PlayerRow(id=player, name=DELETED_NAME, deleted_at=now)
    unchanged = {"id", "generation", "created_at", "banned_at"}
    update_player(conn, player, **blank.model_dump(exclude=unchanged))
    conn.execute(delete(_ADDRESS).where(_ADDRESS.c.player == player))
    conn.execute(update(_CHANGE).where(_CHANGE.c.player == player).values(address=""))
    note_change(conn, player, "deleted", now)


def note_change(
    conn: Connection, player: PlayerId, change: str, now: datetime, *, address: str = ""
) -> None:
    """Record a change of a player's addresses or account at the time `now`.

    `change` is its kind, such as `address_added`. `address` is the address that was added or
    removed; empty for other kinds.
    """
    conn.execute(insert(_CHANGE).values(player=player, change=change, address=address, at=now))


def list_changes(conn: Connection, player: PlayerId) -> list[AccountChangeRow]:
    """Return the recorded changes of a player's addresses and account, oldest first.

    They are deleted after a year (`pbem.store.retention`).
    """
    query = select(_CHANGE).where(_CHANGE.c.player == player).order_by(_CHANGE.c.id)
    return [to_row(AccountChangeRow, row) for row in conn.execute(query).mappings()]


def update_player(
    conn: Connection, player: PlayerId, **values: str | int | datetime | None
) -> None:
    """Set columns in a player's row, by the names of the columns in PlayerRow."""
    conn.execute(update(_PLAYER).where(_PLAYER.c.id == player).values(**values))


def refuse_mail(conn: Connection, address: str, now: datetime) -> None:
    """Record that we must not write to the mailbox of an address, until its owner writes to us."""
    if not has_refused_mail(conn, address):
        mailbox = hash_mailbox(address)
        conn.execute(insert(_DO_NOT_MAIL).values(mailbox_hash=mailbox, created_at=now))


def allow_mail(conn: Connection, address: str) -> None:
    """Record that we may write to an address's mailbox again, because its owner wrote to us."""
    conn.execute(delete(_DO_NOT_MAIL).where(_DO_NOT_MAIL.c.mailbox_hash == hash_mailbox(address)))


def has_refused_mail(conn: Connection, address: str) -> bool:
    """Return whether the owner of the address's mailbox has refused all emails by `never`."""
    query = select(_DO_NOT_MAIL).where(_DO_NOT_MAIL.c.mailbox_hash == hash_mailbox(address))
    return conn.execute(query).first() is not None
