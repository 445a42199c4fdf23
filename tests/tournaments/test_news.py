"""Whom a tournament tells what, where it is decided by more than one thing at once."""

from __future__ import annotations

from pbem.names import PlayerId
from pbem.notices.seasons import Told, rounds_shown, season_line, season_news
from pbem.notices.tournaments import SeasonOver
from pbem.tournaments import decide, tables
from pbem.tournaments.events import Event
from pbem.tournaments.tournament import Tournament
from tests.tournaments.story import REASON, Story, cup, league

A, C, D = PlayerId("a"), PlayerId("c"), PlayerId("d")


def told(story: Story, before: Tournament, events: list[Event]) -> dict[PlayerId, Told]:
    """The last that each is told of these events."""
    return dict(season_news(events, before, story.tournament))


def test_a_withdrawal_that_ends_a_season_is_no_absence() -> None:
    """TR-6.6: who goes by themselves is not told that they lost all on time."""
    story = league(4)
    for one, other in ("ab", "ac", "bc", "bd", "cd"):
        story.beats(one, other)
    before = story.tournament
    over = told(story, before, story.does(decide.withdraw, D))[D]
    assert isinstance(over, SeasonOver)
    assert over.next == "left"


def test_who_was_absent_is_told_so_after_a_correction_as_well() -> None:
    story = league(4)
    for other in "bcd":
        story.beats(other, "a", late=True)
    story.plays_all()
    before, table = story.tournament, story.table("b", "c")
    placings = table.placings[::-1]
    events = story.does(
        tables.correct, season=1, table=table.number, placings=placings, author="o", reason=REASON
    )
    over = told(story, before, events)[A]
    assert isinstance(over, SeasonOver)
    assert (over.corrected, over.next) == (True, "absent")


def test_a_round_shows_who_went_on_though_they_have_left_since() -> None:
    story = cup(4)
    story.beats("a", "d")
    story.beats("b", "c")
    story.begins()
    story.does(decide.withdraw, A)
    assert [pair.winner for pair in rounds_shown(story.season)[0].pairs] == ["a", "b"]


def test_a_round_shows_who_went_on_in_place_of_a_winner() -> None:
    story = cup(4)
    story.beats("a", "d")
    story.does(decide.withdraw, A)
    story.beats("b", "c")
    assert [pair.winner for pair in rounds_shown(story.season)[0].pairs] == ["d", "b"]


def test_who_goes_on_for_one_who_left_is_told_so_after_a_void_table_as_well() -> None:
    """TR-6.5: the other one would be the higher seed."""
    story = cup(4)
    story.begins()
    story.does(decide.withdraw, A)
    before = story.tournament
    events = story.does(tables.void_table, story.table("a", "d").match)
    decided = told(story, before, events)
    assert {player: getattr(one, "why", None) for player, one in decided.items()} == {D: "left"}


def test_who_waits_for_the_next_cup_is_not_out_of_this_one() -> None:
    story = cup(4)
    story.enter(PlayerId("x"))
    assert season_line(story.tournament, PlayerId("x")) is None
    story.beats("b", "c")
    line = season_line(story.tournament, C)
    assert line is not None
    assert line.out
