"""Replacement of reply addresses that a copied email has shown to other players.

Anyone who knows a reply address can write in its player's name with a forged From. So we replace
the address, and send the new one in the answer to the email. If the address was for one match, we
close the player's open questions about this match, otherwise all of the player's open questions. A
reply to our public address that is copied to others can do the same harm: it shows them the
Message-ID of our email, which counts as a reply address.
"""

from __future__ import annotations

from typing import Final

from pbem.mail.addresses import canonical_address
from pbem.names import PlayerId
from pbem.service.drafts import Draft
from pbem.service.execution import EmailSubmission
from pbem.store import players
from pbem.store.tables import PlayerRow

MAX_RECIPIENTS: Final = 20  # recipients of an email that are looked up


def replace_shown_address(submission: EmailSubmission, player: PlayerRow) -> None:
    """Replace the player's reply address if the email has shown it to other players.

    The other players are those whose addresses are among the visible recipients. The caller must
    have verified the sender of the email.
    """
    uow, sender = submission.uow, submission.sender
    if sender.claim.owner != player.id or not sender.claim.is_current:
        return
    site, visible = uow.app.site, submission.email.visible_recipients
    recipients = [address for address in visible if site.find_tag(address) is None]
    addresses = [*recipients[:MAX_RECIPIENTS], *map(canonical_address, recipients[:MAX_RECIPIENTS])]
    rows = [players.find_by_address(uow.conn, address) for address in dict.fromkeys(addresses)]
    names = {row.id: row.name for row in rows if row and row.id != player.id}
    if not names:
        return
    match_id = sender.claim.match_id  # of the address; the email may be about another match
    if match_id is None:
        uow.replace_reply_addresses(PlayerId(player.id))
    else:
        uow.replace_seat_address(match_id, PlayerId(player.id))
    uow.emails.add(
        Draft(
            kind="account",
            player=PlayerId(player.id),
            match_id=match_id,
            shown_to=tuple(names.values()),
            in_reply_to=submission.email.message_id,
            is_reply=True,
        )
    )
