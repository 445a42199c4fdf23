"""Orders that show who stands where, and what has come of all matches of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.games import GAMES, newest
from pbem.games.naming import game_named
from pbem.legacy.mail.letter import is_address
from pbem.legacy.mail.verbs.club import ShowProfile, ShowRatings, ShowStatistics
from pbem.legacy.notices.personal import ProfileShown, Rated, RatingsShown, Result, StatisticsShown
from pbem.legacy.orders.handlers.challenges import player_named
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.store import standings
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.profiles import profile
from pbem.legacy.transaction.statistics import statistics_of

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.names import PlayerId
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.standing.book import Standing
    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.transaction.transaction import Transaction

LISTED: Final = 25
HEADS: Final = 5
"""Players who are shown of the list of a game, and of each list where all are shown."""


@carries_out(ShowRatings, Power.READ)
def show_ratings(txn: Transaction, _: LetterContext, typed: TypedOrder, order: ShowRatings) -> None:
    """Show who is how good at a game, or where the sender stands in each of them."""
    keys = [game_named(order.game).key] if order.game else _games()
    most = LISTED if order.game else HEADS
    listed = [
        _rated(key, one.player, one.standing, place, txn.now)
        for key in keys
        for place, one in enumerate(standings.best(txn.conn, key, txn.now, most), 1)
    ]
    own = standings.standings_of(txn.conn, txn.sender)
    mine = [
        _rated(
            key, txn.sender, own[key], standings.rank(txn.conn, key, txn.sender, txn.now), txn.now
        )
        for key in keys
        if key in own
    ]
    txn.answer(
        RatingsShown(
            player=txn.sender,
            game=keys[0] if order.game else "",
            listed=tuple(listed),
            own=tuple(mine),
            most=most,
        )
    )
    txn.done(typed.typed, "shown")


@carries_out(ShowProfile, Power.READ)
def show_profile(txn: Transaction, _: LetterContext, typed: TypedOrder, order: ShowProfile) -> None:
    """Show how somebody plays: of others what is public, of the sender all of it.

    Whether there is nobody of that name, or nothing to see of them, the answer does not tell.
    """
    row = _named(txn, order.player)
    own = row is not None and row.id == txn.sender
    found = profile(txn.conn, txn.house, row, own=own) if row is not None else None
    if found is None:
        raise Rejection("no_profile", player=order.player)
    person = found.row.id
    txn.answer(
        ProfileShown(
            player=person,
            own=own,
            since=found.row.created_at.isoformat(),
            ratings=tuple(
                _rated(key, person, one, found.places[key], txn.now)
                for key, one in found.standings.items()
            ),
            over=found.reliability.matches,
            in_time=found.reliability.in_time,
            lost=found.reliability.lost,
            new=found.reliability.is_new,
            last=tuple(
                Result(
                    match=match.id,
                    ended=one.ended_at.isoformat(),
                    rating=round(one.rating.rating) if one.rating is not None else 0,
                )
                for match, one in found.last
            ),
        )
    )
    txn.done(typed.typed, "shown")


@carries_out(ShowStatistics, Power.READ)
def show_statistics(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: ShowStatistics
) -> None:
    """Show results, lengths and first moves of a game's public matches, or of those of each."""
    keys = [game_named(order.game).key] if order.game else _games()
    games = [game for key in keys if (game := newest(key)) is not None]
    told = tuple(one for game in games for one in statistics_of(txn.conn, game))
    txn.answer(StatisticsShown(game=keys[0] if order.game else "", told=told))
    txn.done(typed.typed, "shown")


def _named(txn: Transaction, name: str) -> PlayerRow | None:
    """Whom a name means; with none, the sender. By an address nobody is shown."""
    if not name:
        return roster.player(txn.conn, txn.sender)
    if is_address(name):
        return None
    try:
        return player_named(txn, name)
    except Rejection:
        return None


def _games() -> list[str]:
    return list(dict.fromkeys(game.key for game in GAMES.values()))


def _rated(game: str, player: PlayerId, one: Standing, place: int | None, now: datetime) -> Rated:
    return Rated(
        game=game,
        player=player,
        place=place or 0,
        rating=round(one.rating.rating),
        give_or_take=round(one.now(now).deviation),
        played=one.played,
        won=one.won,
    )
