"""Orders about oneself and others: name, addresses, blocks, bans, going for good."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal

from pbem.legacy.delivery.records import own_names, traces
from pbem.errors import Rejection
from pbem.legacy.mail.addresses import message_id
from pbem.legacy.mail.headers import mailbox_of, mailboxes_of
from pbem.legacy.mail.letter import is_address
from pbem.legacy.mail.verbs.own import (
    AddAddress,
    Addresses,
    Block,
    DeleteMe,
    Invitations,
    MyData,
    RemoveAddress,
    Rename,
    RenewAddress,
    Unblock,
)
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import OPEN
from pbem.names import MatchId, is_bot
from pbem.legacy.notices.codec import dump
from pbem.legacy.notices.personal import (
    AddressAsked,
    AddressesListed,
    Banned,
    DataShown,
    Farewell,
    OperatorDecided,
)
from pbem.legacy.notices.replies import AddressShown
from pbem.legacy.orders.context import LetterContext
from pbem.legacy.orders.handlers.challenges import is_borne, is_ours, is_taken, new_player, player_named
from pbem.legacy.orders.handlers.seats import send_away, watch_no_more
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.players import decide
from pbem.legacy.players.names import LONGEST, is_name
from pbem.legacy.store import views
from pbem.legacy.store.log import sealed
from pbem.legacy.store.mails import leases, outbox
from pbem.legacy.store.mails.outbox import QueuedMail
from pbem.legacy.store.people import personal, roster
from pbem.legacy.store.people.personal import ACCOUNT
from pbem.legacy.transaction import limits, tournaments
from pbem.legacy.transaction.limits import asks_addresses, require_for_claim
from pbem.legacy.transaction.timers import leave_a_match

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.mail.letter import Letter
    from pbem.names import PlayerId
    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.transaction.transaction import Transaction


# --- deletion ------------------------------------------------------------------------------------
# `delete me`: a person goes, the matches and their history stay whole.

_WRITERS: Final = re.compile(
    rb"^(?:from|sender|reply-to|return-path):(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE
)


def forget(txn: Transaction, player: PlayerId, *, by: Literal["player", "operator"]) -> None:
    """Let somebody go: out of the matches, then name, addresses, texts, letters and mails.

    The others play on with somebody without a name. Moves stay, and so do the words of acceptances,
    which are in the draws; events name a player by an id that leads to nobody any more.
    """
    row = roster.player(txn.conn, player)
    own = [own.address for own in roster.addresses_of(txn.conn, player)]
    leave_matches(txn, player)
    tournaments.leave_all(txn, player, why="forgotten")
    txn.decide_player(player, decide.forget, by=by)
    if row is not None and row.confirmed and not row.suspended:
        last_mail(txn, row, Farewell(by=by, wishes=dict(row.wishes)))
    texts = [text for trace in traces(txn.conn, player) for text in trace.texts]
    for text in (*texts, *own_names(txn.conn, player)):
        sealed.forget(txn.conn, text)
    personal.erase(txn.conn, player, _letters_from(txn, own), txn.cause)
    limits.forget(txn.conn, own)
    txn.forgotten.add(player)


def leave_matches(txn: Transaction, player: PlayerId, *, running: bool = True) -> None:
    """Decline or withdraw what has not begun; resign what is `running`, and watch no other."""
    wanted = (Status.CHALLENGE.value, *((Status.RUNNING.value,) if running else ()))
    for row in views.matches_of(txn.conn, player, wanted):
        with suppress(Rejection):  # the seat may have been left before
            challenged = txn.match(row.id).status is Status.CHALLENGE
            leave_a_match(txn, row.id, "decline" if challenged else "resign", player)
    if running:
        watch_no_more(txn, player)


def last_mail(txn: Transaction, row: PlayerRow, notice: Farewell | Banned) -> None:
    """A mail to somebody who cannot answer; its row goes when it is sent: it holds the address."""
    key = f"{txn.cause}:farewell:{row.id}"
    mail = QueuedMail(
        key=key,
        message_id=message_id(txn.house.keys, cause=key, domain=txn.house.domain),
        recipient=None,
        to_address=row.address,
        kind="farewell",
        notices=dump([notice]),
        in_reply_to=txn.thread.in_reply_to if txn.actor == row.id else None,
    )
    outbox.queue(txn.conn, [mail], txn.now)


def _letters_from(txn: Transaction, own: Collection[str]) -> list[str]:
    """Letters of which nobody noted whose they are (doubted, refused at the door), by From."""
    wanted = [address.casefold().encode() for address in own]
    return [
        key
        for key, header in personal.headers_of_others(txn.conn)
        if any(address in found.lower() for found in _WRITERS.findall(header) for address in wanted)
    ]


# --- people --------------------------------------------------------------------------------------
# Orders about oneself and others: name, addresses, blocks, invitations.

ADDRESSES: Final = 5
"""Addresses that one player may write from."""


@carries_out(Block, Power.WISHES)
def block(txn: Transaction, _: LetterContext, typed: TypedOrder, order: Block) -> None:
    """Want nothing to do with somebody."""
    if not order.player:
        raise Rejection("text_missing", verb="block")
    blocked = _somebody(txn, order.player).id
    txn.decide_player(txn.sender, decide.block, other=blocked)
    send_away(txn, blocked)
    txn.done(typed.typed, "blocked", {"name": order.player})


@carries_out(Unblock, Power.WISHES)
def unblock(txn: Transaction, _: LetterContext, typed: TypedOrder, order: Unblock) -> None:
    """Play with somebody again."""
    if not order.player:
        raise Rejection("text_missing", verb="unblock")
    unblocked = _somebody(txn, order.player).id
    txn.decide_player(txn.sender, decide.unblock, other=unblocked)
    txn.done(typed.typed, "unblocked", {"name": order.player})


@carries_out(Addresses, Power.READ)
def show_addresses(txn: Transaction, _: LetterContext, typed: TypedOrder, __: Addresses) -> None:
    """Show where the sender may write from."""
    tell_addresses(txn)
    txn.done(typed.typed, "shown")


@carries_out(MyData, Power.READ)
def show_data(txn: Transaction, _: LetterContext, typed: TypedOrder, __: MyData) -> None:
    """Show all that is held on the sender."""
    txn.answer(DataShown())
    txn.done(typed.typed, "shown")


@carries_out(DeleteMe, Power.IRREVOCABLE)
def delete_sender(txn: Transaction, _: LetterContext, __: TypedOrder, ___: DeleteMe) -> None:
    """Forget the sender, whose matches and their history stay whole."""
    forget(txn, txn.sender, by="player")


@carries_out(Rename, Power.WISHES)
def rename(txn: Transaction, _: LetterContext, typed: TypedOrder, order: Rename) -> None:
    """Be called otherwise."""
    name = order.name
    name = " ".join(name.split())
    if not is_name(name):
        raise Rejection("bad_name", name=name[:LONGEST], longest=LONGEST)
    if is_ours(txn, name):
        raise Rejection("name_reserved", name=name)
    if is_borne(txn, name, by_others_than=txn.sender):
        raise Rejection("name_taken", name=name)
    txn.decide_player(txn.sender, decide.choose_name, name=txn.seal(name))
    roster.rename(txn.conn, txn.sender, name)
    txn.done(typed.typed, "renamed", {"name": name})


@carries_out(Invitations, Power.WISHES)
def choose_invitations(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: Invitations
) -> None:
    """Want invitations, or none any more."""
    welcome = order.welcome
    chosen = decide.welcome_invitations if welcome else decide.refuse_invitations
    txn.decide_player(txn.sender, chosen)
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


@carries_out(AddAddress, Power.IRREVOCABLE)
def add_address(txn: Transaction, _: LetterContext, typed: TypedOrder, order: AddAddress) -> None:
    """Ask the new address; it may write once it has answered. Nobody learns whose it was."""
    address = order.address
    require_addable(txn, address)
    if not asks_addresses(txn):
        raise Rejection("too_many_addresses", most=ADDRESSES)
    require_for_claim(txn, address)
    unwelcome = leases.has(txn.conn, mailbox_of(address))
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


@carries_out(RemoveAddress, Power.IRREVOCABLE)
def remove_address(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: RemoveAddress
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


# --- bans ----------------------------------------------------------------------------------------
# What an operator does about players: exclude them, let them play again, call them otherwise.


def ban(txn: Transaction, row: PlayerRow, author: str, reason: str, *, leaves: bool) -> None:
    """Carry out nothing for this player any more, and say so once; `leaves`: out of all matches.

    What has not begun ends in any case: nobody is to sit down with them. Who is banned already is
    not told again.
    """
    why = txn.seal(reason)
    leave_matches(txn, row.id, running=leaves)
    tournaments.leave_all(txn, row.id, why="banned")
    txn.decide_player(row.id, decide.ban, author=author, reason=why)
    roster.ban(txn.conn, row.id, banned=True)
    if row.confirmed and not row.suspended and not row.banned:
        last_mail(txn, row, Banned(reason=why, wishes=dict(row.wishes)))


def pardon(txn: Transaction, row: PlayerRow, author: str, reason: str) -> None:
    """Let a banned player play again."""
    why = txn.seal(reason)
    txn.decide_player(row.id, decide.pardon, author=author, reason=why)
    roster.ban(txn.conn, row.id, banned=False)
    txn.tell(row.id, OperatorDecided(act="pardoned", reason=why, name=row.name))


def correct_name(txn: Transaction, row: PlayerRow, name: str, author: str, reason: str) -> None:
    """Call a player otherwise. Raises Rejection for what is no name, or somebody else's."""
    name = " ".join(name.split())
    if not is_name(name):
        raise Rejection("bad_name", name=name[:LONGEST], longest=LONGEST)
    if is_taken(txn, name, by_others_than=row.id):
        raise Rejection("name_taken", name=name)
    why = txn.seal(reason)
    txn.decide_player(row.id, decide.correct_name, author=author, reason=why, name=txn.seal(name))
    roster.rename(txn.conn, row.id, name)
    views.rename_seats(txn.conn, row.id, name)
    txn.tell(row.id, OperatorDecided(act="renamed", reason=why, name=name))


