"""From a command and the state of a match to events, or a Rejection that says why not.

The checks that are not a game's own are made here in one order for all games: is there a match to
play in, has it ended, has the sender a seat, is it still theirs, is it their turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.errors import Rejection
from pbem.fairness import Draws, start_digest
from pbem.games import GAMES
from pbem.games.chance import Draw, Permutation
from pbem.games.game import Chance, Outcome, Over, Ply, Seat, Seats
from pbem.matches.commands import (
    Accept,
    Command,
    Decline,
    IssueChallenge,
    OfferDraw,
    Play,
    PlayForced,
    Resign,
    Say,
)
from pbem.matches.events import (
    ChallengeClosed,
    ChallengeIssued,
    ChanceDrawn,
    Event,
    InvitationDeclined,
    MatchEnded,
    MatchStarted,
    MessageSaid,
    MovePlayed,
    SeatResigned,
    SeatTaken,
)
from pbem.matches.match import Match, Status, StepKind, evolve
from pbem.names import PlayerId

FORCED_AT_ONCE = 200
"""Plies that one decision plays by itself; a timer goes on from there."""


@dataclass(frozen=True, slots=True)
class Chances:
    """What draws are made from: the chain, and the digest of what the players did before."""

    draws: Draws
    digest: str


def decide(command: Command, match: Match, *, chances: Chances | None = None) -> list[Event]:
    """The events that carry out a command.

    `chances` may be None where nothing can be drawn (a refusal to play, a message). Raises
    Rejection, and nothing has happened.
    """
    match command:
        case IssueChallenge():
            return _issue(command, match)
        case Accept(player=player, words=words):
            return _accept(player, words, match, chances)
        case Decline(player=player):
            return _decline(player, match)
        case Play():
            return _play(command, match, chances)
        case Resign(player=player):
            return _resign(player, match, chances)
        case OfferDraw(player=player):
            return _offer_draw(player, match)
        case Say(player=player, text=text):
            if player not in match.players:
                raise Rejection("not_seated")
            return [MessageSaid(author=player, text=text)]
        case PlayForced():
            _require_running(match)
            return _follow(match, [], chances)


# --- before the start --------------------------------------------------------------------------


def _issue(command: IssueChallenge, match: Match) -> list[Event]:
    if match.status is not Status.NEW:
        raise Rejection("challenge_exists")
    game = GAMES[command.ruleset]
    if len(command.players) not in game.seats:
        raise Rejection(
            "wrong_number_of_players",
            game=game.title,
            players=len(command.players),
            seats=list(game.seats),
        )
    if len(set(command.players)) != len(command.players):
        raise Rejection("player_twice")
    options = game.normal_options(command.options)
    return [
        ChallengeIssued(
            ruleset=command.ruleset,
            options=options,
            challenger=command.challenger,
            players=command.players,
            seats_drawn=command.rematch_of is None and game.draws_seats(options),
            commitment=command.commitment,
            links=command.links,
            rematch_of=command.rematch_of,
        )
    ]


def _accept(player: PlayerId, words: str, match: Match, chances: Chances | None) -> list[Event]:
    _require_invitation(player, match)
    if player not in match.waiting_for:
        raise Rejection("already_accepted")
    taken = SeatTaken(player=player, words=words)
    if match.waiting_for != (player,):
        return [taken]
    return _start(evolve(match, taken), [taken], _of_the_start(match, taken, chances))


def _of_the_start(match: Match, taken: SeatTaken, chances: Chances | None) -> Chances | None:
    """All draws of the start are bound to the words of the accepting letters, the last included.

    So the server could not choose its secret to suit the seats, a layout or a deal.
    """
    if chances is None:
        return None
    accepted = (*match.accepted, (taken.player, taken.words))
    return Chances(chances.draws, start_digest(accepted))


def _start(match: Match, events: list[Event], chances: Chances | None) -> list[Event]:
    order = match.players
    if match.seats_drawn:
        drawn, chances = _draw(match, seats_draw(len(order)), chances)
        order = tuple(order[number] for number in drawn.values)
        events = [*events, drawn]
        match = evolve(match, drawn)
    started = MatchStarted(ruleset=match.ruleset, options=match.options, players=order)
    return _follow(evolve(match, started), [*events, started], chances)


def seats_draw(players: int) -> Draw:
    """The request that decides who gets which seat: value i is the player of seat i + 1."""
    return Draw("seats", (Permutation(players),))


def _decline(player: PlayerId, match: Match) -> list[Event]:
    _require_invitation(player, match)
    if player == match.challenger:
        return [ChallengeClosed(reason="withdrawn")]
    return [InvitationDeclined(player=player), ChallengeClosed(reason="declined")]


def _require_invitation(player: PlayerId, match: Match) -> None:
    if player not in match.players:
        raise Rejection("not_invited")
    if match.status is Status.OFF:
        raise Rejection("challenge_off")
    if match.status is not Status.CHALLENGE:
        raise Rejection("match_has_started")


# --- play ----------------------------------------------------------------------------------------


def _play(command: Play, match: Match, chances: Chances | None) -> list[Event]:
    seat = _require_turn(command.player, match)
    if command.ply is not None and command.ply != match.ply + 1:
        raise Rejection("stale_mail", meant=command.ply, now=match.ply + 1)
    move = match.game.parse(command.text, match.position, seat)
    match.game.play(match.position, move)
    played = MovePlayed(
        seat=seat,
        ply=Ply(match.ply + 1),
        notation=match.game.notation(move),
        typed=command.text,
    )
    return _follow(evolve(match, played), [played], chances)


def _resign(player: PlayerId, match: Match, chances: Chances | None) -> list[Event]:
    seat = _require_seat(player, match)
    resigned = SeatResigned(seat=seat, ply=match.ply)
    return _follow(evolve(match, resigned), [resigned], chances)


def _offer_draw(player: PlayerId, match: Match) -> list[Event]:
    _require_seat(player, match)
    raise Rejection("no_draw_offers", game=match.game.title)


def _require_running(match: Match) -> None:
    if match.status in (Status.NEW, Status.CHALLENGE):
        raise Rejection("match_not_started")
    if match.status is Status.OFF:
        raise Rejection("challenge_off")
    if match.status is Status.ENDED:
        raise Rejection("game_over")


def _require_seat(player: PlayerId, match: Match) -> Seat:
    """LG-8.2 to LG-8.4 and their like in every rulebook, in their order."""
    _require_running(match)
    seat = match.seat_of(player)
    if seat is None:
        raise Rejection("not_seated")
    if seat in match.left:
        since = next(
            step.ply for step in match.steps if step.kind is StepKind.LEFT and step.seat == seat
        )
        raise Rejection("seat_left", ply=since)
    return seat


def _require_turn(player: PlayerId, match: Match) -> Seat:
    seat = _require_seat(player, match)
    if seat not in match.to_act:
        raise Rejection("not_your_turn", seats=list(match.to_act))
    return seat


# --- what follows by itself ----------------------------------------------------------------------


def _follow(match: Match, events: list[Event], chances: Chances | None) -> list[Event]:
    """Go on until somebody has a choice: draws, forced plies, the end."""
    event: Event
    for _ in range(FORCED_AT_ONCE):
        match match.turn:
            case Over(Outcome(placings, termination)):
                return [*events, MatchEnded(placings=placings, termination=termination)]
            case Chance(draw):
                event, chances = _draw(match, draw, chances)
            case Seats(seats):
                move = match.game.forced(match.position)
                if move is None:
                    return events
                event = MovePlayed(
                    seat=seats[0],
                    ply=Ply(match.ply + 1),
                    notation=match.game.notation(move),
                    forced=True,
                )
        events = [*events, event]
        match = evolve(match, event)
    return events


def _draw(match: Match, draw: Draw, chances: Chances | None) -> tuple[ChanceDrawn, Chances]:
    if chances is None:
        raise ValueError("something is drawn, and no chain was given")
    proof, rest = chances.draws.draw(draw, chances.digest)
    event = ChanceDrawn(
        ply=match.ply,
        index=proof.index,
        link=proof.link,
        digest=proof.digest,
        asked=proof.asked,
        values=proof.values,
    )
    return event, Chances(rest, chances.digest)
