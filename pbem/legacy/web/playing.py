"""A seat that is played from a page: a move put together, tried, and sent as a letter."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from hmac import compare_digest
from math import ceil
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pbem.games.game import Chance, Played
from pbem.legacy.mail.addresses import Purpose, browser_mark, page_path
from pbem.legacy.matches.hints import hint_awaited
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.table import deadline
from pbem.legacy.matches.window import held_text
from pbem.names import is_bot
from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.views.footer import wishes_of
from pbem.legacy.notices.views.match_view import hints_open
from pbem.legacy.notices.views.matches import guard_of
from pbem.legacy.notices.views.told import hint_view
from pbem.legacy.replays.raster import key_whole
from pbem.legacy.web.access import Seen, owned, seat_link, seated, view_path
from pbem.legacy.web.analysis_pages import NO_OFFER, Offer, analysis_page, offer
from pbem.legacy.web.answers import Fault, Said, said
from pbem.legacy.web.asking import Asking, told
from pbem.legacy.web.letters import LONGEST, Form, address_of, form_of, is_comment, new_marks, send
from pbem.legacy.web.lines import line_page
from pbem.legacy.web.match_pages import (
    InWords,
    board_page,
    box_of,
    commenting,
    drawn_as,
    ending_of,
    example_of,
    in_words,
    live_of,
    number_of,
    spectators_page,
)
from pbem.legacy.web.people_pages import invites_again, waiting
from pbem.legacy.web.teaching import taught_to

if TYPE_CHECKING:
    from datetime import datetime

    from markupsafe import Markup
    from sqlalchemy import Connection
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.games.game import Seat
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.answers import Pages
    from pbem.legacy.web.asking import Attempt
    from pbem.legacy.web.match_pages import Boards
    from pbem.legacy.web.people_pages import Listed

PLAYED: Final = "played"
"""The cookie of a browser that has played a seat; no page of another seat gets it."""

REMEMBERED: Final = timedelta(days=180)
"""So long a browser keeps it."""

_GUARDED: Final = re.compile(r"#[0-9.]{1,20} (.*)", re.DOTALL)
"""What the form for a move sends."""

_BUTTONS: Final = ("undo", "now", "hint", "accept", "decline", "rematch", "analysis")
"""Orders that a page sends with a button of its own, and whose outcome it says itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """A move that has not gone out: the board after it, the move in words, until when, how long."""

    picture: Markup
    board: InWords
    told: str
    until: datetime
    left: timedelta


@dataclass(frozen=True, kw_only=True, slots=True)
class Hinting:
    """A hint: its move as it is typed and why, empty while there is none; how many are `left`.

    `awaited`: one has been asked for.
    """

    notation: str = ""
    why: tuple[str, ...] = ()
    left: int = 0
    awaited: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Invitation:
    """A match that has not begun: who invites, and who has not answered; the reader is "" there.

    `picture` is the board as it begins, or, where chance lays it out, one as an `example`.
    """

    inviter: str
    waiting: tuple[str, ...]
    picture: Markup
    example: bool
    rules: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Looked:
    """A seat with what the store says beside it: where the other pages of it are.

    `waiting` are the other boards that wait for its player, None where they are not to be shown;
    `rematch` says whether they have invited to a rematch that waits for answers, `analysis` whether
    what decided the match can be told.
    """

    seen: Seen
    shared: str = ""
    public: str = ""
    waiting: tuple[Listed, ...] | None = None
    rematch: bool = False
    analysis: Offer = NO_OFFER

    @property
    def opponents(self) -> list[str]:
        """The names of all others."""
        seen = self.seen
        return [name for seat, name in enumerate(seen.names, 1) if name and seat != seen.viewpoint]

    @property
    def company(self) -> bool:
        """Whether a person beside the viewer reads what is said."""
        seen = self.seen
        own = seen.viewer.id if seen.viewer is not None else None
        return any(one != own and not is_bot(one) for one in seen.match.hearers)

    @property
    def begun(self) -> bool:
        """Whether there is a board."""
        return self.seen.match.course.position is not None


async def act_page(request: Request, pages: Pages, boards: Boards) -> Response:
    """The board of a seat, with the help to move."""
    looked = await _looked(request, pages)
    if looked.seen.replaced:
        return await board_page(request, pages, boards, looked.seen, pages.lang_of(request))
    if looked.seen.link.purpose is Purpose.PLAYER:
        return await spectators_page(request, pages, boards, looked.seen)
    if "line" in request.query_params and looked.seen.viewpoint is not None and looked.begun:
        return await line_page(request, pages, boards, looked.seen)
    if "analysis" in request.query_params and looked.analysis.can:
        return await analysis_page(request, pages, looked.seen)
    return await _page(request, pages, boards, looked)


