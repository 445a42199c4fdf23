"""What everybody may see: the club, its games and matches, and how one begins."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from starlette.responses import PlainTextResponse, Response

from pbem.legacy.bots.levels import STRONG, levels
from pbem.legacy.mail.addresses import Purpose
from pbem.legacy.matches.match import Status
from pbem.names import is_bot
from pbem.legacy.notices.rendering import markup
from pbem.legacy.notices.views.clean import NAME, clean
from pbem.legacy.replays.frames import placed
from pbem.legacy.store import standings, views
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.checkpoints import signed
from pbem.legacy.transaction.installation import find_match
from pbem.legacy.transaction.profiles import is_shown
from pbem.legacy.web import tournament_pages
from pbem.legacy.web.access import names_of, view_path
from pbem.legacy.web.profile_pages import profile_path
from pbem.legacy.web.rules_pages import games_today, mail_with, ordered, picture_of
from pbem.legacy.web.trials import can_try

if TYPE_CHECKING:
    from datetime import datetime

    from markupsafe import Markup
    from sqlalchemy import Connection
    from starlette.requests import Request

    from pbem.games import AnyGame
    from pbem.legacy.matches.match import Match
    from pbem.legacy.notices.rendering.families import Templates
    from pbem.legacy.standing.book import Reliability
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.answers import Pages


# --- club pages ----------------------------------------------------------------------------------
# What everybody may see: the club, its games and its matches.

_WIDTH: Final = 1_000
_LOOKED_AT: Final = 60
_OFFERED: Final = 500
_SHOWN: Final = 12
"""Matches of a kind that the club's page lists, of at most so many that are looked at."""

_BEST: Final = 10
"""People who stand in the standings of a game."""

_BRIEFLY: Final = "public, max-age=60"


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownGame:
    """A game with a board of it, and the mail that begins a match with a bot, if it has bots.

    `tries`: a page can be played on.
    """

    game: AnyGame
    picture: Markup
    about: str
    begin: str
    tries: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownMatch:
    """A match that anybody may look at."""

    match: Match
    names: tuple[str, ...]
    path: str

    @property
    def result(self) -> str:
        """How it ended; empty while it goes on."""
        return placed(self.match.course.outcome, self.names)


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenMatch:
    """A match in which a seat is open, and who has sat down.

    `name` and `reliability` are of whoever offers it, where everybody may see that.
    """

    match: Match
    names: tuple[str, ...]
    name: str = ""
    reliability: Reliability | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """Somebody in the standings of a game; `rating` and `give_or_take` in whole points.

    `path` is where their page is, empty where they want none.
    """

    place: int
    name: str
    path: str
    rating: int
    give_or_take: int
    played: int
    won: int


async def club_page(request: Request, pages: Pages) -> Response:
    """What is played here, by whom, and how one begins."""
    house = pages.house
    lang = pages.lang_of(request)
    running, ended = await asyncio.wrap_future(house.db.read(partial(_public_matches, house=house)))
    free = await asyncio.wrap_future(house.db.read(partial(open_matches, house=house)))
    best = await asyncio.wrap_future(house.db.read(partial(_standings, house=house)))
    point = await asyncio.wrap_future(house.db.read(partial(signed, house=house)))
    cups = await asyncio.wrap_future(house.db.read(tournament_pages.listed))
    said = [pages.in_words(lang, one) for one in free]
    env = pages.templates(lang)

    def mail(what: str, *about: str) -> str:
        return mail_with(pages, lang, ordered(env, what, *about))

    games = [
        ShownGame(
            game=game,
            picture=picture_of(env, game),
            about=_about(env, game),
            begin=mail("bot", game.title) if levels(game) else "",
            tries=house.settings.web.try_out and can_try(game),
        )
        for game in games_today()
    ]
    return pages.page(
        "club",
        lang,
        keep=_BRIEFLY,
        indexed=True,
        games=games,
        running=[pages.in_words(lang, one) for one in running],
        ended=[pages.in_words(lang, one) for one in ended],
        begin=mail("help"),
        open=mail("open_seats"),
        page=mail("page"),
        tries=house.settings.web.try_out,
        plainer=[game.title for game in games_today() if STRONG not in levels(game)],
        links=bool(house.settings.web.public_url),
        seats=[(one, mail("join", one.match.id)) for one in said],
        standings=best,
        tournaments=cups,
        checkpoint=point,
    )


