"""TR-8: a ladder, whom it pairs, and who goes up how far."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.errors import Rejection
from pbem.names import PlayerId
from pbem.tournaments import decide, tables
from pbem.tournaments.tournament import KEPT
from tests.tournaments.story import REASON, Story, ladder, players

A, B, C, D, E = players(5)


def order(story: Story) -> str:
    return "".join(story.tournament.order)


def running(story: Story) -> list[str]:
    return ["".join(sorted(table.players)) for table in story.season.unfinished]


def test_from_the_top_each_meets_the_next() -> None:
    """TR-8.3."""
    story = ladder(5)
    assert (order(story), running(story)) == ("abcde", ["ab", "cd"])
    story.check()


@pytest.mark.parametrize(
    ("winner", "loser", "then"),
    [
        ("b", "a", "bacdefghi"),  # from 2 against 1 to 1
        ("c", "a", "acbdefghi"),  # from 3 against 1 to 2
        ("i", "d", "abcdeifgh"),  # from 9 against 4 to 6
        ("a", "i", "abcdefghi"),
    ],
)
def test_half_of_the_way_up(winner: str, loser: str, then: str) -> None:
    """TR-8.2."""
    story = ladder(9)
    while True:
        pair = "".join(sorted(winner + loser))
        if pair in running(story):
            break
        story.busy = tuple(player for player in players(9) if player not in pair)
        for table in story.season.unfinished:
            story.begins(table)
            match = story.season.tables[table.number].match
            story.does(tables.void_table, match)
    story.beats(winner, loser)
    assert order(story) == then
    story.check()


def test_a_draw_moves_nobody_and_neither_does_the_higher_who_wins() -> None:
    """TR-8.2."""
    story = ladder(4)
    story.draw("a", "b")
    story.beats("c", "d")
    assert order(story) == "abcd"
    # Nobody meets again whom they have just met.
    assert running(story) == ["ac", "bd"]
    story.check()


def test_two_alone_meet_always_and_change_seats() -> None:
    """TR-8.3, TR-8.4."""
    story = ladder(2)
    first = story.season.tables[1].players
    assert first == (B, A)  # the lower one sits first
    story.draw("a", "b")
    assert story.season.tables[2].players == (A, B)
    story.check()


def test_who_enters_is_last_and_is_paired_at_once() -> None:
    """TR-2.3."""
    story = ladder(3)
    assert running(story) == ["ab"]
    story.enter(D)
    assert (order(story), running(story)) == ("abcd", ["ab", "cd"])
    story.check()


def test_who_is_away_is_not_paired_and_keeps_the_place() -> None:
    """TR-6.8."""
    story = ladder(4)
    story.busy = (B,)
    story.beats("b", "a")
    story.beats("c", "d")
    assert order(story) == "bacd"
    assert running(story) == ["ac"]
    story.busy = ()
    story.does(tables.look)
    assert running(story) == ["ac", "bd"]
    story.check()


def test_who_withdraws_leaves_the_order_and_a_table_that_is_played_moves_nobody() -> None:
    """TR-8.5."""
    story = ladder(4)
    story.begins()
    story.does(decide.withdraw, A)
    assert order(story) == "bcd"
    story.beats("b", "a")
    assert order(story) == "bcd"
    assert story.season.unfinished
    story.check()


def test_a_table_that_never_ends() -> None:
    """TR-6.7."""
    story = ladder(2, days=20)
    story.begins()
    until = story.season.tables[1].until
    assert until is not None
    story.now = until
    story.does(tables.pass_time)
    assert story.season.tables[1].why == "expired"
    assert story.season.tables[2].until == story.now + timedelta(days=20)
    story.check()


def test_more_tables_at_once() -> None:
    story = ladder(3, at_once=2)
    assert running(story) == ["ab"]
    story.enter(D)
    assert running(story) == ["ab", "ac", "bd"]
    story.check()


def correct(story: Story, table: int, *placings: int) -> None:
    story.does(
        tables.correct, season=1, table=table, placings=placings, author="otto", reason=REASON
    )


def test_a_win_that_is_taken_away() -> None:
    """TR-7.4."""
    story = ladder(4)
    story.beats("b", "a")
    assert order(story) == "bacd"
    correct(story, 1)
    assert order(story) == "abcd"
    assert story.season.tables[1].placings == ()
    story.check()


def test_a_win_that_is_given_to_the_other() -> None:
    """TR-7.4."""
    story = ladder(4)
    story.beats("a", "b")
    correct(story, 1, *((1, 2) if story.season.tables[1].players[0] == B else (2, 1)))
    assert order(story) == "bacd"
    correct(story, 1, *((1, 2) if story.season.tables[1].players[0] == B else (2, 1)))
    assert order(story) == "bacd"
    correct(story, 1, *((1, 2) if story.season.tables[1].players[0] == A else (2, 1)))
    assert order(story) == "abcd"
    story.check()


def test_the_season_of_a_ladder_ends_and_the_next_goes_on_from_its_order() -> None:
    """TR-8.6."""
    story = ladder(4)
    story.beats("d", "c")
    story.does(decide.stop, author="otto", reason=REASON)
    assert story.places() == {"a": 1, "b": 2, "d": 3, "c": 4}
    story.enter(E)
    assert story.begin().players == (A, B, D, C, E)
    with pytest.raises(Rejection, match="too_late_to_correct"):
        correct(story, 1)
    story.check()


def test_of_a_long_ladder_only_the_newest_tables_are_remembered() -> None:
    story = ladder(3)
    for _ in range(KEPT + 20):
        [table] = story.season.unfinished
        story.ends(table, 1, 2)
    assert len(story.season.tables) <= KEPT
    assert story.season.newest == KEPT + 21
    assert PlayerId("a") in story.tournament.order
    story.check()
