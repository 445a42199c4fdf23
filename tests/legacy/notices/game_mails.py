"""Mails with the board of each game: who is new to it, knows it, learns it, is invited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import reduce
from pathlib import Path
from typing import Any, Final, Literal

from pbem.legacy.bots.analysis import analyse
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.legacy.matches.events import HintGiven
from pbem.legacy.matches.hints import HintAsked
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.replay import evolve, replay
from pbem.names import MatchId, PlayerId, bot_id
from pbem.legacy.notices.courtesies import HintAwaited, HintShown
from pbem.legacy.notices.news import Invitation, MatchOver, TurnPrompt
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.replies import AnalysisShown
from pbem.legacy.notices.views.matches import LEARNING
from pbem.legacy.notices.views.scene import Reader, Scene
from pbem.legacy.standing.book import Change, Inviter, Reliability
from pbem.legacy.standing.glicko import Rating
from pbem.legacy.store.log.event_log import event_of
from pbem.legacy.store.log.exported import read_export
from pbem.legacy.transaction.analyses import passed_of
from tests.legacy.notices.scenes import (
    ANN,
    BOB,
    NAMES,
    NOW,
    OPENING,
    begun,
    challenge,
    played,
    reader,
    resigned,
    scene,
)

SAMPLES: Final = Path(__file__).parents[3] / "events" / "legacy" / "samples"
PEOPLE: Final = ("Ann", "Bob", "Cleo", "Dan")


def recorded(ruleset: str, share: float = 1) -> Match:
    """A recorded match: all of it, or up to about a share of it, when somebody is to move."""
    export = read_export((SAMPLES / f"{ruleset}.jsonl").read_text("utf-8").splitlines())
    events: Any = [event_of(one) for one in export.events]

    def upto(count: int) -> Match:
        return replay(MatchId("K7QX2"), events[:count], dict(export.sealed))

    if share == 1:
        return upto(len(events))
    counts = range(int(len(events) * share), 0, -1)
    return next(match for match in map(upto, counts) if match.to_act and match.course.ply)


def about_of(match: Match) -> Scene:
    names = dict(zip(match.table.players, PEOPLE, strict=False))
    return scene(match, names=names)


def _when(match: Match) -> datetime:
    """When the mail of a turn goes out: as it begins."""
    running = match.clocks.running.values() if match.clocks is not None else ()
    return max((clock.since for clock in running), default=NOW)


def reader_of(match: Match, player: PlayerId) -> Reader:
    return Reader(player=player, name=about_of(match).names[player])


def taught(match: Match, learner: PlayerId) -> Match:
    """The match as if it had begun to teach somebody the game."""
    table = replace(match.table, challenger=learner)
    return replace(match, terms=replace(match.terms, lesson=True), table=table)


def _mails() -> Iterator[tuple[str, tuple[tuple[Notice, ...], Scene, Reader]]]:
    for game in GAMES.values():
        for name, share in (("early", 0.3), ("late", 0.7)):
            match = recorded(game.ruleset, share)
            acting = reader_of(match, match.player_at(match.to_act[0]))
            prompt = (TurnPrompt(match=match.id, seat=match.to_act[0], ply=match.course.ply),)
            known = {} if name == "early" else {match.id: LEARNING}
            about = replace(about_of(match), now=_when(match))
            acting = replace(acting, turns_elsewhere=known)
            yield f"{name}_in_{game.key}", (prompt, about, acting)
            if name == "early":
                teaching = replace(about, matches={match.id: taught(match, acting.player)})
                yield f"lesson_in_{game.key}", (prompt, teaching, acting)
        over = recorded(game.ruleset)
        assert over.status is Status.ENDED
        told = (MatchOver(match=over.id),)
        yield (
            f"match_over_in_{game.key}",
            (told, about_of(over), reader_of(over, over.table.players[0])),
        )
        asked = challenge("K7QX2", (ANN, BOB), ruleset=game.ruleset)
        invited = (Invitation(match=asked.id),)
        yield f"invitation_to_{game.key}", (invited, scene(asked), reader(BOB))


# --- hints ---------------------------------------------------------------------------------------
# A move and why, the last one, and what is shown where nobody advises.

ROBOT: Final = bot_id("strong", 1)
WITH_BOT: Final = played(begun(players=(ANN, ROBOT)), *OPENING)
OWN: Final = Seat(1)


def hinted(*hints: HintGiven) -> Match:
    """The match after its first seat has been given hints, each of which it had asked for."""
    match, first = WITH_BOT, HintAsked(seat=OWN, ply=WITH_BOT.course.ply)
    return reduce(evolve, [event for hint in hints for event in (first, hint)], match)


def given(
    why: Literal["wins", "saves", "gains", "best"], notation: str = "d2; chop d3", **facts: Any
) -> HintGiven:
    return HintGiven(seat=OWN, ply=WITH_BOT.course.ply, notation=notation, why=why, **facts)


def _shown(match: Match) -> tuple[tuple[Notice, ...], Scene, Reader]:
    shown = HintShown(match=match.id, seat=OWN, ply=match.course.ply)
    return (shown,), scene(match, names={**NAMES, ROBOT: "Robot (strong)"}), reader()


GAINS: Final = given("gains", terms=("points", "mature"), changes=((1, 0, 1, 0), (1, 0, 1, 0)))
LATER: Final = given(
    "gains",
    "d2; plant e2",
    terms=("room", "saplings"),
    changes=((1, 6, 9, 0), (2, 2, 1, 1)),
    replies=("a4; plant a3",),
)
AMONG_PEOPLE: Final = played(begun(), *OPENING)

HINT_MAILS: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "hint_awaited": (
        (HintAwaited(match=WITH_BOT.id, seat=OWN),),
        scene(WITH_BOT, names={**NAMES, ROBOT: "Robot (strong)"}),
        reader(),
    ),
    "hint_shown": _shown(hinted(GAINS)),
    "hint_shown_last": _shown(hinted(LATER, LATER, LATER)),
    "hint_shown_saves": _shown(hinted(given("saves", whom=Seat(2)))),
    "hint_shown_wins": _shown(hinted(given("wins"))),
    "hint_shown_best": _shown(hinted(given("best"))),
    "hint_shown_people": _shown(AMONG_PEOPLE),
}

GAME_MAILS: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = dict(_mails())


def given_up() -> Match:
    """A recorded match of which not much was played."""
    match = recorded("logger-1", 0.3)
    return resigned(match, match.table.players[1])


GIVEN_UP: Final = given_up()
ANALYSIS: Final = analyse(GIVEN_UP.game, passed_of(GIVEN_UP), "golden")
WINNER: Final = replace(reader(), player=GIVEN_UP.table.players[0])
FAILED: Final = AnalysisShown(match=GIVEN_UP.id, failed=True)
SHOWN: Final = AnalysisShown(match=GIVEN_UP.id)

ANALYSIS_MAILS: Final[dict[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "analysis_shown": (
        (SHOWN,),
        replace(about_of(GIVEN_UP), analyses={GIVEN_UP.id: ANALYSIS}),
        WINNER,
    ),
    "analysis_void": ((SHOWN,), about_of(GIVEN_UP), WINNER),
    "analysis_failed": ((FAILED,), about_of(GIVEN_UP), WINNER),
}
"""The analysis of a short match, and none."""


# --- ratings -------------------------------------------------------------------------------------

OVER = resigned(played(begun(), *OPENING), BOB)
ASKED = challenge("K7QX2", (ANN, BOB))


KNOWN: Final = Inviter(Rating(1540.4, 58.7), Reliability(12, 200, 4, 0), (7, 4, 3))


def _over(change: Change) -> tuple[tuple[Notice, ...], Scene, Reader]:
    told = replace(scene(OVER), standing={OVER.id: change})
    return (MatchOver(match=OVER.id),), told, reader()


def _invited(inviter: Inviter) -> tuple[tuple[Notice, ...], Scene, Reader]:
    told = replace(scene(ASKED), standing={ASKED.id: inviter})
    return (Invitation(match=ASKED.id),), told, reader(BOB)


RATED_MAILS: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    "match_over_rated": _over(Change(Rating(1540.4, 98.0), Rating(1556.2, 95.4), "")),
    "match_over_first_rating": _over(Change(None, Rating(1662.3, 290.3), "")),
    **{
        f"match_over_{why}": _over(Change(None, None, why))
        for why in ("wish", "private", "bot", "unmoved", "reassigned", "often", "late")
    },
    "invitation_of_known": _invited(KNOWN),
    "invitation_of_unknown": _invited(Inviter(None, Reliability(1, 9, 0, 0), (1, 0, 1))),
}

HINTS_AND_RATINGS: Final[Mapping[str, tuple[tuple[Notice, ...], Scene, Reader]]] = {
    **HINT_MAILS,
    **RATED_MAILS,
}
