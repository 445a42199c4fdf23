"""Queued mails become bytes: what they tell is rendered, composed, and kept before it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import structlog

from pbem.delivery.attachments import drawn, moving_file, replay_files
from pbem.delivery.batch_facts import Facts
from pbem.delivery.material import Material, Undeliverable, material
from pbem.mail.addresses import verp
from pbem.mail.compose import Attachment, Headers, InlineImage, compose
from pbem.mail.reply_text import fingerprints, fingerprints_sent
from pbem.notices.replies import ReplayShown
from pbem.notices.views.view import build
from pbem.store.database import fault_of_the_store
from pbem.store.mails import outbox
from pbem.store.mails.leases import WITH_PICTURES, pause_after
from pbem.store.mails.outbox import FinishedMail

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.notices.rendering.render import Rendered
    from pbem.notices.views.scene import View
    from pbem.store.mails.outbox import OutboxRow
    from pbem.transaction.installation import House

log = structlog.get_logger("pbem.delivery")


@dataclass(frozen=True, slots=True)
class WrittenMail:
    """A mail as bytes, with its envelope."""

    row: OutboxRow
    data: bytes
    fingerprints: frozenset[str]
    mail_from: str
    rcpt: str


@dataclass(frozen=True, slots=True)
class _Fault:
    """A mail that cannot be written, and why."""

    row: OutboxRow
    words: str
    permanent: bool = False


async def write_mails(house: House, rows: Sequence[OutboxRow]) -> list[WrittenMail]:
    """The mails as bytes, in their order; those that cannot be written are left out, and noted.

    The bytes are committed before anybody sends them: whatever happens then, a resend is identical
    and has the same Message-ID, so that a doubled mail is known as one.
    """
    fresh = [row for row in rows if row.data is None]
    new, faults = await _write(house, fresh) if fresh else ([], [])
    if fresh:
        keep = partial(_keep, house=house, new=new, faults=faults)
        await asyncio.wrap_future(house.db.write(keep))
    written = {mail.row.id: mail for mail in new}
    written |= {row.id: _kept(row) for row in rows if row.data is not None}
    return [written[row.id] for row in rows if row.id in written]


async def _write(house: House, rows: Sequence[OutboxRow]) -> tuple[list[WrittenMail], list[_Fault]]:
    def read(conn: Connection) -> list[Material | _Fault]:
        facts = Facts.of(conn, rows)
        return [_material(conn, house, row, facts) for row in rows]

    materials = await asyncio.wrap_future(house.db.read(read))
    results = []
    for found in materials:
        results.append(found if isinstance(found, _Fault) else await _written(house, found))
        await asyncio.sleep(0)  # what is under way goes on meanwhile
    return (
        [result for result in results if isinstance(result, WrittenMail)],
        [result for result in results if isinstance(result, _Fault)],
    )


def _material(conn: Connection, house: House, row: OutboxRow, facts: Facts) -> Material | _Fault:
    try:
        return material(conn, house, row, facts)
    except Undeliverable as error:
        return _Fault(row, str(error), permanent=True)
    except Exception as error:
        if fault_of_the_store(error):
            raise  # it is no mail's fault, and all of them wait for it
        log.exception("mail_material_failed", mail=row.id)
        return _Fault(row, f"{type(error).__name__}: {error}")


async def _written(house: House, stuff: Material) -> WrittenMail | _Fault:
    """The mail; without pictures where that fails, or has ended us before.

    A template's fault delays its mail and never loses a move: the move was committed before.
    """
    if stuff.row.attempts <= WITH_PICTURES:
        try:
            return await _composed(house, stuff)
        except Exception:
            log.exception("mail_with_pictures_failed", mail=stuff.row.id)
    try:
        return await _composed(house, _plain(stuff))
    except Exception as error:
        log.exception("mail_failed", mail=stuff.row.id)
        return _Fault(stuff.row, f"{type(error).__name__}: {error}")


def _plain(stuff: Material) -> Material:
    """The same without pictures: a page stands for one that moves."""
    return replace(
        stuff,
        reader=replace(stuff.reader, wishes=replace(stuff.reader.wishes, pictures="off")),
        notices=tuple(
            replace(one, moving=False) if isinstance(one, ReplayShown) else one
            for one in stuff.notices
        ),
        replays=tuple(replace(one, moving=False) for one in stuff.replays),
    )


async def _composed(house: House, stuff: Material) -> WrittenMail:
    view = build(stuff.notices, stuff.reader, stuff.scene)
    rendered = house.renderer.render(view)
    images = await drawn(rendered.pictures)
    if not stuff.replays:
        return _compose(house, stuff, view, rendered, images)
    films = [await moving_file(one, house.renderer) for one in stuff.replays if one.moving]
    # A long match takes a second to draw: in a thread, so that everything else goes on meanwhile.
    return await asyncio.to_thread(_compose, house, stuff, view, rendered, images, films)


def _compose(  # noqa: PLR0917 - all that a mail is made of
    house: House,
    stuff: Material,
    view: View,
    rendered: Rendered,
    images: Sequence[InlineImage],
    films: Sequence[Attachment] = (),
) -> WrittenMail:
    row, site = stuff.row, house.settings.site
    reply_to = stuff.scene.reply_address
    asked = (one for one in stuff.replays if not one.moving)
    pages = replay_files(asked, house.renderer)
    threads = stuff.reader.wishes.thread  # PLAY 1: else every turn stands alone
    headers = Headers(
        message_id=row.message_id,
        from_name=view.sender,
        from_address=site.address if site.plain_sender else reply_to,
        to_name=stuff.reader.name,
        to_address=stuff.address,
        reply_to=reply_to,
        subject=rendered.subject,
        date=stuff.scene.now,
        in_reply_to=row.in_reply_to if threads else None,
        references=_references(row) if threads else (),
        auto="auto-replied" if row.in_reply_to else "auto-generated",
        list_id=house.domain,
        unsubscribe=reply_to,
        unsubscribe_page=stuff.stop_page,
        marks=_marks(stuff),
    )
    return WrittenMail(
        row=replace(row, attempts=1),  # as it is kept: those before were of writing it
        data=compose(headers, rendered, (*stuff.files, *pages, *films), images),
        fingerprints=_fingerprints(rendered),
        mail_from=_returns_to(house, row),
        rcpt=stuff.address,
    )


def _returns_to(house: House, row: OutboxRow) -> str:
    site = house.settings.site
    if site.plain_sender:
        return site.address
    return verp(house.keys, site.address, row.message_id, delimiter=site.delimiter)


def _fingerprints(rendered: Rendered) -> frozenset[str]:
    if rendered.html_lines is None:
        return fingerprints(rendered.text, rendered.html)
    return fingerprints_sent([*rendered.text.splitlines(), *rendered.html_lines])


def _references(row: OutboxRow) -> tuple[str, ...]:
    """The thread's root, which is constant, and the letter that is answered."""
    return tuple(ident for ident in (row.root, row.in_reply_to) if ident)


def _marks(stuff: Material) -> Mapping[str, str]:
    return {"match": stuff.match or "-"}  # no version: it counts what others do in secret


def _kept(row: OutboxRow) -> WrittenMail:
    return WrittenMail(row, row.data or b"", frozenset(), row.mail_from or "", row.rcpt or "")


def _keep(
    conn: Connection, *, house: House, new: Sequence[WrittenMail], faults: Sequence[_Fault]
) -> None:
    outbox.keep(
        conn,
        [
            FinishedMail(
                id=mail.row.id,
                data=mail.data,
                fingerprints=mail.fingerprints,
                mail_from=mail.mail_from,
                rcpt=mail.rcpt,
            )
            for mail in new
        ],
    )
    for fault in faults:
        outbox.failed(
            conn,
            fault.row.id,
            permanent=fault.permanent,
            reply=fault.words,
            next_at=house.now() + pause_after(fault.row.attempts),
        )
