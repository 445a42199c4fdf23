"""Bits that fall over in the content of a database's tables, one at a time."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from pbem.store.database import Database
from pbem.store.log import verify
from pbem.store.tables import METADATA
from pbem.store.upkeep import deep

SHORTEST = 4
"""Bytes that a value must have, to be found in the file."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A bit of a value in the file; `places` is how often these bytes stand there."""

    table: str
    column: str
    at: int
    bit: int
    places: int


def chosen(file: Path, count: int, dice: random.Random) -> Iterator[Flip]:
    """Bits of values by chance: each table alike often, then each row and column."""
    text = file.read_bytes()
    with closing(sqlite3.connect(file)) as conn:
        names = [
            name
            for name in METADATA.tables
            if conn.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608 - ours
        ]
        while count:
            table = dice.choice(names)
            column = dice.choice([one.name for one in METADATA.tables[table].columns])
            (value,) = conn.execute(
                f'SELECT CAST("{column}" AS BLOB) FROM "{table}" '  # noqa: S608 - ours
                "ORDER BY random() LIMIT 1"
            ).fetchone()
            at = text.find(value) if value is not None and len(value) >= SHORTEST else -1
            if at >= 0:
                count -= 1
                offset, bit = dice.randrange(len(value)), dice.randrange(8)
                yield Flip(table, column, at + offset, bit, text.count(value))


@contextmanager
def flipped(file: Path, flip: Flip) -> Iterator[None]:
    """The file with that bit the other way round, for a while."""
    with file.open("r+b") as opened:
        opened.seek(flip.at)
        (was,) = opened.read(1)
        opened.seek(flip.at)
        opened.write(bytes([was ^ 1 << flip.bit]))
    try:
        yield
    finally:
        with file.open("r+b") as opened:
            opened.seek(flip.at)
            opened.write(bytes([was]))


def is_found(file: Path) -> bool:
    """Whether a deep look at the database finds anything."""
    try:
        with closing(Database.open(file, lenient=True)) as db:
            return db.read(_anything).result()
    except Exception:  # noqa: BLE001 - it cannot even be opened, and that is told
        return True


def _anything(conn: Connection) -> bool:
    looks = (verify.verify, deep.integrity, deep.checksums, deep.contradictions)
    return any(True for look in looks for _ in look(conn))
