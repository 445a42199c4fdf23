"""Service and pages as processes, below which the database is replaced: nothing goes in silence."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from pbem.config import AddressKeys, write_keys
from pbem.mail.addresses import Purpose
from pbem.store.database import Database
from pbem.store.engine import engine_of, url_of
from pbem.store.mails import inbox
from pbem.store.schema import head
from pbem.transport.maildir import make_maildir
from pbem.wiring.process import LOOK
from tests import postgres
from tests.cli.service import run
from tests.clubs.club import ANN, GAMES
from tests.databases import ENGINE
from tests.servers import free_port
from tests.web.site import Site, begin, open_site

LOOKS = LOOK + 120
"""Seconds within which a process has noticed and ended, on a machine that is busy."""


@dataclass
class Place:
    """A folder with a club in which Ann is to move, and how its database is reached."""

    folder: Path
    database: str
    page: str
    port: int

    @property
    def config(self) -> Path:
        return self.folder / "config.toml"

    @property
    def file(self) -> Path:
        return self.folder / "pbem.db"

    def say(self, *words: str, code: int = 0) -> str:
        result = run("--config", str(self.config), *words)
        assert result.exit_code == code, result.output
        return result.output

    def refuses_to_run(self, command: str) -> str:
        """What a command says that should go on, and does not."""
        words = [sys.executable, "-m", "pbem", "--config", str(self.config), command]
        done = subprocess.run(words, capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == 1, done.stderr
        return done.stderr

    def letters(self) -> dict[str, int]:
        """How many there are, by what became of them."""
        with closing(Database.open(self.database)) as db:
            return db.read(inbox.counts).result()

    def waits_for(self, what: Callable[[], bool]) -> None:
        end = time.monotonic() + LOOKS
        while not what():
            assert time.monotonic() < end
            time.sleep(0.1)

    def sql(self, statement: str) -> None:
        with engine_of(url_of(self.database)).begin() as conn:
            conn.execute(text(statement))

    def letter(self, name: str) -> None:
        """Put a letter of Ann's into the mailbox."""
        raw = f"From: <{ANN}>\nTo: <{GAMES}>\nMessage-ID: <{name}@example.org>\n\ngames\n"
        (self.folder / "mail/in/new" / name).write_text(raw)

    def answer(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Status and text; 0 where nobody answers any more."""
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}{path}", data, timeout=120
            ) as got:
                return got.status, got.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def form(self, words: str) -> dict[str, str]:
        _, page = self.answer(self.page)
        marks = dict(re.findall(r'name="(nonce|made|own)" value="([^"]*)"', page))
        assert "nonce" in marks
        return {"text": words, **marks}

    @contextmanager
    def runs(self, *words: str) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
        """A command that goes on, once its log says that it serves."""
        log = self.folder / f"{words[0]}.log"
        with log.open("wb") as opened:
            process = subprocess.Popen(
                [sys.executable, "-m", "pbem", "--config", str(self.config), *words],
                stdout=opened,
                stderr=opened,
            )
        try:
            end = time.monotonic() + 120
            while b"serving" not in log.read_bytes():
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < end, log.read_text()
                time.sleep(0.05)
            yield process, log
        finally:
            process.kill()
            process.wait()


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    ENGINE.append(request.param)
    yield asyncio.run(_begun(tmp_path))
    ENGINE.pop()
    if request.param == "postgresql":
        for url in list(postgres.made):
            postgres.drop(url)


async def _begun(folder: Path) -> Place:
    site = open_site(folder, clock=lambda: datetime.now(UTC))
    async with site.client:
        await begin(site)
        page = await site.path(Purpose.ACT)
    return _written(site, folder, page)


def _written(site: Site, folder: Path, page: str) -> Place:
    """The folder of a service, as operators have it."""
    site.club.house.db.close()
    place = Place(folder, str(site.club.house.settings.store.database), page, free_port())
    write_keys(folder / "keys.toml", AddressKeys("a", {"a": bytes(range(32))}))
    for name in ("in", "out"):
        make_maildir(folder / "mail" / name)
    place.config.write_text(
        f'[site]\naddress = "{GAMES}"\n[store]\ndatabase = "{place.database}"\n'
        f'[maildir]\nincoming = "mail/in"\noutgoing = "mail/out"\n[web]\nlisten = '
        f'"127.0.0.1:{place.port}"\npublic_url = "http://127.0.0.1:{place.port}"\n'
        # A second process that reads would cost as much as the service, and is as idle.
        "[limits]\nreading_processes = 1\n"
    )
    return place


# --- what is done to it, and undone --------------------------------------------------------------


@contextmanager
def removed(place: Place) -> Iterator[None]:
    kept = place.folder / "kept.db"
    os.link(place.file, kept)
    place.file.unlink()
    yield
    assert not place.file.exists()
    os.rename(kept, place.file)  # noqa: PTH104 - as `mv`


@contextmanager
def restored(place: Place) -> Iterator[None]:
    place.say("backup", str(place.folder / "backup"))
    old = place.folder / "old"
    old.mkdir()
    for file in (*place.folder.glob("pbem.db*"), place.folder / "keys.toml"):
        if not file.name.endswith((".lock", ".open")):
            file.rename(old / file.name)
    assert "stop it first" in place.say("restore", str(place.folder / "backup"), code=1)
    yield
    place.say("restore", str(place.folder / "backup"))


@contextmanager
def migrated(place: Place) -> Iterator[None]:
    other = postgres.new_database() if place.database.startswith("/") else "other.db"
    assert "stop it first" in place.say("migrate", "--to", other, code=1)
    place.sql("UPDATE identity SET left_for = 'the other'")
    yield
    for command in ("status", "matches", "upgrade"):
        assert "was left for the other" in place.say(command, code=1)
    for command in ("serve", "web"):
        assert "was left for the other" in place.refuses_to_run(command)
    place.sql("UPDATE identity SET left_for = ''")


@contextmanager
def upgraded(place: Place) -> Iterator[None]:
    assert "stop it first" in place.say("upgrade", code=1)
    place.sql("UPDATE alembic_version SET version_num = '9999'")
    yield
    assert "install a newer pbem" in place.refuses_to_run("serve")
    place.sql(f"UPDATE alembic_version SET version_num = '{head()}'")  # noqa: S608 - ours


Cause = Callable[[Place], AbstractContextManager[None]]

CAUSES = [
    ("sqlite", removed),
    ("sqlite", restored),
    ("sqlite", migrated),
    ("postgresql", migrated),
    ("postgresql", upgraded),
]
OFTEN = (removed,)
"""Those of the ordinary run, since two services are begun twice for each cause: what any of them is
to a database that is open, on both engines, stands in test_identity.py."""


@pytest.mark.parametrize(
    ("place", "cause"),
    [pytest.param(*one, marks=() if one[1] in OFTEN else pytest.mark.slow) for one in CAUSES],
    indirect=["place"],
    ids=[f"{engine}-{cause.__name__}" for engine, cause in CAUSES],
)
def test_nothing_is_taken_for_a_database_that_is_another(place: Place, cause: Cause) -> None:
    taken = sum(place.letters().values())
    with place.runs("serve") as (serve, said), place.runs("web") as (web, shown):
        form = place.form("say hello there")
        assert place.answer("/readyz")[0] == 200
        with cause(place):
            status, page = place.answer(place.page, form)
            assert status in (0, 503), page
            assert "arrived" not in page
            place.letter("one")
            place.waits_for(lambda: place.answer("/readyz")[0] in (0, 503))
            place.waits_for(lambda: place.answer("/")[0] in (0, 503))
            for process, log in ((serve, said), (web, shown)):
                assert process.wait(LOOKS) == 1, log.read_text()
                assert "is not the database that was opened" in log.read_text()
                assert "Traceback" not in log.read_text()
    with place.runs("serve"), place.runs("web"):
        place.waits_for(lambda: any((place.folder / "mail/out/new").iterdir()))
        status, page = place.answer(place.page, form)  # the very form that was not taken
        assert status in (200, 303), page
        place.waits_for(lambda: sum(place.letters().values()) == taken + 2)
    assert "shunted" not in place.letters()
