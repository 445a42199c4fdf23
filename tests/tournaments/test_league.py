"""TR-2, TR-3, TR-6: a league from its entries to who goes up and down, and all that goes wrong."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.errors import Rejection
from pbem.names import PlayerId
from pbem.tournaments import decide, tables
from pbem.tournaments.events import PlayerWithdrawn, SeasonBegun, SeasonPlanned, StandingChanged
from pbem.tournaments.league import lot_numbers
from pbem.tournaments.standings import standing
from tests.tournaments.story import REASON, Story, league, players

A, B, C, D, E, F = players(6)


def test_a_whole_season_of_two_groups() -> None:
    """TR-3.1, TR-3.3: all play all, in groups that lots have made."""
    story = league(9, group=4, moving=1)
    assert sorted(map(len, story.season.groups)) == [4, 5]
    lots = lot_numbers(story.season)
    assert sorted(lots.values()) == list(range(1, 10))
    drawn = [player for group in story.season.groups for player in group]
    assert drawn == sorted(drawn, key=lots.__getitem__)
    assert len(story.season.tables) == 6 + 10
    story.plays_all()
    for group in (1, 2):
        assert list(story.places(group)) == sorted(story.season.groups[group - 1])
        assert list(story.places(group).values()) == list(range(1, 4 + group))
    story.check()


def test_one_goes_up_and_one_down() -> None:
    """TR-3.6."""
    story = league(8, group=4, moving=1)
    upper, lower = (sorted(group) for group in story.season.groups)
    story.plays_all()
    moves = [(one.player, one.was, one.now, one.why) for one in story.season.moves]
    assert moves == [(lower[0], 2, 1, "promoted"), (upper[3], 1, 2, "relegated")]
    story.begin()
    assert {*story.season.groups[0]} == {*upper[:3], lower[0]}
    assert {*story.season.groups[1]} == {*lower[1:], upper[3]}
    story.check()


def test_newcomers_begin_below_and_those_of_before_stay_where_they_were() -> None:
    """TR-2.3, TR-3.3."""
    story = league(8, group=4, moving=0)
    upper = story.season.groups[0]
    story.enter(PlayerId("new1"), PlayerId("new2"))
    assert len(story.season.players) == 8
    story.plays_all()
    story.begin()
    assert {*upper} <= {*story.season.groups[0]}
    assert {"new1", "new2"} <= {*story.season.groups[1]}
    story.check()


def test_with_one_entry_too_few_no_season_begins() -> None:
    """TR-2.5."""
    story = Story("league")
    story.enter(A, B, C)
    with pytest.raises(Rejection) as refused:
        story.begin()
    assert refused.value.code == "too_few_entries"
    assert refused.value.facts == {"name": "spring", "entered": 3, "needed": 4}
    story.enter(D)
    assert story.begin().players == (A, B, C, D)
    story.check()


def test_six_cannot_be_divided_into_tables_of_four() -> None:
    """TR-2.5, TR-3.2."""
    story = Story("league", {"seats": 4})
    story.enter(*players(6))
    with pytest.raises(Rejection) as refused:
        story.begin()
    assert refused.value.facts["needed"] == 7


def test_a_season_that_was_to_begin_is_put_off() -> None:
    """TR-2.4, TR-2.5."""
    story = Story("league")
    story.enter(A, B, C)
    begins = story.now + timedelta(days=1)
    story.does(decide.plan, begins=begins)
    assert story.does(decide.begin_in_time) == []
    story.now = begins
    [put_off] = story.does(decide.begin_in_time)
    assert isinstance(put_off, SeasonPlanned)
    assert (put_off.entered, put_off.needed) == (3, 4)
    assert put_off.begins == story.now + timedelta(days=7)
    story.enter(D)
    story.now = put_off.begins
    begun, *_ = story.does(decide.begin_in_time)
    assert isinstance(begun, SeasonBegun)
    assert story.does(decide.begin_in_time) == []
    story.check()


def test_the_next_season_is_planned_by_itself() -> None:
    """TR-2.4: but not after one that was stopped, and not without a pause."""
    story = league(4, pause=5)
    story.plays_all()
    planned = story.tournament.planned
    assert planned is not None
    assert planned.begins == story.now + timedelta(days=5)
    for other in (league(4, pause=0), league(4)):
        other.does(decide.stop, author="otto", reason=REASON)
        assert other.tournament.planned is None
        other.check()


def test_who_withdraws_before_the_season_is_not_in_it() -> None:
    """TR-6.1."""
    story = Story("league")
    story.enter(*players(5))
    story.does(decide.withdraw, B)
    assert story.begin().players == (A, C, D, E)
    with pytest.raises(Rejection, match="not_entered"):
        story.does(decide.withdraw, B)
    story.check()


def test_who_withdraws_early_counts_for_nobody() -> None:
    """TR-6.2, TR-6.3: in the middle, with one of three tables played."""
    story = league(4)
    story.beats("d", "a")
    story.does(decide.withdraw, D)
    assert [table.why for table in story.season.tables.values()].count("unplayed") == 2
    story.beats("a", "b")
    story.beats("a", "c")
    story.beats("b", "c")
    ended = story.result()
    assert ended.players == (A, B, C, D)
    assert ended.points == (4, 2, 0, 0)  # in halves: nothing of d
    assert story.tournament.order == (A, B, C)
    assert D not in story.tournament.entered
    assert standing(story.season, 1).met(D, A) == (2,)  # shown all the same
    story.check()


def test_a_match_that_is_played_goes_on_when_somebody_withdraws() -> None:
    """TR-6.1: it is not resigned, and counts."""
    story = league(4)
    story.begins()
    story.does(decide.withdraw, D)
    assert len(story.season.unfinished) == 6
    for other in "abc":
        story.beats("d", other)
    story.beats("a", "b")
    story.beats("b", "c")
    story.beats("c", "a")
    assert story.places()["d"] == 1
    stay = (player for player in story.result().players if player != D)
    assert story.tournament.order == tuple(stay)
    story.check()


def test_who_withdraws_late_keeps_results_and_loses_what_never_began() -> None:
    """TR-6.4: at the last round."""
    story = league(4)
    story.beats("d", "a")
    story.beats("d", "b")
    story.does(decide.withdraw, D)
    story.beats("a", "b")
    story.beats("a", "c")
    story.beats("b", "c")
    ended = story.result()
    points = dict(zip(ended.players, ended.points, strict=True))
    assert points == {"a": 4, "b": 2, "c": 2, "d": 4}
    assert story.tournament.order[0] == A
    assert D not in story.tournament.order
    story.check()


def test_who_withdraws_when_all_is_played_but_one_table_of_others() -> None:
    """TR-6.4: nobody gets anything of it."""
    story = league(4)
    for winner, loser in ("da", "db", "dc", "ab", "ac"):
        story.beats(winner, loser)
    story.does(decide.withdraw, D)
    story.beats("b", "c")
    assert story.result().points == (6, 4, 2, 0)
    assert story.tournament.order == (A, B, C)
    story.check()


def test_who_was_absent_counts_as_before_after_a_correction() -> None:
    """TR-6.6, TR-7.3: taken out at the end, when their one table had counted."""
    story = league(5)
    for other in "abc":
        story.beats("d", other)
    story.beats("d", "e", late=True)
    story.now += timedelta(days=400)
    story.does(tables.pass_time)
    assert story.tournament.entered == (A, B, C, D)
    assert story.places() == {"d": 1, "a": 2, "b": 2, "c": 2, "e": 5}
    points = story.result().points
    # What nobody played is won by A: nothing else may be another than before.
    number, seats = story.table("a", "b").number, story.table("a", "b").players
    right = {"season": 1, "table": number, "author": "otto", "reason": REASON}
    story.does(tables.correct, placings=(1, 2) if seats[0] == A else (2, 1), **right)
    assert story.places() == {"d": 1, "a": 2, "b": 3, "c": 3, "e": 5}
    assert (points[0], story.result().points[:2]) == (8, (8, 2))
    assert E not in story.tournament.order
    story.check()


def test_who_is_first_after_a_correction_has_not_lost_on_time() -> None:
    """TR-5.5."""
    story = league(4)
    story.beats("a", "b", late=True)
    table = story.table("a", "b")
    placings = tuple(1 if player == B else 2 for player in table.players)
    right = {"season": 1, "table": table.number, "author": "otto", "reason": REASON}
    story.does(tables.correct, placings=placings, **right)
    story.plays_all()
    late = dict(zip(story.result().players, story.result().time_outs, strict=True))
    assert late == {A: 0, B: 0, C: 0, D: 0}
    story.check()


@pytest.mark.parametrize("why", ["banned", "forgotten", "operator"])
def test_a_ban_is_a_withdrawal(why: str) -> None:
    """TR-6.9."""
    story = league(5)
    story.does(decide.withdraw, C, why=why)
    assert all(table.ended for table in story.season.tables.values() if C in table.players)
    story.plays_all()
    assert story.result().players == (A, B, D, E, C)
    story.check()


def test_who_lost_all_on_time_does_not_stay() -> None:
    """TR-6.6."""
    story = league(5)
    for other in "abcd":
        story.beats(other, "e", late=True)
    story.beats("a", "d", late=True)
    story.plays_all()
    absent = [one.event for one in story.stream if isinstance(one.event, PlayerWithdrawn)]
    assert [(one.player, one.why) for one in absent] == [(E, "absent")]
    assert story.places()["e"] == 5
    assert story.tournament.entered == (A, B, C, D)
    story.enter(E)
    story.check()


def test_a_table_that_never_ends_is_not_waited_for() -> None:
    """TR-6.7."""
    story = league(4, days=30)
    story.begins()
    for winner, loser in ("ab", "ac", "ad", "bc", "bd"):
        story.beats(winner, loser)
    assert story.does(tables.pass_time) == []
    until = story.season.until
    assert until is not None
    story.now = until
    story.does(tables.pass_time)
    assert story.season.ended
    assert story.result().points == (6, 4, 0, 0)
    assert story.result().places == (1, 2, 3, 3)
    match = story.table("c", "d").match
    assert story.does(tables.end_table, match, placings=(1, 2), moves="") == []
    story.check()


def test_a_season_may_last_longer() -> None:
    """TR-6.7."""
    story = league(4, days=30)
    first = story.season.until
    assert first is not None
    with pytest.raises(Rejection, match="not_later"):
        story.does(decide.extend, until=first, author="otto", reason=REASON)
    story.does(decide.extend, until=first + timedelta(days=3), author="")
    story.now = first
    assert story.does(tables.pass_time) == []
    assert tables.next_until(story.tournament) == first + timedelta(days=3)
    story.check()


def test_a_voided_match_counts_for_nobody() -> None:
    """TR-6.10."""
    story = league(4)
    story.begins()
    match = story.table("a", "b").match
    story.does(tables.void_table, match)
    assert story.does(tables.void_table, match) == []
    story.plays_all()
    assert story.result().points == (4, 4, 2, 0)
    story.check()


def test_an_end_is_told_twice_and_counts_once() -> None:
    story = league(4)
    story.begins()
    match = story.table("a", "b").match
    assert len(story.does(tables.end_table, match, placings=(1, 2), moves="")) == 1
    assert story.does(tables.end_table, match, placings=(1, 2), moves="") == []
    assert story.does(tables.end_table, "NOBODYS", placings=(1, 2), moves="") == []
    story.check()


def test_the_operator_ends_a_season() -> None:
    story = league(4)
    story.beats("b", "a")
    story.does(decide.stop, author="otto", reason=REASON)
    assert story.season.ended
    assert {table.why for table in story.season.tables.values()} == {"played", "stopped"}
    assert story.places()["b"] == 1
    story.check()


def test_no_round_waits_and_nobody_has_more_than_the_limit() -> None:
    """TR-3.7."""
    story = league(6, at_once=2)
    story.begins()
    running = [table for table in story.season.tables.values() if table.match]
    assert len(running) == 6
    for player in players(6):
        assert sum(player in table.players for table in running) == 2
    story.busy = (B,)
    story.ends(running[0], 1, 2)
    more = tables.may_begin(story.tournament, story.busy)
    assert all(B not in table.players for table in more)
    story.check()


def test_three_seats_count_each_against_each() -> None:
    """TR-3.5, TR-5.1, TR-5.6."""
    story = league(4, seats=3)
    assert len(story.season.tables) == 4
    first = story.season.tables[1]
    # The winner by the board had left the seat: a bot brought it to the end.
    story.ends(first, 1, 2, 3, late=(1,))
    assert story.season.tables[1].placings == (3, 1, 2)
    met = standing(story.season, 1)
    assert met.met(first.players[1], first.players[0]) == (2,)
    story.plays_all()
    story.check()


def test_who_left_is_last_and_equal_with_others_who_left() -> None:
    """TR-5.6."""
    assert tables.with_left((1, 2, 3, 4), (1, 3)) == (3, 1, 3, 2)
    assert tables.with_left((1, 1, 3), ()) == (1, 1, 3)
    assert tables.with_left((1, 2), (1,)) == (1, 2)


def test_who_withdraws_from_tables_of_three() -> None:
    """TR-6.4: the others get their point of them, and nothing of each other."""
    story = league(4, seats=3)
    with_d = [table for table in story.season.tables.values() if D in table.players]
    for table in with_d[:2]:
        story.ends(table, *(1 if player == D else 2 for player in table.players))
    story.does(decide.withdraw, D)
    last = story.season.tables[with_d[2].number]
    assert last.why == "unplayed"
    others = [player for player in last.players if player != D]
    now = standing(story.season, 1)
    assert not now.annulled
    assert [meeting.table for meeting in now.meetings].count(last.number) == 2
    assert all(2 in now.met(other, D) for other in others)
    story.check()


def test_a_closed_tournament_begins_nothing_more() -> None:
    story = league(4)
    story.does(decide.close, author="otto", reason=REASON)
    with pytest.raises(Rejection, match="tournament_closed"):
        story.enter(E)
    story.plays_all()
    assert story.tournament.planned is None
    with pytest.raises(Rejection, match="tournament_closed"):
        story.begin()
    story.check()


def test_of_a_shared_place_the_lower_lot_goes_up() -> None:
    """TR-3.6."""
    story = league(8, group=4, moving=1)
    lower = story.season.groups[1]
    for table in story.season.unfinished:
        ranked = sorted(table.players)
        drawn = table.group == 2
        story.ends(table, *(1 if drawn else ranked.index(who) + 1 for who in table.players))
    assert {*story.places(2).values()} == {1}
    [up] = [move.player for move in story.season.moves if move.why == "promoted"]
    assert up == min(lower, key=lot_numbers(story.season).__getitem__)
    story.check()


def test_a_place_that_becomes_free_is_filled_from_below() -> None:
    """TR-3.6."""
    story = league(8, group=4, moving=1)
    upper, lower = (sorted(group) for group in story.season.groups)
    story.plays_all()
    story.enter(PlayerId("new"))
    story.does(decide.withdraw, upper[0])
    story.begin()
    assert {*story.season.groups[0]} == {upper[1], upper[2], lower[0], upper[3]}
    story.check()


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"time": "none"}, "tournament_needs_time"),
        ({"seats": 5}, "wrong_seats_for_tournament"),
        ({"group": 8}, "wrong_size_of_groups"),
        ({"moving": -1}, "wrong_number"),
        ({"days": 0}, "wrong_number"),
        ({"days": 3_651}, "wrong_number"),
        ({"pause": 10**9}, "wrong_number"),
    ],
)
def test_what_cannot_be_opened(terms: dict[str, object], code: str) -> None:
    """TR-1."""
    with pytest.raises(Rejection, match=code):
        Story("league", terms)


@pytest.mark.parametrize("kind", ["cup", "ladder"])
def test_cups_and_ladders_have_two_seats(kind: str) -> None:
    """TR-1.3."""
    with pytest.raises(Rejection, match="wrong_seats"):
        Story(kind, {"seats": 3})  # type: ignore[arg-type]


def test_one_enters_once() -> None:
    story = Story("league")
    story.enter(A)
    with pytest.raises(Rejection, match="already_entered"):
        story.enter(A)
    assert not [one for one in story.stream if isinstance(one.event, StandingChanged)]


def test_a_late_correction_leaves_who_went_up_and_down() -> None:
    """TR-7.3: another season has begun by it."""
    story = league(8, group=4)
    story.plays_all()
    moves = story.season.moves
    assert moves
    story.begin()
    before = story.tournament.seasons[0]
    placings = before.tables[1].placings[::-1]
    story.does(tables.correct, season=1, table=1, placings=placings, author="o", reason=REASON)
    after = story.tournament.seasons[0]
    assert after.results != before.results
    assert after.moves == moves
    story.check()
