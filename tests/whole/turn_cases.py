"""What somebody does in a service, time after time, and the calls of ten times of it.

The loops of `serve` run as they do in a service: receiving, taking, sending, timers, bots and
watch, with SQLite, its two threads and a process that reads letters; the pages are as in a process
of their own. Two things are not the real ones: the mailbox and the relay, which are ports.

Counted is what is called from when a letter is in the mailbox (a form is sent, a window closes)
until all mails that come of it have been noted as sent and every loop waits again: functions, local
ones, lambdas, generators and coroutines (once each, when they begin) of the package, and the pages,
blocks and macros of its templates. The mails have HTML and no picture. Nobody polls meanwhile,
since time stands still for the loops while there is something to do.

Not counted are comprehensions and generator expressions, for most of which newer versions of Python
make no frames (what they call counts), the bodies of modules and classes, and the methods that
dataclasses, enums and named tuples get from the standard library.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import httpx

from pbem.bots.levels import lively_move
from pbem.config.settings import Web
from pbem.mail.addresses import Purpose
from pbem.names import MatchId
from pbem.transaction.installation import MatchCache
from pbem.web.application import application
from tests.web.site import PUBLIC, Site
from tests.whole.counted_service import Service, serving
from tests.whole.counting import Function
from tests.whole.unhurried import Unhurried

TURNS: Final = 10
"""Turns that are counted: all functions that any of them calls, and the mean of their calls."""

BEFORE: Final = 6
"""Turns before that, so that a match is in its midst and everything has been used once."""


SOON: Final = 0.01
"""Seconds in which the letter of a form is in the inbox."""

LETTERS: Final = 1000
"""More letters than any case has."""


class Figures(NamedTuple):
    """Functions, files and calls of a turn beside games/, and functions and files of games/."""

    functions: int
    files: int
    calls: float
    games_functions: int
    games_files: int


def figures(calls: Mapping[Function, int]) -> Figures:
    """What ten turns have called, as figures."""
    games = {one for one in calls if one.of_games}
    beside = calls.keys() - games
    return Figures(
        len(beside),
        len({one.file for one in beside}),
        sum(calls[one] for one in beside) / TURNS,
        len(games),
        len({one.file for one in games}),
    )


Act: TypeAlias = Callable[[], Awaitable[object]]
"""What somebody does, of which is counted what the service does then."""

Acts: TypeAlias = AsyncGenerator[tuple[str, Act], None]
"""One act after another, each as a row of the table; what is done between them is not counted."""


@dataclass(frozen=True)
class Case:
    """A match in which the same is done time after time.

    `mails` is how many an act of each row sends. One that sends others is not counted: where the
    same person is to move again, one mail tells of both turns.
    """

    acts: Callable[[Pair], Acts]
    mails: Mapping[str, int]


# --- people --------------------------------------------------------------------------------------


@dataclass
class Pair:
    """Two people who play each other and nobody else, and whose mails have no pictures."""

    service: Service
    home: str
    rng: random.Random
    name: MatchId = field(default=MatchId(""), init=False)

    async def begin(self, game: str = "logger", *wishes: str) -> None:
        """Become players with these wishes, and begin a match of a game."""
        for person in (self.host, self.guest):
            await self.service.write(person, "\n".join(("pictures off", *wishes)))
            await self.service.answer(person, "yes")
        await self.service.answer(self.host, f"new {game} with {self.guest}")
        await self.service.answer(self.guest, "yes")
        self.name = await self.service.newest()

    @property
    def host(self) -> str:
        return f"ann@{self.home}.example"

    @property
    def guest(self) -> str:
        return f"bob@{self.home}.example"

    async def next(self) -> tuple[str, str]:
        """Who is to move, and a move of theirs."""
        match = await self.service.match(self.name)
        host = await self.service.player(self.host)
        move = lively_move(match.game, match.course.position, self.rng.randrange)
        is_hosts = match.player_at(match.to_act[0]) == host
        return self.host if is_hosts else self.guest, match.game.notation(move)


# --- cases ---------------------------------------------------------------------------------------


def turns_of(game: str) -> Case:
    """Moves by mail, and the mail that tells the other of each."""
    row = game.replace(" ", "_")

    async def acts(pair: Pair) -> Acts:
        await pair.begin(game)
        while True:
            yield row, partial(pair.service.answer, *await pair.next())

    return Case(acts, {row: 1})


async def held(pair: Pair) -> Acts:
    """Moves that are held for five minutes: the mail that says so, and then that of the move."""
    service = pair.service
    await pair.begin("logger", "window 5m")
    while True:
        yield "receipt", partial(service.answer, *await pair.next())
        service.go_on(minutes=4, seconds=59)
        await service.see_through(partial(_fire, service))
        service.go_on(seconds=1)
        yield "window", partial(service.see_through, partial(_fire, service))


async def _fire(service: Service) -> None:
    """What waits for timers has waited long enough."""
    service.wakes.timers.set()


async def invitation(pair: Pair) -> Acts:
    """The last yes to an invitation of two seats, and the mails of the match that begins."""
    service = pair.service
    await pair.begin()
    while True:
        await service.answer(pair.host, f"new logger with {pair.guest}")
        yield "invitation", partial(service.answer, pair.guest, "yes")


async def page(pair: Pair) -> Acts:
    """A form with a move, the page that answers it, and the mail that tells the other of it."""
    service = pair.service
    await pair.begin()
    house = service.house  # that of the pages is in a process of its own, and sends no mail
    settings = house.settings.model_copy(update={"web": Web(public_url=PUBLIC)})
    app = application(replace(house, settings=settings, cache=MatchCache()))
    transport = httpx.ASGITransport(app, client=("192.0.2.7", 1))
    site = Site(service, httpx.AsyncClient(transport=transport, base_url=PUBLIC))
    while True:
        person, move = await pair.next()
        path = await site.path(Purpose.ACT, person, match=await service.match(pair.name))
        form = await site.form(path, move)
        yield "page", partial(service.see_through, partial(_send, site, path, form))


async def _send(site: Site, path: str, form: Mapping[str, str]) -> None:
    """The form, and then a look for letters of pages, which the service takes twice a second."""
    service = site.club
    assert isinstance(service, Service)
    sending = asyncio.create_task(site.client.post(path, data=form))
    await asyncio.sleep(SOON)
    service.wakes.letters.set()
    answer = await sending
    assert answer.status_code == 200, answer.text


CASES: Final[Mapping[str, Case]] = {
    "logger": turns_of("logger"),
    "landrush": turns_of("landrush"),
    "logan_stones": turns_of("logan stones"),
    "looney_ludo": turns_of("looney ludo"),
    "held": Case(held, {"receipt": 1, "window": 1}),
    "invitation": Case(invitation, {"invitation": 2}),
    "page": Case(page, {"page": 1}),
}


# --- counting ------------------------------------------------------------------------------------


async def _walk(service: Service, name: str) -> dict[str, Counter[Function]]:
    case = CASES[name]
    # Else what is drawn would hang on the cases before this one.
    service.draw_from(name, letters=LETTERS * tuple(CASES).index(name))
    pair = Pair(service, name.replace("_", "-"), random.Random(name))
    called: dict[str, Counter[Function]] = {row: Counter() for row in case.mails}
    counted = Counter(dict.fromkeys(called, -BEFORE))
    async with aclosing(case.acts(pair)) as acts:
        while min(counted.values()) < TURNS:
            row, act = await anext(acts)
            calls: Counter[Function] = Counter()
            mails = len(service.postbox.sent)
            with service.counting(calls) if 0 <= counted[row] < TURNS else nullcontext():
                await act()
            if len(service.postbox.sent) - mails == case.mails[row]:
                counted[row] += 1
                called[row].update(calls)
    return called


async def _ways() -> dict[str, Counter[Function]]:
    called: dict[str, Counter[Function]] = {}
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder)) as service:
            for name in CASES:
                called |= await _walk(service, name)
    return called


def ways() -> dict[str, Counter[Function]]:
    """What each row has called in ten acts."""
    with asyncio.Runner(loop_factory=Unhurried) as runner:
        return runner.run(_ways())


def line(name: str, found: Figures) -> str:
    """A line of the table in the test."""
    return f'    "{name}": Figures({", ".join(f"{one:g}" for one in found)}),'
