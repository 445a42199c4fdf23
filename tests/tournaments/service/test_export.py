"""A tournament as JSON lines: with its matches or without, checked where there is no database."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.record import tournament_lines
from pbem.store.codec import canonical, instant_of
from pbem.store.log.event_log import GENESIS, RecordedEvent, hash_of
from pbem.tournaments import decide
from tests.cli.service import run
from tests.clubs.club import Club, open_club
from tests.clubs.kept import kept
from tests.tournaments.service.club import (
    NAME,
    PEOPLE,
    decided,
    decides,
    join,
    opens,
    player,
    running,
    state,
)

ANN, BOB, CLEO, DAN, *_ = PEOPLE
PLAYERS = PEOPLE[:4]


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await played(one)
    yield one
    one.house.db.close()


@kept
async def played(one: Club) -> None:
    """A season has been played, Ann before Bob before Cleo before Dan, and is over."""
    await join(one, *PLAYERS)
    opens(one)
    for who in PLAYERS:
        await one.answer(who, f"enter {NAME}")
    decides(one, decide.begin)
    await one.work()
    for match in running(one):
        ranked = sorted(match.table.players, key=[player(one, who) for who in PLAYERS].index)
        decided(one, match.id, *(ranked.index(who) + 1 for who in match.table.players))
    await one.work()


def lines_of(club: Club, *, tables: bool = False) -> list[str]:
    return club.house.db.read(lambda conn: tournament_lines(conn, NAME, tables=tables)).result()


def verified(folder: Path, lines: list[str]) -> tuple[int, str]:
    """What `pbem verify --file` says."""
    file = folder / "lines.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    result = run("verify", "--file", str(file))
    return result.exit_code, result.output


def test_a_tournament_is_checked_from_its_lines(club: Club, tmp_path: Path) -> None:
    lines = lines_of(club)
    code, said = verified(tmp_path, lines)
    assert code == 0, said
    assert "tournament spring" in said
    assert "1 lot checked" in said
    assert "6 tables not compared with the match" in said
    assert f"head of the hash chain: {json.loads(lines[0])['head_hash']}" in said
    names = {line["name"] for line in map(json.loads, lines) if "name" in line}
    assert names == {"Ann", "Bob", "Cleo", "Dan"}


def test_its_chain_stays_secret(club: Club) -> None:
    """Lots are still to be drawn from it, and the lines may be given to anybody."""
    assert not any("secret" in json.loads(line) for line in lines_of(club))


def test_with_its_matches_each_table_is_compared(club: Club, tmp_path: Path) -> None:
    code, said = verified(tmp_path, lines_of(club, tables=True))
    assert code == 0, said
    assert "- each table ended as its match did" in said
    assert "6 matches" in said
    assert "- each ply was legal" in said


def changed(lines: list[str], kind: str, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """The lines with an event of a kind changed, and every hash of the tournament made anew."""
    read, head, done = [*map(json.loads, lines)], GENESIS, False
    for line in read:
        if line.get("stream") != f"tournament-{NAME}" or "type" not in line:
            continue
        if line["type"] == kind and not done:
            change(line["data"])
            done = True
        one = RecordedEvent(
            position=0,
            stream=line["stream"],
            version=line["version"],
            event_id=line["event_id"],
            type=line["type"],
            schema=line["schema"],
            data=canonical(line["data"]),
            meta=canonical(line["meta"]),
            recorded_at=instant_of(line["recorded_at"]),
            hash="",
        )
        head = line["hash"] = hash_of(head, one)
    read[0]["head_hash"] = head
    assert done
    return [*map(canonical, read)]


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("LotDrawn", {"values": [0, 1, 2, 3]}, "but its link gives"),
        ("LotDrawn", {"digest": "0" * 64}, "not bound to what the players did"),
        ("LotDrawn", {"link": "0" * 64}, "is not of the chain"),
        ("GroupFormed", {"group": 2}, "GroupFormed says group 2, not 1"),
        ("TableSet", {"round": 7}, "TableSet says round 7, not 1"),
        ("GroupEnded", {"points": [6, 4, 4, 0]}, "GroupEnded says points"),
        ("SeasonEnded", {"order": []}, "SeasonEnded says order"),
        ("TableEnded", {"moves": "0" * 64}, ""),
        ("PlayerEntered", {"player": "p-else"}, "SeasonBegun says players"),
    ],
)
def test_what_somebody_changed_is_found(
    club: Club, tmp_path: Path, kind: str, change: dict[str, Any], words: str
) -> None:
    """Even where all hashes were made anew, but what no lot is bound to any more."""
    lines = changed(lines_of(club), kind, lambda data: data.update(change))
    code, said = verified(tmp_path, lines)
    assert (code, words in said) == (1 if words else 0, True), said


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("TableEnded", {"placings": [1, 1]}, "ended otherwise"),
        ("TableEnded", {"timed_out": [1]}, "others lost on time in the match"),
        ("TableEnded", {"moves": "0" * 64}, "not bound to what was played in the match"),
        ("TableEnded", {"why": "voided", "placings": [], "moves": ""}, "was not voided"),
        ("TableSet", {"time": "96/24/96"}, "has other players than its table, or another clock"),
        ("TableBegun", {"match": "QQQQQ"}, "1 table not compared"),
    ],
)
def test_another_table_than_that_of_the_match_is_found(
    club: Club, tmp_path: Path, kind: str, change: dict[str, Any], words: str
) -> None:
    """Where the tournament's own lines may even fit together."""
    lines = lines_of(club, tables=True)
    code, said = verified(tmp_path, changed(lines, kind, lambda data: data.update(change)))
    assert code == (0 if kind == "TableBegun" else 1)
    assert words in said


