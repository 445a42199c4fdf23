"""Ratings made anew from a log of very many matches, and how long whoever asks for them waits.

`./run bench ratings [1000000] [--only sqlite]`: so many matches of two players (100,000 unless said
otherwise), a player for each hundred, on SQLite and PostgreSQL. Beside it what the formula alone
takes for as many. Those who are asked about have the logs of their last matches, as a profile reads
them; all others have the ends alone.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, func, insert, select

from bench._club import house
from bench._postgres import postgres, server_of
from bench._processor import spent_by
from pbem.cli.ratings import remade
from pbem.names import MatchId, PlayerId
from pbem.standing.book import Memory, Result, entries
from pbem.store import standings, tables
from pbem.store.codec import canonical
from pbem.store.log.event_log import RecordedEvent
from pbem.store.log.exported import read_export
from pbem.store.people import roster
from pbem.transaction.installation import House, match_stream
from pbem.transaction.profiles import LAST, profile

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
CHUNK = 20_000
GAMES = ("logger", "landrush", "logan_stones", "looney_ludo")
MATCHES = 100_000
PER_PLAYER = 100
ASKED = 20
"""Players who are asked about, of all strengths."""

SAMPLE: Final = Path(__file__).parents[1] / "events" / "samples" / "logger-1.jsonl"


# --- a log ---------------------------------------------------------------------------------------


def people_of(matches: int) -> list[PlayerId]:
    """Everybody, the best last."""
    return [PlayerId(f"{number:010}") for number in range(max(2, matches // PER_PLAYER))]


def results(matches: int, until: datetime, people: Sequence[PlayerId] = ()) -> Iterator[Result]:
    """Matches of people who are not equally good, one every few minutes, the last of them now."""
    dice, people = random.Random(1), people or people_of(matches)
    at = until - timedelta(minutes=5.2 * matches)
    for number in range(1, matches + 1):
        at += timedelta(minutes=dice.uniform(1, 9))
        one, other = dice.sample(range(len(people)), 2)
        won = dice.random() < 1 / (1 + 2 ** ((other - one) / len(people) * 8))
        places = (1, 2) if won else (2, 1)
        record = tuple((place, 20, 0, 0) for place in places)
        game = GAMES[number % len(GAMES)]
        yield Result(number, f"M{number}", game, at, (people[one], people[other]), record, "")


def fill(conn: Connection, matches: int, until: datetime) -> None:
    """Their ends in the log, and everybody a player."""
    fill_log(conn, results(matches, until))
    for one in people_of(matches):
        roster.add_player(conn, one, address=f"{one}@example.org", name=one, now=BEGAN)
        roster.confirm(conn, one)


def fill_log(conn: Connection, ended: Iterator[Result]) -> None:
    """Their ends in a log that is empty."""
    position = 0
    while some := list(islice(ended, CHUNK)):
        conn.execute(insert(tables.stream), [_stream(one.match, one.at) for one in some])
        conn.execute(insert(tables.event), [_end(one) for one in some])
        position = some[-1].position
    conn.execute(tables.log_head.update().values(position=position))


def _stream(match: str, at: datetime) -> dict[str, Any]:
    return {
        "id": match_stream(MatchId(match)),
        "category": "match",
        "version": 1,
        "head_hash": "0" * 64,
        "created_at": at,
        "closed_at": None,
    }


def _end(one: Result) -> dict[str, Any]:
    data = {
        "people": [*one.people],
        "placings": [1, 2],
        "unrated": "",
        "record": [[*line] for line in one.record],
        "termination": "points",
    }
    meta = {"actor": "", "caused_by": one.match, "ruleset": f"{one.game}-1"}
    return {
        "position": one.position,
        "stream": match_stream(MatchId(one.match)),
        "version": 1,
        "event_id": one.match,
        "type": "MatchEnded",
        "schema": 1,
        "data": canonical(data),
        "meta": canonical(meta),
        "recorded_at": one.at,
        "hash": "0" * 64,
    }


def know(conn: Connection, player: PlayerId) -> None:
    """Let the last matches of somebody have been played move by move: as the sample was."""
    with SAMPLE.open(encoding="utf-8") as lines:
        recorded = read_export(lines).events
    head = conn.execute(select(func.max(tables.event.c.position))).scalar_one()
    result = tables.result.c
    for one in standings.ended(conn, player, limit=LAST):
        name = MatchId(f"{one.match}of{player}")
        played = [replace(each, stream=match_stream(name)) for each in recorded]
        conn.execute(
            insert(tables.stream),
            [_stream(name, one.ended_at) | {"version": len(played), "head_hash": played[-1].hash}],
        )
        rows = [_row(each, head + at) for at, each in enumerate(played, 1)]
        conn.execute(insert(tables.event), rows)
        head += len(rows)
        mine = (result.player == player, result.match == one.match)
        conn.execute(tables.result.update().where(*mine).values(match=name))


def _row(one: RecordedEvent, position: int) -> dict[str, Any]:
    known = {column.name: getattr(one, column.name, None) for column in tables.event.columns}
    return known | {"position": position, "event_id": f"{one.stream}:{one.version}"}


# --- asking --------------------------------------------------------------------------------------


def asks(place: House, player: PlayerId, other: PlayerId) -> Mapping[str, Callable[..., object]]:
    """What is asked of somebody, as the orders, pages and mails of that name ask it."""
    now, game = place.now(), GAMES[0]

    def a_list(conn: Connection) -> None:
        standings.best(conn, game, now, 25)
        standings.standings_of(conn, player)
        standings.rank(conn, game, player, now)

    def all_lists(conn: Connection) -> None:
        standings.standings_of(conn, player)
        for each in GAMES:
            standings.best(conn, each, now, 5)
            standings.rank(conn, each, player, now)

    def whole(conn: Connection) -> None:
        row = roster.player(conn, player)
        if row is None or profile(conn, place, row, own=True) is None:
            raise LookupError(player)

    def page(conn: Connection) -> None:
        for each in GAMES:
            roster.players(conn, [one.player for one in standings.best(conn, each, now, 10)])

    def course(conn: Connection) -> None:
        for each in GAMES:
            standings.ended(conn, player, game=each, limit=200)

    return {
        "ratings GAME": a_list,
        "ratings": all_lists,
        "profile": whole,
        "the club's page": page,
        "the pictures of a player's page": course,
        "an invitation": lambda conn: standings.inviter(conn, game, player, other, now),
        "who may sit": lambda conn: standings.reliability(conn, [player], now),
    }


def ask(place: House, matches: int, server: int | None) -> Iterator[str]:
    """How long each of it takes of the clock and of the processor: in the middle, and at most."""
    people = people_of(matches)
    asked = people[:: len(people) // ASKED][:ASKED]
    for player in asked:
        place.db.write(partial(know, player=player)).result()
    for name in asks(place, *asked[:2]):
        clock, spent = list[float](), list[float]()
        for player, other in zip(asked, [*asked[1:], asked[0]], strict=True):
            unit = asks(place, player, other)[name]
            used, began = _used(server), time.perf_counter()
            place.db.read(unit).result()
            clock.append(1000 * (time.perf_counter() - began))
            spent.append(1000 * (_used(server) - used))
        yield (
            f"  {name:32} {statistics.median(clock):6.1f} ms, at most {max(clock):6.1f};"
            f" of the processor {statistics.median(spent):6.1f} ms, at most {max(spent):6.1f}"
        )


def _used(server: int | None) -> float:
    """Seconds of the processor, ours and the server's."""
    return time.process_time() + (spent_by(server) if server is not None else 0.0)


