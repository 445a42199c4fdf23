"""Orders about oneself and others: name, addresses, blocks, invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.letter import is_address
from pbem.mail.mailboxes import mailbox_of
from pbem.mail.verbs import orders
from pbem.notices.personal import AddressAsked, AddressesListed, DataShown
from pbem.orders.challenges import is_borne, is_ours, new_player, player_named
from pbem.orders.deletion import forget
from pbem.orders.new_addresses import renew_address
from pbem.orders.watching import send_away
from pbem.players import commands
from pbem.players.names import LONGEST, is_name
from pbem.store.mails import no_mail_to
from pbem.store.people import roster
from pbem.transaction.newcomer_quota import require_for_claim
from pbem.transaction.rate_limits import asks_addresses

if TYPE_CHECKING:
    from pbem.mail.free_text.order_lines import TypedOrder
    from pbem.store.people.roster import PlayerRow
    from pbem.transaction.transaction import Transaction

ADDRESSES: Final = 5
"""Addresses that one player may write from."""


def about_people(txn: Transaction, typed: TypedOrder) -> None:
    """Carry out an order about people. Raises Rejection."""
    match typed.order:
        case orders.Rename(name):
            _rename(txn, typed, name)
        case orders.Block("") | orders.Unblock(""):
            verb = "block" if isinstance(typed.order, orders.Block) else "unblock"
            raise Rejection("text_missing", verb=verb)
        case orders.Block(name):
            blocked = _somebody(txn, name).id
            txn.decide_player(txn.sender, commands.Block(player=blocked))
            send_away(txn, blocked)
            txn.done(typed.typed, "blocked", {"name": name})
        case orders.Unblock(name):
            unblocked = _somebody(txn, name).id
            txn.decide_player(txn.sender, commands.Unblock(player=unblocked))
            txn.done(typed.typed, "unblocked", {"name": name})
        case orders.Invitations(welcome):
            _invitations(txn, typed, welcome=welcome)
        case _:
            _about_addresses(txn, typed)


def _about_addresses(txn: Transaction, typed: TypedOrder) -> None:
    match typed.order:
        case orders.Addresses():
            tell_addresses(txn)
            txn.done(typed.typed, "shown")
        case orders.AddAddress(address):
            _add_address(txn, typed, address)
        case orders.RemoveAddress(address):
            _remove_address(txn, typed, address)
        case orders.MyData():
            txn.answer(DataShown())
            txn.done(typed.typed, "shown")
        case orders.DeleteMe():
            forget(txn, txn.sender, by="player")
        case orders.RenewAddress():
            renew_address(txn, typed)
        case _:
            raise TypeError(f"{typed.order} is not about people")


def _rename(txn: Transaction, typed: TypedOrder, name: str) -> None:
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


def _invitations(txn: Transaction, typed: TypedOrder, *, welcome: bool) -> None:
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


def _add_address(txn: Transaction, typed: TypedOrder, address: str) -> None:
    """Ask the new address; it may write once it has answered. Nobody learns whose it was."""
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


def _remove_address(txn: Transaction, typed: TypedOrder, address: str) -> None:
    """Let no letter from there count any more. Raises Rejection `no_such_address`."""
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
