"""What is told of a match that was looked at: how it ended, who led, what points are, and why."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.bots.analysis import Analysis, Decided, Piece, Side, Turn, can_analyse
from pbem.bots.leading import ALL
from pbem.bots.reasons import Reason
from pbem.games import GAMES
from pbem.games.game import Outcome, Seat
from pbem.matches.match import Match
from pbem.names import PlayerId
from pbem.notices.rendering.environment import environment
from pbem.notices.rendering.render import Renderer
from pbem.notices.views.view import build
from tests.notices.game_mails import ANALYSIS, GIVEN_UP, SHOWN, WINNER, about_of
from tests.notices.scenes import begun, played

THREE = played(begun(players=(PlayerId("P1"), PlayerId("P2"), PlayerId("P3"))), "e1", "a5", "a1")
ENDED = THREE.course.ply


def told(match: Match, analysis: Analysis, outcome: Outcome) -> str:
    """The mail about a match that ended so."""
    over = replace(match, course=replace(match.course, outcome=outcome))
    about = replace(about_of(over), analyses={over.id: analysis})
    reader = replace(WINNER, player=over.table.players[0])
    notice = replace(SHOWN, match=over.id)
    return " ".join(Renderer().render(build((notice,), reader, about)).text.split())


def of_leads(*leads: tuple[int, ...], sure: tuple[int, ...] = ()) -> Analysis:
    pieces = tuple(Piece(at=at, ply=at, leads=one, sure=sure) for at, one in enumerate(leads, 1))
    return Analysis(pieces=pieces, leads=leads, turns=(), most=1001)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome((1, 2), "resigned"), "Ann has won"),
        (Outcome((2, 1), "adjudicated"), "Bob has won, as the operator has decided"),
        (Outcome((1, 1), "agreement"), "it is a draw"),
        (Outcome((1, 1), "voided"), "the operator has ended the match without a result"),
    ],
)
def test_the_end_is_as_it_was_and_not_as_the_board_looks(outcome: Outcome, said: str) -> None:
    text = told(GIVEN_UP, ANALYSIS, outcome)
    assert f"at the end, after move {GIVEN_UP.course.ply}: {said}" in text
    assert text.count("at the end") == 1


def test_who_shares_the_first_place_of_three_has_not_drawn_with_the_third() -> None:
    text = told(THREE, of_leads((0, 0, -900)), Outcome((1, 1, 3), "stash"))
    assert "after move 1: Ann and Bob share the first place" in text
    assert "nobody is ahead" not in text


@pytest.mark.parametrize(
    ("leads", "said"),
    [
        ((10, -10, -200), "Ann and Bob lead together"),
        ((10, -10, -20), "nobody is ahead"),
        ((200, -200, -210), "Ann leads by 2.0"),
        ((-1500, 1500, -1510), "Bob leads by 15 "),
    ],
)
def test_who_is_in_front_of_all_others_leads(leads: tuple[int, ...], said: str) -> None:
    end = (900, -900, -900)
    text = told(THREE, of_leads(leads, end), Outcome((1, 2, 2), "points"))
    assert f"after move 1: {said}" in text


def test_only_who_wins_in_all_cases_is_said_to_win() -> None:
    for sure, wins in ((ALL, True), (ALL - 1, False)):
        analysis = of_leads((1001, -1001), (1001, -1001), sure=(sure, -sure))
        text = told(GIVEN_UP, analysis, Outcome((1, 2), "points"))
        assert ("Ann is winning, as far as the program sees" in text) == wins


# --- turns ---------------------------------------------------------------------------------------

FIRST = next(one.turn for one in ANALYSIS.turns)


def of_turn(lost: int = 200, *, chances: bool = False, **changes: Any) -> str:
    turn = replace(FIRST, reasons=(), later=(), **changes)
    analysis = replace(ANALYSIS, turns=(Decided(turn=turn, lost=lost, chances=chances),))
    return told(GIVEN_UP, analysis, Outcome((1, 2), "resigned"))


def side_of(one: Side, **changes: Any) -> Side:
    return replace(one, **changes)


@pytest.mark.parametrize(
    ("better", "played_sure", "said"),
    [
        (ALL, 0, "the better move wins, and the one that was played does not yet"),
        (ALL, -ALL, "the better move wins, and the one that was played loses"),
        (0, -ALL, "the move that was played loses, and the better one does not"),
        (750, 250, "the better move wins in about 75 of 100 cases, and the one that was played in"),
        (-125, -375, "the move that was played loses in about 37 of 100 cases, and the better"),
        (
            500,
            -500,
            "the better move wins in about 50 of 100 cases, but the one that was played loses",
        ),
    ],
)
def test_chances_are_told_as_far_as_they_were_seen(
    better: int, played_sure: int, said: str
) -> None:
    text = of_turn(
        chances=True,
        better=side_of(FIRST.better, sure=better),
        played=side_of(FIRST.played, sure=played_sure),
    )
    assert "it cost chances to win" in text
    assert f"As far as the program sees, {said}" in text


def test_a_share_of_the_first_place_is_no_win() -> None:
    for ends, said in (
        ({"won": True}, "The better move would have won at once."),
        ({"shared": True}, "ended the match at once, with a share of the first place."),
    ):
        text = of_turn(better=side_of(FIRST.better, ends=True, replies=(), **ends))
        assert said in text
        assert "turns that follow" not in text


def test_what_is_no_better_at_once_is_said_to_cost() -> None:
    assert "the board shows nothing that is clearly better" in of_turn()
    turn = replace(FIRST, later=(), reasons=(Reason("points", Seat(1), 1, 0, -100),))
    analysis = replace(ANALYSIS, turns=(Decided(turn=turn, lost=200),))
    text = told(GIVEN_UP, analysis, Outcome((1, 2), "resigned"))
    assert "compared with what was played, it only costs: you have 0 points instead of 1" in text
    assert "better for you" not in text


@pytest.mark.parametrize("answered", [True, False])
def test_the_answer_that_wins_is_told_once(*, answered: bool) -> None:
    replies = ((Seat(2), "a4; chop a5"),)
    was = side_of(FIRST.played, sure=-ALL, replies=replies)
    better = side_of(FIRST.better, sure=0, replies=((Seat(2), "stay; plant a3"),))
    later = (Reason("points", Seat(1), 0, 1, 100),) if answered else ()
    turn: Turn = replace(FIRST, better=better, played=was, later=later, reasons=())
    analysis = replace(ANALYSIS, turns=(Decided(turn=turn, lost=200, chances=True),))
    text = told(GIVEN_UP, analysis, Outcome((1, 2), "resigned"))
    assert text.count('Bob "a4; chop a5"') == 1
    assert ("The answer to the one that was played" in text) != answered


def test_the_same_answers_are_told_once() -> None:
    replies = ((Seat(2), "a4; chop a5"),)
    better, was = (side_of(one, replies=replies) for one in (FIRST.better, FIRST.played))
    later = (Reason("points", Seat(1), 0, 1, 100),)
    turn: Turn = replace(FIRST, better=better, played=was, later=later)
    analysis = replace(ANALYSIS, turns=(Decided(turn=turn, lost=200),))
    text = told(GIVEN_UP, analysis, Outcome((1, 2), "resigned"))
    assert text.count('Bob "a4; chop a5"') == 1
    assert "Best against both, at first sight" in text


@pytest.mark.parametrize("lang", ["en", "de"])
def test_each_game_says_what_its_points_are(lang: str) -> None:
    keys = {game.key for game in GAMES.values() if can_analyse(game)}
    words = {environment(lang=lang).member("analysis", "reckoned", game=key) for key in keys}
    assert len(words) == len(keys)
    assert all(len(one.split(".")) > 2 for one in words)


def test_many_points_have_no_tenths() -> None:
    one = SimpleNamespace(ply=3, names=("Ann",), luck=1249)
    said = environment().member("analysis", "lucky", one=one)
    assert "+12 against" in said
    one.luck = 249
    assert "+2.5 against" in environment().member("analysis", "lucky", one=one)