# --- measuring -----------------------------------------------------------------------------------


def alone(matches: Iterable[Result]) -> float:
    """Seconds of the processor that the formula takes for matches that are in memory."""
    memory, spent = Memory(), 0.0
    found = iter(matches)
    while some := list(islice(found, CHUNK)):
        began = time.process_time()
        for one in some:
            memory.keep(entries(one, memory))
        spent += time.process_time() - began
    return spent


def measure(place: House, matches: int, server: int | None) -> Iterator[str]:
    """Fill, make anew, ask."""
    place.db.write(partial(fill, matches=matches, until=place.now())).result()
    before = spent_by(server) if server is not None else 0.0
    began, clock = time.process_time(), time.perf_counter()
    remade(place.db)
    ours = time.process_time() - began
    theirs = spent_by(server) - before if server is not None else 0.0
    said = f"  made anew: {matches / (ours + theirs):,.0f} matches/s of one core, with their rows"
    if server is not None:
        said += f" ({matches / ours:,.0f} without what the server used)"
    yield f"{said}; {matches / (time.perf_counter() - clock):,.0f}/s of the clock"
    yield from ask(place, matches, server)


def main() -> None:
    """Print matches a second, and milliseconds of each that is asked."""
    given = sys.argv[1:]
    matches = next((int(word) for word in given if word.isdigit()), MATCHES)
    seconds = alone(results(matches, datetime.now(UTC)))
    print(f"{matches:,} matches, {len(people_of(matches)):,} players")
    print(f"  the formula alone: {matches / seconds:,.0f} matches/s of one core", flush=True)
    for engine in ("sqlite", "postgresql"):
        if "--only" in given and engine not in given:
            continue
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))
            url, server = None, None
            if engine == "postgresql":
                url = stack.enter_context(postgres(folder))("ratings")
                server = server_of(folder)
            place = house(folder, url)
            stack.enter_context(closing(place.db))
            print(engine)
            for line in measure(place, matches, server):
                print(line, flush=True)


if __name__ == "__main__":
    main()
