"""A club's year under a driven clock: leagues, a ladder and cups, played to their ends.

Whatever happens next follows from the database and the plan alone: so a process that is killed at
any moment and begun again goes on as if nothing had been, and comes to the very same log.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar
from unittest.mock import patch

from sqlalchemy import func, select

from pbem.bots.levels import random_move
from pbem.errors import Rejection
from pbem.mail.addresses import PlayerAddress, SeatAddress, mint, reply_address
from pbem.matches.agreements import answer_draw, offer_draw
from pbem.matches.decide import play
from pbem.matches.match import Match, Status
from pbem.matches.resigning import resign
from pbem.matches.timing import claim_time
from pbem.names import MatchId, PlayerId, TournamentId, is_bot
from pbem.orders.handlers.people import ban, forget
from pbem.players.decide import confirm, plan_leave
from pbem.runners import timers as firing
from pbem.runners.bots import act_due
from pbem.runners.receive import store_letter, take_waiting
from pbem.store import runner_state, tables, timers, views
from pbem.store.database import Database
from pbem.store.people import roster
from pbem.store.scopes import ALL, Scope
from pbem.tournaments import decide
from pbem.transaction import tournaments
from pbem.transaction.installation import MatchCache, load_match
from pbem.transaction.transaction import Transaction
from pbem.transport import Fetched
from tests.clubs.club import GAMES as OURS
from tests.clubs.club import Club, open_club
from tests.seasons.operator import act_of_operator
from tests.seasons.people import (
    A_DAY,
    BEGINNING,
    TERMS,
    Person,
    Planned,
    Size,
    chance_of,
    people,
    plan,
)

if TYPE_CHECKING:
    from concurrent.futures import Future

    from sqlalchemy import Connection

    from pbem.store.timers import Timer

T = TypeVar("T")

TOGETHER: Final = 100
"""Acts that are committed together."""

EVENTS: Final = 1_500_000
"""In memory: enough for all matches."""

SIGN: Final = "year"
AN_HOUR: Final = timedelta(hours=1)


@dataclass
class Driven:
    """A clock that stands until it is set."""

    time: datetime = BEGINNING

    def __call__(self) -> datetime:
        return self.time


class Entropy:
    """Bytes that follow from what they are for: the same whenever it is done again."""

    def __init__(self) -> None:
        self._seed, self._number = "", 0

    def begin(self, seed: str) -> None:
        self._seed, self._number = seed, 0

    def __call__(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            self._number += 1
            found += hashlib.sha256(f"{self._seed} {self._number}".encode()).digest()
        return found[:count]


class Steady(Database):
    """A database whose units draw from an entropy that follows from where the log stands."""

    entropy: Entropy | None = None
    stepped: Callable[[], None] = staticmethod(lambda: None)
    """What happens before and after each unit, and after its commit."""

    def write(self, unit: Callable[[Connection], T], scope: Scope = ALL) -> Future[T]:
        def steady(conn: Connection) -> T:
            self.stepped()
            if self.entropy is not None:
                head = conn.execute(select(tables.log_head.c.position)).scalar()
                self.entropy.begin(f"after {head}")
            result = unit(conn)
            self.stepped()
            return result

        future = super().write(steady, scope)
        future.add_done_callback(lambda _: self.stepped())
        return future


@dataclass(frozen=True, order=True, slots=True)
class _Waking:
    """Somebody looks at a match at a time, if it still stands at a version."""

    at: datetime
    key: str
    match: MatchId = field(compare=False)
    version: int = field(compare=False)
    player: PlayerId = field(compare=False)


def _never(_: Connection, *, timer: Timer, now: datetime) -> None:
    raise AssertionError(f"the timer {timer.key} failed at {now}")


@dataclass
class Year:
    """The people, what each will do next, and a count of what has happened."""

    club: Club
    clock: Driven
    entropy: Entropy
    size: Size
    done: Counter[str] = field(default_factory=Counter)
    people: dict[PlayerId, Person] = field(init=False)
    _planned: list[Planned] = field(init=False)
    _waking: list[_Waking] = field(default_factory=list)
    _versions: dict[MatchId, int] = field(default_factory=dict)
    _last: tuple[str, str] = ("", "")
    _seen: int = 0

    def __post_init__(self) -> None:
        """All that is planned follows from the size alone."""
        self.people = people(self.size)
        self._planned = plan(self.size)

    # --- going on ----------------------------------------------------------------------------

    async def live(self) -> None:
        """Go on from wherever the database stands, to the end of the year."""
        # One at a time: else what is due at once would come in another order after a kill. And
        # nothing that fails is only put off.
        with patch.multiple(firing, TOGETHER=1, _put_off=_never):
            await self._live()

    async def _live(self) -> None:
        end = BEGINNING + self.size.days * A_DAY
        await self._write(self._take_up)
        while True:
            while await take_waiting(self.club.house) or await act_due(self.club.house):
                await self._write(self._look)
            due = await self._write(partial(self._act_until_due, end=end))
            if self.clock.time >= end:
                return
            if due == "timer":
                self.done["timers"] += await firing.fire_due(self.club.house)
                await self._write(self._look)
            elif isinstance(due, _Waking):
                await self._post_move(due)
            elif isinstance(due, Planned):
                await self._post_order(due)

    async def _write(self, unit: Callable[[Connection], T]) -> T:
        return await asyncio.wrap_future(self.club.house.db.write(unit))

    def _take_up(self, conn: Connection) -> None:
        """Go on where the database says that we were."""
        sign = runner_state.signs(conn).get(SIGN)
        if sign is not None:
            at, _, key = sign.what.partition(" ")
            self._last, self.clock.time = (at, key), sign.last_at
        # A letter that waits came at the time at which it is to be taken.
        for known in (tables.event.c.recorded_at, tables.inbox.c.received_at):
            newest = conn.execute(select(func.max(known))).scalar()
            self.clock.time = max(self.clock.time, newest or self.clock.time)
        self._planned = [one for one in self._planned if _mark(one) > self._last]
        heapq.heapify(self._planned)
        for row in views.matches(conn, ("running",), limit=1_000_000):
            self._wake_as_of_now(conn, row.id)
        self._waking = [one for one in self._waking if _mark(one) > self._last]
        heapq.heapify(self._waking)
        self._seen = conn.execute(select(tables.log_head.c.position)).scalar() or 0

    def _look(self, conn: Connection) -> None:
        """Wake those who are concerned by what happened since the last look."""
        of = tables.event.c
        newer = select(of.stream).where(of.position > self._seen, of.stream.like("match-%"))
        self._seen = conn.execute(select(tables.log_head.c.position)).scalar() or 0
        for stream in sorted(set(conn.execute(newer).scalars())):
            self._wake_as_of_now(conn, MatchId(stream.partition("-")[2]))

    def _wake_as_of_now(self, conn: Connection, name: MatchId) -> None:
        loaded = load_match(conn, name, self.club.house.cache)
        of = tables.event.c
        at = conn.execute(
            select(of.recorded_at).where(
                of.stream == f"match-{name}", of.version == loaded.head.version
            )
        ).scalar_one()
        self.club.house.cache.keep(loaded)
        self._wake(loaded.match, at)

    def _act_until_due(self, conn: Connection, *, end: datetime) -> str | _Waking | Planned | None:
        """Let people act, many in one commit, until something else is to be done."""
        for _ in range(TOGETHER):
            dues = (timers.next_due(conn), timers.next_due(conn, of_bots=True))
            due = min([one for one in dues if one is not None], default=end)
            acts: list[Planned | _Waking] = [*self._planned[:1], *self._waking[:1]]
            act = min(acts, key=_mark) if acts else None
            at = min(due, act.at if act is not None else end, end)
            self.clock.time = max(self.clock.time, at)
            if self.clock.time >= end:
                return None
            if act is None or due <= act.at:
                return "timer"
            if self._by_letter(act):
                return act
            self._pop(act)
            self._act(conn, act)
        return None

    def _by_letter(self, act: Planned | _Waking) -> bool:
        if isinstance(act, Planned):
            orders = act.kind in ("enter", "withdraw") and act.player is not None
            return orders and self.people[PlayerId(str(act.player))].letters
        known = self._versions.get(act.match) == act.version
        return known and self.people[act.player].letters and act.key.startswith("move")

    def _pop(self, act: Planned | _Waking) -> None:
        if isinstance(act, Planned):
            heapq.heappop(self._planned)
        else:
            heapq.heappop(self._waking)

    # --- acts --------------------------------------------------------------------------------

    def _act(self, conn: Connection, act: Planned | _Waking) -> None:
        self._note(conn, act)
        if isinstance(act, _Waking) and self._versions.get(act.match) != act.version:
            return  # the match has gone on
        self.entropy.begin(f"act {act.at} {act.key}")
        actor = act.player if isinstance(act, _Waking) else None
        cause = f"act:{act.key}"
        txn = Transaction(
            conn=conn, house=self.club.house, cause=cause, now=self.clock.time, actor=actor
        )
        try:
            self.done[self._carry_out(txn, act)] += 1
        except Rejection as rejection:
            self.done[f"refused {rejection.code}"] += 1
            return
        txn.close()
        for loaded in txn.changed:
            self.club.house.cache.keep(loaded)
            self._wake(loaded.match, self.clock.time)

    def _note(self, conn: Connection, act: Planned | _Waking) -> None:
        """What was done last stands beside what came of it, in the same commit."""
        self._last = _mark(act)
        runner_state.leave_sign(conn, SIGN, self.clock.time, " ".join(self._last))

    def _carry_out(self, txn: Transaction, act: Planned | _Waking) -> str:
        if isinstance(act, _Waking):
            return self._in_match(txn, act)
        if act.player is not None:
            return _of_person(txn, act, self.people[act.player])
        return act_of_operator(txn, act)

    def _in_match(self, txn: Transaction, act: _Waking) -> str:
        match, player = txn.match(act.match), act.player
        chance = chance_of(act.match, act.version, player)
        if act.key.startswith("claim"):
            txn.decide(act.match, claim_time, player=player)
            return "claim"
        seat = match.seat_of(player)
        offered = any(match.seat_of(other) for other in match.others(player))
        if match.pending.offer is not None and offered:
            accept = chance.random() < 0.7
            with_answer = partial(answer_draw, accept=accept)
            txn.decide(act.match, with_answer, player=player)
            return "agreed" if accept else "declined"
        if seat not in match.to_act:
            return "nothing"
        if match.course.ply >= _patience(match.id):
            roll = chance.randrange(100)
            if roll < self.people[player].resigns + 15:
                txn.decide(act.match, resign, player=player)
                return "resigned"
            if roll < 85 and _draws(match) and match.pending.offer is None:
                txn.decide(act.match, offer_draw, player=player)
                return "offered"
        txn.decide(act.match, play, player=player, text=_move(match, chance))
        return "move"

    # --- letters -----------------------------------------------------------------------------

    async def _post_move(self, act: _Waking) -> None:
        """What they play, in a letter to the address of their seat."""
        loaded = self.club.house.cache.newest(act.match)
        assert loaded is not None
        match, house = loaded.match, self.club.house
        text = _move(match, chance_of(act.match, act.version, act.player))
        seat = match.seat_of(act.player)
        assert seat is not None
        if match.course.ply >= 2 * _patience(match.id):
            text = "resign"
        tag = mint(house.keys, SeatAddress(match.id, seat))
        await self._post(act, self.people[act.player], text, reply_address(OURS, tag))

    async def _post_order(self, act: Planned) -> None:
        person = self.people[PlayerId(str(act.player))]
        tag = mint(self.club.house.keys, PlayerAddress(person.id))
        await self._post(act, person, f"{act.kind} {act.tournament}", reply_address(OURS, tag))

    async def _post(self, act: Planned | _Waking, person: Person, text: str, to: str) -> None:
        written = self.club.letter(
            person.address,
            to,
            text,
            Message_ID=f"<{act.key.replace(':', '.')}@example.org>",
            Date=f"{self.clock.time:%a, %d %b %Y %H:%M:%S} +0000",
        ).as_bytes()
        number = int.from_bytes(hashlib.sha256(written).digest()[:3])
        await store_letter(
            Fetched("test", "INBOX", 1, number, written, None, None), self.club.house
        )
        await take_waiting(self.club.house)

        def noted(conn: Connection) -> None:
            self._note(conn, act)
            self._look(conn)

        await self._write(noted)
        self._pop(act)
        self.done["letters"] += 1

    # --- who acts next -----------------------------------------------------------------------

    def _wake(self, match: Match, since: datetime) -> None:
        """Whoever is to act will, if they ever do; where somebody's time is over others claim."""
        if self._versions.get(match.id) == match.version:
            return
        self._versions[match.id] = match.version
        if match.status is not Status.RUNNING:
            return
        late = match.clocks.flagged if match.clocks is not None else ()
        for seat in match.to_act:
            player = match.player_at(seat)
            self._later(match, player, since, "move")
            if seat in late:
                for other in match.others(player):
                    self._later(match, other, since, "claim")
        if match.pending.offer is not None:
            for player in match.table.players:
                self._later(match, player, since, "answer")

    def _later(self, match: Match, player: PlayerId, since: datetime, kind: str) -> None:
        if is_bot(player) or match.seat_of(player) is None:
            return
        person = self.people[player]
        low, high = person.hours
        chance = chance_of("when", kind, match.id, match.version, player)
        seconds = round(3600 * (low + chance.random() ** 3 * (high - low)))
        at = since + timedelta(seconds=max(1, seconds))
        if person.acts(at):
            key = f"{kind}:{match.id}:{match.version}:{player}"
            heapq.heappush(self._waking, _Waking(at, key, match.id, match.version, player))


