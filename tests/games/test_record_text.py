"""A record that is written is read back, and any other text is refused in a sentence."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.record_text import RecordError, is_record, read_record
from pbem.legacy.cli.transcripts import play_record
from pbem.legacy.matches.match import Match
from pbem.legacy.matches.replay import replay
from pbem.legacy.notices.views.told import record_lines
from pbem.legacy.store.log.event_log import event_of
from pbem.legacy.store.log.exported import read_export
from pbem.names import MatchId
from tests.legacy.matches.test_secrets import resign, stones
from tests.legacy.notices.scenes import ANN, BOB, CLEO, NAMES, begun, played, played_out, resigned

SAMPLES: Final = sorted(
    (Path(__file__).parents[2] / "events" / "legacy" / "samples").glob("*.jsonl")
)


def told(lines: list[str]) -> tuple[int, list[dict[str, Any]]]:
    out = io.StringIO()
    code = play_record(read_record(lines), out, json=True)
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


def sample(path: Path) -> Match:
    read = read_export(path.read_text("utf-8").splitlines())
    events: Any = [event_of(one) for one in read.events]
    return replay(MatchId("K7QX2"), events, dict(read.sealed))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_record_comes_to_the_positions_of_its_match(path: Path) -> None:
    match = sample(path)
    code, plies = told(record_lines(match, {}))
    dump = match.game.dump
    assert code == 0
    assert [one["position"] for one in plies] == [dump(step.after) for step in match.course.steps]
    assert plies[-1]["over"]


def test_tags_say_what_was_played_and_by_whom() -> None:
    match = played_out(begun())
    record = read_record(record_lines(match, {**NAMES, ANN: 'A "x" \\ {y}'}, site="Our club"))
    assert record.tags["Site"] == "Our club"
    assert record.tags["Date"] == "????.??.??"
    assert record.names == ('A "x" \\ {y}', NAMES[BOB])
    assert dict(record.options) == dict(match.terms.options)
    assert match.course.outcome is not None
    assert record.ending is not None
    assert record.ending.placings == match.course.outcome.placings
    assert record.tags["Result"] == " ".join(map(str, match.course.outcome.placings))
    assert record.tags["Termination"] == match.course.outcome.termination


def test_who_left_is_out_and_a_running_match_stays_open() -> None:
    match = resigned(played(begun(players=(ANN, BOB, CLEO)), "e1", "a5"), CLEO)
    lines = record_lines(match, NAMES)
    code, plies = told(lines)
    *_, left, note = plies
    assert (code, left["seat"], left["position"]) == (0, 3, match.game.dump(match.course.position))
    assert set(note) == {"note"}
    again = [*lines[:-1], "{seat 3 left}", "*"]
    code, plies = told(again)
    assert (code, plies[-1]["rejection"], plies[-1]["line"]) == (1, "no_such_seat", len(again) - 1)


def test_a_secret_draw_ends_what_can_be_played_until_it_is_open() -> None:
    story = stones()
    code, plies = told(record_lines(story.match, NAMES))
    assert code == 0
    assert [set(one) for one in plies] == [{"note"}]
    resign(story)
    code, plies = told(record_lines(story.match, NAMES))
    assert (code, plies[-1]["over"]) == (0, True)


def test_a_result_that_the_rules_do_not_give_is_told() -> None:
    lines = record_lines(played_out(begun()), NAMES)
    word, _, places = lines[-1].partition(" ")
    code, plies = told([*lines[:-1], f"{word} {' '.join(reversed(places.split()))}"])
    assert code == 1
    assert str(len(lines)) in plies[-1]["note"]
    code, _ = told([*lines[:-1], f"{{adjudicated}} {' '.join(reversed(places.split()))}"])
    assert code == 0


GOOD: Final = record_lines(played(begun(), "e1", "a5"), NAMES)


def without(start: str) -> list[str]:
    return [line for line in GOOD if not line.startswith(start)]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (GOOD[:-1], "last line is missing"),
        ([], "last line is missing"),
        ([*GOOD, "3. e3"], "behind the result"),
        ([*GOOD[:-1], "e3", "*"], f"line {len(GOOD)}: a line of a record"),
        ([*GOOD[:-1], "{points} 1 2 3", "*"], "behind the result"),
        ([*GOOD[:-1], "{points} 1 2 3"], "a place for each of 2"),
        ([*GOOD[:-1], '[Site "x"]', "*"], "before the first ply"),
        ([GOOD[0], *GOOD], "was said before"),
        (['[Site "x" y]', *GOOD], "look like"),
        (['[Option "adj"]', *GOOD], "name=value"),
        (without("[Ruleset"), "by which rules"),
        (['[Ruleset "chess-1"]', *without("[Ruleset")], "chess-1"),
        (without("[Seat2"), "1 seats"),
        ([*GOOD[:-1], "x" * 5_000, "*"], "more than 2000 characters"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(lines: list[str], why: str) -> None:
    with pytest.raises(RecordError, match=why):
        read_record(lines)


def test_a_transcript_is_no_record() -> None:
    assert is_record(["", *GOOD])
    assert not is_record(["# Logger", "e1", '[Site "x"]'])
    assert not is_record([])


LINES: Final = st.one_of(
    st.sampled_from(GOOD), st.text(max_size=30), st.from_regex(r"[0-9]*\. .*|\{.*\} ?1?|\[.*\]")
)


@given(st.lists(LINES, max_size=20))
def test_any_text_is_read_or_refused(lines: list[str]) -> None:
    try:
        record = read_record(lines)
    except RecordError:
        return
    assert play_record(record, io.StringIO(), json=False) in (0, 1)
