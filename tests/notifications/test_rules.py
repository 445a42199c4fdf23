"""Who is notified of what: units of work, and the emails that follow from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from pbem.games.game import Seat
from pbem.match.endings import answer_draw, offer_draw, resign
from pbem.match.events import ExtensionReason, MatchEvent, PauseReason, Source
from pbem.match.operator_actions import reassign_seat, void_match
from pbem.match.play import SubmittedMove, play_move
from pbem.match.setup import accept_invitation, decline_invitation, expire_challenge
from pbem.match.state import Match
from pbem.match.takeback import answer_takeback, request_takeback
from pbem.match.timing import (
    begin_vacation,
    credit_time,
    give_time,
    pause_clock,
    resume_clock,
    time_out,
)
from pbem.names import PlayerId
from pbem.notifications.rules import list_notifications
from tests.match.test_match import ANN, BOB, CLEO, NOON, Table, running
from tests.notifications.samples import FELLING, play

FIRST = Seat(1)
DORA = PlayerId("dora")
Decision = Callable[[Match], Sequence[MatchEvent]]


def accept(player: PlayerId) -> Decision:
    return lambda match: accept_invitation(match, player, message_hash="", now=NOON)


def decline(player: PlayerId) -> Decision:
    return lambda match: decline_invitation(match, player, now=NOON)


def give_up(player: PlayerId) -> Decision:
    return lambda match: resign(match, player, NOON)


def move(player: PlayerId, text: str) -> Decision:
    submitted = SubmittedMove(text=text, source=Source.EMAIL, received=NOON)
    return lambda match: play_move(match, player, submitted, NOON)


def ask_back(player: PlayerId) -> Decision:
    return lambda match: request_takeback(match, player, NOON)


def answer_back(player: PlayerId, *, agrees: bool) -> Decision:
    return lambda match: answer_takeback(match, player, agrees=agrees, now=NOON)


def offer(player: PlayerId) -> Decision:
    return lambda match: offer_draw(match, player, NOON)


def agree(player: PlayerId) -> Decision:
    return lambda match: answer_draw(match, player, agrees=True, now=NOON)


def after(table: Table, *decisions: Decision) -> Table:
    for decide in decisions:
        table.execute(decide(table.match))
    return table


def four(*decisions: Decision) -> Table:
    table = challenge(BOB, CLEO, DORA, accepted=[BOB, CLEO, DORA], ruleset="looney_ludo-1")
    return after(table, *decisions)


def moved(*decisions: Decision) -> Table:
    return after(play((ANN, "place a1")), *decisions)


def give_bob_a_day(match: Match) -> Sequence[MatchEvent]:
    return give_time(match, ANN, 2, timedelta(days=1), NOON)


def run_out(*, days: int) -> Decision:
    return lambda match: time_out(match, FIRST, NOON + timedelta(days=days, minutes=1))


def bounce(match: Match) -> Sequence[MatchEvent]:
    return pause_clock(match, FIRST, PauseReason.BOUNCE, NOON)


def deliver_again(match: Match) -> Sequence[MatchEvent]:
    return resume_clock(match, FIRST, PauseReason.BOUNCE, NOON)


def credit_downtime(match: Match) -> Sequence[MatchEvent]:
    end = NOON + timedelta(hours=5)
    return credit_time(match, NOON, end, ExtensionReason.DOWNTIME, now=end)


def expire(match: Match) -> Sequence[MatchEvent]:
    return expire_challenge(match, now=NOON + timedelta(days=31))


def challenge(
    *opponents: PlayerId, accepted: Sequence[PlayerId] = (), ruleset: str = "logger-1"
) -> Table:
    table = Table(*opponents, ruleset=ruleset, starter="given")
    for player in accepted:
        table.accept(player)
    return table


TABLE = [
    # Challenges
    (challenge(BOB), accept(BOB), BOB, {ANN: "turn", BOB: "start"}),
    (challenge(BOB, CLEO), accept(BOB), BOB, {ANN: "challenge"}),
    (
        challenge(BOB, CLEO, accepted=[BOB]),
        accept(CLEO),
        CLEO,
        {ANN: "turn", BOB: "start", CLEO: "start"},
    ),
    (challenge(BOB), decline(BOB), BOB, {ANN: "challenge"}),
    (
        challenge(BOB, CLEO, accepted=[BOB]),
        decline(CLEO),
        CLEO,
        {ANN: "challenge", BOB: "challenge"},
    ),
    (challenge(BOB, CLEO, accepted=[BOB]), decline(ANN), ANN, {BOB: "challenge"}),
    (challenge(BOB), decline(ANN), ANN, {}),
    (challenge(BOB, CLEO), expire, None, {ANN: "challenge"}),
    # Moves
    (running(), move(ANN, "place a1"), ANN, {BOB: "turn"}),
    (play(players=3), move(ANN, "place a1"), ANN, {BOB: "turn"}),
    (
        play(*FELLING[:-1], players=3),
        move(*FELLING[-1]),
        CLEO,
        {ANN: "end", BOB: "end", CLEO: "end"},
    ),
    # Resignations
    (running(), give_up(BOB), BOB, {ANN: "end", BOB: "end"}),
    (play(players=3), give_up(ANN), ANN, {BOB: "turn", CLEO: "news"}),
    (play(players=3), give_up(CLEO), CLEO, {ANN: "news", BOB: "news"}),
    # Takebacks, with Bob to move
    (moved(), ask_back(ANN), ANN, {BOB: "offer"}),
    (moved(ask_back(ANN)), answer_back(BOB, agrees=False), BOB, {ANN: "news"}),
    (moved(ask_back(ANN)), answer_back(BOB, agrees=True), BOB, {ANN: "turn", BOB: "news"}),
    # Draws
    (four(offer(ANN), agree(BOB)), agree(CLEO), CLEO, {ANN: "news", BOB: "news", DORA: "offer"}),
    (four(give_up(DORA)), offer(ANN), ANN, {BOB: "offer", CLEO: "offer"}),
    # Time, with Ann to move
    (running(time="fast"), give_bob_a_day, ANN, {BOB: "news"}),
    (running(time="fast"), run_out(days=1), None, {ANN: "news", BOB: "news"}),
    (running(time="fast"), run_out(days=20), None, {ANN: "end", BOB: "end"}),
    (running(time="fast"), lambda match: begin_vacation(match, BOB, 3, NOON), BOB, {ANN: "news"}),
    (running(time="fast"), bounce, None, {BOB: "news"}),
    (after(running(time="fast"), bounce), deliver_again, None, {BOB: "news"}),
    (running(time="fast"), credit_downtime, None, {}),
    # Operators
    (running(), lambda match: void_match(match, NOON), None, {ANN: "end", BOB: "end"}),
    (moved(give_up(BOB)), lambda match: void_match(match, NOON), None, {ANN: "news", BOB: "news"}),
    (running(), lambda match: reassign_seat(match, 1, CLEO, NOON), None,
     {ANN: "news", BOB: "news", CLEO: "turn"}),
]  # fmt: skip


@pytest.mark.parametrize(("table", "decide", "actor", "kinds"), TABLE)
def test_the_table(
    table: Table, decide: Decision, actor: PlayerId | None, kinds: dict[PlayerId, str]
) -> None:
    before = table.match
    events = table.execute(decide(before))
    notifications = list_notifications(before, table.match, events, actor)
    assert sorted((one.player, one.kind) for one in notifications) == sorted(kinds.items())


def test_a_new_challenge_invites_and_confirms() -> None:
    table = Table(BOB, CLEO)
    events = [caused.event for caused in table.log]
    notifications = list_notifications(Match(id=table.match.id), table.match, events, ANN)
    kinds = {one.player: one.kind for one in notifications}
    assert kinds == {ANN: "challenge", BOB: "invitation", CLEO: "invitation"}
