"""From a command and the state of a match to events, or a Rejection that says why not."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from functools import reduce

from pbem.errors import Rejection
from pbem.games.game import Over, Ply
from pbem.matches.chances import Chances, knowing
from pbem.matches.checks import require_draws, require_running, require_seat
from pbem.matches.clocks.timing import on_time, with_clocks
from pbem.matches.commands import (
    Accept,
    AddToHeld,
    AnswerDraw,
    AnswerTakeback,
    AnswerTakeover,
    ClaimTime,
    ClockCommand,
    Command,
    Decline,
    DropConditions,
    Expire,
    FinishResignation,
    GiveConditions,
    GiveStandingOrder,
    Hold,
    IssueChallenge,
    Join,
    KeepNote,
    LeaveVacant,
    MissDeadline,
    OfferDraw,
    Play,
    PlayForced,
    PlayHeld,
    ProposeTakeover,
    Resign,
    Say,
    Undo,
    Unwatch,
    WaiveTakeover,
    Watch,
)
from pbem.matches.conditions.conditions import standing
from pbem.matches.conditions.private_events import ConditionsDropped, ConditionsGiven, NoteKept
from pbem.matches.events import (
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Event,
    MessageSaid,
    MovePlayed,
    SeatTimedOut,
    StandingOrderGiven,
)
from pbem.matches.following import follow
from pbem.matches.match import Match, evolve
from pbem.matches.operator_acts import act
from pbem.matches.operator_events import ActCommand
from pbem.matches.second_thoughts.correction_window import (
    add_to_held,
    held_text,
    hold,
    played_now,
    replaced,
    require_held,
    said_with,
    understood,
    undo,
    voided,
)
from pbem.matches.second_thoughts.giving_up import finish, playing_on, resign
from pbem.matches.second_thoughts.takebacks import answer
from pbem.matches.second_thoughts.undo_events import MoveWithdrawn
from pbem.matches.table.beginnings import accept, decline, expire, issue, join
from pbem.matches.table.takeovers import Waits, on_takeover, out, waiting
from pbem.matches.table.watching import may_speak, unwatch, watch
from pbem.names import PlayerId


def decide(
    command: Command,
    match: Match,
    *,
    now: datetime,
    chances: Chances | None = None,
    vacate_until: datetime | None = None,
    resign_until: datetime | None = None,
) -> list[Event]:
    """The events that carry out a command.

    `now` is the time of receipt: clocks count by it. `chances` may be None where nothing can be
    drawn (a refusal to play, a message). Raises Rejection, and nothing has happened; ChancesNeeded
    where something is to be drawn after all. A resignation by a condition is held until
    `resign_until`; where it is not, the seat may be taken over until `vacate_until`.
    """
    decided = _decided(command, match, now, chances)
    kept = waiting(match, decided, Waits(vacate_until, resign_until), chances)
    known = knowing(match, kept, chances)
    return with_clocks(known, voided(known, kept), now)


def _decided(  # noqa: C901, PLR0911, PLR0912 - a case a command
    command: Command, match: Match, now: datetime, chances: Chances | None
) -> list[Event]:
    if isinstance(command, ActCommand):
        return act(command, match, now, chances)
    match command:
        case IssueChallenge():
            return issue(command, match)
        case Accept():
            return accept(command, match, chances)
        case Join():
            return join(command, match, chances)
        case Decline(player=player):
            return decline(player, match)
        case Expire():
            return expire(match)
        case Play():
            return _play(command, match, chances)
        case Hold():
            return hold(command, match, now)
        case Undo():
            return undo(command, match)
        case AnswerTakeback(player=player, accept=yes):
            return answer(player, match, yes=yes)
        case PlayHeld():
            return _play_held(command, match, chances)
        case Resign():
            return resign(command, match, chances)
        case FinishResignation():
            return finish(command, match, chances)
        case ProposeTakeover() | AnswerTakeover() | WaiveTakeover() | LeaveVacant():
            return on_takeover(command, match, now, chances)
        case OfferDraw(player=player):
            return _offer_draw(player, match, chances)
        case AddToHeld():
            return _add_to_held(command, match)
        case AnswerDraw(player=player, accept=yes):
            return _answer_draw(player, match, chances, yes=yes)
        case GiveStandingOrder() | GiveConditions() | DropConditions() | KeepNote():
            return _privately(command, match, chances)
        case Say(player=player, text=text):
            if not may_speak(player, match):
                raise Rejection("not_seated")
            return [MessageSaid(author=player, text=text)]
        case Watch(player=player):
            return watch(player, match)
        case Unwatch(player=player):
            return unwatch(player, match)
        case PlayForced():
            require_running(match)
            return follow(match, [], chances)
        case _:
            return _on_time(command, match, now, chances)


def _privately(
    command: GiveStandingOrder | GiveConditions | DropConditions | KeepNote,
    match: Match,
    chances: Chances | None,
) -> list[Event]:
    """What somebody decides or notes for no other eyes."""
    match command:
        case GiveStandingOrder(player=player, sealed=sealed):
            return [StandingOrderGiven(seat=require_seat(player, match), order=sealed)]
        case GiveConditions(player=player, sealed=sealed):
            given = ConditionsGiven(seat=require_seat(player, match), conditions=sealed)
            return follow(evolve(match, given), [given], chances)  # mails cross: it may have come
        case DropConditions(player=player):
            seat = require_seat(player, match)
            if not standing(match, seat):
                raise Rejection("no_conditions")
            return [ConditionsDropped(seat=seat)]
        case KeepNote(player=player, text=text):
            if player not in match.players:
                raise Rejection("not_seated")
            return [NoteKept(author=player, ply=match.ply, text=text)]


def _on_time(
    command: ClockCommand, match: Match, now: datetime, chances: Chances | None
) -> list[Event]:
    events = on_time(command, match, now)
    last = events[-1] if events else None
    if not isinstance(last, SeatTimedOut) or not isinstance(command, MissDeadline | ClaimTime):
        return events
    late = reduce(evolve, events[:-1], match)
    return [*events[:-1], *out(late, last, command.vacate_until, chances)]


# --- play ----------------------------------------------------------------------------------------


def _play(command: Play, match: Match, chances: Chances | None) -> list[Event]:
    seat, notation = understood(command, match, held=False)
    played = MovePlayed(
        seat=seat,
        ply=Ply(match.ply + 1),
        notation=notation,
        typed=command.text,
        letter=command.letter,
    )
    events = [*playing_on(match, seat), *replaced(match, seat), played]
    return follow(reduce(evolve, events, match), events, chances)


def _play_held(command: PlayHeld, match: Match, chances: Chances | None) -> list[Event]:
    """A held move goes out, and what was typed beside it follows it."""
    held = require_held(command.player, match, command.version)
    played = played_now(held, match)
    if isinstance(played, MoveWithdrawn):
        return [played]
    events = [*(playing_on(match, held.seat) if command.version is None else ()), played]
    events = follow(reduce(evolve, events, match), events, chances)
    text = held_text(match, held.move)
    if text is not None and text.draw:
        with suppress(Rejection):  # what has happened since may have made the offer impossible
            events += _offer_draw(command.player, reduce(evolve, events, match), chances)
    return [*events, *said_with(held, match)]


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


def _add_to_held(command: AddToHeld, match: Match) -> list[Event]:
    """A draw offered while one's move is held goes out with it, if it could be made then."""
    held = require_held(command.player, match)
    text = held_text(match, command.sealed)
    played = played_now(held, match)
    if text is not None and text.draw and isinstance(played, MovePlayed):
        _offer_draw(command.player, evolve(match, played), None)
    return add_to_held(held, command.sealed)


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
