"""The mails about tournaments, of which golden ones are kept with those of other notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pbem.names import PlayerId
from pbem.notices.notice import Notice
from pbem.notices.reactions.tournaments import season_news, shown
from pbem.notices.tournaments import StandingsShown, TournamentLine, TournamentsListed
from pbem.notices.views.scene import Reader, Scene
from pbem.tournaments import decide, tables
from pbem.tournaments.tournament import initial
from tests.notices.scenes import reader, scene
from tests.tournaments.story import NAME, REASON, Story, cup, ladder, league

NAMES: Final = {
    PlayerId(one[0].casefold()): one
    for one in ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal Montgomery-Featherstone")
}
SCENE: Final = replace(scene(), names=NAMES)
YOU: Final = Reader(player=PlayerId("a"), name="Ann")


def _equal() -> Story:
    """Four of whom two are equal in points and direct result, and one lost on time."""
    story = league(4)
    for one, other in ("ac", "da", "cb", "bd"):
        story.beats(one, other)
    story.draw("a", "b")
    story.beats("c", "d", late=True)
    return story


def _level() -> Story:
    """A circle of three above the fourth, one of whom lost on time."""
    story = league(4)
    story.beats("a", "b", late=True)
    for one, other in ("bc", "ca", "ad", "bd", "cd"):
        story.beats(one, other)
    return story


def _two_groups() -> Story:
    story = league(8, group=4)
    story.plays_all()
    return story


def _news(story: Story, player: str = "a") -> tuple[Notice, ...]:
    """The newest news of a season to somebody."""
    events = [caused.event for caused in story.stream]
    told = [*season_news(events, initial(NAME), story.tournament)]
    return ([notice for who, notice in told if who == player][-1],)


def _started(story: Story, player: str = "a") -> tuple[Notice, ...]:
    events = [caused.event for caused in story.stream]
    told = season_news(events, initial(NAME), story.tournament)
    return (next(notice for who, notice in told if who == player),)


def _corrected() -> tuple[Notice, ...]:
    story = league(4)
    story.plays_all()
    before = story.tournament
    table = story.table("a", "b")
    placings = (1, 2) if table.players[0] == "b" else (2, 1)
    events = story.does(
        tables.correct, season=1, table=table.number, placings=placings, author="o", reason=REASON
    )
    told = season_news(events, before, story.tournament)
    return (next(notice for who, notice in told if who == "a"),)


def _gone() -> StandingsShown:
    """Somebody has withdrawn early: their result stands in brackets."""
    story = league(5)
    story.beats("d", "a")
    story.does(decide.withdraw, PlayerId("d"))
    story.draw("a", "b")
    return StandingsShown(
        player=PlayerId("a"),
        tournament="spring-league",
        kind="league",
        game="logger",
        season=1,
        running=True,
        tables=shown(story.tournament, story.season),
    )


def _played(story: Story) -> Story:
    story.plays_all()
    return story


LISTED = TournamentsListed(
    lines=(
        TournamentLine(
            name="spring-league",
            kind="league",
            game="logger",
            status="running",
            season=2,
            entered=13,
            mine=True,
        ),
        TournamentLine(
            name="autumn-cup",
            kind="cup",
            game="landrush",
            status="open",
            season=0,
            entered=1,
            mine=False,
            due="2026-12-01T18:00:00+00:00",
        ),
    )
)

TOURNAMENT_MAILS: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "season_started": (_started(league(8, group=4)), SCENE, YOU),
    "season_started_cup": (_started(cup(5)), SCENE, YOU),
    "season_started_ladder": (_started(ladder(4), "c"), SCENE, YOU),
    "season_over_won": (_news(_played(league(5))), SCENE, YOU),
    "season_over_equal": (_news(_equal()), SCENE, YOU),
    "season_over_level": (_news(_level()), SCENE, YOU),
    "season_over_promoted": (
        _news(_two_groups(), _two_groups().season.moves[0].player), SCENE, YOU,
    ),
    "season_over_relegated": (
        _news(_two_groups(), _two_groups().season.moves[1].player), SCENE, YOU,
    ),
    "season_over_corrected": (_corrected(), SCENE, YOU),
    "season_over_cup": (_news(_played(cup(8)), "c"), SCENE, YOU),
    "standings_shown": ((_gone(),), SCENE, YOU),
    "standings_shown_before": (
        (replace(_gone(), season=0, running=False, tables=()),), SCENE, YOU,
    ),
    "tournaments_listed": ((LISTED,), SCENE, YOU),
    "tournaments_listed_none": ((TournamentsListed(lines=()),), SCENE, reader()),
}  # fmt: skip
