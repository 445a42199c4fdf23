"""From a command and the state of a match to events, or a Rejection that says why not.

The checks that are not a game's own are made here in one order for all games: is there a match to
play in, has it ended, has the sender a seat, is it still theirs, is it their turn.
"""

from __future__ import annotations

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.game import Chance, Outcome, Over, Ply, Seat, Seats
from pbem.matches.chances import Chances, draw, of_the_start, revealed, seats_draw
from pbem.matches.commands import (
    Accept,
    AnswerDraw,
    Command,
    Decline,
    GiveStandingOrder,
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
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Event,
    InvitationDeclined,
    MatchEnded,
    MatchStarted,
    MessageSaid,
    MovePlayed,
    SeatResigned,
    SeatTaken,
    StandingOrderGiven,
)
from pbem.matches.match import Match, Status, StepKind, evolve
from pbem.names import PlayerId

FORCED_AT_ONCE = 200
"""Plies that one decision plays by itself; a timer goes on from there."""


def decide(  # noqa: C901 - a case a command
    command: Command, match: Match, *, chances: Chances | None = None
) -> list[Event]:
    """The events that carry out a command.

    `chances` may be None where nothing can be drawn (a refusal to play, a message). Raises
    Rejection, and nothing has happened; ChancesNeeded where something is to be drawn after all.
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
            return _offer_draw(player, match, chances)
        case AnswerDraw(player=player, accept=accept):
            return _answer_draw(player, match, chances, accept=accept)
        case GiveStandingOrder(player=player, sealed=sealed):
            return [StandingOrderGiven(seat=_require_seat(player, match), order=sealed)]
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
    game.initial(len(command.players), options)  # refuses options that do not go together
    return [
        ChallengeIssued(
            ruleset=command.ruleset,
            options=options,
            challenger=command.challenger,
            players=command.players,
            seats_drawn=command.rematch_of is None and game.draws_seats(options),
            commitment=command.commitment,
            links=command.links,
            secret_commitment=command.secret_commitment if game.secrets else "",
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
    return _start(evolve(match, taken), [taken], of_the_start(match, taken, chances))


def _start(match: Match, events: list[Event], chances: Chances | None) -> list[Event]:
    order = match.players
    if match.seats_drawn:
        drawn, values, match, chances = draw(match, seats_draw(len(order)), chances)
        order = tuple(order[number] for number in values)
        events = [*events, *drawn]
    started = MatchStarted(ruleset=match.ruleset, options=match.options, players=order)
    return _follow(evolve(match, started), [*events, started], chances)


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
        comment=command.comment,
    )
    return _follow(evolve(match, played), [played], chances)


def _resign(player: PlayerId, match: Match, chances: Chances | None) -> list[Event]:
    seat = _require_seat(player, match)
    resigned = SeatResigned(seat=seat, ply=match.ply)
    return _follow(evolve(match, resigned), [resigned], chances)


def _offer_draw(player: PlayerId, match: Match, chances: Chances | None) -> list[Event]:
    seat = _require_draws(player, match)
    offer = match.offer
    if offer is not None and offer.seat != seat and not match.game.offer_outlives_answerer:
        return _answer_draw(player, match, chances, accept=True)  # both want it
    if offer is not None:
        raise Rejection("draw_already_offered", seat=offer.seat, ply=offer.ply)
    if seat in match.offered and not match.game.offer_outlives_answerer:
        # LS-4.8: an offer may be repeated only after one's own next turn.
        raise Rejection("draw_already_offered", seat=seat, ply=match.ply)
    return [DrawOffered(seat=seat, ply=match.ply)]


def _answer_draw(
    player: PlayerId, match: Match, chances: Chances | None, *, accept: bool
) -> list[Event]:
    seat = _require_draws(player, match)
    offer = match.offer
    if offer is None or seat == offer.seat or seat in offer.accepted:
        raise Rejection("no_draw_offer")
    if not accept:
        return [DrawDeclined(seat=seat)]
    accepted = DrawAccepted(seat=seat)
    after = evolve(match, accepted)
    if isinstance(after.turn, Over):
        return _follow(after, [accepted], chances)
    return [accepted]


def _require_draws(player: PlayerId, match: Match) -> Seat:
    seat = _require_seat(player, match)
    if not match.game.knows_draws:
        raise Rejection("no_draw_offers", game=match.game.title)
    if not match.game.draw_offers(match.options):
        raise Rejection("draw_offers_off", game=match.game.title)
    return seat


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
    """Go on until somebody has a choice: draws, standing orders, forced plies, the end."""
    drawn = False
    for _ in range(FORCED_AT_ONCE):
        match match.turn:
            case Over(Outcome(placings, termination)):
                ended = MatchEnded(placings=placings, termination=termination)
                return [*events, ended, *revealed(match)]
            case Chance(asked):
                made, _, match, chances = draw(match, asked, chances)
                events = [*events, *made]
                drawn = True
            case Seats(seats):
                played = _played_by_itself(match, seats[0], drawn=drawn)
                if played is None:
                    return events
                events = [*events, played]
                match = evolve(match, played)
                drawn = False
    return events


def goes_on(match: Match) -> bool:
    """Whether something is still to follow by itself: a decision stopped at its limit."""
    if match.status is not Status.RUNNING:
        return False
    match match.turn:
        case Over() | Chance():
            return True
        case Seats(seats):
            return _played_by_itself(match, seats[0], drawn=False) is not None


def _played_by_itself(match: Match, seat: Seat, *, drawn: bool) -> MovePlayed | None:
    """The move that the server makes for a seat: the only one there is, or the one ordered.

    A standing order holds for later draws, so only what was just drawn is decided by it.
    """
    move, standing = match.game.forced(match.position), False
    if move is None and drawn:
        move, standing = obeyed(match, seat), True
    if move is None:
        return None
    return MovePlayed(
        seat=seat,
        ply=Ply(match.ply + 1),
        notation=match.game.notation(move),
        forced=True,
        standing=standing,
    )


def obeyed(match: Match, seat: Seat) -> object | None:
    """The move that a seat's standing order makes now, if any."""
    order = match.secrets.get(match.standing.get(seat, ""))
    return match.game.obey(match.position, order) if order is not None else None
