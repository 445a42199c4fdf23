"""The demo's season: two people and six bots in a league, from entering to the next season."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from email.utils import parseaddr
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING, Final

from pbem.legacy.bots.levels import EASY, level_unasked, levels, move_of, random_move, takes_long
from pbem.legacy.matches.clocks import PRESETS
from pbem.names import TournamentId
from pbem.legacy.notices.rendering.languages import ENGLISH
from pbem.legacy.store.log import verify
from pbem.legacy.store.mails import outbox
from pbem.legacy.tournaments import decide
from pbem.legacy.transaction import tournaments
from pbem.legacy.transaction.timers import find_bot
from pbem.legacy.transaction.tournament_checks import verified
from pbem.legacy.wiring.conversation import PATIENCE, all_sent, mail_lines
from pbem.legacy.wiring.correspondent import ReceivedMail
from pbem.legacy.wiring.demo import GAMES, NAMES, Answers, Way, World, answering, world
from pbem.legacy.wiring.terminal import RULE, WIDEST

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.names import PlayerId
    from pbem.legacy.tournaments.tournament import Tournament
    from pbem.legacy.transaction.transaction import Transaction
    from pbem.legacy.transport import Envelope
    from pbem.legacy.wiring.conversation import Table
    from pbem.legacy.wiring.correspondent import Correspondent
    from pbem.legacy.wiring.terminal import Say, Show

NAME: Final = TournamentId("spring")
PEOPLE: Final = NAMES[:2]
BOTS: Final = 6
GROUP: Final = 4
"""TR-3.2: a group has four players at least, so that eight are the fewest who can go up or down."""

MOVING: Final = 2

LINES: Final = frozenset({"SeasonStarted", "MatchOver"})
"""Mails whose first words are shown, if no more; of all others only the first is shown."""

ONCE: Final = frozenset({"Account", "TurnPrompt", "MatchOver", "SeasonStarted"})
"""Mails of which Alice's first is shown as a whole."""

ALWAYS: Final = frozenset({"SeasonOver", "StandingsShown"})
"""Mails that are always shown as a whole."""


async def play_a_season(table: Table, show: Show, say: Say) -> bool:
    """A season by itself, every mail through SMTP and IMAP; whether all of it checks out."""
    began = time.monotonic()
    show(fill(say("season", people=PEOPLE, bots=BOTS, game=table.game.title), WIDEST))
    told = _Told(show)
    async with world(PEOPLE, on_mail=told.arrived, folder=table.folder, keep=table.mails) as scene:
        telling = asyncio.create_task(told.tell(scene))
        try:
            await scene.act(partial(_open, table=table))
            for person in scene.people:
                await _enter(scene, person, table.lang)
            await scene.act(_begin)
            one = await _state(scene)
            ways = {
                person.name: _way_of(one, await _player(scene, person), table)
                for person in scene.people
            }
            async with answering(scene, scene.people, random.Random(table.seed), ways):
                await _season_over(scene, told)
                await all_sent(scene)
            await told.wait("SeasonOver", len(PEOPLE))
            await scene.people[0].reply(told.last[PEOPLE[0]], f"standings {NAME}")
            await told.wait("StandingsShown", 1)
            await scene.act(_begin)
            await told.wait("SeasonStarted", 2 * len(PEOPLE))
        finally:
            telling.cancel()
        good = await _checked(scene, show, say)
    show(say("season_took", mails=told.mails, seconds=round(time.monotonic() - began)))
    return good


# --- what the operator does ----------------------------------------------------------------------


def _open(txn: Transaction, table: Table) -> None:
    """A league of the game, with the bots in it."""
    terms = partial(
        decide.open_tournament,
        author="demo",
        kind="league",
        ruleset=table.game.ruleset,
        options=table.game.normal_options({}),
        time=str(PRESETS["fast"]),
        seats=table.seats,
        group=GROUP,
        moving=MOVING,
        at_once=1,
        stand_in=level_unasked(table.game) if table.seats > len(PEOPLE) else "",
    )
    tournaments.open_one(txn, NAME, terms)
    bots: list[PlayerId] = []
    for _ in range(BOTS):
        bots.append(find_bot(txn.conn, EASY, but=bots, now=txn.now))
        tournaments.decide_on(txn, NAME, decide.enter, bots[-1])


def _begin(txn: Transaction) -> None:
    tournaments.begin_season(txn, NAME)


# --- what people do ------------------------------------------------------------------------------


