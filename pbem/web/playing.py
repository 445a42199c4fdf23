"""A seat that is played from a page: a move put together, tried, and sent as a letter."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, quote

from markupsafe import Markup

from pbem.errors import Rejection
from pbem.mail.addresses import Purpose, browser_mark, page_path
from pbem.matches.match import Status
from pbem.matches.table import deadline
from pbem.matches.window import held_text
from pbem.notices.rendering import markup
from pbem.notices.rendering.families import TEXT
from pbem.notices.views.footer import wishes_of
from pbem.notices.views.matches import guard_of
from pbem.replays.raster import key_of
from pbem.web.access import Seen, seat_link, seated, view_path
from pbem.web.answers import Fault, Said, reasons, said
from pbem.web.letters import Form, address_of, new_marks, send
from pbem.web.match_pages import board_page, drawn_as, live_of, number_of
from pbem.web.move_helper import Help, help_on, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.games.game import Place
    from pbem.notices.rendering.families import Templates
    from pbem.transaction.installation import House
    from pbem.web.answers import Pages
    from pbem.web.match_pages import Boards

LONGEST: Final = 2_000
"""Characters of what a form says; who has more to say writes a mail."""

LARGEST: Final = 20_000
"""Bytes of a form."""

PLAYED: Final = "played"
"""The cookie of a browser that has played a seat; no page of another seat gets it."""

REMEMBERED: Final = timedelta(days=180)
"""So long a browser keeps it."""

_WIDTH: Final = 1_000
_GUARDED: Final = re.compile(r"#[0-9.]{1,20} (.*)", re.DOTALL)
"""What the form for a move sends."""

_VIEW_BOX: Final = re.compile(r'viewBox="([0-9. -]{7,60})"')
"""The part of the plane that a picture shows, in which the places lie as well."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tap:
    """A place on the board that goes on with the move: where it leads, and what it is called."""

    place: Place
    href: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """A move that is being put together.

    `help` says what may follow, `taps` where on the board; `picture` is the board as it would be,
    None where the text is no move yet: then `chosen` are the places that it names; `refusal` says
    why it is none. `several` are the texts that a tapped place may mean.
    """

    help: Help
    taps: tuple[Tap, ...]
    chosen: tuple[Place, ...] = ()
    picture: Markup | None = None
    refusal: str = ""
    several: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Looked:
    """A seat with what the store says beside it: where the other pages of it are."""

    seen: Seen
    shared: str = ""


async def act_page(request: Request, pages: Pages, boards: Boards) -> Response:
    """The board of a seat, with the help to move."""
    looked = await _looked(request, pages.house)
    if looked.seen.replaced:
        return await board_page(request, pages, boards, looked.seen, pages.lang_of(request))
    return await _page(request, pages, boards, looked)


async def act_form(request: Request, pages: Pages, boards: Boards) -> Response:
    """A form is sent: it becomes a letter, and what became of that is told."""
    looked = await _looked(request, pages.house)
    seen = looked.seen
    if seen.viewer is None:
        raise Fault("old_link", 410)
    lang = wishes_of(seen.viewer.wishes).lang
    form = await form_of(request)
    if form is None or not form.is_good(pages.house.now()):
        raise Fault("old_form", 409, lang)
    if not form.text.strip():
        raise Fault("empty_form", 400, lang)
    to = address_of(pages.house, seen.link)
    mark = browser_mark(pages.house.keys, seen.link)
    known = compare_digest(request.cookies.get(PLAYED, "").encode(), mark.encode())
    title = f"[{seen.title}]"
    became, letter = await send(pages.house, seen.viewer, to, title, form, known=known)
    told = became in ("done", "refused")
    answer = await said(pages.house, letter, seen) if told else Said()
    looked = await _looked(request, pages.house)
    page = await _page(request, pages, boards, looked, sent=form, became=became, answer=answer)
    if became == "done" and not known and _has_moved(seen, looked.seen):
        _know_browser(page, request, pages, mark)
    return page


def _has_moved(before: Seen, after: Seen) -> bool:
    held = after.viewpoint in after.match.pending.held
    return held or after.match.course.ply > before.match.course.ply


def _know_browser(page: Response, request: Request, pages: Pages, mark: str) -> None:
    """Let a browser say next time that it has played the seat: then no mail has to tell of it."""
    page.set_cookie(
        PLAYED,
        mark,
        max_age=int(REMEMBERED.total_seconds()),
        path=request.url.path,
        secure=pages.house.settings.web.public_url.startswith("https:"),
        httponly=True,
        samesite="strict",
    )


