"""A year of many matches under a driven clock: deciders, timers and the log, and no mail.

Everybody plays as people do: at once, late, or not at all; away for a week; claiming or waiting.
What must hold is checked over all streams at the end.
"""

from __future__ import annotations

import asyncio
import heapq
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from pbem.bots.levels import random_move
from pbem.errors import Rejection
from pbem.fairness import LINKS, commitment
from pbem.games import GAMES
from pbem.matches.challenges import issue
from pbem.matches.clocks import ClockPaused, ClockStopped, DeadlineMissed, DeadlineSet
from pbem.matches.decide import play
from pbem.matches.events import Event, MatchEnded, MovePlayed
from pbem.matches.match import Match, Status
from pbem.matches.seats import accept
from pbem.matches.timing import claim_time
from pbem.names import MatchId, PlayerId
from pbem.players.decide import confirm, end_leave, plan_leave
from pbem.runners.timers import fire_due
from pbem.store import ratings, tables, timers, views
from pbem.store.log import event_log, exchange
from pbem.store.log.sealed import open_chain
from pbem.store.people import roster
from pbem.transaction.installation import House, Loaded, load_match, match_stream, verified
from pbem.transaction.transaction import Transaction
from tests.clubs.club import Club
from tests.standing.second import recount

if TYPE_CHECKING:
    from sqlalchemy import Connection

A_DAY: Final = timedelta(days=1)
AN_HOUR: Final = timedelta(hours=1)
RULESETS: Final = ("logger-1", "logger-1", "looney_ludo-1", "logan_stones-1", "landrush-1")
TOGETHER: Final = 200
BEGINNING: Final = 0.7
"""The part of the time in which matches begin, one after the other."""

TIMES: Final = ("slow", "medium", "fast", "72/12/96")


@dataclass
class Driven:
    """A clock that stands until it is set."""

    time: datetime

    def __call__(self) -> datetime:
        return self.time


@dataclass(order=True)
class _Act:
    """Somebody wakes at a time: to move in a match, or to leave or come back."""

    at: datetime
    number: int
    kind: str = field(compare=False)
    player: PlayerId = field(compare=False)
    match: MatchId | None = field(compare=False, default=None)


