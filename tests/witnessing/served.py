"""A club whose log is signed and whose pages are served, and a witness that looks at it."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path

from typer.testing import CliRunner, Result

from pbem.cli.app import app
from pbem.config.sections import Checkpoints
from pbem.runners.checkpoints import sign_log, signed_note
from pbem.store.database import Database
from pbem.store.log import tree
from pbem.transaction.installation import House
from pbem.wiring.pages import pages_of
from pbem.witnessing import notes
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.store.given import read, write

SEED = bytes(range(32))


@dataclass
class Served:
    """A club with pages at an address; `file` is its database, where that is SQLite's."""

    club: Club
    file: Path
    address: str = ""

    @property
    def house(self) -> House:
        return self.club.house

    @house.setter
    def house(self, house: House) -> None:
        self.club.house = house

    @property
    def key(self) -> notes.PublicKey:
        return notes.SecretKey(self.house.log_origin, SEED).public

    @property
    def size(self) -> int:
        return self.newest().size

    def newest(self) -> tree.Note:
        note = read(self.house.db, tree.newest)
        assert note is not None
        return note

    async def play(self, *, other: bool = False) -> None:
        """Something happens, in a way or in another, and a day later it is signed."""
        await self.club.write(CLEO if other else ANN, f"new logger with {BOB}")
        await self.club.answer(CLEO if other else ANN, "yes")
        await self.club.wait(hours=24)
        await sign_log(self.house)

    def copy_to(self, file: Path) -> None:
        with closing(sqlite3.connect(self.file)) as old, closing(sqlite3.connect(file)) as new:
            old.backup(new)

    def hash_and_sign_anew(self) -> None:
        """What a server does that hides what it has done."""
        with closing(sqlite3.connect(self.file)) as conn, conn:
            conn.execute("DELETE FROM log_node")
            conn.execute("DELETE FROM log_note")
        size = read(self.house.db, tree.size)
        root = read(self.house.db, lambda conn: tree.root_of_events(conn, size))
        note = signed_note(self.house.log_origin, SEED, size, root, self.house.now())
        write(self.house.db, lambda conn: tree.keep_note(conn, note))


def _opened(folder: Path, database: Path | None, witnesses: Sequence[str]) -> Served:
    folder.mkdir(exist_ok=True)
    file = folder / "pbem.db"
    for old in folder.glob("pbem.db*"):
        old.unlink()
    club = open_club(folder)
    if database is not None:
        club.house.db.close()
        for old in folder.glob("pbem.db*"):
            old.unlink()
        shutil.copy(database, file)
        # Of its own: else the same chance gives a newcomer the id of one who is there.
        drawn = random.Random(9).randbytes
        club.house = replace(club.house, db=Database.open(file), entropy=drawn)
    known = {"checkpoints": Checkpoints(witnesses=tuple(witnesses))}
    settings = club.house.settings.model_copy(update=known)
    club.house = replace(club.house, log_seed=SEED, settings=settings)
    return Served(club, file)


@asynccontextmanager
async def served(
    folder: Path, database: Path | None = None, witnesses: Sequence[str] = ()
) -> AsyncIterator[Served]:
    """A club whose log has been signed once; with the database of another, where one is given."""
    made = _opened(folder, database, witnesses)
    if database is None:
        await made.play()
    async with pages_of(made.house, "127.0.0.1", 0) as address:
        made.address = address.rstrip("/")
        yield made
    made.house.db.close()


async def looks(club: Served, folder: Path, *more: str, source: str = "") -> Result:
    """What `pbem witness` says of it."""
    asked = ["witness", source or f"{club.address}/checkpoint", str(folder), *more]
    return await asyncio.to_thread(lambda: CliRunner().invoke(app, asked))
