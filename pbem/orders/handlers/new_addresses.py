"""Reply addresses that nobody has seen yet: by `new address`, or where a letter has shown one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.mail.mailboxes import mailbox_of, mailboxes_of
from pbem.mail.verbs.orders import RenewAddress
from pbem.matches.steps import OPEN
from pbem.names import MatchId, is_bot
from pbem.notices.replies import AddressShown
from pbem.orders.letter_context import LetterContext
from pbem.players import commands
from pbem.store import views
from pbem.store.mails import outbox
from pbem.store.people import reply_addresses, roster
from pbem.store.people.reply_addresses import ACCOUNT

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.mail.letter import Letter
    from pbem.names import PlayerId
    from pbem.transaction.transaction import Transaction


_LOOKED_AT: Final = 100
"""Addresses that a letter goes to, as far as it is looked whose they are."""


def renew_address(txn: Transaction, _: LetterContext, typed: TypedOrder, __: RenewAddress) -> None:
    """Let all reply addresses, Message-IDs and quotes so far count no more.

    The answer to this letter comes from the new address, and so does every later mail.
    """
    generation = reply_addresses.renew(txn.conn, txn.sender, txn.now)
    outbox.unwrite(txn.conn, txn.sender)
    txn.decide_player(txn.sender, commands.RenewReplyAddress(generation=generation))
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
    if loaded is None or player not in loaded.match.entrants:
        return
    if all(map(txn.house.is_ours, letter.sent_to)):
        return  # nobody plays from there
    match = loaded.match
    named = _named(letter)
    others = dict.fromkeys((*match.entrants, *match.players, *match.watchers))
    readers = [other for other in others if other != player and not is_bot(other)]
    seen = [one for one in readers if named & _mailboxes(txn, one)]
    if not seen:
        return
    reply_addresses.renew_seat(txn.conn, player, match.id, txn.now)
    outbox.unwrite(txn.conn, player)
    # Who watches is nobody's business.
    known = tuple(one for one in seen if one in match.players)
    txn.answer(AddressShown(match=match.id, players=known))


def _renew_account(txn: Transaction, letter: Letter, player: PlayerId) -> None:
    """The same outside of matches: whoever plays here could write in the sender's name."""
    public = txn.house.settings.site.address.casefold()
    ours = [one for one in letter.recipients if txn.house.is_ours(one)]
    if all(one.casefold() == public for one in ours):
        return  # it shows no address that is only theirs
    if not (_goes_to_opponents(txn, letter) or _goes_to_players(txn, letter)):
        return
    reply_addresses.renew_seat(txn.conn, player, ACCOUNT, txn.now)
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
