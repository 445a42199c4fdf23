"""Takebacks (PLAY 3): all must agree, nothing new may have been seen, and the log keeps it all."""

from __future__ import annotations

from functools import partial
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.agreements import offer_draw
from pbem.legacy.matches.decide import play
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.resigning import resign
from pbem.legacy.matches.takebacks import TakebackAsked, TakebackGranted, answer
from pbem.legacy.matches.unfolding import Act
from pbem.legacy.matches.verify import Caused, verify
from pbem.legacy.matches.window import undo
from pbem.names import PlayerId
from pbem.legacy.notices.news import react
from pbem.legacy.notices.views.told import record_lines
from tests.legacy.matches import tiny
from tests.legacy.matches.story import ANN, BOB, CLEO, MATCH, Story, begun, challenge, names, started

OPENING: Final = ("e1", "a5", "e3 plant d3", "a3 plant b3")


def logger() -> Story:
    story = started(ANN, BOB)
    story.play(*OPENING)
    return story


def tiny_match(*players: PlayerId) -> Story:
    return begun(Story(), challenge(*players, ruleset="tiny-1"))


def told(story: Story, command: Act) -> list[tuple[str, str]]:
    """(reader, kind of notice) after one more command."""
    before = story.match
    events = story.when(command)
    return [(str(player), type(n).__name__) for player, n in react(events, before, story.match)]


def yes(player: PlayerId) -> Act:
    return partial(answer, player=player, accept=True)


def no(player: PlayerId) -> Act:
    return partial(answer, player=player, accept=False)


def sound(story: Story) -> bool:
    return verify(MATCH, story.stream, story.match.secrets).findings == ()


# --- going back ----------------------------------------------------------------------------------


def test_the_match_goes_back_to_before_the_askers_last_move_with_all_that_followed() -> None:
    story = logger()
    third = story.match.course.steps[2]
    assert names(story.when(partial(undo, player=ANN))) == ["TakebackAsked"]
    assert story.match.course.ply == 4
    assert names(story.when(yes(BOB))) == ["TakebackGranted"]
    match = story.match
    assert match.course.ply == 2
    assert match.course.position == third.before
    assert match.to_act == (Seat(1),)
    assert [step.ply for step in match.course.taken_back[0].steps] == [3, 4]
    assert sound(story)


def test_a_ply_exists_twice_and_everything_goes_on_from_there() -> None:
    story = logger()
    story.when(partial(undo, player=BOB))
    story.when(yes(ANN))
    assert story.match.course.ply == 3
    story.play("a4 plant b4")
    assert [step.ply for step in story.match.course.steps] == [1, 2, 3, 4]
    assert [ply for _, ply, _, _ in story.match.chance.made] == [1, 2, 3, 4, 4]
    assert replay(MATCH, story.events) == story.match
    assert sound(story)


def test_who_is_asked_may_decline_and_then_nothing_has_changed() -> None:
    story = logger()
    story.when(partial(undo, player=ANN))
    assert names(story.when(no(BOB))) == ["TakebackDeclined"]
    assert (story.match.course.ply, story.match.pending.takeback) == (4, None)
    story.refuses(yes(BOB), "no_takeback")
    assert sound(story)


def test_among_more_than_two_what_has_gone_out_stays() -> None:
    story = started(ANN, BOB, CLEO)
    story.play("e1", "a5", "e5")
    story.refuses(partial(undo, player=ANN), "takeback_among_many")


def test_two_who_are_left_of_three_may_go_back() -> None:
    story = started(ANN, BOB, CLEO)
    story.play("e1", "a5", "e5")
    story.when(partial(resign, player=CLEO))
    story.play("e2 plant e1")
    assert names(story.when(partial(undo, player=ANN))) == ["TakebackAsked"]


def test_a_request_lapses_when_anybody_moves() -> None:
    story = logger()
    story.when(partial(undo, player=BOB))
    story.play("e2 plant e1")
    story.refuses(yes(ANN), "no_takeback")


def test_one_request_at_a_time() -> None:
    story = logger()
    story.when(partial(undo, player=ANN))
    story.refuses(partial(undo, player=ANN), "takeback_already_asked")
    story.refuses(partial(undo, player=BOB), "takeback_already_asked")


def test_who_has_not_moved_has_nothing_to_take_back() -> None:
    story = started(ANN, BOB)
    story.refuses(partial(undo, player=ANN), "nothing_to_undo")
    story.play("e1")
    story.refuses(partial(undo, player=BOB), "nothing_to_undo")
    story.refuses(partial(undo, player=CLEO), "not_seated")


@pytest.mark.usefixtures("tiny")
def test_what_the_server_played_for_a_seat_is_no_move_of_its_own() -> None:
    story = tiny_match(ANN, BOB)
    story.play("run 4")
    assert any(step.forced and step.seat == Seat(2) for step in story.match.course.steps)
    story.refuses(partial(undo, player=BOB), "nothing_to_undo")


def test_going_back_twice_keeps_both_lines() -> None:
    story = logger()
    story.when(partial(undo, player=BOB))
    story.when(yes(ANN))
    story.play("a4 plant b4")
    story.when(partial(undo, player=ANN))
    story.when(yes(BOB))
    assert story.match.course.ply == 2
    assert [(one.kept, len(one.steps)) for one in story.match.course.taken_back] == [(2, 1), (2, 2)]
    lines = record_lines(story.match, {})
    assert [line for line in lines if "taken back" in line] == [
        "{taken back: 4. a3; plant b3}",
        "{taken back: 3. e3; plant d3}",
        "{taken back: 4. a4; plant b4}",
    ]
    story.play("e3 plant d3")
    assert sound(story)


