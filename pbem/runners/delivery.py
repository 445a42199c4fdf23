"""Send what is owed: a queued mail becomes bytes once, which go out until the relay has them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.mail.addresses import mail_id, verp
from pbem.mail.compose import Headers, compose
from pbem.mail.reply_text import fingerprints, fingerprints_of
from pbem.notices.view import build
from pbem.runners import sending_caps
from pbem.runners.bounces import note_bounce
from pbem.runners.credits import credit_late_mail
from pbem.runners.scene import Material, Undeliverable, material
from pbem.runners.taking import Taking
from pbem.store import outbox, personal, roster
from pbem.store.outbox import FinishedMail
from pbem.transport import Envelope, Result

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import PlayerId
    from pbem.notices.render import Rendered
    from pbem.runners.house import House
    from pbem.store.outbox import OutboxRow
    from pbem.store.roster import PlayerRow
    from pbem.transport import Sender

TOGETHER: Final = 50
LEASE: Final = timedelta(minutes=10)
"""How long a mail is one worker's; a killed worker's mails are taken over after it."""

RETRIES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
GIVE_UP: Final = timedelta(days=4)
FAULT_PAUSE: Final = timedelta(minutes=5)
"""A mail whose template fails waits so long, and holds up no other."""

A_SECOND: Final = timedelta(seconds=1)

log = structlog.get_logger("pbem.delivery")


@dataclass(frozen=True, slots=True)
class _Written:
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


async def deliver_due(house: House, sender: Sender) -> int:
    """Send the mails that are due; how many were tried.

    The bytes are committed before they are sent: whatever happens then, a resend is identical and
    has the same Message-ID, so that a doubled mail is known as one.
    """
    rows = await asyncio.wrap_future(
        house.db.write(partial(sending_caps.lease, house=house, limit=TOGETHER, lease_for=LEASE))
    )
    if not rows:
        return 0
    fresh = [row for row in rows if row.data is None]
    written = [_kept(row) for row in rows if row.data is not None]
    if fresh:
        new, faults = await _write(house, fresh)
        written.extend(new)
        await asyncio.wrap_future(
            house.db.write(partial(_keep, house=house, new=new, faults=faults))
        )
    hand_over = partial(_hand_over, house, sender, house.now())
    ends = await asyncio.gather(*map(hand_over, written), return_exceptions=True)
    for error in ends:
        if error is not None:
            raise error
    return len(rows)


# --- writing -----------------------------------------------------------------------------------


async def _write(house: House, rows: Sequence[OutboxRow]) -> tuple[list[_Written], list[_Fault]]:
    def read(conn: Connection) -> list[Material | _Fault]:
        readers = {row.recipient for row in rows if row.recipient is not None}
        people = roster.players(conn, sorted(readers))
        return [_material(conn, house, row, people) for row in rows]

    materials = await asyncio.wrap_future(house.db.read(read))
    results = [
        found if isinstance(found, _Fault) else _compose(house, found) for found in materials
    ]
    return (
        [result for result in results if isinstance(result, _Written)],
        [result for result in results if isinstance(result, _Fault)],
    )


def _material(
    conn: Connection, house: House, row: OutboxRow, people: Mapping[PlayerId, PlayerRow]
) -> Material | _Fault:
    try:
        return material(conn, house, row, people)
    except Undeliverable as error:
        return _Fault(row, str(error), permanent=True)
    except Exception as error:
        log.exception("mail_material_failed", mail=row.id)
        return _Fault(row, f"{type(error).__name__}: {error}")


def _compose(house: House, stuff: Material) -> _Written | _Fault:
    """A template's fault delays its mail and never loses a move: the move was committed before."""
    try:
        view = build(stuff.notices, stuff.reader, stuff.scene)
        rendered = house.renderer.render(view)
        row, site = stuff.row, house.settings.site
        reply_to = stuff.scene.reply_address
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
            marks=_marks(stuff),
        )
        return _Written(
            row=row,
            data=compose(headers, rendered, stuff.files),
            fingerprints=_fingerprints(rendered),
            mail_from=_returns_to(house, row),
            rcpt=stuff.address,
        )
    except Exception as error:
        log.exception("mail_failed", mail=stuff.row.id)
        return _Fault(stuff.row, f"{type(error).__name__}: {error}")


