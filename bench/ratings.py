"""Ratings made anew from a log of very many matches, and how long their lists take.

`./run bench ratings [100000]`: so many matches of two players, a player for each hundred. Beside
it what the formula alone takes for as many.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, insert

from pbem.names import PlayerId
from pbem.standing.book import Memory, Result, entries
from pbem.store import ratings, standings, tables
from pbem.store.codec import canonical
from pbem.store.database import Database
from pbem.store.schema import migrate

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
CHUNK = 20_000
GAMES = ("logger", "landrush", "logan_stones", "looney_ludo")
MATCHES = 100_000
PER_PLAYER = 100
ASKED = 20


def results(matches: int) -> list[Result]:
    """Matches of people who are not equally good, one every few minutes."""
    dice = random.Random(1)
    people = [f"{number:010}" for number in range(max(2, matches // PER_PLAYER))]
    at, found = BEGAN, []
    for number in range(1, matches + 1):
        at += timedelta(minutes=dice.uniform(1, 9))
        one, other = dice.sample(range(len(people)), 2)
        won = dice.random() < 1 / (1 + 2 ** ((other - one) / len(people) * 8))
        places = (1, 2) if won else (2, 1)
        record = tuple((place, 20, 0, 0) for place in places)
        game = GAMES[number % len(GAMES)]
        found.append(
            Result(number, f"M{number}", game, at, (people[one], people[other]), record, "")
        )
    return found


def fill(conn: Connection, matches: list[Result]) -> None:
    """Their ends in the log, and everybody a player."""
    for start in range(0, len(matches), CHUNK):
        some = matches[start : start + CHUNK]
        conn.execute(
            insert(tables.stream),
            [
                {"id": f"match-{one.match}", "category": "match", "version": 1,
                 "head_hash": "0" * 64, "created_at": one.at, "closed_at": None}
                for one in some
            ],
        )  # fmt: skip
        conn.execute(
            insert(tables.event),
            [
                {"position": one.position, "stream": f"match-{one.match}", "version": 1,
                 "event_id": one.match, "type": "MatchEnded", "schema": 1,
                 "data": canonical({"people": [*one.people], "placings": [1, 2], "unrated": "",
                                    "record": [[*line] for line in one.record],
                                    "termination": "points"}),
                 "meta": canonical({"actor": "", "caused_by": one.match,
                                    "ruleset": f"{one.game}-1"}),
                 "recorded_at": one.at, "hash": "0" * 64}
                for one in some
            ],
        )  # fmt: skip
    conn.execute(tables.log_head.update().values(position=len(matches)))
    people = sorted({player for one in matches for player in one.people})
    conn.execute(
        insert(tables.player),
        [
            {"id": one, "name": one, "name_folded": one, "generation": 0, "wishes": "{}",
             "private_comments": False, "banned": False, "created_at": BEGAN}
            for one in people
        ],
    )  # fmt: skip


def main() -> None:
    """Print matches a second, and milliseconds a list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int, nargs="?", default=MATCHES)
    matches = results(parser.parse_known_args()[0].matches)
    memory = Memory()
    began = time.process_time()
    for one in matches:
        memory.keep(entries(one, memory))
    alone = time.process_time() - began
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pbem.db"
        migrate(path)
        db = Database.open(f"sqlite:///{path}")
        db.write(lambda conn: fill(conn, matches)).result()
        began, memory = time.process_time(), Memory()
        db.write(ratings.rebuild).result()
        while not db.write(lambda conn: ratings.go_on(conn, CHUNK, memory)).result():
            pass
        whole = time.process_time() - began
        now = matches[-1].at
        began = time.perf_counter()
        for _ in range(ASKED):
            db.read(lambda conn: standings.best(conn, GAMES[0], now, 100)).result()
        a_list = (time.perf_counter() - began) / ASKED
        player = PlayerId(matches[0].people[0])
        began = time.perf_counter()
        for _ in range(ASKED):
            db.read(lambda conn: standings.ended(conn, player, limit=50)).result()
            db.read(lambda conn: standings.standings_of(conn, player)).result()
            db.read(lambda conn: standings.reliability(conn, [player], now)).result()
        a_player = (time.perf_counter() - began) / ASKED
        db.close()
    count = len(matches)
    sys.stdout.write(
        f"{count:,} matches, {len({one for match in matches for one in match.people}):,} players:"
        f" {count / whole:,.0f} matches/s of one core made anew, with their rows;"
        f" {count / alone:,.0f}/s the formula alone.\n"
        f"The first 100 of a list: {1000 * a_list:.1f} ms;"
        f" what a player's page asks: {1000 * a_player:.1f} ms.\n"
    )


if __name__ == "__main__":
    main()
