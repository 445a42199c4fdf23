"""What is said of a form: of the mail that answers it, as much as concerns the seat of the page."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final

import structlog

from pbem.delivery.batch_facts import Facts
from pbem.delivery.material import Material, material
from pbem.notices import codec
from pbem.notices.replies import Account, OrderRefused
from pbem.notices.views.view import build
from pbem.store.mails import outbox

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import MatchId, PlayerId
    from pbem.notices.notice import Notice
    from pbem.transaction.installation import House
    from pbem.web.access import Seen

_MARKER: Final = "==="
"""How the line above which answers are written begins, in every language."""

log = structlog.get_logger("pbem.web")


@dataclass(frozen=True, slots=True)
class Said:
    """The words of an answer that a page may show, and whether mails say more than those."""

    words: str = ""
    more: bool = False


async def said(house: House, cause: str, seen: Seen) -> Said:
    """What the mails that a letter has caused say to the player of a seat of nothing but that seat.

    Without what stands above the line for answers, and below what was to be told.
    """
    try:
        stuff, more = await asyncio.wrap_future(
            house.db.read(lambda conn: _material(conn, house, cause, seen))
        )
        words = await asyncio.to_thread(_words, house, stuff) if stuff is not None else ""
    except Exception:
        log.exception("mail_not_shown", mail=cause)
        return Said(more=True)
    return Said(words, more)


def reasons(told: str) -> list[str]:
    """The sentences of such a mail that stand above its board, a paragraph each."""
    paragraphs = takewhile(lambda text: not text.startswith("  "), told.split("\n\n"))
    return [" ".join(text.split()) for text in paragraphs]


def of_seat(notices: Sequence[Notice], match: MatchId) -> Iterator[Notice]:
    """The notices that a page of a seat may show: each says itself whether it may (traits.py)."""
    for notice in notices:
        match notice:
            case Account():
                results = tuple(result for result in notice.results if result.of_seat)
                if results:
                    yield replace(notice, results=results)
            case OrderRefused():
                if notice.of_seat and notice.match in (None, match):
                    yield notice
            case _:
                if notice.traits.on_page and getattr(notice, "match", match) == match:
                    yield notice


def _material(
    conn: Connection, house: House, cause: str, seen: Seen
) -> tuple[Material | None, bool]:
    """What is needed to write what may be shown, if anything, and whether there is more."""
    player, home = _reader(seen), seen.match.id
    rows = outbox.of_cause(conn, cause, player)
    row = next((row for row in rows if row.key == f"{cause}:{player}:{home}"), None)
    if row is None:
        return None, bool(rows)
    whole = codec.load(row.notices)
    shown = tuple(of_seat(whole, home))
    more = len(rows) > 1 or shown != whole
    if not shown:
        return None, more
    stuff = material(conn, house, replace(row, notices=codec.dump(shown)), Facts.of(conn, [row]))
    # What was wished for everywhere is made so, and not told: it concerns more than a seat.
    wishes = replace(stuff.reader.wishes, html=False, chosen=())
    reader = replace(stuff.reader, wishes=wishes)
    scene = replace(stuff.scene, page="", reply_address="")
    return replace(stuff, reader=reader, scene=scene), more


def _reader(seen: Seen) -> PlayerId:
    if seen.viewer is None:
        raise LookupError("nobody in particular is answered")
    return seen.viewer.id


def _words(house: House, stuff: Material) -> str:
    text = house.renderer.render(build(stuff.notices, stuff.reader, stuff.scene)).text
    _, marker, told = text.partition(f"\n{_MARKER}")
    told = told.partition("\n")[2] if marker else text
    return told.partition(stuff.scene.token_line)[0].strip()