def _mark(act: Planned | _Waking) -> tuple[str, str]:
    """By what acts have an order: that of their times, and at one time of their keys."""
    return act.at.isoformat(timespec="microseconds"), act.key


def _patience(match: MatchId) -> int:
    """The ply from which on people think of ending it."""
    return chance_of("patience", match).randrange(4, 15)


def _draws(match: Match) -> bool:
    return match.game.draw_offers(match.terms.options)


def _move(match: Match, chance: random.Random) -> str:
    move = random_move(match.game, match.course.position, chance.randrange)
    return str(match.game.notation(move))


# --- people beside their matches -----------------------------------------------------------------


def _of_person(txn: Transaction, act: Planned, person: Person) -> str:
    player, name = person.id, act.tournament
    match act.kind:
        case "settle":
            roster.add_player(
                txn.conn, player, address=person.address, name=f"{player}".title(), now=txn.now
            )
            txn.decide_player(player, confirm)  # from then on they earn leave
            roster.confirm(txn.conn, player)
        case "enter" if name is not None:
            if person.gone is not None and person.gone <= txn.now:
                return "gone"
            letter = hashlib.sha256(act.key.encode()).hexdigest()
            entered = partial(decide.enter, player=player, words=f"enter {name}", letter=letter)
            tournaments.decide_on(txn, name, entered)
        case "withdraw" if name is not None:
            tournaments.decide_on(txn, name, decide.withdraw, player)
        case "away":
            days = chance_of(act.key).randrange(2, 9)
            txn.decide_player(
                player, plan_leave, begin=txn.now, end=txn.now + days * A_DAY, days=days
            )
        case "forget":
            forget(txn, player, by="player")
        case "ban":
            row = roster.player(txn.conn, player)
            assert row is not None
            ban(txn, row, "otto", "for good", leaves=act.at.hour % 2 == 0)
        case _:  # they go without a word to their opponents
            for each in TERMS:
                _leave(txn, each, player)
    return act.kind


def _leave(txn: Transaction, name: TournamentId, player: PlayerId) -> None:
    try:
        tournaments.decide_on(txn, name, decide.withdraw, player)
    except Rejection as rejection:
        if rejection.code != "not_entered":
            raise


# --- a year in a folder --------------------------------------------------------------------------


def open_year(folder: Path, size: Size, stepped: Callable[[], None] = lambda: None) -> Year:
    """A year in a folder, new or as it stands there; `stepped` is called at every step of it."""
    clock, entropy = Driven(), Entropy()
    club = open_club(folder, clock=clock, database=Steady.open, matches_at_first=10_000)
    db = club.house.db
    assert isinstance(db, Steady)
    db.entropy, db.stepped = entropy, stepped
    house = replace(club.house, cache=MatchCache(EVENTS), entropy=entropy)
    return Year(replace(club, house=house), clock, entropy, size)
