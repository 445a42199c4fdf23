"""What a match does with commands, as stories."""

from __future__ import annotations

from functools import partial

import pytest

from pbem.games.game import Ply, Seat
from pbem.legacy.matches.agreements import offer_draw
from pbem.legacy.matches.challenges import ChallengeClosed, ChallengeIssued
from pbem.legacy.matches.decide import go_on, play
from pbem.legacy.matches.events import ChanceDrawn, MatchEnded, MatchStarted, MovePlayed, SeatResigned
from pbem.legacy.matches.match import Match, Status, StepKind
from pbem.legacy.matches.replay import replay
from pbem.legacy.matches.resigning import resign
from pbem.legacy.matches.seats import InvitationDeclined, SeatTaken, accept, decline
from pbem.legacy.matches.table import MessageSaid, say
from pbem.names import Digest
from tests.legacy.matches.story import ANN, BOB, CLEO, DAN, MATCH, Story, challenge, names, started


def test_a_challenge_names_all_options_and_its_commitment() -> None:
    story = Story()
    [issued] = story.when(challenge(ANN, BOB, tree_limit="20"))
    assert isinstance(issued, ChallengeIssued)
    assert issued.options == {"tree_limit": "20", "seat_order": "random", "forced_pass": "auto"}
    assert len(issued.commitment) == 64
    assert issued.seats_drawn
    assert story.match.waiting_for == (BOB,)


@pytest.mark.parametrize(
    ("players", "options", "code"),
    [
        ((ANN,), {}, "wrong_number_of_players"),
        ((ANN, BOB, CLEO, DAN, "eve"), {}, "wrong_number_of_players"),
        ((ANN, BOB, ANN), {}, "player_twice"),
        ((ANN, BOB), {"tree_limit": "7"}, "bad_option"),
        ((ANN, BOB), {"colour": "red"}, "bad_option"),
    ],
)
def test_a_challenge_that_cannot_be_played_is_refused(
    players: tuple[str, ...], options: dict[str, str], code: str
) -> None:
    Story().refuses(challenge(*players, **options), code)  # type: ignore[arg-type]


def test_the_match_starts_when_the_last_has_accepted_and_the_seats_are_drawn() -> None:
    story = Story()
    story.when(challenge(ANN, BOB, CLEO))
    assert names(story.when(partial(accept, player=CLEO, words="luck"))) == ["SeatTaken"]
    taken, drawn, began = story.when(partial(accept, player=BOB))
    assert isinstance(taken, SeatTaken)
    assert isinstance(drawn, ChanceDrawn)
    assert isinstance(began, MatchStarted)
    assert drawn.index == 1
    assert drawn.asked == "seats: order of 3"
    assert began.players == tuple((ANN, BOB, CLEO)[number] for number in drawn.values)
    assert story.match.status is Status.RUNNING
    assert story.match.to_act == (1,)


def test_the_same_letter_draws_the_same_and_other_words_may_draw_other_seats() -> None:
    orders = set()
    for words in ("", "", *"abcdefghijkl"):
        story = Story()
        story.when(challenge(ANN, BOB, CLEO, DAN))
        for player in (BOB, CLEO):
            story.when(partial(accept, player=player))
        drawn = story.when(partial(accept, player=DAN, words=words))[1]
        assert isinstance(drawn, ChanceDrawn)
        orders.add((words, drawn.values))
    assert len(orders) == 13
    assert len({values for _, values in orders}) > 1


def test_given_seats_are_not_drawn() -> None:
    story = Story()
    story.when(challenge(BOB, ANN, seat_order="given"))
    assert names(story.when(partial(accept, player=ANN))) == ["SeatTaken", "MatchStarted"]
    assert story.match.table.players == (BOB, ANN)


def test_declining_ends_the_challenge_and_the_challenger_may_withdraw() -> None:
    story = Story()
    story.when(challenge(ANN, BOB, CLEO))
    happened = story.when(partial(decline, player=BOB))
    assert happened == [InvitationDeclined(player=BOB), ChallengeClosed(reason="declined")]
    story.refuses(partial(accept, player=CLEO), "challenge_off")

    story = Story()
    story.when(challenge(ANN, BOB))
    assert story.when(partial(decline, player=ANN)) == [ChallengeClosed(reason="withdrawn")]


