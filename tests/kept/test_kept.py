"""What players see is what is kept: mails, pages, refusals, and what is done with letters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.correspondence.letters import Letter
from tests.kept import made, reading, recording, refusing
from tests.kept.html import Styles
from tests.kept.mails import Entry
from tests.kept.masks import Masks
from tests.sampling import sampled

ROUNDS = reading.rounds()
RAW = reading.raw_letters()
STRIDE = 20


def same(found: str) -> None:
    """Fail with a difference as it is: pytest would cut it."""
    if found:
        pytest.fail(found, pytrace=False)


@pytest.mark.parametrize(
    ("name", "days"),
    [
        ("two_months", 3),
        pytest.param("two_months", None, marks=pytest.mark.slow),
        ("vacated", None),
        ("pages", None),
    ],
)
async def test_what_came_of_a_script_is_what_is_kept(
    name: str, days: int | None, tmp_path: Path
) -> None:
    driver, _ = await made.played(name, tmp_path, days=days)
    assert driver.entries
    same(recording.differences(name, driver.entries, driver.styles, days=days))


@pytest.mark.parametrize(
    "letter", sampled(ROUNDS, 5 * STRIDE, first=50), ids=lambda letter: letter.id
)
async def test_with_a_letter_is_done_what_is_kept(letter: Letter) -> None:
    told = await reading.done_with(letter)
    kept = recording.read_lines(made.LETTERS)
    before = [line for line in kept if line.startswith(f"{letter.id} ")]
    same(recording.differing(made.LETTERS, before, [told]))


def _read(lines: Sequence[str]) -> None:
    kept = set(recording.read_lines(made.LETTERS))
    new = [line for line in lines if line not in kept]
    before = {line.partition(":")[0]: line for line in kept}
    old = [before[key] for key in (line.partition(":")[0] for line in new) if key in before]
    same(recording.differing(made.LETTERS, old, new))


def test_of_some_raw_letters_is_understood_what_is_kept() -> None:
    names = [*RAW][::STRIDE]
    _read([reading.read_raw(name, *RAW[name]) for name in names])


def test_some_phrasings_are_read_as_is_kept() -> None:
    _read([reading.read_phrased(*one) for one in reading.phrased()[::STRIDE]])


@pytest.mark.slow
def test_of_all_raw_letters_is_understood_what_is_kept() -> None:
    _read([reading.read_raw(name, *one) for name, one in RAW.items()])


@pytest.mark.slow
def test_all_phrasings_are_read_as_is_kept() -> None:
    _read([reading.read_phrased(*one) for one in reading.phrased()])


def test_no_letter_is_kept_that_is_not_there() -> None:
    there = len(ROUNDS) + len(RAW) + len(reading.phrased())
    assert len(recording.read_lines(made.LETTERS)) == there


def test_refusals_say_what_is_kept() -> None:
    made_now = "\n".join([*made.rejections(), ""]).split("\n")[:-1]
    same(recording.differing(made.REJECTIONS, recording.read_lines(made.REJECTIONS), made_now))


def test_each_code_of_a_refusal_is_kept() -> None:
    assert refusing.codes() - {refusing.told(case)[0] for case in refusing.cases()} == (
        refusing.OF_NOBODY
    )


# --- how it is compared --------------------------------------------------------------------------


def test_a_word_of_html_that_is_not_written_out_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "FOLDER", tmp_path)

    def entries(word: str) -> list[Entry]:
        first = [f"=== 2026-11-{day} 09:00 to ann@example.org" for day in (21, 22)]
        return [Entry(one, ("Part: text/html",), ("<p>Hello", f"<p>{word}")) for one in first]

    recording.write("one", entries("world"), Styles(), {})
    assert recording.differences("one", entries("world"), Styles()) == ""
    found = recording.differences("one", entries("moon"), Styles())
    assert "-<p>world" in found
    assert "+<p>moon" in found
    assert "python -m tests.kept.record" in found


def test_a_long_difference_is_cut() -> None:
    before, after = [[f"{word} {number}" for number in range(500)] for word in ("a", "b")]
    found = recording.differing("some.txt", before, after).splitlines()
    assert len(found) < recording.MOST + 6
    assert any("lines more" in line for line in found)


def test_a_match_has_the_same_mask_in_whatever_letters() -> None:
    masks = Masks()
    masks.see("Re: [Logger K7QX2] Ann - Bob")
    assert masks("K7QX2 and k7qx2, Logger%20K7QX2%5D") == "Mat01 and Mat01, Logger%20Mat01%5D"
    assert masks.real("board Mat01") == "board K7QX2"


def test_it_is_recorded_by_hand_alone() -> None:
    here = {**os.environ, "CI": "true"}
    found = subprocess.run(
        [sys.executable, "-m", "tests.kept.record"], env=here, capture_output=True, check=False
    )
    assert found.returncode == 1
    assert b"CI is set" in found.stderr
