"""Who sits at the table: seats that are taken, given up, left, and taken over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pbem.errors import Rejection
from pbem.legacy.matches.challenges import (
    ChallengeClosed,
    chosen,
    require_challenge,
    seated_options,
)
from pbem.legacy.matches.events import (
    Event,
    Eyes,
    MatchStarted,
    SeatReassigned,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
    Visible,
)
from pbem.legacy.matches.match import Match, Table
from pbem.legacy.matches.steps import Status
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding, before_start
from pbem.names import PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTaken(Event):
    """A player accepted, or took an open seat: the next one after those who are in already.

    `words` are the player's own, `letter` is the digest of the letter's Message-ID and Date: both
    enter the draws of the start. It is empty where there was no such letter, or it had neither.
    """

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId
    words: str = ""
    letter: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatGivenUp(Event):
    """A player who had taken an open seat left it before the start; it is open again."""

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationDeclined(Event):
    """A player does not want this match."""

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId


# --- what events make of it -----------------------------------------------------------------------


def _taken(table: Table, event: SeatTaken, _: Match) -> Table:
    player, accepted = event.player, (*table.accepted, (event.player, event.words, event.letter))
    if player in table.players:
        return replace(table, accepted=accepted)
    return replace(
        table,
        accepted=accepted,
        players=(*table.players, player),
        entrants=_with(table.entrants, player),
        open_seats=table.open_seats - 1,
    )


def _with(entrants: tuple[PlayerId, ...], player: PlayerId) -> tuple[PlayerId, ...]:
    """Who comes back has the number of before: the reply address is known by it."""
    return entrants if player in entrants else (*entrants, player)


def _given_up(table: Table, event: SeatGivenUp, _: Match) -> Table:
    player = event.player
    return replace(
        table,
        accepted=tuple(one for one in table.accepted if one[0] != player),
        players=tuple(other for other in table.players if other != player),
        colours={one: colour for one, colour in table.colours.items() if one != player},
        open_seats=table.open_seats + 1,
    )


def _declined(table: Table, event: InvitationDeclined, _: Match) -> Table:
    return replace(table, declined_by=event.player)


def _started(table: Table, event: MatchStarted, _: Match) -> Table:
    return replace(table, players=event.players)


def _left(table: Table, event: SeatResigned | SeatTimedOut, _: Match) -> Table:
    return replace(table, left=(*table.left, event.seat))


def _taken_over(table: Table, event: SeatTakenOver, match: Match) -> Table:
    return replace(_reassigned(table, event, match), stood_in_for=(*table.stood_in_for, event.left))


def _reassigned(table: Table, event: SeatTakenOver | SeatReassigned, _: Match) -> Table:
    """The newcomer sits there, with a number of their own for reply addresses."""
    players, newcomer = list(table.players), event.player
    players[event.seat - 1] = newcomer
    return replace(
        table,
        players=tuple(players),
        entrants=_with(table.entrants, newcomer),
        watchers=tuple(one for one in table.watchers if one != newcomer),
    )


TABLE: Final[Changes[Table]] = {
    SeatTaken: _taken,
    SeatGivenUp: _given_up,
    InvitationDeclined: _declined,
    MatchStarted: _started,
    SeatResigned: _left,
    SeatTimedOut: _left,
    SeatTakenOver: _taken_over,
    SeatReassigned: _reassigned,
}


# --- what is decided ------------------------------------------------------------------------------


def accept(
    unfolding: Unfolding, player: PlayerId, *, words: str = "", letter: str = "", colour: str = ""
) -> Deciding:
    """Take the seat that one is invited to; the last one to do so starts the match.

    `letter` is the digest of the letter that says so. With a `colour`, as typed, one may also have
    taken it before: it is changed then.
    """
    _require_invitation(player, unfolding.match)
    if player in unfolding.match.waiting_for:
        yield SeatTaken(player=player, words=words, letter=letter)
    elif not colour:
        raise Rejection("already_accepted")
    if colour:
        yield from chosen(player, colour, unfolding.match)


def join(
    unfolding: Unfolding, player: PlayerId, *, words: str = "", letter: str = "", colour: str = ""
) -> Deciding:
    """Take an open seat, or the one that is kept for oneself; see `accept`."""
    match = unfolding.match
    if match.status is Status.CHALLENGE and player in match.table.players:
        yield from accept(unfolding, player, words=words, letter=letter, colour=colour)
        return
    if match.status is not Status.CHALLENGE or not match.table.open_seats:
        raise Rejection("no_open_seat", match=match.id)
    yield SeatTaken(player=player, words=words, letter=letter)
    if colour:
        yield from chosen(player, colour, unfolding.match)


def decline(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Refuse an invitation, or give an open seat back; the challenger withdraws the whole."""
    table = unfolding.match.table
    _require_invitation(player, unfolding.match)
    if player == table.challenger:
        yield ChallengeClosed(reason="withdrawn")
    elif player not in table.invited:
        yield SeatGivenUp(player=player)
    else:
        yield InvitationDeclined(player=player)
        yield ChallengeClosed(reason="declined")


def _require_invitation(player: PlayerId, match: Match) -> None:
    if player not in match.table.players:
        raise Rejection("not_invited")
    require_challenge(match)


# --- whether it may stand in the log --------------------------------------------------------------


def _judged_taking(state: Match, event: SeatTaken) -> Iterator[str]:
    joins = state.table.open_seats and event.player not in state.table.players
    if event.player not in state.waiting_for and not joins:
        yield "somebody accepted who was not asked, or twice"


def _judged_giving_up(state: Match, event: SeatGivenUp) -> Iterator[str]:
    if event.player not in state.table.players or event.player in state.table.invited:
        yield "a seat was given up by somebody who had taken none"


def _judged_declining(state: Match, event: InvitationDeclined) -> Iterator[str]:
    if event.player not in state.table.players or event.player == state.table.challenger:
        yield "somebody declined who was not asked"


def _judged_start(state: Match, event: MatchStarted) -> Iterator[str]:
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


AUDIT: Final[Audit] = before_start(
    {
        SeatTaken: _judged_taking,
        SeatGivenUp: _judged_giving_up,
        InvitationDeclined: _judged_declining,
        MatchStarted: _judged_start,
    }
)
