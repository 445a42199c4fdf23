"""Reply addresses that nobody has seen yet: by `new address`, or where a letter has shown one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.names import is_bot
from pbem.notices.replies import AddressShown
from pbem.players import commands
from pbem.store import outbox, reply_addresses, roster
from pbem.store.reply_addresses import ACCOUNT

if TYPE_CHECKING:
    from pbem.mail.letter import Letter
    from pbem.mail.order_lines import TypedOrder
    from pbem.names import PlayerId
    from pbem.runners.sender import Known
    from pbem.runners.taking import Taking


_LOOKED_AT: Final = 20
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
    named = {_mailbox(address) for address in letter.sent_to}
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
    named = (
        roster.player_by_address(taking.conn, _mailbox(one)) for one in letter.sent_to[:_LOOKED_AT]
    )
    if not any(one is not None and one.id != sender.player.id for one in named):
        return
    reply_addresses.renew_seat(taking.conn, sender.player.id, ACCOUNT, taking.now)
    outbox.unwrite(taking.conn, sender.player.id)
    taking.answer(AddressShown(match=None, players=()))


def _mailboxes(taking: Taking, player: PlayerId) -> set[str]:
    """Where a player reads mail: addresses that others have only named are not theirs."""
    rows = roster.addresses_of(taking.conn, player)
    return {_mailbox(row.address) for row in rows if row.main or row.confirmed}


def _mailbox(address: str) -> str:
    """Whatever stands behind a plus ends in the same mailbox."""
    local, _, domain = roster.folded(address).rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
