"""Pages about ratings, tournaments and players.

    /ratings, /ratings/logger
    /tournaments, /tournament/spring-league
    /people/Ann

Every player name on a page is a link to `/people/NAME`. So this page also exists for bots, for
players who have never finished a match, and for the name that replaces the names of players who
have left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pbem.games import GAMES, AnyGame, find_newest, list_games
from pbem.names import PlayerId, TournamentId, is_bot
from pbem.service.tournaments import StandingsView, view_standings, view_tournaments
from pbem.store import players, ratings, tournaments
from pbem.store.ratings import PlayerRating
from pbem.store.tournaments import TournamentMatch
from pbem.tournaments import Standing
from pbem.web.examples import link_command, link_new_game, require_game
from pbem.web.loading import list_public_matches
from pbem.web.rendering import choose_language, find_web, show
from pbem.web.words import make_visitor_rendering

MAX_RANKED: Final = 50  # players that the page of one game ranks
MAX_BEST: Final = 5  # players of each game, if all games are listed
MAX_MATCHES: Final = 20  # matches on the page of a player


@dataclass(frozen=True, slots=True)
class Cell:
    """A match in a table: its code, and the score of the row's player (None while it runs)."""

    code: str
    score: float | None


@dataclass(frozen=True, slots=True)
class TableRow:
    """The row of a player in the table of a group.

    `cells` has one item for each player of the group, in the order of the table: the matches
    between that player and the player of the row.
    """

    standing: Standing
    name: str
    cells: list[list[Cell]]


# --- ratings -------------------------------------------------------------------------------------


async def show_ratings(request: Request) -> Response:
    """Return the page with the players who have the highest ratings, in one game or in each."""
    is_one = "key" in request.path_params
    games = [require_game(request)] if is_one else list_games()
    limit = MAX_RANKED if is_one else MAX_BEST

    def load(conn: Connection) -> list[tuple[AnyGame, list[tuple[str, PlayerRating]]]]:
        return [(game, ratings.list_ranked_players(conn, game, limit)) for game in games]

    tables = await find_web(request).app.database.read(load)
    language = choose_language(request)
    starts = [(game, link_new_game(find_web(request), game, "open", language)) for game in games]
    return show(request, "ratings", tables=tables, is_one=is_one, starts=starts)


# --- tournaments ---------------------------------------------------------------------------------


async def show_tournaments(request: Request) -> Response:
    """Return the page with the newest tournaments."""
    app = find_web(request).app
    views = await app.database.read(lambda conn: view_tournaments(conn, None))
    return show(request, "tournaments", tournaments=views)


async def show_tournament(request: Request) -> Response:
    """Return the page of a tournament: its tables, or the entered players before the start."""
    web = find_web(request)
    name = TournamentId(request.path_params["name"].lower())

    def load(conn: Connection) -> Response:
        row = tournaments.find_tournament(conn, name)
        if row is None:
            raise HTTPException(404)
        view = view_standings(conn, name)
        return show(
            request,
            "tournament",
            words=make_visitor_rendering(request),
            tournament=row,
            game=GAMES[row.ruleset],
            names=[*view.names.values()],
            groups=_make_tables(view, tournaments.list_matches(conn, name)),
            enter=link_command(web, f"enter {row.name}", choose_language(request)),
        )

    return await web.app.database.read(load)


def _make_tables(view: StandingsView, matches: Sequence[TournamentMatch]) -> list[list[TableRow]]:
    """Return the tables of all groups, in which each match is in the rows of both its players."""
    cells: dict[tuple[PlayerId, PlayerId], list[Cell]] = {}
    for match in matches:
        first, second = match.players
        other_score = None if match.score is None else 1 - match.score
        cells.setdefault((first, second), []).append(Cell(match.id, match.score))
        cells.setdefault((second, first), []).append(Cell(match.id, other_score))
    return [
        [
            TableRow(
                row,
                view.names[row.player],
                [cells.get((row.player, column.player), []) for column in group],
            )
            for row in group
        ]
        for group in view.groups
    ]


# --- players -------------------------------------------------------------------------------------


async def show_person(request: Request) -> Response:
    """Return the public page of a player. Without a name, redirect to the ratings."""
    web, name = find_web(request), request.path_params["name"]
    language = choose_language(request)
    if not name:
        return RedirectResponse("/ratings")

    def load(conn: Connection) -> Response:
        player = players.find_by_public_name(conn, name)
        if player is None:
            # Players who have left stay in tables and matches under this name.
            status = 200 if name == players.DELETED_NAME else 404
            return show(request, "nobody", status=status, name=name)
        player_id = PlayerId(player.id)
        player_ratings = ratings.list_player_ratings(conn, player_id)
        matches = list_public_matches(
            conn, web.app, web.matches, language, limit=MAX_MATCHES, player=player_id
        )
        games = [(find_newest(key), rating) for key, rating in player_ratings]
        return show(
            request,
            "person",
            words=make_visitor_rendering(request),
            player=player,
            is_bot=is_bot(player_id),
            ratings=[(game, rating) for game, rating in games if game is not None],
            matches=[match.view for match in matches],
            entered=tournaments.list_entered(conn, player_id),
            invitations=[
                (game, link_new_game(web, game, f"with {player.name}", language))
                for game in list_games()
            ],
        )

    return await web.app.database.read(load)


routes = [
    Route("/ratings", show_ratings),
    Route("/ratings/{key}", show_ratings),
    Route("/tournaments", show_tournaments),
    Route("/tournament/{name}", show_tournament),
    Route("/people/{name:path}", show_person),
]
