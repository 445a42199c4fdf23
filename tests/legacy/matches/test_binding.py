"""What draws are bound to in the life of a match, and how it is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pbem.fairness import letter_digest, moves_digest, start_digest
from pbem.legacy.matches.challenges import ChallengeIssued
from pbem.legacy.matches.chance import is_foreseeable, only_bots_answered
from pbem.legacy.matches.decide import play
from pbem.legacy.matches.events import ChanceDrawn, MovePlayed
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.seats import SeatTaken, accept, decline, join
from pbem.legacy.matches.verify import Caused, verify
from pbem.names import PlayerId
from tests.legacy.matches.story import ANN, BOB, CLEO, MATCH, Story, challenge
from tests.legacy.matches.tiny import registered

BOT = PlayerId("bot-random-1")


@pytest.fixture(autouse=True)
def tiny() -> Iterator[None]:
    with registered():
        yield


def letter(number: int) -> str:
    return letter_digest(f"<{number}@example.org>", "Sun")


def rolled(story: Story, letters: int = 4) -> Story:
    """A match of dice goes on, each move in a letter of its own."""
    for number in range(letters):
        asked = story.match.course.position.phase == "choose"
        player = story.match.player_at(story.match.to_act[0])
        text = "keep" if asked else "roll"
        story.when(partial(play, player=player, text=text, letter=letter(100 + number)))
    return story


def begun(words: str = "", bond: str = "") -> Story:
    story = Story()
    story.when(challenge(ANN, BOB, ruleset="tiny-1"))
    story.when(partial(accept, player=BOB, words=words, letter=bond))
    return story


def drawn(story: Story) -> list[ChanceDrawn]:
    return [event for event in story.events if isinstance(event, ChanceDrawn)]


def test_every_draw_is_bound_to_the_start_and_the_moves_before_it() -> None:
    story = rolled(begun(bond=letter(1)))
    assert verify(MATCH, story.stream).findings == ()
    assert replay(MATCH, story.events).chance.made == story.match.chance.made
    start = start_digest([(ANN, "", ""), (BOB, "", letter(1))])
    brought = list(story.match.chance.made)
    known = {moves_digest(brought[:at], start) for at in range(len(brought) + 1)}
    draws = drawn(story)
    assert draws
    assert {event.digest for event in draws} <= {start, *known}


def test_the_seats_are_drawn_by_who_accepted() -> None:
    story = Story()
    story.when(challenge(ANN, BOB))
    story.when(partial(accept, player=BOB, letter=letter(1)))
    accepted = [(ANN, "", ""), (BOB, "", letter(1))]
    assert [event.digest for event in drawn(story)] == [start_digest(accepted)]


@pytest.mark.parametrize("protocol", [0, 1, 3])
def test_a_protocol_that_there_is_not_is_named(protocol: int) -> None:
    story = Story()
    story.when(challenge(ANN, BOB, ruleset="tiny-1"))
    (issued,) = story.events
    assert isinstance(issued, ChallengeIssued)
    changed = Caused(event=replace(issued, protocol=protocol), cause="1")
    assert verify(MATCH, [changed]).findings == (
        f"event 1: draws by protocol {protocol} cannot be checked, since there is none",
    )


def test_the_first_letter_of_moves_draws_by_what_the_answers_were() -> None:
    """It is bound to no constant: else the server could have looked for a secret to suit."""
    first = {
        rolled(begun(bond=letter(number)), 1).match.chance.draws[-1].digest for number in range(3)
    }
    assert len(first) == 3


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (SeatTaken, {"letter": letter(9)}),
        (SeatTaken, {"letter": ""}),
        (SeatTaken, {"words": "x"}),
        (SeatTaken, {"letter": "not a digest"}),
        (MovePlayed, {"letter": letter(9)}),
        (MovePlayed, {"letter": ""}),
        (MovePlayed, {"letter": "A" * 64}),
        (ChallengeIssued, {"protocol": 1}),
        (ChallengeIssued, {"protocol": 3}),
        (ChallengeIssued, {"protocol": 0}),
    ],
)
def test_what_is_changed_in_letters_and_protocol_is_found(kind: type, change: Any) -> None:
    story = rolled(begun(bond=letter(1)))
    at = next(number for number, event in enumerate(story.events) if isinstance(event, kind))
    assert verify(MATCH, story.stream).findings == ()
    stream = list(story.stream)
    stream[at] = Caused(event=replace(stream[at].event, **change), cause=stream[at].cause)
    assert verify(MATCH, stream).findings
    assert verify(MATCH, stream, whole=False).findings


def test_what_the_server_or_a_bot_plays_is_from_no_letter() -> None:
    story = Story()
    story.when(challenge(ANN, BOT, ruleset="tiny-1"))
    story.when(partial(accept, player=BOT))
    rolled(story, 1)
    assert only_bots_answered(story.match)
    assert is_foreseeable(story.match)
    at, taken = next(
        (at, event) for at, event in enumerate(story.events) if isinstance(event, SeatTaken)
    )
    stream = list(story.stream)
    stream[at] = Caused(event=replace(taken, letter=letter(1)), cause=stream[at].cause)
    assert any("nobody can have written" in words for words in verify(MATCH, stream).findings)
    forced = next((e for e in story.events if isinstance(e, MovePlayed)), None)
    assert forced is not None
    stream = [
        Caused(event=replace(one.event, forced=True, typed=""), cause=one.cause)
        if isinstance(one.event, MovePlayed)
        else one
        for one in story.stream
    ]
    assert any("played by the server" in words for words in verify(MATCH, stream).findings)


@pytest.mark.parametrize(
    ("words", "bond", "foreseeable"),
    [("", "", True), ("trees", "", False), ("", letter(1), False)],
)
def test_it_is_known_whether_the_first_draws_were_foreseeable(
    words: str, bond: str, *, foreseeable: bool
) -> None:
    story = begun(words, bond)
    assert is_foreseeable(story.match) == foreseeable
    assert not only_bots_answered(story.match)


@pytest.mark.parametrize("other", ["x", "A" * 64, "0" * 63])
def test_what_is_no_digest_is_found_where_nothing_is_drawn_after_it(other: str) -> None:
    story = Story()
    story.when(partial(challenge(ANN, BOB), options={"seat_order": "given"}))
    story.when(partial(accept, player=BOB, letter=letter(1)))
    story.play("e1")
    stream = list(story.stream)
    assert verify(MATCH, stream).findings == ()
    last = stream[-1]
    assert isinstance(last.event, MovePlayed)
    stream[-1] = Caused(event=replace(last.event, letter=other), cause=last.cause)
    assert any("nobody can have written" in words for words in verify(MATCH, stream).findings)


def test_who_gives_a_seat_back_and_takes_it_again_is_bound_by_the_last_letter() -> None:
    story = Story()
    story.when(partial(challenge(ANN, BOB), players=(ANN, BOB), open_seats=1))
    story.when(partial(join, player=CLEO, letter=letter(1)))
    story.when(partial(decline, player=CLEO))
    story.when(partial(join, player=CLEO, letter=letter(2)))
    story.when(partial(accept, player=BOB, letter=letter(3)))
    accepted = [(ANN, "", ""), (CLEO, "", letter(2)), (BOB, "", letter(3))]
    assert list(story.match.table.accepted) == accepted
    assert [event.digest for event in drawn(story)] == [start_digest(accepted)]
    assert verify(MATCH, story.stream).findings == ()
