"""The service behind the edges that conversations use."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from unittest import mock

import httpx
import structlog
from sqlalchemy import Connection, func, select

from pbem.games.naming import find_game
from pbem.mail.addresses import Keys
from pbem.match.verify import verify_match
from pbem.names import MatchId, PlayerId
from pbem.notifications.email_views import EmailView
from pbem.notifications.renderer import Renderer
from pbem.notifications.rendering import RenderedEmail
from pbem.server import process
from pbem.server.loops import Server
from pbem.service import operators
from pbem.service.app import App, Site
from pbem.service.incoming import process_message
from pbem.service.tournaments import create_tournament
from pbem.service.unit_of_work import UnitOfWork
from pbem.settings import LimitSettings, create_keys
from pbem.store import event_log, players, waiting
from pbem.store.backup import restore_backup, write_backup
from pbem.store.database import Database
from pbem.store.tables import InboxRow, OutboxRow
from pbem.transport import Envelope, SendOutcome, SendResult
from pbem.transport.maildir import MaildirMailbox, MaildirMailer
from pbem.web.app import create_web_app
from tests.conversations.runner import GAMES, PUBLIC_URL, Conversation
from tests.conversations.script import parse_script
from tests.packages import installed_package

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "packages"


class ProcessEndsError(BaseException):
    """Ends the process, as far as a conversation can tell."""


class TemplateFaultError(BaseException):
    """Ends a conversation; as an exception it would be caught, and the email tried again."""


class StrictRenderer(Renderer):
    """Hides no faults of our templates."""

    def render(self, kind: str, view: EmailView, language: str) -> RenderedEmail:
        email = super().render(kind, view, language)
        if not email.subject or email.subject.startswith("-"):  # as in `- Logger vs Bob`
            raise TemplateFaultError(f"an email has no headline: {kind}, {view.facts}")
        return email

    def render_plainly(self, view: EmailView) -> RenderedEmail:
        raise TemplateFaultError(f"a template failed, see above: {view.facts}")


@cache
def share_renderer(_package: str) -> StrictRenderer:
    """Return a renderer that has its templates compiled; a package brings templates of its own."""
    return StrictRenderer()


class DrivenService:
    """The service of pbem.server, run step by step on a driven clock."""

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime],
        entropy: Callable[[int], bytes],
        settings: dict[str, str],
        refused: dict[str, int],
    ) -> None:
        self.folder, self.now, self.entropy, self.refused = folder, now, entropy, refused
        self.settings = settings
        self.keys = Keys("a", {"a": bytes(32)})
        self.database_url = f"sqlite:///{folder / 'pbem.db'}"
        window = timedelta(minutes=float(settings.get("window", "0")))
        limits = {
            name: int(settings[name]) for name in LimitSettings.model_fields if name in settings
        }
        self.package = settings.get("package", "")
        self.site = Site(
            title="Club",
            address=GAMES,
            authserv_id="mx.pbem.example",
            undo_window=window,
            operator=settings.get("operator", ""),
            web_address="" if settings.get("pages") == "off" else PUBLIC_URL,
            limits=LimitSettings(**limits),
        )

    async def start(self) -> None:
        self.stack = contextlib.ExitStack()
        self.stack.enter_context(mock.patch.object(process, "process_message", self._process))
        if self.package:
            installed = installed_package(PACKAGES / self.package, self.folder / "site")
            self.stack.enter_context(installed)
        database = Database(self.database_url)
        database.migrate()
        self.server = self.make_server(database)
        await self.server.start()

    def replace_database(self) -> None:
        """Begin again with an empty database."""
        (self.folder / "pbem.db").unlink()

    def make_server(self, database: Database) -> Server:
        app = App(
            site=self.site,
            database=database,
            keys=self.keys,
            renderer=share_renderer(self.package),
            now=self.now,
            entropy=self.entropy,
            draws_pictures=self.settings.get("pictures") == "on",
        )
        self.mailer = MaildirMailer(self.folder / "out")
        self.web = create_web_app(app)
        return Server(app, MaildirMailbox(self.folder / "in"), self)

    async def stop(self) -> None:
        await self.server.bots.close()
        await self.server.drawer.close()
        self.server.app.database.close()
        self.stack.close()

    async def run_until_idle(self) -> None:
        while True:
            try:
                await self.server.run_until_idle()
            except ProcessEndsError:
                await self.stop()
                await self.start()
            else:
                return

    def _process(self, conn: Connection, app: App, row: InboxRow) -> str:
        for setting, error, attempts in (
            ("fails_on", RuntimeError, 3),
            ("fails_twice_on", RuntimeError, 2),
            ("ends_on", ProcessEndsError, 3),
        ):
            word = self.settings.get(setting, "").encode()
            if word and word in (row.raw or b"") and row.attempts <= attempts:
                raise error
        return process_message(conn, app, row)

    async def next_due(self) -> datetime | None:
        return await self.server.app.database.read(find_next_due)

    async def send(self, envelope: Envelope) -> SendResult:
        code = self.refused.get(envelope.recipient, 250)
        if code >= 400:
            outcome = SendOutcome.PERMANENT if code >= 500 else SendOutcome.TRANSIENT
            reply = "5.1.1 no such user" if code >= 500 else "4.2.1 try again later"
            return SendResult(outcome=outcome, code=code, reply=reply)
        return await self.mailer.send(envelope)

    async def check(self) -> str:
        return await self.mailer.check()

    async def close(self) -> None:
        await self.mailer.close()

    async def operate(self, words: list[str]) -> None:
        if words == ["backup"]:
            return await self._back_up()
        if words == ["restore"]:
            return await self._restore()
        if words == ["new-keys"]:
            await self.stop()
            self.keys = Keys("b", {"b": bytes([1]) * 32})
            return await self.start()
        app = self.server.app

        def unit(conn: Connection) -> None:
            uow = UnitOfWork(app, conn, f"operator:{self.entropy(8).hex()}")
            operate(uow, *words)
            uow.finish()

        await app.database.write(unit)
        return None

    async def _back_up(self) -> None:
        keys_file = self.folder / "keys.toml"
        if not keys_file.exists():
            create_keys(keys_file)
        config_file = self.folder / "config.toml"
        config_file.touch()
        write_backup(
            self.server.app.database,
            self.folder / "backup",
            keys_file=keys_file,
            config_file=config_file,
            now=self.now(),
        )

    async def _restore(self) -> None:
        await self.stop()
        self.replace_database()
        restore_backup(
            self.folder / "backup",
            database_url=self.database_url,
            keys_file=self.folder / "keys.toml",
        )
        await self.start()

    async def verify(self, match: str) -> list[str]:
        database, code = self.server.app.database, MatchId(match)
        faults = await database.read(lambda conn: event_log.verify_chain(conn, code))
        events = await database.read(lambda conn: event_log.load_events(conn, code))
        return [*faults, *verify_match(code, events)]

    def pages(self) -> httpx.AsyncBaseTransport:
        return httpx.ASGITransport(self.web, client=("192.0.2.1", 4711))

    async def crash(self, seconds: float) -> None:
        process = await start_process(self.folder, self.settings)
        await asyncio.sleep(seconds)
        process.kill()
        await process.wait()


def find_next_due(conn: Connection) -> datetime | None:
    """Return when the next email, message or timer is due; None if nothing waits."""
    inbox, outbox = InboxRow.__table__.c, OutboxRow.__table__.c  # type: ignore[attr-defined]
    found = [
        conn.execute(select(func.min(at)).where(states)).scalar()
        for at, states in (
            (inbox.next_attempt_at, inbox.state == "new"),
            (outbox.next_attempt_at, outbox.state.in_(("queued", "sending"))),
        )
    ]
    return min(filter(None, [*found, waiting.next_due(conn)]), default=None)


def operate(uow: UnitOfWork, act: str, about: str, *rest: str) -> None:
    """Do what a step `operator` says."""
    match = MatchId(about)
    if act == "void":
        operators.void_match(uow, match)
    elif act == "adjudicate":
        operators.adjudicate(uow, match, [int(place) for place in rest])
    elif act == "rollback":
        operators.roll_back(uow, match, int(rest[0]))
    elif act == "extend":
        operators.extend_deadline(uow, match, int(rest[0]), timedelta(days=int(rest[1])))
    elif act == "reassign":
        player = players.find_by_address(uow.conn, rest[1])
        operators.reassign_seat(uow, match, int(rest[0]), PlayerId(player.id if player else ""))
    elif act == "tournament":
        _create_tournament(uow, about, *rest)
    elif act in ("ban", "erase"):
        player = players.find_by_address(uow.conn, about)
        action = operators.ban if act == "ban" else operators.erase
        action(uow, PlayerId(player.id if player else ""))
    else:
        raise NotImplementedError(f"operators cannot {act} yet")


def _create_tournament(uow: UnitOfWork, name: str, game: str, *options: str) -> None:
    values = dict(option.split("=") for option in options)
    start = values["start"]
    starts_at = None if start == "full" else datetime.fromisoformat(start).replace(tzinfo=UTC)
    create_tournament(
        uow,
        name,
        find_game(game),
        group_size=int(values["group"]),
        games=int(values["games"]),
        time=values["time"],
        starts_at=starts_at,
    )


async def start_process(folder: Path, settings: dict[str, str]) -> asyncio.subprocess.Process:
    """Start a process that serves a folder, and wait until it does."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.conversations.service", str(folder), json.dumps(settings)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    if process.stdout is not None:
        await process.stdout.readline()
    return process


def real_clock() -> datetime:
    """Return the time of the clock on the wall."""
    return datetime.now(UTC)


def say_serving() -> None:
    """Tell whoever started the process that it serves."""
    print("serving", flush=True)  # noqa: T201


async def serve(folder: Path, settings: dict[str, str], tell: Callable[[], None]) -> None:
    """Run the service of a folder on the real clock until the process is killed."""
    service = DrivenService(folder, real_clock, os.urandom, settings, {})
    await service.start()
    tell()
    await service.server.serve(asyncio.Event())


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(serve(Path(sys.argv[1]), json.loads(sys.argv[2]), say_serving))


def begin(
    text: str, folder: Path, service: type[DrivenService] = DrivenService, name: str = "script"
) -> Conversation:
    """Return the conversation that a test has written itself; nothing is played yet."""
    return Conversation(parse_script(text, name), folder, service)
