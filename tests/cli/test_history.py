"""`pbem history` explains every event and every mail of a match."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.config import AddressKeys, write_keys
from pbem.store import views
from tests.cli.service import Service
from tests.clubs.club import ANN, BOB, Club, open_club

SECRET = "I am afraid of d3"


async def begun(folder: Path) -> tuple[Club, str]:
    club = open_club(folder)
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "e1")
    await club.answer(ANN, f"say {SECRET}")
    await club.answer(BOB, "note My own secret plan")
    await club.answer(BOB, "z99 plant")
    [row] = club.house.db.read(views.matches).result()
    return club, row.id


def service_of(folder: Path) -> Service:
    service = Service(folder)
    service.write("")
    return service


async def test_every_event_has_its_cause_and_its_mails(tmp_path: Path) -> None:
    club, name = await begun(tmp_path)
    club.house.db.close()
    said = service_of(tmp_path).run("history", name)
    assert all(len(line) <= 100 for line in said.splitlines())
    first, *entries = said.split("\n\n")
    assert first == "All times are in UTC."
    assert re.search(
        r"letter \w{12} from Ann, received [\d:]+: done\n +1\. Challenge issued:", said
    )
    assert "challenger Ann, players Ann - Bob" in " ".join(entries[0].split())
    assert re.search(r"-> mail \d+ to Bob: invitation; sent 2026-11-21", entries[0])
    moved = next(entry for entry in entries if "Move played" in entry)
    assert "from Ann" in moved
    assert "seat 1 (Ann), ply 1, notation" in moved
    assert re.search(r"to Bob: turn prompt; sent", moved)
    refused = entries[-1]
    assert re.search(r"letter \w{12} from Bob, received [\d:]+: refused \w+", refused)
    assert "to Bob: order refused; sent" in refused


async def test_what_is_sealed_is_shown_at_the_end_or_on_demand(tmp_path: Path) -> None:
    club, name = await begun(tmp_path)
    service = service_of(tmp_path)
    said = service.run("history", name)
    assert SECRET not in said
    assert "(sealed)" in said
    assert SECRET in service.run("history", name, "--secrets")
    await club.answer(ANN, "resign yes")
    club.house.db.close()
    said = service.run("history", name)
    assert SECRET in said
    assert "My own secret plan" not in said
    assert "My own secret plan" in service.run("history", name, "--secrets")


async def test_a_quarrel_can_be_settled_by_it(tmp_path: Path) -> None:
    """Held and regretted moves, plans, hours and acts are told in words that need no codebook."""
    club = open_club(tmp_path, window=5)
    await club.write(ANN, f"new logger with {BOB} seat_order=given time=fast")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(BOB, "rest sunday\nquiet 22-7")
    await club.answer(BOB, "if e1 then a5")
    await club.answer(BOB, "queue clear")
    await club.answer(ANN, "e1")
    await club.answer(ANN, "undo")
    await club.answer(ANN, "a1\n\nsay Here I come!\n\nnow")
    await club.answer(BOB, "a5\nnow")
    await club.answer(ANN, "record")
    await club.answer(BOB, "undo")
    await club.answer(ANN, "yes")
    [row] = club.house.db.read(views.matches).result()
    service = service_of(tmp_path)
    running = " ".join(service.run("history", row.id).split())
    assert 'Takeback granted: seat 2 (Bob), ply 1, gone "2. place a5"' in running
    assert "to Ann: record shown; sent" in running
    assert "rest days Sunday, quiet 22 to 7" in running
    assert "move (sealed)" in running
    assert "conditions (sealed)" in running
    write_keys(tmp_path / "keys.toml", AddressKeys("a", {"a": bytes(range(32))}))
    reason = "--reason", "They shout at each other", "--as", "eve", "--yes"
    service.run("match", "rollback", row.id, "0", *reason)
    service.run("match", "void", row.id, *reason)
    club.house.db.close()
    over = service.run("history", row.id)
    told = " ".join(over.split())
    assert 'Move held: seat 1 (Ann), ply 1, move "place e1", typed e1, received' in told
    assert 'Move withdrawn: seat 1 (Ann), ply 1, move "place e1", typed e1, reason undone' in told
    assert 'Conditions given: seat 2 (Bob), conditions "if ' in told
    assert 'reason "They shout at each other", ply 0, seat 1 (Ann), gone "1. place a1"' in told
    assert "Match voided: author eve" in told
    assert "{" not in told
    assert "until" not in over.partition("Match ended")[2]  # no clock runs any more


async def test_the_same_for_programs(tmp_path: Path) -> None:
    club, name = await begun(tmp_path)
    club.house.db.close()
    entries = json.loads(service_of(tmp_path).run("history", name, "--json"))
    versions = [event["version"] for entry in entries for event in entry["events"]]
    assert versions == list(range(1, len(versions) + 1))
    assert {entry["cause"]["kind"] for entry in entries} == {"letter"}
    assert all(mail["sent_at"] for entry in entries for mail in entry["mails"])
    assert entries[-1]["code"] is not None
    assert SECRET not in json.dumps(entries)


def test_a_match_without_mails_has_its_events(service: Service) -> None:
    said = service.run("history", "k7qx2")
    assert "Match ended: placings" in said
    assert all(len(line) <= 100 for line in said.splitlines())


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_a_match_that_is_not_there_is_told(service: Service, flags: list[str]) -> None:
    assert "there is no match QQQQQ" in service.run("history", "QQQQQ", *flags, code=1)