async def act_form(request: Request, pages: Pages, boards: Boards) -> Response:
    """A form is sent: it becomes a letter, and what became of that is told."""
    looked = await _looked(request, pages)
    seen = looked.seen
    if seen.viewer is None:
        raise Fault("old_link", 410)
    lang = wishes_of(seen.viewer.wishes).lang
    form = await form_of(request, seen)
    if form is None or not form.is_good(pages.house.now()):
        raise Fault("old_form", 409, lang)
    if not form.text.strip():
        raise Fault("empty_form", 400, lang)
    to = address_of(pages.house, seen.link)
    mark = browser_mark(pages.house.keys, seen.link)
    known = compare_digest(request.cookies.get(PLAYED, "").encode(), mark.encode())
    address, title = seen.viewer.address, f"[{seen.title}]"
    became, letter = await send(pages.house, address, to, title, form, known=known)
    told = became in ("done", "refused")
    answer = await said(pages.house, letter, seen) if told else Said()
    looked = await _looked(request, pages)
    if seen.link.purpose is Purpose.PLAYER:
        return await spectators_page(request, pages, boards, looked.seen, sent=form, became=became)
    page = await _page(request, pages, boards, looked, sent=form, became=became, answer=answer)
    if answer.receipt and not known:
        _know_browser(page, request, pages, mark)
    return page


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


async def _looked(request: Request, pages: Pages) -> _Looked:
    unit = partial(_look, house=pages.house, **request.path_params)
    looked = await asyncio.wrap_future(pages.house.db.read(unit))
    if looked is None:
        raise Fault("old_link", 410)
    if looked.seen.viewer is None:
        return looked
    lang, waiting = wishes_of(looked.seen.viewer.wishes).lang, looked.waiting
    if waiting is not None:
        waiting = tuple(pages.in_words(lang, one) for one in waiting)
    return replace(looked, seen=pages.in_words(lang, looked.seen), waiting=waiting)


def _look(conn: Connection, *, house: House, token: str, name: str = "") -> _Looked | None:
    seen = owned(conn, house, token, name) if name else seated(conn, house, Purpose.ACT, token)
    if seen is None:
        return None
    if seen.viewer is None or seen.link.purpose is Purpose.PLAYER:
        return _Looked(seen=seen)
    link = seat_link(conn, seen.match, seen.viewer, Purpose.SEAT)
    return _Looked(
        seen=seen,
        shared=page_path(house.keys, link),
        public="" if seen.match.table.private else view_path(house, seen.match.id),
        waiting=waiting(conn, house, seen.viewer, seen.match.id) if name else None,
        rematch=seen.match.status is Status.ENDED
        and invites_again(conn, house, seen.viewer, seen.match.id),
        analysis=offer(conn, seen) if seen.match.status is Status.ENDED else NO_OFFER,
    )


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
    lang, env, match = wishes.lang, pages.templates(wishes.lang), seen.match
    shown, attempt, held = None, None, None
    if match.course.position is not None:
        shown = await asyncio.to_thread(boards.shown, seen, env, lang, number_of(request, "at"))
    again, other, meant = _filled_in_again(sent, became)
    if shown is not None and shown.at == shown.last and seen.viewpoint is not None:
        held = await asyncio.to_thread(_held, seen, env, seen.viewpoint, house.now())
        if seen.viewpoint in match.to_act and held is None:
            asked = request.query_params if sent is None else {"text": again}
            asking = Asking(house=house, seen=seen, env=env, path=request.url.path)
            typed, width = asked.get("text", "")[:LONGEST], float(box_of(shown.picture).split()[2])
            attempt = await asyncio.to_thread(asking.attempt, typed, asked.get("place", ""), width)
    picture = (attempt and attempt.picture) or (held and held.picture) or (shown and shown.picture)
    nonce, made = new_marks(house)
    return pages.page(
        "seat",
        lang,
        zone=wishes.tz,
        seen=seen,
        shown=shown,
        attempt=attempt,
        picture=picture,
        key=key_whole(env, match.game, picture or ""),
        invitation=_invitation(seen, env) if shown is None else None,
        again="again" in request.query_params,
        view_box=box_of(picture or ""),
        ending=ending_of(seen, env),
        taught=await asyncio.to_thread(taught_to, seen, env) if match.terms.lesson else None,
        here=request.url.path,
        guard=f"#{guard_of(match)} ",
        nonce=nonce,
        made=made,
        mail=_mailto(house, seen, attempt),
        due=deadline(match, seen.viewer.id),
        held=held,
        hint=_hinting(seen, env) if any(map(is_bot, match.table.players)) else None,
        sent=sent,
        meant=meant,
        other=other,
        letter=sent.message_id(house.domain) if sent is not None else "",
        became=became,
        answer=answer,
        live=live_of(request, seen),
        looked=looked,
        commenting=commenting(house, seen, sent, became) if match.status is Status.ENDED else None,
    )


