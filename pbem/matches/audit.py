"""Whether an event may stand where it does: judged by the state that it met, for verification."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.chance import possible
from pbem.games.game import Chance, Seat
from pbem.matches import timing
from pbem.matches.agreements import judged_offer, judged_pause
from pbem.matches.branches import load
from pbem.matches.challenges import judged_colour, judged_lesson, judged_link, seated_options
from pbem.matches.chance import judged_binding, seats_draw
from pbem.matches.conditions import Answer, Due, Resignation, Void, due
from pbem.matches.course import sealed_values
from pbem.matches.decide import obeyed
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
    SeatGivenUp,
    SeatResigned,
    SeatTaken,
    SeatTimedOut,
    WatchBegan,
    WatchEnded,
)
from pbem.matches.match import Match, Status, ended
from pbem.matches.operator_acts import judged_act, outcome_of
from pbem.matches.operator_events import ActEvent
from pbem.matches.resigning import judged_leaving, judged_resigning
from pbem.matches.seat_events import (
    BeforeStart,
    ColourChosen,
    ConditionsDropped,
    ConditionsGiven,
    ConditionsVoided,
    HintAsked,
    HintGiven,
    LessonPlanned,
    LinkMade,
    MoveCommented,
    MoveHeld,
    MoveWithdrawn,
    NoteKept,
    PauseAccepted,
    PauseBegun,
    PauseDeclined,
    PauseEnded,
    PauseProposed,
    ResignationHeld,
    ResignationTakenBack,
    SeatTakenOver,
    StandingOrderGiven,
    TakebackAsked,
    TakebackDeclined,
    TakebackGranted,
    TimeGiven,
)
from pbem.matches.table import judged_comment, judged_hint, judged_watching, may_speak
from pbem.matches.takebacks import judged_takeback
from pbem.matches.window import judged_as_held, judged_holding


@dataclass(frozen=True, slots=True)
class Met:
    """What an event met: the match so far, and what a draw of its letter is bound to."""

    match: Match
    digest: str


def judged(met: Met, event: Event) -> Iterator[str]:
    """What is wrong with an event, in words. An illegal move is refused by `evolve` itself."""
    if isinstance(event, ActEvent):
        return judged_act(met.match, event)
    if isinstance(event, LinkMade):
        return judged_link(met.match)
    if isinstance(event, LessonPlanned):
        return judged_lesson(met.match)
    if isinstance(event, MoveCommented):
        return judged_comment(met.match, event)
    if isinstance(event, ColourChosen):
        return chain(_before_the_start(met.match, event), judged_colour(met.match, event))
    return chain(judged_binding(met.match, event), _judged(met, event))


def judged_in_part(met: Met, event: Event) -> Iterator[str]:
    """The same where events are missing that not everybody may know: what they cannot change."""
    state = met.match
    yield from judged_binding(state, event)
    yield from judged_colour(state, event)
    match event:
        case MovePlayed(seat=seat, ply=ply, notation=notation):
            if seat not in state.to_act:
                yield f"seat {seat} played {notation} out of turn"
            if ply != state.course.ply + 1:
                yield f"ply {ply} follows ply {state.course.ply}"
        case ChanceDrawn() | ChanceSealed() | ChanceRevealed() | MatchEnded():
            yield from _judged(met, event)
        case ChallengeIssued() | SeatTaken() | SeatGivenUp() | MatchStarted():
            yield from _judged(met, event)
        case _:
            pass


def _judged(met: Met, event: Event) -> Iterator[str]:  # noqa: C901, PLR0912, PLR0915 - a case an event
    state = met.match
    match event:
        case ChallengeIssued():
            yield from _challenge(state, event)
        case (
            SeatTaken() | SeatGivenUp() | InvitationDeclined() | ChallengeClosed() | MatchStarted()
        ):
            yield from _before_the_start(state, event)
        case ChanceDrawn():
            yield from _draw(met, event, secret=False)
        case ChanceSealed():
            yield from _draw(met, event, secret=True)
        case ChanceRevealed(index=index):
            if state.status is not Status.ENDED:
                yield "a secret draw was opened before the end"
            if index in (opened.index for opened in state.chance.revealed):
                yield f"secret draw {index} was opened twice"
        case MessageSaid(author=author):
            if not may_speak(author, state):
                yield "somebody spoke who is not in the match"
        case WatchBegan() | WatchEnded():
            yield from judged_watching(state, event)
        case NoteKept(author=author, ply=ply):
            if author not in state.table.players or ply != state.course.ply:
                yield "a note is from nobody in the match, or stands after another ply"
        case _ if state.status is not Status.RUNNING and not isinstance(event, ChanceCommitted):
            yield f"{type(event).__name__} stands where no match is running"
        case ChanceCommitted():
            pass  # its place among the draws is checked with the chain
        case MoveHeld() | MoveWithdrawn():
            yield from judged_holding(state, event)
        case ResignationHeld() | ResignationTakenBack():
            yield from _resigning(state, event)
        case TakebackAsked() | TakebackDeclined() | TakebackGranted():
            yield from judged_takeback(state, event)
        case MovePlayed():
            yield from _move(state, event)
            yield from judged_as_held(state, event)
        case StandingOrderGiven(seat=seat, order=order):
            yield from _standing(state, seat, order)
        case ConditionsGiven() | ConditionsDropped() | ConditionsVoided():
            yield from _conditions(state, event)
        case HintAsked() | HintGiven():
            yield from judged_hint(state, event)
        case DrawOffered() | DrawAccepted() | DrawDeclined():
            yield from judged_offer(state, event)
        case TimeGiven():
            yield from timing.judged_gift(state, event)
        case PauseProposed() | PauseAccepted() | PauseDeclined() | PauseBegun() | PauseEnded():
            yield from judged_pause(state, event)
        case SeatResigned(seat=seat) | SeatTimedOut(seat=seat) | SeatTakenOver(seat=seat):
            yield from judged_leaving(state, event)
            if not isinstance(event, SeatTimedOut) and event.condition:
                yield from _resigned(state, seat)
        case MatchEnded():
            yield from _end(state, event)
        case _:
            if not isinstance(event, ActEvent | BeforeStart | MoveCommented):
                yield from timing.clock(state, event)


# --- before the start ----------------------------------------------------------------------------


def _challenge(state: Match, event: ChallengeIssued) -> Iterator[str]:
    if state.version:
        yield "a second challenge"
    game = GAMES[event.ruleset]
    try:
        normal = game.normal_options(event.options)
    except Rejection:
        normal = {}
    if dict(event.options) != normal:
        yield f"{game.title} has no such options"
    players, seats = event.players, len(event.players) + event.open_seats
    if len(set(players)) != len(players) or seats not in game.seats or event.open_seats < 0:
        yield f"{game.title} cannot be played by {seats} such players"
    if event.challenger not in players:
        yield "who asked for the match is not in it"
    fixed = event.rematch_of is not None or bool(event.tournament)
    if event.seats_drawn != (not fixed and game.draws_seats(event.options)):
        yield "the seats are drawn, or not, against the options"
    if bool(event.secret_commitment) != game.secrets:
        yield "the commitment for secret draws is missing, or there should be none"


def _before_the_start(state: Match, event: Event) -> Iterator[str]:  # noqa: C901 - a case an event
    if state.status is not Status.CHALLENGE:
        yield f"{type(event).__name__} stands where no challenge is open"
    match event:
        case SeatTaken(player=player):
            joins = state.table.open_seats and player not in state.table.players
            if player not in state.waiting_for and not joins:
                yield "somebody accepted who was not asked, or twice"
        case SeatGivenUp(player=player):
            if player not in state.table.players or player in state.table.invited:
                yield "a seat was given up by somebody who had taken none"
        case InvitationDeclined(player=player):
            if player not in state.table.players or player == state.table.challenger:
                yield "somebody declined who was not asked"
        case ChallengeClosed(reason=reason):
            if (reason == "declined") != (state.table.declined_by is not None):
                yield f"the challenge was not {reason}"
        case MatchStarted():
            yield from _start(state, event)
        case _:
            pass


def _start(state: Match, event: MatchStarted) -> Iterator[str]:
    if not state.is_full:
        yield "the match started before all had accepted"
    options = seated_options(state, event.players)
    if (event.ruleset, dict(event.options)) != (state.terms.ruleset, dict(options)):
        yield "the match started by other rules than it was offered by"
    order = list(state.table.players)
    if state.chance.seats_drawn:
        if not state.chance.draws:
            yield "the seats were to be drawn and were not"
            return
        order = [state.table.players[number] for number in state.chance.draws[-1].values]
    if list(event.players) != order:
        yield "the players do not sit as they were drawn"


# --- chance --------------------------------------------------------------------------------------


def _draw(met: Met, event: ChanceDrawn | ChanceSealed, *, secret: bool) -> Iterator[str]:
    state = met.match
    if event.ply != state.course.ply:
        yield f"a draw after ply {event.ply} stands after ply {state.course.ply}"
    if event.digest != met.digest:
        yield "the draw is not bound to what the players did before it"
    asked = None
    if state.status is Status.RUNNING and isinstance(turn := state.turn, Chance):
        asked = turn.draw
    elif state.status is Status.CHALLENGE and state.chance.seats_drawn and not state.chance.draws:
        asked = seats_draw(len(state.table.players))
    if asked is None:
        yield "something was drawn where nothing is drawn"
    elif str(asked) != event.asked or asked.secret != secret:
        yield f"{event.asked!r} was drawn, and {str(asked)!r} was due"
    elif not possible(asked, _values(state, event)):
        yield f"what was drawn is no answer to {event.asked!r}"


def _values(state: Match, event: ChanceDrawn | ChanceSealed) -> tuple[int, ...]:
    if isinstance(event, ChanceDrawn):
        return event.values
    return sealed_values(state.secrets[event.sealed])


# --- play ----------------------------------------------------------------------------------------


def _move(state: Match, event: MovePlayed) -> Iterator[str]:
    if event.seat not in state.to_act:
        yield f"seat {event.seat} played {event.notation} out of turn"
        return
    if event.ply != state.course.ply + 1:
        yield f"ply {event.ply} follows ply {state.course.ply}"
    if event.seat in {*state.pending.resigning} - {*state.pending.held} and not event.forced:
        yield f"seat {event.seat} played ply {event.ply}, and had resigned"
    if event.forced == bool(event.typed):
        yield f"ply {event.ply} was typed by nobody, or by somebody and played by the server"
    if event.condition and (event.standing or not event.forced):
        yield f"ply {event.ply} is from a condition, and not played by the server for it"
    if event.standing and not event.forced:
        yield f"ply {event.ply} is from a standing order, and not played by the server"
    yield from timing.bank(state, event)
    if event.forced:
        yield from _by_itself(state, event)


def _by_itself(state: Match, event: MovePlayed) -> Iterator[str]:
    """What the server played must be the only move there is, or what the seat decided before."""
    if event.condition:
        decided = _decided(state, event.seat)
        right = isinstance(decided, Answer) and state.game.notation(decided.move) == event.notation
        if decided is not None and not right:
            yield f"ply {event.ply} is from a condition that was not met"
        return
    move = state.game.forced(state.course.position)
    if event.standing:
        digest = state.pending.standing.get(event.seat)
        if digest is None or move is not None:
            yield f"ply {event.ply} is from a standing order that was not given"
            return
        if digest not in state.secrets:
            return  # the order is for the eyes of its seat
        move = obeyed(state, event.seat)
    if move is None or state.game.notation(move) != event.notation:
        yield f"the server played {event.notation}, and was not forced to"


_UNMET: Final = Void("other")


def _resigned(state: Match, seat: Seat) -> Iterator[str]:
    if _decided(state, seat) not in (None, Resignation()):
        yield f"seat {seat} resigned by a condition that was not met"


def _resigning(state: Match, event: ResignationHeld | ResignationTakenBack) -> Iterator[str]:
    yield from judged_resigning(state, event)
    if isinstance(event, ResignationHeld) and event.condition:
        yield from _resigned(state, event.seat)


def _decided(state: Match, seat: Seat) -> Due | None:
    """What a seat's conditions bring about; None where their text is not for who asks."""
    given = state.pending.conditions.get(seat)
    if given is not None and given.sealed not in state.secrets:
        return None
    return due(state, seat) or _UNMET


