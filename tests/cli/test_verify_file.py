"""`pbem verify --file`: an exported match is checked without a database, and it is said in what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.service import run
from tests.events.accept import EVENTS

SAMPLES = sorted((EVENTS / "samples").glob("*.jsonl"))
STONES = EVENTS / "samples" / "logan_stones-1.jsonl"


WHOLE_LETTERS = 21
"""Events of the sample after which a letter had been carried out."""


def verified(tmp_path: Path, lines: list[str]) -> tuple[int, str]:
    file = tmp_path / "record.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    result = run("verify", "--file", str(file))
    return result.exit_code, result.output


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def events_of(path: Path) -> list[str]:
    return [line for line in lines_of(path) if '"event_id"' in line]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_whole_export_and_its_events_alone_are_verified_alike(tmp_path: Path, path: Path) -> None:
    code, said = verified(tmp_path, lines_of(path))
    assert code == 0
    assert said.endswith("all is as it should be\n")
    head = json.loads(lines_of(path)[0])["head_hash"]
    assert f"head of the hash chain: {head}" in said
    assert "each ply was legal" in said
    # Players have the event lines; after the end they open all that was sealed for the rules.
    assert verified(tmp_path, events_of(path)) == (0, said)


def test_what_cannot_be_checked_before_the_end_is_said(tmp_path: Path) -> None:
    code, said = verified(tmp_path, events_of(STONES)[:WHOLE_LETTERS])
    assert code == 0
    assert "the plies were not played again: what was drawn in secret is not in the lines" in said
    assert "1 secret draw can be checked by everybody when the match is over" in said
    assert "each ply was legal" not in said


def test_who_has_the_sealed_text_plays_the_match_again_before_the_end(tmp_path: Path) -> None:
    sealed = [line for line in lines_of(STONES) if '"salt"' in line]
    code, said = verified(tmp_path, [*events_of(STONES)[:WHOLE_LETTERS], *sealed])
    assert code == 0
    assert "each ply was legal" in said


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"ply":3,', '"ply":4,', "WRONG: line 15: event 14: ply 4 follows ply 2"),
        (
            '"seats_drawn":true',
            '"seats_drawn":false',
            "WRONG: line 2: the hash of event 1 is not that",
        ),
        ('"index":1,"link":"', '"index":1,"link":"00', "was opened and never sealed"),
        ('"text":"Good', '"text":"Bad', "is not what was sealed"),
        ('"head_hash":"', '"head_hash":"0', "line 1 (stream): head_hash must be 64 hexadecimal"),
    ],
)
def test_every_change_is_told_in_words(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = "\n".join(lines_of(STONES))
    assert old in text
    code, said = verified(tmp_path, text.replace(old, new).split("\n"))
    assert code == 1
    assert words in said
    assert "all is as it should be" not in said


@pytest.mark.parametrize(
    ("sign", "field", "words"),
    [
        ("category", "head_hash", "is not the stream's head, which the first line names"),
        ("chance", "secret", "the secret of the chain"),
    ],
)
def test_a_hash_that_is_another_is_told(tmp_path: Path, sign: str, field: str, words: str) -> None:
    read = [json.loads(line) for line in lines_of(STONES)]
    for line in read:
        if sign in line:
            line[field] = line[field][::-1]
    code, said = verified(tmp_path, [json.dumps(line) for line in read])
    assert code == 1
    assert words in said


def test_an_event_of_a_player_is_none_of_a_match(tmp_path: Path) -> None:
    opening, *events = map(json.loads, lines_of(STONES))
    muted = {"type": "ChatMuted", "schema": 1, "data": {"match": "K7QX2", "muted": []}}
    lines = map(json.dumps, [opening, events[0] | muted, *events[1:]])
    code, said = verified(tmp_path, list(lines))
    assert code == 1
    assert "event 1 is no event of a match" in said


@pytest.mark.parametrize("lines", [[], ["{"], ["[]"], ['{"event_id":1}'], ["{}"]])
def test_what_is_no_export_is_no_match(tmp_path: Path, lines: list[str]) -> None:
    code, said = verified(tmp_path, lines)
    assert code == 1
    assert said.startswith("pbem: ")
    assert len(said.splitlines()) == 1
