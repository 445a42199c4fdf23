"""TR-4: a cup from its seeds to its winner, and all that goes wrong."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.errors import Rejection
from pbem.tournaments import decide, tables
from pbem.tournaments.cup import faster
from pbem.tournaments.events import ByeGiven
from tests.tournaments.story import REASON, Story, cup, players

A, B, C, D, E = players(5)


def byes(story: Story) -> list[tuple[int, str, str]]:
    return [(bye.round, bye.player, bye.why) for bye in story.season.byes]


def test_the_whole_cup() -> None:
    """TR-4.2, TR-4.8."""
    story = cup(8)
    story.plays_all()
    assert story.places() == {"a": 1, "b": 2, "c": 3, "d": 3, "e": 5, "f": 5, "g": 5, "h": 5}
    assert [table.round for table in story.season.tables.values()] == [1] * 4 + [2] * 2 + [3]
    story.check()


@pytest.mark.parametrize("count", range(2, 18))
def test_the_highest_seed_wins_whatever_the_number(count: int) -> None:
    """TR-4.2, TR-4.3."""
    story = cup(count)
    story.plays_all()
    assert story.places()["a"] == 1
    assert story.places()["b"] == 2
    assert len(story.season.tables) == count - 1
    assert story.tournament.entered == ()
    story.check()


def test_byes_go_to_the_highest_seeds() -> None:
    """TR-4.2."""
    story = cup(5)
    assert sorted(byes(story)) == [(1, "a", "seed"), (1, "b", "seed"), (1, "c", "seed")]
    assert {*story.season.tables[1].players} == {D, E}


def test_seeds_are_what_is_handed_in_and_then_the_order_of_entry() -> None:
    """TR-4.1."""
    story = Story("cup")
    story.enter(*players(5))
    assert story.begin(d=1700, b=1500).players == (D, B, A, C, E)
    story.check()


def test_first_seats_are_drawn_for_each_round() -> None:
    """TR-4.4."""
    story = cup(8)
    assert [lot.asked for lot in story.season.lots] == ["first seats of round 1: 4d2"]
    firsts = [table.players[0] for table in story.season.tables.values()]
    higher = [min(table.players) for table in story.season.tables.values()]
    drawn = [1 if first == high else 2 for first, high in zip(firsts, higher, strict=True)]
    assert tuple(drawn) == story.season.lots[0].values
    story.plays_all()
    assert len(story.season.lots) == 3


def test_a_draw_is_played_again_with_seats_changed_and_a_faster_clock() -> None:
    """TR-4.5."""
    story = cup(4)
    first = story.table("a", "d")
    story.draw("a", "d")
    again = story.table("a", "d")
    assert again.players == first.players[::-1]
    assert (again.again, again.time, first.time) == (first.number, "120/18/120", "240/36/240")
    story.draw("a", "d")
    story.beats("c", "b")
    assert {*story.season.tables[story.season.newest].players} == {A, C}
    story.check()


def test_half_a_clock() -> None:
    """TR-4.5."""
    assert faster("96/24/96") == "48/12/48"
    assert faster("25/1/25") == "13/1/13"


def test_a_table_that_never_ends_is_the_higher_seeds() -> None:
    """TR-4.6."""
    story = cup(4, days=10)
    story.beats("c", "b")
    until = tables.next_until(story.tournament)
    assert until is not None
    story.now = until
    story.does(tables.pass_time)
    assert {*story.season.tables[story.season.newest].players} == {A, C}
    assert story.season.tables[story.season.newest].until == story.now + timedelta(days=10)
    story.check()


def test_a_voided_match_is_played_again_once() -> None:
    """TR-4.7."""
    story = cup(2)
    for number in (1, 2):
        story.begins()
        table = story.season.tables[number]
        assert (table.time, table.players) == ("240/36/240", story.season.tables[1].players)
        story.does(tables.void_table, table.match)
    assert story.places() == {"a": 1, "b": 2}
    story.check()


def test_who_withdraws_before_a_table_begins_lets_the_other_go_on() -> None:
    """TR-6.5."""
    story = cup(4)
    story.does(decide.withdraw, A)
    story.beats("b", "c")
    assert {*story.season.tables[story.season.newest].players} == {D, B}
    story.check()


def test_in_place_of_a_winner_who_has_gone_the_other_goes_on() -> None:
    """TR-6.5: in the middle."""
    story = cup(4)
    story.begins()
    story.does(decide.withdraw, A)
    story.beats("a", "d")
    story.beats("b", "c")
    assert {*story.season.tables[story.season.newest].players} == {D, B}
    story.plays_all()
    assert story.places() == {"b": 1, "d": 2, "a": 3, "c": 3}
    story.check()


def test_who_goes_after_a_round_is_replaced_by_whom_they_beat() -> None:
    """TR-6.5."""
    story = cup(4)
    story.beats("a", "d")
    story.does(decide.withdraw, A)
    story.beats("b", "c")
    assert {*story.season.tables[story.season.newest].players} == {D, B}
    story.check()


def test_both_of_a_pairing_have_gone() -> None:
    """TR-4.3."""
    story = cup(4)
    story.does(decide.withdraw, A)
    story.does(decide.withdraw, D)
    story.beats("b", "c")
    assert byes(story) == [(2, "b", "alone")]
    assert story.places()["b"] == 1
    story.check()


def test_the_final_counts_as_it_was_played() -> None:
    """TR-6.5: at the last round."""
    story = cup(2)
    story.begins()
    story.does(decide.withdraw, A)
    story.beats("a", "b")
    assert story.places() == {"a": 1, "b": 2}
    story.check()


def test_all_have_gone() -> None:
    story = cup(2)
    story.does(decide.withdraw, A)
    assert story.places() == {"b": 1, "a": 2}
    story.check()


def test_one_entry_too_few() -> None:
    """TR-2.5."""
    story = Story("cup")
    story.enter(A)
    with pytest.raises(Rejection) as refused:
        story.begin()
    assert refused.value.facts == {"name": "spring", "entered": 1, "needed": 2}


def test_one_enters_each_cup_anew() -> None:
    """TR-4.9: but who entered while it was played is in the next one."""
    story = cup(2)
    story.enter(C)
    story.plays_all()
    assert story.tournament.entered == (C,)
    story.enter(A)
    assert story.begin().players == (C, A)
    story.check()


def test_a_cup_is_stopped() -> None:
    story = cup(4)
    story.beats("a", "d")
    story.does(decide.stop, author="otto", reason=REASON)
    assert story.season.ended
    assert {*story.places().values()} == {1}
    story.check()


def test_a_correction_in_the_round_that_is_played() -> None:
    """TR-7.1, TR-7.2."""
    story = cup(4)
    story.beats("d", "a")
    table = story.table("a", "d")
    won = (1, 2) if table.players[0] == A else (2, 1)
    right = {"season": 1, "table": table.number, "author": "otto", "reason": REASON}
    story.does(tables.correct, placings=won, **right)
    story.beats("b", "c")
    assert {*story.season.tables[story.season.newest].players} == {A, B}
    with pytest.raises(Rejection, match="too_late_to_correct"):
        story.does(tables.correct, placings=won[::-1], **right)
    story.check()


def test_a_draw_that_was_played_again_is_corrected_no_more() -> None:
    """TR-7.2."""
    story = cup(2)
    story.draw("a", "b")
    with pytest.raises(Rejection, match="too_late_to_correct"):
        story.does(tables.correct, season=1, table=1, placings=(1, 2), author="otto", reason=REASON)


def test_a_final_is_corrected_after_the_end() -> None:
    """TR-7.3: and who has entered the next cup stays in it."""
    story = cup(2)
    story.beats("b", "a")
    story.enter(A)
    table = story.season.tables[1]
    won = (1, 2) if table.players[0] == A else (2, 1)
    story.does(tables.correct, season=1, table=1, placings=won, author="otto", reason=REASON)
    assert story.places() == {"a": 1, "b": 2}
    assert story.tournament.entered == (A,)
    story.check()


def test_byes_are_told_as_events() -> None:
    story = cup(3)
    assert [one.event.player for one in story.stream if isinstance(one.event, ByeGiven)] == [A]


def test_who_has_gone_plays_nothing_again() -> None:
    """TR-6.5: not after a draw either, nor after what was voided."""
    story = cup(4)
    story.begins()
    story.does(decide.withdraw, A)
    story.draw("a", "d")
    story.does(decide.withdraw, C)
    story.does(tables.void_table, story.table("b", "c").match)
    assert {*story.season.tables[story.season.newest].players} == {B, D}
    story.check()


def test_who_left_a_cup_and_entered_again_is_in_the_next_one() -> None:
    """TR-2.3."""
    story = cup(4)
    story.does(decide.withdraw, D)
    story.enter(D)
    story.beats("b", "c")
    story.beats("a", "b")
    assert story.tournament.season is None
    assert story.tournament.entered == (D,)
    story.check()


def test_what_a_bye_was_given_by_cannot_be_corrected() -> None:
    """TR-7.2: the next round has begun, though nobody plays in it."""
    story = cup(3)
    story.does(decide.withdraw, A)
    story.beats("b", "c")
    table = story.table("b", "c")
    with pytest.raises(Rejection, match="too_late_to_correct"):
        story.does(
            tables.correct,
            season=1,
            table=table.number,
            placings=table.placings[::-1],
            author="otto",
            reason=REASON,
        )
