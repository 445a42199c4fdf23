"""Who sits at a table, watches, has left or was asked, and what was said there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from pbem.games.game import Seat
from pbem.matches.events import (
    ChallengeIssued,
    Event,
    InvitationDeclined,
    MatchStarted,
    MessageSaid,
    SeatGivenUp,
    SeatResigned,
    SeatTaken,
    SeatTimedOut,
    WatchBegan,
    WatchEnded,
)
from pbem.matches.operator_events import SeatReassigned
from pbem.matches.seat_events import ColourChosen, NoteKept, SeatTakenOver
from pbem.matches.steps import Remark, Seen

if TYPE_CHECKING:
    from pbem.names import PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Who has to do with a match.

    `players` is in seat order once it runs; `entrants` stays in the order of the challenge, and a
    player's number in it is the one in that player's reply address. `invited` are those whom the
    challenger named, himself included; who took an open seat is not. `accepted` has words and the
    letter's digest of each who did. `colours` are those that players chose before the start.
    `stood_in_for` are those who went, and in whose seats bots played on.
    """

    challenger: PlayerId | None = None
    entrants: tuple[PlayerId, ...] = ()
    invited: tuple[PlayerId, ...] = ()
    open_seats: int = 0
    private: bool = False
    players: tuple[PlayerId, ...] = ()
    accepted: tuple[tuple[PlayerId, str, str], ...] = ()
    colours: Mapping[PlayerId, str] = field(default_factory=dict)
    declined_by: PlayerId | None = None
    watchers: tuple[PlayerId, ...] = ()
    left: tuple[Seat, ...] = ()
    stood_in_for: tuple[PlayerId, ...] = ()
    said: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        seats = (Seat(number) for number in range(1, len(self.players) + 1))
        return tuple(seat for seat in seats if seat not in self.left)


def seated(table: Table, event: Event, seen: Seen) -> Table:
    """The table after an event in the match as it was `seen` before."""
    change = _CHANGES.get(type(event))
    return change(table, event, seen) if change is not None else table


def _issued(_: Table, event: ChallengeIssued, _seen: Seen) -> Table:
    return Table(
        challenger=event.challenger,
        entrants=event.players,
        invited=event.players,
        players=event.players,
        open_seats=event.open_seats,
        private=event.private,
        accepted=((event.challenger, "", ""),),
    )


def _taken(table: Table, event: SeatTaken, _: Seen) -> Table:
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


def _coloured(table: Table, event: ColourChosen, _: Seen) -> Table:
    return replace(table, colours={**table.colours, event.player: event.colour})


def _given_up(table: Table, event: SeatGivenUp, _: Seen) -> Table:
    player = event.player
    return replace(
        table,
        accepted=tuple(one for one in table.accepted if one[0] != player),
        players=tuple(other for other in table.players if other != player),
        colours={one: colour for one, colour in table.colours.items() if one != player},
        open_seats=table.open_seats + 1,
    )


def _declined(table: Table, event: InvitationDeclined, _: Seen) -> Table:
    return replace(table, declined_by=event.player)


def _started(table: Table, event: MatchStarted, _: Seen) -> Table:
    return replace(table, players=event.players)


def _watched(table: Table, event: WatchBegan, _: Seen) -> Table:
    return replace(table, watchers=(*table.watchers, event.player))


def _gone(table: Table, event: WatchEnded, _: Seen) -> Table:
    return replace(table, watchers=tuple(one for one in table.watchers if one != event.player))


def _said(table: Table, event: MessageSaid, seen: Seen) -> Table:
    return replace(table, said=(*table.said, Remark(event.author, seen.course.ply, event.text)))


def _noted(table: Table, event: NoteKept, seen: Seen) -> Table:
    return replace(table, notes=(*table.notes, Remark(event.author, seen.course.ply, event.text)))


def _left(table: Table, event: SeatResigned | SeatTimedOut, _: Seen) -> Table:
    return replace(table, left=(*table.left, event.seat))


def _taken_over(table: Table, event: SeatTakenOver, seen: Seen) -> Table:
    return replace(_reassigned(table, event, seen), stood_in_for=(*table.stood_in_for, event.left))


def _reassigned(table: Table, event: SeatTakenOver | SeatReassigned, _: Seen) -> Table:
    """The newcomer sits there, with a number of their own for reply addresses."""
    players, newcomer = list(table.players), event.player
    players[event.seat - 1] = newcomer
    return replace(
        table,
        players=tuple(players),
        entrants=_with(table.entrants, newcomer),
        watchers=tuple(one for one in table.watchers if one != newcomer),
    )


_CHANGES: Final[Mapping[type[Any], Callable[[Table, Any, Seen], Table]]] = {
    ChallengeIssued: _issued,
    SeatTaken: _taken,
    ColourChosen: _coloured,
    SeatGivenUp: _given_up,
    InvitationDeclined: _declined,
    MatchStarted: _started,
    WatchBegan: _watched,
    WatchEnded: _gone,
    MessageSaid: _said,
    NoteKept: _noted,
    SeatResigned: _left,
    SeatTimedOut: _left,
    SeatTakenOver: _taken_over,
    SeatReassigned: _reassigned,
}
