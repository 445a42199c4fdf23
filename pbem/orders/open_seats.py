"""Seats for anybody: the list of those that are open, and taking one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.addresses import without_tags
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.names import is_bot
from pbem.notices.replies import OpenSeat, OpenSeatsListed
from pbem.orders.unbound_letters import tell_unbound
from pbem.store import views
from pbem.transaction.installation import load_player
from pbem.transaction.rate_limits import require_few_joins, require_room_to_play

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.errors import Facts
    from pbem.mail.free_text.order_lines import TypedOrder
    from pbem.matches.match import Match
    from pbem.names import MatchId, PlayerId
    from pbem.transaction.transaction import Taking

LOOKED_AT: Final = 100
LISTED: Final = 20


def list_open(taking: Taking) -> None:
    """Answer with the seats that the sender may take."""
    rows = [
        row
        for row in views.open_matches(taking.conn, LOOKED_AT)
        if taking.actor not in row.players and not is_unwelcome(taking, row.players)
    ]
    seats = [
        OpenSeat(match=row.id, since=row.waiting_since.isoformat() if row.waiting_since else "")
        for row in rows[:LISTED]
    ]
    taking.answer(OpenSeatsListed(seats=tuple(seats)))


def join(taking: Taking, typed: TypedOrder, name: MatchId, words: str, colour: str = "") -> None:
    """Take an open seat. Raises Rejection.

    A match that there is not, one that is full, and one where somebody has blocked the sender are
    told with the same words.
    """
    found = taking.found(name)
    stranger = is_stranger(taking, name)
    if found is None or (stranger and is_unwelcome(taking, found.match.players)):
        raise Rejection("no_open_seat", match=name)
    require_room_to_play(taking)
    if stranger:
        require_few_joins(taking)
    words = without_tags(taking.house.keys, words)  # everybody reads them in the record
    after = taking.decide(
        name,
        commands.Join(player=taking.sender, words=words, letter=taking.letter, colour=colour),
    )
    _seated(taking, typed, after, "joined")
    tell_unbound(taking, name)


def accept(taking: Taking, typed: TypedOrder, name: MatchId, words: str, colour: str = "") -> None:
    """Take the seat that one is invited to, or choose a colour for the one that one has."""
    waited = taking.sender in taking.match(name).waiting_for
    if waited:
        require_room_to_play(taking)
    words = without_tags(taking.house.keys, words)
    after = taking.decide(
        name,
        commands.Accept(player=taking.sender, words=words, letter=taking.letter, colour=colour),
    )
    if not waited:
        taking.done(typed.typed, "colour_chosen", _colour(after, taking.sender))
        return
    _seated(taking, typed, after, "accepted")
    tell_unbound(taking, name)


def _seated(taking: Taking, typed: TypedOrder, after: Match, waits: str) -> None:
    """Account for a seat that was taken."""
    begun = after.status is Status.RUNNING
    taking.done(typed.typed, "begun" if begun else waits, _colour(after, taking.sender))


def _colour(match: Match, player: PlayerId) -> Facts:
    """The colour that somebody has chosen, if so."""
    return {"colour": match.colours.get(player, "")}


def is_unwelcome(taking: Taking, players: Iterable[PlayerId]) -> bool:
    """Whether one of these players has blocked the sender."""
    people = (player for player in players if not is_bot(player))
    return any(taking.actor in load_player(taking.conn, player).blocked for player in people)


def is_stranger(taking: Taking, name: MatchId) -> bool:
    """Whether the sender is not in a match, or there is none of that name."""
    return taking.found(name) is None or taking.actor not in taking.match(name).players
