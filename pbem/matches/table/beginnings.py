"""Before the start: challenges, who accepts and declines, and the seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.fairness import PROTOCOL
from pbem.games import GAMES
from pbem.matches.chances import of_the_start, seats_draw
from pbem.matches.clocks.clock import NONE, time_control
from pbem.matches.commands import Accept, IssueChallenge, Join
from pbem.matches.events import (
    ChallengeClosed,
    ChallengeIssued,
    Event,
    InvitationDeclined,
    MatchStarted,
    SeatGivenUp,
    SeatTaken,
)
from pbem.matches.steps import Status
from pbem.matches.table.colours import chosen, seated_options
from pbem.names import PlayerId

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.matches.unfolding import Unfolding


def issue(command: IssueChallenge, unfolding: Unfolding) -> None:
    """Ask for a match. Raises Rejection for options or numbers of players that it cannot have."""
    if unfolding.match.status is not Status.NEW:
        raise Rejection("challenge_exists")
    game = GAMES[command.ruleset]
    seats = len(command.players) + command.open_seats
    if seats not in game.seats:
        raise Rejection(
            "wrong_number_of_players",
            game=game.title,
            players=seats,
            seats=list(game.seats),
        )
    control = time_control(command.time)
    if len(set(command.players)) != len(command.players):
        raise Rejection("player_twice")
    options = game.normal_options(command.options)
    game.initial(seats, options)  # refuses options that do not go together
    issued = ChallengeIssued(
        ruleset=command.ruleset,
        options=options,
        challenger=command.challenger,
        players=command.players,
        seats_drawn=command.rematch_of is None and game.draws_seats(options),
        commitment=command.commitment,
        links=command.links,
        protocol=PROTOCOL,
        secret_commitment=command.secret_commitment if game.secrets else "",
        rematch_of=command.rematch_of,
        open_seats=command.open_seats,
        private=command.private,
        time=str(control) if control is not None else NONE,
        stand_in=command.stand_in,
    )
    unfolding.happens(issued)
    _choose(command.colours, unfolding)


def _choose(colours: Mapping[PlayerId, str], unfolding: Unfolding) -> None:
    for player, colour in colours.items():
        unfolding.happens(*chosen(player, colour, unfolding.match))


def accept(command: Accept | Join, unfolding: Unfolding) -> None:
    """Take one's seat; the last one to do so starts the match."""
    match = unfolding.match
    _require_invitation(command.player, match)
    if command.player in match.waiting_for:
        _take(command, unfolding)
        return
    if not command.colour:
        raise Rejection("already_accepted")
    _choose({command.player: command.colour}, unfolding)


def join(command: Join, unfolding: Unfolding) -> None:
    """Take an open seat, or the one that is kept for oneself."""
    match = unfolding.match
    if match.status is Status.CHALLENGE and command.player in match.players:
        accept(command, unfolding)
        return
    if match.status is not Status.CHALLENGE or not match.open_seats:
        raise Rejection("no_open_seat", match=match.id)
    _take(command, unfolding)


def _take(command: Accept | Join, unfolding: Unfolding) -> None:
    taken = SeatTaken(player=command.player, words=command.words, letter=command.letter)
    unfolding.happens(taken)
    if command.colour:
        _choose({command.player: command.colour}, unfolding)
    if unfolding.match.is_full:
        _start(unfolding)


def _start(unfolding: Unfolding) -> None:
    match = unfolding.match
    unfolding.chances = of_the_start(match, unfolding.chances)
    order = match.players
    if match.seats_drawn:
        order = tuple(order[number] for number in unfolding.draw(seats_draw(len(order))))
    options = seated_options(match, order)
    unfolding.happens(MatchStarted(ruleset=match.ruleset, options=options, players=order))
    unfolding.follow()


def decline(player: PlayerId, match: Match) -> list[Event]:
    """Refuse an invitation, or give an open seat back; the challenger withdraws the whole."""
    _require_invitation(player, match)
    if player == match.challenger:
        return [ChallengeClosed(reason="withdrawn")]
    if player not in match.invited:
        return [SeatGivenUp(player=player)]
    return [InvitationDeclined(player=player), ChallengeClosed(reason="declined")]


def expire(match: Match) -> list[Event]:
    """Close a challenge that nobody has completed in time."""
    _require_challenge(match)
    return [ChallengeClosed(reason="expired")]


def _require_invitation(player: PlayerId, match: Match) -> None:
    if player not in match.players:
        raise Rejection("not_invited")
    _require_challenge(match)


def _require_challenge(match: Match) -> None:
    if match.status is Status.OFF:
        raise Rejection("challenge_off")
    if match.status is not Status.CHALLENGE:
        raise Rejection("match_has_started")
