"""A player's page, with a card for each open match and for the newest ended matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.bots.levels import list_levels
from pbem.games import AnyGame, list_games
from pbem.names import MatchId, PlayerId
from pbem.notifications.rendering import Rendering
from pbem.service.links import find_player, link_seat
from pbem.store import matches
from pbem.store.tables import PlayerRow
from pbem.web.boards import BoardPicture, draw_board
from pbem.web.examples import link_new_game
from pbem.web.loading import load_match_for_player
from pbem.web.rendering import Web, find_web, show

MAX_ENDED: Final = 6  # ended matches that the page shows, the newest ones
ENDED: Final = "ended"


@dataclass(frozen=True, slots=True)
class Card:
    """A match on a player's page.

    `words` renders the texts about the match. `board` is None without a picture. `address` is the
    path of the page on which the player plays the match; it is empty if the player has no seat.
    """

    words: Rendering
    board: BoardPicture | None
    address: str


async def show_player(request: Request) -> Response:
    """Return a player's page. Matches in which it is the player's turn come first."""
    web = find_web(request)

    def load(conn: Connection) -> Response:
        player = find_player(conn, web.app, request.path_params["tag"])
        if player is None or player.banned_at is not None or player.deleted_at is not None:
            raise HTTPException(404)
        player_id = PlayerId(player.id)
        rows = [row for row in matches.list_all_matches(conn, player_id) if row.status == ENDED]
        ended = [MatchId(row.id) for row in reversed(rows[-MAX_ENDED:])]
        cards = [
            _make_card(request, conn, player, match_id)
            for match_id in matches.list_open_matches(conn, player_id)
        ]
        cards.sort(key=lambda card: not _is_turn(card))
        return show(
            request,
            "player",
            language=player.language,
            timezone=ZoneInfo(player.timezone),
            is_private=True,
            player_name=player.name,
            cards=cards,
            ended=[_make_card(request, conn, player, match_id) for match_id in ended],
            waiting=sum(map(_is_turn, cards)),
            new_games=[
                (game, _link_new_games(web, game, player.language)) for game in list_games()
            ],
        )

    return await web.app.database.read(load)


def _link_new_games(web: Web, game: AnyGame, language: str) -> dict[str, str]:
    """Return mailto links that begin a match, by opponent: a bot's level, or "" for a friend."""
    players = {"": "link"} | {level: f"with {level} bot" for level in list_levels(game)}
    return {level: link_new_game(web, game, named, language) for level, named in players.items()}


def _is_turn(card: Card) -> bool:
    view = card.words.view.match
    return view is not None and view.is_reader_to_move and view.scheduled is None


def _make_card(request: Request, conn: Connection, player: PlayerRow, match_id: MatchId) -> Card:
    web, player_id = find_web(request), PlayerId(player.id)
    match = load_match_for_player(conn, web.app, web.matches, match_id, player_id)
    words = web.app.make_player_rendering(match.view, player)
    seat = match.record.find_seat(player_id)
    return Card(
        words=words,
        board=draw_board(match.view.draw_board, words, "") if match.view.names else None,
        address=link_seat(web.app, seat).removeprefix(web.app.site.web_address) if seat else "",
    )


routes = [Route("/player/{tag}", show_player)]
