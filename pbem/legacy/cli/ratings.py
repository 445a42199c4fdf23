"""`pbem ratings`: who is how good, all of it made anew, and pairs that an operator may look at."""

from __future__ import annotations

import gc
import time
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.legacy.cli.matches import names_of
from pbem.legacy.cli.opening import (
    AsJson,
    console,
    counted,
    database_of,
    reading,
    say,
    say_json,
    settings_of,
    table_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.standing.book import Memory
    from pbem.legacy.store.database import Database
    from pbem.legacy.store.ratings import Build

CHUNK: Final = 200_000
PART: Final = 20_000
SLOWLY: Final = 500
"""Matches that are computed at once by whoever remembers all before them, rows that are written at
once then, and matches that are entered at once by who has to ask."""

LEAST: Final = 5
PERCENT: Final = 90
"""Rated matches of a pair from which on they say something, and the share that one has won."""


def ratings(
    ctx: typer.Context,
    *,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make all of them anew from the log.")
    ] = False,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="List pairs whose results are one-sided.")
    ] = False,
    limit: Annotated[int, typer.Option(help="At most so many of a game.", min=1)] = 50,
    as_json: AsJson = False,
) -> None:
    """List who is how good at each game.

    --pairs lists who has played at least five rated matches of a game with each other, of which one
    has won nine of ten, or half ended on time or after few turns. There may be many good reasons:
    look at the matches, and `pbem match unrate` takes one out.
    """
    if rebuild:
        with database_of(settings_of(ctx)) as db:
            say(remade(db))
    elif pairs:
        _tell_pairs(reading(ctx, _pairs), as_json=as_json)
    else:
        from pbem.legacy.wiring.process import clock

        _tell_lists(reading(ctx, partial(_lists, now=clock(), limit=limit)), as_json=as_json)


# --- lists ---------------------------------------------------------------------------------------


def _lists(conn: Connection, *, now: datetime, limit: int) -> list[dict[str, Any]]:
    from pbem.games import GAMES
    from pbem.legacy.store import standings

    told = []
    for game in {one.key: one for one in GAMES.values()}.values():
        best = standings.best(conn, game.key, now, limit)
        names = names_of(conn, (one.player for one in best))
        told += [
            {
                "game": game.title,
                "place": place,
                "name": names[one.player],
                "rating": round(one.standing.rating.rating),
                "give_or_take": round(one.standing.now(now).deviation),
                "played": one.standing.played,
                "won": one.standing.won,
            }
            for place, one in enumerate(best, 1)
        ]
    return told


def _tell_lists(told: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        say_json(told)
    elif not told:
        say("Nobody has played enough rated matches yet.")
    else:
        cells = (
            [one["game"], one["place"], one["name"], f"{one['rating']} ±{one['give_or_take']}",
             one["played"], one["won"]]
            for one in told
        )  # fmt: skip
        console().print(table_of(("Game", "Place", "Name", "Rating", "Played", "Won"), cells))


# --- pairs ---------------------------------------------------------------------------------------


def _pairs(conn: Connection) -> list[dict[str, Any]]:
    from pbem.legacy.store import standings

    found = standings.one_sided(conn, LEAST, PERCENT)
    names = names_of(conn, {player for pair in found for player in (pair.one, pair.other)})
    return [
        {**pair._asdict(), "one": names[pair.one], "other": names[pair.other]} for pair in found
    ]


def _tell_pairs(told: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        say_json(told)
    elif not told:
        say("No pair has one-sided results.")
    else:
        cells = (
            [one["game"], f"{one['one']} - {one['other']}", one["matches"],
             f"{one['won']}:{one['lost']}", one["timed_out"], one["short"]]
            for one in told
        )  # fmt: skip
        console().print(table_of(("Game", "Pair", "Matches", "Won", "On time", "Short"), cells))


# --- rebuild -------------------------------------------------------------------------------------


def remade(db: Database) -> str:
    """Make all ratings anew, which take the place of those that are shown, and say what came of it.

    The service may run meanwhile: until the end everybody sees the ratings of before.
    """
    from pbem.legacy.store import standings
    from pbem.legacy.store.rebuilding import Overtaken

    began, again = time.monotonic(), 0
    while True:
        try:
            _Rebuild(db).run()
            break
        except Overtaken:
            again += 1
    count = db.read(standings.matches_of_people).result()
    words = f"{counted(count, 'match', 'matches')} of people in {time.monotonic() - began:.1f} s"
    if again:
        words += f", begun anew {counted(again, 'time')}: the operator corrected one meanwhile"
    return f"the ratings are made anew: {words}"


class _Rebuild:
    """A build in the making, and what is remembered of it, as long as nobody else goes on with it.

    `at` is how far it has come: the housekeeping of a service that runs takes part.
    """

    def __init__(self, db: Database) -> None:
        from pbem.legacy.standing.book import Memory

        self.db = db
        self.memory: Memory | None = Memory()
        self.at: Build | None = None

    def run(self) -> None:
        """Make it. Raises Overtaken."""
        from pbem.legacy.store import ratings

        self.at = self._write(ratings.rebuild)
        # What is remembered has no cycles, and to look for some in it takes a third of the time.
        gc.disable()
        try:
            while self.at is not None:
                if self.memory is not None:
                    self._quickly(self.at, self.memory)
                else:
                    self.at = self._write(partial(ratings.go_on, most=SLOWLY))
        finally:
            gc.enable()

    def _quickly(self, at: Build, memory: Memory) -> None:
        """Compute many, and put them part by part; what others have done meanwhile is found out."""
        from pbem.legacy.store import rebuilding, scopes

        waits = self.db.read(partial(rebuilding.read, build=at, most=CHUNK)).result()
        found = rebuilding.compute(at, waits, memory)
        for first in range(0, len(found.rows), PART):
            put = partial(rebuilding.put, portion=found, first=first, most=PART)
            if not self.db.write(put, scopes.OWN_ROWS).result():
                break
        self.at = self._write(partial(rebuilding.finish, portion=found))
        if self.at is not None and self.at != (at.number, found.reached):
            self.memory = None

    def _write(self, unit: Callable[[Connection], object]) -> Build | None:
        """Do it, and see how far the build has come then."""
        from pbem.legacy.store import scopes, standings

        def then_look(conn: Connection) -> Build | None:
            unit(conn)
            return standings.next_build(conn)

        return self.db.write(then_look, scopes.OWN_ROWS).result()