async def _enter(scene: World, person: Correspondent, lang: str) -> None:
    """Somebody new writes one line, and says yes when asked whether it is they."""
    wish = [f"lang {lang}"] if lang != ENGLISH else []
    await person.write(GAMES, "\n".join([*wish, f"enter {NAME}"]), "The league")
    answers = Answers(scene, person, random.Random(0))
    while await _player(scene, person) not in (await _state(scene)).entered:
        async with asyncio.timeout(PATIENCE):
            mail = await person.mails.get()
        text = await answers(mail)
        if text is not None:
            await person.reply(mail, text)


async def _player(scene: World, person: Correspondent) -> PlayerId | None:
    row = await scene.row_of(person)
    return row.id if row is not None else None


def _way_of(one: Tournament, player: PlayerId | None, table: Table) -> Way:
    """In the upper group people play carelessly, in the lower one with care: to be seen moving."""
    upper = one.seasons[-1].groups[0]
    return random_move if player in upper else _carefully(table.game, table.seats)


def _carefully(game: AnyGame, seats: int) -> Way:
    """As the best level does that needs no more than a moment."""
    quick = [level for level in levels(game) if not takes_long(level, game, seats)]
    return partial(move_of, [EASY, *quick][-1])


# --- what happens --------------------------------------------------------------------------------


async def _state(scene: World) -> Tournament:
    """The tournament as it stands in the log."""
    load = partial(scene.house.tournaments.load, name=NAME)
    found = await asyncio.wrap_future(scene.house.db.read(load))
    if found is None:
        raise LookupError(NAME)
    return found[0]


async def _season_over(scene: World, told: _Told) -> None:
    """Wait for the season to end."""
    known, last = (0, 0), time.monotonic()
    while (one := await _state(scene)).season is not None:
        if (one.version, told.mails) != known:
            known, last = (one.version, told.mails), time.monotonic()
        if time.monotonic() - last > PATIENCE:
            raise TimeoutError(f"nothing has happened for {PATIENCE:.0f} seconds")
        await asyncio.sleep(0.1)


@dataclass(slots=True)
class _Told:
    """Every mail that the SMTP server took, and what of it is shown."""

    show: Show
    mails: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(default_factory=Counter)
    last: dict[str, ReceivedMail] = field(default_factory=dict)
    more: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: asyncio.Queue[Envelope] = field(default_factory=asyncio.Queue)

    def arrived(self, envelope: Envelope) -> None:
        """A mail was taken."""
        self.mails += 1
        self.waiting.put_nowait(envelope)

    async def tell(self, scene: World) -> None:
        """Show what comes, for ever."""
        while True:
            envelope = await self.waiting.get()
            mail = ReceivedMail.read(envelope.data)
            kinds = await _kinds(scene, mail)
            self._tell(mail, envelope.data, kinds)
            self.kinds.update(kinds)
            self.more.set()
            if kinds:
                self.last[_name(mail)] = mail

    async def wait(self, kind: str, times: int) -> None:
        """Wait until so many mails of a kind have been shown."""
        async with asyncio.timeout(PATIENCE):
            while self.kinds[kind] < times:
                self.more.clear()
                await self.more.wait()

    def _tell(self, mail: ReceivedMail, raw: bytes, kinds: set[str]) -> None:
        over = "SeasonOver" in self.kinds
        first = _name(mail) == PEOPLE[0] and any(not self.whole[kind] for kind in kinds & ONCE)
        if kinds & ALWAYS or first or (over and "SeasonStarted" in kinds):
            self.whole.update(kinds)
            self.show(f"\n{RULE}\n" + "\n".join(mail_lines(raw)))
        elif kinds & LINES:
            self.show(f"\n{_name(mail)} <- {mail.headline}"[:WIDEST])


def _name(mail: ReceivedMail) -> str:
    """Whose mailbox it came into."""
    return parseaddr(mail.to)[0]


async def _kinds(scene: World, mail: ReceivedMail) -> set[str]:
    """What a mail tells, by the names of its notices."""
    find = partial(outbox.find_by_message_id, message_id=mail.message_id)
    row = await asyncio.wrap_future(scene.house.db.read(find))
    return {one["notice"] for one in json.loads(row.notices)} if row is not None else set()


async def _checked(scene: World, show: Show, say: Say) -> bool:
    """What the check of the tournament, its matches and the whole log says."""
    found = await asyncio.wrap_future(scene.house.db.read(partial(verified, name=NAME)))
    broken = await asyncio.wrap_future(
        scene.house.db.read(lambda conn: [str(one) for one in verify.verify(conn)])
    )
    matches = len((await _state(scene)).seasons[0].tables)
    findings = [*(found[0].findings if found is not None else [str(NAME)]), *broken]
    for finding in findings:
        show(f"  WRONG: {finding}")
    if found is not None and not findings:
        right = say("season_right", league=NAME, events=found[0].events, matches=matches)
        show(f"\n{RULE}\n{fill(right, WIDEST)}")
    return not findings
