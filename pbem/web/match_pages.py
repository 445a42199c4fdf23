"""A match for whoever has its address: everybody's board, or that of a seat; nothing is asked."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from pbem.mail.page_links import Purpose
from pbem.matches.match import Status
from pbem.notices.views.settings import wishes_of
from pbem.replays.picture_key import key_of
from pbem.web.access import Seen, seated, watched
from pbem.web.answers import NEVER, REVALIDATED, Fault, Live, digest, unless_known

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

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
    if seen is None:
        raise Fault("old_link", 410)
    lang = wishes_of(seen.viewer.wishes).lang if seen.viewer is not None else pages.lang_of(request)
    if seen.match.position is None:
        raise Fault("not_begun", 409, lang)
    return await board_page(request, pages, boards, seen, lang)


async def board_page(
    request: Request, pages: Pages, boards: Boards, seen: Seen, lang: str
) -> Response:
    """One board of a match, with the way to all others."""
    at = number_of(request, "at")
    env = pages.templates(lang)
    final = seen.match.status is Status.ENDED and seen.link.purpose is Purpose.VIEW
    keeps = final and at is not None
    shown = await asyncio.to_thread(boards.shown, seen, env, lang, at)
    answer = pages.page(
        "match",
        lang,
        keep=REVALIDATED if keeps else NEVER,
        seen=seen,
        shown=shown,
        key=key_of(env, seen.match.game, shown.picture),
        here=request.url.path,
        live=live_of(request, seen),
    )
    return unless_known(request, answer, f'"{digest(bytes(answer.body))}"') if keeps else answer


def live_of(request: Request, seen: Seen) -> Live:
    """Where a page of a match that runs hears of news."""
    running = seen.match.status is Status.RUNNING
    return Live(f"{request.url.path}/live?since={seen.told}", seen.told) if running else Live()


def number_of(request: Request, name: str) -> int | None:
    """A number of the query, None where there is none."""
    text = request.query_params.get(name, "")
    few = 6
    return int(text) if text.isdecimal() and text.isascii() and len(text) <= few else None