# --- new addresses -------------------------------------------------------------------------------
# Reply addresses that nobody has seen yet: by `new address`, or where a letter has shown one.

_LOOKED_AT: Final = 100
"""Addresses that a letter goes to, as far as it is looked whose they are."""


@carries_out(RenewAddress, Power.IRREVOCABLE)
def renew_address(txn: Transaction, _: LetterContext, typed: TypedOrder, __: RenewAddress) -> None:
    """Let all reply addresses, Message-IDs and quotes so far count no more.

    The answer to this letter comes from the new address, and so does every later mail.
    """
    generation = personal.renew(txn.conn, txn.sender, txn.now)
    outbox.unwrite(txn.conn, txn.sender)
    txn.decide_player(txn.sender, decide.renew_reply_address, generation=generation)
    txn.done(typed.typed, "address_renewed")


def renew_what_was_shown(
    txn: Transaction, letter: Letter, player: PlayerId, home: MatchId | None
) -> None:
    """A proven letter that goes to others of its match has shown them the seat's address (MAIL 3).

    The next mail comes from another one; the answer to this letter says so.
    """
    if home is None:
        _renew_account(txn, letter, player)
        return
    loaded = txn.found(home)
    if loaded is None or player not in loaded.match.table.entrants:
        return
    if all(map(txn.house.is_ours, letter.sent_to)):
        return  # nobody plays from there
    match = loaded.match
    named = _named(letter)
    others = dict.fromkeys((*match.table.entrants, *match.table.players, *match.table.watchers))
    readers = [other for other in others if other != player and not is_bot(other)]
    seen = [one for one in readers if named & _mailboxes(txn, one)]
    if not seen:
        return
    personal.renew_seat(txn.conn, player, match.id, txn.now)
    outbox.unwrite(txn.conn, player)
    # Who watches is nobody's business.
    known = tuple(one for one in seen if one in match.table.players)
    txn.answer(AddressShown(match=match.id, players=known))


