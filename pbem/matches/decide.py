"""From a command and the state of a match to events, or a Rejection that says why not.

The checks that are not a game's own are made here in one order for all games: is there a match to
play in, has it ended, has the sender a seat, is it still theirs, is it their turn.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from pbem.errors import Rejection
from pbem.fairness import (
    LINKS,
    Draws,
    commitment,
    sealed_digest,
    sealed_text,
    start_digest,
)
from pbem.games import GAMES
from pbem.games.chance import Draw, Permutation
from pbem.games.game import Chance, Outcome, Over, Ply, Seat, Seats
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
    ChanceCommitted,
    ChanceDrawn,
    ChanceRevealed,
    ChanceSealed,
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
from pbem.names import Digest, PlayerId

FORCED_AT_ONCE = 200
"""Plies that one decision plays by itself; a timer goes on from there."""


class ChancesNeeded(ValueError):  # noqa: N818 - what is missing, and then it is given
    """Something is drawn, and `decide` was given nothing to draw from."""


@dataclass(frozen=True, slots=True)
class Chances:
    """What draws are made from: the chains, and the digest of what the players did before.

    `fresh` is the secret of a chain that shall follow the public one: the next draw commits to it,
    and later letters draw from it.
    """

    draws: Draws
    digest: str
    secret: Draws | None = None
    fresh: bytes | None = None


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
    return _start(evolve(match, taken), [taken], _of_the_start(match, taken, chances))


def _of_the_start(match: Match, taken: SeatTaken, chances: Chances | None) -> Chances | None:
    """All draws of the start are bound to the words of the accepting letters, the last included.

    So the server could not choose its secret to suit the seats, a layout or a deal.
    """
    if chances is None:
        return None
    accepted = (*match.accepted, (taken.player, taken.words))
    return replace(chances, digest=start_digest(accepted))


def _start(match: Match, events: list[Event], chances: Chances | None) -> list[Event]:
    order = match.players
    if match.seats_drawn:
        drawn, values, match, chances = _draw(match, seats_draw(len(order)), chances)
        order = tuple(order[number] for number in values)
        events = [*events, *drawn]
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
                return [*events, ended, *_revealed(match)]
            case Chance(draw):
                made, _, match, chances = _draw(match, draw, chances)
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


def _draw(
    match: Match, draw: Draw, chances: Chances | None
) -> tuple[list[Event], tuple[int, ...], Match, Chances]:
    """The events of a draw, its outcome, and match and chances after it."""
    if chances is None:
        raise ChancesNeeded("something is drawn, and no chain was given")
    if draw.secret:
        return _draw_in_secret(match, draw, chances)
    events: list[Event] = []
    if chances.fresh is not None:
        # It is fixed before the players do what its draws are bound to.
        first = chances.draws.first + chances.draws.links
        fixed = commitment(chances.fresh, LINKS).hex()
        events.append(ChanceCommitted(commitment=fixed, links=LINKS, first=first))
        chances = replace(chances, fresh=None)
    proof, rest = chances.draws.draw(draw, chances.digest)
    events.append(
        ChanceDrawn(
            ply=match.ply,
            index=proof.index,
            link=proof.link,
            digest=proof.digest,
            asked=proof.asked,
            values=proof.values,
        )
    )
    for event in events:
        match = evolve(match, event)
    return events, proof.values, match, replace(chances, draws=rest)


def _draw_in_secret(
    match: Match, draw: Draw, chances: Chances
) -> tuple[list[Event], tuple[int, ...], Match, Chances]:
    if chances.secret is None:
        raise ValueError("something is drawn in secret, and no second chain was given")
    proof, rest = chances.secret.draw(draw, chances.digest)
    event = ChanceSealed(
        ply=match.ply,
        index=proof.index,
        digest=proof.digest,
        asked=proof.asked,
        sealed=Digest(sealed_digest(proof)),
    )
    known = replace(match, secrets={**match.secrets, event.sealed: sealed_text(proof)})
    return [event], proof.values, evolve(known, event), replace(chances, secret=rest)


def _revealed(match: Match) -> list[Event]:
    """After the end everybody may see what was drawn in secret, and check it."""
    events: list[Event] = []
    for sealed in match.sealed:
        opened = json.loads(match.secrets[sealed.sealed])
        events.append(
            ChanceRevealed(index=sealed.index, link=opened["link"], values=tuple(opened["values"]))
        )
    return events
