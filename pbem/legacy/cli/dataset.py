"""`pbem dataset`: all public matches that are over as files for others to study, without names."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.legacy.cli.opening import counted, database_of, say, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from pbem.legacy.config import Settings
    from pbem.legacy.store.database import Database
    from pbem.legacy.transaction.dataset import Given

CHUNK: Final = 200
"""Matches that are read at once."""

LINES: Final = "matches.jsonl"
TABLES: Final = "matches.sqlite"
ABOUT: Final = "README.md"
"""The files of a dataset."""

SCHEMA: Final = """
create table about (name text primary key, value text not null) without rowid;
create table matches (
    match integer primary key, game text not null, ruleset text not null, options text not null,
    seat_count integer not null, clock text not null, began text not null, ended text not null,
    ply_count integer not null, termination text not null, tournament text, lesson integer not null
);
create table seats (
    match integer not null references matches, seat integer not null, player text, bot text,
    changed integer not null, place integer not null, primary key (match, seat)
) without rowid;
create table plies (
    match integer not null references matches, number integer not null, ply integer not null,
    kind text not null, seat integer, text text, forced integer not null, position text,
    primary key (match, number)
) without rowid;
"""
INDEXES: Final = """
create index matches_of_game on matches (ruleset, ended);
create index seats_of_player on seats (player) where player is not null;
create index plies_from_position on plies (position) where position is not null;
"""


def dataset(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(help="A folder that there is not yet.", metavar="DIR")],
) -> None:
    """Write all public matches that are over, for others to study.

    Nobody is named: players have names that mean nothing elsewhere, and days have no hours.
    docs/dataset.md says what is in each file and column.
    """
    from pbem.errors import ConfigError
    from pbem.legacy.wiring.process import clock, entropy

    settings = settings_of(ctx)
    if not settings.dataset.licence.strip():
        raise ConfigError(
            "dataset.licence is not set: what others may do with the matches of your players, as "
            'in licence = "CC BY 4.0" below [dataset]; ask them first'
        )
    if folder.exists():
        raise ConfigError(f"{folder} is there already: name a folder that there is not yet")
    with database_of(settings) as db:
        count = write(db, folder, about(settings, clock()), entropy(32))
    say(f"wrote {counted(count, 'match', 'matches')} to {folder}")


def about(settings: Settings, now: datetime) -> dict[str, str]:
    """What is said of a dataset as a whole."""
    from pbem import __version__
    from pbem.legacy.transaction.dataset import FORMAT

    return {
        "title": settings.site.title,
        "licence": settings.dataset.licence.strip(),
        "made": f"{now:%Y-%m-%d}",
        "format": str(FORMAT),
        "pbem": __version__,
    }


def write(db: Database, folder: Path, known: dict[str, str], key: bytes) -> int:
    """Write a dataset, and count its matches; the folder is there when it is whole, or not at all.

    `key` has 32 bytes that nobody knows or keeps. Raises ConfigError where nothing can be written.
    """
    import shutil

    from pbem.errors import ConfigError

    unfinished = folder.with_name(f"{folder.name}.unfinished")
    try:
        unfinished.mkdir(parents=True)
    except OSError as error:
        raise ConfigError(f"{unfinished} cannot be made: {error.strerror}") from None
    try:
        count = _written(unfinished, _matches(db, key), known)
        unfinished.rename(folder)
    except BaseException:
        shutil.rmtree(unfinished)
        raise
    return count


def _matches(db: Database, key: bytes) -> Iterator[Given]:
    from pbem.legacy.matches.match import Status
    from pbem.legacy.store import views
    from pbem.legacy.transaction.dataset import Masks, given

    masks = Masks(key)
    ended = db.read(partial(views.match_ids, statuses=(Status.ENDED.value,))).result()
    numbered = list(enumerate(masks.shuffled(ended), 1))
    for first in range(0, len(numbered), CHUNK):
        some = numbered[first : first + CHUNK]
        yield from db.read(partial(given, matches=some, masks=masks)).result()


def _written(folder: Path, matches: Iterable[Given], known: dict[str, str]) -> int:
    count = 0
    with (
        (folder / LINES).open("w", encoding="utf-8") as lines,
        closing(sqlite3.connect(folder / TABLES)) as tables,
    ):
        tables.executescript(SCHEMA)
        tables.executemany("insert into about values (?, ?)", known.items())
        for one in matches:
            count += 1
            lines.write(line(one) + "\n")
            _insert(tables, "matches", [one.match])
            _insert(tables, "seats", one.seats)
            _insert(tables, "plies", one.plies)
        tables.executescript(INDEXES)
        tables.commit()
    (folder / ABOUT).write_text(
        f"# Matches of {known['title']}\n\n"
        f"{counted(count, 'match', 'matches')}, written on {known['made']}"
        f" by pbem {known['pbem']}, format {known['format']}.\n\n"
        f"Licence: {known['licence']}\n\n"
        f"`{LINES}` has a match a line, `{TABLES}` the same in tables. docs/dataset.md of pbem says"
        " what\neach column means. Do not try to find out who the players are.\n",
        encoding="utf-8",
    )
    return count


def _insert(tables: sqlite3.Connection, name: str, rows: Iterable[tuple[Any, ...]]) -> None:
    for row in rows:
        places = ", ".join("?" * len(row))
        tables.execute(f"insert into {name} values ({places})", row)  # noqa: S608 - names of ours


def line(one: Given) -> str:
    """A match as JSON: its own columns, and its seats and plies without the match's number."""
    told: dict[str, Any] = one.match._asdict()
    told["options"] = json.loads(one.match.options)
    told["lesson"] = bool(one.match.lesson)
    told["seats"] = [_without_match(row, "changed") for row in one.seats]
    told["plies"] = [_without_match(row, "forced") for row in one.plies]
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _without_match(row: Any, flag: str) -> dict[str, Any]:
    told = {name: value for name, value in row._asdict().items() if name != "match"}
    return {**told, flag: bool(told[flag])}
