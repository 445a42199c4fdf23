"""Who is notified of what: units of work, and the emails that follow from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

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


def do(decide: Callable[..., Sequence[MatchEvent]], *args: Any, **named: Any) -> Decision:
    """Return a decision about a match, made at noon unless another time is given."""
    return lambda match: decide(match, *args, **{"now": NOON} | named)


def accept(player: PlayerId) -> Decision:
    return do(accept_invitation, player, message_hash="")


def move(player: PlayerId, text: str) -> Decision:
    return do(play_move, player, SubmittedMove(text=text, source=Source.EMAIL, received=NOON))


def after(table: Table, *decisions: Decision) -> Table:
    for decide in decisions:
        table.execute(decide(table.match))
    return table


def challenge(*opponents: PlayerId, accepted: Sequence[PlayerId] = (), **options: str) -> Table:
    return after(Table(*opponents, starter="given", **options), *map(accept, accepted))


def four(*decisions: Decision) -> Table:
    table = challenge(BOB, CLEO, DORA, accepted=[BOB, CLEO, DORA], ruleset="looney_ludo-1")
    return after(table, *decisions)


def moved(*decisions: Decision) -> Table:
    return after(play((ANN, "place a1")), *decisions)


def agree(player: PlayerId) -> Decision:
    return do(answer_draw, player, agrees=True)


ASK_BACK = do(request_takeback, ANN)
BOUNCE = do(pause_clock, FIRST, PauseReason.BOUNCE)
VOID = do(void_match)
LATER = NOON + timedelta(hours=5)

TABLE = [
    # Challenges
    (challenge(BOB), accept(BOB), BOB, {ANN: "turn", BOB: "start"}),
    (challenge(BOB, CLEO), accept(BOB), BOB, {ANN: "challenge"}),
    (challenge(BOB, CLEO, accepted=[BOB]), accept(CLEO), CLEO,
     {ANN: "turn", BOB: "start", CLEO: "start"}),
    (challenge(BOB), do(decline_invitation, BOB), BOB, {ANN: "challenge"}),
    (challenge(BOB, CLEO, accepted=[BOB]), do(decline_invitation, CLEO), CLEO,
     {ANN: "challenge", BOB: "challenge"}),
    (challenge(BOB, CLEO, accepted=[BOB]), do(decline_invitation, ANN), ANN, {BOB: "challenge"}),
    (challenge(BOB), do(decline_invitation, ANN), ANN, {}),
    (challenge(BOB, CLEO), do(expire_challenge, now=NOON + timedelta(days=31)), None,
     {ANN: "challenge"}),
    # Moves
    (play(players=3), move(ANN, "place a1"), ANN, {BOB: "turn"}),
    (play(*FELLING[:-1], players=3), move(*FELLING[-1]), CLEO,
     {ANN: "end", BOB: "end", CLEO: "end"}),
    # Resignations
    (running(), do(resign, BOB), BOB, {ANN: "end", BOB: "end"}),
    (play(players=3), do(resign, ANN), ANN, {BOB: "turn", CLEO: "news"}),
    (play(players=3), do(resign, CLEO), CLEO, {ANN: "news", BOB: "news"}),
    # Takebacks, with Bob to move
    (moved(), ASK_BACK, ANN, {BOB: "offer"}),
    (moved(ASK_BACK), do(answer_takeback, BOB, agrees=False), BOB, {ANN: "news"}),
    (moved(ASK_BACK), do(answer_takeback, BOB, agrees=True), BOB, {ANN: "turn", BOB: "news"}),
    # Draws
    (four(do(offer_draw, ANN), agree(BOB)), agree(CLEO), CLEO,
     {ANN: "news", BOB: "news", DORA: "offer"}),
    (four(do(resign, DORA)), do(offer_draw, ANN), ANN, {BOB: "offer", CLEO: "offer"}),
    # Time, with Ann to move
    (running(time="fast"), do(give_time, ANN, 2, timedelta(days=1)), ANN, {BOB: "news"}),
    (running(time="fast"), do(time_out, FIRST, now=NOON + timedelta(days=2)), None,
     {ANN: "news", BOB: "news"}),
    (running(time="fast"), do(time_out, FIRST, now=NOON + timedelta(days=21)), None,
     {ANN: "end", BOB: "end"}),
    (running(time="fast"), do(begin_vacation, BOB, 3), BOB, {ANN: "news"}),
    (running(time="fast"), BOUNCE, None, {BOB: "news"}),
    (after(running(time="fast"), BOUNCE), do(resume_clock, FIRST, PauseReason.BOUNCE), None,
     {BOB: "news"}),
    (running(time="fast"),
     do(credit_time, NOON, LATER, ExtensionReason.DOWNTIME, now=LATER, seat=FIRST), None, {}),
    # Operators
    (running(), VOID, None, {ANN: "end", BOB: "end"}),
    (moved(do(resign, BOB)), VOID, None, {ANN: "news", BOB: "news"}),
    (running(), do(reassign_seat, 1, CLEO), None, {ANN: "news", BOB: "news", CLEO: "turn"}),
]  # fmt: skip


@pytest.mark.parametrize(("table", "decide", "actor", "kinds"), TABLE)
def test_the_table(
    table: Table, decide: Decision, actor: PlayerId | None, kinds: dict[PlayerId, str]
) -> None:
    before = table.match
    events = table.execute(decide(before))
    assert list_notifications(before, table.match, events, actor) == kinds


def test_a_new_challenge_invites_and_confirms() -> None:
    table = Table(BOB, CLEO)
    events = [caused.event for caused in table.log]
    kinds = list_notifications(Match(id=table.match.id), table.match, events, ANN)
    assert kinds == {ANN: "challenge", BOB: "invitation", CLEO: "invitation"}
