"""The correction window (PLAY 3): what is held, what may become of it, and who learns of it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Rejection
from pbem.fairness import letter_digest
from pbem.games.game import Ply, Seat
from pbem.legacy.matches import decide, window
from pbem.legacy.matches.agreements import offer_draw
from pbem.legacy.matches.decide import add_to_held, play_held
from pbem.legacy.matches.events import Event, MovePlayed
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.resigning import resign
from pbem.legacy.matches.table import say
from pbem.legacy.matches.unfolding import Act
from pbem.legacy.matches.verify import Caused, verify
from pbem.legacy.matches.window import HeldText, MoveHeld, MoveWithdrawn, undo
from pbem.names import Digest, PlayerId
from pbem.legacy.notices.news import react
from pbem.legacy.store.codec import encode
from tests.legacy.matches import tiny
from tests.legacy.matches.story import ANN, BOB, CLEO, MATCH, NOW, Story, begun, challenge, names, started

WINDOW: Final = timedelta(minutes=5)
TURN: Final = "e3; plant d3"


def seal(story: Story, text: HeldText) -> Digest:
    """The runner seals a held move first, and lets the match know it."""
    digest = Digest(hashlib.sha256(text.sealed().encode()).hexdigest())
    story.know(digest, text.sealed())
    return digest


def hold(story: Story, player: PlayerId, notation: str, typed: str = "") -> list[Event]:
    sealed = seal(story, HeldText(notation, typed or notation))
    return story.when(
        partial(
            window.hold, player=player, text=typed or notation, sealed=sealed, until=NOW + WINDOW
        )
    )


def logger() -> Story:
    """Ann is to move for the second time."""
    story = started(ANN, BOB)
    story.play("e1", "a5")
    return story


def told(story: Story, command: Act) -> list[tuple[str, str]]:
    """(reader, kind of notice) after one more command."""
    before = story.match
    events = story.when(command)
    return [(str(player), type(n).__name__) for player, n in react(events, before, story.match)]


def sound(story: Story) -> bool:
    return verify(MATCH, story.stream, story.match.secrets).findings == ()


# --- holding -------------------------------------------------------------------------------------


def test_a_move_is_held_and_nothing_else_happens() -> None:
    story = logger()
    before = story.match
    (held,) = hold(story, ANN, TURN, "E3 +D3")
    assert isinstance(held, MoveHeld)
    assert (held.ply, held.received, held.until) == (3, NOW, NOW + WINDOW)
    assert story.match.course.position is before.course.position
    assert (story.match.course.ply, story.match.to_act) == (2, (Seat(1),))
    assert story.match.course.steps == before.course.steps


def test_what_is_held_stands_in_no_event_before_it_goes_out() -> None:
    story = logger()
    hold(story, ANN, TURN)
    written = "".join(encode(event).data for event in story.events)
    assert "d3" not in written
    (played,) = story.when(partial(play_held, player=ANN))
    assert isinstance(played, MovePlayed)
    assert (played.notation, played.typed) == (TURN, TURN)


def test_a_move_that_goes_out_is_from_the_letter_that_held_it() -> None:
    story, bond = logger(), letter_digest("<1@example.org>", "Sun")
    sealed = seal(story, HeldText(TURN, TURN))
    story.when(
        partial(window.hold, player=ANN, text=TURN, letter=bond, sealed=sealed, until=NOW + WINDOW)
    )
    (played,) = story.when(partial(play_held, player=ANN))
    assert isinstance(played, MovePlayed)
    assert played.letter == bond
    assert sound(story)
    other = replace(played, letter=letter_digest("<2@example.org>", "Sun"))
    stream = [*story.stream[:-1], Caused(event=other, cause=story.stream[-1].cause)]
    found = verify(MATCH, stream, story.match.secrets).findings
    assert any("not from the letter whose move was held" in words for words in found)


def test_only_a_legal_move_of_whose_turn_it_is_can_be_held() -> None:
    story = logger()
    sealed = Digest("0" * 64)
    until = NOW + WINDOW

    def held(player: PlayerId, text: str, ply: int | None = None) -> Act:
        return partial(
            window.hold,
            player=player,
            text=text,
            ply=None if ply is None else Ply(ply),
            sealed=sealed,
            until=until,
        )

    story.refuses(held(BOB, "a3 plant b3"), "not_your_turn")
    story.refuses(held(CLEO, TURN), "not_seated")
    story.refuses(held(ANN, TURN, 2), "stale_mail", meant=2, now=3)
    story.refuses(held(ANN, "e3 plant a1"), "plant_not_adjacent")


def test_another_move_replaces_the_one_that_is_held() -> None:
    story = logger()
    hold(story, ANN, TURN)
    assert names(hold(story, ANN, "e2; plant e3")) == ["MoveWithdrawn", "MoveHeld"]
    (played,) = story.when(partial(play_held, player=ANN))
    assert isinstance(played, MovePlayed)
    assert played.notation == "e2; plant e3"
    assert sound(story)


def test_the_same_move_again_changes_nothing() -> None:
    story = logger()
    hold(story, ANN, TURN)
    assert hold(story, ANN, TURN, "e3 plant d3") == []


# --- what becomes of it --------------------------------------------------------------------------


def test_undo_takes_it_back_and_the_turn_is_as_it_was() -> None:
    story = logger()
    hold(story, ANN, TURN)
    (withdrawn,) = story.when(partial(undo, player=ANN))
    assert isinstance(withdrawn, MoveWithdrawn)
    assert withdrawn.reason == "undone"
    assert not story.match.pending.held
    story.refuses(partial(play_held, player=ANN), "no_held_move")
    story.play("e2 plant e3", "a3 plant b3")
    assert sound(story)


def test_nothing_held_is_nothing_to_undo() -> None:
    story = started(ANN, BOB)
    story.refuses(partial(undo, player=ANN), "nothing_to_undo")
    hold(story, ANN, "place e1")
    story.refuses(partial(undo, player=BOB), "nothing_to_undo")
    story.refuses(partial(play_held, player=BOB), "no_held_move")


def test_the_timer_plays_the_very_move_that_it_was_set_for() -> None:
    story = logger()
    hold(story, ANN, TURN)
    first = story.match.pending.held[Seat(1)].version
    hold(story, ANN, "e2; plant e3")
    story.refuses(partial(play_held, player=ANN, version=first), "no_held_move")
    story.when(partial(play_held, player=ANN, version=story.match.pending.held[Seat(1)].version))
    assert story.match.course.ply == 3


def test_the_match_ends_and_what_was_held_is_gone() -> None:
    story = logger()
    hold(story, ANN, TURN)
    story.when(partial(resign, player=BOB))
    assert story.match.status is Status.ENDED
    assert not story.match.pending.held
    story.refuses(partial(play_held, player=ANN), "game_over")
    story.refuses(partial(undo, player=ANN), "game_over")
    assert sound(story)


def test_who_resigns_plays_the_held_move_no_more() -> None:
    story = started(ANN, BOB, CLEO)
    hold(story, ANN, "place e1")
    story.when(partial(resign, player=ANN))
    assert not story.match.pending.held
    assert story.match.course.ply == 0
    assert sound(story)


def test_somebody_leaves_and_a_move_that_is_still_legal_stays_held() -> None:
    story = started(ANN, BOB, CLEO)
    hold(story, ANN, "place e1")
    assert names(story.when(partial(resign, player=BOB))) == ["SeatResigned"]
    story.when(partial(play_held, player=ANN))
    assert story.match.course.ply == 1
    assert sound(story)


@pytest.mark.usefixtures("tiny")
def test_somebody_leaves_and_a_move_that_is_impossible_now_is_withdrawn() -> None:
    story = begun(Story(), challenge(ANN, BOB, CLEO, ruleset="tiny-1"))
    hold(story, ANN, "crowd")
    before = story.match
    events = story.when(partial(resign, player=BOB))
    assert names(events) == ["SeatResigned", "MoveWithdrawn"]
    owed = react(events, before, story.match)
    assert ("ann", "OrderRefused") in [(player, type(notice).__name__) for player, notice in owed]
    assert sound(story)


# --- draws and offers ----------------------------------------------------------------------------


@pytest.mark.usefixtures("tiny")
def test_nothing_is_drawn_before_the_move_goes_out_and_the_draw_is_bound_as_ever() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="tiny-1"))
    story.play("go")
    hold(story, BOB, "roll")
    assert not story.match.chance.draws
    assert names(story.when(partial(play_held, player=BOB)))[:2] == ["MovePlayed", "ChanceDrawn"]
    assert sound(story)


@pytest.mark.usefixtures("tiny")
def test_an_offer_beside_a_held_move_goes_out_with_it() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="tiny-1"))
    hold(story, ANN, "go")
    sealed = seal(story, HeldText("go", "go", draw=True))
    story.when(partial(add_to_held, player=ANN, sealed=sealed))
    assert not story.match.pending.offered
    assert names(story.when(partial(play_held, player=ANN))) == ["MovePlayed", "DrawOffered"]
    assert story.match.pending.offered == (Seat(1),)
    assert sound(story)


@pytest.mark.usefixtures("tiny")
def test_an_offer_that_has_become_impossible_does_not_hold_up_the_move() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="tiny-1"))
    hold(story, ANN, "go")
    sealed = seal(story, HeldText("go", "go", draw=True))
    story.when(partial(add_to_held, player=ANN, sealed=sealed))
    story.when(partial(offer_draw, player=BOB))
    assert names(story.when(partial(play_held, player=ANN))) == ["MovePlayed"]
    assert sound(story)


def test_a_game_without_draws_refuses_the_offer_at_once() -> None:
    story = logger()
    hold(story, ANN, TURN)
    sealed = seal(story, HeldText(TURN, TURN, draw=True))
    story.refuses(partial(add_to_held, player=ANN, sealed=sealed), "no_draw_offers")


# --- who is told ---------------------------------------------------------------------------------


def test_the_receipt_of_a_held_move_goes_to_its_player_alone() -> None:
    story = logger()
    sealed = seal(story, HeldText(TURN, TURN))
    held = partial(window.hold, player=ANN, text=TURN, sealed=sealed, until=NOW + WINDOW)
    assert told(story, held) == [("ann", "MoveKept")]
    assert told(story, partial(say, player=BOB, text=Digest("0" * 64))) == [
        ("ann", "MessageReceived")
    ]
    assert told(story, partial(play_held, player=ANN)) == [("bob", "TurnPrompt")]


def test_an_undo_is_told_to_its_player_alone() -> None:
    story = logger()
    hold(story, ANN, TURN)
    assert told(story, partial(undo, player=ANN)) == [("ann", "MoveReturned")]


@pytest.mark.usefixtures("tiny")
def test_the_player_hears_of_it_again_when_it_is_the_same_players_turn() -> None:
    story = begun(Story(), challenge(ANN, BOB, ruleset="tiny-1"))
    hold(story, ANN, "run 3")
    news = told(story, partial(play_held, player=ANN))
    assert {reader for reader, kind in news if kind == "TurnPrompt"} == {
        str(story.match.player_at(story.match.to_act[0]))
    }
    assert "MoveReceipt" not in [kind for _, kind in news]


# --- tampering -----------------------------------------------------------------------------------


def test_a_log_that_plays_another_move_than_the_held_one_is_found_out() -> None:
    story = logger()
    hold(story, ANN, TURN)
    story.when(partial(play_held, player=ANN))
    *rest, last = story.stream
    assert isinstance(last.event, MovePlayed)
    other = MovePlayed(seat=Seat(1), ply=last.event.ply, notation="e2; plant e3", typed="e2 +e3")
    found = verify(MATCH, [*rest, Caused(event=other, cause=last.cause)], story.match.secrets)
    assert [words for words in found.findings if "is not the move that was held" in words]


def test_a_withdrawal_of_nothing_is_found_out() -> None:
    story = logger()
    false = MoveWithdrawn(
        seat=Seat(1), ply=story.match.course.ply, move=Digest("0" * 64), reason="undone"
    )
    found = verify(MATCH, [*story.stream, Caused(event=false, cause="99")], story.match.secrets)
    assert [words for words in found.findings if "did not hold" in words]


# --- any order -----------------------------------------------------------------------------------

ACTS: Final = ("hold go", "hold roll", "undo", "now", "timer", "resign", "offer", "play go")


@settings(max_examples=80, deadline=None)
@given(
    st.integers(2, 4),
    st.lists(st.tuples(st.sampled_from((ANN, BOB, CLEO)), st.sampled_from(ACTS)), max_size=25),
)
def test_any_order_keeps_the_log_sound_and_plays_each_held_move_once(
    seats: int, acts: list[tuple[PlayerId, str]]
) -> None:
    with tiny.registered():
        players = (ANN, BOB, CLEO, PlayerId("dan"))[:seats]
        story = begun(Story(), challenge(*players, ruleset="tiny-1"))
        numbers = count()
        for player, act in acts:
            try:
                _act(story, player, act, next(numbers))
            except Rejection:
                continue
        again = replay(MATCH, story.events, story.match.secrets)
        assert again == story.match
        assert sound(story)
        _each_once(story.events)


def _act(story: Story, player: PlayerId, act: str, number: int) -> None:
    verb, _, move = act.partition(" ")
    match verb:
        case "hold":
            sealed = seal(story, HeldText(move, f"{move}{' ' * number}"))
            story.when(
                partial(window.hold, player=player, text=move, sealed=sealed, until=NOW + WINDOW)
            )
        case "undo":
            story.when(partial(undo, player=player))
        case "now":
            story.when(partial(play_held, player=player))
        case "timer":
            story.when(partial(play_held, player=player, version=story.match.version))
        case "resign":
            story.when(partial(resign, player=player))
        case "offer":
            story.when(partial(offer_draw, player=player))
        case _:
            story.when(partial(decide.play, player=player, text=move))


def _each_once(events: list[Event]) -> None:
    """Between two holdings of a seat there is one end of the first, and never a second play."""
    open_moves: dict[Seat, int] = {}
    plies: list[int] = []
    for event in events:
        match event:
            case MoveHeld(seat=seat):
                assert seat not in open_moves
                open_moves[seat] = event.ply
            case MoveWithdrawn(seat=seat):
                del open_moves[seat]
            case MovePlayed(seat=seat):
                open_moves.pop(seat, None)
                plies.append(event.ply)
            case _:
                pass
    assert plies == list(range(1, len(plies) + 1))
