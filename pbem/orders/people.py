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
    from pbem.transaction.transaction import Taking

ADDRESSES: Final = 5
"""Addresses that one player may write from."""


def about_people(taking: Taking, typed: TypedOrder) -> None:
    """Carry out an order about people. Raises Rejection."""
    match typed.order:
        case orders.Rename(name):
            _rename(taking, typed, name)
        case orders.Block("") | orders.Unblock(""):
            verb = "block" if isinstance(typed.order, orders.Block) else "unblock"
            raise Rejection("text_missing", verb=verb)
        case orders.Block(name):
            blocked = _somebody(taking, name).id
            taking.decide_player(taking.sender, commands.Block(player=blocked))
            send_away(taking, blocked)
            taking.done(typed.typed, "blocked", {"name": name})
        case orders.Unblock(name):
            unblocked = _somebody(taking, name).id
            taking.decide_player(taking.sender, commands.Unblock(player=unblocked))
            taking.done(typed.typed, "unblocked", {"name": name})
        case orders.Invitations(welcome):
            _invitations(taking, typed, welcome=welcome)
        case _:
            _about_addresses(taking, typed)


def _about_addresses(taking: Taking, typed: TypedOrder) -> None:
    match typed.order:
        case orders.Addresses():
            tell_addresses(taking)
            taking.done(typed.typed, "shown")
        case orders.AddAddress(address):
            _add_address(taking, typed, address)
        case orders.RemoveAddress(address):
            _remove_address(taking, typed, address)
        case orders.MyData():
            taking.answer(DataShown())
            taking.done(typed.typed, "shown")
        case orders.DeleteMe():
            forget(taking, taking.sender, by="player")
        case orders.RenewAddress():
            renew_address(taking, typed)
        case _:
            raise TypeError(f"{typed.order} is not about people")


def _rename(taking: Taking, typed: TypedOrder, name: str) -> None:
    name = " ".join(name.split())
    if not is_name(name):
        raise Rejection("bad_name", name=name[:LONGEST], longest=LONGEST)
    if is_ours(taking, name):
        raise Rejection("name_reserved", name=name)
    if is_borne(taking, name, by_others_than=taking.sender):
        raise Rejection("name_taken", name=name)
    taking.decide_player(taking.sender, commands.ChooseName(name=taking.seal(name)))
    roster.rename(taking.conn, taking.sender, name)
    taking.done(typed.typed, "renamed", {"name": name})


def _invitations(taking: Taking, typed: TypedOrder, *, welcome: bool) -> None:
    command = commands.WelcomeInvitations() if welcome else commands.RefuseInvitations()
    taking.decide_player(taking.sender, command)
    taking.done(typed.typed, "invitations_on" if welcome else "invitations_off")


def tell_addresses(taking: Taking) -> None:
    """Answer with the addresses that the sender may write from."""
    rows = roster.addresses_of(taking.conn, taking.sender)
    listed = AddressesListed(
        addresses=tuple(row.address for row in rows if row.confirmed or row.main),
        waiting=tuple(row.address for row in rows if not row.confirmed and not row.main),
    )
    taking.answer(listed)


def require_addable(taking: Taking, address: str) -> None:
    """Whether the sender may name one more address. Raises Rejection; nobody learns whose it is."""
    if not is_address(address) or taking.house.is_ours(address):
        raise Rejection("bad_address", address=address[:60])
    if len(roster.addresses_of(taking.conn, taking.sender)) >= ADDRESSES:
        raise Rejection("too_many_addresses", most=ADDRESSES)


def _add_address(taking: Taking, typed: TypedOrder, address: str) -> None:
    """Ask the new address; it may write once it has answered. Nobody learns whose it was."""
    require_addable(taking, address)
    if not asks_addresses(taking):
        raise Rejection("too_many_addresses", most=ADDRESSES)
    require_for_claim(taking, address)
    unwelcome = no_mail_to.has(taking.conn, mailbox_of(address))
    if not unwelcome and roster.add_address(taking.conn, taking.sender, address, taking.now):
        taking.write_to(address, AddressAsked())
    taking.done(typed.typed, "address_asked", {"address": address})


def require_further(taking: Taking, address: str) -> None:
    """Whether an address is one that the sender added. Raises Rejection `no_such_address`."""
    own = roster.addresses_of(taking.conn, taking.sender)
    if not any(
        not row.main and roster.folded(row.address) == roster.folded(address) for row in own
    ):
        raise Rejection("no_such_address", address=address)


def _remove_address(taking: Taking, typed: TypedOrder, address: str) -> None:
    """Let no letter from there count any more. Raises Rejection `no_such_address`."""
    if not roster.remove_address(taking.conn, taking.sender, address):
        raise Rejection("no_such_address", address=address)
    taking.done(typed.typed, "address_removed", {"address": address})


def _somebody(taking: Taking, typed: str) -> PlayerRow:
    """A player by name, or whoever has an address: the answer does not tell whether anybody does.

    An address that nobody has is kept, unwritten to, so that a block holds when it is.
    """
    if not is_address(typed):
        return player_named(taking, typed)
    return roster.player_by_address(taking.conn, typed) or new_player(taking, typed)
