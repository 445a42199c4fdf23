"""A player's own pages: the boards that wait, and the button that stops mail."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Final
from uuid import NAMESPACE_DNS, uuid5

from starlette.responses import Response

from pbem.legacy.delivery.attachments import MEDIA, calendar_of
from pbem.games import OURS
from pbem.legacy.mail.addresses import PageLink, Purpose, page_path, read_page_token
from pbem.legacy.mail.automatic import STOPS, WORD, order_that_stops
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.table import by_deadline, deadline
from pbem.legacy.notices.rendering.filters import named_in, writing
from pbem.legacy.notices.views.clean import NAME, clean
from pbem.legacy.notices.views.footer import wishes_of
from pbem.legacy.players.wishes import STOPPABLE, wished
from pbem.legacy.store import still, views
from pbem.legacy.store.log import event_log
from pbem.legacy.transaction.installation import find_match, player_stream
from pbem.legacy.web.access import names_of, newest_address, player_of, view_path
from pbem.legacy.web.answers import NEVER, Fault, digest, unless_known
from pbem.legacy.web.letters import Form, address_of, send

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import Connection
    from starlette.requests import Request

    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.answers import Pages

MOST: Final = 100
ENDED: Final = 10
"""Matches that a list shows, and those that are over."""

_RULESET: Final = attrgetter("terms.ruleset")

_LISTED: Final = (Status.RUNNING.value, Status.CHALLENGE.value)


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """A match of a player's: whether it waits for them, and until when.

    `since` is when it began to wait for whomever it waits for, or changed last where for nobody.
    """

    match: Match
    names: tuple[str, ...]
    waits: bool
    since: datetime
    due: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Mine:
    row: PlayerRow
    generation: int
    listed: tuple[Listed, ...]
    ended: tuple[Listed, ...]
    watched: tuple[Listed, ...]


async def player_page(request: Request, pages: Pages) -> Response:
    """All matches of a player, those that wait for them first."""
    unit = partial(_mine, house=pages.house, token=request.path_params["token"])
    mine = await asyncio.wrap_future(pages.house.db.read(unit))
    if mine is None:
        raise Fault("old_link", 410)
    wishes = wishes_of(mine.row.wishes)
    deadlines, webcal = _deadlines_at(pages.house, mine)
    link = PageLink(Purpose.FEED, mine.row.id, 0, mine.generation)
    boards = f"{_public(pages.house)}{page_path(pages.house.keys, link)}/boards.atom"
    return pages.page(
        "player",
        wishes.lang,
        zone=wishes.tz,
        name=clean(mine.row.name, NAME),
        listed=[pages.in_words(wishes.lang, one) for one in mine.listed],
        ended=[pages.in_words(wishes.lang, one) for one in mine.ended],
        watched=[pages.in_words(wishes.lang, one) for one in mine.watched],
        here=request.url.path,
        deadlines=deadlines,
        webcal=webcal,
        feed=boards,
    )


def _public(house: House) -> str:
    """What browsers call the service."""
    return house.settings.web.public_url.rstrip("/")


def _deadlines_at(house: House, mine: _Mine) -> tuple[str, str]:
    """Where a calendar finds the deadlines, and the same for programs that subscribe by a tap."""
    link = PageLink(Purpose.CALENDAR, mine.row.id, 0, mine.generation)
    path = f"{page_path(house.keys, link)}/calendar.ics"
    public = _public(house)
    _, told, host = public.partition("://")
    return public + path, f"webcal://{host}{path}" if told else ""


async def calendar(request: Request, pages: Pages) -> Response:
    """A player's deadlines, for calendars that fetch them again and again."""
    unit = partial(_deadlines, pages=pages, token=request.path_params["token"])
    data = await asyncio.wrap_future(pages.house.db.read(unit))
    if data is None:
        raise Fault("old_link", 410)
    # Weak (RFC 9110 8.8.1): the time at which it was made changes, and nothing that it says.
    told = b"\n".join(line for line in data.splitlines() if not line.startswith(b"DTSTAMP"))
    headers = {"Cache-Control": NEVER, "X-Robots-Tag": "noindex, nofollow"}
    answer = Response(data, headers=headers, media_type=MEDIA)
    return unless_known(request, answer, f'W/"{digest(told)}"')