def test_acceptance_is_for_the_invited_and_once() -> None:
    story = Story()
    story.when(challenge(ANN, BOB, CLEO))
    story.refuses(partial(accept, player=DAN), "not_invited")
    story.when(partial(accept, player=BOB))
    story.refuses(partial(accept, player=BOB), "already_accepted")
    story.when(partial(accept, player=CLEO))
    story.refuses(partial(accept, player=CLEO), "match_has_started")
    story.refuses(partial(decline, player=BOB), "match_has_started")


def test_a_move_is_recorded_in_canonical_notation_with_what_was_typed() -> None:
    story = started(ANN, BOB)
    [played] = story.when(partial(play, player=ANN, text="E1."))
    assert played == MovePlayed(seat=Seat(1), ply=Ply(1), notation="place e1", typed="E1.")


def test_the_checks_of_every_game_come_in_one_order() -> None:
    # LG-8.2 to LG-8.5
    story = Story()
    story.refuses(partial(play, player=ANN, text="a1"), "match_not_started")
    story.when(challenge(ANN, BOB, CLEO, seat_order="given"))
    story.refuses(partial(play, player=ANN, text="a1"), "match_not_started")
    story.when(partial(accept, player=BOB))
    story.when(partial(accept, player=CLEO))
    story.refuses(partial(play, player=DAN, text="a1"), "not_seated")
    story.refuses(partial(play, player=BOB, text="a1"), "not_your_turn", seats=[1])
    story.play("a1")
    story.when(partial(resign, player=CLEO))
    story.refuses(partial(play, player=CLEO, text="a5"), "seat_left", ply=1)
    story.when(partial(resign, player=BOB))
    story.refuses(partial(play, player=ANN, text="a1"), "game_over")
    story.refuses(partial(play, player=DAN, text="a1"), "game_over")


def test_a_guarded_move_is_refused_when_it_is_for_another_ply() -> None:
    story = started(ANN, BOB)
    story.refuses(partial(play, player=ANN, text="a1", ply=Ply(2)), "stale_mail", meant=2, now=1)
    story.when(partial(play, player=ANN, text="a1", ply=Ply(1)))


def test_resigning_with_two_seats_ends_the_match() -> None:
    # LG-4.10
    story = started(ANN, BOB)
    resigned, ended = story.when(partial(resign, player=BOB))
    assert resigned == SeatResigned(seat=Seat(2), ply=Ply(0))
    assert isinstance(ended, MatchEnded)
    assert ended.placings == (1, 2)


def test_with_three_seats_the_others_play_on() -> None:
    # LG-4.11
    story = started(ANN, BOB, CLEO)
    story.play("a1")
    assert names(story.when(partial(resign, player=BOB))) == ["SeatResigned"]
    assert story.match.to_act == (3,)
    story.play("e5", "a2 plant b2")
    assert story.match.to_act == (3,)
    story.refuses(partial(resign, player=BOB), "seat_left")


def test_logger_has_no_draw_offers() -> None:
    # LG-8.12
    started(ANN, BOB).refuses(partial(offer_draw, player=ANN), "no_draw_offers")


def test_only_those_in_the_match_may_speak() -> None:
    story = started(ANN, BOB)
    text = Digest("0" * 64)
    assert story.when(partial(say, player=BOB, text=text)) == [MessageSaid(author=BOB, text=text)]
    story.refuses(partial(say, player=CLEO, text=text), "not_seated")


def test_nothing_forced_is_played_where_there_is_a_choice() -> None:
    assert started(ANN, BOB).when(partial(go_on)) == []


def test_replay_gives_the_same_match() -> None:
    story = started(ANN, BOB)
    story.play("e1", "a5", "e3; plant d3", "a3 plant b3", "stay c3>c4 chop d3")
    again = replay(MATCH, story.events)
    assert again == story.match
    assert again.version == len(story.events)
    assert [step.text for step in again.course.steps][-1] == "stay; c3>c4; chop d3"


def test_positions_of_the_past_are_kept() -> None:
    story = started(ANN, BOB)
    start = story.match.course.position
    story.play("e1", "a5")
    after = story.match.course.position
    story.play("e3; plant d3")
    assert story.match.position_after(Ply(0)) == start
    assert story.match.position_after(Ply(2)) == after
    assert story.match.position_after(Ply(3)) == story.match.course.position


def test_a_seat_that_left_is_a_step_of_its_own() -> None:
    story = started(ANN, BOB, CLEO)
    story.when(partial(resign, player=ANN))
    assert [step.kind for step in story.match.course.steps] == [StepKind.LEFT]
    assert isinstance(story.match, Match)
