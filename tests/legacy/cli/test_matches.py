"""Lists, boards and checks of matches, and their way out and in."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.games import GAMES
from pbem.games.game import Ply, Style
from pbem.legacy.store import tables, views
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import exchange
from tests.legacy.cli.service import Service, play_match
from tests.legacy.clubs.club import ANN, BOB, open_club
from tests.legacy.intake.test_conversations import at_play

PLAYED, _ = play_match()


def board_after(ply: int) -> list[str]:
    position = PLAYED.position_after(Ply(ply))
    return list(GAMES["logger-1"].board(position, None, Style.ASCII).lines)


def damage(service: Service, *statements: str) -> None:
    """Change the log behind its triggers, as somebody with the file can."""
    with sqlite3.connect(service.database) as conn:
        triggers = conn.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            conn.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert conn.execute(statement).rowcount > 0
    conn.close()


def test_ended_matches_are_listed_on_demand(service: Service) -> None:
    assert service.run("matches") == "No match is open; --all lists all.\n"
    listed = service.run("matches", "--all")
    assert re.search(r"K7QX2 +Logger +(Ann - Bob|Bob - Ann) +ended", listed)


def test_a_match_is_shown_with_moves_board_and_result(service: Service) -> None:
    shown = service.run("show", "k7qx2")
    for _, ply, notation, _ in PLAYED.chance.made:
        assert f"{ply:>4}. seat" in shown
        assert notation in shown
    assert "\n".join(board_after(PLAYED.course.ply)) in shown
    assert PLAYED.course.outcome is not None
    assert f"Over ({PLAYED.course.outcome.termination})" in shown


@pytest.mark.parametrize("command", ["show", "replay", "export", "verify"])
def test_a_match_that_is_not_there_is_told(service: Service, command: str) -> None:
    said = service.run(command, "QQQQQ", code=1)
    assert said == "pbem: there is no match QQQQQ; `pbem matches` lists them\n"


@pytest.mark.parametrize("ply", [0, 1, 2, PLAYED.course.ply])
def test_replay_shows_the_board_after_a_ply(service: Service, ply: int) -> None:
    shown = service.run("replay", "K7QX2", "--at", str(ply))
    assert shown.endswith("\n".join(board_after(ply)) + "\n")


def test_replay_shows_plies_in_turn(service: Service) -> None:
    shown = service.run("replay", "K7QX2", "--from", "1", "--to", "3")
    assert re.findall(r"^(\d+)\. ", shown, re.MULTILINE) == ["1", "2", "3"]
    boards = ["\n".join(board_after(ply)) for ply in (1, 2, 3)]
    places = [shown.index(board) for board in boards]
    assert places == sorted(places)


def test_replay_without_limits_shows_everything(service: Service) -> None:
    shown = service.run("replay", "K7QX2")
    assert shown.startswith("Logger K7QX2: the start\n")
    assert f"\n{PLAYED.course.ply}. " in shown


@pytest.mark.parametrize("limits", [["--at", "9999"], ["--from", "3", "--to", "2"]])
def test_replay_beyond_the_match_is_told(service: Service, limits: list[str]) -> None:
    said = service.run("replay", "K7QX2", *limits, code=1)
    assert f"K7QX2 has plies 1 to {PLAYED.course.ply}, and 0 is its start" in said


def test_a_true_match_is_verified(service: Service) -> None:
    said = service.run("verify", "K7QX2")
    assert f"{PLAYED.version} events, {PLAYED.course.ply} plies, 1 draw checked" in said
    assert said.endswith("all is as it should be\n")


def test_a_changed_move_is_found(service: Service) -> None:
    damage(
        service,
        "UPDATE event SET data = replace(data, '\"ply\":2,', '\"ply\":4,') "
        "WHERE type = 'MovePlayed' AND data LIKE '%\"ply\":2,%'",
    )
    said = service.run("verify", "K7QX2", code=1)
    assert "WRONG: " in said
    assert "its hash is not that of its content" in said


def test_the_record_is_for_people(service: Service) -> None:
    record = service.run("export", "K7QX2", "--record")
    assert record.startswith('[Match "K7QX2"]\n[Site "pbem"]\n[Date "')
    for _, ply, notation, _ in PLAYED.chance.made:
        assert f"\n{ply}. {notation}" in record
    assert PLAYED.course.outcome is not None
    assert record.endswith(" ".join(map(str, PLAYED.course.outcome.placings)) + "\n")


def test_an_exported_match_comes_in_again_as_it_was(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "K7QX2.jsonl"
    service.run("export", "K7QX2", "-o", str(file))
    assert file.stat().st_mode & 0o077 == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert sum("event_id" in line for line in lines) == PLAYED.version

    other = Service(tmp_path / "other")
    other.folder.mkdir()
    other.write(service.config.read_text())
    other.run("init", "--yes")
    said = other.run("import", str(file))
    assert said.startswith(f"match K7QX2 is here, with {PLAYED.version} events\n")
    assert other.run("export", "K7QX2").splitlines()[1:] == file.read_text().splitlines()[1:]
    assert other.run("verify", "K7QX2") == service.run("verify", "K7QX2")
    for asked in (("matches", "--all"), ("show", "K7QX2"), ("export", "K7QX2", "--record")):
        # All but when it was changed: an import is a change.
        here, there = (one.run(*asked).partition("over")[0] for one in (service, other))
        assert here == there
    assert re.search(r"K7QX2 +Logger +\w+ - \w+ +ended", other.run("matches", "--all"))
    assert other.run("replay", "K7QX2") == service.run("replay", "K7QX2")
    assert "@" not in file.read_text()


def test_a_file_is_verified_without_importing_it(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "K7QX2.jsonl"
    service.run("export", "K7QX2", "-o", str(file))
    assert service.run("verify", "--file", str(file)) == service.run("verify", "K7QX2")
    file.write_text(file.read_text().replace('"ply":2,', '"ply":4,', 1))
    assert "is not that of its content" in service.run("verify", "--file", str(file), code=1)


def test_a_match_is_not_imported_twice(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "K7QX2.jsonl"
    service.run("export", "K7QX2", "-o", str(file))
    assert "there is a stream match-K7QX2 already" in service.run("import", str(file), code=1)


def test_an_export_does_not_overwrite(service: Service) -> None:
    before = service.config.read_text()
    said = service.run("export", "K7QX2", "-o", str(service.config), code=1)
    assert "cannot be written: File exists" in said
    assert service.config.read_text() == before


def test_what_is_no_export_is_refused(service: Service) -> None:
    assert "format" in service.run("import", "-", code=1, typed="{}\n")
    assert "line 1 is no JSON" in service.run("import", "-", code=1, typed="nonsense\n")
    assert "cannot be read" in service.run("import", "no-such-file", code=1)


def test_a_file_is_replayed_as_the_match_is(service: Service, tmp_path: Path) -> None:
    here = service.run("replay", "K7QX2")
    for name, options in (("lines", []), ("record", ["--record"])):
        file = tmp_path / name
        service.run("export", "K7QX2", *options, "-o", str(file))
        assert service.run("replay", "--file", str(file)) == here
    other = tmp_path / "other"
    other.write_text("Dear all\n")
    said = service.run("replay", "--file", str(other), code=1)
    lacks = "no record, from its first [ to the result, and no lines of `pbem export`"
    assert said == f"pbem: {other} holds {lacks}\n"


def test_names_in_a_file_cannot_command_the_terminal(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "record"
    service.run("export", "K7QX2", "--record", "-o", str(file))
    text = (
        file.read_text().replace('[Seat1 "', '[Seat1 "\x1b[2J').replace('[Match "', '[Match "\x07')
    )
    file.write_text(text)
    assert "\x1b" not in service.run("replay", "--file", str(file), "--at", "1")
    page = tmp_path / "page"
    service.run("replay", "--file", str(file), "--html", str(page))
    assert not {"\x1b", "\x07"} & set(page.read_text())


def test_a_replay_is_written_as_each_kind_of_file(service: Service, tmp_path: Path) -> None:
    begins = {"html": b"<!DOCTYPE html>", "svg": b"<svg ", "png": b"\x89PNG", "gif": b"GIF89a"}
    for kind, start in begins.items():
        file = tmp_path / f"match.{kind}"
        service.run("replay", "K7QX2", f"--{kind}", str(file), "--at", "2")
        assert file.read_bytes().startswith(start)
        said = service.run("replay", "K7QX2", f"--{kind}", str(file), code=1)
        assert "cannot be written: File exists" in said
    said = service.run("replay", "K7QX2", "--svg", str(tmp_path / "x"), "--at", "99", code=1)
    assert f"has plies 1 to {PLAYED.course.ply}" in said


def test_an_import_is_taken_out_again_and_may_come_back(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "K7QX2.jsonl"
    service.run("export", "K7QX2", "-o", str(file))
    other = Service(tmp_path / "other")
    other.folder.mkdir()
    other.write(service.config.read_text())
    other.run("init", "--yes")
    for _ in range(2):
        other.run("import", str(file))
        assert "was played here" in service.run("import", "--remove", "K7QX2", code=1)
        assert "is taken out" in other.run("import", "--remove", "k7qx2")
        assert "There are no matches" in other.run("matches", "--all")
        for command in ("show", "history", "replay", "verify", "export"):
            assert "there is no match K7QX2" in other.run(command, "K7QX2", code=1)
        assert "there is no match K7QX2" in other.run("import", "--remove", "K7QX2", code=1)
        assert "WRONG" not in other.run("check", "--offline", "--deep")
        with closing(sqlite3.connect(other.database)) as raw:
            for table in ("player", "sealed", "chance_secret", "match_player"):
                assert raw.execute(f"SELECT * FROM {table}").fetchall() == []  # noqa: S608 - ours
    other.run("backup", str(tmp_path / "kept"))
    other.run("import", str(file))
    assert "all is as it should be" in other.run("verify", "K7QX2")


def test_a_file_with_a_bad_date_is_refused_by_its_line(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    lines = service.run("export", "K7QX2").splitlines()
    at = next(
        at
        for at, line in enumerate(lines)
        if '"type":"DeadlineSet"' in line or '"received"' in line
    )
    read = json.loads(lines[at])
    name = "received" if "received" in read["data"] else "due"
    read["data"][name] = "2026-13-41T00:00:00.000000Z"
    file.write_text("\n".join([*lines[:at], json.dumps(read), *lines[at + 1 :]]))
    for command in (
        ("import", str(file)),
        ("verify", "--file", str(file)),
        ("replay", "--file", str(file)),
    ):
        said = service.run(*command, code=1)
        assert said.startswith(f"pbem: line {at + 1}: ")
        assert "database" not in said


# --- what a match came to -----------------------------------------------------------------------


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


@pytest.mark.sqlite
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
