"""Whoever says that a mail of ours is spam gets no more of them: a report does what `stop` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from pbem.intake.consent import never_again
from pbem.mail.addresses import read_message_id, read_verp
from pbem.mail.mailboxes import mailbox_of
from pbem.orders.handlers.wishes import choose
from pbem.store.mails import no_mail_to, outbox
from pbem.store.people import roster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.mail.letter import Letter
    from pbem.mail.reports.complaints import Complaint
    from pbem.names import PlayerId
    from pbem.store.mails.outbox import OutboxRow
from pbem.orders.letter_context import LetterContext
from pbem.transaction.transaction import Transaction

log = structlog.get_logger("pbem.complaints")


def take_complaint(txn: Transaction, letter: Letter, complaint: Complaint | None) -> bool:
    """Carry out what a report of spam asks for; whether it is about a mail of ours.

    It is never answered, and nobody else hears of it: PLAY 3, clocks go on. Who has never consented
    is not written to any more, whoever names the address.
    """
    mail = _mail(txn, letter, complaint) if complaint is not None else None
    if mail is None:
        return False
    log.warning("complaint", mail=mail.id, kind=mail.kind)
    if mail.to_address is not None:
        no_mail_to.add(txn.conn, mailbox_of(mail.to_address), txn.now)
    elif mail.recipient is not None:
        _stop(txn, mail.recipient)
    return True


def _stop(txn: Transaction, recipient: PlayerId) -> None:
    player = roster.player(txn.conn, recipient)
    if player is None:
        return
    txn.actor = player.id
    context = LetterContext(matches=txn, actor=player.id)
    if not player.confirmed:
        never_again(txn, context, player.address)
    choose(txn, context, "everything", "off")


def _mail(txn: Transaction, letter: Letter, complaint: Complaint) -> OutboxRow | None:
    """The mail that it is about, by what only we can have made of what it names."""
    for ident in _named(txn, letter, complaint):
        mail = outbox.find_by_mail_id(txn.conn, ident)
        if mail is not None:
            return mail
    return None


def _named(txn: Transaction, letter: Letter, complaint: Complaint) -> Iterator[str]:
    keys, site = txn.house.keys, txn.house.settings.site
    for one in complaint.message_ids:
        if (ident := read_message_id(keys, one)) is not None:
            yield ident
    for address in (*complaint.senders, *letter.recipients):
        ident = read_verp(keys, address, site.address, delimiter=site.delimiter)
        if ident is not None:
            yield ident
