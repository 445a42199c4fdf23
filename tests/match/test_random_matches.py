"""Whole random matches of every game, with everything that players and the operator can do."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache

import pytest

from pbem.errors import Rejection
from pbem.games import GAMES
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
from pbem.match.state import CHANGES, Match, Status, replay
from pbem.match.verify import verify_match
from pbem.names import PlayerId
from tests.match.test_match import CODE, HOUR, Table

MAX_UNITS = 120  # then the players give up
CASES = [
    (ruleset, seats, seed)
    for ruleset, game in GAMES.items()
    for seats in game.seats
    for seed in range(10 if game.has_sealed_draws else 1)
]
DOWNTIME, REASONS = ExtensionReason.DOWNTIME, [*PauseReason]
ORDERS = ("doubles keep", "doubles ask", "doubles reroll 2")

Decision = Callable[[Match, random.Random, PlayerId, datetime], Sequence[MatchEvent]]


def make_move(table: Table, rng: random.Random) -> None:
    seat = rng.choice(table.match.to_move)
    game, known = table.match.game, table.match.visible_position(seat)
    move = rng.choice(game.legal_moves(known))
    received = table.now - rng.choice([0, 0, 1]) * HOUR
    table.move(table.match.player_at(seat), game.notation(move), received=received)


DECISIONS: list[tuple[float, Decision]] = [
    (0.004, lambda m, _, p, at: endings.resign(m, p, at)),
    (0.03, lambda m, _, p, at: endings.offer_draw(m, p, at)),
    (0.5, lambda m, r, p, at: endings.answer_draw(m, p, agrees=r.random() < 0.4, now=at)),
    (0.15, lambda m, _, p, at: takeback.request_takeback(m, p, at)),
    (0.5, lambda m, r, p, at: takeback.answer_takeback(m, p, agrees=r.random() < 0.6, now=at)),
    (0.03, lambda m, r, p, at: play.give_standing_order(m, p, r.choice(ORDERS), at)),
    (0.01, lambda m, r, p, at: timing.begin_vacation(m, p, r.randint(1, 6), at)),
    (0.02, lambda m, r, p, at: timing.give_time(m, p, r.randint(1, 6), r.randint(1, 9) * HOUR, at)),
    (0.01, lambda m, r, _, at: timing.pause_clock(m, r.choice(m.playing), r.choice(REASONS), at)),
    (0.05, lambda m, r, _, at: timing.resume_clock(m, r.choice(m.playing), r.choice(REASONS), at)),
    (
        0.01,
        lambda m, r, _, at: timing.credit_time(
            m, at - 5 * HOUR, at, DOWNTIME, now=at, seat=r.choice(m.playing)
        ),
    ),
    (0.004, lambda m, r, _, at: operator_actions.roll_back(m, r.randint(0, 40), at)),
    (
        0.004,
        lambda m, r, _, at: operator_actions.reassign_seat(m, r.randint(1, 6), newcomer(m), at),
    ),
    (0.01, lambda m, r, _, at: timing.extend_deadline(m, r.randint(1, 6), 90 * HOUR, at)),
    (0.004, lambda m, _, __, at: operator_actions.adjudicate(m, [1] * m.seats, at)),
    (0.001, lambda m, _, __, at: operator_actions.void_match(m, at)),
]


def newcomer(match: Match) -> PlayerId:
    return PlayerId(f"new{len(match.entrants)}")


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
                events = decide(table.match, rng, rng.choice(table.match.players), table.now)
            except Rejection:
                continue
            table.execute(events)
    if table.match.to_move:
        make_move(table, rng)


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
    assert len(table.match.revealed_draws) == len(table.match.sealed_draws)
    assert replay(CODE, (caused.event for caused in table.log)) == table.match
    assert verify_match(CODE, table.log) == []


def test_random_matches_have_every_event_that_changes_a_running_match() -> None:
    played = {type(caused.event) for case in CASES for caused in play_random_match(*case).log}
    before: set[type[MatchEvent]] = {ChallengeClosed, InvitationDeclined, SeatReleased}
    assert played == {*CHANGES} - before - {ChanceCommitted, ChanceRenewed}
