"""Held resignations (PLAY 2, MAIL 3): what they change, what becomes of them, and who learns."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

import pytest

from pbem.games.game import Seat
from pbem.matches import decide, resigning, window
from pbem.matches.agreements import answer_draw, offer_draw
from pbem.matches.decide import play_held
from pbem.matches.events import MatchEnded, SeatResigned, SeatTakenOver
from pbem.matches.match import Match, Status
from pbem.matches.replay import replay
from pbem.matches.resigning import ResignationHeld, ResignationTakenBack, finish_resigning
from pbem.matches.takebacks import answer
from pbem.matches.timing import claim_time, miss_deadline
from pbem.matches.unfolding import Act
from pbem.matches.verify import Caused, verify
from pbem.matches.window import HeldText, undo
from pbem.names import Digest, PlayerId
from pbem.notices.news import react
from pbem.notices.views.foreseeing import ahead
from tests.matches.conditions.test_conditions import give
from tests.matches.story import ANN, BOB, CLEO, MATCH, NOW, Story, begun, challenge, names, started
from tests.matches.tiny import registered

DAY: Final = timedelta(hours=24)
UNTIL: Final = NOW + DAY


def logger() -> Story:
    """Ann is to move for the second time."""
    story = started(ANN, BOB)
    story.held = DAY
    story.play("e1", "a5")
    return story


def table() -> Story:
    """Three play; Ann is to move."""
    story = begun(Story(), challenge(ANN, BOB, CLEO, stand_in="random", seat_order="given"))
    story.held = DAY
    story.play("e1", "a5", "e5")
    return story


def resign(player: PlayerId) -> Act:
    return partial(resigning.resign, player=player, until=UNTIL)


def finish(story: Story, player: PlayerId) -> Act:
    """What the timer wants, and the `yes` to the receipt."""
    seat = story.match.seat_of(player)
    assert seat is not None
    version = story.match.pending.resigning[seat].version
    return partial(finish_resigning, player=player, version=version)


def hold(story: Story, player: PlayerId, notation: str) -> None:
    text = HeldText(notation, notation)
    digest = Digest(hashlib.sha256(text.sealed().encode()).hexdigest())
    story.know(digest, text.sealed())
    story.when(
        partial(
            window.hold,
            player=player,
            text=notation,
            sealed=digest,
            until=NOW + timedelta(minutes=5),
        )
    )


def told(story: Story, command: Act) -> list[tuple[str, str]]:
    """(reader, kind of notice) after one more command."""
    before = story.match
    events = story.when(command)
    return [(str(player), type(n).__name__) for player, n in react(events, before, story.match)]


def sound(story: Story) -> bool:
    replayed = replay(MATCH, story.events, story.match.secrets)
    return replayed == story.match and verify(MATCH, story.stream, replayed.secrets).findings == ()


def findings(story: Story) -> str:
    return "; ".join(verify(MATCH, story.stream, story.match.secrets).findings)


def known_to_others(match: Match) -> Match:
    """The match without what only the seat that resigns may know."""
    return replace(match, version=0, pending=replace(match.pending, resigning={}))


# --- holding -------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [ANN, BOB])
def test_a_resignation_is_held_on_turn_and_out_of_turn_and_changes_nothing(
    player: PlayerId,
) -> None:
    story = logger()
    before = story.match
    assert story.when(resign(player)) == [
        ResignationHeld(seat=story.match.seat_of(player) or Seat(0), until=UNTIL)
    ]
    assert known_to_others(story.match) == known_to_others(before)
    assert story.match.told == before.told  # else the head in others' mails would tell
    assert sound(story)


def test_only_who_resigned_hears_of_it() -> None:
    story = logger()
    assert told(story, resign(BOB)) == [(BOB, "ResignationKept")]
    assert told(story, partial(undo, player=BOB)) == [(BOB, "ResignationOff")]
    assert story.match.status is Status.RUNNING
    assert sound(story)


def test_who_tries_a_move_meets_no_resignation_of_others() -> None:
    story = logger()
    story.when(resign(BOB))
    game, position = story.match.game, story.match.course.position
    move = game.parse("e3 plant d3", position, Seat(1))
    after = game.tried(position, move, Seat(1))
    assert ahead(story.match, move=move, after=after, seat=Seat(1)).then.pending.resigning == {}


def test_to_resign_twice_changes_nothing() -> None:
    story = logger()
    story.when(resign(ANN))
    before = story.match
    assert story.when(partial(resigning.resign, player=ANN, until=UNTIL + DAY)) == []
    assert story.match == before


def test_nobody_resigns_who_does_not_play() -> None:
    story = logger()
    story.refuses(resign(CLEO), "not_seated")
    challenged = Story()
    challenged.when(challenge(ANN, BOB))
    challenged.refuses(resign(ANN), "match_not_started")


# --- what becomes of it --------------------------------------------------------------------------


def test_it_becomes_final_and_then_the_others_hear() -> None:
    story = logger()
    story.when(resign(ANN))
    story.play("e3 plant d3")  # the resignation of another seat would not stand in the way
    assert story.match.pending.resigning == {}
    story.when(resign(ANN))
    assert told(story, finish(story, ANN)) == [(ANN, "MatchOver"), (BOB, "MatchOver")]
    assert names(story.events[-2:]) == ["SeatResigned", "MatchEnded"]
    assert story.match.course.outcome is not None
    assert story.match.course.outcome.placings == (2, 1)
    assert sound(story)


def test_a_move_takes_it_back_and_its_player_is_told() -> None:
    story = logger()
    story.when(resign(ANN))
    before = story.match
    happened = story.when(partial(decide.play, player=ANN, text="e3 plant d3"))
    assert happened[0] == ResignationTakenBack(seat=Seat(1), reason="moved")
    notices = react(happened, before, story.match)
    assert {type(n).__name__ for reader, n in notices if reader == ANN} == {
        "MoveReceipt",
        "ResignationOff",
    }
    assert {type(n).__name__ for reader, n in notices if reader == BOB} == {"TurnPrompt"}
    assert sound(story)


def test_a_move_that_is_held_takes_it_back_as_well() -> None:
    story = logger()
    story.when(resign(ANN))
    hold(story, ANN, "e3; plant d3")
    assert names(story.events[-2:]) == ["ResignationTakenBack", "MoveHeld"]
    story.when(partial(play_held, player=ANN))
    assert sound(story)


def test_a_move_that_was_held_before_goes_out_and_the_resignation_stands() -> None:
    story = logger()
    hold(story, ANN, "e3; plant d3")
    version = story.match.pending.held[Seat(1)].version
    story.when(resign(ANN))
    story.when(partial(play_held, player=ANN, version=version))
    assert Seat(1) in story.match.pending.resigning
    assert sound(story)


def test_undo_takes_the_newest_back_first() -> None:
    story = logger()
    hold(story, ANN, "e3; plant d3")
    story.when(resign(ANN))
    assert names(story.when(partial(undo, player=ANN))) == ["ResignationTakenBack"]
    assert names(story.when(partial(undo, player=ANN))) == ["MoveWithdrawn"]
    assert sound(story)


def test_the_same_move_again_and_now_say_that_its_player_goes_on() -> None:
    story = logger()
    hold(story, ANN, "e3; plant d3")
    story.when(resign(ANN))
    hold(story, ANN, "e3; plant d3")
    assert story.match.pending.resigning == {}
    story.when(resign(ANN))
    story.when(partial(play_held, player=ANN))
    assert story.match.pending.resigning == {}
    assert sound(story)


def test_what_the_server_plays_for_a_seat_takes_nothing_back() -> None:
    with registered():
        story = begun(Story(held=DAY), challenge(ANN, BOB, ruleset="tiny-1"))
        story.when(resign(BOB))
        happened = story.when(partial(decide.play, player=ANN, text="run 4"))
        assert any(getattr(event, "forced", False) for event in happened)
        assert Seat(2) in story.match.pending.resigning
        assert sound(story)


@pytest.mark.parametrize("what", ["undone", "again", "over", "moved"])
def test_what_is_taken_back_or_over_is_never_final(what: str) -> None:
    story = logger()
    story.when(resign(ANN))
    late = finish(story, ANN)
    match what:
        case "undone":
            story.when(partial(undo, player=ANN))
        case "again":  # the same seat resigned anew: that has a time of its own
            story.when(partial(undo, player=ANN))
            story.when(resign(ANN))
        case "moved":
            story.play("e3 plant d3")
        case _:
            story.when(partial(resigning.resign, player=BOB))
            story.refuses(late, "game_over")
            return
    story.refuses(late, "no_resignation")


def test_the_match_may_end_otherwise() -> None:
    with registered():
        story = begun(Story(held=DAY), challenge(ANN, BOB, ruleset="tiny-1"))
        story.when(resign(ANN))
        story.when(partial(offer_draw, player=BOB))
        over = told(story, partial(answer_draw, player=ANN, accept=True))
        assert over == [(ANN, "MatchOver"), (BOB, "MatchOver")]
        assert story.match.pending.resigning == {}
        assert sound(story)


def test_a_takeback_ends_it_and_its_player_is_told() -> None:
    story = logger()
    story.play("e3 plant d3")
    story.when(partial(undo, player=ANN))
    story.when(resign(ANN))
    before = story.match
    happened = story.when(partial(answer, player=BOB, accept=True))
    off = [n for reader, n in react(happened, before, story.match) if reader == ANN]
    assert "ResignationOff" in {type(notice).__name__ for notice in off}
    assert story.match.pending.resigning == {}
    assert sound(story)


def test_the_flag_falls_and_the_opponent_claims() -> None:
    issued = partial(challenge(ANN, BOB, seat_order="given"), time="fast")
    story = begun(Story(held=DAY), issued)
    story.play("e1", "a5")
    story.when(resign(ANN))
    clocks = story.match.clocks
    assert clocks is not None
    story.now = clocks.running[Seat(1)].due
    story.when(partial(miss_deadline, seat=Seat(1)))
    assert Seat(1) in story.match.pending.resigning  # who is late may still undo, and still leaves
    assert told(story, partial(claim_time, player=BOB))[0] == (ANN, "MatchOver")
    assert names(story.events).count("SeatResigned") == 0
    assert story.match.pending.resigning == {}
    assert sound(story)


def test_of_two_that_resign_the_first_has_lost() -> None:
    story = logger()
    story.when(resign(BOB))
    story.when(resign(ANN))
    story.when(finish(story, BOB))
    assert story.match.course.outcome is not None
    assert story.match.course.outcome.placings == (1, 2)
    assert sound(story)


# --- three at the table --------------------------------------------------------------------------


def test_a_bot_plays_on_in_a_seat_of_three_when_it_is_final() -> None:
    story = table()
    story.when(resign(BOB))
    assert story.match.to_act == (Seat(1),)
    before = story.match
    (taken,) = story.when(finish(story, BOB))
    assert {
        (reader, type(one).__name__) for reader, one in react([taken], before, story.match)
    } == {
        (ANN, "SeatFilled"),
        (CLEO, "SeatFilled"),
    }
    assert isinstance(taken, SeatTakenOver)
    assert (taken.seat, taken.left, taken.reason) == (2, BOB, "resigned")
    assert story.match.pending.resigning == {}
    assert sound(story)


def test_two_of_three_may_resign_at_once() -> None:
    story = table()
    story.when(resign(BOB))
    story.when(resign(CLEO))
    story.when(finish(story, BOB))
    assert Seat(3) in story.match.pending.resigning
    happened = names(story.when(finish(story, CLEO)))
    assert happened == ["SeatTakenOver"]
    assert sound(story)


# --- decided in advance --------------------------------------------------------------------------


def test_a_condition_that_resigns_is_held_too() -> None:
    story = logger()
    give(story, BOB, "if any then resign yes")
    before = story.match
    happened = story.when(partial(decide.play, player=ANN, text="e3 plant d3"))
    assert names(happened) == ["MovePlayed", "ResignationHeld"]
    assert story.match.pending.resigning[Seat(2)].condition
    assert Seat(2) not in story.match.pending.conditions
    mine = [type(n).__name__ for reader, n in react(happened, before, story.match) if reader == BOB]
    assert mine == ["ResignationKept", "TurnPrompt"]
    assert story.match.told.at_table.version == story.match.version - 1
    story.when(finish(story, BOB))
    (left,) = (event for event in story.events if isinstance(event, SeatResigned))
    assert not left.condition  # the others need not know how it came
    assert sound(story)


def test_who_takes_it_back_is_to_move_as_before() -> None:
    story = logger()
    give(story, BOB, "if any then resign yes")
    story.play("e3 plant d3")
    assert story.match.to_act == (Seat(2),)
    assert names(story.when(partial(undo, player=BOB))) == ["ResignationTakenBack"]
    story.play("a3 plant b3")
    assert sound(story)


def test_a_condition_met_while_one_is_held_moves_no_time() -> None:
    story = logger()
    give(story, BOB, "if any then resign yes")
    story.when(resign(BOB))
    first = story.match.pending.resigning[Seat(2)]
    story.now = NOW + timedelta(hours=5)
    happened = story.when(partial(decide.play, player=ANN, text="e3 plant d3"))
    assert names(happened) == ["MovePlayed", "ResignationHeld"]
    again = story.match.pending.resigning[Seat(2)]
    assert (again.until, again.version) == (first.until, first.version)
    assert sound(story)


def test_conditions_of_three_are_held_at_once() -> None:
    story = table()
    give(story, BOB, "if any then resign yes")
    give(story, CLEO, "if any if any then resign yes")
    story.play("e3 plant d3")
    assert set(story.match.pending.resigning) == {2}
    story.play("a3 plant b3")
    assert set(story.match.pending.resigning) == {3}  # Bob has moved, Cleo's condition is met
    assert sound(story)


def test_without_a_time_it_is_final_at_once_as_before() -> None:
    story = logger()
    story.held = None
    give(story, BOB, "if any then resign yes")
    story.when(partial(decide.play, player=ANN, text="e3 plant d3"))
    assert story.match.status is Status.ENDED
    again = logger()
    again.when(partial(resigning.resign, player=ANN))
    assert again.match.status is Status.ENDED
    assert sound(again)


# --- what the judge finds ------------------------------------------------------------------------


def _with(story: Story, *events: object) -> Story:
    stream = [*story.stream, *(Caused(event=e, cause=f"x{n}") for n, e in enumerate(events))]  # type: ignore[arg-type]
    return replace(story, stream=stream)


def test_a_forged_log_is_found() -> None:
    story = logger()
    held = ResignationHeld(seat=Seat(1), until=UNTIL)
    back = ResignationTakenBack(seat=Seat(1), reason="undone")
    by_condition = replace(held, condition=True)
    assert "had not sent" in findings(_with(story, back))
    assert "resigned twice" in findings(_with(story, held, held))
    assert "cannot resign" in findings(_with(story, replace(held, seat=Seat(3))))
    assert "a condition that was not met" in findings(_with(story, by_condition))
    story.when(resign(ANN))
    story.play("e3 plant d3")
    at = next(n for n, c in enumerate(story.stream) if isinstance(c.event, ResignationTakenBack))
    assert "had resigned" in findings(replace(story, stream=_without(story, at)))


def _without(story: Story, at: int) -> list[Caused]:
    return [*story.stream[:at], *story.stream[at + 1 :]]


def test_old_matches_replay_as_they_did() -> None:
    story = started(ANN, BOB)
    story.play("e1", "a5")
    story.when(partial(resigning.resign, player=BOB))
    kinds = [type(event) for event in story.events]
    assert kinds[-2:] == [SeatResigned, MatchEnded]
    assert ResignationHeld not in kinds
    assert sound(story)
