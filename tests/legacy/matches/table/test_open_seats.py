"""Seats that anybody may take: who joins, who leaves, when the match starts."""

from __future__ import annotations

from functools import partial

import pytest

from pbem.legacy.matches.challenges import ChallengeClosed, expire
from pbem.legacy.matches.events import MatchStarted
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.seats import SeatGivenUp, SeatTaken, accept, decline, join
from pbem.legacy.matches.verify import Caused, verify
from pbem.names import PlayerId
from tests.legacy.matches.story import ANN, BOB, CLEO, DAN, MATCH, Story, challenge, names


def opened(*players: PlayerId, seats: int = 1, **options: str) -> Story:
    """A challenge with open seats."""
    story = Story()
    story.when(partial(challenge(*players, **options), open_seats=seats))
    return story


def test_who_joins_last_starts_the_match_and_sits_after_the_others() -> None:
    story = opened(ANN, BOB, seats=1, seat_order="given")
    assert names(story.when(partial(join, player=CLEO, words="hello"))) == ["SeatTaken"]
    assert story.match.waiting_for == (BOB,)
    _, began = story.when(partial(accept, player=BOB))
    assert isinstance(began, MatchStarted)
    assert began.players == (ANN, BOB, CLEO)
    assert story.match.table.entrants == (ANN, BOB, CLEO)


def test_the_match_waits_for_all_seats_when_all_invited_have_accepted() -> None:
    story = opened(ANN, BOB, seats=2)
    story.when(partial(accept, player=BOB))
    story.when(partial(join, player=CLEO))
    assert story.match.status is Status.CHALLENGE
    assert "MatchStarted" in names(story.when(partial(join, player=DAN)))


def test_the_seats_are_drawn_from_the_words_of_all_who_joined() -> None:
    story = opened(ANN, seats=2)
    story.when(partial(join, player=CLEO, words="one"))
    story.when(partial(join, player=BOB, words="two"))
    assert sorted(story.match.table.players) == sorted((ANN, BOB, CLEO))
    found = verify(MATCH, story.stream)
    assert found.findings == ()


def test_who_is_invited_may_join_as_well_and_nobody_joins_twice() -> None:
    story = opened(ANN, BOB, seats=1)
    story.when(partial(join, player=BOB))
    assert story.match.table.open_seats == 1
    story.refuses(partial(join, player=BOB), "already_accepted")
    story.refuses(partial(join, player=ANN), "already_accepted")


def test_there_is_no_seat_once_the_match_has_begun_or_is_off() -> None:
    story = opened(ANN, seats=1)
    story.when(partial(join, player=BOB))
    story.refuses(partial(join, player=CLEO), "no_open_seat", match=MATCH)
    over = opened(ANN, seats=1)
    over.when(partial(decline, player=ANN))
    over.refuses(partial(join, player=CLEO), "no_open_seat")
    asked = Story()
    asked.when(challenge(ANN, BOB))
    asked.refuses(partial(join, player=CLEO), "no_open_seat")


def test_a_seat_that_is_left_again_is_open_and_the_number_stays() -> None:
    story = opened(ANN, seats=2)
    story.when(partial(join, player=BOB))
    assert story.when(partial(decline, player=BOB)) == [SeatGivenUp(player=BOB)]
    assert story.match.table.open_seats == 2
    assert story.match.table.players == (ANN,)
    story.when(partial(join, player=CLEO))
    story.when(partial(join, player=BOB))
    assert story.match.status is Status.RUNNING
    assert story.match.table.entrants == (ANN, BOB, CLEO)
    assert verify(MATCH, story.stream).findings == ()


@pytest.mark.parametrize("seats", [0, 1])
def test_a_challenge_that_waits_too_long_is_closed(seats: int) -> None:
    story = opened(ANN, BOB, seats=seats)
    assert story.when(partial(expire)) == [ChallengeClosed(reason="expired")]
    story.refuses(partial(accept, player=BOB), "challenge_off")
    story.refuses(partial(expire), "challenge_off")


def test_a_match_that_runs_does_not_expire() -> None:
    story = opened(ANN, seats=1)
    story.when(partial(join, player=BOB))
    story.refuses(partial(expire), "match_has_started")


@pytest.mark.parametrize("seats", [0, 4])
def test_open_seats_count_as_players(seats: int) -> None:
    Story().refuses(partial(challenge(ANN), open_seats=seats), "wrong_number_of_players")


@pytest.mark.parametrize(
    ("player", "finding"),
    [
        (ANN, "a seat was given up by somebody who had taken none"),
        (DAN, "a seat was given up by somebody who had taken none"),
    ],
)
def test_verification_finds_a_seat_that_nobody_gave_up(player: PlayerId, finding: str) -> None:
    story = opened(ANN, seats=2)
    story.when(partial(join, player=BOB))
    forged = [*story.stream, Caused(event=SeatGivenUp(player=player), cause="9")]
    assert any(finding in words for words in verify(MATCH, forged).findings)


def test_verification_finds_somebody_who_joined_where_no_seat_was_open() -> None:
    story = Story()
    story.when(challenge(ANN, BOB))
    forged = [*story.stream, Caused(event=SeatTaken(player=CLEO), cause="9")]
    assert verify(MATCH, forged).findings != ()
