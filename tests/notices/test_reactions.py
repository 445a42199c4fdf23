"""Who is told what, after each decision."""

from __future__ import annotations

import ast
import inspect
from datetime import timedelta
from functools import partial
from types import ModuleType

from pbem.games.game import Seat
from pbem.matches.replay import KINDS, initial
from pbem.matches.resigning import resign
from pbem.matches.seats import accept, decline
from pbem.matches.table import say, watch
from pbem.matches.timing import begin_leave, miss_deadline, pause_clock, resume_clock
from pbem.names import Digest
from pbem.notices import news
from pbem.notices.news import NOTICES, react
from tests.matches.story import ANN, BOB, CLEO, MATCH, Story, begun, challenge, started


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
    assert told(story, partial(accept, player=BOB)) == [("ann", "InvitationAnswered")]


def test_the_start_is_told_to_all_and_prompts_the_first() -> None:
    story = Story()
    told(story, challenge(ANN, BOB, seat_order="given"))
    assert told(story, partial(accept, player=BOB)) == [
        ("ann", "MatchBegan"),
        ("bob", "MatchBegan"),
        ("ann", "TurnPrompt"),
    ]


def test_who_watches_is_told_of_moves_and_of_the_end() -> None:
    story = started(ANN, BOB)
    story.when(partial(watch, player=CLEO))
    before = story.match
    story.play("a1")
    seen = {(p, type(n).__name__) for p, n in react(story.events[-1:], before, story.match)}
    assert (CLEO, "MatchWatched") in seen
    assert ("cleo", "MatchWatched") in told(story, partial(resign, player=BOB))


def test_chat_and_clocks_are_no_news_to_who_watches() -> None:
    issued = partial(challenge(ANN, BOB, seat_order="given"), time="fast")
    story = begun(Story(), issued)
    story.when(partial(watch, player=CLEO))
    leave = partial(begin_leave, player=ANN, begin=story.now, end=story.now + timedelta(days=1))
    for command in (
        partial(say, player=ANN, text=Digest("0" * 64)),
        partial(pause_clock, player=ANN, reason="unreachable"),
        partial(resume_clock, player=ANN, reason="unreachable"),
        leave,
        partial(leave, begin=leave.keywords["end"], by_itself=True),
    ):
        assert all(reader != "cleo" for reader, _ in told(story, command)), command
    story.now += timedelta(days=4)
    late = told(story, partial(miss_deadline, seat=Seat(1)))
    assert ("bob", "TimeOver") in late
    assert all(reader != "cleo" for reader, _ in late)


def test_a_refusal_is_told_to_everybody_else() -> None:
    story = Story()
    told(story, challenge(ANN, BOB, CLEO))
    assert told(story, partial(decline, player=BOB)) == [
        ("ann", "ChallengeOff"),
        ("cleo", "ChallengeOff"),
    ]
    story = Story()
    told(story, challenge(ANN, BOB, CLEO))
    assert told(story, partial(decline, player=ANN)) == [
        ("bob", "ChallengeOff"),
        ("cleo", "ChallengeOff"),
    ]


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
    assert told(story, partial(resign, player=ANN)) == [
        ("bob", "TurnPrompt"),
        ("bob", "SeatVacated"),
        ("cleo", "SeatVacated"),
    ]


def test_who_resigns_out_of_turn_prompts_nobody_again() -> None:
    story = started(ANN, BOB, CLEO)
    assert told(story, partial(resign, player=BOB)) == [
        ("ann", "SeatVacated"),
        ("cleo", "SeatVacated"),
    ]


def test_the_end_is_told_to_all_and_nothing_else_is() -> None:
    story = started(ANN, BOB)
    assert told(story, partial(resign, player=BOB)) == [("ann", "MatchOver"), ("bob", "MatchOver")]


def test_a_message_is_told_to_the_others() -> None:
    story = started(ANN, BOB, CLEO)
    said = partial(say, player=BOB, text=Digest("0" * 64))
    assert told(story, said) == [("ann", "MessageReceived"), ("cleo", "MessageReceived")]


def test_nothing_is_owed_for_nothing() -> None:
    match = initial(MATCH)
    assert react([], match, match) == []


def test_it_is_known_which_events_are_no_news_by_themselves() -> None:
    silent = {kind.__name__ for kind in KINDS if kind not in NOTICES}
    assert silent == {
        *("ChanceCommitted", "ChanceDrawn", "ChanceRevealed", "ChanceSealed"),
        *("ClockCredited", "ClockPaused", "ClockResumed", "ClockSetRight", "ClockStopped"),
        *("ColourChosen", "DeadlineSet", "DrawAccepted", "HoursChosen", "LeaveEnded"),
        *("ConditionsDropped", "ConditionsGiven", "ConditionsVoided", "NoteKept"),
        *("MoveHeld", "MoveWithdrawn", "ResignationHeld", "ResignationTakenBack"),
        *("StandingOrderGiven", "TakebackAsked", "TakebackDeclined", "TakebackGranted"),
        *("LessonPlanned", "LinkMade", "PauseAccepted", "WatchEnded"),
    }


def test_no_two_families_owe_for_one_kind_of_event() -> None:
    """They are joined by kind: the second would silently take the place of the first."""
    families = [
        vars(module)["OWING"]
        for name, module in vars(news).items()
        if isinstance(module, ModuleType) and "OWING" in vars(module)
    ]
    tree = ast.parse(inspect.getsource(news))
    [table] = [
        one.value
        for one in ast.walk(tree)
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        if one.target.id == "NOTICES"
    ]
    assert isinstance(table, ast.Dict)
    own = [key for key in table.keys if key is not None]
    assert len(table.keys) - len(own) == len(families) > 2
    assert len(own) + sum(map(len, families)) == len(NOTICES)
