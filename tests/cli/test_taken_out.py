"""A match of guests that came from a file goes again, with what it came to."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.store import tables, views
from pbem.store.database import Database
from pbem.store.log import exchange
from tests.cli.service import Service
from tests.clubs.club import ANN, BOB, open_club
from tests.intake.test_conversations import at_play

pytestmark = pytest.mark.sqlite


async def exported(folder: Path) -> tuple[str, Path]:
    """A match of two people that was resigned after some moves, by name, and its file."""
    club = open_club(folder)
    with closing(club.house.db):
        name = await at_play(club)
        await club.answer(ANN, "e3 plant d3")
        await club.insist(BOB, "resign")

        def lines(conn: Any) -> list[str]:
            row = views.match_row(conn, name)
            assert row is not None
            names = dict(zip(row.players, ("Ann", "Bob"), strict=True))
            return list(exchange.export(conn, f"match-{name}", names))

        found: Any = await club.read(lines)
    file = folder / "match.jsonl"
    file.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    return name, file


def rated(service: Service) -> list[tuple[Any, ...]]:
    with closing(Database.open(service.database)) as db:
        columns = (tables.result.c.player, tables.result.c.match, tables.result.c.rating)
        return db.read(lambda conn: [tuple(row) for row in conn.execute(select(*columns))]).result()


async def test_ratings_forget_a_match_that_is_taken_out_and_know_it_again(
    service: Service, tmp_path: Path
) -> None:
    name, file = await exported(tmp_path)
    other = Service(tmp_path / "other")
    other.folder.mkdir()
    other.write(service.config.read_text())
    other.run("init", "--yes")
    for _ in range(2):
        other.run("import", str(file))
        other.run("ratings", "--rebuild")
        assert {match for _, match, _ in rated(other)} == {name}
        assert "WRONG" not in other.run("check", "--offline", "--deep")
        other.run("import", "--remove", name)
        assert rated(other) == []
        other.run("ratings", "--rebuild")
        assert rated(other) == []
        assert "WRONG" not in other.run("check", "--offline", "--deep")
