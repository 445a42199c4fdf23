"""Seats whose players go (PLAY 3): a bot plays on there, or they leave, as the challenge says."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.legacy.matches import resigning
from pbem.legacy.matches.agreements import offer_draw
from pbem.legacy.matches.decide import play, play_held
from pbem.legacy.matches.events import MatchEnded, SeatTakenOver
from pbem.legacy.matches.match import Status, finished_well
from pbem.legacy.matches.operator_acts import adjudicate
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.table import say
from pbem.legacy.matches.timing import begin_leave, claim_time, miss_deadline
from pbem.legacy.matches.unfolding import Act
from pbem.legacy.matches.verify import Caused, verify
from pbem.legacy.matches.window import undo
from pbem.names import Digest, PlayerId, bot_id, is_bot
from pbem.legacy.notices.news import react
from tests.legacy.matches import tiny
from tests.legacy.matches.second_thoughts.test_correction_window import hold
from tests.legacy.matches.story import (
    ANN,
    BOB,
    CLEO,
    DAN,
    MATCH,
    NOW,
    Story,
    begun,
    challenge,
    names,
)

ROBOT: Final = bot_id("random", 1)


def three(stand_in: str = "random", time: str = "none", *players: PlayerId) -> Story:
    """Three play; Ann is to move."""
    issued = challenge(*(players or (ANN, BOB, CLEO)), stand_in=stand_in, seat_order="given")
    story = begun(Story(), partial(issued, time=time))
    story.play("e1", "a5", "e5")
    return story


def resign(player: PlayerId) -> Act:
    return partial(resigning.resign, player=player)


def told(story: Story, command: Act) -> list[tuple[str, str]]:
    before = story.match
    events = story.when(command)
    owed = react(events, before, story.match)
    return [(str(player), type(n).__name__) for player, n in owed if not is_bot(player)]


def sound(story: Story) -> bool:
    return verify(MATCH, story.stream, story.match.secrets).findings == ()


def test_a_bot_plays_on_at_once_for_who_resigns() -> None:
    story = three()
    before = story.match
    (event,) = story.when(resign(BOB))
    assert event == SeatTakenOver(
        seat=Seat(2), ply=before.course.ply, player=ROBOT, left=BOB, reason="resigned"
    )
    match = story.match
    assert match.table.players == (ANN, ROBOT, CLEO)
    assert match.table.entrants == (*before.table.entrants, ROBOT)
    assert (match.course.position, match.to_act, match.table.left) == (
        before.course.position,
        (Seat(1),),
        (),
    )
    story.refuses(partial(play, player=BOB, text="a3 plant b3"), "seat_left", ply=3)
    story.refuses(partial(say, player=BOB, text=Digest("0" * 64)), "not_seated")
    story.play("e3 plant d3", "a3 plant b3")
    assert story.match.course.steps[-1].seat == Seat(2)
    assert sound(story)


def test_without_a_stand_in_the_seat_leaves() -> None:
    story = three("")
    assert names(story.when(resign(BOB))) == ["SeatResigned"]
    assert (story.match.table.left, story.match.table.players) == ((Seat(2),), (ANN, BOB, CLEO))
    story.refuses(partial(play, player=BOB, text="a3 plant b3"), "seat_left", ply=3)
    assert names(story.when(resign(CLEO)))[0] == "SeatResigned"
    assert story.match.status is Status.ENDED
    assert sound(story)


def test_with_two_seats_or_two_who_play_on_the_rulebook_applies_at_once() -> None:
    issued = challenge(ANN, BOB, stand_in="random", seat_order="given")
    two = begun(Story(), issued)
    assert names(two.when(resign(BOB))) == ["SeatResigned", "MatchEnded"]
    assert sound(two)


def test_a_bot_that_goes_leaves_and_nobody_plays_on_for_bots_alone() -> None:
    story = three()
    story.when(resign(BOB))
    assert names(story.when(resign(CLEO))) == ["SeatTakenOver"]
    assert story.match.table.players == (ANN, ROBOT, bot_id("random", 2))
    assert names(story.when(resign(ANN))) == ["SeatResigned"]
    assert names(story.when(resign(ROBOT))) == ["SeatResigned", "MatchEnded"]
    assert sound(story)


def test_who_is_claimed_against_is_stood_in_for_with_fresh_time() -> None:
    story = three(time="24/8/48")
    story.now = NOW + timedelta(days=2)
    story.when(partial(miss_deadline, seat=Seat(1)))
    (taken, *_) = story.when(partial(claim_time, player=BOB))
    assert isinstance(taken, SeatTakenOver)
    assert (taken.left, taken.reason) == (ANN, "time")
    clocks = story.match.clocks
    assert clocks is not None
    assert (clocks.flagged, clocks.left(Seat(1), story.now)) == ((), 24 * 3600)
    assert sound(story)


def test_what_its_player_wanted_for_later_goes_with_the_player() -> None:
    story = three(time="slow")
    story.when(partial(begin_leave, player=ANN, begin=NOW, end=NOW + timedelta(days=3)))
    hold(story, ANN, "e3; plant d3")
    story.when(resign(ANN))
    assert not story.match.pending.held
    story.refuses(partial(play_held, player=ANN), "seat_left")
    assert story.match.clocks is not None
    assert story.match.clocks.hours_of(Seat(1)).leave == ()
    assert sound(story)


def test_an_offer_of_who_goes_is_gone_and_others_stand() -> None:
    with tiny.registered():
        players = (ANN, BOB, CLEO, DAN)
        story = begun(Story(), challenge(*players, ruleset="tiny-1", stand_in="random"))
        story.when(partial(offer_draw, player=ANN))
        story.when(resign(BOB))
        assert [one.seat for one in (story.match.pending.offer,) if one] == [1]
        story.when(resign(ANN))
        assert [one.seat for one in (story.match.pending.offer,) if one] == []
        assert sound(story)


def test_among_more_than_two_nothing_is_taken_back_beside_a_bot() -> None:
    story = three()
    story.when(resign(BOB))
    story.refuses(partial(undo, player=ANN), "takeback_among_many")


def test_who_plays_on_hears_of_it_once() -> None:
    story = three()
    assert told(story, resign(BOB)) == [("ann", "SeatFilled"), ("cleo", "SeatFilled")]
    assert told(story, resign(ANN)) == [("cleo", "SeatFilled")]


def test_who_lost_on_time_hears_of_it_too() -> None:
    story = three(time="24/8/48")
    story.now = NOW + timedelta(days=2)
    story.when(partial(miss_deadline, seat=Seat(1)))
    heard = told(story, partial(claim_time, player=BOB))
    assert sorted(who for who, what in heard if what == "SeatFilled") == ["ann", "bob", "cleo"]


def test_who_went_has_not_won_and_counts_as_somebody_who_played() -> None:
    story = three()
    story.when(resign(BOB))
    story.when(resign(CLEO))
    story.when(partial(adjudicate, author="anna", reason=Digest("0" * 64), placings=(1, 2, 2)))
    end = next(one for one in story.events if isinstance(one, MatchEnded))
    places = dict(zip(end.people, (line[0] for line in end.record), strict=True))
    assert places == {ANN: 1, CLEO: 2, BOB: 3}
    assert finished_well(story.match) == (ANN,)


@pytest.mark.parametrize(
    "changed",
    [
        {"player": bot_id("random", 2)},
        {"player": DAN},
        {"left": CLEO},
        {"ply": 2},
        {"reason": "time"},
        {"seat": Seat(3)},
    ],
)
def test_another_who_took_the_seat_is_found_out(changed: dict[str, Any]) -> None:
    story = three()
    event = SeatTakenOver(
        seat=Seat(2), ply=story.match.course.ply, player=ROBOT, left=BOB, reason="resigned"
    )
    assert not verify(MATCH, [*story.stream, Caused(event=event, cause="99")]).findings
    false = replace(event, **changed)
    assert verify(MATCH, [*story.stream, Caused(event=false, cause="99")]).findings


@pytest.mark.parametrize("stand_in", ["", "random"])
def test_a_seat_that_left_or_stayed_against_the_challenge_is_found_out(stand_in: str) -> None:
    story, other = three(stand_in), three("" if stand_in else "random")
    (event,) = other.when(resign(BOB))
    found = verify(MATCH, [*story.stream, Caused(event=event, cause="99")]).findings
    assert [words for words in found if "against the challenge" in words]


ACTS: Final = ("go", "go", "go", "roll", "resign")


@settings(max_examples=80, deadline=None)
@given(
    st.integers(3, 4),
    st.sampled_from(["", "random"]),
    st.lists(st.tuples(st.sampled_from((ANN, BOB, CLEO, DAN)), st.sampled_from(ACTS)), max_size=30),
)
def test_any_order_keeps_the_log_sound(
    seats: int, stand_in: str, acts: list[tuple[PlayerId, str]]
) -> None:
    with tiny.registered():
        players = (ANN, BOB, CLEO, DAN)[:seats]
        story = begun(Story(), challenge(*players, ruleset="tiny-1", stand_in=stand_in))
        for player, act in acts:
            try:
                story.when(
                    resign(player) if act == "resign" else partial(play, player=player, text=act)
                )
            except Rejection:
                continue
        assert replay(MATCH, story.events, story.match.secrets) == story.match
        assert sound(story)
