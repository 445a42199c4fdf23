"""Vacated seats (PLAY 3): the match waits, the others agree on somebody, or the seat leaves."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.matches.commands import (
    AnswerTakeover,
    Command,
    LeaveVacant,
    Play,
    PlayHeld,
    ProposeTakeover,
    Resign,
    Say,
    Undo,
    WaiveTakeover,
)
from pbem.matches.match import Status, replay
from pbem.matches.seat_events import SeatTakenOver, SeatVacated
from pbem.matches.verify import Caused, verify
from pbem.names import Digest, PlayerId, bot_id
from pbem.notices.reactions.react import react
from tests.matches import tiny
from tests.matches.second_thoughts.test_correction_window import hold
from tests.matches.story import (
    ANN,
    BOB,
    CLEO,
    DAN,
    MATCH,
    NOW,
    Story,
    begun,
    challenge,
    names,
    started,
)

UNTIL: Final = NOW + timedelta(hours=48)
ROBOT: Final = bot_id("random", 1)


def three() -> Story:
    story = started(ANN, BOB, CLEO)
    story.play("e1", "a5", "e5")
    return story


def resign(player: PlayerId) -> Resign:
    return Resign(player=player, vacate_until=UNTIL)


def propose(player: PlayerId, newcomer: PlayerId) -> ProposeTakeover:
    return ProposeTakeover(player=player, newcomer=newcomer)


def answer(player: PlayerId, *, accept: bool = True) -> AnswerTakeover:
    return AnswerTakeover(player=player, accept=accept)


def told(story: Story, command: Command) -> list[tuple[str, str]]:
    before = story.match
    events = story.when(command)
    return [(str(player), type(n).__name__) for player, n in react(events, before, story.match)]


def sound(story: Story) -> bool:
    return verify(MATCH, story.stream, story.match.secrets).findings == ()


def test_a_seat_of_three_is_vacated_and_the_match_waits() -> None:
    story = three()
    assert names(story.when(resign(BOB))) == ["SeatVacated"]
    assert story.match.status is Status.RUNNING
    assert (story.match.to_act, story.match.on_turn) == ((), (Seat(1),))
    story.refuses(Play(player=ANN, text="e3 plant d3"), "not_your_turn", seats=[])
    story.refuses(Play(player=BOB, text="a3 plant b3"), "seat_left")
    story.refuses(Undo(player=ANN), "match_waits")
    story.when(Say(player=ANN, text=Digest("0" * 64)))
    assert sound(story)


def test_with_two_seats_or_two_who_play_on_the_rulebook_applies_at_once() -> None:
    two = started(ANN, BOB)
    assert names(two.when(resign(BOB))) == ["SeatResigned", "MatchEnded"]
    story = three()
    story.when(Resign(player=CLEO))
    assert names(story.when(resign(BOB)))[0] == "SeatResigned"
    assert story.match.status is Status.ENDED


def test_the_others_agree_on_a_person_who_then_takes_the_seat() -> None:
    story = three()
    before = story.match
    story.when(resign(BOB))
    assert names(story.when(propose(ANN, DAN))) == ["TakeoverProposed"]
    story.refuses(answer(DAN), "no_takeover")
    assert names(story.when(answer(CLEO))) == ["TakeoverAgreed"]
    assert names(story.when(answer(DAN))) == ["SeatTakenOver"]
    match = story.match
    assert match.players == (ANN, DAN, CLEO)
    assert match.entrants == (*before.entrants, DAN)
    assert (match.position, match.to_act) == (before.position, (Seat(1),))
    story.refuses(Play(player=BOB, text="a3 plant b3"), "not_seated")
    story.play("e3 plant d3", "a3 plant b3")
    assert story.match.steps[-1].seat == Seat(2)
    assert sound(story)


def test_a_bot_sits_down_as_soon_as_all_agree() -> None:
    story = three()
    story.when(resign(BOB))
    story.when(propose(CLEO, ROBOT))
    assert names(story.when(answer(ANN))) == ["TakeoverAgreed", "SeatTakenOver"]
    assert story.match.player_at(Seat(2)) == ROBOT
    assert sound(story)


@pytest.mark.parametrize("who", [CLEO, DAN])
def test_whoever_declines_another_may_be_proposed(who: PlayerId) -> None:
    story = three()
    story.when(resign(BOB))
    story.when(propose(ANN, DAN))
    story.refuses(propose(CLEO, ROBOT), "takeover_proposed")
    if who == DAN:
        story.when(answer(CLEO))
    assert names(story.when(answer(who, accept=False))) == ["TakeoverDeclined"]
    story.refuses(answer(CLEO), "no_takeover")
    story.when(propose(CLEO, ROBOT))
    story.when(answer(ANN))
    assert not story.match.vacant
    assert sound(story)


def test_when_all_want_nobody_the_seat_leaves_at_once() -> None:
    story = three()
    story.when(resign(BOB))
    assert names(story.when(WaiveTakeover(player=ANN))) == ["TakeoverWaived"]
    story.refuses(WaiveTakeover(player=ANN), "takeover_waived")
    assert names(story.when(WaiveTakeover(player=CLEO))) == ["TakeoverWaived", "SeatResigned"]
    assert story.match.left == (Seat(2),)
    assert story.match.to_act
    assert sound(story)


def test_when_the_time_is_over_the_seat_leaves() -> None:
    story = three()
    story.when(resign(BOB))
    story.refuses(LeaveVacant(seat=Seat(2)), "no_vacancy")
    story.now = UNTIL
    assert names(story.when(LeaveVacant(seat=Seat(2)))) == ["SeatResigned"]
    story.refuses(LeaveVacant(seat=Seat(2)), "no_vacancy")
    assert sound(story)


def test_another_leaves_meanwhile_and_with_too_few_all_vacated_seats_leave() -> None:
    story = three()
    story.when(resign(BOB))
    happened = names(story.when(resign(CLEO)))
    assert happened == ["SeatResigned", "SeatResigned", "MatchEnded"]
    assert sound(story)


def test_nobody_is_proposed_who_sits_there_and_nobody_where_no_seat_waits() -> None:
    story = three()
    story.refuses(propose(ANN, DAN), "no_vacancy")
    story.when(resign(BOB))
    story.refuses(propose(ANN, CLEO), "player_twice")
    story.refuses(propose(ANN, BOB), "player_twice")
    story.refuses(propose(BOB, DAN), "seat_left")
    story.refuses(propose(DAN, DAN), "not_seated")


def test_a_move_that_is_held_still_goes_out_and_nobody_is_asked_for_the_next() -> None:
    story = three()
    hold(story, ANN, "e3; plant d3")
    story.when(resign(BOB))
    assert story.match.held
    story.when(PlayHeld(player=ANN))
    assert (story.match.ply, story.match.to_act, story.match.on_turn) == (4, (), (Seat(2),))
    assert sound(story)


def test_who_plays_on_hears_of_it_and_whoever_is_to_move_is_asked_again() -> None:
    story = three()
    assert told(story, resign(BOB)) == [("ann", "SeatOpened"), ("cleo", "SeatOpened")]
    assert told(story, propose(CLEO, DAN)) == [("ann", "TakeoverWanted")]
    assert told(story, answer(ANN)) == [("dan", "TakeoverOffered")]
    assert told(story, answer(DAN)) == [
        ("ann", "TurnPrompt"),
        ("ann", "SeatFilled"),
        ("dan", "SeatFilled"),
        ("cleo", "SeatFilled"),
    ]


@pytest.mark.parametrize("settled", ["late", "waived", "over"])
def test_who_was_asked_to_the_table_hears_when_it_is_settled(settled: str) -> None:
    story = three()
    for command in (resign(BOB), propose(CLEO, DAN)):
        story.when(command)
    if settled == "waived":  # before all have agreed nobody else was asked
        assert "dan" not in dict(told(story, WaiveTakeover(player=ANN)))
        return
    story.when(answer(ANN))
    if settled == "late":
        story.now = UNTIL
        closed = told(story, LeaveVacant(seat=Seat(2)))
    else:
        closed = told(story, resign(CLEO))
    assert ("dan", "TakeoverClosed") in closed


def test_a_seat_that_somebody_took_uninvited_is_found_out() -> None:
    story = three()
    false = SeatTakenOver(seat=Seat(2), player=DAN)
    found = verify(MATCH, [*story.stream, Caused(event=false, cause="99")])
    assert found.findings
    early = SeatVacated(seat=Seat(2), ply=story.match.ply, until=UNTIL, reason="resigned")
    stream = [Caused(event=early, cause="98"), Caused(event=false, cause="99")]
    found = verify(MATCH, [*story.stream, *stream])
    assert [words for words in found.findings if "SeatTakenOver" in words]


ACTS: Final = ("go", "go", "roll", "resign", "bot", "dan", "yes", "yes", "no", "none", "late")


@settings(max_examples=80, deadline=None)
@given(
    st.integers(3, 4),
    st.lists(st.tuples(st.sampled_from((ANN, BOB, CLEO, DAN)), st.sampled_from(ACTS)), max_size=30),
)
def test_any_order_keeps_the_log_sound(seats: int, acts: list[tuple[PlayerId, str]]) -> None:
    with tiny.registered():
        eve = PlayerId("eve")
        players = (ANN, BOB, CLEO, eve)[:seats]
        story = begun(Story(), challenge(*players, ruleset="tiny-1"))
        for player, act in acts:
            if act == "late":
                story.now += timedelta(hours=40)
            try:
                story.when(_command(story, player, act))
            except Rejection:
                continue
        assert replay(MATCH, story.events, story.match.secrets) == story.match
        assert sound(story)


def _command(story: Story, player: PlayerId, act: str) -> Command:
    match act:
        case "resign":
            return Resign(player=player, vacate_until=story.now + timedelta(hours=48))
        case "bot" | "dan":
            return propose(player, ROBOT if act == "bot" else DAN)
        case "yes" | "no":
            return answer(player, accept=act == "yes")
        case "none":
            return WaiveTakeover(player=player)
        case "late":
            return LeaveVacant(seat=next(iter(story.match.vacant), Seat(1)))
        case _:
            return Play(player=player, text=act)