def test_a_hash_that_fits_nothing_is_found(club: Club, tmp_path: Path) -> None:
    lines = lines_of(club)
    lines[3] = lines[3].replace('"recorded_at":"2026', '"recorded_at":"2025')
    code, said = verified(tmp_path, lines)
    assert code == 1
    assert "the hash of event 3 is not that of its content" in said


def test_events_are_those_of_the_stream(club: Club, tmp_path: Path) -> None:
    lines = [line.replace("tournament-spring", "match-K7QX2") for line in lines_of(club)]
    code, said = verified(tmp_path, lines)
    assert code == 1
    assert "is no event of a match" in said or "of no match that can be played" in said
    twice = lines_of(club) * 2
    assert "tournament-spring stands twice" in verified(tmp_path, twice)[1]


def test_it_cannot_be_taken_in_or_looked_at(club: Club, tmp_path: Path) -> None:
    file = tmp_path / "spring.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines_of(club)), encoding="utf-8")
    for words in (("import", str(file)), ("replay", "--file", str(file))):
        result = run(*words)
        assert result.exit_code == 1
        assert "the lines of a tournament, and of no match" in " ".join(result.output.split())


async def test_who_was_forgotten_has_places_without_a_name(club: Club, tmp_path: Path) -> None:
    """TR-6.9: and every hash is as it was."""
    before, gone = lines_of(club), player(club, BOB)
    await club.insist(BOB, "delete me")
    await club.wait(days=1)
    after = lines_of(club, tables=True)
    known = [
        json.loads(line)["name"] for line in after if '"player":' in line and '"name":' in line
    ]
    assert "Bob" not in known
    assert "Ann" in known
    assert not any("Bob" in line or BOB in line for line in after)
    kept = [line for line in before if '"event_id"' in line]
    assert after[1 : 1 + len(kept)] == kept
    assert state(club).seasons[0].results[1].players[1] == gone
    code, said = verified(tmp_path, after)
    assert code == 0, said


def test_hashes_are_those_of_the_page(club: Club) -> None:
    """events/README.md: what is hashed, without the package."""
    previous = "0" * 64
    for line in map(json.loads, lines_of(club)):
        if "event_id" not in line:
            continue
        texts = [
            previous,
            line["stream"],
            str(line["version"]),
            line["event_id"],
            line["type"],
            str(line["schema"]),
            json.dumps(line["data"], sort_keys=True, separators=(",", ":"), ensure_ascii=False),
            json.dumps(line["meta"], sort_keys=True, separators=(",", ":"), ensure_ascii=False),
            line["recorded_at"],
        ]
        parts = [text.encode() for text in texts]
        hashed = b"".join(b"%d:%s," % (len(part), part) for part in parts)
        previous = line["hash"]
        assert hashlib.sha256(hashed).hexdigest() == previous
