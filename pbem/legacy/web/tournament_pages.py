"""The page of a tournament: how its seasons stand, what was played, and how one enters."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from pbem.games import GAMES
from pbem.legacy.mail.addresses import tournament_path
from pbem.names import MatchId, PlayerId, TournamentId
from pbem.legacy.notices.rendering.filters import named_in
from pbem.legacy.notices.seasons import rounds_shown, shown
from pbem.legacy.notices.views.clean import NAME, clean
from pbem.legacy.notices.views.standings import part, reckoned, round_view, table_view
from pbem.legacy.store import tournaments as lists
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.profiles import is_shown
from pbem.legacy.web.access import view_path
from pbem.legacy.web.answers import Fault
from pbem.legacy.web.match_pages import number_of
from pbem.legacy.web.profile_pages import profile_path
from pbem.legacy.web.rules_pages import mail_with, ordered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.games import AnyGame
    from pbem.legacy.notices.tournaments import GroupShown
    from pbem.legacy.notices.views.standings import RoundView, TableView
    from pbem.legacy.store.tournaments import TournamentRow
    from pbem.legacy.tournaments.tournament import Season, Table, Tournament
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.web.answers import Pages

LAST: Final = 30
"""Tables of a ladder that its page has, the newest; it has no end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownTable:
    """A match of a tournament: who plays, where it is seen (empty before it begins), what came.

    `placed` has place and name, the best first. `why` is that of the table, empty as long as it is
    not over. On a ladder `mover` went up by `moved` places for it.
    """

    names: tuple[str, ...]
    path: str
    match: str
    placed: tuple[tuple[int, str], ...]
    why: str
    mover: str = ""
    moved: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownGroup:
    """A group with its table, and by rows where their players' pages are.

    `sums` are name, Sonneborn-Berger and how that is reckoned, where it decided something.
    """

    view: TableView
    paths: tuple[str, ...]
    sums: tuple[tuple[str, str, str], ...]
    played: tuple[ShownTable, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownSeason:
    """A season; `rounds` are those of a cup, beside the path of each of their matches."""

    number: int
    ended: bool
    until: str
    groups: tuple[ShownGroup, ...]
    rounds: tuple[tuple[RoundView, tuple[str, ...]], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """A tournament with the season that was asked for, and what is known of people."""

    one: Tournament
    season: Season | None
    names: dict[PlayerId, str]
    pages: Mapping[PlayerId, str]


async def tournament_page(request: Request, pages: Pages) -> Response:
    """How a tournament stands, or stood after one of its seasons."""
    house, lang = pages.house, pages.lang_of(request)
    name, given = request.path_params["name"], "season" in request.path_params
    number = number_of(request, "season") if given else 0
    if number is None:
        raise Fault("no_page")
    unit = partial(_found, house=house, name=TournamentId(name.casefold()), number=number)
    found = await asyncio.wrap_future(house.db.read(unit))
    if found is None:
        raise Fault("no_page")
    env, one = pages.templates(lang), found.one
    names = named_in(env, found.names)
    bank, increment, cap = (int(hours) * 3600 for hours in one.opened.time.split("/"))
    return pages.page(
        "tournament",
        lang,
        one=one,
        game=GAMES[one.opened.ruleset],
        time={"bank": bank, "increment": increment, "cap": cap},
        season=_season(house, found, names) if found.season is not None else None,
        others=[
            (season.number, tournament_path(one.id, season.number))
            for season in reversed(one.seasons)
            if season is not found.season
        ],
        enter="" if one.closed else mail_with(pages, lang, ordered(env, "enter", one.id)),
    )


def _found(conn: Connection, *, house: House, name: TournamentId, number: int) -> _Found | None:
    loaded = house.tournaments.load(conn, name)
    if loaded is None:
        return None
    one = loaded[0]
    season = one.season_of(number or len(one.seasons))
    if number and season is None:
        return None
    people = {*one.order, *one.entered}
    if season is not None:
        people.update(season.players, *(table.players for table in season.tables.values()))
    rows = roster.players(conn, sorted(people))
    return _Found(
        one=one,
        season=season,
        names={
            player: clean(rows[player].name if player in rows else "?", NAME) for player in people
        },
        pages={who: profile_path(house, who) for who, row in rows.items() if is_shown(row)},
    )


def _season(house: House, found: _Found, names: Mapping[PlayerId, str]) -> ShownSeason:
    one, season = found.one, found.season
    if season is None:
        raise ValueError("no season has begun")
    cup = one.opened.kind == "cup"
    return ShownSeason(
        number=season.number,
        ended=season.ended,
        until=season.until.isoformat() if season.until is not None else "",
        groups=tuple(_group(house, found, season, group, names) for group in shown(one, season)),
        rounds=tuple(
            (
                round_view(each, names),
                tuple(
                    view_path(house, MatchId(pair.match)) if pair.match else ""
                    for pair in each.pairs
                ),
            )
            for each in reversed(rounds_shown(season) if cup else ())
        ),
    )


def _group(
    house: House, found: _Found, season: Season, group: GroupShown, names: Mapping[PlayerId, str]
) -> ShownGroup:
    view = table_view(group, names)
    tables = [table for table in season.tables.values() if table.group == group.number]
    if found.one.opened.kind == "ladder":
        tables = sorted(tables, key=lambda table: (table.ended, -table.number))[:LAST]
    return ShownGroup(
        view=view,
        paths=tuple(found.pages.get(row.player, "") for row in group.rows),
        sums=tuple(
            (shown_row.name, part(row.berger, 4), reckoned(row, group))
            for row, shown_row in zip(group.rows, view.rows, strict=True)
            if view.weighed and row.points
        ),
        played=()
        if found.one.opened.kind == "cup"
        else tuple(_played(house, table, names) for table in tables),
    )


def _played(house: House, table: Table, names: Mapping[PlayerId, str]) -> ShownTable:
    called = tuple(names[player] for player in table.players)
    return ShownTable(
        names=called,
        path=view_path(house, table.match) if table.match is not None else "",
        match=table.match or "",
        placed=tuple(sorted(zip(table.placings, called, strict=False))),
        why=table.why,
        mover="" if table.mover is None else names.get(table.mover, "?"),
        moved=table.moved,
    )


# --- lists ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedTournament:
    """A tournament as the club's page lists it."""

    row: TournamentRow
    game: AnyGame
    path: str


def listed(conn: Connection) -> list[ListedTournament]:
    """All that are not closed."""
    return [
        ListedTournament(row=row, game=GAMES[row.ruleset], path=tournament_path(row.id))
        for row in lists.listed(conn)
    ]
