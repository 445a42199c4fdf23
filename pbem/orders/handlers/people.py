"""Orders about oneself and others: name, addresses, blocks, invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.letter import is_address
from pbem.mail.mailboxes import mailbox_of
from pbem.mail.verbs import orders
from pbem.notices.personal import AddressAsked, AddressesListed, DataShown
from pbem.orders.handlers.challenges import is_borne, is_ours, new_player, player_named
from pbem.orders.handlers.deletion import forget
from pbem.orders.handlers.watching import send_away
from pbem.orders.letter_context import LetterContext
from pbem.players import commands
from pbem.players.names import LONGEST, is_name
from pbem.store.mails import no_mail_to
from pbem.store.people import roster
from pbem.transaction.newcomer_quota import require_for_claim
from pbem.transaction.rate_limits import asks_addresses

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.transaction import Transaction

ADDRESSES: Final = 5
"""Addresses that one player may write from."""


def block(txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.Block) -> None:
    """Want nothing to do with somebody."""
    if not order.player:
        raise Rejection("text_missing", verb="block")
    blocked = _somebody(txn, order.player).id
    txn.decide_player(txn.sender, commands.Block(player=blocked))
    send_away(txn, blocked)
    txn.done(typed.typed, "blocked", {"name": order.player})


def unblock(txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.Unblock) -> None:
    """Play with somebody again."""
    if not order.player:
        raise Rejection("text_missing", verb="unblock")
    unblocked = _somebody(txn, order.player).id
    txn.decide_player(txn.sender, commands.Unblock(player=unblocked))
    txn.done(typed.typed, "unblocked", {"name": order.player})


def show_addresses(
    txn: Transaction, _: LetterContext, typed: TypedOrder, __: orders.Addresses
) -> None:
    """Show where the sender may write from."""
    tell_addresses(txn)
    txn.done(typed.typed, "shown")


def show_data(txn: Transaction, _: LetterContext, typed: TypedOrder, __: orders.MyData) -> None:
    """Show all that is held on the sender."""
    txn.answer(DataShown())
    txn.done(typed.typed, "shown")


def delete_sender(txn: Transaction, _: LetterContext, __: TypedOrder, ___: orders.DeleteMe) -> None:
    """Forget the sender, whose matches and their history stay whole."""
    forget(txn, txn.sender, by="player")


def rename(txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.Rename) -> None:
    """Be called otherwise."""
    name = order.name
    name = " ".join(name.split())
    if not is_name(name):
        raise Rejection("bad_name", name=name[:LONGEST], longest=LONGEST)
    if is_ours(txn, name):
        raise Rejection("name_reserved", name=name)
    if is_borne(txn, name, by_others_than=txn.sender):
        raise Rejection("name_taken", name=name)
    txn.decide_player(txn.sender, commands.ChooseName(name=txn.seal(name)))
    roster.rename(txn.conn, txn.sender, name)
    txn.done(typed.typed, "renamed", {"name": name})


def choose_invitations(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.Invitations
) -> None:
    """Want invitations, or none any more."""
    welcome = order.welcome
    command = commands.WelcomeInvitations() if welcome else commands.RefuseInvitations()
    txn.decide_player(txn.sender, command)
    txn.done(typed.typed, "invitations_on" if welcome else "invitations_off")


def tell_addresses(txn: Transaction) -> None:
    """Answer with the addresses that the sender may write from."""
    rows = roster.addresses_of(txn.conn, txn.sender)
    listed = AddressesListed(
        addresses=tuple(row.address for row in rows if row.confirmed or row.main),
        waiting=tuple(row.address for row in rows if not row.confirmed and not row.main),
    )
    txn.answer(listed)


def require_addable(txn: Transaction, address: str) -> None:
    """Whether the sender may name one more address. Raises Rejection; nobody learns whose it is."""
    if not is_address(address) or txn.house.is_ours(address):
        raise Rejection("bad_address", address=address[:60])
    if len(roster.addresses_of(txn.conn, txn.sender)) >= ADDRESSES:
        raise Rejection("too_many_addresses", most=ADDRESSES)


def add_address(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.AddAddress
) -> None:
    """Ask the new address; it may write once it has answered. Nobody learns whose it was."""
    address = order.address
    require_addable(txn, address)
    if not asks_addresses(txn):
        raise Rejection("too_many_addresses", most=ADDRESSES)
    require_for_claim(txn, address)
    unwelcome = no_mail_to.has(txn.conn, mailbox_of(address))
    if not unwelcome and roster.add_address(txn.conn, txn.sender, address, txn.now):
        txn.write_to(address, AddressAsked())
    txn.done(typed.typed, "address_asked", {"address": address})


def require_further(txn: Transaction, address: str) -> None:
    """Whether an address is one that the sender added. Raises Rejection `no_such_address`."""
    own = roster.addresses_of(txn.conn, txn.sender)
    if not any(
        not row.main and roster.folded(row.address) == roster.folded(address) for row in own
    ):
        raise Rejection("no_such_address", address=address)


def remove_address(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.RemoveAddress
) -> None:
    """Let no letter from there count any more. Raises Rejection `no_such_address`."""
    address = order.address
    if not roster.remove_address(txn.conn, txn.sender, address):
        raise Rejection("no_such_address", address=address)
    txn.done(typed.typed, "address_removed", {"address": address})


def _somebody(txn: Transaction, typed: str) -> PlayerRow:
    """A player by name, or whoever has an address: the answer does not tell whether anybody does.

    An address that nobody has is kept, unwritten to, so that a block holds when it is.
    """
    if not is_address(typed):
        return player_named(txn, typed)
    return roster.player_by_address(txn.conn, typed) or new_player(txn, typed)
