"""A decision: each event that it brings happens once, with all that follows by itself.

What follows is played until somebody has a choice: draws, conditions, forced plies, the end. Here
are also the decisions to play, after which most of it follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Concatenate, Final, ParamSpec

from pbem.errors import Rejection
from pbem.games.chance import Draw
from pbem.games.game import Chance, Over, Ply, Seat, Seats
from pbem.legacy.matches.agreements import DrawAccepted, DrawOffered, offer_draw
from pbem.legacy.matches.challenges import seated_options
from pbem.legacy.matches.chance import draw, of_the_start, revealed, seats_draw
from pbem.legacy.matches.conditions import (
    Answer,
    ConditionsGiven,
    ConditionsVoided,
    Resignation,
    Void,
    decided,
    due,
    obeyed,
)
from pbem.legacy.matches.course import ReadMove, outcome_of, understood
from pbem.legacy.matches.events import (
    Event,
    MatchEnded,
    MatchRolledBack,
    MatchStarted,
    MovePlayed,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
)
from pbem.legacy.matches.match import Match, ended, require_running
from pbem.legacy.matches.replay import evolve
from pbem.legacy.matches.resigning import ResignationHeld, out, plays_on
from pbem.legacy.matches.steps import Status
from pbem.legacy.matches.table import MessageSaid
from pbem.legacy.matches.timing import bank, settled, with_bank
from pbem.legacy.matches.unfolding import Audit, Deciding, Played, Unfolding, in_play
from pbem.legacy.matches.window import (
    MoveHeld,
    held_text,
    judged_as_held,
    played_now,
    require_held,
    voided,
    withdrawal,
)
from pbem.names import Digest, PlayerId

P = ParamSpec("P")

FORCED_AT_ONCE: Final = 200
"""Plies that one decision plays by itself; a timer goes on from there."""

_FOLLOWED: Final = frozenset(
    {
        ConditionsGiven,
        DrawAccepted,
        DrawOffered,
        MatchRolledBack,
        MovePlayed,
        SeatResigned,
        SeatTakenOver,
        SeatTimedOut,
    }
)
"""After what something may follow by itself."""


def decide(
    unfolding: Unfolding,
    act: Callable[Concatenate[Unfolding, P], Deciding],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Unfolding:
    """What a function decides, with all that follows. Raises Rejection, and nothing has happened.

    Raises ChancesNeeded where something is to be drawn after all.
    """
    before = unfolding.match.course.position
    for one in act(unfolding, *args, **kwargs):
        happens(unfolding, one)
        if type(unfolding.events[-1]) in _FOLLOWED:
            follow(unfolding)
    if unfolding.match.status is Status.CHALLENGE and unfolding.match.is_full:
        _start(unfolding)
    match = unfolding.match
    if match.pending.held and match.course.position is not before:
        for withdrawn in voided(match):
            happens(unfolding, withdrawn)
    match = unfolding.match
    if match.clocks is not None and match.status is Status.RUNNING:
        for event in [*settled(match, match.clocks, unfolding.now)]:
            happens(unfolding, event)
    return unfolding


def happens(unfolding: Unfolding, one: Event | Played) -> None:
    """An event happens; of a ply the move may be known already."""
    match, known = unfolding.match, one if isinstance(one, Played) else None
    event: Event = one.event if isinstance(one, Played) else one
    if match.clocks is not None and isinstance(event, MovePlayed):
        event = with_bank(match, match.clocks, event, unfolding.now)
    unfolding.match = evolve(match, event, known)
    unfolding.events.append(event)


# --- what follows --------------------------------------------------------------------------------


def follow(unfolding: Unfolding) -> None:
    """Go on until somebody has a choice: draws, conditions, forced plies, the end."""
    drawn = False
    for _ in range(FORCED_AT_ONCE):
        match = unfolding.match
        match match.game.turn(match.course.position):
            case Seats(()):
                return  # nobody knows whose turn it is: nothing of this is kept
            case Over(outcome):
                happens(unfolding, ended(match, outcome))
                for opened in revealed(unfolding.match):
                    happens(unfolding, opened)
                return
            case Chance(asked):
                _draw(unfolding, asked)
                drawn = True
            case Seats(seats):
                if match.pending.conditions and _condition_met(unfolding, seats):
                    drawn = drawn and isinstance(unfolding.events[-1], ConditionsVoided)
                    continue
                forced = by_itself(match, seats[0], drawn=drawn)
                if forced is None:
                    return
                happens(unfolding, forced)
                drawn = False
    unfolding.cut_off = True


def goes_on(match: Match) -> bool:
    """Whether something is still to follow by itself: a decision stopped at its limit."""
    if match.status is not Status.RUNNING:
        return False
    match match.game.turn(match.course.position):
        case Over() | Chance():
            return True
        case Seats(()):
            return False
        case Seats(seats):
            if any(due(match, seat) is not None for seat in seats):
                return True
            return by_itself(match, seats[0], drawn=False) is not None


def by_itself(match: Match, seat: Seat, *, drawn: bool) -> Played | None:
    """The only move there is, or the one ordered.

    A standing order holds for later draws, so only what was just drawn is decided by it.
    """
    move, standing = match.game.forced(match.course.position), False
    if move is None and drawn:
        move, standing = obeyed(match, seat), True
    return _forced(match, seat, move, standing=standing) if move is not None else None


def _forced(
    match: Match,
    seat: Seat,
    move: object,
    after: object = None,
    *,
    standing: bool = False,
    condition: bool = False,
) -> Played:
    ply = MovePlayed(
        seat=seat,
        ply=Ply(match.course.ply + 1),
        notation=match.game.notation(move),
        forced=True,
        standing=standing,
        condition=condition,
    )
    return Played(ply, move, after)


def _condition_met(unfolding: Unfolding, seats: Iterable[Seat]) -> bool:
    """Whether something came of the conditions of the seats that are to act."""
    match = unfolding.match
    for seat in seats:
        match due(match, seat):
            case None:
                continue
            case Void():
                happens(unfolding, ConditionsVoided(seat=seat))
            case Resignation():
                _resigns(unfolding, seat)
            case Answer(move, after):
                happens(unfolding, _forced(match, seat, move, after, condition=True))
        return True
    return False


def _resigns(unfolding: Unfolding, seat: Seat) -> None:
    """A seat resigns by a condition: the same as by the word, and of both the first."""
    match, until = unfolding.match, None
    if unfolding.resign_after is not None:
        until = unfolding.now + unfolding.resign_after
    if seat in match.pending.resigning:
        until = match.pending.resigning[seat].until
    if until is not None:
        happens(unfolding, ResignationHeld(seat=seat, until=until, condition=True))
        return
    resigned = SeatResigned(seat=seat, ply=match.course.ply, condition=True)
    happens(unfolding, out(match, resigned))


def _draw(unfolding: Unfolding, asked: Draw) -> tuple[int, ...]:
    """Something is drawn; its values. Raises ChancesNeeded where there is nothing to draw from."""
    made = draw(unfolding.match.course.ply, asked, unfolding.chances)
    unfolding.chances = made.left
    if made.texts:
        unfolding.match = unfolding.match.knowing(made.texts)
    for event in made.events:
        happens(unfolding, event)
    return made.values


def _start(unfolding: Unfolding) -> None:
    """All have accepted."""
    match = unfolding.match
    unfolding.chances = of_the_start(match, unfolding.chances)
    order = match.table.players
    if match.chance.seats_drawn:
        drawn = _draw(unfolding, seats_draw(len(order)))
        order = tuple(order[number] for number in drawn)
    options = seated_options(match, order)
    started = MatchStarted(ruleset=match.terms.ruleset, options=options, players=order)
    happens(unfolding, started)
    follow(unfolding)


# --- playing -------------------------------------------------------------------------------------


def play(
    unfolding: Unfolding,
    player: PlayerId,
    text: str,
    *,
    ply: Ply | None = None,
    letter: str = "",
    read: ReadMove | None = None,
) -> Deciding:
    """Play what was typed; `ply`, if given, is the ply it is meant for, against old mail.

    `letter` is the digest of the letter that brought it, empty for a bot's. `read` is the move that
    the text is, where that is known. Raises Rejection.
    """
    match = unfolding.match
    move = understood(match, player, text, ply=ply, read=read, held=False)
    after = match.game.play(match.course.position, move.move)
    if move.seat in match.pending.resigning:
        yield plays_on(move.seat)
    if move.seat in match.pending.held:
        yield withdrawal(match.pending.held[move.seat], "replaced")
    played = MovePlayed(
        seat=move.seat,
        ply=Ply(match.course.ply + 1),
        notation=move.notation,
        typed=text,
        letter=letter,
    )
    yield Played(played, move.move, after)


def play_held(unfolding: Unfolding, player: PlayerId, *, version: int | None = None) -> Deciding:
    """A held move goes out, and what was typed beside it follows it.

    With its `version`, its time has come, and one that was asked about is withdrawn.
    """
    match = unfolding.match
    held = require_held(player, match, version)
    if held.asked and version is not None:
        yield withdrawal(held, "unanswered")
        return
    played = played_now(held, match)
    if not isinstance(played, Played):
        yield played
        return
    if version is None and held.seat in match.pending.resigning:
        yield plays_on(held.seat)
    yield played
    text = held_text(match, held.move)
    if text is None:
        return
    if text.draw:
        with suppress(Rejection):  # what has happened since may have made the offer impossible
            yield from offer_draw(unfolding, player)
    for words in text.says:
        yield MessageSaid(author=match.player_at(held.seat), text=words)


def add_to_held(unfolding: Unfolding, player: PlayerId, *, sealed: Digest) -> Deciding:
    """Let a draw offer or words go out with the held move; `sealed` is the digest of all.

    A draw that is offered so must be one that could be offered then.
    """
    match = unfolding.match
    held = require_held(player, match)
    text, played = held_text(match, sealed), played_now(held, match)
    if text is not None and text.draw and isinstance(played, Played):
        then = replace(unfolding, match=evolve(match, played.event, played))
        for _ in offer_draw(then, player):
            pass
    yield withdrawal(held, "replaced")
    yield MoveHeld(
        seat=held.seat,
        ply=held.ply,
        move=sealed,
        received=held.received,
        until=held.until,
        letter=held.letter,
        asked=held.asked,
        free=held.free,
    )


def go_on(unfolding: Unfolding) -> Deciding:
    """Forced plies and draws go on where an earlier decision stopped at its limit."""
    require_running(unfolding.match)
    follow(unfolding)
    return iter(())


# --- whether it may stand in the log --------------------------------------------------------------


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
    yield from bank(state, event)
    if event.forced:
        yield from _judged_by_itself(state, event)


def _judged_by_itself(state: Match, event: MovePlayed) -> Iterator[str]:
    """What the server played must be the only move there is, or what the seat decided before."""
    if event.condition:
        due_now = decided(state, event.seat)
        right = isinstance(due_now, Answer) and state.game.notation(due_now.move) == event.notation
        if due_now is not None and not right:
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


def _judged_move(state: Match, event: MovePlayed) -> Iterator[str]:
    yield from _move(state, event)
    yield from judged_as_held(state, event)


def _end(state: Match, event: MatchEnded) -> Iterator[str]:
    outcome = outcome_of(state)
    given = (event.placings, event.termination)
    if outcome is None or (outcome.placings, outcome.termination) != given:
        yield f"the result {event.placings} by {event.termination} is not what the rules give"
    elif ended(state, outcome) != event:
        yield "the end does not say who has played with whom, and how"


AUDIT: Final[Audit] = in_play({MovePlayed: _judged_move, MatchEnded: _end})
