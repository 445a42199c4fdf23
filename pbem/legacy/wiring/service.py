"""From settings to a running house: store, keys, templates, transports, runners."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shlex
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import structlog

from pbem.legacy.config import ReplacedSecret, load_keys
from pbem.errors import ConfigError
from pbem.legacy.foreign.record import run_apart
from pbem.legacy.mail.addresses import Keys
from pbem.legacy.notices.rendering.render import Renderer
from pbem.legacy.runners.crew import ROLES, Crew, Role
from pbem.legacy.runners.readers import LetterReader, ProcessReader, process_reader
from pbem.legacy.runners.receive import store_letter
from pbem.legacy.runners.supervise import Wakes, supervise
from pbem.legacy.store.database import Database
from pbem.legacy.store.engine import file_of, url_of
from pbem.legacy.store.identity import Presence, new_worker
from pbem.legacy.transaction.installation import House, MatchCache
from pbem.legacy.wiring import reader_process
from pbem.legacy.wiring.process import Systemd, asked_to_stop, clock, entropy, serving, while_same
from pbem.legacy.wiring.watching import watching
from pbem.legacy.wiring.words import words_of

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.legacy.config import Imap, Login, Settings, Smtp
    from pbem.legacy.transport import Fetched, Mailbox, Sender
    from pbem.legacy.transport.server import Server, TokenSource

log = structlog.get_logger("pbem")


@contextlib.contextmanager
def open_house(
    settings: Settings,
    *,
    now: Callable[[], datetime] = clock,
    entropy: Callable[[int], bytes] = entropy,
    worker: int | None = None,
) -> Iterator[House]:
    """The store, the keys and the templates of an installation. Raises ConfigError in words."""
    keys = load_keys(settings.keys.file)
    own_templates = [settings.templates.folder] if settings.templates.folder else []
    db = Database.open(settings.store.database)
    with contextlib.closing(db), run_apart():
        yield House(
            settings=settings,
            db=db,
            keys=Keys(keys.current, keys.secrets),
            renderer=Renderer(own_templates),
            now=now,
            entropy=entropy,
            cache=MatchCache(),
            words=words_of(own_templates),
            worker=worker,
            log_seed=keys.log_seed,
        )


async def serve(settings: Settings, roles: Collection[Role] = ROLES) -> None:
    """Run until SIGTERM or SIGINT; the unit of work at hand is ended first.

    On PostgreSQL other processes may do the same, or what has other `roles`.
    """
    settings.demand_mail()
    systemd = Systemd.of()
    database = settings.store.database
    file = file_of(database)
    if file is not None:
        if set(roles) != set(ROLES):
            raise ConfigError("one process has all roles where the database is a file of SQLite")
        with (
            asked_to_stop() as stop,
            serving(file),
            open_house(settings) as house,
            readers_of(house) as reader,
        ):
            await run(house, stop, reader, systemd)
        return
    worker = new_worker()
    with (
        asked_to_stop() as stop,
        open_house(settings, worker=worker) as house,
        contextlib.closing(Presence(url_of(database), worker)) as here,
        readers_of(house) as reader,
    ):
        await run(house, stop, reader, systemd, crew=Crew(house, here), roles=roles)


def readers_of(house: House) -> contextlib.AbstractContextManager[ProcessReader]:
    """The processes in which the letters of a house are read."""
    return process_reader(
        house.settings.limits.reading_processes,
        start=reader_process.start,
        arguments=(house.settings,),
        work=reader_process.work,
        now=house.now,
    )


async def run(
    house: House,
    stop: asyncio.Event,
    reader: LetterReader | None = None,
    systemd: Systemd | None = None,
    *,
    crew: Crew | None = None,
    roles: Collection[Role] = ROLES,
    wakes: Wakes | None = None,
) -> None:
    """Run the runners of a house until `stop` is set; see `supervise` for the rest.

    `systemd` is whoever wants to hear of it; by `wakes` others in this process call the runners.
    """
    settings, wakes = house.settings, wakes or Wakes()
    async with contextlib.AsyncExitStack() as stack:
        sender = await stack.enter_async_context(sender_of(settings))
        if settings.lmtp.enabled and "receive" in roles:
            await stack.enter_async_context(_lmtp(house, wakes))
        watch = await stack.enter_async_context(watching(house, systemd))
        await stack.enter_async_context(while_same(house.db, stop))
        if systemd is not None:
            stack.callback(asyncio.create_task(_say_stopping(stop, systemd)).cancel)
        log.info("serving", address=settings.site.address, roles=sorted(roles), worker=house.worker)
        ways_in = list(mailboxes_of(settings)) if "receive" in roles else []
        await supervise(
            house, ways_in, sender, stop, wakes, reader=reader, watch=watch, crew=crew, roles=roles
        )
        log.info("stopped")


async def _say_stopping(stop: asyncio.Event, systemd: Systemd) -> None:
    await stop.wait()
    systemd.stopping()


# --- transports ----------------------------------------------------------------------------------


def mailboxes_of(settings: Settings) -> Iterator[tuple[str, str, Mailbox]]:
    """Every way in that is read, with the account and mailbox of its checkpoint."""
    account = settings.mailbox
    if account is None:
        return
    if settings.maildir.incoming is not None:
        from pbem.legacy.transport.maildir import MaildirMailbox

        incoming = settings.maildir.incoming
        limit = settings.limits.letter_bytes
        yield account, str(incoming), MaildirMailbox(incoming, max_bytes=limit)
    else:
        yield account, settings.imap.mailbox, imap_of(settings, account)


def imap_of(settings: Settings, account: str) -> Mailbox:
    """The IMAP mailbox that the settings name."""
    from pbem.legacy.transport.imap import ImapMailbox, Patience

    imap = settings.imap
    return ImapMailbox(
        server_of(settings, "imap"),
        account=account,
        mailbox=imap.mailbox,
        max_bytes=settings.limits.letter_bytes,
        after_reading=imap.after_reading,
        archive=imap.archive,
        after_days=imap.after_days,
        patience=Patience(idle=imap.idle_seconds, poll=imap.poll_seconds),
    )


@contextlib.asynccontextmanager
async def sender_of(settings: Settings) -> AsyncIterator[Sender]:
    """The way out that the settings name; its connections are closed at the end."""
    if settings.maildir.outgoing is not None:
        from pbem.legacy.transport.maildir import MaildirSender

        yield MaildirSender(settings.maildir.outgoing)
        return
    from pbem.legacy.transport.smtp import SmtpSender

    sender = SmtpSender(server_of(settings, "smtp"), connections=settings.smtp.connections)
    try:
        yield sender
    finally:
        await sender.aclose()


def server_of(settings: Settings, section: Literal["imap", "smtp"]) -> Server:
    """Where to connect and how to log in. Raises ConfigError, which names the settings."""
    from pbem.legacy.transport.server import Server

    login: Imap | Smtp = getattr(settings, section)
    try:
        token = _token_of(login)
        server = Server(
            host=login.host,
            port=login.port,
            security=login.security,
            user=login.user or None,
            password=login.read_password() if token is None else None,
            token=token,
            ca_file=login.ca_file,
        )
        if login.ca_file is not None:
            server.tls_context()  # a file that cannot be read is told at the start
    except ConfigError as error:
        setting, rest = re.split(r"\b", f"{error} ", maxsplit=2)[1:]
        if setting not in type(login).model_fields:
            raise
        raise ConfigError(settings.named(f"{section}.{setting}") + rest.rstrip()) from None
    return server


def _token_of(login: Login) -> TokenSource | None:
    from pbem.legacy.transport.oauth import RefreshToken, TokenCommand

    if login.token_command:
        return TokenCommand(shlex.split(login.token_command))
    if login.token_url and login.refresh_token_file is not None:
        return RefreshToken(
            url=login.token_url,
            client_id=login.client_id,
            client_secret=login.read_client_secret(),
            kept=_kept(login.refresh_token_file),
        )
    return None


def _kept(file: Path) -> ReplacedSecret:
    kept = ReplacedSecret(file, "refresh_token_file")
    kept.read()  # that there is none is told at the start
    return kept


@contextlib.asynccontextmanager
async def _lmtp(house: House, wakes: Wakes) -> AsyncIterator[None]:
    """The LMTP door: strangers' addresses get a 550, and 250 means that the letter is committed."""
    from pbem.legacy.mail.addresses import read, read_verp, tag_of
    from pbem.legacy.transport.lmtp import Bounds, lmtp_server

    site = house.settings.site

    def accept(recipient: str) -> str | None:
        if recipient.casefold() == site.address.casefold():
            return None
        tag = tag_of(recipient, site.address, delimiter=site.delimiter, catch_all=site.catch_all)
        if tag is not None and read(house.keys, tag) is not None:
            return None
        bounced = read_verp(house.keys, recipient, site.address, delimiter=site.delimiter)
        return None if bounced is not None else "no such address here"

    async def deliver(mail: Fetched) -> None:
        if await store_letter(mail, house):
            wakes.letters.set()

    lmtp = house.settings.lmtp
    limit = house.settings.limits.letter_bytes
    listens = lmtp_server(
        accept,
        deliver,
        account="lmtp",
        host=lmtp.host,
        port=lmtp.port,
        max_bytes=limit,
        bounds=Bounds(lmtp.connections, lmtp.idle_seconds),
    )
    async with contextlib.AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(listens)
        except ConfigError as error:
            named = house.settings.named("lmtp.host", "lmtp.port")
            raise ConfigError(f"{named}: {error}") from error
        yield
