"""An invitation by a link: its page, the form that asks for the seat, and the picture of previews.

The form is a stranger's letter, as that of begin.py: nothing is held before its `yes`. Programs of
messengers open every link, so that whoever only looks changes nothing.
"""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import quote

from starlette.responses import Response

from pbem.legacy.mail.headers import mailbox_of
from pbem.legacy.mail.letter import is_address
from pbem.legacy.matches.challenges import LINK_LASTS
from pbem.names import PlayerId
from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.views.clean import NAME, clean
from pbem.legacy.notices.views.footer import wishes_of
from pbem.legacy.notices.views.match_view import match_view
from pbem.legacy.notices.views.scene import Reader, Scene, Site
from pbem.legacy.orders.handlers.challenges import is_taken
from pbem.legacy.players.names import LONGEST, is_name
from pbem.legacy.replays.raster import draws, png
from pbem.legacy.store.mails.leases import digest_of
from pbem.legacy.store.people import rates
from pbem.legacy.store.scopes import Scope
from pbem.legacy.transaction.links import linked
from pbem.legacy.transaction.working_copy import Lookup
from pbem.legacy.web.answers import Fault
from pbem.legacy.web.begin import BEGINNING, LARGEST, LONGEST_ADDRESS, Begun
from pbem.legacy.web.club_pages import OpenMatch, open_matches
from pbem.legacy.web.letters import Form, fields_of, new_marks, send
from pbem.legacy.web.rules_pages import first_board, game_today, letter_of, mail_with, ordered

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request

    from pbem.games import AnyGame
    from pbem.legacy.matches.match import Match
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transaction.links import Linked
    from pbem.legacy.web.access import Bounds
    from pbem.legacy.web.answers import Pages

ADDRESSES: Final = 3
"""Addresses that the form of one link asks; none of them has agreed to anything."""

_ASKED: Final = "link"
"""Begins the names of the buckets in which they are counted."""

_PICTURE: Final = re.compile(r"(?P<game>[a-z-]{1,40})\.(?P<lang>[a-z]{2,3})\.png")

_BRIEFLY: Final = "public, max-age=3600"

