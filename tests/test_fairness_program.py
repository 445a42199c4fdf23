"""The program at the end of docs/fairness.md: what it finds right, and what it finds wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.match.automatic import commit_draws
from pbem.match.endings import resign
from pbem.match.events import ChanceCommitted, ChanceDrawn
from tests.events.accept import EVENTS
from tests.events.record import export_table
from tests.fairness_page import check_record
from tests.match.test_match import ANN, BOB, NOON, Table
from tests.match.test_secrets import dealt, ludo, play_ludo, renew, short_chain

SAMPLES = sorted((EVENTS / "samples").glob("*.jsonl"))


def read_sample(ruleset: str) -> list[dict[str, Any]]:
    text = (EVENTS / "samples" / f"{ruleset}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def check_lines(folder: Path, lines: list[dict[str, Any]], *emails: Path) -> tuple[int, str]:
    return check_record(folder, map(json.dumps, lines), *emails)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_is_right(tmp_path: Path, path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    draws = sum('"type":"ChanceDrawn"' in line or '"ChanceSealed"' in line for line in lines)
    right = f"{len(lines)} events and {draws} draws are right"
    assert check_record(tmp_path, lines) == (0, right)


def test_a_running_match_is_right_as_far_as_it_is_shown(tmp_path: Path) -> None:
    table = dealt()
    table.move(ANN, "add 1 L21")
    lines = export_table(table, BOB)
    right = "5 events and 0 draws are right; 1 more can be checked after the end"
    assert check_record(tmp_path, lines) == (0, right)


@pytest.mark.parametrize(
    ("ruleset", "event_type", "change", "words"),
    [
        ("looney_ludo-1", "ChanceDrawn", {"values": [7]}, "says [7], not"),
        ("looney_ludo-1", "ChanceDrawn", {"link": "00" * 32}, "draw 1: its link is not of"),
        ("looney_ludo-1", "ChanceDrawn", {"index": 2}, "draw 1 says that it is draw 2"),
        ("looney_ludo-1", "ChanceDrawn", {"digest": "00" * 32}, "draw 1 is not bound to"),
        ("looney_ludo-1", "ChallengeIssued", {"commitment": "00" * 32}, "draw 1: its link is"),
        ("looney_ludo-1", "ChallengeIssued", {"protocol": 1}, "does not know protocol 1"),
        ("looney_ludo-1", "ChallengeIssued", {"links": 50}, "draw 51 is of no chain"),
        ("looney_ludo-1", "SeatTaken", {"message_hash": ""}, "draw 1 is not bound to"),
        ("looney_ludo-1", "MovePlayed", {"message_hash": ""}, "draw 6 is not bound to"),
        ("looney_ludo-1", "MovePlayed", {"notation": "x"}, "draw 6 is not bound to"),
        ("logan_stones-1", "ChanceSealed", {"seal": "00" * 32}, "draw 1 is not what was sealed"),
        ("logan_stones-1", "ChanceSealed", {"digest": "00" * 32}, "sealed draw 1 is not bound to"),
        ("logan_stones-1", "ChanceSealed", {"values": [0]}, "was played with other values"),
        ("logan_stones-1", "ChanceRevealed", {"values": [0]}, "draw 1 is not what was sealed"),
        ("logan_stones-1", "ChanceRevealed", {"values": [0]}, "says [0], not [15,"),
        ("logan_stones-1", "ChanceRevealed", {"link": "00" * 32}, "sealed draw 1: its link is"),
        ("logan_stones-1", "ChallengeIssued", {"sealed_commitment": "00" * 32}, "sealed draw 1: "),
    ],
)
def test_every_change_is_found(
    tmp_path: Path, ruleset: str, event_type: str, change: dict[str, Any], words: str
) -> None:
    lines = read_sample(ruleset)
    line = next(line for line in lines if line["type"] == event_type)
    line["data"].update(change)
    status, said = check_lines(tmp_path, lines)
    assert status == 1
    assert f"event {line['version']} ({event_type}) does not have this hash" in said
    assert words in said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines.pop(7), "event 8 is missing"),
        (lambda lines: lines[4].update(salt=""), "event 5 (ChanceSealed) does not have"),
        (lambda lines: lines[7].update(match="M3SS4"), "event 8 is missing, or of another match"),
        (lambda lines: lines[5].update(cause=lines[4]["cause"]), "move 2 is in the unit of"),
        (lambda lines: lines.pop(), "not every sealed draw was opened"),
    ],
)
def test_another_order_salt_or_cause_is_found(tmp_path: Path, change: Any, words: str) -> None:
    lines = read_sample("logan_stones-1")
    change(lines)
    status, said = check_lines(tmp_path, lines)
    assert status == 1
    assert words in said


# --- chains that follow each other ---------------------------------------------------------------


def crossing() -> Table:
    table = short_chain(20)
    play_ludo(table, 30)
    return table


def restored() -> Table:
    table = ludo()
    renew(table)
    play_ludo(table, 12)
    return table


@pytest.mark.parametrize(("play", "draws"), [(crossing, 30), (restored, 12)])
def test_the_program_follows_from_chain_to_chain(
    tmp_path: Path, play: Callable[[], Table], draws: int
) -> None:
    status, said = check_record(tmp_path, export_table(play()))
    assert (status, said.partition(" and ")[2]) == (0, f"{draws} draws are right")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"commitment": commit_draws(b"").public}, "draw 21: its link is not of the chain"),
        ({"first": 20}, "a chain is said to begin with draw 20, not 21"),
    ],
)
def test_another_chain_is_found(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    table = crossing()
    table.log = [
        replace(caused, event=replace(caused.event, **change))
        if isinstance(caused.event, ChanceCommitted)
        else caused
        for caused in table.log
    ]
    status, said = check_record(tmp_path, export_table(table))
    assert status == 1
    assert words in said


def test_a_chain_that_was_committed_too_late_is_found(tmp_path: Path) -> None:
    table = crossing()
    log = table.log
    committed = next(caused for caused in log if isinstance(caused.event, ChanceCommitted))
    log.remove(committed)
    draws = [caused for caused in log if isinstance(caused.event, ChanceDrawn)]
    log.insert(log.index(draws[20]), replace(committed, cause=draws[20].cause))
    status, said = check_record(tmp_path, export_table(table))
    assert status == 1
    assert "draw 21: its chain was committed to too late" in said


# --- after a restore -----------------------------------------------------------------------------


def test_the_program_opens_seals_of_before_and_after_a_restore(tmp_path: Path) -> None:
    before = dealt()
    renew(before)
    after = Table(BOB, ruleset="logan_stones-1", starter="given")
    renew(after)
    after.accept(BOB)
    for table in (before, after):
        table.move(ANN, "add 1 L21")
        table.execute(resign(table.match, BOB, NOON))
        status, said = check_record(tmp_path, export_table(table))
        assert (status, said.partition(" and ")[2]) == (0, "1 draws are right")


def test_chains_that_were_replaced_beside_a_move_are_found(tmp_path: Path) -> None:
    lines = export_table(restored())
    number = next(number for number, line in enumerate(lines) if "ChanceRenewed" in line)
    cause = json.loads(lines[number + 1])["cause"]
    lines[number] = json.dumps(json.loads(lines[number]) | {"cause": cause})
    status, said = check_record(tmp_path, lines)
    assert status == 1
    assert "chains were replaced in the unit of something else" in said


# --- emails --------------------------------------------------------------------------------------


def write_email(folder: Path, name: str, message_id: str, text: str = "accept") -> Path:
    path = folder / name
    path.write_text(f"Message-ID:\n {message_id}\nDate:  today\n\n{text}\n", encoding="utf-8")
    return path


def test_emails_are_compared_with_the_record(tmp_path: Path) -> None:
    lines = read_sample("logger-1")
    head = lines[5]["hash"][:32]
    sent = write_email(tmp_path, "sent.eml", "<bob@example.org>")
    received = write_email(tmp_path, "got.eml", "<a@b>", f"Club: K7QX2, version 6, {head}")
    said = check_lines(tmp_path, lines, sent, received)[1].splitlines()
    assert said[0] == f"{sent}: SeatTaken 2"
    assert said[1] == f"{received}: version 6 is the same"
    for unknown in (
        write_email(tmp_path, "other.eml", "<cleo@example.org>"),
        write_email(tmp_path, "forged.eml", "<a@b>", f"version 7, {head}"),
        write_email(tmp_path, "later.eml", "<a@b>", f"version 600, {head}"),
    ):
        status, text = check_lines(tmp_path, lines, unknown)
        assert status == 1
        assert f"{unknown}: the record does not know it" in text
