"""Send due emails: draw boards, claim the bytes (commit C), send, record the reply (commit D).

docs/architecture.md lists the commits A to D.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import Connection

from pbem.mail.addresses import make_envelope_sender, read_tag
from pbem.mail.outbound import InlineImage, OutboundEmail, compose
from pbem.names import PlayerId
from pbem.notifications.pictures import (
    DrawnPicture,
    Picture,
    hash_picture,
    make_content_id,
    show_pictures,
)
from pbem.server.pictures import PictureDrawer
from pbem.server.sending_limits import SendingLimits, find_allowance
from pbem.service.app import App
from pbem.service.delivery import credit_late_email, is_late, note_refusal
from pbem.service.links import link_unsubscribe
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import outbox, players
from pbem.store.database import describe_outage
from pbem.store.tables import OutboxRow
from pbem.transport import Envelope, Mailer, SendOutcome, SendResult

MAX_PER_PASS: Final = 10  # emails that one pass sends

log = structlog.get_logger()


async def send_due_emails(
    app: App, mailer: Mailer, drawer: PictureDrawer, sending_limits: SendingLimits
) -> int:
    """Send due emails, at most `MAX_PER_PASS` and within `sending_limits`.

    Returns:
        The number of emails that were selected, whether or not they could be sent. It is 0 if no
        email is due, or if `sending_limits` allow none now.
    """

    def list_due(conn: Connection) -> list[OutboxRow]:
        allowance = find_allowance(conn, sending_limits, app.now(), max_emails=MAX_PER_PASS)
        return outbox.list_due(conn, app.now(), allowance.emails, others=allowance.others)

    rows = await app.database.read(list_due)
    pictures = await _draw(drawer, rows)
    claimed = await app.database.write(lambda conn: _claim_first(conn, app, rows, pictures))
    while claimed is not None:
        result = await mailer.send(claimed.envelope)
        claimed = await _note_and_claim(app, claimed, result, pictures)
    return len(rows)


@dataclass(frozen=True, slots=True)
class _ClaimedEmail:
    """An email that this process may send now, and the due emails that follow it in this pass."""

    row: OutboxRow
    envelope: Envelope
    following: list[OutboxRow]


async def _draw(drawer: PictureDrawer, rows: list[OutboxRow]) -> dict[str, DrawnPicture]:
    """Return the pictures in the emails of `rows` by SVG, except pictures that cannot be drawn."""
    svgs = list(dict.fromkeys(svg for row in rows if not row.data for svg in row.pictures))
    results = await asyncio.gather(*map(drawer.draw, svgs))
    return {svg: picture for svg, picture in zip(svgs, results, strict=True) if picture is not None}


def _claim_first(
    conn: Connection, app: App, rows: list[OutboxRow], pictures: Mapping[str, DrawnPicture]
) -> _ClaimedEmail | None:
    """Claim and return the first email of `rows` that can be claimed (commit C), or None.

    `pictures` maps SVGs in these emails to the pictures that were drawn from them.
    """
    for number, row in enumerate(rows, 1):
        envelope = _claim(conn, app, row, pictures)
        if envelope is not None:
            return _ClaimedEmail(row, envelope, rows[number:])
    return None


def _claim(
    conn: Connection, app: App, row: OutboxRow, pictures: Mapping[str, DrawnPicture]
) -> Envelope | None:
    """Store the final bytes of an email, which claims it, and return its envelope.

    Return None if the email cannot be sent, was dropped, or is being sent by another process.
    """
    recipient = _find_recipient(conn, row)
    if recipient is None:
        outbox.mark_failed(conn, row, "no address", app.now(), is_permanent=True)
        return None
    name, address = recipient
    try:
        data = row.data or compose(_outbound(app, row, name, address, pictures))
    except ValueError as error:
        log.exception("email_impossible", id=row.id, kind=row.kind)
        outbox.mark_failed(conn, row, str(error), app.now(), is_permanent=True)
        return None
    if not outbox.claim_email(conn, row.id or 0, data, app.now()):
        return None
    mail_from = make_envelope_sender(
        app.keys, app.site.address, row.message_id, delimiter=app.site.delimiter
    )
    return Envelope(mail_from=mail_from, recipient=address, data=data)


async def _note_and_claim(
    app: App, sent: _ClaimedEmail, result: SendResult, pictures: Mapping[str, DrawnPicture]
) -> _ClaimedEmail | None:
    """Record `result` of sending an email (commit D), and claim and return the next email.

    Both happen in one transaction. Return None if no email is left, or if the transaction failed.
    """
    row = sent.row
    # The relay's reply is stored in the outbox. It is not logged, because it may name addresses.
    # Without a code there was no reply, and `result.reply` is our own description of the error.
    reason = None if result.code else result.reply
    facts = {"id": row.id, "kind": row.kind, "code": result.code}
    if result.outcome is SendOutcome.SENT:
        log.info("email_sent", **facts)
    else:
        log.warning("sending_failed", **facts, outcome=str(result.outcome), reason=reason)

    def unit(conn: Connection) -> _ClaimedEmail | None:
        _note(conn, app, row, result)
        return _claim_first(conn, app, sent.following, pictures)

    try:
        return await app.database.write(unit)
    except Exception as error:
        reason = describe_outage(error)
        if reason is None:
            log.exception("delivery_failed", id=row.id, kind=row.kind)
        else:
            log.warning("delivery_failed", id=row.id, kind=row.kind, reason=reason)
        # An error in what follows from the reply must not make us send the email again.
        await app.database.write(lambda conn: _note_result(conn, app, row, result))
        return None  # the next pass goes on


def _note(conn: Connection, app: App, row: OutboxRow, result: SendResult) -> None:
    """Record the mail server's reply to an email, with what follows from the reply.

    If the email was late, its reader gets time back. A permanent refusal may count as a bounce.
    """
    _note_result(conn, app, row, result)
    if result.outcome is SendOutcome.SENT and is_late(row, app.now()):
        uow = UnitOfWork(app, conn, f"sent:{row.id}")
        credit_late_email(uow, row)
        uow.finish()
    elif result.outcome is SendOutcome.PERMANENT and result.code is not None:
        uow = UnitOfWork(app, conn, f"refused:{row.id}")
        note_refusal(uow, row, result.reply)
        uow.finish()


def _note_result(conn: Connection, app: App, row: OutboxRow, result: SendResult) -> None:
    if result.outcome is SendOutcome.SENT:
        outbox.mark_sent(conn, row.id or 0, result.reply, app.now())
    else:
        is_permanent = result.outcome is SendOutcome.PERMANENT
        outbox.mark_failed(conn, row, result.reply, app.now(), is_permanent=is_permanent)


def _find_recipient(conn: Connection, row: OutboxRow) -> tuple[str, str] | None:
    if row.address:
        return "", row.address
    return players.find_recipient(conn, PlayerId(row.player or ""))


def _outbound(
    app: App, row: OutboxRow, name: str, address: str, pictures: Mapping[str, DrawnPicture]
) -> OutboundEmail:
    site = app.site
    drawings = {svg: pictures[svg] for svg in row.pictures if svg in pictures}
    pictures_by_name = {hash_picture(svg): Picture(svg, row.pictures[svg]) for svg in drawings}
    images = [
        InlineImage(make_content_id(hash_picture(svg), is_dark=is_dark), data)
        for svg, picture in drawings.items()
        for is_dark, data in ((False, picture.light), (True, picture.dark))
    ]
    reply_to = site.add_tag(row.reply_tag)
    address_for = read_tag(app.keys, row.reply_tag)
    return OutboundEmail(
        message_id=row.message_id,
        from_name=site.write_sender_name(row.match),
        from_address=reply_to,
        to_name=name,
        to_address=address,
        reply_to=reply_to,
        subject=row.subject,
        date=app.now(),
        in_reply_to=row.in_reply_to,
        references=row.references.split(),
        kind=row.kind,
        match=row.match or "",
        list_id=site.address.rpartition("@")[2],
        unsubscribe=reply_to,
        unsubscribe_page="" if address_for is None else link_unsubscribe(app, address_for),
        text=row.text,
        html=show_pictures(row.html, pictures_by_name),
        images=images,
        attachments=row.attachments,
        is_reply=bool(row.in_reply_to),
    )