async def feed(request: Request, pages: Pages) -> Response:
    """The boards that wait for a player, for programs that look for news (RFC 4287).

    It leads to what everybody may see: whoever reads it for its player moves no piece.
    """
    house = pages.house
    unit = partial(_mine, house=house, token=request.path_params["token"], purpose=Purpose.FEED)
    mine = await asyncio.wrap_future(house.db.read(unit))
    if mine is None:
        raise Fault("old_link", 410)
    wishes = wishes_of(mine.row.wishes)
    waits = [pages.in_words(wishes.lang, one) for one in mine.listed if one.waits]
    waiting = [_entry(house, one, mine.row.id) for one in waits]
    changed = (one.since for one in (*mine.listed, *mine.ended))
    with writing(wishes.tz):
        text = (
            pages.templates(wishes.lang)
            .get_template("pages/feed.html.j2")
            .render(
                site=house.settings.site,
                lang=wishes.lang,
                name=clean(mine.row.name, NAME),
                ident=_ident(house, mine.row.id),
                here=f"{_public(house)}{request.url.path}",
                home=f"{_public(house)}/",
                waiting=waiting,
                updated=max(changed, default=mine.row.created_at),
            )
        )
    headers = {"Cache-Control": NEVER, "X-Robots-Tag": "noindex, nofollow"}
    answer = Response(text, headers=headers, media_type="application/atom+xml")
    return unless_known(request, answer, f'"{digest(text.encode())}"')


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    """A board in a feed: what it is known by, and where everybody sees it."""

    one: Listed
    ident: str
    path: str


def _entry(house: House, one: Listed, player: PlayerId) -> _Entry:
    match = one.match
    return _Entry(
        one=one,
        ident=_ident(house, f"{player} {match.id} {match.status} {match.course.ply}"),
        path=f"{_public(house)}{view_path(house, match.id) if match.is_public else '/'}",
    )


def _ident(house: House, about: str) -> str:
    """A name for ever (RFC 4287 4.2.6) that says nothing."""
    return uuid5(NAMESPACE_DNS, f"{house.domain} {about}").urn


def _deadlines(conn: Connection, *, pages: Pages, token: str) -> bytes | None:
    house = pages.house
    row = player_of(conn, house, Purpose.CALENDAR, token)
    if row is None:
        return None
    listed = _listed(conn, house, row, _LISTED)
    # Who fetches it again and again drops what is no more in it.
    due = [one.match for one in listed if one.due is not None]
    people = sorted({player for match in due for player in match.table.players})
    names = dict(zip(people, names_of(conn, people), strict=True))
    names = named_in(pages.templates(wishes_of(row.wishes).lang), names)
    title = house.settings.site.title
    return calendar_of(due, row.id, names, title=title, domain=house.domain, now=house.now())


def _mine(
    conn: Connection, *, house: House, token: str, purpose: Purpose = Purpose.PLAYER
) -> _Mine | None:
    row = player_of(conn, house, purpose, token)
    if row is None:
        return None
    return _Mine(
        row=row,
        generation=newest_address(conn, row),
        listed=tuple(_listed(conn, house, row, _LISTED)),
        ended=tuple(_listed(conn, house, row, (Status.ENDED.value,), most=ENDED)),
        watched=tuple(_watched(conn, house, row)) if purpose is Purpose.PLAYER else (),
    )


def _watched(conn: Connection, house: House, row: PlayerRow) -> Iterator[Listed]:
    """The matches of others that a player watches, or has watched to their end."""
    for name in views.all_watched(conn, row.id, ENDED):
        found = find_match(conn, name, house.cache)
        if found is not None and found.match.is_public and row.id in found.match.table.watchers:
            names = names_of(conn, found.match.table.players)
            now = house.now()
            yield Listed(match=found.match, names=names, waits=False, since=now, due=None)


