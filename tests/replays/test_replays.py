"""Replays: frames of matches and records, stepping by keys."""

from __future__ import annotations

from typing import Final

import pytest

from pbem.games.record_text import read_record
from pbem.matches.steps import StepKind
from pbem.notices.rendering.environment import environment
from pbem.notices.views.told import record_lines
from pbem.replays.frames import (
    Change,
    Replay,
    Window,
    after_key,
    replay_of_match,
    replay_of_record,
    screen,
    telling,
)
from tests.matches.test_secrets import stones
from tests.notices.scenes import ANN, BOB, CLEO, NAMES, begun, played, played_out, resigned

WIDE: Final = Window(80, 40, coloured=False)


def told(change: Change) -> str:
    return f"{change.kind} {change.seat} {change.text}"


def replay() -> Replay:
    return replay_of_match(played_out(begun()), "K7QX2", ("Ann", "Bob"), told)


def test_a_record_has_the_frames_of_its_match() -> None:
    match = resigned(played(begun(players=(ANN, BOB, CLEO)), "e1", "a5"), CLEO)
    record = read_record(record_lines(match, NAMES))
    of_record = replay_of_record(record, "K7QX2", told)
    of_match = replay_of_match(match, "K7QX2", record.names, told)
    assert [frame.position for frame in of_match.frames] == [
        frame.position for frame in of_record.frames
    ]
    assert [frame.ply for frame in of_record.frames] == [0, 1, 2, 2]
    left = of_record.frames[-1].change
    assert left is not None
    assert (left.kind, left.seat) == (StepKind.LEFT, 3)


def test_a_step_is_told_in_the_words_that_are_typed_in_a_language() -> None:
    match = played(begun(), "e1", "a5", "stay; plant e2")
    last = [step for step in match.course.steps if step.kind is StepKind.MOVE][-1]
    change = Change(
        kind=last.kind,
        seat=last.seat,
        text=last.text,
        move=last.move,
        before=last.before,
        after=last.after,
    )
    german = telling(match.game, ("Ann", "Bob"), environment(lang="de"))(change)
    assert "(bleibe; pflanze e2)" in german


def test_what_is_hidden_is_in_no_frame_of_a_spectator() -> None:
    match = stones().match
    shown = replay_of_match(match, match.id, ("Ann", "Bob"), told)
    public = match.game.board(match.course.position, None, "unicode")  # type: ignore[arg-type]
    assert shown.lines(1) == public.lines
    assert shown.frames[1].told == "draw None "


@pytest.mark.parametrize(
    ("key", "at", "leads_to"),
    [
        ("\x1b[C", 3, 4),
        (" ", 39, 39),
        ("\x1b[D", 3, 2),
        ("\x1b[D", 0, 0),
        ("\x1b[B", 3, 13),
        ("\x1b[B", 35, 39),
        ("\x1b[A", 3, 0),
        ("\x1b[H", 3, 0),
        ("\x1bOF", 3, 39),
        ("x", 3, 3),
        ("\x1b[15~", 3, 3),
        ("q", 3, None),
        ("\x1b", 3, None),
    ],
)
def test_keys_lead_through_the_frames(key: str, at: int, leads_to: int | None) -> None:
    assert after_key(key, at, 40) == leads_to


def test_the_screen_has_board_words_and_slider() -> None:
    shown = replay()
    lines = screen(shown, 1, WIDE)
    assert lines[0] == "K7QX2"
    assert set(shown.lines(1)) <= set(lines)
    assert shown.frames[1].told in lines
    assert f"1 of {len(shown.frames) - 1}, after ply 1" in lines


def test_what_has_changed_stands_out() -> None:
    shown = replay()
    plain = screen(shown, 1, WIDE)
    coloured = screen(shown, 1, Window(80, 40, coloured=True))
    marked = [line for line in coloured[2:] if "\x1b[1;7m" in line]
    changed = [
        line for line, old in zip(shown.lines(1), shown.lines(0), strict=True) if line != old
    ]
    assert len(marked) == len(changed)
    strip = [line.replace("\x1b[1;7m", "").replace("\x1b[1m", "") for line in coloured]
    assert [line.replace("\x1b[0m", "") for line in strip] == plain


def test_a_small_terminal_gets_what_fits() -> None:
    for columns, lines in ((20, 10), (5, 3), (1, 1)):
        shown = screen(replay(), 1, Window(columns, lines, coloured=False))
        assert all(len(line) <= max(columns, 40) for line in shown)
        if lines == 10:
            assert len(shown) <= lines
