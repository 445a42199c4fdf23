"""Time that one player gives another, and pauses that all agree on (PLAY 2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from pbem.games.game import Seat
from pbem.matches.clocks import HOUR, ClockPaused, ClockResumed, Clocks, DeadlineMissed, DeadlineSet
from pbem.matches.courtesies import (
    PauseBegun,
    PauseEnded,
    PauseProposed,
    TimeGiven,
    answer_pause,
    end_pause,
    give_time,
    pause,
    resume,
)
from pbem.matches.decide import play
from pbem.matches.events import Event, MovePlayed
from pbem.matches.match import Status
from pbem.matches.resigning import resign
from pbem.matches.seats import accept
from pbem.matches.timing import claim_time, miss_deadline
from pbem.matches.verify import Caused, verify
from pbem.names import PlayerId
from tests.matches.story import ANN, BOB, CLEO, MATCH, NOW, Story, begun, challenge, names

ONE, TWO, THREE = Seat(1), Seat(2), Seat(3)
DAY = timedelta(days=1)
A_DAY = 24 * HOUR
BOT = PlayerId("bot-easy")


def timed(*players: PlayerId, time: str = "240/36/240") -> Story:
    """A running match of Logger; seat 1 is to move."""
    issued = challenge(*players, seat_order="given")
    return begun(Story(), partial(issued, time=time))


def clocks(story: Story) -> Clocks:
    found = story.match.clocks
    assert found is not None
    return found


def is_paused(story: Story) -> bool:
    return story.match.pending.paused is not None


def sound(story: Story) -> bool:
    return verify(MATCH, story.stream).findings == ()


def findings_of(story: Story, old: Event, new: Event) -> tuple[str, ...]:
    """What verification says where one event had other fields."""
    stream = [replace(one, event=new) if one.event == old else one for one in story.stream]
    assert stream != story.stream
    return verify(MATCH, stream).findings


# --- giving time ---------------------------------------------------------------------------------


def test_who_is_to_move_gets_the_time_at_once() -> None:
    story = timed(ANN, BOB)
    story.now += 5 * DAY
    happened = story.when(partial(give_time, player=BOB, other=ANN, seconds=3 * A_DAY))
    assert happened == [
        TimeGiven(seat=ONE, giver=TWO, seconds=3 * A_DAY, at=story.now, bank=8 * A_DAY),
        DeadlineSet(seat=ONE, since=story.now, bank=8 * A_DAY, due=story.now + 8 * DAY),
    ]
    assert clocks(story).left(TWO, story.now) == 10 * A_DAY  # it costs the giver nothing
    assert sound(story)


def test_the_clock_holds_no_more_than_its_cap() -> None:
    story = timed(ANN, BOB)
    story.now += 2 * DAY
    story.when(partial(give_time, player=BOB, other=ANN, seconds=3 * A_DAY))
    assert clocks(story).left(ONE, story.now) == 10 * A_DAY
    given = partial(give_time, player=BOB, other=ANN, seconds=A_DAY)
    story.refuses(given, "gift_refused", why="full")


def test_time_that_is_given_takes_a_flag_back() -> None:
    story = timed(ANN, BOB)
    story.now += 11 * DAY
    story.when(partial(miss_deadline, seat=ONE))
    story.when(partial(give_time, player=BOB, other=ANN, seconds=A_DAY))
    assert clocks(story).flagged == ()
    assert clocks(story).running[ONE].due == story.now + DAY
    story.refuses(partial(claim_time, player=BOB), "no_flag")
    assert sound(story)


def test_who_waits_has_more_in_its_next_turn() -> None:
    story = timed(ANN, BOB, time="24/0/240")
    story.when(partial(give_time, player=ANN, other=BOB, seconds=2 * A_DAY))
    story.play("e1")
    assert clocks(story).running[TWO].due == story.now + 3 * DAY
    assert sound(story)


def test_among_three_it_is_the_givers_own_time() -> None:
    story = timed(ANN, BOB, CLEO)
    story.now += 5 * DAY
    story.when(partial(give_time, player=BOB, other=ANN, seconds=3 * A_DAY))
    assert clocks(story).left(ONE, story.now) == 8 * A_DAY
    assert clocks(story).left(TWO, story.now) == 7 * A_DAY
    story.when(partial(give_time, player=ANN, other=BOB, seconds=A_DAY))  # whose clock runs
    assert clocks(story).left(ONE, story.now) == 7 * A_DAY
    story.when(partial(give_time, player=ANN, other=BOB, seconds=2 * A_DAY))
    story.now += 4 * DAY
    given = partial(give_time, player=ANN, other=CLEO, seconds=A_DAY)
    story.refuses(given, "gift_refused", why="full")
    given = partial(give_time, player=ANN, other=BOB, seconds=A_DAY)
    story.refuses(given, "gift_refused", why="full")
    assert sound(story)


def test_of_ones_own_time_a_day_stays() -> None:
    story = timed(ANN, BOB, CLEO, time="24/24/240")
    given = partial(give_time, player=ANN, other=BOB, seconds=HOUR)
    story.refuses(given, "gift_refused", why="too_little", left=A_DAY)


@pytest.mark.parametrize(
    ("giver", "other", "seconds", "why"),
    [
        (BOB, BOB, A_DAY, "own_seat"),
        (BOB, CLEO, A_DAY, "gone"),
        (BOB, ANN, HOUR - 1, "amount"),
        (BOB, ANN, 8 * A_DAY, "amount"),
    ],
)
def test_other_gifts_are_refused(giver: PlayerId, other: PlayerId, seconds: int, why: str) -> None:
    story = timed(ANN, BOB)
    story.now += 9 * DAY
    story.refuses(
        partial(give_time, player=giver, other=other, seconds=seconds), "gift_refused", why=why
    )


def test_who_does_not_play_gives_nothing() -> None:
    story = timed(ANN, BOB)
    story.refuses(partial(give_time, player=CLEO, other=ANN, seconds=A_DAY), "not_seated")
    untimed = begun(Story(), challenge(ANN, BOB))
    untimed.refuses(partial(give_time, player=BOB, other=ANN, seconds=A_DAY), "no_clocks")


@pytest.mark.parametrize("wrong", [{"seconds": 2 * A_DAY}, {"bank": A_DAY}, {"giver_bank": 5}])
def test_a_gift_that_the_clocks_do_not_bear_out_is_found(wrong: dict[str, Any]) -> None:
    story = timed(ANN, BOB)
    story.now += 5 * DAY
    given, _ = story.when(partial(give_time, player=BOB, other=ANN, seconds=3 * A_DAY))
    assert isinstance(given, TimeGiven)
    assert findings_of(story, given, replace(given, **wrong))


# --- pauses ---------------------------------------------------------------------------------------


def paused(*, days: int | None = None) -> Story:
    """Ann has had a day of her turn when a pause begins."""
    story = timed(ANN, BOB)
    story.now += DAY
    story.when(partial(pause, player=BOB, days=days))
    story.when(partial(answer_pause, player=ANN, accept=True))
    return story


def test_clocks_stand_when_all_have_agreed_and_run_on_where_they_stood() -> None:
    story = timed(ANN, BOB)
    story.now += DAY
    assert story.when(partial(pause, player=BOB)) == [PauseProposed(seat=TWO, days=14)]
    assert ONE in clocks(story).running
    happened = story.when(partial(answer_pause, player=ANN, accept=True))
    assert happened[1:] == [
        PauseBegun(at=story.now, until=story.now + 14 * DAY),
        ClockPaused(seat=ONE, at=story.now, bank=9 * A_DAY, reason="agreed"),
        ClockPaused(seat=TWO, at=story.now, bank=10 * A_DAY, reason="agreed"),
    ]
    story.now += 6 * DAY
    assert clocks(story).left(ONE, story.now) == 9 * A_DAY
    assert story.when(partial(resume, player=ANN)) == [
        PauseEnded(seat=ONE, at=story.now),
        ClockResumed(seat=ONE, at=story.now, reason="agreed"),
        ClockResumed(seat=TWO, at=story.now, reason="agreed"),
        DeadlineSet(seat=ONE, since=story.now, bank=9 * A_DAY, due=story.now + 9 * DAY),
    ]
    assert not is_paused(story)
    assert sound(story)


def test_the_end_of_its_time_ends_a_pause_and_not_before() -> None:
    story = paused(days=3)
    story.now += 3 * DAY - timedelta(seconds=1)
    story.refuses(end_pause, "not_due")
    story.now += timedelta(seconds=1)
    assert names(story.when(end_pause))[:2] == ["PauseEnded", "ClockResumed"]
    assert sound(story)


def test_a_move_in_a_pause_is_welcome_and_changes_nothing_of_it() -> None:
    story = paused()
    [played] = story.when(partial(play, player=ANN, text="e1"))
    assert isinstance(played, MovePlayed)
    assert played.bank is None
    assert is_paused(story)
    assert not clocks(story).running
    story.when(partial(resume, player=BOB))
    assert clocks(story).running[TWO].bank == 10 * A_DAY
    assert clocks(story).banks[ONE] == 9 * A_DAY
    assert sound(story)


def test_who_declines_declines_for_all_and_who_asked_may_take_it_back() -> None:
    story = timed(ANN, BOB, CLEO)
    story.when(partial(pause, player=ANN))
    story.when(partial(answer_pause, player=BOB, accept=True))
    story.refuses(partial(answer_pause, player=BOB, accept=False), "no_pause_asked")
    assert names(story.when(partial(answer_pause, player=CLEO, accept=False))) == ["PauseDeclined"]
    story.refuses(partial(answer_pause, player=BOB, accept=True), "no_pause_asked")
    story.when(partial(pause, player=ANN))
    assert names(story.when(partial(resume, player=ANN))) == ["PauseDeclined"]
    story.refuses(partial(resume, player=ANN), "not_paused")
    assert sound(story)


def test_all_three_agree_by_the_word_itself() -> None:
    story = timed(ANN, BOB, CLEO)
    story.when(partial(pause, player=ANN, days=5))
    story.refuses(partial(pause, player=ANN), "pause_already_asked", seat=ONE, days=5)
    story.refuses(partial(pause, player=BOB, days=9), "pause_already_asked", days=5)
    story.when(partial(pause, player=BOB, days=5))
    assert not is_paused(story)
    story.when(partial(pause, player=CLEO))
    assert is_paused(story)
    story.refuses(partial(pause, player=BOB), "match_paused")
    assert sound(story)


@pytest.mark.parametrize("days", [0, 31])
def test_a_pause_has_its_length(days: int) -> None:
    story = timed(ANN, BOB)
    story.refuses(partial(pause, player=ANN, days=days), "pause_too_long", most=30)


def test_there_is_nothing_to_pause_without_clocks() -> None:
    begun(Story(), challenge(ANN, BOB)).refuses(partial(pause, player=ANN), "no_clocks")


def test_bots_agree_at_once() -> None:
    issued = challenge(ANN, BOT, seat_order="given")
    story = Story()
    story.when(partial(issued, time="slow"))
    story.when(partial(accept, player=BOT, words=""))
    happened = names(story.when(partial(pause, player=ANN)))
    assert happened == ["PauseProposed", "PauseBegun", "ClockPaused", "ClockPaused"]
    assert sound(story)


def test_nobody_claims_in_a_pause() -> None:
    story = timed(ANN, BOB)
    story.now += 11 * DAY
    [missed] = story.when(partial(miss_deadline, seat=ONE))
    assert isinstance(missed, DeadlineMissed)
    story.when(partial(pause, player=ANN))
    story.when(partial(answer_pause, player=BOB, accept=True))
    story.refuses(partial(claim_time, player=BOB), "match_paused")
    story.when(partial(resume, player=ANN))
    story.when(partial(claim_time, player=BOB))
    assert story.match.status is Status.ENDED
    assert sound(story)


def test_who_leaves_ends_what_was_asked_and_the_end_ends_the_pause() -> None:
    story = timed(ANN, BOB, CLEO)
    story.when(partial(pause, player=ANN))
    story.when(partial(resign, player=CLEO))
    assert story.match.pending.pause is None
    story.when(partial(pause, player=ANN))
    story.when(partial(answer_pause, player=BOB, accept=True))
    story.when(partial(resign, player=BOB))
    assert story.match.status is Status.ENDED
    assert not is_paused(story)
    assert sound(story)


def test_time_may_be_given_in_a_pause() -> None:
    story = paused()
    story.when(partial(give_time, player=BOB, other=ANN, seconds=A_DAY))
    assert not clocks(story).running
    story.when(partial(resume, player=BOB))
    assert clocks(story).running[ONE].due == story.now + 10 * DAY
    assert sound(story)


def test_a_pause_that_nobody_agreed_to_is_found() -> None:
    story = paused(days=3)
    start = next(one for one in story.events if isinstance(one, PauseBegun))
    assert findings_of(story, start, replace(start, until=start.until + DAY))
    stands = next(one for one in story.events if isinstance(one, ClockPaused))
    others = [one for one in story.stream if one.event != start]
    assert verify(MATCH, others).findings
    others = [one for one in story.stream if one.event != stands]
    assert verify(MATCH, others).findings


def test_a_clock_that_stands_alone_is_no_pause() -> None:
    story = timed(ANN, BOB)
    stands = ClockPaused(seat=ONE, at=NOW, bank=10 * A_DAY, reason="agreed")
    stream = [*story.stream, Caused(event=stands, cause="99")]
    assert verify(MATCH, stream).findings
