"""What `pbem dataset` gives away: every public match that is over, and nobody's name."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from pbem.cli import dataset, record
from pbem.names import MatchId
from pbem.store import views
from pbem.store.database import Database
from pbem.store.log import exchange
from pbem.store.people import roster
from pbem.transaction.dataset import TABLES, Masks
from pbem.transaction.installation import match_stream
from tests.cli.service import Service, make
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.kept import kept

ROOT = Path(__file__).parents[2]
KNOWN = {"title": "Club", "licence": "CC BY 4.0", "made": "2026-11-21", "format": "1", "pbem": "1"}
KEY = bytes(range(32))


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def played(club: Club, order: str, other: str, *moves: str) -> str:
    """A match of Ann's, in which these moves are played by turns before the other resigns."""
    await club.write(ANN, order)
    await club.answer(ANN, "yes")
    name = club.last(ANN).subject.partition("]")[0].split()[-1]
    await club.answer(other, "accept")
    for number, move in enumerate(moves):
        await club.answer((ANN, other)[number % 2], f"{name} {move}")
    await club.insist(other, f"{name} resign")
    return name


@kept
async def some(club: Club) -> tuple[str, ...]:
    """Matches that are over: with Bob, in private, with Cleo, who goes, and of hidden stones."""
    for person in (BOB, CLEO):
        await club.write(person, "games")
        await club.answer(person, "yes")
    return (
        await played(club, f"new logger with {BOB} seat_order=given", BOB, "e1", "a5"),
        await played(club, f"new logger with {BOB} private seat_order=given", BOB, "e1", "a5"),
        await played(club, f"new logger with {CLEO} seat_order=given", CLEO, "a1"),
        await played(club, f"new logan_stones with {BOB}", BOB),
    )


async def written(club: Club, folder: Path, key: bytes = KEY) -> list[dict[str, Any]]:
    """The lines of a dataset of a club."""
    await asyncio.to_thread(dataset.write, club.house.db, folder, KNOWN, key)
    lines = (folder / dataset.LINES).read_text().splitlines()
    return [json.loads(line) for line in lines]


def rows(folder: Path, wanted: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / dataset.TABLES)) as tables:
        return tables.execute(wanted, values).fetchall()


def service_in(folder: Path) -> Service:
    folder.mkdir()
    return make(folder)


async def test_every_public_match_that_is_over_is_in_it_and_no_other(
    club: Club, tmp_path: Path
) -> None:
    await some(club)
    await club.write(ANN, f"new logger with {BOB}")  # and one that runs
    await club.answer(BOB, "accept")
    lines = await written(club, tmp_path / "data")
    first = [[one["text"] for one in line["plies"] if one["kind"] == "move"] for line in lines]
    assert sorted((line["game"], *texts) for line, texts in zip(lines, first, strict=True)) == [
        ("logan_stones",),
        ("logger", "place a1"),
        ("logger", "place e1", "place a5"),
    ]
    (whole,) = (line for line in lines if line["ply_count"] == 2)
    assert whole["ruleset"] == "logger-1"
    assert whole["began"] == whole["ended"] == "2026-11-21"
    assert whole["termination"] == "last_seat"
    assert [(seat["seat"], seat["place"]) for seat in whole["seats"]] == [(1, 1), (2, 2)]
    assert [one["kind"] for one in whole["plies"]][-1] == "left"
    assert "CC BY 4.0" in (tmp_path / "data" / dataset.ABOUT).read_text()
    assert dict(rows(tmp_path / "data", "select * from about")) == KNOWN


async def test_nothing_in_it_leads_to_anybody(club: Club, tmp_path: Path) -> None:
    names = await some(club)
    people = [await club.read(partial(roster.player_by_address, address=one)) for one in (ANN, BOB)]
    await written(club, tmp_path / "data")
    ours = {ANN, BOB, CLEO, "Ann", "Bob", "Cleo", *names}
    ours |= {row.id for row in people if isinstance(row, roster.PlayerRow)}
    assert len(ours) == 3 + 3 + 4 + 2
    for file in (tmp_path / "data").iterdir():
        data = file.read_bytes()
        assert [one for one in ours if re.search(rb"\b%b\b" % re.escape(one).encode(), data)] == []
        assert not re.search(rb"\d\d:\d\d", data)


async def test_a_player_has_one_name_in_it_and_another_in_the_next(
    club: Club, tmp_path: Path
) -> None:
    await some(club)
    one, other = [
        [seat["player"] for line in await written(club, tmp_path / key.hex()[:4], key)
         for seat in line["seats"]]
        for key in (KEY, bytes(32))
    ]  # fmt: skip
    assert len(one) == len(other) == 6
    assert len({*one}) == len({*other}) == 3  # Ann three times, Bob twice, Cleo once
    assert not {*one} & {*other}


