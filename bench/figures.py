"""Measure the service as a whole, and write the page of figures (docs/figures.md).

    ./run bench figures

It takes some minutes. The time of a turn depends on the machine; ratios are of one run.
"""

from __future__ import annotations

import ast
import asyncio
import io
import os
import platform
import subprocess
import sys
import tempfile
import time
import tokenize
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
from sqlalchemy import Connection

from bench import email_turns
from bench.email_turns import Figures
from pbem.notifications.renderer import Renderer
from pbem.server import send
from pbem.service import execution, incoming, moves
from pbem.store.database import Database
from tests.server.test_serve import ask, find_free_port, serving
from tests.server.test_serve import run as run_command

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "figures.md"
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
TURNS = 600
COPIES = 100_000  # matches of other players in the full database
PAIRS = 10_000  # of these players

NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "
PLAYER = "CASE WHEN seat = 1 THEN 'A' ELSE 'B' END || (n.i % {pairs} + 1)"
COPIED: dict[str, tuple[str, dict[str, str]]] = {
    "match": ("id", {"id": "'copy' || n.i"}),
    "seat": ("match", {"match": "'copy' || n.i", "player": PLAYER}),
    "timer": ("match", {"match": "'copy' || n.i"}),
    "chance_secret": ("match", {"match": "'copy' || n.i"}),
    "event": (
        "stream",
        {
            "stream": "'copy' || n.i",
            "position": "{last} + (n.i - 1) * {length} + version",
            "event_id": "'copy' || n.i || ' ' || version",
        },
    ),
}
"""Tables of a match: the column with its code, and what is changed in a copy."""


def fill(database: Database) -> None:
    """Copy a running match 100,000 times, for other players."""
    database.run(copy_players)
    database.run(copy_match)


def copy_players(conn: Connection) -> None:
    """Add the players of the copies."""
    for letter in "AB":
        changed = {"id": f"'{letter}' || n.i", "name": f"'{letter}' || n.i"}
        _copy(conn, "player", "id IN (SELECT min(id) FROM player)", changed, PAIRS)


def copy_match(conn: Connection) -> None:
    """Copy the rows of a match."""
    code = conn.exec_driver_sql("SELECT min(id) FROM match").scalar_one()
    last = conn.exec_driver_sql("SELECT max(position) FROM event").scalar_one()
    length = conn.exec_driver_sql("SELECT version FROM match WHERE id = ?", (code,)).scalar_one()
    facts = {"pairs": PAIRS, "last": last, "length": length}
    for table, (column, changed) in COPIED.items():
        values = {name: value.format(**facts) for name, value in changed.items()}
        _copy(conn, table, f"{column} = '{code}'", values, COPIES)


def _copy(conn: Connection, table: str, where: str, changed: dict[str, str], count: int) -> None:
    info = conn.exec_driver_sql(f'PRAGMA table_info("{table}")')
    columns = [row.name for row in info]
    values = ", ".join(changed.get(name, f'"{table}"."{name}"') for name in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    conn.exec_driver_sql(  # names of our own tables
        f'{NUMBERS.format(count=count)}INSERT INTO "{table}" ({names}) '  # noqa: S608
        f'SELECT {values} FROM n, "{table}" WHERE {where}'
    )


@contextmanager
def measuring_pipeline(spent: list[float]) -> Iterator[None]:
    """Add up the time of what any service by email does, without a database.

    That is to parse and read a message, to play the move, and to render and compose the next email.
    """
    running = False

    def timed(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal running
            if running:
                return function(*args, **kwargs)
            running, began = True, time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                running = False
                spent[0] += time.thread_time() - began

        return call

    places: list[tuple[Any, str]] = [
        (incoming, "parse_inbound"),
        (incoming, "remove_quote"),
        (execution, "parse"),
        (moves, "play_move"),
        (Renderer, "render"),
        (send, "compose"),
    ]
    patches = [
        mock.patch.object(where, name, timed(getattr(where, name))) for where, name in places
    ]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()


def measure_turns(prepare: Callable[[Database], None] | None = None) -> Figures:
    """Play turns by email in a new database."""
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(email_turns.run(Path(name), TURNS, prepare=prepare))


def measure_command(*arguments: str) -> float:
    """Return the seconds that a command takes: the best of three."""
    found = []
    for _ in range(3):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "pbem", *arguments], check=True, capture_output=True)
        found.append(time.perf_counter() - began)
    return min(found)


