"""From a command and the state of a match to events, or a Rejection that says why not."""

from __future__ import annotations

from datetime import datetime

from pbem.errors import Rejection
from pbem.games.game import Over, Ply
from pbem.matches.beginnings import accept, decline, issue
from pbem.matches.chances import Chances
from pbem.matches.checks import require_draws, require_running, require_seat, require_turn
from pbem.matches.commands import (
    Accept,
    AnswerDraw,
    Command,
    Decline,
    GiveStandingOrder,
    IssueChallenge,
    KeepNote,
    OfferDraw,
    Play,
    PlayForced,
    Resign,
    Say,
)
from pbem.matches.events import (
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Event,
    MessageSaid,
    MovePlayed,
    NoteKept,
    SeatResigned,
    StandingOrderGiven,
)
from pbem.matches.following import follow
from pbem.matches.match import Match, evolve
from pbem.names import PlayerId


def decide(  # noqa: C901 - a case a command
    command: Command, match: Match, *, now: datetime, chances: Chances | None = None
) -> list[Event]:
    """The events that carry out a command.

    `now` is the time of receipt: clocks count by it. `chances` may be None where nothing can be
    drawn (a refusal to play, a message). Raises Rejection, and nothing has happened; ChancesNeeded
    where something is to be drawn after all.
    """
    del now  # nothing counts by it yet
    match command:
        case IssueChallenge():
            return issue(command, match)
        case Accept(player=player, words=words):
            return accept(player, words, match, chances)
        case Decline(player=player):
            return decline(player, match)
        case Play():
            return _play(command, match, chances)
        case Resign(player=player):
            return _resign(player, match, chances)
        case OfferDraw(player=player):
            return _offer_draw(player, match, chances)
        case AnswerDraw(player=player, accept=yes):
            return _answer_draw(player, match, chances, yes=yes)
        case GiveStandingOrder(player=player, sealed=sealed):
            return [StandingOrderGiven(seat=require_seat(player, match), order=sealed)]
        case Say(player=player, text=text):
            if player not in match.players:
                raise Rejection("not_seated")
            return [MessageSaid(author=player, text=text)]
        case KeepNote(player=player, text=text):
            if player not in match.players:
                raise Rejection("not_seated")
            return [NoteKept(author=player, ply=match.ply, text=text)]
        case PlayForced():
            require_running(match)
            return follow(match, [], chances)


# --- play ----------------------------------------------------------------------------------------


def _play(command: Play, match: Match, chances: Chances | None) -> list[Event]:
    seat = require_turn(command.player, match)
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
    return follow(evolve(match, played), [played], chances)


def _resign(player: PlayerId, match: Match, chances: Chances | None) -> list[Event]:
    seat = require_seat(player, match)
    resigned = SeatResigned(seat=seat, ply=match.ply)
    return follow(evolve(match, resigned), [resigned], chances)


def _offer_draw(player: PlayerId, match: Match, chances: Chances | None) -> list[Event]:
    seat = require_draws(player, match)
    offer = match.offer
    if offer is not None and offer.seat != seat and not match.game.offer_outlives_answerer:
        return _answer_draw(player, match, chances, yes=True)  # both want it
    if offer is not None:
        raise Rejection("draw_already_offered", seat=offer.seat, ply=offer.ply)
    if seat in match.offered and not match.game.offer_outlives_answerer:
        # LS-4.8: an offer may be repeated only after one's own next turn.
        raise Rejection("draw_already_offered", seat=seat, ply=match.ply)
    return [DrawOffered(seat=seat, ply=match.ply)]


def _answer_draw(
    player: PlayerId, match: Match, chances: Chances | None, *, yes: bool
) -> list[Event]:
    seat = require_draws(player, match)
    offer = match.offer
    if offer is None or seat == offer.seat or seat in offer.accepted:
        raise Rejection("no_draw_offer")
    if not yes:
        return [DrawDeclined(seat=seat)]
    accepted = DrawAccepted(seat=seat)
    after = evolve(match, accepted)
    if isinstance(after.turn, Over):
        return follow(after, [accepted], chances)
    return [accepted]
