"""Files from outside: whatever is in them, a sentence says what is wrong, and nothing is kept."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import timedelta
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from pbem.cli.history import explained, people_in, told
from pbem.cli.matches import names_of, replayed
from pbem.cli.play import _of_file
from pbem.cli.record import sound, taken_in, taken_out
from pbem.cli.transcripts import play_record
from pbem.cli.verifying import verified_lines
from pbem.errors import PbemError
from pbem.games.record_text import read_record
from pbem.notices.views.told import record_lines
from pbem.store.database import Database
from pbem.store.log.event_log import GENESIS, hash_of
from pbem.store.log.exported import _recorded, read_export
from pbem.store.log.outside_lines import ImportRefused
from pbem.store.log.sealed import digest_of
from pbem.store.log.verify import verify
from pbem.store.tables import event
from pbem.store.upkeep.deep import contradictions, wrong
from pbem.transaction.installation import verified as verified_match
from tests.cli.service import Service, run
from tests.databases import new_database
from tests.events.accept import EVENTS
from tests.events.test_tampering import SAMPLES
from tests.store.given import NOW, write

STONES = EVENTS / "samples" / "logan_stones-1.jsonl"
LUDO = EVENTS / "samples" / "looney_ludo-1.jsonl"
DIGITS = str.maketrans("0123456789", "9876543210")
LATER = NOW + timedelta(days=400)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    new_database(tmp_path / "pbem.db")
    with closing(Database.open(tmp_path / "pbem.db")) as database:
        yield database


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def deep(depth: int) -> str:
    return "[" * depth + "]" * depth


LUDO_CHAIN = lines_of(LUDO)[-1]

HOSTILE = {
    "brackets": "[" * 100_000,
    "closed brackets": deep(100_000),
    "objects": '{"a":' * 50_000,
    "deep data": '{"format":1,"stream":"match-A","category":' + deep(500) + "}",
    "nan": '{"format":NaN}',
    "infinity": '{"format":-Infinity}',
    "float": '{"format":1e400}',
    "digits": '{"format":' + "1" * 100_000 + "}",
    "great": '{"format":99999999999999999999}',
    "twice": '{"format":1,"format":1}',
    "list": "[1]",
    "text": '"x"',
    "null": "null",
    "half a character": '{"format":1,"stream":"\\ud800"}',
    "long": '{"format":"' + "x" * 2_000_000 + '"}',
    "empty": "{}",
    "unended": '{"format":1',
    "many": "\n".join(["{}"] * 200_000),
}


def test_secret_draws_that_the_events_open_need_no_lines_of_their_own() -> None:
    """A record that is mailed has none: it shows after the end what anybody can check."""
    mailed = [line for line in lines_of(STONES) if '"sealed":' not in line[:60]]
    mailed = [line for line in mailed if not line.startswith(('{"salt"', '{"chance"'))]
    assert len(mailed) < len(lines_of(STONES))
    match = replayed(read_export(mailed))
    assert match.course.outcome is not None
    assert match.course == replayed(read_export(lines_of(STONES))).course


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_lines_end_in_a_sentence(service: Service, tmp_path: Path, shape: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(HOSTILE[shape], encoding="utf-8")
    for command in (["import", str(file)], ["verify", "--file", str(file)]):
        said = service.run(*command, code=1)
        assert said.startswith("pbem: ")
        assert "Traceback" not in said
        assert len(said) < 300


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff\xfe{\x00}\x00", "line 1 is no UTF-8"),
        (b'{"format":1}\n\xe9', "line 2 is no UTF-8"),
        (gzip.compress(b'{"format":1}', mtime=0), "packed by gzip"),
        (b"\x00" * 1000, "no JSON"),
        (b"", "first line"),
    ],
)
def test_bytes_that_are_no_text_end_in_a_sentence(
    service: Service, tmp_path: Path, data: bytes, words: str
) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(data)
    assert words in service.run("import", str(file), code=1)
    assert service.run("import", str(tmp_path), code=1).startswith("pbem: ")
    assert service.run("verify", "--file", str(file), code=1).startswith("pbem: ")


def test_a_chain_of_a_thousand_million_links_is_refused_at_once(
    service: Service, tmp_path: Path
) -> None:
    lines = [line.replace('"links":4096', '"links":1000000000') for line in lines_of(LUDO)]
    file = tmp_path / "x.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    before = time.process_time()
    first = service.run("import", str(file), code=1)
    assert "links must be a whole number from 1 to 4,096" in first or "hash of event 1" in first
    only_chain = [*lines_of(LUDO)[:-1], lines[-1]]
    file.write_text("\n".join(only_chain), encoding="utf-8")
    assert "(chance): links must be" in service.run("import", str(file), code=1)
    assert "(chance): links must be" in service.run("verify", "--file", str(file), code=1)
    hashing = time.process_time() - before
    calibration = time.process_time()
    json.loads(json.dumps(list(range(1_000_000))))
    assert hashing < 100 * (time.process_time() - calibration)  # an hour, where it is counted


NAMES = [json.dumps({"player": f"p{number}", "name": "Ann"}) for number in range(300)]
STRAY = json.dumps({"sealed": digest_of("x", bytes(16)), "salt": "0" * 32, "text": "x"})


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (NAMES, "more than 200 of kind name"),
        (NAMES[:1], "p0 has a name, and no seat"),
        ([STRAY], "belongs to no event"),
        ([LUDO_CHAIN], "stands twice"),
    ],
)
def test_a_match_brings_only_what_belongs_to_it(extra: list[str], words: str) -> None:
    with pytest.raises(ImportRefused, match=words):
        sound([*lines_of(LUDO), *extra])
    assert sound(lines_of(LUDO))[1].id == "K7QX2"


def test_a_match_of_a_game_that_is_not_here_is_refused_by_its_name() -> None:
    forged = [line.replace("looney_ludo-1", "chess-1") for line in lines_of(LUDO)]
    for read in (sound, verified_lines):
        with pytest.raises(ImportRefused, match=r"^line 2: .*'chess-1'.*logger-1"):
            read(rehashed(forged))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside one."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, one in value.items():
            found += places(one, (*path, key))
    elif isinstance(value, list):
        for at, one in enumerate(value[:2]):
            found += places(one, (*path, at))
    return found


def put(line: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    where: Any = line
    for step in path[:-1]:
        where = where[step]
    where[path[-1]] = value


def kinds(lines: list[str]) -> list[tuple[int, dict[str, Any]]]:
    """One line of each kind, and one event of each type."""
    seen: dict[str, tuple[int, dict[str, Any]]] = {}
    for at, line in enumerate(lines):
        read = json.loads(line)
        kind = read.get("type") or next(
            sign for sign in ("format", "player", "sealed", "chance") if sign in read
        )
        seen.setdefault(kind, (at, read))
    return list(seen.values())


def rehashed(lines: list[str]) -> list[str]:
    """The lines with hashes that are right: whoever can count can write them."""
    out, previous, version = [], GENESIS, 0
    for line in lines:
        read = json.loads(line)
        with suppress(Exception):  # what has no hash needs none
            if "event_id" in read:
                version += 1
                read["version"] = version
                previous = read["hash"] = hash_of(previous, _recorded(read))
        out.append(read)
    out[0].update({"head_hash": previous, "version": version} if "head_hash" in out[0] else {})
    return [json.dumps(read) for read in out]


def mutations(value: Any, seats: int) -> list[Any]:
    """What may stand in place of a value: another type, sign, size, word, seat, place."""
    match value:
        case bool():
            return [not value, None, 2, "true"]
        case int():
            return [-1 - value, 10**9, value + 1, str(value), None, value % seats + 1, 99]
        case str():
            hostile = [
                "",
                "x",
                "<script>alert(1)</script>",
                "\u202e\x1b[2J",
                f"{value}{value}",
                "9" * 300,
            ]
            return [*hostile, 7, None, [value], value[::-1]]
        case list():
            return [value[::-1], value[:-1], [*value, *value[:1]], [*value, None], "x", {}]
        case dict():
            return [{}, {**value, "more": 1}, dict(list(value.items())[1:]), [], None]
        case _:
            return [0, "x", [], "0" * 64]


def mutated(lines: list[str], seats: int) -> Iterator[list[str]]:
    """The lines with each value of each kind of line in each other way, and in another order."""
    for at, line in kinds(lines):
        for place in places(line):
            changed = json.loads(json.dumps(line))
            for value in mutations(value_at(line, place), seats):
                put(changed, place, value)
                yield [*lines[:at], json.dumps(changed), *lines[at + 1 :]]
        for name in line:
            yield [
                *lines[:at],
                json.dumps({key: held for key, held in line.items() if key != name}),
                *lines[at + 1 :],
            ]
        yield [*lines[:at], json.dumps({**line, "more": 1}), *lines[at + 1 :]]
        yield [*lines[:at], *lines[at + 1 :]]
        yield [*lines[: at + 1], lines[at], *lines[at + 1 :]]
        yield [*lines[:at], *lines[at + 1 : at + 2], lines[at], *lines[at + 2 :]]


def value_at(line: Any, place: tuple[Any, ...]) -> Any:
    for step in place:
        line = line[step]
    return line


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_an_export_with_any_field_changed_is_taken_whole_or_refused_in_words(
    db: Database, path: Path, pytestconfig: pytest.Config
) -> None:
    # Hashed again: what is as it is fails by its hash. Every change is tried among the slow tests.
    lines, stride = lines_of(path), 1 if pytestconfig.getoption("--slow") else 97
    assert _is_taken(db, lines)
    for forged in islice(mutated(lines, 2), zlib.crc32(path.stem.encode()) % stride, None, stride):
        _is_taken(db, rehashed(forged))
    kept = select(func.count()).select_from(event)
    assert write(db, lambda conn: conn.execute(kept).scalar()) == 0


class _TakenIn(Exception):  # noqa: N818 - what happened
    """It was taken in: and is taken out again."""


def _is_taken(db: Database, lines: list[str]) -> bool:
    """Whether the lines are taken in; then all that shows a match shows it, and it goes again."""
    with suppress(PbemError):
        verified_lines(lines)
    with suppress(PbemError):
        replayed(read_export(lines))
    try:
        read, match = sound(lines)
    except ImportRefused:
        return False

    def unit(conn: Any) -> None:
        taken_in(conn, read, match, LATER)
        entries = explained(conn, match.id)
        list(told(entries, names_of(conn, people_in(entries))))
        assert verified_match(conn, match.id)[0].findings == ()
        assert not [*verify(conn), *contradictions(conn), *wrong(conn, LATER, {})]
        taken_out(conn, match.id, LATER)
        assert not [*verify(conn), *contradictions(conn), *wrong(conn, LATER, {})]
        raise _TakenIn

    with pytest.raises((_TakenIn, ImportRefused)) as ended:
        write(db, unit)
    return ended.type is _TakenIn


def altered(lines: list[str]) -> Iterator[list[str]]:
    """A record with each line in other ways: gone, twice, swapped, with other signs in it."""
    hostile = ("999999. x", "{drawn: 9 9 9}", "{seat 99 left}", "{points} 9 9 9 9", '[Seat9 "x"]')
    for at, line in enumerate(lines):
        others = [[], [line, line], [line[::-1]], [line[:-1]], [line.replace(" ", "  9 ")]]
        others += [[line.translate(DIGITS)], [line, hostile[at % len(hostile)]]]
        for other in others:
            yield [*lines[:at], *other, *lines[at + 1 :]]
        yield [*lines[:at], *lines[at + 1 : at + 2], line, *lines[at + 2 :]]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_record_with_any_line_changed_is_read_or_refused_in_words(
    tmp_path: Path, path: Path, pytestconfig: pytest.Config
) -> None:
    read, match = sound(lines_of(path))
    lines, stride = record_lines(match, read.names), 1 if pytestconfig.getoption("--slow") else 13
    file = tmp_path / "record"
    for forged in islice(altered(lines), zlib.crc32(path.stem.encode()) % stride, None, stride):
        file.write_text("\n".join(forged), encoding="utf-8")
        with suppress(PbemError):
            play_record(read_record(forged), StringIO(), json=False)
        with suppress(PbemError):
            _of_file(file)


def test_a_transcript_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"a1\n\xff\xfe\n")
    for words in (["logger"], []):
        result = run("play", *words, "--transcript", str(file))
        assert (result.exit_code, "line 2 is no UTF-8" in result.output) == (1, True)
    assert "cannot be read" in run("play", "logger", "--transcript", str(tmp_path / "none")).output


def test_what_other_commands_read_ends_in_a_sentence_too(tmp_path: Path) -> None:
    hostile = tmp_path / "x"
    for text in HOSTILE.values():
        hostile.write_text(text[:200_000], encoding="utf-8")
        for command in (
            ["--config", str(hostile), "check"],
            ["play", "logger", "--file", str(hostile)],
            ["play", "looney_ludo", "--position", text[:5000]],
            ["restore", str(hostile)],
        ):
            result = run(*command)
            assert "Traceback" not in result.output, command[:2]
            assert result.exception is None or isinstance(result.exception, SystemExit), command
