"""A whole installation for an hour: mail servers in this process, a store in a temporary folder."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.legacy.bots.levels import EASY, move_of
from pbem.legacy.config import FIRST_KEY, SEED_BYTES, AddressKeys, Settings, write_keys
from pbem.legacy.config.settings import Imap, KeyStore, Limits, Matches, Site, Smtp, Store, Web
from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId
from pbem.legacy.runners.supervise import Wakes
from pbem.legacy.store.people import roster
from pbem.legacy.store.people.roster import PlayerRow
from pbem.legacy.store.schema import migrate
from pbem.legacy.transaction.installation import find_match
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport.loopback import HOST, base_address, loopback
from pbem.legacy.transport.server import Server
from pbem.legacy.transport.smtp import SmtpSender
from pbem.legacy.wiring.correspondent import Correspondent, ReceivedMail, answer_all
from pbem.legacy.wiring.process import clock, entropy
from pbem.legacy.wiring.service import open_house, run

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.bots.luck import Choose
    from pbem.games import AnyGame
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transport import Envelope

DOMAIN: Final = "pbem.test"
GAMES: Final = f"games@{DOMAIN}"
PASSWORD: Final = "demo"  # noqa: S105 - for servers on this machine that live as long as the demo
NAMES: Final = ("Alice", "Bob", "Cleo", "Dan", "Eve", "Finn")
KEY_BYTES: Final = 32
NO_LIMIT: Final = 1_000_000
"""What nobody at a keyboard sends in a day."""

_MATCH: Final = re.compile(r" ([A-Z0-9]{5}) \(")

Way = Callable[["AnyGame", Any, "Choose"], Any]
"""How somebody plays: gives a move of a game in a position, by what may be chosen at random."""

EASILY: Final[Way] = partial(move_of, EASY)


@dataclass(frozen=True, slots=True)
class World:
    """The demo: a running house, its mail servers, and people with mailboxes.

    `pages` is where browsers find it, empty where there are no pages; `wakes` are its runners'.
    """

    house: House
    smtp_port: int
    imap_port: int
    people: tuple[Correspondent, ...]
    pages: str = ""
    wakes: Wakes = field(default_factory=Wakes)

    async def act(self, act: Callable[[Transaction], object]) -> None:
        """Do something as the operator; whoever has work by it is woken. Raises Rejection."""
        house = self.house

        def unit(conn: Connection) -> None:
            cause = f"operator:demo:{house.entropy(8).hex()}"
            txn = Transaction(conn=conn, house=house, cause=cause, now=house.now())
            act(txn)
            txn.close()

        await asyncio.wrap_future(house.db.write(unit))
        for wake in (self.wakes.timers, self.wakes.mails, self.wakes.bots):
            wake.set()

    async def match(self, name: MatchId) -> Match:
        """A match as it stands in the log."""
        loaded = await asyncio.wrap_future(
            self.house.db.read(lambda conn: find_match(conn, name, self.house.cache))
        )
        if loaded is None:
            raise LookupError(name)
        return loaded.match

    async def row_of(self, person: Correspondent) -> PlayerRow | None:
        """Whom the house knows by a person's address."""
        return await asyncio.wrap_future(
            self.house.db.read(lambda conn: roster.player_by_address(conn, person.address))
        )


@contextlib.asynccontextmanager
async def world(
    people: Sequence[str] = NAMES,
    *,
    on_mail: Callable[[Envelope], None] | None = None,
    folder: Path | None = None,
    pages: bool = False,
    keep: Path | None = None,
) -> AsyncIterator[World]:
    """Everything on loopback, for as long as the block lasts; nothing is left behind.

    `on_mail` sees every mail that the SMTP server accepted. `folder` keeps the files, for tests.
    `pages`: it is shown to browsers, too. `keep`: a folder that gets every mail as a file.
    """
    addresses = {name: f"{name.lower()}@{DOMAIN}" for name in people}
    inboxes: dict[str, Correspondent] = {}

    numbers = count(1)

    def arrived(envelope: Envelope) -> None:
        if keep is not None:
            to = base_address(envelope.rcpt_to[0]).partition("@")[0]
            (keep / f"{next(numbers):04}-{to}.eml").write_bytes(envelope.data)
        for recipient in envelope.rcpt_to:
            person = inboxes.get(base_address(recipient))
            if person is not None:
                person.receive(envelope.data)
        if on_mail is not None:
            on_mail(envelope)

    async with contextlib.AsyncExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbem-demo-")))
        users = dict.fromkeys([GAMES, *addresses.values()], PASSWORD)
        servers = await stack.enter_async_context(loopback(users, on_mail=arrived))
        web = Web(listen=f"{HOST}:{_free_port()}") if pages else None
        house = stack.enter_context(
            open_house(_settings(folder, servers.smtp_port, servers.imap_port, web))
        )
        house = replace(house, pictures=False)  # nobody would look at those of mails
        shown = await stack.enter_async_context(_pages(house)) if pages else ""
        for name, address in addresses.items():
            sender = SmtpSender(Server(host=HOST, port=servers.smtp_port, security="none"))
            stack.push_async_callback(sender.aclose)
            inboxes[address] = Correspondent(name, address, sender, clock)
        stop, wakes = asyncio.Event(), Wakes()
        running = asyncio.create_task(run(house, stop, wakes=wakes))
        try:
            people_here = tuple(inboxes.values())
            yield World(house, servers.smtp_port, servers.imap_port, people_here, shown, wakes)
        finally:
            stop.set()
            await running