def measure_start() -> tuple[float, int]:
    """Return the seconds until `serve` answers with pages, and the megabytes that it then has."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), find_free_port()
        run_command(folder, "init", "--yes", "--maildir", "mail").check_returncode()
        with (folder / "config.toml").open("a") as config:
            config.write(f'[web]\nlisten = "127.0.0.1:{port}"\n')
        began = time.perf_counter()
        with serving(folder) as process:
            while True:
                try:
                    ask(port, "/readyz")
                except httpx.TransportError:
                    time.sleep(0.02)
                    continue
                break
            seconds = time.perf_counter() - began
            ask(port, "/")
            lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        [memory] = [line for line in lines if line.startswith("VmRSS")]
        return seconds, int(memory.split()[1]) // 1024


def count_code(path: Path) -> int:
    """Return the lines of a module without blank ones, comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    docs: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            docs.update(range(value.lineno, (value.end_lineno or value.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docs)


def count_packages() -> dict[str, int]:
    """Return the lines of code of each package, without migrations."""
    found: dict[str, int] = {}
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        if "migrations" not in path.parts:
            name = path.relative_to(ROOT / "pbem").parts[0].removesuffix(".py")
            found[name] = found.get(name, 0) + count_code(path)
    return {name: count for name, count in found.items() if count > 1}


def count_words(folder: Path) -> int:
    """Return the words of the documents of a folder."""
    return sum(len(path.read_text(encoding="utf-8").split()) for path in folder.rglob("*.md"))


def count_tests() -> tuple[int, int]:
    """Return how many test cases there are, and their lines of code."""
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests"]
    collected = subprocess.run(collect, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    cases = sum("::" in line for line in collected.splitlines())
    return cases, sum(map(count_code, (ROOT / "tests").rglob("*.py")))


def write_page() -> str:
    """Measure everything. Return the page."""
    spent = [0.0]
    alone = measure_turns()
    with measuring_pipeline(spent):
        measured = measure_turns()
    pipeline = 1000 * spent[0] / (measured.turns + email_turns.WARM_UP)
    full = measure_turns(fill)
    seconds, memory = measure_start()
    packages = count_packages()
    cases, lines = count_tests()
    games = packages.pop("games")
    rows = "\n".join(f"| {name} | {count} |" for name, count in sorted(packages.items()))
    return PAGE_TEXT.format(
        date=datetime.now(UTC).date(),
        cores=os.cpu_count(),
        machine=platform.machine(),
        python=platform.python_version(),
        alone=alone,
        pipeline=pipeline,
        share=pipeline / measured.milliseconds,
        full=full,
        ratio=full.milliseconds / alone.milliseconds,
        help=measure_command("--help"),
        seconds=seconds,
        memory=memory,
        rows=rows,
        total=sum(packages.values()),
        games=games,
        cases=cases,
        lines=lines,
        words=count_words(ROOT / "docs"),
    )


# ruff: noqa: E501
PAGE_TEXT = """\
# Figures

`./run bench figures` wrote this page on {date}, on {cores} cores ({machine}) with Python {python}.
Times differ by machine; ratios are of one run.

## Turns by email

One process on SQLite with durable commits, two players in twenty matches of Logger without
pictures, from the bytes of a reply to the bytes of the next player's email.

| what | figure |
|---|---|
| turns a second of processor | {alone.per_second:.0f} |
| processor for each turn | {alone.milliseconds:.1f} ms, {alone.statements:.0f} SQL statements |
| of that without the database: parse, read, play, render, compose | {pipeline:.1f} ms ({share:.0%}) |
| the same beside 100,000 running matches of 20,000 other players | {full.milliseconds:.1f} ms ({ratio:.2f} times) |

## Start and memory

| what | figure |
|---|---|
| `pbem --help` | {help:.2f} s |
| `pbem serve` until it answers | {seconds:.1f} s |
| memory of `serve` with pages | {memory} MB |

## Size

Lines of code, without blank lines, comments, docstrings and migrations. Tests: {cases} cases in
{lines} lines of code. Docs: {words} words with the rulebooks.

| package | lines |
|---|---|
{rows}
| together | {total} |
| games | {games} |
"""


def main() -> None:
    """Measure, and write the page."""
    email_turns.log_errors_only()
    PAGE.write_text(write_page(), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