def _about(env: Templates, game: AnyGame) -> str:
    text = env.get_template(f"games/{game.key}/about.txt.j2").render()
    return markup.to_text(text, _WIDTH).strip()


def _public_matches(conn: Connection, *, house: House) -> tuple[list[ShownMatch], ...]:
    """Those that run and those that are over, as many as are shown."""
    return tuple(
        list(islice(_shown(conn, house, status), _SHOWN))
        for status in (Status.RUNNING, Status.ENDED)
    )


def _shown(conn: Connection, house: House, status: Status) -> Iterator[ShownMatch]:
    for row in views.matches(conn, (status.value,), limit=_LOOKED_AT):
        found = find_match(conn, row.id, house.cache)
        if found is None or not found.match.is_public:
            continue
        house.cache.keep(found)
        match = found.match
        names = names_of(conn, match.table.players)
        yield ShownMatch(match=match, names=names, path=view_path(house, match.id))


def open_matches(conn: Connection, *, house: House) -> list[OpenMatch]:
    """The longest waiting first; those are left out that are nobody's business but the players'."""
    shown = []
    for row in views.open_matches(conn, _OFFERED):  # private ones must not hide the others
        found = find_match(conn, row.id, house.cache)
        if found is not None and not found.match.table.private:
            names = names_of(conn, found.match.table.players)
            shown.append(OpenMatch(match=found.match, names=names))
        if len(shown) == _SHOWN:
            break
    return _with_offerers(conn, shown, house.now())


def _with_offerers(conn: Connection, shown: list[OpenMatch], now: datetime) -> list[OpenMatch]:
    """Each with how reliable whoever offers the seat is."""
    offerers = [one.match.table.challenger for one in shown]
    people = [player for player in offerers if player is not None and not is_bot(player)]
    rows = roster.players(conn, people)
    reliable = standings.reliability(conn, [who for who in people if is_shown(rows[who])], now)
    return [
        replace(one, name=clean(rows[who].name, NAME), reliability=reliable[who])
        if who is not None and who in reliable
        else one
        for one, who in zip(shown, offerers, strict=True)
    ]


def _standings(conn: Connection, *, house: House) -> list[tuple[AnyGame, list[Listed]]]:
    """The best of each game that people play for ratings."""
    shown, now = [], house.now()
    for game in games_today():
        best = standings.best(conn, game.key, now, _BEST)
        rows = roster.players(conn, [one.player for one in best])
        listed = [
            Listed(
                place=place,
                name=clean(rows[one.player].name, NAME),
                path=profile_path(house, one.player) if is_shown(rows[one.player]) else "",
                rating=round(one.standing.rating.rating),
                give_or_take=round(one.standing.now(now).deviation),
                played=one.standing.played,
                won=one.standing.won,
            )
            for place, one in enumerate(best, 1)
        ]
        if listed:
            shown.append((game, listed))
    return shown


# --- icon ----------------------------------------------------------------------------------------
# The sign of the pages, where a browser shows one.

ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="6" fill="#1f5fa8"/>'
    '<path d="M4 9h24v15H4z" fill="#fff"/>'
    '<path d="M4 9l12 9 12-9" fill="none" stroke="#1f5fa8" stroke-width="2"/></svg>\n'
)


async def icon(_request: Request, _pages: Pages) -> Response:
    """The sign on the tab of a browser: a letter."""
    headers = {"Cache-Control": "public, max-age=86400"}
    return Response(ICON, media_type="image/svg+xml", headers=headers)


async def robots(_request: Request) -> Response:
    """Addresses with tokens are nobody's to list; the pages say so themselves, too.

    Invitations say so alone: messengers that obey this file would show nothing of their links.
    """
    kinds = (*(one for one in Purpose if one is not Purpose.JOIN), "try")
    kept = "\n".join(f"Disallow: /{kind}/" for kind in kinds)
    return PlainTextResponse(f"User-agent: *\n{kept}\n")