def _filled_in_again(sent: Form | None, became: str) -> tuple[str, str, str]:
    """What the forms for a move and for other words begin with: what was refused, to be mended.

    And what was sent: `move`, or the order of a button of the page; empty where it was written.
    """
    if sent is None:
        return "", "", ""
    move, word = _GUARDED.fullmatch(sent.text), sent.text.strip().lower()
    meant = "move" if move is not None else word if word in _BUTTONS else ""
    if word.startswith("comment") and is_comment(sent.text):
        return "", "", "comment"
    if became not in ("refused", "nothing"):
        return "", "", meant
    return (move[1], "", meant) if move is not None else ("", sent.text, meant)


def _invitation(seen: Seen, env: Templates) -> Invitation:
    """What somebody is invited to."""
    match, game = seen.match, seen.match.game
    viewer = seen.viewer.id if seen.viewer is not None else None
    names = {
        player: "" if player == viewer else name
        for player, name in zip(match.table.players, seen.names, strict=False)
    }
    seats = max(len(match.table.players) + match.table.open_seats, min(game.seats))
    position, example = game.initial(seats, match.terms.options), False
    if isinstance(game.turn(position), Chance) and game.example is not None:
        position, example = game.load(game.example.position), True
    ten = env.get_template(f"games/{game.key}/ten.txt.j2").render()
    return Invitation(
        inviter=names.get(match.table.challenger, "") if match.table.challenger else "",
        waiting=tuple(names.get(player, "") for player in match.waiting_for),
        picture=example_of(seen, env, position, example=example),
        example=example,
        rules=tuple(markup.unmarked(ten).splitlines()),
    )


def _held(seen: Seen, env: Templates, seat: Seat, now: datetime) -> Held | None:
    """The viewer's move that is held, as if it were played."""
    match = seen.match
    held = match.pending.held.get(seat)
    kept = held_text(match, held.move) if held is not None else None
    if held is None or kept is None:
        return None
    game, known = match.game, match.game.known(match.course.position, seat)
    move = game.read(kept.notation, match.course.position)
    done = Played(move, known, game.tried(match.course.position, move, seat))
    return Held(
        picture=drawn_as(seen, env, done, idle=True),
        board=in_words(seen, env, done.after, idle=True),
        told=told(seen, env, done, seat),
        until=held.until,
        left=timedelta(minutes=ceil((held.until - now) / timedelta(minutes=1))),
    )


def _hinting(seen: Seen, env: Templates) -> Hinting:
    """The hint that the viewer has, or may have."""
    match, seat = seen.match, seen.viewpoint
    if seen.viewer is None or seat is None:
        return Hinting()
    found, awaited = hint_view(match, seat, seen.names), hint_awaited(match) == seat
    if found is None:
        return Hinting(left=hints_open(match, seen.viewer.id), awaited=awaited)
    names = dict(enumerate(seen.names, 1))
    template = env.get_template("hint.txt.j2")
    why = markup.unmarked(template.render(game=match.game.key, hint=found, names=names, you=seat))
    return Hinting(notation=found.choice.notation, why=tuple(filter(None, why.splitlines())))


def _mailto(house: House, seen: Seen, attempt: Attempt | None) -> str:
    """The same move as a mail, for whoever rather sends one."""
    to = quote(address_of(house, seen.link), safe="@")
    subject = quote(f"Re: [{seen.title}]", safe="")
    body = ""
    if attempt is not None and attempt.whole:
        body = quote(f"#{guard_of(seen.match)} {attempt.text}", safe="")
    return f"mailto:{to}?subject={subject}&body={body}"
