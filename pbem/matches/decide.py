"""From a command and the state of a match to events, or a Rejection that says why not."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.errors import Rejection
from pbem.games.game import Ply
from pbem.matches.checks import require_running, require_seat
from pbem.matches.commands import (
    Accept,
    AddToHeld,
    AnswerDraw,
    AnswerTakeback,
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
    OfferDraw,
    Play,
    PlayForced,
    PlayHeld,
    Resign,
    Say,
    Undo,
    Unwatch,
    Watch,
)
from pbem.matches.conditions import standing
from pbem.matches.events import (
    Event,
    MessageSaid,
    MovePlayed,
    SeatTimedOut,
)
from pbem.matches.match import Match, evolve
from pbem.matches.operator_acts import act
from pbem.matches.operator_events import ActCommand
from pbem.matches.pending import answer_draw, offer_draw
from pbem.matches.resigning import finish, out, playing_on, resign
from pbem.matches.seat_events import (
    ConditionsDropped,
    ConditionsGiven,
    MoveWithdrawn,
    NoteKept,
    StandingOrderGiven,
)
from pbem.matches.steps import Played
from pbem.matches.table import accept, decline, expire, issue, join, may_speak, unwatch, watch
from pbem.matches.takebacks import answer
from pbem.matches.timing import on_time
from pbem.matches.unfolding import Chances, Unfolding
from pbem.matches.window import (
    add_to_held,
    held_text,
    hold,
    played_now,
    replaced,
    require_held,
    said_with,
    understood,
    undo,
    withdrawal,
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What carries out a command: its events, and the match as they have made it."""

    events: tuple[Event, ...]
    match: Match


def decide(
    command: Command,
    match: Match,
    *,
    now: datetime,
    chances: Chances | None = None,
    resign_until: datetime | None = None,
) -> Decision:
    """The events that carry out a command, and the match after them.

    `now` is the time of receipt: clocks count by it. `chances` may be None where nothing can be
    drawn (a refusal to play, a message). Raises Rejection, and nothing has happened; ChancesNeeded
    where something is to be drawn after all. A resignation by a condition is held until
    `resign_until`.
    """
    unfolding = Unfolding(match=match, now=now, chances=chances, resign_until=resign_until)
    _carry_out(command, unfolding)
    unfolding.end(match)
    return Decision(tuple(unfolding.events), unfolding.match)


def _carry_out(  # noqa: C901, PLR0912 - a case a command
    command: Command, unfolding: Unfolding
) -> None:
    if isinstance(command, ActCommand):
        act(command, unfolding)
        return
    match command:
        case IssueChallenge():
            issue(command, unfolding)
        case Accept():
            accept(command, unfolding)
        case Join():
            join(command, unfolding)
        case Play():
            _play(command, unfolding)
        case PlayHeld():
            _play_held(command, unfolding)
        case AddToHeld():
            _add_to_held(command, unfolding)
        case Resign():
            resign(command, unfolding)
        case FinishResignation():
            finish(command, unfolding)
        case OfferDraw(player=player):
            offer_draw(player, unfolding)
        case AnswerDraw(player=player, accept=yes):
            answer_draw(player, unfolding, yes=yes)
        case GiveStandingOrder() | GiveConditions() | DropConditions() | KeepNote():
            _privately(command, unfolding)
        case PlayForced():
            require_running(unfolding.match)
            unfolding.follow()
        case (
            Decline() | Expire() | Hold() | Undo() | AnswerTakeback() | Say() | Watch() | Unwatch()
        ):
            unfolding.happens(*_at_once(command, unfolding.match, unfolding.now))
        case _:
            _on_time(command, unfolding)


def _at_once(
    command: Decline | Expire | Hold | Undo | AnswerTakeback | Say | Watch | Unwatch,
    match: Match,
    now: datetime,
) -> list[Event]:
    """The events of a command from which nothing else follows."""
    match command:
        case Decline(player=player):
            return decline(player, match)
        case Expire():
            return expire(match)
        case Hold():
            return hold(command, match, now)
        case Undo():
            return undo(command, match)
        case AnswerTakeback(player=player, accept=yes):
            return answer(player, match, yes=yes)
        case Say(player=player, text=text):
            if not may_speak(player, match):
                raise Rejection("not_seated")
            return [MessageSaid(author=player, text=text)]
        case Watch(player=player):
            return watch(player, match)
        case Unwatch(player=player):
            return unwatch(player, match)


def _privately(
    command: GiveStandingOrder | GiveConditions | DropConditions | KeepNote, unfolding: Unfolding
) -> None:
    """What somebody decides or notes for no other eyes."""
    match = unfolding.match
    match command:
        case GiveStandingOrder(player=player, sealed=sealed):
            given = StandingOrderGiven(seat=require_seat(player, match), order=sealed)
            unfolding.happens(given)
        case GiveConditions(player=player, sealed=sealed):
            unfolding.happens(ConditionsGiven(seat=require_seat(player, match), conditions=sealed))
            unfolding.follow()  # mails cross: what they wait for may have come
        case DropConditions(player=player):
            seat = require_seat(player, match)
            if not standing(match, seat):
                raise Rejection("no_conditions")
            unfolding.happens(ConditionsDropped(seat=seat))
        case KeepNote(player=player, text=text):
            if player not in match.table.players:
                raise Rejection("not_seated")
            unfolding.happens(NoteKept(author=player, ply=match.course.ply, text=text))


def _on_time(command: ClockCommand, unfolding: Unfolding) -> None:
    for event in on_time(command, unfolding.match, unfolding.now):
        if isinstance(event, SeatTimedOut):
            unfolding.happens(out(unfolding.match, event))
            unfolding.follow()
        else:
            unfolding.happens(event)


# --- play ----------------------------------------------------------------------------------------


def _play(command: Play, unfolding: Unfolding) -> None:
    match = unfolding.match
    read = understood(command, match, held=False)
    after = match.game.play(match.course.position, read.move)
    played = MovePlayed(
        seat=read.seat,
        ply=Ply(match.course.ply + 1),
        notation=read.notation,
        typed=command.text,
        letter=command.letter,
    )
    unfolding.happens(*playing_on(match, read.seat), *replaced(match, read.seat))
    unfolding.happens(played, played=Played(read.move, after))
    unfolding.follow()


def _play_held(command: PlayHeld, unfolding: Unfolding) -> None:
    """A held move goes out, and what was typed beside it follows it."""
    match = unfolding.match
    held = require_held(command.player, match, command.version)
    if held.asked and command.version is not None:
        unfolding.happens(withdrawal(held, "unanswered"))
        return
    played, known = played_now(held, match)
    if isinstance(played, MovePlayed) and command.version is None:
        unfolding.happens(*playing_on(match, held.seat))
    unfolding.happens(played, played=known)
    if isinstance(played, MoveWithdrawn):
        return
    unfolding.follow()
    text = held_text(match, held.move)
    if text is not None and text.draw:
        with suppress(Rejection):  # what has happened since may have made the offer impossible
            offer_draw(command.player, unfolding)
    unfolding.happens(*said_with(held, match))


def _add_to_held(command: AddToHeld, unfolding: Unfolding) -> None:
    """A draw offered while one's move is held goes out with it, if it could be made then."""
    match = unfolding.match
    held = require_held(command.player, match)
    text = held_text(match, command.sealed)
    played, known = played_now(held, match)
    if text is not None and text.draw and isinstance(played, MovePlayed):
        then = replace(unfolding, match=evolve(match, played, known), events=[])
        offer_draw(command.player, then)
    unfolding.happens(*add_to_held(held, command.sealed))
