"""The old service behind the edges that conversations use."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import httpx

from pbem.games import GAMES as REGISTRY
from pbem.legacy.config import AddressKeys, load_settings, write_keys
from pbem.legacy.foreign.record import open_apart
from pbem.legacy.intake import take_letter
from pbem.legacy.matches import operator_acts
from pbem.legacy.orders.handlers import challenges, people
from pbem.legacy.runners import absence, bots, deliver, receive, timers
from pbem.legacy.store import runner_state
from pbem.legacy.store import timers as timer_rows
from pbem.legacy.store.mails import leases, outbox
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.installation import verified
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport import Envelope, Fetched, Result, ResultKind
from pbem.legacy.web.application import application
from pbem.legacy.wiring.service import open_house
from tests.conversations.runner import GAMES, PUBLIC_URL
from tests.legacy.databases import new_database
from tests.legacy.foreign.conftest import forget, site_of

SETTINGS = """
matches.window_minutes = {window}
matches.doubt_minutes = {doubt}
matches.resign_hours = 1
site.title = "Club"
site.address = "{address}"
site.authserv_id = "mx.pbem.example"
site.contact = "{operator}"
maildir = {{ incoming = "in", outgoing = "out" }}
web.public_url = "{url}"
web.listen = "127.0.0.1:8080"
limits.letters_per_hour = {letters_per_hour}
limits.matches_at_first = 50
"""

PACKAGES = Path(__file__).parents[2] / "packages"


class OldService:
    """The service of pbem.legacy.wiring, run step by step on a driven clock."""

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime],
        entropy: Callable[[int], bytes],
        settings: dict[str, str],
        refused: dict[str, int],
    ) -> None:
        self.folder, self.now, self.entropy, self.refused = folder, now, entropy, refused
        values = {"window": "0", "letters_per_hour": "10000", "operator": "", **settings}
        values["doubt"] = values["window"] if values["window"] != "0" else "1"
        self.fails_on = values.pop("fails_on", "").encode()
        config = folder / "config.toml"
        config.write_text(SETTINGS.format(address=GAMES, url=PUBLIC_URL, **values))
        write_keys(folder / "keys.toml", AddressKeys("a", {"a": bytes(32)}, {1: bytes(32)}))
        new_database(folder / "pbem.db")
        self.settings = load_settings(config)
        self.package = settings.get("package", "")
        self.sent = 0

    async def start(self) -> None:
        self.stack = contextlib.ExitStack()
        no_stand_in = mock.patch.object(challenges, "level_unasked", return_value="")
        self.stack.enter_context(no_stand_in)  # a player who leaves is not replaced by a bot
        self.stack.enter_context(mock.patch.object(receive, "take", self._take))
        if self.fails_on:  # a traceback with the values of its variables takes seconds
            self.stack.enter_context(mock.patch.object(receive, "log"))
        if self.package:
            self.stack.enter_context(_installed(PACKAGES / self.package, self.folder / "site"))
        house = open_house(self.settings, now=self.now, entropy=self.entropy)
        self.house = replace(self.stack.enter_context(house), pictures=False)
        self.site = application(self.house)  # keeps what it has drawn, as the one of `serve` does
        await absence.note_alive(self.house)
        await self._write(lambda conn: leases.take_over(conn, self.now()))

    async def stop(self) -> None:
        self.stack.close()

    async def run_until_idle(self) -> None:
        house = self.house
        note = partial(runner_state.note, runner="alive", now=self.now(), what="alive")
        await self._write(note)
        for path in sorted((self.folder / "in" / "new").iterdir()):
            number = int(path.name.partition(".")[0])
            mail = Fetched("test", "INBOX", 1, number, path.read_bytes())
            await receive.store_letter(mail, house)
            path.rename(self.folder / "in" / "cur" / path.name)
        while (
            await receive.take_waiting(house)
            or await bots.act_due(house)
            or await timers.fire_due(house)
            or await deliver.deliver_due(house, self)
        ):
            pass

    async def send(self, envelope: Envelope) -> dict[str, Result]:
        results = {}
        for to in envelope.rcpt_to:
            code = self.refused.get(to, 250)
            if code >= 400:
                kind: ResultKind = "permanent" if code >= 500 else "transient"
                text = "5.1.1 no such user" if code >= 500 else "4.2.1 try again later"
                results[to] = Result(kind, code, text, after_data=False)
                continue
            self.sent += 1
            name = f"{self.sent:06},R={to}"
            head = f"Return-Path: <{envelope.mail_from}>\r\n".encode()
            (self.folder / "out" / "new" / name).write_bytes(head + envelope.data)
            results[to] = Result("sent", 250, "ok")
        return results

    async def next_due(self) -> datetime | None:
        bots_due = partial(timer_rows.next_due, of_bots=True)
        looks = (timer_rows.next_due, outbox.next_due, bots_due)
        found = [await self._read(look) for look in looks]
        return min((due for due in found if due is not None), default=None)

    async def operate(self, words: list[str]) -> None:
        act, about, *rest = words
        reason = "the operator says so"

        def unit(conn: Any) -> None:
            cause = f"operator:test:{self.entropy(8).hex()}"
            txn = Transaction(conn=conn, house=self.house, cause=cause, now=self.now())
            player: Any = roster.player_by_address(conn, about) if "@" in about else None
            named = {"author": "operator", "reason": txn.seal(reason)}
            if act == "ban":
                people.ban(txn, player, "operator", reason, leaves=True)
            elif act == "erase":
                people.forget(txn, player.id, by="operator")
            else:
                more: dict[str, Any] = {}
                if act == "extend":  # extend MATCH SEAT DAYS
                    more = {"seat": int(rest[0]), "due": self.now() + timedelta(int(rest[1]))}
                elif act == "adjudicate":
                    more = {"placings": tuple(map(int, rest))}
                elif act == "rollback":
                    more = {"ply": int(rest[0])}
                elif act == "reassign":
                    player = roster.player_by_address(conn, rest[1])
                    more = {"seat": int(rest[0]), "player": player.id}
                txn.decide(about, ACTS[act], **named, **more)
            txn.close()

        await self._write(unit)

    def _take(self, conn: Any, house: Any, row: Any, read: Any) -> Any:
        if self.fails_on and self.fails_on in row.raw:
            raise RuntimeError("the conversation has it fail")
        return take_letter.take(conn, house, row, read)

    async def verify(self, match: str) -> list[str]:
        found, _ = await self._read(partial(verified, match=match))
        return [*map(str, found.findings)]

    def pages(self) -> httpx.AsyncBaseTransport:
        return httpx.ASGITransport(self.site, client=("192.0.2.1", 4711))

    async def crash(self, seconds: float) -> None:
        script = "from pbem.legacy.__main__ import main; main()"
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, "serve", cwd=self.folder,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        await asyncio.sleep(2.0 + seconds)
        process.kill()
        await process.wait()

    async def _read(self, unit: Callable[..., Any]) -> Any:
        return await asyncio.wrap_future(self.house.db.read(unit))

    async def _write(self, unit: Callable[..., Any]) -> Any:
        return await asyncio.wrap_future(self.house.db.write(unit))


@contextlib.contextmanager
def _installed(package: Path, site: Path) -> Iterator[None]:
    """Let a package with a game be found by its entry point, as if pip had installed it."""
    if not site.exists():
        site_of(package, site)
    before = os.environ.get("PYTHONPATH")
    paths = [str(site), str(package)]
    sys.path[:0] = paths
    os.environ["PYTHONPATH"] = os.pathsep.join([*paths, *filter(None, [before])])
    forget()
    REGISTRY.open_with(open_apart)
    try:
        yield
    finally:
        REGISTRY.open_with(None)
        for path in paths:
            sys.path.remove(path)
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before
        forget()


ACTS: dict[str, Any] = {
    "void": operator_acts.void_match,
    "extend": operator_acts.move_deadline,
    "adjudicate": operator_acts.adjudicate,
    "rollback": operator_acts.roll_back,
    "reassign": operator_acts.give_seat,
}
