"""`Match`: the state of a match, and how each event changes it.

`apply` never refuses an event, draws random values or reads a clock, because an event has already
happened and contains its outcome. `replay` applies all events in order. This module treats the
position and the moves as opaque values of the match's game.

`Match.position` is complete and includes what is hidden from some players. Use
`Match.visible_position` for the position that one seat may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import reduce
from typing import Any, Final, TypeAlias

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.games.game import ChanceResult, Outcome, Ply, Seat, Seats
from pbem.match import events
from pbem.match.clocks import DAY, Clocks, Pause, parse_time_control, start_clocks
from pbem.names import MatchId, PlayerId, is_bot

VOIDED: Final = "voided"  # termination of a match that the operator declared to have no result
ADJUDICATED: Final = "adjudicated"  # termination of a match whose result the operator decided


class Status(StrEnum):
    """The stage of a match: challenge, running, ended, or closed without a start."""

    CHALLENGE = "challenge"
    RUNNING = "running"
    ENDED = "ended"
    CLOSED = "closed"  # a challenge that never became a match


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayedPly:
    """A move or a random draw of the game, with the positions before and after it.

    `ply` is its number. `seat` is the seat that moved; None for a random draw. `event` is the event
    that recorded it.
    """

    ply: Ply
    seat: Seat | None
    move: Any
    before: Any
    after: Any
    event: events.MovePlayed | events.ChanceDrawn | events.ChanceSealed

    @property
    def is_chosen(self) -> bool:
        """Whether a player or a bot chose the move; False for random draws and automatic moves."""
        event = self.event
        return isinstance(event, events.MovePlayed) and event.source not in events.AUTOMATIC_SOURCES

    @property
    def is_conditional(self) -> bool:
        """Whether the move is one that its player had prepared."""
        event = self.event
        return isinstance(event, events.MovePlayed) and event.source is events.Source.CONDITION


@dataclass(frozen=True, kw_only=True, slots=True)
class Offers:
    """The draw offer and the takeback request that are open in a match, and what limits new ones.

    `draw` is the seat whose draw offer is open; None without one. `agreed` are the seats that want
    the draw, including the seat that offered it. `offered` are the seats that have offered a draw
    and may not offer another until their next turn has ended. `takeback` is the open takeback
    request; None without one. `takebacks` are the seats that have requested a takeback since the
    last move. `version` is the version of the match after the newest offer or request; 0 without
    one.
    """

    draw: Seat | None = None
    agreed: tuple[Seat, ...] = ()
    offered: tuple[Seat, ...] = ()
    takeback: events.TakebackRequested | None = None
    takebacks: tuple[Seat, ...] = ()
    version: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Renewal:
    """The newest restore of a match from a backup.

    `version` and `at` are the version and time of the event ChanceRenewed, which records it. Before
    this time, players may have seen other events with this or a later version. The restore lost
    these events.
    """

    version: int
    at: datetime


# An event that commits the server to a hash chain of random draws.
Commitment: TypeAlias = events.ChallengeIssued | events.ChanceCommitted | events.ChanceRenewed


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """The state of a match after its first `version` events.

    `challenge` is the first event, which has the terms. `accepted` has the players in the order in
    which they took a seat, the challenger first. Each has the hash of the accepting email or page
    command, which is empty for the challenger and for bots. `entrants` are all players who were
    ever invited or took a seat. Reply addresses contain a player's number in this list, from 1.

    `players` are in seat order. `players`, `plies` and `position` are empty until the match starts.
    `plies` are the moves and random draws that were not taken back. `moves` are all moves,
    including those taken back, because random draws depend on them. `departures` has the seats that
    resigned or timed out, each with the number of the newest ply at that time.

    `draws` are the public random draws, `sealed_draws` are the sealed ones, and `revealed_draws`
    are the sealed ones that have been disclosed. `commitments` has the event that committed to each
    hash chain of public draws, by the number of the chain's first draw. `sealed_commitments` has
    the same for sealed draws. `renewal` is the newest restore from a backup, which replaced the
    chains. `is_renewed` is True from then until a player has sent a move.
    """

    id: MatchId
    version: int = 0  # number of events
    status: Status = Status.CHALLENGE
    challenge: events.ChallengeIssued | None = None
    entrants: tuple[PlayerId, ...] = ()
    accepted: tuple[tuple[PlayerId, str], ...] = ()
    declined: tuple[PlayerId, ...] = ()
    colours: Mapping[PlayerId, str] = field(default_factory=dict)
    players: tuple[PlayerId, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    position: Any = field(default=None, repr=False)
    plies: tuple[PlayedPly, ...] = field(default=(), repr=False)
    moves: tuple[events.MovePlayed, ...] = ()
    departures: Mapping[Seat, Ply] = field(default_factory=dict)
    commitments: Mapping[int, Commitment] = field(default_factory=dict)
    sealed_commitments: Mapping[int, Commitment] = field(default_factory=dict)
    renewal: Renewal | None = None
    is_renewed: bool = False
    draws: tuple[events.ChanceDrawn, ...] = ()
    sealed_draws: tuple[events.ChanceSealed, ...] = ()
    revealed_draws: tuple[events.ChanceRevealed, ...] = ()
    clocks: Clocks | None = None
    offers: Offers = Offers()
    standing_orders: Mapping[Seat, str] = field(default_factory=dict)
    verdict: Outcome | None = None  # decided by the operator; the match ends with it
    outcome: Outcome | None = None
    ended_at: datetime | None = None

    @property
    def terms(self) -> events.ChallengeIssued:
        """The terms of the match, as its challenge states them."""
        if self.challenge is None:
            raise ValueError(f"match {self.id} has no events")
        return self.challenge

    @property
    def game(self) -> AnyGame:
        """The game of the match, in its edition."""
        return GAMES[self.terms.ruleset]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return 1 + len(self.terms.invited) + self.terms.open_seats

    @property
    def ply(self) -> Ply:
        """The number of the newest move or random draw; 0 before the first one."""
        return Ply(len(self.plies))

    @property
    def to_move(self) -> tuple[Seat, ...]:
        """The seats that are to move; empty if a random draw is due or the match does not run."""
        if self.status is not Status.RUNNING or self.verdict is not None:
            return ()
        turn = self.game.turn(self.position)
        return turn.seats if isinstance(turn, Seats) else ()

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that are still in a running game; empty if the match is not running."""
        if self.status is not Status.RUNNING:
            return ()
        seats = (Seat(number) for number in range(1, len(self.players) + 1))
        return tuple(seat for seat in seats if seat not in self.departures)

    @property
    def joined(self) -> tuple[PlayerId, ...]:
        """The players who have taken open seats, in the order in which they joined."""
        first = (self.terms.challenger, *self.terms.invited)
        return tuple(player for player, _ in self.accepted if player not in first)

    @property
    def open_seats(self) -> int:
        """The number of open seats that are still free; 0 unless the match is a challenge."""
        if self.status is not Status.CHALLENGE:
            return 0
        return self.terms.open_seats - len(self.joined)

    @property
    def waiting_for(self) -> tuple[PlayerId, ...]:
        """The invited players who have not accepted yet; empty unless the match is a challenge."""
        if self.status is not Status.CHALLENGE:
            return ()
        answered = {player for player, _ in self.accepted}
        return tuple(player for player in self.terms.invited if player not in answered)

    @property
    def is_voided(self) -> bool:
        """Whether the operator declared that the match has no result."""
        return self.outcome is not None and self.outcome.termination == VOIDED

    def list_opponents(self, player: PlayerId | None) -> list[PlayerId]:
        """Return all players of the match except `player`, in the order of the challenge.

        Before the start these are all who are invited or have taken a seat. If `player` is None,
        the result has all players.
        """
        present = self.players or (*self.terms.invited, *(entrant for entrant, _ in self.accepted))
        return [other for other in self.entrants if other in present and other != player]

    def has_only_bots_against(self, player: PlayerId) -> bool:
        """Return whether all other players of the match are bots."""
        return all(map(is_bot, self.list_opponents(player)))

    def seat_of(self, player: PlayerId) -> Seat | None:
        """Return the seat of a player; None if the player has none, or before the match starts."""
        return Seat(self.players.index(player) + 1) if player in self.players else None

    def player_at(self, seat: Seat) -> PlayerId:
        """Return the player at a seat of a match that has started."""
        return self.players[seat - 1]

    def visible_position(self, seat: Seat) -> Any:
        """Return the position without what is hidden from `seat`; complete if the match has ended.

        For spectators use `game.board`, which shows only what is public.
        """
        if self.status is Status.ENDED:
            return self.position
        return self.game.redact(self.position, seat)