async def test_who_is_forgotten_or_hides_has_no_name_and_the_match_stays(
    club: Club, tmp_path: Path
) -> None:
    await some(club)
    await club.insist(CLEO, "delete me")
    await club.answer(BOB, "profile off")
    lines = await written(club, tmp_path / "data")
    named = [[seat["player"] is not None for seat in line["seats"]] for line in lines]
    assert sorted(map(sum, named)) == [1, 1, 1]
    assert len({seat["player"] for line in lines for seat in line["seats"]} - {None}) == 1


async def test_bots_have_their_level(club: Club, tmp_path: Path) -> None:
    await club.write(ANN, "new logger with bot easy seat_order=given")
    await club.answer(ANN, "yes")
    await club.insist(ANN, "resign")
    (line,) = await written(club, tmp_path / "data")
    assert [(seat["bot"], seat["player"] is None) for seat in line["seats"]] == [
        (None, False),
        ("easy", True),
    ]


async def test_what_was_hidden_is_open_only_as_far_as_the_end_has_opened_it(
    club: Club, tmp_path: Path
) -> None:
    await some(club)
    lines = await written(club, tmp_path / "data")
    (hiding,) = (line for line in lines if line["game"] == "logan_stones")
    assert {one["position"] for one in hiding["plies"]} == {None}
    assert all(one["position"] for line in lines if line is not hiding for one in line["plies"])


async def test_a_match_that_came_from_a_file_is_not_given_away(club: Club, tmp_path: Path) -> None:
    service = service_in(tmp_path / "other")
    other = Database.open(service.database)
    name = MatchId("K7QX2")
    lines = other.read(lambda conn: list(exchange.export(conn, match_stream(name)))).result()
    other.close()
    read, match = record.sound(lines)

    def unit(conn: Connection) -> None:
        record.taken_in(conn, read, match, club.house.now().replace(year=2027))

    await asyncio.wrap_future(club.house.db.write(unit))
    assert await club.read(partial(views.match_ids, statuses=("ended",))) == [name]
    assert await written(club, tmp_path / "data") == []


async def test_lines_and_tables_say_the_same(club: Club, tmp_path: Path) -> None:
    await some(club)
    lines = await written(club, tmp_path / "data")
    for line in lines:
        parts = {name: line.pop(name) for name in ("seats", "plies")}
        line["options"] = json.dumps(line["options"])
        number = line["match"]
        stored = rows(tmp_path / "data", "select * from matches where match = ?", number)
        assert stored == [tuple(line.values())]
        for name, found in parts.items():
            wanted = f"select * from {name} where match = ?"  # noqa: S608 - a name of ours
            stored = rows(tmp_path / "data", wanted, number)
            assert stored == [(number, *one.values()) for one in found]


def test_the_page_has_every_column_with_its_type(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
    told = {
        name: re.findall(r"^\| `(\w+)` \| (\w+) \|", text, re.MULTILINE)
        for name, text in re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL)
    }
    (tmp_path / "data").mkdir()
    dataset._written(tmp_path / "data", [], KNOWN)
    assert [*told] == ["about", *TABLES]
    for name, columns in told.items():
        there = rows(tmp_path / "data", "select name, type from pragma_table_info(?)", name)
        assert columns == there
    for name, row in TABLES.items():
        assert tuple(column for column, _ in told[name]) == row._fields


async def test_the_questions_of_the_page_can_be_asked(club: Club, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    await some(club)
    await written(club, tmp_path / "data")
    seats, first = (rows(tmp_path / "data", one) for one in text.split(";")[:2])
    assert seats == [(1, 2, 2), (2, 2, 0)]
    assert sorted(first) == [("place a1", 1, 1), ("place e1", 1, 1)]


def test_it_is_refused_without_a_licence_and_where_something_is(tmp_path: Path) -> None:
    service = service_in(tmp_path / "service")
    folder = tmp_path / "data"
    assert "dataset.licence is not set" in service.run("dataset", str(folder), code=1)
    assert not folder.exists()
    text = service.config.read_text() + '[dataset]\nlicence = "CC0"\n'
    service.write(text)
    assert "wrote 1 match to" in service.run("dataset", str(folder))
    assert sorted(one.name for one in folder.iterdir()) == sorted(
        (dataset.ABOUT, dataset.LINES, dataset.TABLES)
    )
    assert "is there already" in service.run("dataset", str(folder), code=1)
    assert [one.name for one in tmp_path.iterdir() if "unfinished" in one.name] == []


def test_what_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = service_in(tmp_path / "service")
    service.write(service.config.read_text() + '[dataset]\nlicence = "CC0"\n')

    def fails(*_: object) -> int:
        raise RuntimeError

    monkeypatch.setattr(dataset, "_written", fails)
    with pytest.raises(RuntimeError):
        service.run("--debug", "dataset", str(tmp_path / "data"))
    assert sorted(one.name for one in tmp_path.iterdir()) == ["service"]


def test_numbers_say_nothing_of_their_matches() -> None:
    names = [MatchId(f"M{number}") for number in range(50)]
    one, other = (Masks(key).shuffled(names) for key in (KEY, bytes(32)))
    assert sorted(one) == sorted(names)
    assert one not in (names, other)
