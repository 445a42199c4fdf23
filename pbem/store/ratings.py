"""The ratings of players, updated match by match in the order of the log.

Ratings are a read model, which can be computed from the rows of the rated matches. The unit of work
that ends a rated match updates the ratings of its players. If a result is removed or changed later,
all ratings of the game are computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, true

from pbem.games import AnyGame, list_editions
from pbem.names import PlayerId
from pbem.ratings import SURE_DEVIATION, Rating, rate_match
from pbem.store.tables import MatchRow, PlayerRow, RatingRow, SeatRow

_MATCH = MatchRow.__table__  # type: ignore[attr-defined]
_PLAYER = PlayerRow.__table__  # type: ignore[attr-defined]
_RATING = RatingRow.__table__  # type: ignore[attr-defined]
_SEAT = SeatRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player's rating in a game, and the number of rated matches from which it was computed.

    `position` is the log position of the event that ended the last of these matches.
    """

    rating: Rating
    matches: int
    position: int


NO_RATING: Final = PlayerRating(Rating(), 0, 0)
"""The rating of a player who has no rated match."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A player's rating before and after a match."""

    before: Rating
    after: Rating


def enter_result(
    conn: Connection,
    game: AnyGame,
    players: Sequence[PlayerId],
    placings: Sequence[int],
    position: int,
) -> dict[PlayerId, RatingChange]:
    """Update the ratings of the players of a match by its result, and return the changes by player.

    Args:
        conn: The connection.
        game: The game that was played.
        players: The players by seat.
        placings: The players' places by seat; 1 is the best. Players with equal places have tied.
        position: The log position of the event that ended the match. It must be higher than the
            positions of all matches of this game that were entered before.
    """
    known = load_ratings(conn, game, players)
    before = {player: known.get(player, NO_RATING).rating for player in players}
    _enter(known, players, placings, position)
    _replace(conn, game, known, _RATING.c.player.in_(players))
    return {player: RatingChange(before[player], known[player].rating) for player in players}


def recompute_ratings(conn: Connection, game: AnyGame) -> None:
    """Compute all ratings of a game again from its rated matches, in the order of the log."""
    query = (
        select(_MATCH.c.rated_position, _MATCH.c.outcome, _SEAT.c.player)
        .join(_SEAT, _SEAT.c.match == _MATCH.c.id)
        .where(
            _MATCH.c.ruleset.in_(list_editions(game)),
            _MATCH.c.rated_position.is_not(None),
            _SEAT.c.seat.is_not(None),
        )
        .order_by(_MATCH.c.rated_position, _SEAT.c.seat)
    )
    known: dict[PlayerId, PlayerRating] = {}
    for position, group in groupby(conn.execute(query), key=lambda row: row.rated_position):
        seats = [*group]
        players = [PlayerId(seat.player) for seat in seats]
        _enter(known, players, seats[0].outcome["placings"], position)
    _replace(conn, game, known, true())


def _enter(
    known: dict[PlayerId, PlayerRating],
    players: Sequence[PlayerId],
    placings: Sequence[int],
    position: int,
) -> None:
    """Change the ratings in `known` to those that the players have after a match.

    `players` and `placings` have one item for each seat. `position` is the log position of the
    event that ended the match.
    """
    before = [known.get(player, NO_RATING) for player in players]
    after = rate_match([old.rating for old in before], placings)
    for player, old, rating in zip(players, before, after, strict=True):
        known[player] = PlayerRating(rating, old.matches + 1, position)


def _replace(
    conn: Connection,
    game: AnyGame,
    known: Mapping[PlayerId, PlayerRating],
    where: ColumnElement[bool],
) -> None:
    conn.execute(delete(_RATING).where(_RATING.c.game == game.key, where))
    rows = [
        {
            "player": player,
            "game": game.key,
            **asdict(entry.rating),
            "matches": entry.matches,
            "position": entry.position,
        }
        for player, entry in known.items()
    ]
    if rows:
        conn.execute(insert(_RATING), rows)


def load_ratings(
    conn: Connection, game: AnyGame, players: Iterable[PlayerId]
) -> dict[PlayerId, PlayerRating]:
    """Return the ratings of these players in a game; players without a rating are left out."""
    query = select(_RATING).where(_RATING.c.game == game.key, _RATING.c.player.in_([*players]))
    return {PlayerId(row.player): _read(row) for row in conn.execute(query)}


def list_player_ratings(conn: Connection, player: PlayerId) -> list[tuple[str, PlayerRating]]:
    """Return pairs of a game's key and the player's rating in that game, sorted by key."""
    query = select(_RATING).where(_RATING.c.player == player).order_by(_RATING.c.game)
    return [(row.game, _read(row)) for row in conn.execute(query)]


def list_ranked_players(
    conn: Connection, game: AnyGame, limit: int
) -> list[tuple[str, PlayerRating]]:
    """Return names and ratings of the players with the highest ratings in a game, highest first.

    At most `limit` players are returned. Players are left out if their deviation is above
    SURE_DEVIATION, or if their account was deleted.
    """
    query = (
        select(_PLAYER.c.name, _RATING)
        .join(_PLAYER, _PLAYER.c.id == _RATING.c.player)
        .where(
            _RATING.c.game == game.key,
            _RATING.c.deviation <= SURE_DEVIATION,
            _PLAYER.c.deleted_at.is_(None),
        )
        .order_by(_RATING.c.value.desc(), _RATING.c.position)
        .limit(limit)
    )
    return [(row.name, _read(row)) for row in conn.execute(query)]


def _read(row: Row[Any]) -> PlayerRating:
    rating = Rating(row.value, row.deviation, row.volatility)
    return PlayerRating(rating, row.matches, row.position)