def require_running(match: Match) -> None:
    """Raise a Rejection unless the match is running.

    Raises:
        Rejection: `match_over`, `challenge_closed` or `not_started`.
    """
    codes = {
        Status.CHALLENGE: "not_started",
        Status.ENDED: "match_over",
        Status.CLOSED: "challenge_closed",
    }
    if match.status in codes:
        raise Rejection(codes[match.status], match=match.id)


def require_seat(match: Match, player: PlayerId) -> Seat:
    """Return the seat of a player in a match.

    Raises:
        Rejection: `no_seat`, if the player has none.
    """
    seat = match.seat_of(player)
    if seat is None:
        raise Rejection("no_seat", match=match.id)
    return seat


def require_playing(match: Match, player: PlayerId) -> Seat:
    """Return the player's seat, after checking that the match runs and the player is still in it.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat` or `seat_out`.
    """
    require_running(match)
    seat = require_seat(match, player)
    if seat not in match.playing:
        raise Rejection("seat_out", match=match.id)
    return seat


def require_seat_number(match: Match, seat: int) -> Seat:
    """Return `seat` as a Seat, after checking that the match runs and the seat is still in it.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, or `no_such_seat`.
    """
    require_running(match)
    if seat not in match.playing:
        raise Rejection("no_such_seat", seat=seat, seats=list(match.playing))
    return Seat(seat)


