"""Who has played a match to its end, and so may have one more at once; bots are never late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from pbem.games.game import Seat
from pbem.legacy.matches.decide import decide
from pbem.legacy.matches.events import MatchEnded, SeatResigned, SeatTimedOut
from pbem.legacy.matches.match import finished_well
from pbem.legacy.matches.operator_acts import give_seat, unrate, void_match
from pbem.legacy.matches.replay import evolve, initial
from pbem.legacy.matches.resigning import resign
from pbem.legacy.matches.seats import accept
from pbem.legacy.matches.timing import claim_time, miss_deadline
from pbem.legacy.matches.unfolding import Unfolding
from pbem.legacy.matches.verify import verify
from pbem.names import Digest, PlayerId, bot_id
from tests.legacy.matches.story import ANN, BOB, CLEO, MATCH, Story, challenge, names, started

BOT = bot_id("random", 1)
WHY = Digest("0" * 64)
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


# --- what an end says of those who played ---------------------------------------------------------


def over(story: Story) -> MatchEnded:
    """How it ended; and what the log has is sound."""
    assert verify(MATCH, story.stream, story.match.secrets).findings == ()
    return next(event for event in story.events if isinstance(event, MatchEnded))


def played(*players: PlayerId, **terms: Any) -> Story:
    """Each has placed the logger, but for bots."""
    story = Story()
    story.when(partial(challenge(*players, seat_order="given"), **terms))
    for player in players[1:]:
        story.when(partial(accept, player=player))
    story.play(*("e1", "a5", "e5")[: len(players)])
    return story


@pytest.mark.parametrize(
    ("terms", "why"), [({}, ""), ({"unrated": True}, "wish"), ({"private": True}, "private")]
)
def test_a_match_of_two_people_is_rated_unless_they_wish_otherwise(
    terms: dict[str, Any], why: str
) -> None:
    story = played(ANN, BOB, **terms)
    story.when(partial(resign, player=BOB))
    end = over(story)
    assert (end.people, end.record) == ((ANN, BOB), ((1, 1, 0, 0), (2, 1, 0, 0)))
    assert end.unrated == why


def test_where_somebody_never_moved_nothing_is_rated() -> None:
    story = started(ANN, BOB)
    story.play("e1")
    story.when(partial(resign, player=BOB))
    assert over(story).unrated == "unmoved"


def test_a_bot_in_a_seat_leaves_ratings_as_they_are() -> None:
    story = Story()
    story.when(partial(challenge(ANN, BOB, BOT, seat_order="given")))
    for player in (BOB, BOT):
        story.when(partial(accept, player=player))
    story.play("e1", "a5", "e5")
    story.when(partial(resign, player=BOB))
    story.when(partial(resign, player=ANN))
    end = over(story)
    assert (end.people, end.unrated) == ((ANN, BOB), "bot")


def test_what_the_operator_ends_without_a_result_is_not_rated() -> None:
    story = played(ANN, BOB)
    story.when(partial(void_match, author="anna", reason=WHY))
    assert over(story).unrated == "void"


def test_where_the_operator_gave_a_seat_away_nothing_is_rated() -> None:
    story = played(ANN, BOB)
    seat = Seat(2)
    story.when(partial(give_seat, author="anna", reason=WHY, seat=seat, player=CLEO))
    story.when(partial(resign, player=ANN))
    end = over(story)
    assert (end.people, end.unrated) == ((ANN, CLEO), "reassigned")


def test_who_lost_on_time_is_told_apart() -> None:
    story = played(ANN, BOB, time="24/8/48")
    story.now += timedelta(days=3)
    story.when(partial(miss_deadline, seat=Seat(1)))
    story.when(partial(claim_time, player=BOB))
    assert over(story).record == ((2, 1, 1, 1), (1, 1, 0, 0))


def test_an_operator_takes_a_match_out_of_the_ratings_once() -> None:
    story = played(ANN, BOB)
    story.refuses(partial(unrate, author="anna", reason=WHY), "act_refused", why="not_over")
    story.when(partial(resign, player=BOB))
    assert names(story.when(partial(unrate, author="anna", reason=WHY))) == ["MatchUnrated"]
    assert story.match.terms.unrated
    assert over(story).unrated == ""
    story.refuses(partial(unrate, author="anna", reason=WHY), "act_refused", why="unrated")