def _returns_to(house: House, row: OutboxRow) -> str:
    site = house.settings.site
    if site.plain_sender:
        return site.address
    return verp(house.keys, site.address, mail_id(row.message_id), delimiter=site.delimiter)


def _fingerprints(rendered: Rendered) -> frozenset[str]:
    if rendered.html_lines is None:
        return fingerprints(rendered.text, rendered.html)
    return fingerprints_of([*rendered.text.splitlines(), *rendered.html_lines])


def _references(row: OutboxRow) -> tuple[str, ...]:
    """The thread's root, which is constant, and the letter that is answered."""
    return tuple(ident for ident in (row.root, row.in_reply_to) if ident)


def _marks(stuff: Material) -> Mapping[str, str]:
    return {"match": stuff.match or "-", "version": str(stuff.row.version)}


def _kept(row: OutboxRow) -> _Written:
    return _Written(row, row.data or b"", frozenset(), row.mail_from or "", row.rcpt or "")


def _keep(
    conn: Connection, *, house: House, new: Sequence[_Written], faults: Sequence[_Fault]
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
            next_at=house.now() + FAULT_PAUSE,
        )


# --- sending -----------------------------------------------------------------------------------


async def _hand_over(house: House, sender: Sender, now: datetime, mail: _Written) -> None:
    """Send, and note at once what came of it: whoever is killed in between sends it again."""
    result = await _send(sender, mail)
    note = partial(_note, house=house, now=now, mail=mail, result=result)
    await asyncio.wrap_future(house.db.write(note))


async def _send(sender: Sender, mail: _Written) -> Result:
    try:
        results = await sender.send(Envelope(mail.mail_from, (mail.rcpt,), mail.data))
    except Exception as error:
        log.exception("send_failed", mail=mail.row.id)
        return Result("transient", None, f"{type(error).__name__}: {error}")
    return results[mail.rcpt]


def _note(conn: Connection, *, house: House, now: datetime, mail: _Written, result: Result) -> None:
    row = mail.row
    reply = f"{result.code or ''} {result.text}".strip()
    told = {"mail": row.id, "kind": row.kind, "result": result.kind, "code": result.code}
    if result.kind == "sent":
        outbox.sent(conn, {row.id: reply}, at=now)
        credit_late_mail(conn, house, row, now)
        log.info("mail", **told)
    else:
        next_at = _next_attempt(row, result, now)
        permanent = result.kind == "permanent"
        given_up = permanent or next_at is None
        outbox.failed(conn, row.id, permanent=given_up, reply=reply, next_at=next_at)
        if permanent:
            _refused(conn, house, row)
        log.warning("mail", **told, why=result.text)
    if row.kind == "farewell":
        personal.drop_farewells(conn)


def _refused(conn: Connection, house: House, row: OutboxRow) -> None:
    """The relay refuses the address for good: that is a bounce that needs no mail."""
    if row.recipient is not None and row.to_address is None:
        taking = Taking(conn=conn, house=house, cause=f"refused:{row.id}", now=house.now())
        note_bounce(taking, row.recipient, row.queued_at)
        taking.close()


def _next_attempt(row: OutboxRow, result: Result, now: datetime) -> datetime | None:
    """RFC 5321 4.5.4.1: try for some days, ever more seldom; None: it is given up.

    A relay that gives no answer at all is down or starting again, and is looked for soon.
    """
    if now - row.queued_at > GIVE_UP:
        return None
    if result.code is None:
        return now + min(row.attempts * A_SECOND, RETRIES[0])
    return now + RETRIES[min(row.attempts, len(RETRIES)) - 1]
