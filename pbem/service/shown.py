"""Reply addresses that a player has shown to others, by a copy of their email.

Who knows a reply address can write in its player's name from a forged From. So the address is
replaced, its questions are closed, and the answer to the email brings the new one.
"""

from __future__ import annotations

from typing import Final

from pbem.mail.addresses import find_tag
from pbem.names import PlayerId
from pbem.service.execution import Incoming
from pbem.store import players
from pbem.store.tables import PlayerRow

MAX_RECIPIENTS: Final = 20  # of an email that are looked at


def replace_shown_address(incoming: Incoming, player: PlayerRow) -> None:
    """Replace the reply address of a verified email that also goes to other players."""
    uow, sender = incoming.uow, incoming.sender
    if not sender.is_at_tag:
        return
    site = uow.app.site
    recipients = [
        address
        for address in incoming.email.visible_recipients
        if find_tag(address, site.address, delimiter=site.delimiter) is None
    ]
    found = [players.find_by_address(uow.conn, one) for one in recipients[:MAX_RECIPIENTS]]
    names = [other.name for other in found if other is not None and other.id != player.id]
    if not names:
        return
    if sender.match_id is None:
        uow.replace_reply_addresses(PlayerId(player.id))
    else:
        uow.replace_seat_address(sender.match_id, PlayerId(player.id))
    message_id = incoming.email.message_id
    uow.emails.tell_shown_address(player, sender.match_id, names, in_reply_to=message_id)