def replay(match_id: MatchId, log: Iterable[events.MatchEvent]) -> Match:
    """Return the match that results from its events. `log` has all of them, oldest first."""
    return reduce(apply, log, Match(id=match_id))


def apply(match: Match, event: events.MatchEvent) -> Match:
    """Return the match after one more event.

    Every event increases the version, and lets the clocks of the players to move run. Further
    changes depend on its type (`CHANGES`).
    """
    change = CHANGES.get(type(event))
    after = match if change is None else change(match, event)
    clocks = after.clocks
    if after.status is Status.RUNNING and clocks is not None:
        clocks = clocks.run(after.to_move, event.at)
    return replace(after, version=match.version + 1, clocks=clocks)


# --- before the start ----------------------------------------------------------------------------


def _issue(match: Match, event: events.ChallengeIssued) -> Match:
    return replace(
        match,
        challenge=event,
        entrants=(event.challenger, *event.invited),
        accepted=((event.challenger, ""),),
        options=event.options,
        colours={} if event.colour is None else {event.challenger: event.colour},
        commitments={1: event},
        sealed_commitments={1: event},
    )


def _take_seat(match: Match, event: events.SeatTaken) -> Match:
    colour = {} if event.colour is None else {event.player: event.colour}
    return replace(
        match,
        accepted=(*match.accepted, (event.player, event.message_hash)),
        entrants=_add_entrant(match, event.player),
        colours={**match.colours, **colour},
    )


def _add_entrant(match: Match, player: PlayerId) -> tuple[PlayerId, ...]:
    return match.entrants if player in match.entrants else (*match.entrants, player)


def _release_seat(match: Match, event: events.SeatReleased) -> Match:
    return replace(
        match,
        accepted=tuple(entry for entry in match.accepted if entry[0] != event.player),
        colours={name: colour for name, colour in match.colours.items() if name != event.player},
    )


def _decline(match: Match, event: events.InvitationDeclined) -> Match:
    return replace(match, declined=(*match.declined, event.player))


def _close(match: Match, event: events.ChallengeClosed) -> Match:
    return replace(match, status=Status.CLOSED, ended_at=event.at)


def _start(match: Match, event: events.MatchStarted) -> Match:
    control = parse_time_control(match.terms.time_control)
    return replace(
        match,
        status=Status.RUNNING,
        players=event.players,
        options=event.options,
        position=match.game.initial_position(match.seats, event.options),
        clocks=None if control is None else start_clocks(control, match.seats),
    )


# --- draws and moves -----------------------------------------------------------------------------


def _commit(match: Match, event: events.ChanceCommitted) -> Match:
    return replace(match, commitments={**match.commitments, event.first: event})


def _renew(match: Match, event: events.ChanceRenewed) -> Match:
    return replace(
        match,
        commitments=_replace_chain(match.commitments, len(match.draws) + 1, event),
        sealed_commitments=_replace_chain(
            match.sealed_commitments, len(match.sealed_draws) + 1, event
        ),
        renewal=Renewal(version=match.version + 1, at=event.at),
        is_renewed=True,
    )