def _conditions(
    state: Match, event: ConditionsGiven | ConditionsDropped | ConditionsVoided
) -> Iterator[str]:
    seat = event.seat
    if seat not in state.table.playing:
        yield f"seat {seat} has no conditions"
    match event:
        case ConditionsGiven(conditions=sealed):
            text = state.secrets.get(sealed)
            if text is not None and not _are_conditions(text):
                yield f"what seat {seat} decided are no conditions"
        case _ if seat not in state.pending.conditions:
            yield f"seat {seat} had no conditions that could end"
        case ConditionsVoided() if not isinstance(_decided(state, seat) or _UNMET, Void):
            yield f"the conditions of seat {seat} were met, and not kept"
        case _:
            pass


def _are_conditions(text: str) -> bool:
    try:
        return bool(load(text))
    except ValueError:
        return False


def _standing(state: Match, seat: Seat, order: str) -> Iterator[str]:
    if seat not in state.table.playing:
        yield f"seat {seat} can give no standing order"
    text = state.secrets.get(order)
    if text is not None and state.game.standing(text) != text:
        yield f"what seat {seat} ordered is no standing order"


def _end(state: Match, event: MatchEnded) -> Iterator[str]:
    outcome = outcome_of(state)
    given = (event.placings, event.termination)
    if outcome is None or (outcome.placings, outcome.termination) != given:
        yield f"the result {event.placings} by {event.termination} is not what the rules give"
    elif ended(state, outcome) != event:
        yield "the end does not say who has played with whom, and how"
