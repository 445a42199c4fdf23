"""Who has played a match to its end, and so may have one more at once; bots are never late."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.matches.commands import Accept, MissDeadline, Resign
from pbem.matches.decide import decide
from pbem.matches.events import SeatResigned, SeatTimedOut
from pbem.matches.match import evolve, finished_well, initial
from pbem.names import PlayerId, bot_id
from tests.matches.story import ANN, BOB, CLEO, MATCH, Story, challenge, names, started

BOT = bot_id("random", 1)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def test_who_resigns_at_the_end_has_finished_as_well_as_who_wins() -> None:
    story = started(ANN, BOB)
    story.when(Resign(player=BOB))
    assert finished_well(story.match) == (ANN, BOB)


def test_a_match_with_bots_alone_is_finished_by_nobody() -> None:
    story = Story()
    story.when(challenge(ANN, BOT))
    story.when(Accept(player=BOT))
    story.when(Resign(player=ANN))
    assert finished_well(story.match) == ()


def test_who_leaves_while_others_play_on_has_not_finished() -> None:
    match = started(ANN, BOB, CLEO).match
    [bob, cleo] = [match.seat_of(player) for player in (BOB, CLEO)]
    assert bob is not None
    assert cleo is not None
    for seat in (bob, cleo):
        match = evolve(match, SeatResigned(seat=seat, ply=match.course.ply))
    assert finished_well(match) == (ANN, CLEO)


def test_who_is_late_has_not_finished() -> None:
    match = started(ANN, BOB).match
    bob = match.seat_of(BOB)
    assert bob is not None
    match = evolve(match, SeatTimedOut(seat=bob, ply=match.course.ply))
    assert finished_well(match) == (ANN,)


@pytest.mark.parametrize(("player", "happened"), [(BOB, ["DeadlineMissed"]), (BOT, [])])
def test_a_bot_is_never_late(player: PlayerId, happened: list[str]) -> None:
    match = initial(MATCH)
    asked = replace(challenge(player, ANN, seat_order="given"), time="fast")
    for command in (asked, Accept(player=ANN)):
        match = decide(command, match, now=NOON).match
    [seat] = match.to_act
    later = NOON + timedelta(days=99)
    assert names(decide(MissDeadline(seat=seat), match, now=later).events) == happened