def _replace_chain(
    commitments: Mapping[int, Commitment], first: int, event: events.ChanceRenewed
) -> Mapping[int, Commitment]:
    chains = {start: chain for start, chain in commitments.items() if start < first}
    return {**chains, first: event}


def _draw(match: Match, event: events.ChanceDrawn) -> Match:
    match = replace(match, draws=(*match.draws, event))
    if event.ply is None:  # the draw of the seats changes no position
        return match
    return _add_ply(match, None, ChanceResult(event.values), event)


def _seal(match: Match, event: events.ChanceSealed) -> Match:
    match = replace(match, sealed_draws=(*match.sealed_draws, event))
    return _add_ply(match, None, ChanceResult(event.values), event)


def _reveal(match: Match, event: events.ChanceRevealed) -> Match:
    return replace(match, revealed_draws=(*match.revealed_draws, event))


def _move(match: Match, event: events.MovePlayed) -> Match:
    move = match.game.read_notation(event.notation, match.position)
    offers = replace(match.offers, takeback=None, takebacks=())
    match = replace(
        match,
        moves=(*match.moves, event),
        offers=offers,
        is_renewed=match.is_renewed and not event.message_hash,
    )
    match = _add_ply(match, event.seat, move, event)
    if match.clocks is None or event.bank is None:
        return match
    return replace(match, clocks=match.clocks.move(event.seat, event.bank))


def _add_ply(
    match: Match,
    seat: Seat | None,
    move: Any,
    event: events.MovePlayed | events.ChanceDrawn | events.ChanceSealed,
) -> Match:
    before = match.position
    after = match.game.play(before, move)
    ply = Ply(match.ply + 1)
    played = PlayedPly(ply=ply, seat=seat, move=move, before=before, after=after, event=event)
    return _end_turn(replace(match, position=after, plies=(*match.plies, played)))


def _end_turn(match: Match) -> Match:
    """Return the match with its draw offers updated after a ply, which may have ended a turn.

    In most games, a draw offer ends when another seat ends its turn. In games with lasting draw
    offers, it ends when the seat that made it ends its next turn. In all games, a seat that has
    offered a draw may offer another when its own next turn has ended.
    """
    to_move, offers = match.to_move, match.offers
    if not to_move or not (offers.draw or offers.offered):
        return match
    seat = next((ply.seat for ply in reversed(match.plies) if ply.seat is not None), None)
    if seat is None or seat in to_move:
        return match
    if offers.draw is not None and (offers.draw == seat) == match.game.has_lasting_draw_offers:
        offers = replace(offers, draw=None, agreed=())
    offered = tuple(other for other in offers.offered if other != seat)
    return replace(match, offers=replace(offers, offered=offered))


def _give_standing_order(match: Match, event: events.StandingOrderGiven) -> Match:
    return replace(match, standing_orders={**match.standing_orders, event.seat: event.order})


# --- offers --------------------------------------------------------------------------------------


def _offer_draw(match: Match, event: events.DrawOffered) -> Match:
    claimed = match.game.claim_draw(match.position)
    if claimed is not None:
        return replace(match, position=claimed)
    offers = replace(
        match.offers,
        draw=event.seat,
        agreed=(event.seat,),
        offered=(*match.offers.offered, event.seat),
        version=match.version + 1,
    )
    return replace(match, offers=offers)


def _decline_draw(match: Match, _event: events.DrawDeclined) -> Match:
    return replace(match, offers=replace(match.offers, draw=None, agreed=()))


def _agree_to_draw(match: Match, event: events.DrawAgreed) -> Match:
    agreed = (*match.offers.agreed, event.seat)
    match = replace(match, offers=replace(match.offers, agreed=agreed))
    if set(match.playing) <= set(agreed):
        match = replace(match, position=match.game.agree_draw(match.position))
    return match


def _request_takeback(match: Match, event: events.TakebackRequested) -> Match:
    takebacks = (*match.offers.takebacks, event.seat)
    offers = replace(match.offers, takeback=event, takebacks=takebacks, version=match.version + 1)
    return replace(match, offers=offers)


