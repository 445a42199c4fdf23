"""A match for whoever has its address: everybody's board, or that of a seat; nothing is asked."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from starlette.responses import Response

from pbem.mail.page_links import Purpose
from pbem.matches.match import Status
from pbem.notices.views.settings import wishes_of
from pbem.replays.picture_key import key_of
from pbem.web.access import Seen, seated, view_path, watched
from pbem.web.answers import FOREVER, NEVER, Fault, Live

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.web.answers import Pages
    from pbem.web.boards import Boards


async def watch_page(request: Request, pages: Pages, boards: Boards) -> Response:
    """A match as everybody may see it."""
    token = request.path_params["token"]
    unit = partial(watched, house=pages.house, token=token)
    seen = await asyncio.wrap_future(pages.house.db.read(unit))
    if seen is None:
        raise Fault("no_match")
    return await board_page(request, pages, boards, seen, pages.lang_of(request))


async def seat_page(request: Request, pages: Pages, boards: Boards) -> Response:
    """A match as one seat sees it; whoever has this address cannot move."""
    token = request.path_params["token"]
    unit = partial(seated, house=pages.house, purpose=Purpose.SEAT, token=token)
    seen = await asyncio.wrap_future(pages.house.db.read(unit))
    if seen is None or seen.viewer is None:
        raise Fault("old_link", 410)
    if seen.match.position is None:
        raise Fault("not_begun", 409, wishes_of(seen.viewer.wishes).lang)
    return await board_page(request, pages, boards, seen, wishes_of(seen.viewer.wishes).lang)


async def board_page(
    request: Request, pages: Pages, boards: Boards, seen: Seen, lang: str
) -> Response:
    """One board of a match, with the way to all others."""
    at = number_of(request, "at")
    env = pages.templates(lang)
    final = seen.match.status is Status.ENDED and seen.viewer is None and at is not None
    tag = f'"{seen.match.id}-{seen.match.version}-{at}-{lang}"' if final else ""
    if tag and request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": FOREVER})
    shown = await asyncio.to_thread(boards.shown, seen, env, lang, at)
    return pages.page(
        "match",
        lang,
        keep=FOREVER if final else NEVER,
        tag=tag,
        seen=seen,
        shown=shown,
        key=key_of(env, seen.match.game, shown.picture),
        here=request.url.path,
        live=live_of(request, seen),
        public=None if seen.match.private else view_path(pages.house, seen.match.id),
    )


def live_of(request: Request, seen: Seen) -> Live:
    """Where a page of a match that runs hears of news."""
    told = seen.match.at_table.count
    running = seen.match.status is Status.RUNNING
    return Live(f"{request.url.path}/live?since={told}", told) if running else Live()


def number_of(request: Request, name: str) -> int | None:
    """A number of the query, None where there is none."""
    text = request.query_params.get(name, "")
    few = 6
    return int(text) if text.isdecimal() and text.isascii() and len(text) <= few else None
