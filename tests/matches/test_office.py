"""Acts of the operator: what follows from them, and that a match with them is still verified."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from pbem.games.game import Ply, Seat
from pbem.matches.clocks import ClockPaused, ClockResumed, DeadlineMissed, DeadlineSet
from pbem.matches.decide import play
from pbem.matches.events import MatchEnded, MatchRolledBack, SeatReassigned
from pbem.matches.match import Status
from pbem.matches.operator_acts import (
    ClocksHalted,
    DeadlineMoved,
    MatchAdjudicated,
    MatchVoided,
    adjudicate,
    give_seat,
    halt_clocks,
    move_deadline,
    release_clocks,
    roll_back,
    void_match,
)
from pbem.matches.resigning import resign
from pbem.matches.timing import miss_deadline
from pbem.matches.verify import verify
from pbem.names import Digest
from tests.matches.story import ANN, BOB, CLEO, DAN, MATCH, NOW, Story, begun, challenge, started

WHY = Digest("0" * 64)
HOUR = timedelta(hours=1)


def timed(time: str = "24/8/48") -> Story:
    """A running match of Ann and Bob with clocks, or with none."""
    issued = challenge(ANN, BOB)
    return begun(Story(), partial(issued, options={"seat_order": "given"}, time=time))


def sound(story: Story) -> bool:
    return verify(MATCH, story.stream).findings == ()


def test_a_voided_match_has_no_result() -> None:
    story = started(ANN, BOB)
    story.play("e1")
    voided, ended = story.when(partial(void_match, author="anna", reason=WHY))
    assert voided == MatchVoided(author="anna", reason=WHY)
    assert isinstance(ended, MatchEnded)
    assert (ended.placings, ended.termination, ended.unrated) == ((1, 1), "voided", "void")
    assert story.match.status is Status.ENDED
    assert story.match.to_act == ()
    story.refuses(partial(void_match, author="anna", reason=WHY), "game_over")
    story.refuses(partial(play, player=BOB, text="a5"), "game_over")
    assert sound(story)


def test_an_adjudicated_match_has_the_operators_result() -> None:
    story = started(ANN, BOB, CLEO)
    judged, ended = story.when(partial(adjudicate, author="anna", reason=WHY, placings=(3, 1, 1)))
    assert judged == MatchAdjudicated(author="anna", reason=WHY, placings=(3, 1, 1))
    assert isinstance(ended, MatchEnded)
    assert (ended.placings, ended.termination) == ((3, 1, 1), "adjudicated")
    assert story.match.course.outcome is not None
    assert story.match.course.outcome.placings == (3, 1, 1)
    assert sound(story)


@pytest.mark.parametrize("placings", [(1,), (1, 2, 3), (2, 1, 1, 1), (0, 1), (2, 2), (1, 3)])
def test_placings_that_no_game_gives_are_refused(placings: tuple[int, ...]) -> None:
    story = started(ANN, BOB)
    story.refuses(partial(adjudicate, author="anna", reason=WHY, placings=placings), "bad_placings")


def test_a_result_that_nobody_gave_is_found() -> None:
    story = started(ANN, BOB)
    story.when(partial(adjudicate, author="anna", reason=WHY, placings=(1, 2)))
    forged = [caused for caused in story.stream if not isinstance(caused.event, MatchAdjudicated)]
    assert any("not what the rules give" in words for words in verify(MATCH, forged).findings)


def test_clocks_stand_until_they_are_released() -> None:
    story = timed()
    story.now = NOW + 2 * HOUR
    happened = story.when(partial(halt_clocks, author="anna", reason=WHY))
    assert happened[0] == ClocksHalted(author="anna", reason=WHY)
    paused = [event for event in happened if isinstance(event, ClockPaused)]
    assert [(event.seat, event.bank) for event in paused] == [(1, 22 * 3600), (2, 24 * 3600)]
    story.now = NOW + 500 * HOUR
    story.play("e1")
    happened = story.when(partial(release_clocks, author="anna", reason=WHY))
    assert sum(isinstance(event, ClockResumed) for event in happened) == 2
    [running] = [event for event in happened if isinstance(event, DeadlineSet)]
    assert (running.seat, running.bank) == (2, 24 * 3600)
    assert sound(story)


def test_another_deadline_also_for_who_is_late() -> None:
    story = timed()
    story.now = NOW + 25 * HOUR
    assert isinstance(story.when(partial(miss_deadline, seat=Seat(1)))[0], DeadlineMissed)
    due = story.now + 10 * HOUR
    moved, running = story.when(
        partial(move_deadline, author="anna", reason=WHY, seat=Seat(1), due=due)
    )
    assert moved == DeadlineMoved(author="anna", reason=WHY, seat=Seat(1), bank=10 * 3600)
    assert isinstance(running, DeadlineSet)
    assert (running.due, running.bank) == (due, 10 * 3600)
    far = story.now + 900 * HOUR
    story.now += HOUR
    _, running = story.when(
        partial(move_deadline, author="anna", reason=WHY, seat=Seat(1), due=far)
    )
    assert isinstance(running, DeadlineSet)
    assert running.bank == 48 * 3600  # no more than the cap
    assert sound(story)


def test_acts_on_clocks_need_clocks_that_run() -> None:
    story = timed("none")
    due = NOW + HOUR
    for command in (
        partial(halt_clocks, author="anna", reason=WHY),
        partial(release_clocks, author="anna", reason=WHY),
        partial(move_deadline, author="anna", reason=WHY, seat=Seat(1), due=due),
    ):
        story.refuses(command, "no_clocks")
    story = timed()
    story.refuses(
        partial(move_deadline, author="anna", reason=WHY, seat=Seat(2), due=due), "clock_stands"
    )
    story.when(partial(halt_clocks, author="anna", reason=WHY))
    story.refuses(
        partial(move_deadline, author="anna", reason=WHY, seat=Seat(1), due=due),
        "act_refused",
        why="stopped",
    )


def test_an_act_that_changes_nothing_is_refused() -> None:
    story = timed()
    halt, release = (
        partial(halt_clocks, author="anna", reason=WHY),
        partial(release_clocks, author="anna", reason=WHY),
    )
    story.refuses(release, "act_refused", why="not_halted")
    story.when(halt)
    story.refuses(halt, "act_refused", why="halted")
    story.when(release)
    story.refuses(release, "act_refused", why="not_halted")
    moved = partial(move_deadline, author="anna", reason=WHY, seat=Seat(1), due=NOW + HOUR)
    story.when(moved)
    story.refuses(moved, "act_refused", why="same_deadline")


def test_another_player_takes_a_seat_with_a_fresh_clock() -> None:
    story = timed()
    story.now = NOW + 20 * HOUR
    given, running = story.when(
        partial(give_seat, author="anna", reason=WHY, seat=Seat(1), player=CLEO)
    )
    assert given == SeatReassigned(author="anna", reason=WHY, seat=Seat(1), player=CLEO, left=ANN)
    assert isinstance(running, DeadlineSet)
    assert running.bank == 24 * 3600
    assert story.match.table.players == (CLEO, BOB)
    twice = partial(give_seat, author="anna", reason=WHY, seat=Seat(2), player=CLEO)
    story.refuses(twice, "act_refused", why="sits_there")
    story.play("e1")
    assert sound(story)


def test_a_match_goes_back_past_draws_and_draws_anew() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="looney_ludo-1"))
    for _ in range(12):
        game, match = story.match.game, story.match
        story.play(game.notation(game.legal(match.course.position)[0]))
    drawn, before = len(story.match.chance.draws), story.match.position_after(Ply(5))
    back = story.when(partial(roll_back, author="anna", reason=WHY, ply=Ply(5)))[0]
    assert isinstance(back, MatchRolledBack)
    assert (back.ply, story.match.course.ply >= 5) == (5, True)
    if story.match.course.ply == 5:
        assert story.match.course.position == before
    for _ in range(6):
        game, match = story.match.game, story.match
        story.play(game.notation(game.legal(match.course.position)[-1]))
    assert len(story.match.chance.draws) > drawn
    indices = [draw.index for draw in story.match.chance.draws]
    assert indices == sorted(set(indices))
    assert sound(story)


def test_a_match_does_not_go_back_past_who_has_left() -> None:
    story = started(ANN, BOB, CLEO)
    story.play("e1", "a5")
    story.when(partial(resign, player=CLEO))
    story.play("e3 plant d3")
    command = partial(roll_back, author="anna", reason=WHY, ply=Ply(1))
    story.refuses(command, "takeback_past_leaving")
    same = partial(roll_back, author="anna", reason=WHY, ply=story.match.course.ply)
    story.refuses(same, "act_refused", why="not_earlier", ply=story.match.course.ply)


def test_a_seat_in_which_a_bot_plays_on_is_given_to_somebody() -> None:
    issued = challenge(ANN, BOB, CLEO, stand_in="random", seat_order="given")
    story = begun(Story(), partial(issued, time="24/8/48"))
    story.play("e1")
    story.when(partial(resign, player=BOB))
    story.now = NOW + 5 * HOUR
    happened = story.when(partial(give_seat, author="anna", reason=WHY, seat=Seat(2), player=DAN))
    assert isinstance(happened[0], SeatReassigned)
    assert story.match.table.players == (ANN, DAN, CLEO)
    assert story.match.clocks is not None
    assert Seat(2) in story.match.clocks.running
    story.play("a5")
    story.when(partial(roll_back, author="anna", reason=WHY, ply=Ply(1)))
    assert sound(story)
