"""Whole random matches of every game, with everything that players and the operator can do."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import cache

import pytest

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.match import endings, operator_actions, play, takeback, timing
from pbem.match.events import (
    ChallengeClosed,
    ChanceCommitted,
    ChanceRenewed,
    ExtensionReason,
    InvitationDeclined,
    MatchEvent,
    PauseReason,
    SeatReleased,
)
from pbem.match.state import CHANGES, Status, replay
from pbem.match.verify import verify_match
from pbem.names import PlayerId
from tests.match.test_match import CODE, HOUR, Table

MAX_UNITS = 120  # then the players give up
CASES = [
    (ruleset, seats, seed)
    for ruleset, game in GAMES.items()
    for seats in game.seats
    for seed in range(10 if game.has_secret_draws else 1)
]
ORDERS = ("doubles keep", "doubles ask", "doubles reroll 2")

Decision = Callable[[Table, random.Random, PlayerId], Sequence[MatchEvent]]


def make_move(table: Table, rng: random.Random, _player: PlayerId) -> None:
    seat = rng.choice(table.match.to_move)
    game, known = table.match.game, table.match.known_to(seat)
    move = rng.choice(game.legal_moves(known))
    received = table.now - rng.choice([0, 0, 1]) * HOUR
    table.move(table.match.player_at(seat), game.notation(move), received=received)


DECISIONS: list[tuple[float, Decision]] = [
    (0.004, lambda t, _, p: endings.resign(t.match, p, t.now)),
    (0.03, lambda t, _, p: endings.offer_draw(t.match, p, t.now)),
    (0.5, lambda t, r, p: endings.answer_draw(t.match, p, agrees=r.random() < 0.4, now=t.now)),
    (0.15, lambda t, _, p: takeback.request_takeback(t.match, p, t.now)),
    (0.5, lambda t, r, p: takeback.answer_takeback(t.match, p, agrees=r.random() < 0.6, now=t.now)),
    (0.03, lambda t, r, p: play.give_standing_order(t.match, p, r.choice(ORDERS), t.now)),
    (0.01, lambda t, r, p: timing.begin_vacation(t.match, p, r.randint(1, 6), t.now)),
    (
        0.02,
        lambda t, r, p: timing.give_time(
            t.match, p, r.randint(1, 6), r.randint(1, 9) * HOUR, t.now
        ),
    ),
    (
        0.01,
        lambda t, r, p: timing.pause_clock(t.match, seat_of(t, p), r.choice([*PauseReason]), t.now),
    ),
    (
        0.05,
        lambda t, r, p: timing.resume_clock(
            t.match, seat_of(t, p), r.choice([*PauseReason]), t.now
        ),
    ),
    (0.01, lambda t, _, __: credit(t)),
    (0.004, lambda t, r, _: operator_actions.roll_back(t.match, r.randint(0, 40), t.now)),
    (
        0.004,
        lambda t, r, _: operator_actions.reassign_seat(
            t.match, r.randint(1, 6), newcomer(t), t.now
        ),
    ),
    (
        0.01,
        lambda t, r, _: timing.extend_deadline(t.match, r.randint(1, 6), 90 * HOUR, t.now),
    ),
    (0.001, lambda t, _, __: operator_actions.adjudicate(t.match, [1] * t.match.seats, t.now)),
    (0.001, lambda t, _, __: operator_actions.void_match(t.match, t.now)),
]


def seat_of(table: Table, player: PlayerId) -> Seat:
    seat = table.match.seat_of(player)
    assert seat is not None
    return seat


def newcomer(table: Table) -> PlayerId:
    return PlayerId(f"new{len(table.match.entrants)}")


def credit(table: Table) -> Sequence[MatchEvent]:
    reason = ExtensionReason.DOWNTIME
    return timing.credit_time(table.match, table.now - 5 * HOUR, table.now, reason, now=table.now)


def do_something(table: Table, rng: random.Random) -> None:
    """Let time pass, run the timers, and let one player or the operator act."""
    table.now += timedelta(hours=rng.choice([0, 1, 2, 9, 30]) if rng.random() < 0.98 else 300)
    table.execute(timing.end_due_pauses(table.match, table.now))
    for seat in table.match.playing:
        if table.match.status is Status.RUNNING:
            table.execute(timing.time_out(table.match, seat, table.now))
    for chance, decide in DECISIONS:
        if table.match.status is Status.RUNNING and rng.random() < chance:
            try:
                events = decide(table, rng, rng.choice(table.match.players))
            except Rejection:
                continue
            table.execute(events)
    if table.match.to_move:
        make_move(table, rng, table.match.players[0])


@cache
def play_random_match(ruleset: str, seats: int, seed: int) -> Table:
    rng = random.Random(f"{ruleset} {seats} {seed}")
    opponents = [PlayerId(f"player{number}") for number in range(2, seats + 1)]
    table = Table(*opponents, ruleset=ruleset, time="fast")
    for player in rng.sample(opponents, len(opponents)):
        table.accept(player)
    for _ in range(MAX_UNITS):
        if table.match.status is not Status.RUNNING:
            return table
        do_something(table, rng)
    for seat in table.match.playing:
        if table.match.status is Status.RUNNING:
            table.execute(endings.resign(table.match, table.match.player_at(seat), table.now))
    return table


@pytest.mark.parametrize(("ruleset", "seats", "seed"), CASES)
def test_a_random_match_is_replayed_and_verified(ruleset: str, seats: int, seed: int) -> None:
    table = play_random_match(ruleset, seats, seed)
    assert table.match.status is Status.ENDED
    assert len(table.match.revealed) == len(table.match.sealed)
    assert replay(CODE, (caused.event for caused in table.log)) == table.match
    assert verify_match(CODE, table.log) == []


def test_random_matches_have_every_event_that_changes_a_running_match() -> None:
    played = {type(caused.event) for case in CASES for caused in play_random_match(*case).log}
    before: set[type[MatchEvent]] = {ChallengeClosed, InvitationDeclined, SeatReleased}
    assert played == {*CHANGES} - before - {ChanceCommitted, ChanceRenewed}
