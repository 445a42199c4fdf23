"""Draws by agreement, takebacks, standing orders, and what the operator does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pbem.games.game import Ply, Seat
from pbem.match.endings import answer_draw, offer_draw, resign
from pbem.match.events import (
    DrawAgreed,
    MatchAdjudicated,
    MatchEnded,
    MatchRolledBack,
    MatchVoided,
    MovePlayed,
    Source,
    StandingOrderGiven,
    TakebackRequested,
)
from pbem.match.operator_actions import adjudicate, reassign_seat, roll_back, void_match
from pbem.match.play import give_standing_order
from pbem.match.state import Status
from pbem.match.takeback import answer_takeback, request_takeback
from pbem.match.verify import verify_match
from pbem.names import PlayerId
from tests.match.test_match import (
    ANN,
    BOB,
    CLEO,
    CODE,
    NOON,
    Table,
    changed,
    code_of,
    events_of,
    running,
)
from tests.match.test_secrets import play_ludo


def stones(**options: str) -> Table:
    return running(ruleset="logan_stones-1", **options)


def three() -> Table:
    return running(BOB, CLEO, ruleset="looney_ludo-1")


def offer(table: Table, player: PlayerId) -> None:
    table.execute(offer_draw(table.match, player, NOON))


def agree(table: Table, player: PlayerId) -> None:
    answer(table, player, agrees=True)


def answer(table: Table, player: PlayerId, *, agrees: bool) -> None:
    table.execute(answer_draw(table.match, player, agrees=agrees, now=NOON))


# --- draws ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("consent", [offer, agree])
def test_a_draw_that_both_want_ends_the_match(consent: Callable[[Table, PlayerId], None]) -> None:
    table = stones()
    offer(table, BOB)  # the turn does not matter
    consent(table, ANN)
    [ended] = events_of(table, MatchEnded)
    assert (ended.placings, ended.termination) == ((1, 1), "agreement")
    assert verify_match(CODE, table.log) == []
    assert verify_match(CODE, changed(table, DrawAgreed, seat=2)) != []


def test_a_draw_needs_all_who_are_in_the_game() -> None:
    table = three()
    table.execute(resign(table.match, ANN, NOON))
    offer(table, CLEO)
    agree(table, BOB)
    assert table.match.status is Status.ENDED


def test_three_players_who_do_not_all_agree_play_on() -> None:
    table = three()
    offer(table, ANN)
    agree(table, BOB)
    assert code_of(agree, table, BOB) == "no_draw_offer"
    assert table.match.status is Status.RUNNING
    answer(table, CLEO, agrees=False)
    assert table.match.offers.draw is None


def test_an_offer_lapses_when_a_player_leaves() -> None:
    table = three()
    offer(table, ANN)
    table.execute(resign(table.match, ANN, NOON))
    assert code_of(agree, table, BOB) == "no_draw_offer"


def test_a_declined_draw_cannot_be_offered_again_before_the_next_move() -> None:
    table = stones()
    offer(table, ANN)
    assert code_of(offer, table, ANN) == "draw_already_offered"
    assert code_of(agree, table, ANN) == "no_draw_offer"
    answer(table, BOB, agrees=False)
    assert code_of(agree, table, BOB) == "no_draw_offer"
    assert code_of(offer, table, ANN) == "draw_already_offered"
    table.move(ANN, "add 1 L21")
    offer(table, ANN)


def test_a_move_of_the_other_player_declines_a_draw() -> None:
    table = stones()
    offer(table, ANN)
    table.move(ANN, "add 1 L21")  # an offer goes with the move
    assert table.match.offers.draw == 1
    table.move(BOB, "add 1 N21")
    assert code_of(agree, table, BOB) == "no_draw_offer"


def test_games_and_options_may_allow_no_offers() -> None:
    assert code_of(offer, running(), ANN) == "no_draw_offers"
    assert code_of(offer, stones(draw_offers="off"), ANN) == "draw_offers_off"


# --- takebacks -----------------------------------------------------------------------------------


def ask(table: Table, player: PlayerId) -> None:
    table.execute(request_takeback(table.match, player, NOON))


def reply(table: Table, player: PlayerId, *, agrees: bool) -> None:
    table.execute(answer_takeback(table.match, player, agrees=agrees, now=NOON))


def moved(*texts: str) -> Table:
    table = running()
    for number, text in enumerate(texts):
        table.move((ANN, BOB)[number % 2], text)
    return table


def test_an_agreed_takeback_goes_back_to_before_the_last_move() -> None:
    table = moved("a1", "e5")
    assert code_of(reply, table, BOB, agrees=True) == "no_takeback"
    ask(table, ANN)
    assert code_of(reply, table, ANN, agrees=True) == "no_takeback"
    reply(table, BOB, agrees=True)
    assert table.match.ply == 0
    assert table.match.to_move == (1,)
    assert [move.notation for move in table.match.moves] == ["place a1", "place e5"]
    table.move(ANN, "e1")
    ask(table, ANN)  # a new move, a new request
    assert verify_match(CODE, table.log) == []


def test_what_the_server_played_is_no_move_to_take_back() -> None:
    table = running()
    walled = table.match.game.load("loggers a1, a2; b1=3* b2=1 c1=1; hands 0, 3; to move 2")
    table.match = replace(table.match, position=walled)
    table.move(BOB, "stay; plant a3")
    assert [played.seat for played in table.match.plies] == [2, 1]
    assert code_of(ask, table, ANN) == "nothing_to_take_back"


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        ((1, 2), (1, 1)),
        ((1, 2), (2, 2)),
        ((1, 0), (1, 0)),  # more than the last move
        ((1, 2), (None, -1)),
    ],
)
def test_a_rollback_that_was_not_possible_is_found(
    asked: tuple[Seat, Ply], taken: tuple[Seat | None, Ply]
) -> None:
    table = moved("a1", "e5", "b1; plant a1")
    table.execute([TakebackRequested(at=NOON, seat=asked[0], ply=asked[1])])
    table.execute([MatchRolledBack(at=NOON, seat=taken[0], ply=taken[1])])
    assert verify_match(CODE, table.log) != []


# --- standing orders -----------------------------------------------------------------------------


def test_a_standing_order_decides_until_it_is_changed() -> None:
    table = running(ruleset="looney_ludo-1", time="none")
    for player in (ANN, BOB):
        table.execute(give_standing_order(table.match, player, "Doubles: keep", NOON))
    assert give_standing_order(table.match, ANN, "doubles keep", NOON) == []
    assert [event.order for event in events_of(table, StandingOrderGiven)] == ["doubles keep"] * 2
    play_ludo(table, 40)
    decided = [e for e in events_of(table, MovePlayed) if e.source is Source.STANDING_ORDER]
    assert {(event.notation, event.message_hash) for event in decided} == {("keep", "")}
    assert verify_match(CODE, table.log) == []
    log = [
        replace(caused, event=replace(caused.event, source=Source.STANDING_ORDER))
        if isinstance(caused.event, MovePlayed) and caused.event.source is Source.EMAIL
        else caused
        for caused in table.log
    ]
    assert verify_match(CODE, log) != []


def test_games_without_standing_orders_refuse_them() -> None:
    order = "doubles keep"
    assert code_of(give_standing_order, running().match, ANN, order, NOON) == "no_standing_order"


# --- the operator --------------------------------------------------------------------------------


def test_the_operator_decides_a_match() -> None:
    table = moved("a1", "e5")
    assert code_of(adjudicate, table.match, (2, 2), NOON) == "bad_placings"
    assert code_of(adjudicate, table.match, (1, 2, 3), NOON) == "bad_placings"
    table.execute(adjudicate(table.match, (1, 2), NOON))
    [ended] = events_of(table, MatchEnded)
    assert (ended.placings, ended.termination) == ((1, 2), "adjudicated")
    assert code_of(adjudicate, table.match, (1, 2), NOON) == "match_over"
    assert code_of(table.move, ANN, "b1; plant a1") == "match_over"
    assert verify_match(CODE, table.log) == []
    assert verify_match(CODE, changed(table, MatchAdjudicated, placings=(2, 1))) != []


def test_the_operator_voids_a_match_that_runs_or_has_ended() -> None:
    table = moved("a1")
    table.execute(void_match(table.match, NOON))
    [ended] = events_of(table, MatchEnded)
    assert (ended.placings, table.match.is_voided) == ((1, 1), True)
    assert code_of(void_match, table.match, NOON) == "already_voided"
    other = moved("a1")
    other.execute(resign(other.match, ANN, NOON))
    other.execute(void_match(other.match, NOON))
    assert other.match.is_voided
    assert isinstance(other.log[-1].event, MatchVoided)
    assert verify_match(CODE, other.log) == []
    assert code_of(void_match, Table(BOB).match, NOON) == "not_started"


def test_the_operator_goes_back_to_any_ply_but_not_past_leaving() -> None:
    table = running(BOB, CLEO)
    for player, text in ((ANN, "a1"), (BOB, "e5"), (CLEO, "e1")):
        table.move(player, text)
    assert code_of(roll_back, table.match, 3, NOON) == "no_such_ply"
    assert code_of(roll_back, table.match, -1, NOON) == "no_such_ply"
    table.execute(resign(table.match, BOB, NOON))
    assert code_of(roll_back, table.match, 1, NOON) == "takeback_past_leaving"
    table.move(ANN, "b1; plant a1")
    table.execute(roll_back(table.match, 3, NOON))
    assert table.match.to_move == (1,)
    assert table.match.departures == {2: 3}
    assert verify_match(CODE, table.log) == []


def test_a_seat_is_reassigned_to_somebody_else() -> None:
    table = moved("a1")
    assert code_of(reassign_seat, table.match, 2, ANN, NOON) == "player_twice"
    assert code_of(reassign_seat, table.match, 3, CLEO, NOON) == "no_such_seat"
    table.execute(reassign_seat(table.match, 2, CLEO, NOON))
    assert (table.match.players, table.match.entrants) == ((ANN, CLEO), (ANN, BOB, CLEO))
    table.move(CLEO, "e5")
    assert verify_match(CODE, table.log) == []
