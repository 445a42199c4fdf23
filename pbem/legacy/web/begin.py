"""Whoever has no match yet begins by a form: it becomes a letter of theirs, which proves nothing.

What a stranger's mail gets, this gets: the address is asked, and nothing is held before its `yes`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from starlette.responses import RedirectResponse

from pbem.legacy.bots.levels import LEVELS, level_unasked, levels
from pbem.legacy.mail.letter import is_address
from pbem.legacy.web.access import Bounds, Bucket
from pbem.legacy.web.answers import NEVER, Fault
from pbem.legacy.web.letters import Form, fields_of, new_marks, send
from pbem.legacy.web.rules_pages import game_today, letter_of, mail_with, ordered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.games import AnyGame
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.web.answers import Pages

BEGINNING: Final = Bucket(room=5, a_second=5 / 3600)
"""Forms of one visitor, each of which may make us write to somebody."""

LARGEST: Final = 4_000
LONGEST_ADDRESS: Final = 254

Became = Literal["sent", "no_address", "no_friend", "no_name", "name_taken", "too_many", "full"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Begun:
    """A form that was filled in: what it says as an order, and what became of it."""

    became: Became
    address: str
    text: str
    mail: str


async def begin_form(request: Request, pages: Pages, bounds: Bounds) -> Response:
    """Put what a form asks for into the inbox, as a letter from whatever address it names."""
    lang = pages.lang_of(request)
    house = pages.house
    if not house.settings.site.address:
        raise Fault("not_so", 404, lang)
    fields = await fields_of(request, LARGEST)
    env = pages.templates(lang)
    text = _ordered(fields, env)
    if text is None:
        raise Fault("not_so", 400, lang)
    address = fields.get("address", "").strip()
    became: Became = "sent"
    if len(address) > LONGEST_ADDRESS or not is_address(address) or house.is_ours(address):
        became = "no_address"
    elif not text:
        became = "no_friend"
    elif bounds.wait(request.scope["client"][0], time.monotonic(), BEGINNING):
        became = "too_many"
    else:
        nonce, made = new_marks(house)
        form = Form(letter_of(pages, lang, text), nonce, made)
        await send(house, address, house.settings.site.address, text, form, awaited=False)
    begun = Begun(became=became, address=address, text=text, mail=mail_with(pages, lang, text))
    status = {"sent": 200, "too_many": 429}.get(became, 400)
    return pages.page("begun", lang, status=status, begun=begun, back="")


async def begin_page(_request: Request, _pages: Pages) -> Response:
    """Whoever comes back to what a form led to finds the form."""
    return RedirectResponse("/#begin", 303, headers={"Cache-Control": NEVER})


def _ordered(fields: Mapping[str, str], env: Templates) -> str | None:
    """The order that is meant, empty where a friend's address is none; None where nothing is."""
    what = fields.get("what", "")
    if what == "page":
        return ordered(env, "page")
    game = game_today(fields.get("game", ""))
    if game is None:
        return None
    if what in ("learn", "open", "link"):
        return ordered(env, what, game.title)
    who, _, level = what.partition("-")
    if who == "bot" and level in ("", *LEVELS):
        return _with_bot(env, game, level or level_unasked(game))
    if what != "friend":
        return None
    friend = fields.get("friend", "").strip()
    if len(friend) > LONGEST_ADDRESS or not is_address(friend):
        return ""
    return ordered(env, "friend", game.title, friend)


def _with_bot(env: Templates, game: AnyGame, level: str) -> str:
    """The order that begins with a bot of a level, or the best there is below it.

    Empty where the game has no bots.
    """
    there = levels(game)
    if not there:
        return ""
    level = level if level in there else there[-1]
    if level == level_unasked(game):
        return ordered(env, "bot", game.title)
    return ordered(env, "bot_of", game.title, level)
