"""Weeks of four people over all four games: every clock and every mail can be explained."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from pbem.matches.match import Status
from pbem.names import MatchId
from pbem.store import views
from pbem.store.log import event_log
from pbem.transaction.installation import load_match, match_stream
from tests.clubs.club import open_club
from tests.whole.explained import unexplained
from tests.whole.season import ANN, BOB, CLEO, DEE, Season
from tests.whole.year import Driven

if TYPE_CHECKING:
    from sqlalchemy import Connection

GOLDEN: Final = Path(__file__).parent / "golden"


def script(season: Season) -> None:
    """What they do besides playing."""
    for day, person, text in (
        (0.0, ANN, "hello"),
        (0.05, ANN, "yes"),
        (0.1, ANN, f"new logger with {BOB.address}, {CLEO.address}, {DEE.address} time=medium"),
        (1.55, ANN, f"new looney ludo with {BOB.address}, {DEE.address} time=medium"),
        (1.45, BOB, "accept"),
        (1.5, BOB, f"new logan stones with {CLEO.address} time=fast"),
        (1.6, DEE, f"new landrush with {ANN.address}, {CLEO.address}"),
        (3.0, ANN, "tz Europe/Paris\nquiet 22-7"),
        (3.1, DEE, "rest sat sun"),
        (4.0, DEE, "{logger} say Are you all asleep?"),
        (4.5, BOB, "{logger} say Patience, Dee. Some of us work."),
        (5.0, DEE, "{logger} mute Bob"),
        (6.0, CLEO, "away 6 days"),
        (9.0, CLEO, "back"),
        (10.0, ANN, "lang de"),
        (11.0, DEE, "{logger} resign"),
        (11.1, DEE, "no"),
        (15.0, ANN, "games"),
        (18.0, ANN, "digest 18:00"),
        (26.0, CLEO, "start"),
        (28.0, BOB, "remind 12h"),
        (30.0, DEE, "{landrush} undo"),
        (36.0, ANN, "{logger} say Da sind wir wieder."),
        (40.0, BOB, "{looney_ludo} note Dee always attacks first."),
        (14.0, DEE, "{logger} resign yes"),
        (45.0, ANN, "digest off"),
        (50.0, DEE, "{looney_ludo} offer draw"),
        (55.0, BOB, "games next"),
    ):
        season.plan(day, person, text)


@pytest.mark.parametrize("days", [21, pytest.param(60, marks=pytest.mark.slow)])
async def test_weeks_can_be_explained(
    tmp_path: Path, golden: Callable[[Path, str], None], days: int
) -> None:
    random.seed(5)
    clock = Driven(datetime(2026, 11, 21, 9, 0, tzinfo=UTC))
    club = open_club(tmp_path, clock=clock, window=5)
    season = Season(club, clock)
    script(season)
    await season.live(days=days)
    db = club.house.db
    found = await asyncio.wrap_future(db.read(lambda conn: list(unexplained(conn, club))))
    assert found == []
    kinds = await asyncio.wrap_future(db.read(_kinds))
    golden(GOLDEN / f"{days}_days.txt", "\n".join([*season.diary, "", *kinds, ""]))
    club.house.db.close()


def _kinds(conn: Connection) -> list[str]:
    """How often everything happened, in all matches."""
    counts: dict[str, int] = {}
    for row in views.matches(conn, None, limit=100):
        for event in event_log.load(conn, match_stream(MatchId(row.id))):
            counts[event.type] = counts.get(event.type, 0) + 1
    ended = sum(
        load_match(conn, row.id).match.status is Status.ENDED
        for row in views.matches(conn, None, limit=100)
    )
    return [f"{count:5} {kind}" for kind, count in sorted(counts.items())] + [f"{ended:5} over"]