def _renew_account(txn: Transaction, letter: Letter, player: PlayerId) -> None:
    """The same outside of matches: whoever plays here could write in the sender's name."""
    public = txn.house.settings.site.address.casefold()
    ours = [one for one in letter.recipients if txn.house.is_ours(one)]
    if all(one.casefold() == public for one in ours):
        return  # it shows no address that is only theirs
    if not (_goes_to_opponents(txn, letter) or _goes_to_players(txn, letter)):
        return
    personal.renew_seat(txn.conn, player, ACCOUNT, txn.now)
    outbox.unwrite(txn.conn, player)
    txn.answer(AddressShown(match=None, players=()))


def _mailboxes(txn: Transaction, player: PlayerId) -> set[str]:
    """Where a player reads mail: addresses that others have only named are not theirs."""
    rows = roster.addresses_of(txn.conn, player)
    return {mailbox_of(row.address) for row in rows if row.main or row.confirmed}


def _named(letter: Letter) -> set[str]:
    """The mailboxes that a letter may have been sent to."""
    return {one for address in letter.sent_to for one in mailboxes_of(address)}


def _goes_to_opponents(txn: Transaction, letter: Letter) -> bool:
    """Whether it goes to somebody who plays with the sender, however the address is written."""
    named = _named(letter)
    players = {one for row in views.matches_of(txn.conn, txn.sender, OPEN) for one in row.players}
    others = (one for one in players if one != txn.sender and not is_bot(one))
    return any(named & _mailboxes(txn, other) for other in others)


def _goes_to_players(txn: Transaction, letter: Letter) -> bool:
    """Whether a letter goes to an address at which somebody else plays here."""
    for address in letter.sent_to[:_LOOKED_AT]:
        for one in {address, *mailboxes_of(address)}:
            found = roster.player_by_address(txn.conn, one)
            if found is not None and found.id != txn.sender:
                return True
    return False