def _free_port() -> int:
    """A port for the pages: the settings name it before anything listens there."""
    with socket.socket() as asking:
        asking.bind((HOST, 0))
        return int(asking.getsockname()[1])


def _pages(house: House) -> contextlib.AbstractAsyncContextManager[str]:
    from pbem.legacy.wiring.pages import pages_of

    return pages_of(house, *house.settings.web.host_and_port)


def _settings(folder: Path, smtp_port: int, imap_port: int, web: Web | None = None) -> Settings:
    """The settings of a fresh installation in a folder."""
    keys, database = folder / "keys.toml", folder / "pbem.db"
    if not keys.exists():
        write_keys(
            keys, AddressKeys(FIRST_KEY, {FIRST_KEY: entropy(KEY_BYTES)}, {1: entropy(SEED_BYTES)})
        )
    migrate(database)
    login = {"host": HOST, "security": "none", "user": GAMES, "password": PASSWORD}
    return Settings(
        site=Site(title="pbem", address=GAMES),
        store=Store(database=database),
        keys=KeyStore(file=keys),
        limits=Limits(
            letters_per_hour=NO_LIMIT, refusals_per_day=NO_LIMIT, no_orders_per_hour=NO_LIMIT
        ),
        matches=Matches.at_a_keyboard(),
        imap=Imap.model_validate({**login, "port": imap_port, "poll_seconds": 1}),
        smtp=Smtp.model_validate({**login, "user": "", "password": "", "port": smtp_port}),
        web=Web(listen=web.listen, public_url=f"http://{web.listen}") if web else Web(),
    )


def match_of(mail: ReceivedMail) -> MatchId | None:
    """The match that a mail is about: the name it comes from says so."""
    found = _MATCH.search(mail.sender)
    return MatchId(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers mails as a player who accepts everything, and plays in some way.

    It looks the position up instead of reading the board: which moves there are, the mail also
    says, but not all of them.
    """

    world: World
    person: Correspondent
    rng: random.Random
    way: Way = EASILY
    answered: set[tuple[MatchId, int]] = field(default_factory=set)

    async def __call__(self, mail: ReceivedMail) -> str | None:
        """The answer to one mail, or None where none is asked for."""
        name = match_of(mail)
        row = await self.world.row_of(self.person)
        if row is None:
            return None
        if name is None:
            return None if row.confirmed else "yes"
        match, player = await self.world.match(name), row.id
        if match.status is Status.CHALLENGE and player in match.waiting_for:
            return "accept"
        if match.status is not Status.RUNNING:
            return None
        if (
            match.seat_of(player) not in match.to_act
            or (match.id, match.course.ply) in self.answered
        ):
            return None
        self.answered.add((match.id, match.course.ply))
        return self.move(match)

    def move(self, match: Match) -> str:
        """A move, as a player types it."""
        chosen = self.way(match.game, match.course.position, self.rng.randrange)
        return f"#{match.course.ply + 1} {match.game.notation(chosen)}"


@contextlib.asynccontextmanager
async def answering(
    world: World,
    people: Sequence[Correspondent],
    rng: random.Random,
    ways: Mapping[str, Way] | None = None,
) -> AsyncIterator[None]:
    """Let these people answer all their mails while the block lasts.

    `ways`: how they play, by their names; else easily.
    """
    ways = ways or {}
    answers = [Answers(world, one, rng, ways.get(one.name, EASILY)) for one in people]
    tasks = [asyncio.create_task(answer_all(one.person, one)) for one in answers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
