"""The record that a player gets, checked with the program of docs/fairness.md and their emails."""

from __future__ import annotations

import json
import re
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.fairness import hash_message
from pbem.match.operator_actions import reassign_seat
from pbem.match.play import give_standing_order
from pbem.service.handlers import looking
from pbem.store import event_log
from tests.conversations.service import begin
from tests.events.record import export_table
from tests.fairness_page import check_record
from tests.match.test_match import ANN, BOB, CLEO, Table

SCRIPT = """# A record before the end and after it
register ann bob
ann writes
    new looney ludo with bob@example.net
bob replies
    accept
play taps 3 times
ann replies
    doubles keep
ann replies
    record
bob replies
    record
bob replies
    resign
bob replies to question
    yes
bob replies to end
    record
"""


async def test_a_record_fits_the_emails_of_its_reader(tmp_path: Path) -> None:
    conversation = begin(SCRIPT, tmp_path)
    await conversation.play()
    [hers, his, complete] = [
        data.decode().splitlines()
        for email in conversation.received
        for data in email.attachments.values()
    ]
    hashes = {json.loads(line)["data"].get("message_hash", "") for line in complete}
    sent = [path for path in (tmp_path / "in").glob("*/*") if read_hash(path) in hashes]
    received = [path for path in (tmp_path / "out").glob("*/*") if shows_head(path)]
    status, said = check_record(tmp_path, complete, *sent, *received)
    assert (status, said.splitlines()[-1].partition(" and ")[0]) == (0, f"{len(complete)} events")
    assert len(sent) == said.count("SeatTaken") + said.count("MovePlayed") == 4
    assert len(received) == said.count("is the same") > 5
    assert [reads_order(lines) for lines in (hers, his, complete)] == [True, False, True]
    assert check_record(tmp_path, his)[0] == 0


def read_hash(path: Path) -> str:
    message = message_from_bytes(path.read_bytes())
    return hash_message(str(message["Message-ID"]), str(message["Date"]))


def shows_head(path: Path) -> bool:
    body = message_from_bytes(path.read_bytes(), policy=policy.default).get_body(("plain",))
    return body is not None and re.search(r"\d, [0-9a-f]{32}\b", body.get_content()) is not None


def reads_order(lines: list[str]) -> bool:
    [line] = [event for event in map(json.loads, lines) if event["type"] == "StandingOrderGiven"]
    assert bool(line["salt"]) == bool(line["data"]["order"])
    return bool(line["data"]["order"] == "doubles keep")


def test_a_standing_order_is_not_shown_to_the_next_player_of_the_seat() -> None:
    table = Table(BOB, ruleset="looney_ludo-1")
    table.accept(BOB)
    table.execute(give_standing_order(table.match, BOB, "doubles keep", table.now))
    seat = table.match.seat_of(BOB)
    table.execute(reassign_seat(table.match, seat or 0, CLEO, table.now))
    shown = [reads_order(export_table(table, reader)) for reader in (ANN, BOB, CLEO, None)]
    assert shown == [False, True, False, False]


async def test_a_replay_ends_with_the_newest_move(tmp_path: Path) -> None:
    conversation = begin(
        "match logger ann bob\nplay\n    ann: a1\nbob replies\n    replay\n", tmp_path
    )
    await conversation.play()
    [page] = [data for email in conversation.received for data in email.attachments.values()]
    assert page.decode().count("place a1") == 1


async def test_verify_tells_faults_of_the_log_and_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_log, "verify_chain", lambda *_: ["a wrong hash"])
    monkeypatch.setattr(looking, "verify_match", lambda *_: ["a wrong move"])
    text = "    verify\nexpect ann answer\n    a wrong hash\n    a wrong move\n"
    await begin(f"match logger ann bob\nann replies\n{text}", tmp_path).play()
