"""Queued mails become bytes: what they tell is rendered, composed, and kept before it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import structlog

from pbem.legacy.delivery.attachments import analysis_files, drawn, moving_file, replay_files
from pbem.legacy.delivery.material import Material, Undeliverable, material, people_of
from pbem.games.waiting import HERE, NotYet
from pbem.legacy.mail.addresses import verp
from pbem.legacy.mail.compose import Headers, compose
from pbem.legacy.mail.reply_text import fingerprints, fingerprints_sent
from pbem.names import is_bot
from pbem.legacy.notices.kinds import kind_of_email
from pbem.legacy.notices.rendering.filters import named_in
from pbem.legacy.notices.rendering.languages import ENGLISH
from pbem.legacy.notices.replies import ReplayShown
from pbem.legacy.notices.views.view import build
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.mails import outbox
from pbem.legacy.store.mails.leases import WITH_PICTURES, pause_after
from pbem.legacy.store.mails.outbox import FinishedMail
from pbem.legacy.transaction.timers import bot_name

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.notices.views.scene import Scene
    from pbem.legacy.store.mails.outbox import OutboxRow
    from pbem.legacy.transaction.installation import House

log = structlog.get_logger("pbem.legacy.delivery")


@dataclass(frozen=True, slots=True)
class _Fault:
    """A mail that cannot be written, and why."""

    row: OutboxRow
    words: str
    permanent: bool = False


async def write_mails(house: House, rows: Sequence[OutboxRow]) -> list[OutboxRow]:
    """The mails with their bytes, in their order; what cannot be written is left out, and noted.

    The bytes are committed before anybody sends them: whatever happens then, a resend is identical
    and has the same Message-ID, so that a doubled mail is known as one.
    """
    new: dict[int, FinishedMail] = {}
    if fresh := [row for row in rows if row.data is None]:
        faults = []
        materials = partial(_materials, house=house, rows=fresh)
        for found in await asyncio.wrap_future(house.db.read(materials)):
            made = await _written(house, found) if isinstance(found, Material) else found
            if isinstance(made, FinishedMail):
                new[made.id] = made
            else:
                faults.append(made)
            await asyncio.sleep(0)  # what is under way goes on meanwhile
        keep = partial(_keep, house=house, new=[*new.values()], faults=faults)
        await asyncio.wrap_future(house.db.write(keep))
    written = []
    for row in rows:
        if (mail := new.get(row.id)) is not None:
            kept = replace(row, data=mail.data, mail_from=mail.mail_from, rcpt=mail.rcpt)
            written.append(replace(kept, attempts=1))  # those before were of writing it
        elif row.data is not None:
            written.append(row)
    return written


def _materials(
    conn: Connection, *, house: House, rows: Sequence[OutboxRow]
) -> list[Material | _Fault]:
    people = people_of(conn, rows)
    found: list[Material | _Fault] = []
    for row in rows:
        try:
            found.append(material(conn, house, row, people))
        except Undeliverable as error:
            found.append(_Fault(row, str(error), permanent=True))
        except Exception as error:
            if fault_of_the_store(error):
                raise  # it is no mail's fault, and all of them wait for it
            log.exception("mail_material_failed", mail=row.id)
            found.append(_Fault(row, f"{type(error).__name__}: {error}"))
    return found


async def _written(house: House, stuff: Material) -> FinishedMail | _Fault:
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


def in_words(house: House, stuff: Material) -> Scene:
    """What a mail is about, with the names that bots have in its reader's language."""
    env = house.renderer.templates(stuff.reader.wishes.lang)
    scene, seated = stuff.scene, {}
    for name, by_seat in scene.seated.items():
        table = scene.matches[name].table
        bots = {one: bot_name(one) for one in (*table.players, *table.entrants) if is_bot(one)}
        said = named_in(env, bots)
        words = {english: said[bot] for bot, english in bots.items()}
        seated[name] = {seat: words.get(text, text) for seat, text in by_seat.items()}
    return replace(scene, names=named_in(env, scene.names), seated=seated)


async def _composed(house: House, stuff: Material) -> FinishedMail:
    row, site, reply_to = stuff.row, house.settings.site, stuff.scene.reply_address
    # What bots are called in English stands in their rows.
    english = stuff.reader.wishes.lang == ENGLISH
    scene = stuff.scene if english else in_words(house, stuff)
    HERE.waits = False  # nobody else waits for rules of others, which may hang
    try:
        view = build(stuff.notices, stuff.reader, scene)
        rendered = house.renderer.render(view)
    except NotYet as lacks:
        HERE.waits = True
        await asyncio.to_thread(lacks.settle)
        return await _composed(house, stuff)
    finally:
        HERE.waits = True
    images = await drawn(rendered.pictures) if rendered.pictures else ()
    files = stuff.files
    if stuff.scene.analyses:
        made = partial(analysis_files, view, stuff.scene.matches, house.renderer)
        files = (*files, *await asyncio.to_thread(made))
    if stuff.replays:
        asked = [one for one in stuff.replays if not one.moving]
        # A long match takes a second to draw: in a thread, so that all else goes on meanwhile.
        pages = await asyncio.to_thread(replay_files, asked, house.renderer)
        films = [await moving_file(one, house.renderer) for one in stuff.replays if one.moving]
        files = (*files, *pages, *films)
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
        # The thread's root, which is constant, and the letter that is answered.
        references=tuple(filter(None, (row.root, row.in_reply_to))) if threads else (),
        auto="auto-replied" if row.in_reply_to else "auto-generated",
        list_id=house.domain,
        unsubscribe=reply_to,
        unsubscribe_page=stuff.stop_page,
        marks={"match": stuff.match or "-"},  # no version: it counts what others do in secret
        checkpoint=getattr(stuff.notices[0], "packed", ""),
        kind=kind_of_email(stuff.notices),
    )
    lines = rendered.html_lines
    return FinishedMail(
        id=row.id,
        data=compose(headers, rendered, files, images),
        fingerprints=fingerprints(rendered.text, rendered.html)
        if lines is None
        else fingerprints_sent([*rendered.text.splitlines(), *lines]),
        mail_from=site.address
        if site.plain_sender
        else verp(house.keys, site.address, row.message_id, delimiter=site.delimiter),
        rcpt=stuff.address,
    )


def _keep(
    conn: Connection, *, house: House, new: Sequence[FinishedMail], faults: Sequence[_Fault]
) -> None:
    outbox.keep(conn, new)
    for fault in faults:
        outbox.failed(
            conn,
            fault.row.id,
            permanent=fault.permanent,
            reply=fault.words,
            next_at=house.now() + pause_after(fault.row.attempts),
        )
