"""The page of a player: ratings with their course, reliability, the last public matches."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from pbem.games.drawing.svg import element, number
from pbem.legacy.mail.addresses import PageLink, Purpose, page_path, read_page_token, tournament_path
from pbem.names import PlayerId
from pbem.legacy.notices.views.clean import NAME, clean
from pbem.legacy.store import standings
from pbem.legacy.store.people import roster
from pbem.legacy.store.tournaments import entries_of
from pbem.legacy.transaction.profiles import profile
from pbem.legacy.web.access import names_of, view_path
from pbem.legacy.web.answers import Fault
from pbem.legacy.web.rules_pages import game_today

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Connection
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.games import AnyGame
    from pbem.legacy.matches.match import Match
    from pbem.legacy.standing.book import Reliability
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transaction.profiles import Profile
    from pbem.legacy.web.answers import Pages

PICTURED: Final = 200
"""Rated matches of a game whose ratings a picture has, the newest."""

LEAST: Final = 2
"""Ratings of which there is something to be seen."""


def profile_path(house: House, player: PlayerId) -> str:
    """Where everybody may look at how somebody plays."""
    return page_path(house.keys, PageLink(Purpose.PROFILE, player))


# --- page ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownRating:
    """A rating in a game, in whole points, its place in the list or 0, and how it came about."""

    game: AnyGame
    place: int
    rating: int
    give_or_take: int
    played: int
    won: int
    first: int
    highest: int
    picture: Markup


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownResult:
    """A match that is over, who came where, and the rating after it, or 0."""

    match: Match
    names: tuple[str, ...]
    ended: datetime
    path: str
    rating: int

    @property
    def placed(self) -> list[tuple[int, str]]:
        """The best first."""
        outcome = self.match.course.outcome
        return sorted(zip(outcome.placings, self.names, strict=False)) if outcome else []


@dataclass(frozen=True, kw_only=True, slots=True)
class _Shown:
    name: str
    since: datetime
    reliability: Reliability
    ratings: tuple[ShownRating, ...]
    results: tuple[ShownResult, ...]
    tournaments: Sequence[tuple[str, str]]


async def profile_page(request: Request, pages: Pages) -> Response:
    """How somebody plays, as everybody may see it; none of who does not want that, or is gone."""
    token = request.path_params["token"]
    unit = partial(_shown, house=pages.house, token=token)
    shown = await asyncio.wrap_future(pages.house.db.read(unit))
    if shown is None:
        raise Fault("no_page")
    lang = pages.lang_of(request)
    return pages.page(
        "profile",
        lang,
        shown=shown,
        results=[pages.in_words(lang, one) for one in shown.results],
    )


def _shown(conn: Connection, *, house: House, token: str) -> _Shown | None:
    link = read_page_token(house.keys, Purpose.PROFILE, token)
    row = roster.player(conn, PlayerId(link.name)) if link is not None else None
    found = profile(conn, house, row) if row is not None else None
    if found is None:
        return None
    return _Shown(
        name=clean(found.row.name, NAME),
        since=found.row.created_at,
        reliability=found.reliability,
        ratings=tuple(_ratings(conn, house, found)),
        results=tuple(
            ShownResult(
                match=match,
                names=names_of(conn, match.table.players),
                ended=one.ended_at,
                path=view_path(house, match.id),
                rating=round(one.rating.rating) if one.rating is not None else 0,
            )
            for match, one in found.last
        ),
        tournaments=[
            (entry.tournament, tournament_path(entry.tournament))
            for entry in entries_of(conn, found.row.id)
        ],
    )


def _ratings(conn: Connection, house: House, found: Profile) -> Iterator[ShownRating]:
    now = house.now()
    for key, one in found.standings.items():
        game = game_today(key)
        if game is None:
            continue
        course = [
            (ended.ended_at, ended.rating.rating)
            for ended in reversed(standings.ended(conn, found.row.id, game=key, limit=PICTURED))
            if ended.rating is not None
        ]
        ratings = [rating for _, rating in course] or [one.rating.rating]
        yield ShownRating(
            game=game,
            place=found.places[key] or 0,
            rating=round(one.rating.rating),
            give_or_take=round(one.now(now).deviation),
            played=one.played,
            won=one.won,
            first=round(ratings[0]),
            highest=round(max(ratings)),
            picture=Markup(curve(course)) if len(course) >= LEAST else Markup(),  # noqa: S704 - numbers and dates alone
        )


# --- picture -------------------------------------------------------------------------------------
# The rating after each rated match, over time, in the colours of the page.

_WIDE: Final = 340
_HIGH: Final = 120
_LEFT: Final = 40
_ROOM: Final = 40
"""Points above the highest and below the lowest rating."""

_STEPS: Final = (25, 50, 100, 200, 500)
_LINES: Final = 4
"""Points between two lines of the ground, of which there are no more."""


def curve(course: Sequence[tuple[datetime, float]]) -> str:
    """A line through ratings, the oldest first, on a ground with numbers and two dates."""
    ratings = [rating for _, rating in course]
    low, high = min(ratings) - _ROOM, max(ratings) + _ROOM
    first, last = course[0][0], course[-1][0]
    length = (last - first).total_seconds() or 1.0

    def height(rating: float) -> float:
        return _HIGH * (high - rating) / (high - low)

    def place(at: datetime) -> float:
        return _LEFT + (_WIDE - _LEFT) * (at - first).total_seconds() / length

    step = next((one for one in _STEPS if (high - low) / one <= _LINES), _STEPS[-1])
    body = []
    for rating in range(int(low // step + 1) * step, int(high) + 1, step):
        y = height(rating)
        body.append(element("line", x1=_LEFT, y1=y, x2=_WIDE, y2=y, class_="ground"))
        body.append(_text(_LEFT - 6, y + 4, str(rating), "end"))
    body.append(_text(_LEFT, _HIGH + 16, f"{first:%Y-%m-%d}", "start"))
    body.append(_text(_WIDE, _HIGH + 16, f"{last:%Y-%m-%d}", "end"))
    points = "L".join(f"{number(place(at))} {number(height(rating))}" for at, rating in course)
    body.append(element("path", d=f"M{points}", class_="rating"))
    size = f"0 -8 {_WIDE + 4} {_HIGH + 30}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}">{"".join(body)}</svg>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{words}</text>'
