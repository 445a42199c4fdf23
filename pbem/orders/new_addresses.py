"""Reply addresses that nobody has seen yet: by `new address`, or where a letter has shown one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.mail.mailboxes import mailbox_of, mailboxes_of
from pbem.matches.steps import OPEN
from pbem.names import is_bot
from pbem.notices.replies import AddressShown
from pbem.players import commands
from pbem.store.mails import outbox
from pbem.store.people import reply_addresses, roster
from pbem.store.people.reply_addresses import ACCOUNT

if TYPE_CHECKING:
    from pbem.intake.sender import Known
    from pbem.mail.free_text.order_lines import TypedOrder
    from pbem.mail.letter import Letter
    from pbem.names import PlayerId
    from pbem.transaction.transaction import Taking


_LOOKED_AT: Final = 100
"""Addresses that a letter goes to, as far as it is looked whose they are."""


def renew_address(taking: Taking, typed: TypedOrder) -> None:
    """Let all reply addresses, Message-IDs and quotes so far count no more.

    The answer to this letter comes from the new address, and so does every later mail.
    """
    generation = reply_addresses.renew(taking.conn, taking.sender, taking.now)
    outbox.unwrite(taking.conn, taking.sender)
    taking.decide_player(taking.sender, commands.RenewReplyAddress(generation=generation))
    taking.done(typed.typed, "address_renewed")


def renew_what_was_shown(taking: Taking, letter: Letter, sender: Known) -> None:
    """A proven letter that goes to others of its match has shown them the seat's address (MAIL 3).

    The next mail comes from another one; the answer to this letter says so.
    """
    if sender.home is None:
        _renew_account(taking, letter, sender)
        return
    loaded = taking.found(sender.home)
    if loaded is None or sender.player.id not in loaded.match.entrants:
        return
    match = loaded.match
    named = _named(letter)
    others = dict.fromkeys((*match.entrants, *match.players, *match.watchers))
    readers = [other for other in others if other != sender.player.id and not is_bot(other)]
    seen = [one for one in readers if named & _mailboxes(taking, one)]
    if not seen:
        return
    reply_addresses.renew_seat(taking.conn, sender.player.id, match.id, taking.now)
    outbox.unwrite(taking.conn, sender.player.id)
    # Who watches is nobody's business.
    known = tuple(one for one in seen if one in match.players)
    taking.answer(AddressShown(match=match.id, players=known))


def _renew_account(taking: Taking, letter: Letter, sender: Known) -> None:
    """The same outside of matches: whoever plays here could write in the sender's name."""
    public = taking.house.settings.site.address.casefold()
    ours = [one for one in letter.recipients if taking.house.is_ours(one)]
    if all(one.casefold() == public for one in ours):
        return  # it shows no address that is only theirs
    if not (_goes_to_opponents(taking, letter) or _goes_to_players(taking, letter)):
        return
    reply_addresses.renew_seat(taking.conn, sender.player.id, ACCOUNT, taking.now)
    outbox.unwrite(taking.conn, sender.player.id)
    taking.answer(AddressShown(match=None, players=()))


def _mailboxes(taking: Taking, player: PlayerId) -> set[str]:
    """Where a player reads mail: addresses that others have only named are not theirs."""
    rows = roster.addresses_of(taking.conn, player)
    return {mailbox_of(row.address) for row in rows if row.main or row.confirmed}


def _named(letter: Letter) -> set[str]:
    """The mailboxes that a letter may have been sent to."""
    return {one for address in letter.sent_to for one in mailboxes_of(address)}


def _goes_to_opponents(taking: Taking, letter: Letter) -> bool:
    """Whether it goes to somebody who plays with the sender, however the address is written."""
    named = _named(letter)
    players = {one for row in taking.own_matches(OPEN) for one in row.players}
    others = (one for one in players if one != taking.sender and not is_bot(one))
    return any(named & _mailboxes(taking, other) for other in others)


def _goes_to_players(taking: Taking, letter: Letter) -> bool:
    """Whether a letter goes to an address at which somebody else plays here."""
    for address in letter.sent_to[:_LOOKED_AT]:
        for one in {address, *mailboxes_of(address)}:
            found = roster.player_by_address(taking.conn, one)
            if found is not None and found.id != taking.sender:
                return True
    return False