Refused = Literal["no_address", "no_name", "name_taken", "too_many", "full"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Invited:
    """What a link's page shows; `link` is None where the token is none of ours.

    `room`: the form may ask one more address.
    """

    link: Linked | None
    open: tuple[OpenMatch, ...]
    room: bool


async def join_page(request: Request, pages: Pages) -> Response:
    """The invitation: the game, from whom, a form and a mail; or what became of it."""
    return _page(request, pages, await _invited(request, pages))


async def join_form(request: Request, pages: Pages, bounds: Bounds) -> Response:
    """Put what the form asks for into the inbox, as a letter from whatever address it names."""
    house = pages.house
    invited = await _invited(request, pages)
    link, lang = invited.link, pages.lang_of(request)
    if not house.settings.site.address:
        raise Fault("not_so", 404, lang)
    if link is None or link.worth != "open":
        return _page(request, pages, invited)
    fields = await fields_of(request, LARGEST)
    address, name = (" ".join(fields.get(one, "").split()) for one in ("address", "name"))
    token, env = request.path_params["token"], pages.templates(lang)
    became = await _refused(request, house, link.match, address, name, bounds)
    if became is None:
        lines = [ordered(env, "called", name)] if name else []
        text = "\n".join([*lines, ordered(env, "join", token)])
        nonce, made = new_marks(house)
        form = Form(letter_of(pages, lang, text), nonce, made)
        subject = f"{link.match.game.title} {link.match.id}"
        await send(house, address, house.settings.site.address, subject, form, awaited=False)
    begun = Begun(
        became=became or "sent",
        address=address,
        text=ordered(env, "join", link.match.id),
        mail=_mail(pages, lang, link.match, token),
    )
    status = {None: 200, "too_many": 429, "full": 429}.get(became, 400)
    return pages.page("begun", lang, status=status, begun=begun, back=request.url.path)


async def preview(request: Request, pages: Pages) -> Response:
    """The first board of a game (`logger.en.png`), as messengers show it beside a link."""
    found = _PICTURE.fullmatch(request.path_params["name"])
    game = game_today(found["game"]) if found is not None else None
    if found is None or game is None or found["lang"] not in pages.languages or not draws():
        raise Fault("no_page")
    data = await asyncio.to_thread(_drawn, pages.templates(found["lang"]), game)
    # Whoever shows a link may show the picture, wherever that is.
    headers = {"Cache-Control": _BRIEFLY, "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(data, media_type="image/png", headers=headers)


@cache
def _drawn(env: Templates, game: AnyGame) -> bytes:
    return png(first_board(env, game))


# --- the page ------------------------------------------------------------------------------------


async def _invited(request: Request, pages: Pages) -> Invited:
    unit = partial(_read, house=pages.house, token=request.path_params["token"])
    return await asyncio.wrap_future(pages.house.db.read(unit))


def _read(conn: Connection, *, house: House, token: str) -> Invited:
    now = house.now()
    link = linked(conn, house, token, now)
    if link is None or link.worth != "open":
        return Invited(link=link, open=tuple(open_matches(conn, house=house)), room=False)
    room = rates.buckets(conn, _bucket(link.match), now) < ADDRESSES
    return Invited(link=link, open=(), room=room)


def _page(request: Request, pages: Pages, invited: Invited) -> Response:
    house, link = pages.house, invited.link
    lang = pages.lang_of(request)
    if link is not None and link.inviter is not None and "accept-language" not in request.headers:
        lang = wishes_of(link.inviter.wishes).lang  # a preview is for friends of theirs
    env, tries = pages.templates(lang), house.settings.web.try_out
    if link is None or link.worth != "open" or link.inviter is None:
        said = [pages.in_words(lang, one) for one in invited.open]
        return pages.page(
            "no_seat",
            lang,
            status=404 if link is None else 410,
            worth=link.worth if link is not None else "unknown",
            game=link.match.game if link is not None else None,
            seats=[(one, mail_with(pages, lang, ordered(env, "join", one.match.id)))
                   for one in said],
            tries=tries,
        )  # fmt: skip
    match, game = link.match, link.match.game
    public = house.settings.web.public_url.rstrip("/")
    path = request.url.path
    return pages.page(
        "join",
        lang,
        previewed=True,
        name=clean(link.inviter.name, NAME),
        match=match,
        game=game,
        until=match.table.link_until,
        picture=first_board(env, game),
        about=_text(env.get_template(f"games/{game.key}/about.txt.j2").render()),
        ten=markup.unmarked(env.get_template(f"games/{game.key}/ten.txt.j2").render()).splitlines(),
        terms=_terms(env, house, match),
        tries=tries,
        room=invited.room,
        here=path,
        mail=_mail(pages, lang, match, request.path_params["token"]),
        address=public + path,
        image=f"{public}/preview/{game.key.replace('_', '-')}.{lang}.png" if draws() else "",
        longest=LONGEST,
    )


def _mail(pages: Pages, lang: str, match: Match, token: str) -> str:
    """A mail that asks for the seat; its subject is for people, and shows no token."""
    mail = mail_with(pages, lang, ordered(pages.templates(lang), "join", token))
    begin, _, body = mail.partition("&body=")
    address = begin.partition("?")[0]
    return f"{address}?subject={quote(f'{match.game.title} {match.id}', safe='')}&body={body}"


def _terms(env: Templates, house: House, match: Match) -> tuple[str, ...]:
    """What is agreed on before the start, and what the draws are checked by, as mails say it."""
    site = house.settings.site
    scene = Scene(
        matches={match.id: match},
        names={},
        site=Site(title=site.title, address=site.address),
        reply_address="",
        now=house.now(),
    )
    view = match_view(match, Reader(player=PlayerId(""), name=""), scene)
    parts = env.get_template("parts.txt.j2").module
    return tuple(_text(str(getattr(parts, name)(view))) for name in ("options", "commitment"))


def _text(marks: str) -> str:
    return " ".join(markup.to_text(marks, 1_000).split())


# --- the form ------------------------------------------------------------------------------------


async def _refused(  # noqa: PLR0917 - all that a form is about
    request: Request, house: House, match: Match, address: str, name: str, bounds: Bounds
) -> Refused | None:
    """Why a form is not sent; None where it may be, and then it is counted."""
    if len(address) > LONGEST_ADDRESS or not is_address(address) or house.is_ours(address):
        return "no_address"
    if name and not is_name(name):
        return "no_name"
    taken = partial(_taken, house=house, name=name)
    if name != "" and await asyncio.wrap_future(house.db.read(taken)):
        return "name_taken"
    if bounds.wait(request.scope["client"][0], time.monotonic(), BEGINNING):
        return "too_many"
    unit = partial(_count, match=match, address=address, house=house)
    scope = Scope(frozenset({_bucket(match)}))
    counted = await asyncio.wrap_future(house.db.write(unit, scope))
    return None if counted else "full"


def _taken(conn: Connection, *, house: House, name: str) -> bool:
    return is_taken(Lookup(conn=conn, house=house, now=house.now()), name)


def _count(conn: Connection, *, match: Match, address: str, house: House) -> bool:
    """Whether the form of a link may ask an address: one of few, or one that it has asked."""
    now, mine = house.now(), f"{_bucket(match)}:{digest_of(mailbox_of(address))}"
    if rates.filled(conn, mine, now=now, capacity=1, per=LINK_LASTS):
        return True
    if rates.buckets(conn, _bucket(match), now) >= ADDRESSES:
        return False
    return rates.take(conn, mine, now=now, capacity=1, per=LINK_LASTS)


def _bucket(match: Match) -> str:
    return f"{_ASKED}:{match.id}"