@dataclass
class Year:
    """The players, what each will do next, and a count of what has happened."""

    club: Club
    clock: Driven
    matches: int
    dice: random.Random = field(default_factory=lambda: random.Random(11))
    done: Counter[str] = field(default_factory=Counter)
    _acts: list[_Act] = field(default_factory=list)
    _over: set[MatchId] = field(default_factory=set)
    _number: int = 0

    @property
    def house(self) -> House:
        return self.club.house

    async def live(self, days: int) -> None:
        """Let so many days go by."""
        end = self.clock.time + days * A_DAY
        players = await asyncio.wrap_future(self.house.db.write(self._settle_people))
        for number in range(self.matches):
            begins = self.clock.time + number * (end - self.clock.time) / self.matches * BEGINNING
            self._later(begins, "begin", players[number % len(players)])
        for player in players[::7]:
            self._later(self.clock.time + self.dice.randrange(200) * A_DAY, "away", player)
        while self.clock.time < end:
            due = await asyncio.wrap_future(
                self.house.db.write(lambda conn: self._act_until_due(conn, end, players))
            )
            if due is not None and due <= self.clock.time:
                self.done["timers"] += await fire_due(self.house)

    def _act_until_due(
        self, conn: Connection, end: datetime, players: list[PlayerId]
    ) -> datetime | None:
        """Let people act, many in one commit, until a timer is due; when the next one is."""
        for _ in range(TOGETHER):
            due = timers.next_due(conn)
            act = self._acts[0].at if self._acts else end
            self.clock.time = max(self.clock.time, min(act, due or end, end))
            if (due is not None and due <= self.clock.time) or act > self.clock.time:
                return due
            one = heapq.heappop(self._acts)
            if one.match not in self._over:
                self.house.cache.keep_all(self._act(conn, one, players))
        return None

    def _settle_people(self, conn: Connection) -> list[PlayerId]:
        names = [PlayerId(f"p{number:09}") for number in range(max(4, self.matches // 5))]
        txn = Transaction(conn=conn, house=self.house, cause="settling", now=self.clock.time)
        for name in names:
            roster.add_player(
                conn, name, address=f"{name}@example.org", name=name.title(), now=self.clock.time
            )
            txn.decide_player(name, confirm)  # from then on they earn leave
            roster.confirm(conn, name)
        txn.close()
        return names

    def _later(
        self, at: datetime, kind: str, player: PlayerId, match: MatchId | None = None
    ) -> None:
        self._number += 1
        heapq.heappush(self._acts, _Act(at, self._number, kind, player, match))

    # --- acts --------------------------------------------------------------------------------

    def _act(self, conn: Connection, act: _Act, players: list[PlayerId]) -> list[Loaded]:
        self.done[act.kind] += 1
        txn = Transaction(
            conn=conn, house=self.house, cause=f"act:{act.number}", now=self.clock.time,
            actor=act.player,
        )  # fmt: skip
        try:
            match act.kind:
                case "begin":
                    self._begin(txn, act.player, players)
                case "away":
                    self._go_away(txn, act.player)
                case "back":
                    txn.decide_player(act.player, end_leave)
                case _ if act.match is not None:
                    self._play(txn, act.match, act.player)
                case _:
                    raise AssertionError(act)
        except Rejection as rejection:
            self.done[f"refused {rejection.code}"] += 1
            return []
        txn.close()
        for loaded in txn.changed:
            self._wake(loaded)
        return txn.changed

    def _begin(self, txn: Transaction, first: PlayerId, players: list[PlayerId]) -> None:
        game = GAMES[self.dice.choice(RULESETS)]
        others = [player for player in players if player != first]
        seated = (first, *self.dice.sample(others, game.seats[0] - 1))
        name = MatchId(f"Y{self._number:05}")
        secrets = {kind: self.dice.randbytes(32) for kind in ("public", "secret")}
        txn.begin(name)
        txn.decide(
            name,
            issue,
            ruleset=game.ruleset,
            options=game.normal_options({}),
            challenger=first,
            players=seated,
            commitment=commitment(secrets["public"], LINKS).hex(),
            links=LINKS,
            secret_commitment=commitment(secrets["secret"], LINKS).hex() if game.secrets else "",
            time=self.dice.choice(TIMES),
        )
        open_chain(txn.conn, match_stream(name), secrets["public"], LINKS)
        if game.secrets:
            open_chain(txn.conn, match_stream(name), secrets["secret"], LINKS, kind="secret")
        for player in seated[1:]:
            txn.decide(name, accept, player=player, words="year")

    def _go_away(self, txn: Transaction, player: PlayerId) -> None:
        days = self.dice.randrange(1, 9)
        now = self.clock.time
        txn.decide_player(player, plan_leave, begin=now, end=now + days * A_DAY, days=days)
        if self.dice.random() < 0.5:
            self._later(now + days * A_DAY / 2, "back", player)
        self._later(now + 60 * A_DAY, "away", player)

    def _play(self, txn: Transaction, name: MatchId, player: PlayerId) -> None:
        match = txn.match(name)
        seat = match.seat_of(player)
        if seat in match.to_act:
            move = random_move(match.game, match.course.position, self.dice.randrange)
            txn.decide(name, play, player=player, text=match.game.notation(move))
        else:
            txn.decide(name, claim_time, player=player)

    def _wake(self, loaded: Loaded) -> None:
        """Who is to act will: mostly soon, sometimes late, rarely never; then another claims."""
        match, now = loaded.match, self.clock.time
        if match.status is Status.ENDED:
            self._over.add(match.id)
        for seat in match.to_act:
            player = match.player_at(seat)
            hours = self.dice.choice((1, 2, 5, 12, 20, 30, 30, 60, 200, 400))
            if self.dice.random() > 0.01:
                self._later(now + self.dice.random() * hours * AN_HOUR, "move", player, match.id)
            for other in match.others(player)[:1]:
                self._later(now + 35 * A_DAY, "claim", other, match.id)


# --- what must hold ------------------------------------------------------------------------------


def faults(conn: Connection, house: House) -> Iterator[str]:
    """Whatever is lost or doubled, in words; nothing if all is well."""
    if wrong := ratings.unsound(conn):
        yield f"{wrong} ratings and results are not what the log gives"
    streams = event_log.streams(conn, "match")
    again = recount(line for stream in streams for line in exchange.export(conn, stream))
    kept = conn.execute(select(tables.rating)).all()
    if {key: round(one[0], 2) for key, one in again.items()} != {
        (row.game, row.player): round(row.rating, 2) for row in kept
    }:
        yield "another program comes to other ratings"
    now = house.now()
    late = timers.due(conn, now, 10)
    yield from (f"timer {timer.key} was due at {timer.due_at} and did not fire" for timer in late)
    for row in views.matches(conn, None, limit=100_000):
        match = load_match(conn, row.id).match
        yield from _of_clocks(match, now)
        recorded = event_log.load(conn, match_stream(row.id))
        yield from (f"{row.id}: {words}" for words in _twice(event_log.match_events_of(recorded)))
        if int(row.id[1:], 36) % 10 == 0:  # the whole of it takes its time
            yield from (f"{row.id}: {words}" for words in verified(conn, row.id)[0].findings)


def _of_clocks(match: Match, now: datetime) -> Iterator[str]:
    if match.clocks is None or match.status is not Status.RUNNING:
        return
    clocks = match.clocks
    for seat, running in clocks.running.items():
        if running.due <= now and seat not in match.pending.held:
            yield f"{match.id}: the time of seat {seat} was over at {running.due}"
    if not clocks.running and not clocks.flagged and not clocks.paused:
        yield f"{match.id}: nobody's clock runs"


def _twice(events: list[Event]) -> Iterator[str]:
    """Every deadline comes to one end: a move, a flag, another deadline, or a clock that stops."""
    running: dict[int, DeadlineSet] = {}
    for event in events:
        match event:
            case DeadlineSet(seat=seat):
                running[seat] = event
            case DeadlineMissed(seat=seat, due=due):
                if seat not in running or running.pop(seat).due != due:
                    yield f"a deadline at {due} was missed that did not stand"
            case MovePlayed(seat=seat, bank=int()):
                running.pop(seat, None)
            case ClockStopped(seat=seat):
                if running.pop(seat, None) is None:
                    yield f"a clock of seat {seat} stopped that did not run"
            case ClockPaused(seat=seat):
                running.pop(seat, None)
            case MatchEnded():
                running.clear()
            case _:
                pass