def _decline_takeback(match: Match, _event: events.TakebackDeclined) -> Match:
    return replace(match, offers=replace(match.offers, takeback=None))


def _roll_back(match: Match, event: events.MatchRolledBack) -> Match:
    """Return the match with the position after ply `event.ply`. Later plies stay in the log."""
    position = match.plies[event.ply].before
    return replace(match, position=position, plies=match.plies[: event.ply], offers=Offers())


# --- seats and clocks ----------------------------------------------------------------------------


def _leave(match: Match, event: events.SeatResigned | events.SeatTimedOut) -> Match:
    return replace(
        match,
        position=match.game.leave(match.position, event.seat),
        departures={**match.departures, event.seat: match.ply},
        offers=Offers(offered=match.offers.offered),
    )


def _reassign(match: Match, event: events.SeatReassigned) -> Match:
    players = list(match.players)
    players[event.seat - 1] = event.player
    orders = {seat: order for seat, order in match.standing_orders.items() if seat != event.seat}
    return replace(
        match,
        players=tuple(players),
        entrants=_add_entrant(match, event.player),
        standing_orders=orders,
        offers=Offers(),
        clocks=None if match.clocks is None else match.clocks.reassign(event.seat, event.at),
    )


def _pause_clock(match: Match, event: events.ClockPaused) -> Match:
    pause = Pause(since=event.at, until=event.until)
    return _change_clocks(match, lambda clocks: clocks.pause(event.seat, event.reason, pause))


def _resume_clock(match: Match, event: events.ClockResumed) -> Match:
    return _change_clocks(match, lambda clocks: clocks.resume(event.seat, event.reason, event.at))


def _extend_deadline(match: Match, event: events.DeadlineExtended) -> Match:
    def extend(clocks: Clocks) -> Clocks:
        clocks = clocks.replace_bank(event.seat, clocks.banks[event.seat - 1] + event.added)
        if event.reason is events.ExtensionReason.VACATION:
            clocks = clocks.spend(event.seat, events.PauseReason.VACATION, event.added // DAY * DAY)
        return clocks

    return _change_clocks(match, extend)


def _change_clocks(match: Match, change: Callable[[Clocks], Clocks]) -> Match:
    return match if match.clocks is None else replace(match, clocks=change(match.clocks))


# --- the end -------------------------------------------------------------------------------------


def _void(match: Match, _event: events.MatchVoided) -> Match:
    outcome = Outcome((1,) * match.seats, VOIDED)
    if match.status is Status.ENDED:
        return replace(match, outcome=outcome)
    return replace(match, verdict=outcome)


def _adjudicate(match: Match, event: events.MatchAdjudicated) -> Match:
    return replace(match, verdict=Outcome(event.placings, ADJUDICATED))


def _end(match: Match, event: events.MatchEnded) -> Match:
    return replace(
        match,
        status=Status.ENDED,
        outcome=Outcome(event.placings, event.termination),
        clocks=None if match.clocks is None else match.clocks.run((), event.at),
        offers=Offers(),
        ended_at=event.at,
    )


CHANGES: Final[Mapping[type[events.MatchEvent], Callable[[Match, Any], Match]]] = {
    events.ChallengeIssued: _issue,
    events.SeatTaken: _take_seat,
    events.SeatReleased: _release_seat,
    events.InvitationDeclined: _decline,
    events.ChallengeClosed: _close,
    events.MatchStarted: _start,
    events.ChanceCommitted: _commit,
    events.ChanceRenewed: _renew,
    events.ChanceDrawn: _draw,
    events.ChanceSealed: _seal,
    events.ChanceRevealed: _reveal,
    events.MovePlayed: _move,
    events.StandingOrderGiven: _give_standing_order,
    events.DrawOffered: _offer_draw,
    events.DrawDeclined: _decline_draw,
    events.DrawAgreed: _agree_to_draw,
    events.TakebackRequested: _request_takeback,
    events.TakebackDeclined: _decline_takeback,
    events.MatchRolledBack: _roll_back,
    events.SeatResigned: _leave,
    events.SeatTimedOut: _leave,
    events.SeatReassigned: _reassign,
    events.ClockPaused: _pause_clock,
    events.ClockResumed: _resume_clock,
    events.DeadlineExtended: _extend_deadline,
    events.MatchVoided: _void,
    events.MatchAdjudicated: _adjudicate,
    events.MatchEnded: _end,
}
