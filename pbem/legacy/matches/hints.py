"""Hints: a move and why, for whoever plays against nobody but bots.

It is from the best bot that there is. Nobody else hears of it before the end; a move that is made
meanwhile voids it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.events import (
    Event,
    Eyes,
    HintGiven,
    MatchRolledBack,
    SeatReassigned,
    SeatTakenOver,
    Visible,
)
from pbem.legacy.matches.match import Match, Pending, Table, require_seat, require_turn
from pbem.legacy.matches.steps import Hinted, Status
from pbem.legacy.matches.takebacks import TakebackGranted
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding, in_play
from pbem.names import PlayerId, is_only_bots


@dataclass(frozen=True, kw_only=True, slots=True)
class HintAsked(Event):
    """A seat that has never sat with anybody but bots asked for a move, after `ply` plies."""

    visible = Visible(Eyes.OWN)
    seat: Seat
    ply: Ply


MOST_HINTS: Final = 3
"""Hints of a match."""


def _hint_asked(pending: Pending, event: HintAsked, _: Match) -> Pending:
    return replace(pending, hint=(event.seat, event.ply))


def _hint_void(pending: Pending, _: object, _match: Match) -> Pending:
    return replace(pending, hint=None) if pending.hint is not None else pending


def _hint_given(table: Table, event: HintGiven, match: Match) -> Table:
    return replace(table, hints=(*table.hints, Hinted(event, match.course.position)))


OPENS: Final[Changes[Pending]] = {
    HintAsked: _hint_asked,
}

CLOSES: Final[Changes[Pending]] = dict.fromkeys(
    (
        HintGiven,
        SeatTakenOver,
        SeatReassigned,
        TakebackGranted,
        MatchRolledBack,
    ),
    _hint_void,
)
"""Moves need not be named: what was asked for another ply is asked no more (`hint_awaited`)."""

TABLE: Final[Changes[Table]] = {HintGiven: _hint_given}


def only_among_bots(match: Match, player: PlayerId) -> bool:
    """Whether nobody but bots has ever sat in the match beside a player."""
    return is_only_bots([one for one in match.table.entrants if one != player])


def hints_left(match: Match, seat: Seat) -> int:
    """How many more hints a seat may have; what was given stays given if moves are taken back."""
    return MOST_HINTS - sum(one.hint.seat == seat for one in match.table.hints)


def hint_awaited(match: Match) -> Seat | None:
    """Who waits for a hint: somebody who has not moved since, nor has a move that is held."""
    if match.pending.hint is None:
        return None
    seat, ply = match.pending.hint
    waits = ply == match.course.ply and seat in match.to_act and seat not in match.pending.held
    return seat if waits else None


def hint_for(match: Match, seat: Seat | None) -> HintGiven | None:
    """The hint that a seat has had for the position as it is, if any."""
    if match.status is not Status.RUNNING or seat not in match.to_act:
        return None
    here = match.course.position
    given = (one for one in match.table.hints if one.hint.seat == seat and one.position == here)
    return next((one.hint for one in given), None)


def ask_hint(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Ask for a move. Raises Rejection.

    Nothing happens between people, to whom nobody gives advice, nor where one has been given, or is
    on its way.
    """
    match = unfolding.match
    seat = require_seat(player, match)
    require_turn(seat, match)
    if not only_among_bots(match, player):
        return
    if seat in match.pending.held:
        raise Rejection("hint_held")
    if hint_awaited(match) == seat or hint_for(match, seat) is not None:
        return
    if not hints_left(match, seat):
        raise Rejection("hints_spent", most=MOST_HINTS)
    yield HintAsked(seat=seat, ply=match.course.ply)


def give_hint(unfolding: Unfolding, hint: HintGiven | None) -> Deciding:
    """Tell a seat the move that was found, if it still waits for one."""
    if hint is not None and hint_awaited(unfolding.match) == hint.seat:
        yield hint


def _judged_hint(state: Match, event: HintAsked | HintGiven) -> Iterator[str]:
    """What is wrong with a hint, in words."""
    seat = event.seat
    if seat not in state.to_act or event.ply != state.course.ply:
        yield f"seat {seat} has a hint out of turn"
        return
    if not only_among_bots(state, state.player_at(seat)):
        yield "there is a hint between people"
    if hints_left(state, seat) < 1:
        yield f"seat {seat} has more than {MOST_HINTS} hints"
    if isinstance(event, HintAsked):
        return
    if hint_awaited(state) != seat:
        yield f"seat {seat} has a hint that it had not asked for"
    try:
        state.game.read(event.notation, state.course.position)
    except Rejection:
        yield f"a hint names {event.notation}, which is no move"


AUDIT: Final[Audit] = in_play({HintAsked: _judged_hint, HintGiven: _judged_hint})
