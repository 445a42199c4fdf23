"""Who is told what, after each decision."""

from __future__ import annotations

from pbem.matches.commands import Accept, Decline, Resign, Say
from pbem.matches.match import initial
from pbem.names import Digest
from pbem.notices.reactions import react
from tests.matches.story import ANN, BOB, CLEO, MATCH, Story, challenge, started


def told(story: Story, command: object) -> list[tuple[str, str]]:
    """(reader, kind of notice) after one more command."""
    before = story.match
    events = story.when(command)  # type: ignore[arg-type]
    return [(str(player), type(n).__name__) for player, n in react(events, before, story.match)]


def test_a_challenge_is_told_to_all() -> None:
    story = Story()
    assert told(story, challenge(ANN, BOB, CLEO)) == [
        ("ann", "ChallengeSent"),
        ("bob", "Invitation"),
        ("cleo", "Invitation"),
    ]


def test_the_first_acceptance_is_told_to_the_challenger_only() -> None:
    story = Story()
    told(story, challenge(ANN, BOB, CLEO))
    assert told(story, Accept(player=BOB)) == [("ann", "InvitationAnswered")]


def test_the_start_is_told_to_all_and_prompts_the_first() -> None:
    story = Story()
    told(story, challenge(ANN, BOB, seat_order="given"))
    assert told(story, Accept(player=BOB)) == [
        ("ann", "MatchBegan"),
        ("bob", "MatchBegan"),
        ("ann", "TurnPrompt"),
    ]


def test_a_refusal_is_told_to_everybody_else() -> None:
    story = Story()
    told(story, challenge(ANN, BOB, CLEO))
    assert told(story, Decline(player=BOB)) == [("ann", "ChallengeOff"), ("cleo", "ChallengeOff")]
    story = Story()
    told(story, challenge(ANN, BOB, CLEO))
    assert told(story, Decline(player=ANN)) == [("bob", "ChallengeOff"), ("cleo", "ChallengeOff")]


def test_a_move_is_a_receipt_and_a_prompt() -> None:
    story = started(ANN, BOB, CLEO)
    before = story.match
    story.play("a1")
    notices = react(story.events[-1:], before, story.match)
    assert [(p, type(n).__name__) for p, n in notices] == [
        (BOB, "TurnPrompt"),
        (ANN, "MoveReceipt"),
    ]


def test_who_resigns_on_turn_passes_it_on() -> None:
    story = started(ANN, BOB, CLEO)
    assert told(story, Resign(player=ANN)) == [
        ("bob", "TurnPrompt"),
        ("bob", "SeatVacated"),
        ("cleo", "SeatVacated"),
    ]


def test_who_resigns_out_of_turn_prompts_nobody_again() -> None:
    story = started(ANN, BOB, CLEO)
    assert told(story, Resign(player=BOB)) == [("ann", "SeatVacated"), ("cleo", "SeatVacated")]


def test_the_end_is_told_to_all_and_nothing_else_is() -> None:
    story = started(ANN, BOB)
    assert told(story, Resign(player=BOB)) == [("ann", "MatchOver"), ("bob", "MatchOver")]


def test_a_message_is_told_to_the_others() -> None:
    story = started(ANN, BOB, CLEO)
    said = Say(player=BOB, text=Digest("0" * 64))
    assert told(story, said) == [("ann", "MessageReceived"), ("cleo", "MessageReceived")]


def test_nothing_is_owed_for_nothing() -> None:
    match = initial(MATCH)
    assert react([], match, match) == []