# --- never past new information ------------------------------------------------------------------


@pytest.mark.usefixtures("tiny")
def test_nothing_drawn_is_undone() -> None:
    story = tiny_match(ANN, BOB)
    story.play("go", "roll")
    story.refuses(partial(undo, player=BOB), "takeback_past_draw", ply=2)
    story.refuses(partial(undo, player=ANN), "takeback_past_draw", ply=2)


@pytest.mark.usefixtures("tiny")
def test_what_came_after_a_move_goes_back_with_it() -> None:
    story = tiny_match(ANN, BOB)
    story.play("go", "go", "go")
    story.when(partial(undo, player=BOB))
    story.when(yes(ANN))
    assert story.match.course.ply == 1
    assert sound(story)


@pytest.mark.usefixtures("tiny")
def test_nobody_who_left_is_brought_back() -> None:
    story = tiny_match(ANN, BOB, CLEO)
    story.play("go")
    story.when(partial(resign, player=CLEO))
    story.refuses(partial(undo, player=ANN), "takeback_past_leaving", seat=Seat(3))


def test_a_face_that_was_turned_up_cannot_be_forgotten() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="logan_stones-1"))
    game = story.match.game
    mover = story.match.player_at(story.match.to_act[0])
    turned = next(move for move in game.legal(story.match.course.position) if move.turned)
    story.play(game.notation(turned))
    story.refuses(partial(undo, player=mover), "takeback_past_secret", ply=1)


def test_what_a_stone_shows_already_may_go_back() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="logan_stones-1"))
    game, match = story.match.game, story.match
    mover = match.player_at(match.to_act[0])
    quiet = [
        move
        for move in game.legal(match.course.position)
        if not game.reveals(match.course.position, game.play(match.course.position, move), None)
    ]
    story.play(game.notation(quiet[0]))
    story.when(partial(undo, player=mover))
    story.when(yes(BOB if mover == ANN else ANN))
    assert story.match.course.ply == 0
    assert sound(story)


# --- draws by agreement --------------------------------------------------------------------------


@pytest.mark.usefixtures("tiny")
def test_an_offer_does_not_survive_a_takeback() -> None:
    story = tiny_match(ANN, BOB)
    story.play("go", "go")
    story.when(partial(offer_draw, player=BOB))
    story.when(partial(undo, player=ANN))
    story.when(yes(BOB))
    assert (story.match.pending.offer, story.match.pending.offered) == (None, ())
    assert sound(story)


@pytest.mark.usefixtures("tiny")
def test_a_later_draw_is_bound_to_the_moves_that_were_taken_back_too() -> None:
    story = tiny_match(ANN, BOB)
    story.play("go", "go")
    story.when(partial(undo, player=BOB))
    story.when(yes(ANN))
    story.play("roll")
    assert len(story.match.chance.draws) == 1
    assert sound(story)


# --- who is told ---------------------------------------------------------------------------------


def test_the_others_are_asked_and_everybody_hears_of_it() -> None:
    story = logger()
    assert told(story, partial(undo, player=ANN)) == [("bob", "TakebackWanted")]
    assert told(story, yes(BOB)) == [
        ("ann", "TurnPrompt"),
        ("ann", "MovesTakenBack"),
        ("bob", "MovesTakenBack"),
    ]


def test_who_asked_hears_that_it_was_declined_or_has_lapsed() -> None:
    story = logger()
    story.when(partial(undo, player=BOB))
    assert told(story, no(ANN)) == [("bob", "TakebackRefused")]
    story.when(partial(undo, player=BOB))
    news = told(story, partial(play, player=ANN, text="e2 plant e1"))
    assert ("bob", "TakebackRefused") in news


# --- tampering and any order ---------------------------------------------------------------------


def test_a_takeback_that_nobody_granted_is_found_out() -> None:
    story = logger()
    for ply in (2, 3):
        false = Caused(event=TakebackGranted(seat=Seat(1), ply=Ply(ply)), cause="99")
        found = verify(MATCH, [*story.stream, false])
        assert [words for words in found.findings if "nobody asked for" in words]
    three = started(ANN, BOB, CLEO)
    three.play("e1", "a5")
    false = Caused(event=TakebackAsked(seat=Seat(1), ply=Ply(0)), cause="99")
    found = verify(MATCH, [*three.stream, false])
    assert [words for words in found.findings if "among more than two" in words]


ACTS: Final = ("go", "roll", "run 2", "undo", "undo", "yes", "yes", "no", "resign")


@settings(max_examples=100, deadline=None)
@given(
    st.integers(2, 4),
    st.lists(st.tuples(st.sampled_from((ANN, BOB, CLEO)), st.sampled_from(ACTS)), max_size=30),
)
def test_any_order_keeps_the_log_sound_and_undoes_nothing_drawn(
    seats: int, acts: list[tuple[PlayerId, str]]
) -> None:
    with tiny.registered():
        story = tiny_match(*(ANN, BOB, CLEO, PlayerId("dan"))[:seats])
        for player, act in acts:
            try:
                story.when(_command(player, act))
            except Rejection:
                continue
            drawn = sum(step.drawn is not None for step in story.match.course.steps)
            assert drawn == len(story.match.chance.draws) - story.match.chance.seats_drawn
        assert replay(MATCH, story.events) == story.match
        assert story.match.status in (Status.RUNNING, Status.ENDED)
        assert sound(story)


def _command(player: PlayerId, act: str) -> Act:
    match act:
        case "undo":
            return partial(undo, player=player)
        case "yes" | "no":
            return partial(answer, player=player, accept=act == "yes")
        case "resign":
            return partial(resign, player=player)
        case _:
            return partial(play, player=player, text=act)