async def form_of(request: Request) -> Form | None:
    """What a form says; None where it is none of ours."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            raise Fault("large_form", 413)
    try:
        fields = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=10))
        text, made = fields["text"], int(fields["made"][:12])
        nonce, own = fields["nonce"], fields.get("own", "")
    except (KeyError, ValueError):
        return None
    if len(text) > LONGEST:
        raise Fault("large_form", 413)
    return Form(text, nonce, made, own)


async def _looked(request: Request, house: House) -> _Looked:
    unit = partial(_look, house=house, token=request.path_params["token"])
    looked = await asyncio.wrap_future(house.db.read(unit))
    if looked is None:
        raise Fault("old_link", 410)
    return looked


def _look(conn: Connection, *, house: House, token: str) -> _Looked | None:
    seen = seated(conn, house, Purpose.ACT, token)
    if seen is None:
        return None
    if seen.viewer is None:
        return _Looked(seen=seen)
    link = seat_link(conn, seen.match, seen.viewer, Purpose.SEAT)
    return _Looked(seen=seen, shared=page_path(house.keys, link))


async def _page(
    request: Request,
    pages: Pages,
    boards: Boards,
    looked: _Looked,
    *,
    sent: Form | None = None,
    became: str = "",
    answer: Said | None = None,
) -> Response:
    seen, house = looked.seen, pages.house
    if seen.viewer is None:
        raise Fault("old_link", 410)
    wishes = wishes_of(seen.viewer.wishes)
    env = pages.templates(wishes.lang)
    match = seen.match
    shown = None
    if match.course.position is not None:
        at = number_of(request, "at")
        shown = await asyncio.to_thread(boards.shown, seen, env, wishes.lang, at)
    again, other = _filled_in_again(sent, became)
    typed = again if sent is not None else request.query_params.get("text", "")[:LONGEST]
    attempt = None
    seat, is_newest = seen.viewpoint, shown is not None and shown.at == shown.last
    if is_newest and seat in match.to_act and seat not in match.pending.held:
        place = "" if sent is not None else request.query_params.get("place", "")
        attempt = await asyncio.to_thread(
            _attempt, house, seen, env, request.url.path, typed=typed, place=place
        )
    tried = attempt.picture if attempt is not None else None
    picture = tried or (shown.picture if shown is not None else "")
    box = _VIEW_BOX.search(picture)
    nonce, made = new_marks(house)
    return pages.page(
        "seat",
        wishes.lang,
        zone=wishes.tz,
        seen=seen,
        shown=shown,
        attempt=attempt,
        key=key_of(env, match.game, picture),
        view_box=box[1] if box else "0 0 1 1",
        ended=match.status is Status.ENDED,
        here=request.url.path,
        guard=f"#{guard_of(match)} ",
        nonce=nonce,
        made=made,
        mail=_mailto(house, seen, attempt),
        due=deadline(match, seen.viewer.id),
        held=list(_held(seen)),
        sent=sent,
        other=other,
        letter=sent.message_id(house.domain) if sent is not None else "",
        became=became,
        answer=answer,
        reasons=reasons(answer.words) if answer is not None and became == "refused" else (),
        live=live_of(request, seen),
        shared=looked.shared,
        public=None if match.table.private else view_path(house, match.id),
    )


def _filled_in_again(sent: Form | None, became: str) -> tuple[str, str]:
    """What the forms for a move and for other words begin with: what was refused, to be mended."""
    if sent is None or became not in ("refused", "nothing"):
        return "", ""
    move = _GUARDED.fullmatch(sent.text)
    return (move[1], "") if move is not None else ("", sent.text)


def _held(seen: Seen) -> Iterator[tuple[str, Any]]:
    """The viewer's move that is held, and until when."""
    seat = seen.viewpoint
    held = seen.match.pending.held.get(seat) if seat is not None else None
    said = held_text(seen.match, held.move) if held is not None else None
    if held is not None and said is not None:
        yield said.notation, held.until


def _attempt(
    house: House, seen: Seen, env: Templates, path: str, *, typed: str, place: str
) -> Attempt:
    match, seat = seen.match, seen.viewpoint
    if seat is None:
        raise Fault("old_link", 410)
    game, position = match.game, match.course.position
    known = game.known(position, seat)
    text = house.words.game_text(game, _without_guard(typed))  # as it is read in a mail
    help_ = help_on(game, known, seat, text)
    several: tuple[str, ...] = ()
    if place:
        several = help_.places.get(place, ())
        if len(several) == 1:
            help_, several = help_on(game, known, seat, several[0]), ()
    picture, refusal, after = None, "", known
    if help_.text and (help_.whole or not help_.choices):
        try:
            move = game.parse(help_.text, position, seat)
            after = game.tried(position, move, seat)
            picture = drawn_as(seen, env, after, move, known)
        except Rejection as rejection:
            refusal = _told(seen, env, rejection)
    places = game.places(after, seat)
    taps = tuple(
        Tap(place=one, href=_href(path, help_.text, one.name, help_.places[one.name]))
        for one in places
        if one.name in help_.places
    )
    named = words_of(help_.text) if picture is None else ()
    return Attempt(
        help=help_,
        taps=taps,
        chosen=tuple(one for one in places if one.name in named),
        picture=picture,
        refusal=refusal,
        several=several,
    )


def _href(path: str, text: str, name: str, texts: tuple[str, ...]) -> str:
    """What a tap asks for: the move with the place, or which of several is meant."""
    if len(texts) == 1:
        return f"{path}?text={quote(texts[0], safe='')}#move"
    return f"{path}?text={quote(text, safe='')}&place={quote(name, safe='')}#move"


def _without_guard(text: str) -> str:
    first, _, rest = text.strip().partition(" ")
    return rest if first.startswith("#") else text


def _told(seen: Seen, env: Templates, rejection: Rejection) -> str:
    """Why something is no move, in the game's words."""
    names = dict(enumerate(seen.names, 1))
    family = f"games/{seen.match.game.key}/rejections"
    if rejection.code not in env.family(family + TEXT):
        return rejection.code.replace("_", " ")
    facts = dict(rejection.facts)
    if isinstance(example := facts.get("example"), str):
        facts["example"] = markup.typed(example)
    text = env.member(family, rejection.code, facts=facts, names=names, match=None)
    return markup.to_text(text, _WIDTH).strip()


def _mailto(house: House, seen: Seen, attempt: Attempt | None) -> str:
    """The same move as a mail, for whoever rather sends one."""
    to = quote(address_of(house, seen.link), safe="@")
    subject = quote(f"Re: [{seen.title}]", safe="")
    body = ""
    if attempt is not None and attempt.picture is not None:
        body = quote(f"#{guard_of(seen.match)} {attempt.help.text}", safe="")
    return f"mailto:{to}?subject={subject}&body={body}"
