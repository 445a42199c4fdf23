"""Who is notified of what: units of work, and the emails that follow from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from pbem.match.endings import resign
from pbem.match.events import MatchEvent, Source
from pbem.match.play import SubmittedMove, play_move
from pbem.match.setup import accept_invitation, decline_invitation, expire_challenge
from pbem.match.state import Match
from pbem.names import PlayerId
from pbem.notifications.rules import list_notifications
from tests.match.test_match import ANN, BOB, CLEO, NOON, Table, running
from tests.notifications.samples import FELLING, play

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


def expire(match: Match) -> Sequence[MatchEvent]:
    return expire_challenge(match, now=NOON + timedelta(days=31))


def challenge(*opponents: PlayerId, accepted: Sequence[PlayerId] = ()) -> Table:
    table = Table(*opponents, starter="given")
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
    (play(players=3), give_up(ANN), ANN, {BOB: "news", CLEO: "news"}),
    (play(players=3), give_up(CLEO), CLEO, {ANN: "news", BOB: "news"}),
]


@pytest.mark.parametrize(("table", "decide", "actor", "kinds"), TABLE)
def test_the_table(
    table: Table, decide: Decision, actor: PlayerId | None, kinds: dict[PlayerId, str]
) -> None:
    before = table.match
    events = table.execute(decide(before))
    notifications = list_notifications(before, table.match, events, actor)
    assert {one.player: one.kind for one in notifications} == kinds
    assert len(notifications) == len(kinds)


def test_a_new_challenge_invites_and_confirms() -> None:
    table = Table(BOB, CLEO)
    events = [caused.event for caused in table.log]
    notifications = list_notifications(Match(id=table.match.id), table.match, events, ANN)
    assert {one.player: one.kind for one in notifications} == {
        ANN: "challenge",
        BOB: "invitation",
        CLEO: "invitation",
    }
