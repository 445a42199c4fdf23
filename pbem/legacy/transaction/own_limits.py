"""How many running matches a player accepts, by their own wish (`limit N`): is there room?

Matches count in which somebody waits: those that run, and challenges that the player has accepted.
Where nobody but bots sits beside them nobody waits, and such matches neither count nor are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import OPEN
from pbem.names import is_only_bots
from pbem.legacy.players.wishes import matches_limit, wished
from pbem.legacy.store import views

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.names import PlayerId
    from pbem.legacy.store.views import MatchRow
    from pbem.legacy.transaction.unit import Unit


LIMIT: Final = "limit"
"""The wish; who has never chosen it need not be asked for room."""


def has_room(unit: Unit, player: PlayerId) -> bool:
    """Whether a player accepts one more match with people in it, as far as their limit goes."""
    return _full_at(unit, player) is None


def require_own_room(unit: Unit) -> None:
    """The sender takes part in one more match. Raises Rejection `own_limit`."""
    limit = _full_at(unit, unit.sender)
    if limit is not None:
        raise Rejection("own_limit", limit=limit)


def require_room_beside(unit: Unit, players: Sequence[PlayerId], *, open_seats: int = 0) -> None:
    """The same for a match of the sender's own: where nobody but bots sits in it, nobody waits."""
    if open_seats or not is_only_bots([one for one in players if one != unit.sender]):
        require_own_room(unit)


def _full_at(unit: Unit, player: PlayerId) -> int | None:
    """The limit of a player who has as many matches as it lets them; None where there is room."""
    limit = matches_limit(wished(unit.player(player).wishes, LIMIT))
    if limit is None:
        return None
    rows = views.matches_of(unit.conn, player, OPEN)
    return limit if sum(_counts(unit, row, player) for row in rows) >= limit else None


def _counts(unit: Unit, row: MatchRow, player: PlayerId) -> bool:
    if is_only_bots([one for one in row.players if one != player]) and not row.open_seats:
        return False
    if row.status == Status.CHALLENGE:
        return player not in row.to_act
    found = unit.found(row.id)
    return found is None or found.match.seat_of(player) not in found.match.table.left
