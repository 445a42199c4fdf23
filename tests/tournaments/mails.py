"""The mails about tournaments, of which golden ones are kept with those of other notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from pbem.games.game import Seat
from pbem.matches.match import Match
from pbem.names import PlayerId
from pbem.notices.news import MatchBegan, MatchOver, TurnPrompt
from pbem.notices.notice import Notice
from pbem.notices.seasons import rounds_shown, season_news, shown
from pbem.notices.tournaments import (
    PairDecided,
    SeasonLine,
    SeasonNews,
    StandingsShown,
    TakenOut,
    TournamentLine,
    TournamentsListed,
)
from pbem.notices.views.scene import Reader, Scene
from pbem.tournaments import decide, tables
from pbem.tournaments.at_table import AtTable
from pbem.tournaments.tournament import initial
from tests.notices.scenes import BOB, OPENING, begun, played, reader, resigned, scene
from tests.tournaments.story import NAME, REASON, Story, cup, ladder, league, players

NAMES: Final = {
    PlayerId(one[0].casefold()): one
    for one in ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal Montgomery-Featherstone")
}
SCENE: Final = replace(scene(), names=NAMES)
Mail: TypeAlias = tuple[tuple[Notice, ...], Scene, Reader]
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


def _rounds() -> StandingsShown:
    """A cup in its second round."""
    story = cup(6)
    for one, other in ("cf", "de"):
        story.beats(one, other)
    return StandingsShown(
        player=PlayerId("a"),
        tournament="spring",
        kind="cup",
        game="logger",
        season=1,
        running=True,
        tables=(),
        rounds=rounds_shown(story.season),
    )


def _absent() -> Story:
    """Somebody has lost every match on time."""
    story = league(4)
    for other in "bcd":
        story.beats(other, "a", late=True)
    story.plays_all()
    return story


def _closed() -> Story:
    story = league(4)
    story.does(decide.close, author="o", reason=REASON)
    story.plays_all()
    return story


def _put_off() -> tuple[Notice, ...]:
    story = Story()
    story.enter(*players(3))
    story.does(decide.plan, begins=story.now)
    before = story.tournament
    told = season_news(story.does(decide.begin_in_time), before, story.tournament)
    return (next(notice for who, notice in told if who == "a"),)


def _in_season(one: AtTable, match: Match, notice: Notice) -> Mail:
    """A mail of a match that is one of a tournament."""
    terms = replace(match.terms, tournament="spring")
    shown = scene(replace(match, terms=terms))
    return (notice,), replace(shown, at_tables={match.id: one}), reader()


def _played(story: Story) -> Story:
    story.plays_all()
    return story


def _prompt_in_season() -> Mail:
    match = replace(BEGUN, terms=replace(BEGUN.terms, tournament="spring"))
    return (TurnPrompt(match=match.id, seat=Seat(1), ply=match.course.ply),), scene(match), reader()


PEOPLE: Final = players(30)
LONG: Final = replace(SCENE, names={who: f"P{at}" for at, who in enumerate(PEOPLE)})
BEGUN: Final = played(begun(), *OPENING)
ENDED: Final = resigned(BEGUN, BOB)

IN_LEAGUE: Final = AtTable(
    tournament=NAME, kind="league", season=2, group=1, groups=2, place=2, of=5, points=7
)
IN_CUP: Final = AtTable(tournament=NAME, kind="cup", season=1, round=1, rounds=3)
ON_LADDER: Final = AtTable(
    tournament=NAME, kind="ladder", season=1, place=9, of=12, other=4, prize=6
)
DECIDED: Final = PairDecided(
    tournament="spring",
    game="logger",
    season=1,
    round=1,
    rounds=3,
    other=PlayerId("b"),
    why="alone",
    on=True,
)
SEASONS: Final = SeasonNews(
    player=PlayerId("a"),
    lines=(
        SeasonLine(
            tournament="spring", kind="league", season=2, group=1, groups=2,
            leader=PlayerId("b"), most=9, place=2, of=5, points=7,
        ),
        SeasonLine(
            tournament="autumn", kind="league", season=1, group=1, groups=1,
            leader=PlayerId("a"), most=2, place=1, of=4, points=2,
        ),
        SeasonLine(tournament="cup", kind="cup", season=1, round=2, rounds=3),
        SeasonLine(tournament="old-cup", kind="cup", season=4, round=4, rounds=4, out=True),
        SeasonLine(
            tournament="ladder", kind="ladder", season=1, leader=PlayerId("c"), place=6, of=12
        ),
        SeasonLine(
            tournament="hill", kind="ladder", season=1, leader=PlayerId("a"), place=1, of=9
        ),
    ),
)  # fmt: skip

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
    "season_over_absent": (_news(_absent()), SCENE, YOU),
    "season_over_closed": (_news(_closed()), SCENE, YOU),
    "season_put_off": (_put_off(), SCENE, YOU),
    "season_started_long": (
        _started(ladder(30), PEOPLE[20]), LONG, Reader(player=PEOPLE[20], name="P20"),
    ),
    "season_news": ((SEASONS,), SCENE, YOU),
    "taken_out": ((TakenOut(tournament="spring", game="logger", playing=2),), SCENE, YOU),
    "taken_out_idle": ((TakenOut(tournament="spring", game="logger", playing=0),), SCENE, YOU),
    "pair_decided_alone": ((replace(DECIDED, other=None),), SCENE, YOU),
    "pair_decided_left": ((replace(DECIDED, why="left", round=2),), SCENE, YOU),
    "pair_decided_expired": ((replace(DECIDED, why="expired", on=False),), SCENE, YOU),
    "pair_decided_void": ((replace(DECIDED, why="void", on=False),), SCENE, YOU),
    "standings_shown_cup": ((_rounds(),), SCENE, YOU),
    "match_began_in_season": _in_season(IN_LEAGUE, BEGUN, MatchBegan(match=BEGUN.id)),
    "match_began_in_cup": _in_season(
        replace(IN_CUP, again=True), BEGUN, MatchBegan(match=BEGUN.id)
    ),
    "match_began_on_ladder": _in_season(ON_LADDER, BEGUN, MatchBegan(match=BEGUN.id)),
    "match_over_in_season": _in_season(IN_LEAGUE, ENDED, MatchOver(match=ENDED.id)),
    "match_over_in_cup": _in_season(replace(IN_CUP, goes="on"), ENDED, MatchOver(match=ENDED.id)),
    "match_over_in_cup_level": _in_season(
        replace(IN_CUP, again=True, level=True, goes="out"), ENDED, MatchOver(match=ENDED.id)
    ),
    "match_over_on_ladder": _in_season(
        replace(ON_LADDER, goes="up", place=6), ENDED, MatchOver(match=ENDED.id)
    ),
    "turn_prompt_in_season": _prompt_in_season(),
    "standings_shown": ((_gone(),), SCENE, YOU),
    "standings_shown_before": (
        (replace(_gone(), season=0, running=False, tables=()),), SCENE, YOU,
    ),
    "tournaments_listed": ((LISTED,), SCENE, YOU),
    "tournaments_listed_none": ((TournamentsListed(lines=()),), SCENE, reader()),
}  # fmt: skip
