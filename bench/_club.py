"""A club with many matches, and its players, who write as mail programs do."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from itertools import islice, product
from pathlib import Path

from sqlalchemy import Connection, func, select

from pbem.fairness import commitment
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.legacy.bots.levels import random_move
from pbem.legacy.config import AddressKeys, write_keys
from pbem.legacy.config.settings import KeyStore, Limits, Matches, Settings, Site, Store
from pbem.legacy.mail.addresses import Keys, SeatAddress, mint, reply_address
from pbem.legacy.matches.challenges import issue
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.seats import accept
from pbem.legacy.notices.rendering.render import Renderer
from pbem.legacy.players.decide import choose_wish
from pbem.legacy.store import tables
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import sealed
from pbem.legacy.store.mails import leases, outbox
from pbem.legacy.store.people import roster
from pbem.legacy.store.schema import migrate
from pbem.legacy.transaction.installation import House, MatchCache, load_match, match_stream
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport import Fetched
from pbem.names import MatchId, PlayerId

GAMES_ADDRESS = "games@pbem.example"
A_DAY = timedelta(days=1)
AT_ONCE = 200
"""Matches that are begun in one unit."""

FEW_LINKS = 8
"""Logger draws nothing once it runs, and a whole chain takes as long as two turns to make."""

LINKS = 400
"""For games that draw at every turn."""

LOGGER = "logger-1"


def house(folder: Path, url: str | None = None, worker: int | None = None) -> House:
    """An installation in a folder, empty the first time, with its database there or at a URL."""
    path = url or folder / "pbem.db"
    migrate(path)
    keys = AddressKeys("a", {"a": bytes(range(32))})
    if not (folder / "keys.toml").exists():
        write_keys(folder / "keys.toml", keys)
    return House(
        settings=Settings(
            site=Site(title="Bench", address=GAMES_ADDRESS),
            store=Store(database=path),
            keys=KeyStore(file=folder / "keys.toml"),
            limits=Limits(letters_per_hour=1_000_000),
            matches=Matches(window_minutes=0),
        ),
        db=Database.open(path),
        keys=Keys(keys.current, keys.secrets),
        renderer=Renderer(),
        now=lambda: datetime.now(UTC),
        entropy=random.Random(1).randbytes,
        cache=MatchCache(),
        worker=worker,
    )


def begin(
    house: House, count: int, ruleset: str = LOGGER, wishes: Mapping[str, str] | None = None
) -> list[Match]:
    """Matches of two players each, who have such `wishes`, without the mails of their beginning."""
    begun: list[Match] = []
    for first in range(0, count, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, count))
        unit = partial(_begin, house=house, numbers=numbers, ruleset=ruleset, wishes=wishes or {})
        begun.extend(house.db.write(unit).result())
    if any(match.status is not Status.RUNNING for match in begun):
        raise RuntimeError("a match has not started")
    return begun


def _begin(
    conn: Connection,
    house: House,
    numbers: Sequence[int],
    ruleset: str,
    wishes: Mapping[str, str],
) -> list[Match]:
    begun = [_begin_one(conn, house, number, ruleset, wishes) for number in numbers]
    while mails := leases.lease(conn, now=house.now(), limit=AT_ONCE, lease_for=A_DAY):
        outbox.sent(conn, dict.fromkeys((mail.id for mail in mails), ("not sent", house.now())))
    return begun


def players_of(number: int) -> tuple[PlayerId, PlayerId]:
    """Who plays a match; no place of a board is called so."""
    return PlayerId(f"ann{number}"), PlayerId(f"bob{number}")


def _begin_one(
    conn: Connection, house: House, number: int, ruleset: str, wishes: Mapping[str, str]
) -> Match:
    name = MatchId(f"{number:05}")
    players = players_of(number)
    game = GAMES[ruleset]
    secret, second, now = house.entropy(32), house.entropy(32), house.now()
    links = FEW_LINKS if ruleset == LOGGER else LINKS
    for player in players:
        roster.add_player(conn, player, address=f"{player}@example.org", name=player, now=now)
        roster.confirm(conn, player)
    txn = Transaction(conn=conn, house=house, cause=f"start {number}", now=now)
    for player, (wish, value) in product(players, wishes.items()):
        chosen = txn.decide_player(player, choose_wish, name=wish, value=value)
        roster.keep_wishes(conn, player, chosen.wishes)
    txn.begin(name)
    challenge = partial(
        issue,
        ruleset=ruleset,
        options={one.name: "given" for one in game.options if one.begins},
        challenger=players[0],
        players=players,
        commitment=commitment(secret, links).hex(),
        links=links,
        secret_commitment=commitment(second, links).hex() if game.secrets else "",
        time="slow",
    )
    txn.decide(name, challenge)
    sealed.open_chain(conn, match_stream(name), secret, links)
    if game.secrets:
        sealed.open_chain(conn, match_stream(name), second, links, kind="secret")
    txn.decide(name, accept, player=players[1])
    txn.close()
    for loaded in txn.changed:
        house.cache.keep(loaded)
    return txn.match(name)


def letter(
    number: int, *, sender: str, to: str, match: str, answered: str | None, text: str
) -> bytes:
    """A reply as a mail program writes it: one line, an attribution, and forty quoted lines."""
    quote = "".join(f"> line {n} of the mail that is quoted here\r\n" for n in range(40))
    raw = (
        f"From: Somebody <{sender}>\r\nTo: {to}\r\n"
        f"Subject: Re: [Logger {match}]\r\nDate: {format_datetime(datetime.now(UTC))}\r\n"
        f"Message-ID: <{number}.{match}@example.org>\r\nMIME-Version: 1.0\r\n"
        f"{f'In-Reply-To: {answered}' if answered else 'X-First: yes'}\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n\r\n"
        f"{text}\r\n\r\nOn Monday, Bench <{to}> wrote:\r\n{quote}"
    )
    return raw.encode()


class Players:
    """Writes the next letter of a match, as a mail program would."""

    def __init__(self, house: House, matches: list[Match]) -> None:
        self._house = house
        self._names = [match.id for match in matches]
        self._rng = random.Random(2)
        self._uid = 0
        self._letters = self._forever()
        self.written = 0
        """How many letters."""
        self.seconds = 0.0
        """Processor time that the players have used."""
        self.waited = 0.0
        """Seconds of the clock that it took."""
        self._since = house.db.read(_newest_letter).result()

    def letters(self, count: int) -> list[Fetched]:
        """The next letters, at most so many: one of each match that goes on, then all over again.

        What was written before must have been taken, or a match that is asked again refuses it.
        """
        began, clock = time.process_time(), time.perf_counter()
        letters = list(islice(self._letters, min(count, len(self._names))))
        self.seconds += time.process_time() - began
        self.waited += time.perf_counter() - clock
        self.written += len(letters)
        return letters

    def require_played(self) -> None:
        """Raises RuntimeError unless every letter was a move that has been made."""
        made = self._house.db.read(partial(_made, since=self._since)).result()
        if made != self.written:
            raise RuntimeError(f"of {self.written} moves that were sent {made} were made")

    def _forever(self) -> Iterator[Fetched]:
        while self._names:
            yield from self._round()

    def _round(self) -> Iterator[Fetched]:
        for name in list(self._names):
            # Not from memory, where it would then be for the service as well.
            load = partial(load_match, match=name)
            match = self._house.db.read(load).result().match
            if not match.to_act:
                self._names.remove(name)
                continue
            move = random_move(match.game, match.course.position, self._rng.randrange)
            yield self._letter(match, match.to_act[0], match.game.notation(move))

    def _letter(self, match: Match, seat: Seat, text: str) -> Fetched:
        self._uid += 1
        answered = self._house.db.read(partial(_newest, reader=match.player_at(seat))).result()
        tag = mint(self._house.keys, SeatAddress(match.id, seat))
        to = reply_address(GAMES_ADDRESS, tag)
        raw = letter(
            self._uid,
            sender=f"{match.player_at(seat)}@example.org",
            to=to,
            match=match.id,
            answered=answered,
            text=text,
        )
        return Fetched("bench", "INBOX", 1, self._uid, raw)


def _newest(conn: Connection, reader: PlayerId) -> str | None:
    """The Message-ID of the newest mail to a player."""
    mails = tables.outbox.c
    newest = select(mails.message_id).where(mails.recipient == reader).order_by(mails.id.desc())
    return conn.execute(newest.limit(1)).scalar()


def _newest_letter(conn: Connection) -> int:
    return int(conn.execute(select(func.max(tables.inbox.c.number))).scalar_one() or 0)


def _made(conn: Connection, since: int) -> int:
    """How many letters brought a match on, of those that came after one."""
    rows = tables.inbox.c
    brought = (rows.number > since) & rows.code.is_(None) & rows.to_version.is_not(None)
    return conn.execute(select(func.count()).where(brought)).scalar_one()
