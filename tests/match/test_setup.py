"""Challenges with open seats, colours, bots; rematches and pairings."""

from __future__ import annotations

import pytest

from pbem.games import GAMES
from pbem.match.automatic import commit_draws
from pbem.match.endings import resign
from pbem.match.events import ChallengeIssued, ChanceDrawn, MatchStarted
from pbem.match.setup import (
    Proposal,
    decline_invitation,
    issue_challenge,
    join_match,
    propose_rematch,
)
from pbem.match.verify import verify_match
from pbem.names import PlayerId
from tests.match.test_match import (
    ANN,
    BOB,
    CLEO,
    CODE,
    NOON,
    SECRET,
    Table,
    changed,
    code_of,
    events_of,
    running,
)

DORA = PlayerId("dora")


def join(table: Table, player: PlayerId, colour: str | None = None) -> None:
    table.execute(join_match(table.match, player, message_hash="", now=NOON, colour=colour))


def leave(table: Table, player: PlayerId) -> None:
    table.execute(decline_invitation(table.match, player, now=NOON))


# --- open seats ----------------------------------------------------------------------------------


def test_a_player_can_come_back_to_an_open_seat() -> None:
    table = Table(seats="3")
    join(table, BOB)
    leave(table, BOB)
    join(table, BOB)
    assert table.match.joined == (BOB,)
    assert table.match.entrants == (ANN, BOB)


def test_invitations_and_open_seats_go_together() -> None:
    table = Table(BOB, seats="3", starter="given")
    assert (table.match.seats, table.match.open_seats) == (3, 1)
    join(table, CLEO)
    join(table, BOB)  # an invited player takes their own seat
    assert table.match.players == (ANN, BOB, CLEO)


def test_a_link_lists_no_seat() -> None:
    proposal = Proposal(game=GAMES["logger-1"], opponents=[], options={}, has_link=True)
    [issued] = issue_challenge(proposal, ANN, commit_draws(SECRET), NOON)
    assert isinstance(issued, ChallengeIssued)
    assert (issued.open_seats, issued.is_listed) == (1, False)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"seats": "5"}, "bad_option"),
        ({"seats": "many"}, "bad_option"),
        ({"private": "perhaps"}, "bad_option"),
        ({"colour": "red"}, "no_colours"),
    ],
)
def test_a_bad_option_of_open_seats_is_refused(options: dict[str, str], code: str) -> None:
    assert code_of(Table, **options) == code


@pytest.mark.parametrize(
    ("opponents", "options"), [([BOB, CLEO, DORA], {}), ([BOB, CLEO], {"seats": "2"})]
)
def test_invited_players_leave_no_seat_open(
    opponents: list[PlayerId], options: dict[str, str]
) -> None:
    proposal = Proposal(
        game=GAMES["logger-1"], opponents=opponents, options=options, has_open_seats=True
    )
    [issued] = issue_challenge(proposal, ANN, commit_draws(SECRET), NOON)
    assert isinstance(issued, ChallengeIssued)
    assert issued.open_seats == 0


@pytest.mark.parametrize("option", ["private", "unrated"])
def test_private_and_unrated_matches_change_no_rating(option: str) -> None:
    assert not Table(BOB, **{option: "yes"}).match.terms.is_rated


# --- colours -------------------------------------------------------------------------------------


def test_seats_have_the_colours_that_their_players_chose() -> None:
    table = Table(BOB, CLEO, ruleset="landrush-1", colour="black")
    table.accept(BOB, colour="Red")
    table.accept(CLEO)
    choice = table.match.game.colours
    assert choice is not None
    letters = table.match.options["colours"]
    by_letter = dict(zip(choice.default, choice.names, strict=True))
    names = [by_letter[letter].casefold() for letter in letters[:3]]
    chosen = dict(zip(table.match.players, names, strict=True))
    assert (chosen[ANN], chosen[BOB]) == ("black", "red")
    assert verify_match(CODE, table.log) == []
    others = {**table.match.options, "colours": choice.default}
    assert verify_match(CODE, changed(table, MatchStarted, options=others)) != []


@pytest.mark.parametrize("ruleset", ["landrush-1", "looney_ludo-1"])
@pytest.mark.parametrize("typed", ["blue", "B", "blau"])
def test_a_colour_can_be_chosen_in_words_of_the_game(ruleset: str, typed: str) -> None:
    table = Table(BOB, ruleset=ruleset, colour=typed)
    assert table.match.colours == {ANN: "Blue"}


@pytest.mark.parametrize(
    ("colour", "code"),
    [("black", "colour_taken"), ("schwarz", "colour_taken"), ("mauve", "no_such_colour")],
)
def test_a_colour_that_cannot_be_had_is_refused(colour: str, code: str) -> None:
    table = Table(BOB, ruleset="landrush-1", colour="black")
    assert code_of(table.accept, BOB, colour=colour) == code


# --- bots, rematches, pairings -------------------------------------------------------------------


def rematch(table: Table, player: PlayerId) -> Table:
    events = propose_rematch(table.match, player, commit_draws(SECRET), NOON)
    again = Table(BOB)
    again.begin(events)
    return again


@pytest.mark.parametrize("challenger", [ANN, BOB, CLEO])
def test_in_a_rematch_the_second_seat_comes_first(challenger: PlayerId) -> None:
    table = running(BOB, CLEO)
    assert code_of(rematch, table, ANN) == "match_not_over"
    for player in (ANN, BOB):
        table.execute(resign(table.match, player, NOON))
    again = rematch(table, challenger)
    assert again.match.terms.rematch_of == CODE
    for player in again.match.waiting_for:
        again.accept(player)
    assert again.match.players == (BOB, CLEO, ANN)
    assert events_of(again, ChanceDrawn) == []
    assert code_of(rematch, table, DORA) == "no_seat"
    assert verify_match(CODE, again.log) == []


def test_a_rematch_is_as_private_as_its_match() -> None:
    table = running(private="yes")
    table.execute(resign(table.match, ANN, NOON))
    assert rematch(table, ANN).match.terms.is_private


def test_a_challenge_has_no_rematch() -> None:
    table = Table(BOB)
    assert code_of(rematch, table, ANN) == "not_started"
    leave(table, BOB)
    assert code_of(rematch, table, ANN) == "challenge_closed"
