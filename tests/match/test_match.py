"""A match of Logger from challenge to end: decisions, clocks, draws and verification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem import fairness
from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.match.automatic import apply_unit, commit_draws
from pbem.match.clocks import Clocks, parse_time_control
from pbem.match.endings import resign
from pbem.match.events import (
    CausedEvent,
    ChanceDrawn,
    MatchEnded,
    MatchEvent,
    MatchStarted,
    MovePlayed,
    SeatTaken,
    Source,
)
from pbem.match.play import SubmittedMove, play_move
from pbem.match.setup import (
    Proposal,
    accept_invitation,
    decline_invitation,
    expire_challenge,
    issue_challenge,
)
from pbem.match.state import Match, Status
from pbem.match.verify import verify_match
from pbem.names import MatchId, PlayerId

ANN, BOB, CLEO = PlayerId("ann"), PlayerId("bob"), PlayerId("cleo")
CODE = MatchId("K7QX2")
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECRET = bytes(range(32))


class Table:
    """A match that is played: every command is one unit of work with a cause of its own."""

    def __init__(self, *opponents: PlayerId, ruleset: str = "logger-1", **options: str) -> None:
        proposal = Proposal(
            game=GAMES[ruleset],
            opponents=opponents,
            options=options,
            has_open_seats=not opponents or "seats" in options,
        )
        self.begin(issue_challenge(proposal, ANN, commit_draws(SECRET), NOON))

    def begin(self, events: Sequence[MatchEvent]) -> None:
        self.match = Match(id=CODE)
        self.log: list[CausedEvent] = []
        self.now = NOON
        self.execute(events)

    def execute(self, events: Sequence[MatchEvent]) -> list[Any]:
        cause = f"cause-{self.match.version}"
        self.match, all_events = apply_unit(self.match, events, SECRET, self.now)
        self.log.extend(CausedEvent(event=event, cause=cause) for event in all_events)
        return all_events

    def accept(self, player: PlayerId, **named: str) -> list[Any]:
        message_hash = fairness.hash_message(f"<{player}@example.org>", "today")
        return self.execute(
            accept_invitation(self.match, player, message_hash=message_hash, now=self.now, **named)
        )

    def move(self, player: PlayerId, text: str, *, received: datetime | None = None) -> None:
        move = SubmittedMove(
            text=text,
            source=Source.EMAIL,
            received=received or self.now,
            message_hash=fairness.hash_message(f"<{self.match.version}@example.org>", "today"),
        )
        self.execute(play_move(self.match, player, move, self.now))


def running(*opponents: PlayerId, **options: str) -> Table:
    table = Table(*(opponents or (BOB,)), **{"starter": "given", **options})
    for player in table.match.waiting_for:
        table.accept(player)
    return table


def clocks(table: Table) -> Clocks:
    assert table.match.clocks is not None
    return table.match.clocks


def events_of(table: Table, event_type: type[MatchEvent]) -> list[Any]:
    return [caused.event for caused in table.log if isinstance(caused.event, event_type)]


def code_of(decide: Any, *args: Any, **named: Any) -> str:
    with pytest.raises(Rejection) as refused:
        decide(*args, **named)
    return refused.value.code


# --- setup ---------------------------------------------------------------------------------------


def test_seats_are_drawn_unless_the_starter_is_given() -> None:
    table = Table(BOB, CLEO)
    table.accept(CLEO)
    assert table.match.waiting_for == (BOB,)
    table.accept(BOB)
    [draw] = events_of(table, ChanceDrawn)
    players = (ANN, BOB, CLEO)
    assert draw.request == "seats: order of 3"
    assert table.match.players == tuple(players[index] for index in draw.values)
    assert verify_match(CODE, table.log) == []


@pytest.mark.parametrize(
    ("opponents", "options", "code"),
    [
        ([ANN], {}, "player_twice"),
        ([BOB, BOB], {}, "player_twice"),
        ([], {}, "wrong_number_of_players"),
        ([BOB], {"starter": "me"}, "bad_option"),
        ([BOB], {"tree_limit": "many"}, "bad_option"),
        ([BOB], {"unrated": "maybe"}, "bad_option"),
        ([BOB], {"time": "0/1/1"}, "bad_time"),
        ([BOB], {"time": "20/1/10"}, "bad_time"),
    ],
)
def test_a_bad_proposal_is_refused(
    opponents: list[PlayerId], options: dict[str, str], code: str
) -> None:
    proposal = Proposal(game=GAMES["logger-1"], opponents=opponents, options=options)
    assert code_of(issue_challenge, proposal, ANN, commit_draws(SECRET), NOON) == code


def test_a_player_who_accepted_can_still_decline() -> None:
    table = Table(BOB, CLEO)
    table.accept(BOB)
    table.execute(decline_invitation(table.match, BOB, now=NOON))
    assert table.match.status is Status.CLOSED
    assert code_of(table.accept, CLEO) == "challenge_closed"


def test_only_invited_players_accept_and_only_once() -> None:
    table = Table(BOB, CLEO)
    assert code_of(table.accept, PlayerId("dora")) == "not_invited"
    table.accept(BOB)
    assert code_of(table.accept, BOB) == "already_accepted"
    table.accept(CLEO)
    assert code_of(table.accept, CLEO) == "match_started"


def test_a_challenge_expires_after_thirty_days() -> None:
    table = Table(BOB)
    assert expire_challenge(table.match, now=NOON + timedelta(days=29)) == []
    [closed] = table.execute(expire_challenge(table.match, now=NOON + timedelta(days=30)))
    assert closed.reason == "expired"


# --- play ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "text", "code"),
    [
        (BOB, "place a1", "not_your_turn"),
        (CLEO, "place a1", "no_seat"),
        (ANN, "place c3", "place_not_corner"),
        (ANN, "hello", "unreadable"),
    ],
)
def test_what_cannot_be_played_is_refused(player: PlayerId, text: str, code: str) -> None:
    assert code_of(running().move, player, text) == code


# --- clocks --------------------------------------------------------------------------------------


def test_a_clock_runs_until_the_move_is_received_and_gains_an_increment() -> None:
    table = running(time="10/2/12")
    assert clocks(table).deadline(Seat(1)) == NOON + 10 * HOUR
    assert clocks(table).deadline(Seat(2)) is None
    table.now = NOON + 5 * HOUR
    table.move(ANN, "a1", received=NOON + 4 * HOUR)
    [played] = events_of(table, MovePlayed)
    assert played.bank == 8 * HOUR  # 10 - 4 + 2
    assert clocks(table).deadline(Seat(2)) == table.now + 10 * HOUR
    table.move(BOB, "e5")
    assert clocks(table).banks == (8 * HOUR, 12 * HOUR)  # the cap


def test_a_move_after_the_deadline_leaves_the_increment_alone() -> None:
    table = running(time="10/2/12")
    table.move(ANN, "a1", received=NOON + 30 * HOUR)
    [played] = events_of(table, MovePlayed)
    assert played.bank == 2 * HOUR


@pytest.mark.parametrize(
    ("text", "written"), [("slow", "240/36/240"), ("1/0/1", "1/0/1"), ("none", "None")]
)
def test_time_controls_are_read_and_written(text: str, written: str) -> None:
    assert str(parse_time_control(text)) == written


# --- verification --------------------------------------------------------------------------------


def played_match() -> Table:
    table = Table(BOB)
    table.accept(BOB)
    first, second = table.match.players
    table.move(first, "a1")
    table.move(second, "e5")
    table.move(first, "b1; plant a1")
    table.execute(resign(table.match, second, NOON))
    return table


def find_first(log: list[CausedEvent], event_type: type[MatchEvent], start: int = 0) -> int:
    return next(n for n in range(start, len(log)) if isinstance(log[n].event, event_type))


def changed(table: Table, event_type: type[MatchEvent], **values: Any) -> list[CausedEvent]:
    log = list(table.log)
    at = find_first(log, event_type)
    log[at] = replace(log[at], event=replace(log[at].event, **values))
    return log


@pytest.mark.parametrize(
    ("event_type", "values"),
    [
        (ChanceDrawn, {"values": (1, 0)}),
        (ChanceDrawn, {"values": (0, 1)}),
        (ChanceDrawn, {"link": "00" * 32}),
        (ChanceDrawn, {"digest": "00" * 32}),
        (ChanceDrawn, {"request": "seats: order of 3"}),
        (ChanceDrawn, {"index": 2}),
        (MatchStarted, {"players": (ANN, ANN)}),
        (MovePlayed, {"notation": "place c3"}),
        (MovePlayed, {"bank": timedelta(hours=239)}),
        (MovePlayed, {"ply": 2}),
        (MovePlayed, {"seat": 2}),
        (MatchEnded, {"placings": (1, 1)}),
        (MatchEnded, {"termination": "limit"}),
    ],
)
def test_every_changed_event_is_found(event_type: type[MatchEvent], values: dict[str, Any]) -> None:
    table = played_match()
    log = changed(table, event_type, **values)
    if log != table.log:
        assert verify_match(CODE, log) != []


def without(log: list[CausedEvent], event_type: type[MatchEvent]) -> list[CausedEvent]:
    return [caused for caused in log if not isinstance(caused.event, event_type)]


def test_a_start_before_all_seats_are_taken_and_drawn_is_found() -> None:
    assert verify_match(CODE, without(running().log, SeatTaken)) != []
    log = changed(played_match(), MatchStarted, players=(ANN, BOB))
    assert verify_match(CODE, without(log, ChanceDrawn)) != []


@pytest.mark.parametrize("event_type", [MatchStarted, MovePlayed])
def test_a_move_in_the_unit_of_work_before_it_is_found(event_type: type[MatchEvent]) -> None:
    """Its draws would be bound to less than what the players did before it."""
    log = list(played_match().log)
    before = find_first(log, event_type)
    at = find_first(log, MovePlayed, before + 1)
    log[at] = replace(log[at], cause=log[before].cause)
    assert any("unit of work" in fault for fault in verify_match(CODE, log))


def test_a_draw_is_bound_to_the_acceptances() -> None:
    log = changed(played_match(), SeatTaken, message_hash="00")
    assert verify_match(CODE, log) != []
