"""Who has played a match to its end, and so may have one more at once; bots are never late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from pbem.matches.challenges import accept
from pbem.matches.decide import decide
from pbem.matches.events import SeatResigned, SeatTimedOut
from pbem.matches.match import finished_well
from pbem.matches.replay import evolve, initial
from pbem.matches.resigning import resign
from pbem.matches.timing import miss_deadline
from pbem.matches.unfolding import Unfolding
from pbem.names import PlayerId, bot_id
from tests.matches.story import ANN, BOB, CLEO, MATCH, Story, challenge, names, started

BOT = bot_id("random", 1)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def test_who_resigns_at_the_end_has_finished_as_well_as_who_wins() -> None:
    story = started(ANN, BOB)
    story.when(partial(resign, player=BOB))
    assert finished_well(story.match) == (ANN, BOB)


def test_a_match_with_bots_alone_is_finished_by_nobody() -> None:
    story = Story()
    story.when(challenge(ANN, BOT))
    story.when(partial(accept, player=BOT))
    story.when(partial(resign, player=ANN))
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
    asked = partial(challenge(player, ANN, seat_order="given"), time="fast")
    for command in (asked, partial(accept, player=ANN)):
        match = decide(Unfolding(match=match, now=NOON), command).match
    [seat] = match.to_act
    later = NOON + timedelta(days=99)
    assert (
        names(decide(Unfolding(match=match, now=later), miss_deadline, seat=seat).events)
        == happened
    )
