"""Reply addresses that nobody has seen yet: by `new address`, or where a letter has shown one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.names import is_bot
from pbem.notices.replies import AddressShown
from pbem.players import commands
from pbem.store import outbox, reply_addresses, roster

if TYPE_CHECKING:
    from pbem.mail.letter import Letter
    from pbem.mail.order_lines import TypedOrder
    from pbem.names import PlayerId
    from pbem.runners.sender import Known
    from pbem.runners.taking import Taking


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
    loaded = taking.found(sender.home) if sender.home is not None else None
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


def _mailboxes(taking: Taking, player: PlayerId) -> set[str]:
    """Where a player reads mail: addresses that others have only named are not theirs."""
    rows = roster.addresses_of(taking.conn, player)
    return {_mailbox(row.address) for row in rows if row.main or row.confirmed}


def _mailbox(address: str) -> str:
    """Whatever stands behind a plus ends in the same mailbox."""
    local, _, domain = roster.folded(address).rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
