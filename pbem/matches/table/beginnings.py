"""Before the start: challenges, who accepts and declines, and the seats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.matches.chances import Chances, draw, of_the_start, seats_draw
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
from pbem.matches.following import follow
from pbem.matches.match import Match, Status, evolve
from pbem.matches.table.colours import chosen, seated_options
from pbem.names import PlayerId


def issue(command: IssueChallenge, match: Match) -> list[Event]:
    """Ask for a match. Raises Rejection for options or numbers of players that it cannot have."""
    if match.status is not Status.NEW:
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
    control = time_control(command.time, hard=command.hard_time)
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
        protocol=command.protocol,
        secret_commitment=command.secret_commitment if game.secrets else "",
        rematch_of=command.rematch_of,
        open_seats=command.open_seats,
        private=command.private,
        time=str(control) if control is not None else NONE,
        hard_time=command.hard_time and control is not None,
    )
    return _with_colours([issued], evolve(match, issued), command.colours)


def _with_colours(
    events: list[Event], match: Match, colours: Mapping[PlayerId, str]
) -> list[Event]:
    for player, colour in colours.items():
        for choice in chosen(player, colour, match):
            events, match = [*events, choice], evolve(match, choice)
    return events


def accept(command: Accept | Join, match: Match, chances: Chances | None) -> list[Event]:
    """Take one's seat; the last one to do so starts the match."""
    _require_invitation(command.player, match)
    if command.player not in match.waiting_for:
        if not command.colour:
            raise Rejection("already_accepted")
        return [*chosen(command.player, command.colour, match)]
    return _take(command, match, chances)


def join(command: Join, match: Match, chances: Chances | None) -> list[Event]:
    """Take an open seat, or the one that is kept for oneself."""
    if match.status is Status.CHALLENGE and command.player in match.players:
        return accept(command, match, chances)
    if match.status is not Status.CHALLENGE or not match.open_seats:
        raise Rejection("no_open_seat", match=match.id)
    return _take(command, match, chances)


def _take(command: Accept | Join, match: Match, chances: Chances | None) -> list[Event]:
    taken = SeatTaken(player=command.player, words=command.words, letter=command.letter)
    events: list[Event] = [taken]
    after = evolve(match, taken)
    if command.colour:
        events = _with_colours(events, after, {command.player: command.colour})
        after = reduce(evolve, events, match)
    if not after.is_full:
        return events
    return _start(after, events, of_the_start(after, chances))


def _start(match: Match, events: list[Event], chances: Chances | None) -> list[Event]:
    order = match.players
    if match.seats_drawn:
        drawn, values, match, chances = draw(match, seats_draw(len(order)), chances)
        order = tuple(order[number] for number in values)
        events = [*events, *drawn]
    options = seated_options(match, order)
    started = MatchStarted(ruleset=match.ruleset, options=options, players=order)
    return follow(evolve(match, started), [*events, started], chances)


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
