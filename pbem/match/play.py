"""Moves and standing orders, from the text that a player typed to the events that record them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.match.events import MatchEvent, MovePlayed, Source, StandingOrderGiven
from pbem.match.state import Match, require_playing, require_running, require_seat
from pbem.match.timing import bank_after_move
from pbem.names import PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class SubmittedMove:
    """A move as a player submitted it.

    `text` is what the player typed, or canonical notation. `received` is when the mailbox or page
    received the move. `message_hash` is the hash of the email or page command that contained the
    move; empty if there was none. Random draws depend on this hash.
    """

    text: str
    source: Source
    received: datetime
    message_hash: str = ""


def require_turn(match: Match, player: PlayerId) -> Seat:
    """Return the player's seat, after checking that it is the player's turn.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat`, `rules_missing` or
            `not_your_turn`.
    """
    require_running(match)
    seat = require_seat(match, player)
    if match.game.is_missing:
        raise Rejection("rules_missing", game=match.game.title)
    if seat not in match.to_move:
        raise Rejection("not_your_turn", match=match.id, seats=list(match.to_move))
    return seat


def read_move(match: Match, player: PlayerId, text: str) -> str:
    """Return the canonical notation of the move that `text` means, after checking that it is legal.

    Raises:
        Rejection: A code of `require_turn`, or the game's code for an unreadable, incomplete,
            ambiguous or illegal move.
    """
    seat = require_turn(match, player)
    move = match.game.parse(text, match.position, seat)
    # This raises a Rejection if the move is illegal, without using hidden information.
    match.game.try_move(match.position, move, seat)
    return match.game.notation(move)


def play_move(
    match: Match, player: PlayerId, move: SubmittedMove, now: datetime
) -> list[MatchEvent]:
    """Return the event of a player's move, after checking that the move is legal.

    Raises:
        Rejection: It is not this player's turn, or the move is unreadable or illegal; the code
            names the reason.
    """
    seat = require_turn(match, player)
    notation = read_move(match, player, move.text)
    return [
        MovePlayed(
            at=now,
            seat=seat,
            ply=Ply(match.ply + 1),
            notation=notation,
            source=move.source,
            received=move.received,
            message_hash=move.message_hash,
            bank=bank_after_move(match, seat, move.source, move.received),
        )
    ]


def give_standing_order(
    match: Match, player: PlayerId, text: str, now: datetime
) -> list[MatchEvent]:
    """Return the event of a player's standing order, or no event if the order is already in force.

    A standing order instructs the server how to make a certain choice each time the player has it.
    `text` is the order as the player typed it.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat`, `seat_out`,
            `no_standing_order`, or the game's code for an order that it cannot read.
    """
    seat = require_playing(match, player)
    order = match.game.parse_standing_order(text)
    if order is None:
        raise Rejection("no_standing_order", typed=text, game=match.game.title)
    if match.standing_orders.get(seat) == order:
        return []
    return [StandingOrderGiven(at=now, seat=seat, order=order)]
