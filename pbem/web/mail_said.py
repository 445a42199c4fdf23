"""What the mail says that answers a form: who sits before a browser need not look for it."""

from __future__ import annotations

import asyncio
from itertools import takewhile
from typing import TYPE_CHECKING, Final

import structlog

from pbem.delivery.batch_facts import Facts
from pbem.delivery.material import Material, material
from pbem.notices.views.view import build
from pbem.store.mails import outbox

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import PlayerId
    from pbem.transaction.installation import House

_MARKER: Final = "==="
"""How the line above which answers are written begins, in every language."""

log = structlog.get_logger("pbem.web")


async def said(house: House, cause: str, player: PlayerId) -> str:
    """The words for a player of the mail that a letter has caused; none if there is no such mail.

    Without what stands above the line for answers, and below what was to be told.
    """
    try:
        stuff = await asyncio.wrap_future(
            house.db.read(lambda conn: _material(conn, house, cause, player))
        )
        if stuff is None:
            return ""
        return await asyncio.to_thread(_words, house, stuff)
    except Exception:
        log.exception("mail_not_shown", mail=cause)
        return ""  # it comes by mail all the same


def reasons(told: str) -> list[str]:
    """The sentences of such a mail that stand above its board, a paragraph each."""
    paragraphs = takewhile(lambda text: not text.startswith("  "), told.split("\n\n"))
    return [" ".join(text.split()) for text in paragraphs]


def _material(conn: Connection, house: House, cause: str, player: PlayerId) -> Material | None:
    row = outbox.first_of_cause(conn, cause, player)
    return material(conn, house, row, Facts.of(conn, [row])) if row is not None else None


def _words(house: House, stuff: Material) -> str:
    text = house.renderer.render(build(stuff.notices, stuff.reader, stuff.scene)).text
    _, marker, told = text.partition(f"\n{_MARKER}")
    told = told.partition("\n")[2] if marker else text
    return told.partition(stuff.scene.token_line)[0].strip()
