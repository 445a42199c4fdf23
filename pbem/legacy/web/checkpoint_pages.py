"""What the club has signed of its log, as text for programs: a note, and what joins two of them."""

from __future__ import annotations

import asyncio
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse, Response

from pbem.legacy.store.log import tree
from pbem.legacy.web.answers import Fault

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request

    from pbem.legacy.web.answers import Pages

_DIGITS = 18


async def checkpoint_page(request: Request, pages: Pages) -> Response:
    """The newest note; with `from=N` the proof that it extends the tree of N events as well.

    The first line of `from=0` and of each answer is as `pbem.legacy.witnessing.notes` reads it. A size
    that is larger than the note's is answered with the note alone, under 409: somebody has seen
    more than there is.
    """
    asked = request.query_params.get("from", "")
    if asked and not (asked.isascii() and asked.isdecimal() and len(asked) <= _DIGITS):
        raise Fault("not_so", HTTPStatus.BAD_REQUEST)
    old = int(asked) if asked else None
    status, text = await asyncio.wrap_future(pages.house.db.read(partial(_answer, old=old)))
    return PlainTextResponse(text, status, headers={"Cache-Control": "no-cache"})


async def key_page(_request: Request, pages: Pages) -> Response:
    """With which key the newest note is signed, in the form that programs take."""
    note = await asyncio.wrap_future(pages.house.db.read(tree.newest))
    if note is None:
        raise Fault("no_page")
    return PlainTextResponse(f"{note.key}\n", headers={"Cache-Control": "no-cache"})


def _answer(conn: Connection, *, old: int | None) -> tuple[int, str]:
    from pbem.legacy.witnessing.notes import consistency_text  # with what signs, which no other page needs

    note = tree.newest(conn)
    if note is None:
        raise Fault("no_page")
    if old is None:
        return HTTPStatus.OK, note.note
    if old > note.size:
        return HTTPStatus.CONFLICT, note.note
    path = tree.consistency(conn, old, note.size)
    return HTTPStatus.OK, consistency_text(old, path, note.note)
