"""Another program, which reads nothing but the exported log, comes to the same ratings."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, select

from pbem.store import ratings, tables
from pbem.store.database import Database
from pbem.store.log import event_log, exchange
from tests.standing.second import recount
from tests.store.ratings.league import Year


@pytest.mark.parametrize("seed", [1, 2])
def test_two_programs_come_to_the_same_ratings(db: Database, seed: int) -> None:
    year = Year(seed, players=9)

    def unit(conn: Connection) -> None:
        for _ in range(120):
            year.play(conn, corrections=0.05)
            ratings.follow(conn)
        while not ratings.follow(conn):
            pass
        streams = event_log.streams(conn, "match")
        found = recount(line for stream in streams for line in exchange.export(conn, stream))
        rows = conn.execute(select(tables.rating)).all()
        assert {(row.game, row.player) for row in rows} == found.keys()
        for row in rows:
            rating, deviation, played, won = found[row.game, row.player]
            assert (row.played, row.won) == (played, won)
            assert row.rating == pytest.approx(rating, abs=1e-3)
            assert row.deviation == pytest.approx(deviation, abs=1e-3)

    db.write(unit).result()
