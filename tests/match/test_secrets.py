"""Draws that stay sealed until the end, and chains that follow one another."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem import fairness
from pbem.games.game import Seat
from pbem.match.automatic import renew_draws
from pbem.match.endings import resign
from pbem.match.events import (
    ChallengeIssued,
    ChanceCommitted,
    ChanceDrawn,
    ChanceRenewed,
    ChanceRevealed,
    ChanceSealed,
    MatchEvent,
    Source,
    StandingOrderGiven,
    redact_event,
)
from pbem.match.play import SubmittedMove, play_move
from pbem.match.state import Status
from pbem.match.verify import verify_match
from tests.match.test_match import (
    ANN,
    BOB,
    CODE,
    NOON,
    SECRET,
    Table,
    changed,
    events_of,
    find_first,
    running,
)


def dealt() -> Table:
    return running(ruleset="logan_stones-1")


def ended() -> Table:
    table = dealt()
    table.move(ANN, "add 1 L21")
    table.execute(resign(table.match, BOB, NOON))
    return table


def test_a_deal_is_sealed_until_the_end() -> None:
    table = dealt()
    [sealed] = events_of(table, ChanceSealed)
    assert sealed.request == "deal: order of 18, 18d2"
    assert events_of(table, ChanceRevealed) == []
    assert verify_match(CODE, table.log) == []
    table.execute(resign(table.match, BOB, NOON))
    [revealed] = events_of(table, ChanceRevealed)
    assert revealed.values == sealed.values
    assert verify_match(CODE, table.log) == []


def test_each_seat_knows_its_own_hand_only() -> None:
    match = dealt().match
    first, second = match.visible_position(Seat(1)), match.visible_position(Seat(2))
    assert first != second
    assert match.position not in (first, second)
    assert match.game.redact(match.position, Seat(1)) == first


def test_after_the_end_nothing_is_hidden() -> None:
    match = ended().match
    assert match.visible_position(Seat(1)) == match.visible_position(Seat(2)) == match.position


def test_redacted_events_show_no_hidden_values() -> None:
    [sealed] = events_of(dealt(), ChanceSealed)
    for seat in (None, Seat(1), Seat(2)):
        assert redact_event(sealed, seat) == replace(sealed, values=())
    assert str(list(sealed.values)).strip("[]") not in repr(sealed)
    order = StandingOrderGiven(at=NOON, seat=Seat(1), order="doubles keep")
    assert redact_event(order, Seat(1)) == order
    assert redact_event(order, Seat(2)) == redact_event(order, None) == replace(order, order="")


def test_a_game_without_secrets_publishes_no_second_commitment() -> None:
    assert Table(BOB).match.terms.sealed_commitment == ""


@pytest.mark.parametrize(
    ("event_type", "values"),
    [
        (ChanceSealed, {"seal": "00" * 32}),
        (ChanceSealed, {"digest": "00" * 32}),
        (ChanceSealed, {"request": "deal: order of 18"}),
        (ChanceSealed, {"index": 2}),
        (ChanceSealed, {"values": (*range(18), *[1] * 18)}),
        (ChanceRevealed, {"values": (*range(18), *[1] * 18)}),
        (ChanceRevealed, {"link": "00" * 32}),
        (ChanceRevealed, {"index": 2}),
        (ChallengeIssued, {"sealed_commitment": "00" * 32}),
    ],
)
def test_every_change_of_a_sealed_draw_is_found(
    event_type: type[MatchEvent], values: dict[str, Any]
) -> None:
    assert verify_match(CODE, changed(ended(), event_type, **values)) != []


def test_a_seal_that_was_not_opened_at_the_end_is_found() -> None:
    *log, resigned, end, revealed = ended().log
    assert verify_match(CODE, [*log, resigned, end]) != []
    assert verify_match(CODE, [*log, revealed, resigned, end]) != []


def test_a_seal_that_was_made_for_other_values_is_found() -> None:
    """The server cannot deal again during the match, even if it opens what it says it sealed."""
    table = ended()
    [sealed] = events_of(table, ChanceSealed)
    [revealed] = events_of(table, ChanceRevealed)
    values = (*sealed.values[1:18], sealed.values[0], *sealed.values[18:])
    proof = fairness.Proof(1, revealed.link, sealed.digest, sealed.request, values)
    seal = fairness.sealed_digest(proof)
    table.log = changed(table, ChanceSealed, values=values, seal=seal)
    assert verify_match(CODE, changed(table, ChanceRevealed, values=values)) != []


# --- chains --------------------------------------------------------------------------------------


def short_chain(links: int) -> Table:
    """Play Looney Ludo with a chain of draws that is nearly used up."""
    table = Table(BOB, ruleset="looney_ludo-1", time="none")
    chain = fairness.chain_secret(SECRET, "public")
    commitment = fairness.commitment(chain, links).hex()
    table.begin([replace(table.match.terms, links=links, commitment=commitment)])
    table.accept(BOB)
    return table


def play_ludo(table: Table, draws: int) -> None:
    while len(table.match.draws) < draws and table.match.status is Status.RUNNING:
        match = table.match
        table.now += timedelta(hours=1)
        [seat] = match.to_move
        moves = match.game.legal_moves(match.position)
        table.move(match.player_at(seat), match.game.notation(moves[-1]))


def test_the_next_chain_is_committed_before_the_first_ends() -> None:
    table = short_chain(20)
    [committed] = events_of(table, ChanceCommitted)
    assert committed.first == 21
    play_ludo(table, 30)
    assert [draw.index for draw in events_of(table, ChanceDrawn)][:30] == [*range(1, 31)]
    assert verify_match(CODE, table.log) == []


@pytest.mark.parametrize("values", [{"commitment": "00" * 32}, {"first": 20}, {"first": 22}])
def test_every_change_of_a_later_chain_is_found(values: dict[str, Any]) -> None:
    table = short_chain(20)
    play_ludo(table, 30)
    assert verify_match(CODE, changed(table, ChanceCommitted, **values)) != []


def test_a_chain_that_was_committed_too_late_is_found() -> None:
    table = short_chain(20)
    play_ludo(table, 30)
    log = list(table.log)
    at = find_first(log, ChanceCommitted)
    [drawn] = [event for event in events_of(table, ChanceDrawn) if event.index == 21]
    first = [caused.event for caused in log].index(drawn)
    late = replace(log[at], cause=log[first].cause)
    assert verify_match(CODE, [*log[:at], *log[at + 1 : first], late, *log[first:]]) != []


# --- after a restore -----------------------------------------------------------------------------

NUMBER = 123_456_789


def renew(table: Table, number: int = NUMBER) -> None:
    table.now += timedelta(hours=1)
    table.execute(renew_draws(table.match, SECRET, number=number, restored_to=NOON, now=table.now))


def ludo() -> Table:
    table = Table(BOB, ruleset="looney_ludo-1", time="none")
    table.accept(BOB)
    play_ludo(table, 6)
    return table


def play_next(table: Table) -> ChanceDrawn:
    """Make moves until the next roll, and return it."""
    before = len(table.match.draws)
    play_ludo(table, before + 1)
    return table.match.draws[before]


def test_a_match_goes_on_with_new_chains() -> None:
    table = ludo()
    known = play_next(table)  # players have seen this roll, but the backup is older
    restored = ludo()
    renew(restored)
    drawn = play_next(restored)
    assert drawn.index == known.index
    assert drawn.link != known.link
    play_ludo(restored, 20)
    assert verify_match(CODE, restored.log) == []


def test_until_a_player_moves_a_roll_is_bound_to_the_move_before_it() -> None:
    """The server knew all moves that are older than the chain when it chose it."""
    rolls = set()
    for message_hash in ("aa" * 32, "bb" * 32):
        table = ludo()
        renew(table)
        [seat] = table.match.to_move
        notation = table.match.game.notation(table.match.game.legal_moves(table.match.position)[-1])
        move = SubmittedMove(
            text=notation, source=Source.EMAIL, received=table.now, message_hash=message_hash
        )
        table.execute(play_move(table.match, table.match.player_at(seat), move, table.now))
        assert verify_match(CODE, table.log) == []
        rolls.add(table.match.draws[6].digest)
        play_ludo(table, 9)
        assert verify_match(CODE, table.log) == []
    assert len(rolls) == 2


def test_a_challenge_starts_with_new_chains() -> None:
    table = Table(BOB, ruleset="logan_stones-1", starter="given")
    renew(table)
    table.accept(BOB)
    [sealed] = events_of(table, ChanceSealed)
    assert sealed.values != events_of(dealt(), ChanceSealed)[0].values
    assert sealed.digest == events_of(dealt(), ChanceSealed)[0].digest
    table.move(ANN, "add 1 L21")
    table.execute(resign(table.match, BOB, NOON))
    assert verify_match(CODE, table.log) == []


def test_a_seal_of_before_is_opened_with_its_own_chain() -> None:
    table = dealt()
    renew(table)
    renew(table, NUMBER + 1)
    table.move(ANN, "add 1 L21")
    table.execute(resign(table.match, BOB, NOON))
    assert len(events_of(table, ChanceRevealed)) == 1
    assert verify_match(CODE, table.log) == []


def test_chains_follow_one_another_after_a_restore() -> None:
    table = short_chain(20)
    play_ludo(table, 10)
    renew(table)
    assert sorted(table.match.commitments) == [1, 11]
    play_ludo(table, 15)
    renew(table, NUMBER + 1)
    play_ludo(table, 25)
    assert verify_match(CODE, table.log) == []


@pytest.mark.parametrize("values", [{"commitment": "00" * 32}, {"commitment": ""}])
def test_every_change_of_a_new_chain_is_found(values: dict[str, Any]) -> None:
    table = ludo()
    renew(table)
    play_ludo(table, 9)
    assert verify_match(CODE, changed(table, ChanceRenewed, **values)) != []


@pytest.mark.parametrize("shift", [-1, 1])
def test_chains_that_were_replaced_beside_something_else_are_found(shift: int) -> None:
    """The server could have chosen them when it knew the move."""
    table = ludo()
    renew(table)
    play_ludo(table, 9)
    log = list(table.log)
    at = find_first(log, ChanceRenewed)
    log[at] = replace(log[at], cause=log[at + shift].cause)
    assert verify_match(CODE, log) != []