def _listed(
    conn: Connection,
    house: House,
    row: PlayerRow,
    statuses: tuple[str, ...],
    *,
    most: int = MOST,
) -> Iterator[Listed]:
    """The matches that changed last, those with a deadline first."""
    rows = views.matches_of(conn, row.id, statuses)
    rows = sorted(rows, key=lambda one: one.updated_at, reverse=True)[:most]
    found = (find_match(conn, one.id, house.cache) for one in rows)
    matches = {one.match.id: one.match for one in found if one is not None}
    since = {one.id: one.waiting_since or one.updated_at for one in rows}
    ours = OURS.issuperset(map(_RULESET, matches.values()))
    standing = frozenset() if ours else still.of_these(conn, [*matches])
    ordered = by_deadline(matches.values(), row.id)
    for match in sorted(ordered, key=lambda one: not _waits(one, row.id)):
        if row.id in match.table.entrants:
            stands = match.id in standing
            yield Listed(
                match=match,
                names=names_of(conn, match.table.players),
                waits=not stands and _waits(match, row.id),
                since=since[match.id],
                due=deadline(match, row.id) if not stands else None,
            )


def waiting(conn: Connection, house: House, row: PlayerRow, besides: MatchId) -> tuple[Listed, ...]:
    """The other matches that wait for a player, the most urgent first."""
    listed = _listed(conn, house, row, _LISTED)
    return tuple(one for one in listed if one.waits and one.match.id != besides)


def invites_again(conn: Connection, house: House, row: PlayerRow, after: MatchId) -> bool:
    """Whether a player has invited to a rematch of a match, and somebody has not answered yet."""
    rows = views.matches_of(conn, row.id, (Status.CHALLENGE.value,))
    found = (find_match(conn, one.id, house.cache) for one in rows)
    return any(
        one.match.terms.rematch_of == after and one.match.table.challenger == row.id
        for one in found
        if one is not None
    )


def _waits(match: Match, player: PlayerId) -> bool:
    """Whether a match waits for a player: for a move, or for an answer to an invitation."""
    if match.status is Status.CHALLENGE:
        return player in match.waiting_for
    seat = match.seat_of(player)
    return seat in match.to_act and seat not in match.pending.held


# --- no more mail (RFC 8058) ----------------------------------------------------------------------


async def stop_page(request: Request, pages: Pages) -> Response:
    """A page with one button: programs that open every address of a mail stop nothing."""
    row, link = await _stopping(request, pages)
    return pages.page(
        "stop",
        wishes_of(row.wishes).lang,
        kind=STOPS[link.number],
        here=request.url.path,
        stopped=False,
    )


async def stop_form(request: Request, pages: Pages) -> Response:
    """The button, or a mail program that presses it: it needs neither a cookie nor a question."""
    row, link = await _stopping(request, pages)
    kind = STOPS[link.number]
    if wished(row.wishes, STOPPABLE[kind]) != "off":
        form = await _stop_form(request, pages, row, order_that_stops(kind))
        # As of the buttons of mail programs: who wants no more mail gets none that says so.
        to = address_of(pages.house, link)
        await send(pages.house, row.address, to, WORD, form, automatic=True)
    return pages.page(
        "stop",
        wishes_of(row.wishes).lang,
        kind=kind,
        here=request.url.path,
        stopped=True,
    )


async def _stop_form(request: Request, pages: Pages, row: PlayerRow, word: str) -> Form:
    """What the button sends: the same at each press, until something becomes of it."""
    unit = partial(event_log.head, stream=player_stream(row.id))
    head = await asyncio.wrap_future(pages.house.db.read(unit))
    state = f"{request.url.path} {head.version if head is not None else 0}"
    return Form(word, nonce=digest(state.encode()), made=0)


async def _stopping(request: Request, pages: Pages) -> tuple[PlayerRow, PageLink]:
    token = request.path_params["token"]
    link = read_page_token(pages.house.keys, Purpose.STOP, token)
    unit = partial(player_of, house=pages.house, purpose=Purpose.STOP, token=token)
    row = await asyncio.wrap_future(pages.house.db.read(unit))
    if link is None or row is None or link.number >= len(STOPS):
        raise Fault("old_link", 410)
    return row, link
