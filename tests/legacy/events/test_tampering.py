"""Whatever is changed in a recorded match is found: by its hash chain, and again by the rules.

The chain knows every byte. Whoever writes the chain anew is found by the match itself: by its
draws, its moves, its result. What the match cannot know is listed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.legacy.matches.verify import Caused, verify
from pbem.legacy.store.codec import Unfit, canonical, decode
from pbem.legacy.store.database import Database
from pbem.legacy.store.log.exchange import import_stream
from pbem.legacy.store.log.outside_lines import ImportRefused
from pbem.names import MatchId
from tests.legacy.databases import new_database
from tests.legacy.events.accept import EVENTS

SAMPLES = sorted((EVENTS / "samples").glob("*.jsonl"))

FREE: Final = {
    ("ChallengeIssued", "stand_in"),  # where nobody left
    ("ChallengeIssued", "links"),  # it could have been longer, and no draw would be another
    ("ChallengeIssued", "rematch_of"),  # what other match it followed, where no seats are drawn
    ("ChallengeIssued", "private"),  # whether anybody may watch
    ("ChallengeIssued", "asks"),  # whom open seats were for
    ("ChallengeIssued", "unrated"),  # of a match that is not rated for another reason, too
    ("ChallengeIssued", "tournament"),  # which one it is a table of, where no seats are drawn
    ("MessageSaid", "author"),
    ("MessageSaid", "text"),  # what was said changes no position, and may be forgotten
    ("MovePlayed", "comment"),
    ("MovePlayed", "letter"),  # where nothing is drawn after it, see below
    ("MovePlayed", "received"),  # where the cap or a second hides it
    ("MovePlayed", "typed"),  # how a move was written; it is kept beside its notation
    ("StandingOrderGiven", "order"),  # before a draw that it decides
    ("StandingOrderGiven", "seat"),
}
"""What only the hash chain holds: the match would be as right with other values."""

QUIET: Final = {"MessageSaid", "StandingOrderGiven", "DrawDeclined"}
"""Events that could stand elsewhere, or not at all, in a match that is as right."""

Line = dict[str, Any]


@pytest.fixture(params=SAMPLES, ids=lambda path: path.stem)
def lines(request: pytest.FixtureRequest) -> list[Line]:
    path: Path = request.param
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Database]:
    new_database(tmp_path / "pbem.db")
    with closing(Database.open(tmp_path / "pbem.db")) as database:
        yield database


def events_of(lines: list[Line]) -> list[Line]:
    return [line for line in lines if "event_id" in line]


def others(value: Any) -> Iterator[Any]:
    """Values of the same shape that are not this one."""
    match value:
        case None:
            yield "0" * 64
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, 0) if value else (1,)
        case str():
            yield from _other_texts(value)
        case list():
            yield from _other_lists(value)
        case dict():
            yield {**value, "more": 1}
            for key, item in value.items():
                yield {name: one for name, one in value.items() if name != key}
                yield from ({**value, key: other} for other in others(item))
        case _:
            raise TypeError(f"{value!r} stands in no event")


def _other_texts(value: str) -> Iterator[str]:
    yield f"{value}x"
    if value:
        yield ""
        yield ("1" if value[0] == "0" else "0") + value[1:]
        yield value[:-1] + ("1" if value[-1] == "0" else "0")


def _other_lists(value: list[Any]) -> Iterator[list[Any]]:
    yield value[:-1]
    yield [*value, value[-1]]
    for at, item in enumerate(value[:3]):
        yield from ([*value[:at], other, *value[at + 1 :]] for other in others(item))
    for at in range(len(value) - 1):
        swapped = [*value[:at], value[at + 1], value[at], *value[at + 2 :]]
        if swapped != value:
            yield swapped


def chosen(lines: list[Line]) -> list[int]:
    """Where the lines of each kind stand for the first or the last time, in turn.

    What is wrong with a line is found alike in each of its kind, and each costs a replay.
    """
    kinds: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        # What a field holds changes what can be wrong with it: nothing, or something.
        filled = [name for name, value in line.get("data", {}).items() if value not in ("", None)]
        kinds[line.get("type", ""), *(filled or line)].append(at)
    return sorted(places[-(number % 2)] for number, places in enumerate(kinds.values()))


def changes(lines: list[Line]) -> Iterator[tuple[str, str, list[Line]]]:
    """The fields of chosen events with another value: event, field, all lines."""
    for number, at in enumerate(chosen(lines)):
        line = lines[at]
        if "event_id" not in line:
            continue
        for name, value in line["data"].items():
            values = [other for other in others(value) if other != value]
            for other in [values[number % len(values)]]:
                changed = {**line, "data": {**line["data"], name: other}}
                yield line["type"], name, [*lines[:at], changed, *lines[at + 1 :]]


def found_by_rules(lines: list[Line]) -> bool:
    """Whether the events, their hashes aside, are seen to be wrong."""
    events = events_of(lines)
    try:
        stream = [
            Caused(
                event=decode(line["type"], line["schema"], canonical(line["data"])),  # type: ignore[arg-type]
                cause=line["meta"]["caused_by"],
            )
            for line in events
        ]
    except Unfit:
        return True
    secrets = {line["sealed"]: line["text"] for line in lines if "sealed" in line}
    return bool(verify(MatchId("K7QX2"), stream, secrets).findings)


def found_by_chain(log: Database, lines: list[Line]) -> bool:
    """Whether the lines are refused as a stream."""
    texts = [json.dumps(line) for line in lines]
    try:
        log.write(lambda conn: import_stream(conn, texts)).result()
    except (ImportRefused, Unfit):
        return True
    return False


def test_the_sample_itself_is_right(lines: list[Line], log: Database) -> None:
    assert not found_by_rules(lines)
    assert not found_by_chain(log, lines)


def test_every_changed_field_is_found_by_the_chain(lines: list[Line], log: Database) -> None:
    assert all(found_by_chain(log, changed) for _, _, changed in changes(lines))


def test_every_changed_field_of_the_frame_is_found_by_the_chain(
    lines: list[Line], log: Database
) -> None:
    for number, at in enumerate(chosen(lines)):
        line = lines[at]
        for name, value in line.items():
            # Another log gives other positions; a stream's times are the table's, not the chain's.
            if name in ("position", "data", "created_at", "closed_at", "next_index", "chance"):
                continue
            values = list(others(value))
            changed = {**line, name: values[number % len(values)]}
            assert found_by_chain(log, [*lines[:at], changed, *lines[at + 1 :]]), (at, name)


def test_every_changed_field_is_found_by_the_match_itself(lines: list[Line]) -> None:
    missed = {(kind, name) for kind, name, changed in changes(lines) if not found_by_rules(changed)}
    assert missed <= FREE


def test_every_letter_that_a_later_draw_is_bound_to_is_found() -> None:
    text = (EVENTS / "samples" / "looney_ludo-1.jsonl").read_text("utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    drawn = [at for at, line in enumerate(lines) if line.get("type") == "ChanceDrawn"]
    cause = lines[drawn[-1]]["meta"]["caused_by"]
    end = next(
        at for at, line in enumerate(lines) if line.get("meta", {}).get("caused_by") == cause
    )
    letters = [at for at in range(end) if lines[at].get("data", {}).get("letter")]
    assert len(letters) > 10
    for at in (*letters[:2], letters[len(letters) // 2], *letters[-2:]):
        for other in ("", "0" * 64, lines[letters[at == letters[0]]]["data"]["letter"]):
            data = {**lines[at]["data"], "letter": other}
            assert found_by_rules([*lines[:at], {**lines[at], "data": data}, *lines[at + 1 :]])


def test_dropped_added_and_swapped_events_are_found(lines: list[Line], log: Database) -> None:
    places = [at for at, line in enumerate(lines) if "event_id" in line]
    wanted = set(chosen(lines))
    for at in places:
        if at not in wanted:
            continue
        kinds = {lines[at]["type"], lines[at + 1].get("type")}
        dropped = [*lines[:at], *lines[at + 1 :]]
        doubled = [*lines[: at + 1], *lines[at:]]
        swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        for forged in (dropped, doubled, swapped):
            if forged is swapped and at + 1 not in places:
                continue
            assert found_by_chain(log, forged), (at, kinds)
            if not kinds & QUIET:
                assert found_by_rules(forged), (at, kinds)


def test_a_record_that_is_cut_off_is_found_by_its_head(lines: list[Line], log: Database) -> None:
    places = [at for at, line in enumerate(lines) if "event_id" in line]
    for at in set(chosen(lines)) & set(places[1:]):
        assert found_by_chain(log, [*lines[:at], *lines[places[-1] + 1 :]])


def test_other_sealed_texts_and_chains_are_found(lines: list[Line], log: Database) -> None:
    for at, line in enumerate(lines):
        for name in ("sealed", "salt", "text", "commitment", "secret", "links"):
            if name in line and "event_id" not in line:
                changed = {**line, name: next(others(line[name]))}
                if name == "secret":
                    changed[name] = "00" * 32
                assert found_by_chain(log, [*lines[:at], changed, *lines[at + 1 :]]), (at, name)
