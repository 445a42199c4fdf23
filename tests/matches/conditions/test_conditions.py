"""Conditional moves: what stands, what fits, what is played at once, and what becomes void."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.mail.verbs.if_lines import branch_of
from pbem.matches import decide as playing
from pbem.matches.branches import Branch, dump, load
from pbem.matches.conditions import (
    ConditionsVoided,
    drop_conditions,
    give_conditions,
    standing,
    void_because,
)
from pbem.matches.decide import decide, goes_on
from pbem.matches.events import (
    Event,
    MovePlayed,
    SeatResigned,
    SeatTakenOver,
)
from pbem.matches.match import Status
from pbem.matches.replay import replay
from pbem.matches.resigning import resign
from pbem.matches.supposing import lines, supposed, with_another
from pbem.matches.unfolding import Unfolding
from pbem.matches.verify import verify
from pbem.names import Digest, PlayerId
from pbem.store.codec import encode
from tests.matches.story import ANN, BOB, CLEO, MATCH, Story, begun, challenge, names, started
from tests.matches.tiny import registered

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def opened(*moves: str, players: tuple[PlayerId, ...] = (ANN, BOB)) -> Story:
    story = started(*players)
    story.play(*moves)
    return story


def tiny(*players: PlayerId, stand_in: str = "") -> Story:
    return begun(Story(), challenge(*players, ruleset="tiny-1", stand_in=stand_in))


def typed(text: str) -> Branch:
    branch = branch_of(text)
    assert branch is not None, text
    return branch


def give(story: Story, player: PlayerId, *texts: str) -> tuple[str, ...]:
    """The runner reads each line, seals what stands then, and lets the match know it."""
    seat = story.match.seat_of(player)
    assert seat is not None
    for text in texts:
        sealed = dump(with_another(story.match, seat, typed(text)))
        digest = Digest(hashlib.sha256(sealed.encode()).hexdigest())
        story.know(digest, sealed)
        story.when(partial(give_conditions, player=player, sealed=digest))
    return lines(standing(story.match, seat))


def cannot(story: Story, player: PlayerId, text: str) -> Rejection:
    seat = story.match.seat_of(player)
    assert seat is not None
    with pytest.raises(Rejection) as refused:
        with_another(story.match, seat, typed(text))
    return refused.value


def by_condition(events: list[Event]) -> list[str]:
    return [e.notation for e in events if isinstance(e, MovePlayed) and e.condition]


def fine(story: Story) -> bool:
    return verify(MATCH, story.stream, story.match.secrets).findings == ()


# --- what is played ------------------------------------------------------------------------------


def test_the_answer_is_played_in_the_decision_of_the_move_that_it_answers() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    assert give(story, ANN, "if A3, plant B3 then e2 +e1") == ("if a3; plant b3 then e2; plant e1",)
    happened = story.when(partial(playing.play, player=BOB, text="a3 plant b3"))
    assert by_condition(happened) == ["e2; plant e1"]
    (_, answer) = happened
    assert isinstance(answer, MovePlayed)
    assert (answer.forced, answer.typed, answer.standing) == (True, "", False)
    assert story.match.to_act == (2,)
    assert standing(story.match, Seat(1)) == ()
    assert not goes_on(story.match)
    assert fine(story)


def test_the_first_branch_that_fits_is_taken_and_any_comes_last() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if any then e4 plant e5", "if a3 plant b3 then e2 plant e1")
    assert by_condition(story.when(partial(playing.play, player=BOB, text="a4 plant b4"))) == [
        "e4; plant e5"
    ]
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if any then e4 plant e5", "if a3 plant b3 then e2 plant e1")
    assert by_condition(story.when(partial(playing.play, player=BOB, text="a3 plant b3"))) == [
        "e2; plant e1"
    ]


def test_a_chain_goes_on_from_answer_to_answer() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    left = give(
        story, ANN, "if a4 plant b4 then e4 plant e5, if a3 plant a2 then e3 c3>b3 plant e2"
    )
    assert left == ("if a4; plant b4 then e4; plant e5, if a3; plant a2 then e3; c3>b3; plant e2",)
    assert by_condition(story.when(partial(playing.play, player=BOB, text="a4 plant b4"))) == [
        "e4; plant e5"
    ]
    assert lines(standing(story.match, Seat(1))) == ("if a3; plant a2 then e3; c3>b3; plant e2",)
    assert by_condition(story.when(partial(playing.play, player=BOB, text="a3 plant a2"))) == [
        "e3; c3>b3; plant e2"
    ]
    assert standing(story.match, Seat(1)) == ()
    assert fine(story)


def test_a_condition_that_has_come_already_is_met_at_once() -> None:
    story = opened("e1", "a5", "e3 plant d3", "a3 plant b3")
    give(story, ANN, "if a3 plant b3 then e2 plant e1")  # the mails have crossed
    assert by_condition(story.events) == ["e2; plant e1"]
    assert story.match.to_act == (2,)
    assert fine(story)


def test_two_players_conditions_answer_one_another() -> None:
    story = opened("e1", "a5", "e3 plant d3", players=(ANN, BOB))
    give(story, ANN, "if a4 plant b4 then e4 plant e5, if any then resign yes")
    story.when(partial(playing.play, player=BOB, text="a4 plant b4"))
    give(story, BOB, "if e4 plant e5 then a3 plant a2")
    assert by_condition(story.events) == ["e4; plant e5", "a3; plant a2"]
    assert story.match.status is Status.ENDED
    assert fine(story)


def test_an_answer_may_be_to_resign() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if any then resign yes")
    happened = story.when(partial(playing.play, player=BOB, text="a3 plant b3"))
    (resigned,) = [event for event in happened if isinstance(event, SeatResigned)]
    assert (resigned.seat, resigned.condition) == (1, True)
    assert story.match.status is Status.ENDED
    assert fine(story)


def test_with_three_seats_each_opponent_has_an_if() -> None:
    story = opened("e1", "a5", "e5", "e3 plant d3", players=(ANN, BOB, CLEO))
    give(story, ANN, "if a3 plant b3 if d5 plant d4 then e2 plant e1")
    story.when(partial(playing.play, player=BOB, text="a3 plant b3"))
    assert story.match.to_act == (3,)
    assert by_condition(story.when(partial(playing.play, player=CLEO, text="d5 plant d4"))) == [
        "e2; plant e1"
    ]
    assert fine(story)


def test_given_in_the_middle_of_a_round_it_still_begins_after_the_own_move() -> None:
    story = opened("e1", "a5", "e5", "e3 plant d3", players=(ANN, BOB, CLEO))
    story.when(partial(playing.play, player=BOB, text="a3 plant b3"))
    assert cannot(story, ANN, "if a4 plant b4 if any then e2 plant e1").code == "condition_too_late"
    give(story, ANN, "if any if d5 plant d4 then e2 plant e1")
    assert by_condition(story.when(partial(playing.play, player=CLEO, text="d5 plant d4"))) == [
        "e2; plant e1"
    ]
    assert fine(story)


# --- what becomes void ---------------------------------------------------------------------------


def test_another_move_voids_the_whole_tree_and_the_seat_is_asked() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if a3 plant b3 then e2 plant e1", "if a4 plant b4 then e4 plant e5")
    happened = story.when(partial(playing.play, player=BOB, text="a4 plant a3"))
    assert ConditionsVoided(seat=Seat(1)) in happened
    assert by_condition(happened) == []
    assert story.match.to_act == (1,)
    void = void_because(story.match, Seat(1))
    assert void is not None
    assert void.reason == "other"
    story.when(partial(playing.play, player=ANN, text="e2 plant e1"))
    assert void_because(story.match, Seat(1)) is None
    assert fine(story)


def test_an_answer_that_cannot_be_played_voids_and_is_named() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if any then a1 plant a2")
    happened = story.when(partial(playing.play, player=BOB, text="a4 plant b4"))
    assert ConditionsVoided(seat=Seat(1)) in happened
    void = void_because(story.match, Seat(1))
    assert void is not None
    assert (void.reason, void.answer) == ("illegal", "a1 plant a2")
    assert fine(story)


def test_who_leaves_in_between_voids_all_but_any() -> None:
    for text, answers in (
        ("if a3 plant b3 if d5 plant d4 then e2 plant e1", 0),
        ("if any then e2 plant e1", 1),
    ):
        story = opened("e1", "a5", "e5", "e3 plant d3", players=(ANN, BOB, CLEO))
        give(story, ANN, text)
        story.when(partial(playing.play, player=BOB, text="a3 plant b3"))
        happened = story.when(partial(resign, player=CLEO))
        assert len(by_condition(happened)) == answers
        assert fine(story)


def test_what_named_a_seat_that_left_stands_no_more() -> None:
    story = opened("e1", "a5", "e5", "e3 plant d3", players=(ANN, BOB, CLEO))
    give(story, ANN, "if a3 plant b3 if d5 plant d4 then e2 plant e1", "if any then resign yes")
    story.when(partial(resign, player=BOB))
    assert story.match.to_act == (3,)
    (left,) = standing(story.match, Seat(1))
    assert (left.conditions, left.answer) == (("any",), "resign yes")
    assert fine(story)


def test_conditions_can_be_dropped() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    story.refuses(partial(drop_conditions, player=ANN), "no_conditions")
    give(story, ANN, "if any then e2 plant e1")
    story.when(partial(drop_conditions, player=ANN))
    assert by_condition(story.when(partial(playing.play, player=BOB, text="a3 plant b3"))) == []
    assert void_because(story.match, Seat(1)) is None
    assert fine(story)


def test_a_newer_answer_to_the_same_move_replaces_the_older() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    left = give(
        story,
        ANN,
        "if a3 plant b3 then e2 plant e1",
        "if any then resign yes",
        "if a3 plant b3 then e4 plant e5",
    )
    assert left == ("if a3; plant b3 then e4; plant e5", "if any then resign yes")


# --- what is refused -----------------------------------------------------------------------------


def test_what_cannot_come_true_is_refused_with_its_reason() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    first = started(ANN, BOB)
    assert cannot(first, ANN, "if a5 then e3 plant d3").code == "condition_on_turn"
    assert cannot(story, ANN, "if c1 plant c2 then e2 plant e1").code == "move_unreachable"
    assert cannot(story, ANN, "if a3 plant b3 then a1 plant a2").code == "move_unreachable"
    assert cannot(story, ANN, "if a3 plant b3 if any then e2 plant e1").code == "condition_too_many"
    assert cannot(story, ANN, "if a3 plant b3 then resign").code == "condition_answer"
    three = opened("e1", "a5", "e5", "e3 plant d3", players=(ANN, BOB, CLEO))
    assert cannot(three, ANN, "if a3 plant b3 then e2 plant e1").code == "condition_too_few"


def test_a_tree_has_its_bounds() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    long = ", ".join(["if any then e2 plant e1"] * 11)
    assert cannot(story, ANN, long).code == "too_many_conditions"


# --- draws ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("tiny")
def test_a_draw_after_the_move_must_be_named() -> None:
    story = tiny(ANN, BOB)
    story.play("go")
    assert cannot(story, ANN, "if roll then go").code == "condition_draws"
    give(story, ANN, *(f"if roll if drawn {die} then go" for die in (1, 3, 5)))
    give(story, ANN, *(f"if roll if drawn {die} then keep" for die in (2, 4, 6)))
    (answer,) = by_condition(story.when(partial(playing.play, player=BOB, text="roll")))
    die = story.match.course.steps[-2].text
    assert answer == ("go" if int(die) % 2 else "keep")
    assert fine(story)


@pytest.mark.usefixtures("tiny")
def test_any_holds_whatever_is_drawn() -> None:
    for text in ("go", "keep"):
        story = tiny(ANN, BOB)
        story.play("go")
        give(story, ANN, f"if any then {text}")
        happened = story.when(partial(playing.play, player=BOB, text="roll"))
        even = (
            int(next(step.text for step in story.match.course.steps if step.drawn is not None)) % 2
            == 0
        )
        assert by_condition(happened) == ([text] if even == (text == "keep") else [])
        assert fine(story)


@pytest.mark.usefixtures("tiny")
def test_forced_moves_between_need_no_if() -> None:
    story = tiny(ANN, BOB, CLEO)
    story.play("go")
    give(story, ANN, "if any if go then go")
    story.when(partial(playing.play, player=BOB, text="go"))
    assert by_condition(story.when(partial(playing.play, player=CLEO, text="go"))) == ["go"]


# --- what others learn ---------------------------------------------------------------------------


def test_no_event_tells_what_was_decided() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if a3 plant b3 then e2 plant e1")
    story.when(partial(playing.play, player=BOB, text="a4 plant a3"))
    for event in story.events:
        assert "e2" not in encode(event).data


def test_replay_needs_no_text_and_who_may_not_see_it_finds_no_fault() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if a3 plant b3 then e2 plant e1", "if a4 plant b4 then resign yes")
    story.when(partial(playing.play, player=BOB, text="a3 plant b3"))
    again = replay(MATCH, story.events)
    assert replace(again, secrets=story.match.secrets) == story.match
    assert verify(MATCH, story.stream).findings == ()


def test_where_the_text_is_forgotten_the_seat_is_asked() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if any then e2 plant e1")
    story.match = replace(story.match, secrets={})
    story.when(partial(playing.play, player=BOB, text="a3 plant b3"))
    assert story.match.to_act == (1,)
    assert not goes_on(story.match)


@pytest.mark.parametrize(
    "changed", [{"notation": "e4; plant e5"}, {"condition": False}, {"forced": False}]
)
def test_a_move_that_no_condition_made_is_found(changed: dict[str, Any]) -> None:
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if a3 plant b3 then e2 plant e1")
    story.when(partial(playing.play, player=BOB, text="a3 plant b3"))
    last = story.stream[-1]
    assert isinstance(last.event, MovePlayed)
    forged = replace(last, event=replace(last.event, **changed))
    assert verify(MATCH, [*story.stream[:-1], forged], story.match.secrets).findings


def test_a_condition_that_was_kept_back_is_found() -> None:
    story = opened("e1", "a5", "e3 plant d3")
    give(story, ANN, "if a3 plant b3 then e2 plant e1")
    story.when(partial(playing.play, player=BOB, text="a3 plant b3"))
    findings = verify(MATCH, story.stream[:-1], story.match.secrets).findings
    assert any("something was to follow" in words for words in findings)
    void = replace(story.stream[-1], event=ConditionsVoided(seat=Seat(1)))
    findings = verify(MATCH, [*story.stream[:-1], void], story.match.secrets).findings
    assert any("were met, and not kept" in words for words in findings)


def test_a_hidden_game_is_read_by_words_alone() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="logan_stones-1", starter="given"))
    me, you = (story.match.player_at(Seat(seat)) for seat in (1, 2))
    story.play(story.match.game.notation(story.match.game.legal(story.match.course.position)[0]))
    assert cannot(story, me, "if rock n21 then 1 n19").code == "condition_in_full"
    options = story.match.game.legal(story.match.course.position)
    expected = story.match.game.notation(options[0])
    give(story, me, f"if {expected.upper()} then 1 n19", "if any then resign yes")
    (one, other) = supposed(story.match, Seat(1))
    assert one.branch.conditions == (expected,)
    assert not one.branch.checked
    assert other.branch.answer == "resign yes"
    story.when(partial(playing.play, player=you, text=expected))
    void = void_because(story.match, Seat(1))
    assert void is not None
    assert (void.reason, void.answer) == ("illegal", "1 n19")


def test_the_text_of_a_tree_is_read_as_it_was_written() -> None:
    tree = (typed("if a then b, if c if any then d"), typed("if any then resign yes"))
    assert load(dump(tree)) == tree
    with pytest.raises(ValueError, match="no conditions"):
        load('[{"if": ["a"]}]')


def test_a_bot_plays_on_for_a_seat_that_resigns_so() -> None:
    story = begun(Story(), challenge(ANN, BOB, CLEO, stand_in="random", seat_order="given"))
    story.play("e1", "a5", "e5", "e3 plant d3")
    give(story, ANN, "if any then resign yes")
    give(story, CLEO, "if any then d5 plant d4")
    play = partial(playing.play, player=BOB, text="a3 plant b3")
    decision = decide(Unfolding(match=story.match, now=NOON), play)
    happened = decision.events
    cleo = next(number for number, event in enumerate(happened) if by_condition([event]))
    taken = happened[cleo + 1]
    assert isinstance(taken, SeatTakenOver)
    assert (taken.seat, taken.left, taken.reason, taken.condition) == (1, ANN, "resigned", True)
    assert happened[-1] == taken
    after = decision.match
    assert after.to_act == (Seat(1),)
    assert Seat(1) not in after.pending.conditions


def test_what_nobody_chooses_goes_on_when_a_seat_resigns_so() -> None:
    with registered():
        story = tiny(ANN, BOB, CLEO, stand_in="random")
        give(story, BOB, "if any then resign yes")
        happened = names(story.when(partial(playing.play, player=ANN, text="run 4")))
        assert happened[:3] == ["MovePlayed", "ChanceDrawn", "SeatTakenOver"]
        assert happened[3:] == ["MovePlayed", "ChanceDrawn"] * 3 + ["MovePlayed"]
        assert [one.seat for one in story.match.course.steps if one.seat][-4:] == [2, 3, 1, 2]
        assert fine(story)


@pytest.mark.parametrize(("stand_in", "gone"), [("", "SeatResigned"), ("random", "SeatTakenOver")])
def test_two_may_resign_so_at_once(stand_in: str, gone: str) -> None:
    with registered():
        story = tiny(ANN, BOB, CLEO, stand_in=stand_in)
        give(story, BOB, "if any then resign yes")
        give(story, CLEO, "if any then resign yes")
        happened = names(story.when(partial(playing.play, player=ANN, text="run 4")))
        assert happened.count(gone) == 2
        assert (happened[-1] == "MatchEnded") == (not stand_in)
        assert fine(story)
