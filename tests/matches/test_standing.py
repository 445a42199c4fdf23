"""Decisions in advance (LL-7.14): what they decide, from when, and who learns of them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pbem.games.game import Seat
from pbem.matches.conditions import StandingOrderGiven, give_standing_order
from pbem.matches.decide import goes_on, play
from pbem.matches.events import ChanceDrawn, Event, MovePlayed
from pbem.matches.replay import replay
from pbem.matches.resigning import resign
from pbem.matches.unfolding import Deciding
from pbem.matches.verify import verify
from pbem.names import Digest, PlayerId
from pbem.store.codec import encode
from tests.matches.story import ANN, BOB, CLEO, MATCH, Story, begun, challenge, started

pytestmark = pytest.mark.usefixtures("tiny")

AGAIN = "die again 6"


def two() -> Story:
    return begun(Story(), challenge(ANN, BOB, ruleset="tiny-1"))


def order(player: PlayerId, text: str) -> partial[Deciding]:
    digest = hashlib.sha256(bytes(16) + text.encode()).hexdigest()
    return partial(give_standing_order, player=player, sealed=Digest(digest))


def give(story: Story, player: PlayerId, text: str) -> StandingOrderGiven:
    """The runner seals the text first, and lets the match know it."""
    command = order(player, text)
    story.know(command.keywords["sealed"], text)
    (given,) = story.when(command)
    assert isinstance(given, StandingOrderGiven)
    return given


def roll(story: Story) -> list[Event]:
    """Whoever is to act ends the turn with a die for the next seat."""
    return story.when(
        partial(play, player=story.match.player_at(story.match.to_act[0]), text="roll")
    )


def asked(story: Story) -> PlayerId:
    """Roll until a seat is asked about its die."""
    while story.match.course.position.phase != "choose":
        roll(story)
    return story.match.player_at(story.match.to_act[0])


def standing(events: list[Event]) -> list[MovePlayed]:
    return [event for event in events if isinstance(event, MovePlayed) and event.standing]


def test_a_die_that_falls_later_is_decided_as_ordered_and_recorded_as_standing() -> None:
    story = two()
    give(story, ANN, "die keep")
    give(story, BOB, "die keep")
    decided = []
    for _ in range(20):
        happened = roll(story)
        decided += standing(happened)
        assert story.match.course.position.phase == "move"  # nobody is asked
    assert {move.seat for move in decided} == {1, 2}
    assert all((move.notation, move.forced, move.typed) == ("keep", True, "") for move in decided)
    assert sum(step.standing for step in story.match.course.steps) == len(decided)
    assert verify(MATCH, story.stream, story.match.secrets).findings == ()


def test_each_new_die_is_decided_by_the_order_again() -> None:
    story = two()
    for player in (ANN, BOB):
        give(story, player, AGAIN)
    while not standing(happened := roll(story)):
        pass
    (_, *rest) = happened  # the roll; then a die and a decision in turns, until an odd one
    assert [type(event) for event in rest] == [ChanceDrawn, MovePlayed] * (len(rest) // 2) + [
        ChanceDrawn
    ]
    assert verify(MATCH, story.stream, story.match.secrets).findings == ()


def test_an_order_does_not_decide_the_die_that_lies() -> None:
    story = two()
    player = asked(story)
    give(story, player, AGAIN)
    assert story.match.course.position.phase == "choose"
    assert not goes_on(story.match)  # no timer will decide it either
    story.when(partial(play, player=player, text="keep"))
    assert not standing(story.events)


def test_somebody_elses_act_does_not_decide_the_die_that_lies() -> None:
    story = begun(Story(), challenge(ANN, BOB, CLEO, ruleset="tiny-1"))
    player = asked(story)
    give(story, player, AGAIN)
    other = next(one for one in story.match.table.players if one != player)
    story.when(partial(resign, player=other))
    assert story.match.course.position.phase == "choose"
    assert not standing(story.events)


def test_the_newest_order_holds() -> None:
    story = two()
    for player in (ANN, BOB):
        give(story, player, AGAIN)
        give(story, player, "die keep")
    for _ in range(10):
        assert all(move.notation == "keep" for move in standing(roll(story)))


def test_an_order_that_says_nothing_of_the_die_leaves_the_question() -> None:
    story = two()
    for player in (ANN, BOB):
        give(story, player, "die again 1")  # an even die is never below 2, so it says keep
    for _ in range(10):
        assert all(move.notation == "keep" for move in standing(roll(story)))
    forgotten = replace(story.match, secrets={})
    story.match = forgotten
    asked(story)  # where the text is forgotten, the seat is asked


def test_orders_are_for_seats_in_play() -> None:
    story = two()
    story.refuses(order(CLEO, AGAIN), "not_seated")
    story.when(partial(resign, player=BOB))
    story.refuses(order(ANN, AGAIN), "game_over")
    story = Story()
    story.when(challenge(ANN, BOB, ruleset="tiny-1"))
    story.refuses(order(ANN, AGAIN), "match_not_started")
    assert started(ANN, BOB).match.game.standing(AGAIN) is None  # Logger has none


def test_no_event_tells_what_was_ordered() -> None:
    story = two()
    give(story, ANN, "die keep")
    give(story, BOB, AGAIN)
    roll(story)
    for event in story.events:
        assert "die" not in encode(event).data.replace("die: 1d6", "")


def test_replay_needs_no_order_and_verification_says_nothing_of_what_it_may_not_see() -> None:
    story = two()
    for player in (ANN, BOB):
        give(story, player, "die keep")
    for _ in range(6):
        roll(story)
    assert standing(story.events)
    again = replay(MATCH, story.events)
    assert replace(again, secrets=story.match.secrets) == story.match
    assert verify(MATCH, story.stream).findings == ()


@pytest.mark.parametrize("changed", [{"notation": "again"}, {"standing": False}, {"forced": False}])
def test_what_was_not_ordered_is_found(changed: dict[str, Any]) -> None:
    story = two()
    for player in (ANN, BOB):
        give(story, player, "die keep")
    while not standing(roll(story)):
        pass
    at = next(n for n, one in enumerate(story.stream) if standing([one.event]))
    forged = replace(story.stream[at], event=replace(story.stream[at].event, **changed))
    stream = [*story.stream[:at], forged, *story.stream[at + 1 :]]
    assert verify(MATCH, stream, story.match.secrets).findings


def test_a_standing_move_without_an_order_is_found() -> None:
    story = two()
    for player in (ANN, BOB):
        give(story, player, "die keep")
    while not standing(roll(story)):
        pass
    stream = [one for one in story.stream if not isinstance(one.event, StandingOrderGiven)]
    findings = verify(MATCH, stream, story.match.secrets).findings
    assert any("standing order that was not given" in words for words in findings)


def test_a_seat_that_left_has_no_order_to_give() -> None:
    story = begun(Story(), challenge(ANN, BOB, CLEO, ruleset="tiny-1"))
    story.when(partial(resign, player=CLEO))
    story.refuses(order(CLEO, AGAIN), "seat_left")
    assert give(story, ANN, AGAIN).seat == Seat(1)
