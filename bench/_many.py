"""Databases of very many matches: copies of some that were played, put there in bulk.

Ten matches are played by letters, and most of them given up; what was kept of their mails is
forgotten, as after months. Their rows are copied with other names, other keys and earlier days, and
each copy's events get ids and hashes of their own: so all holds that the store holds its rows to.
One copy in ten runs, and its players have no other match; those of the others have twenty each.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache, partial
from hashlib import blake2b
from itertools import count as counted
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from bench._club import A_DAY, GAMES_ADDRESS, Players, begin, house, letter, players_of
from pbem.games.game import Seat
from pbem.mail.addresses import SeatAddress, mint, reply_address
from pbem.names import MatchId
from pbem.runners.deliver import deliver_due
from pbem.runners.receive import store, take_waiting
from pbem.runners.timers import fire_due
from pbem.store import tables
from pbem.store.codec import instant_of
from pbem.store.log import event_log
from pbem.store.log.event_log import GENESIS, RecordedEvent, hash_of
from pbem.store.mails import inbox, waiting_mails
from pbem.transport import Checkpoint, Fetched, Result

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transaction.installation import House
    from pbem.transport import Envelope

PLAYED: Final = 10
GO_ON: Final = 2
"""Matches that are played to be copied, and how many of them are not given up."""

TURNS: Final = 8
"""Each takes an event for the move and one for the deadline: with the beginning there are 20."""

ONE_RUNS_OF: Final = 10
MATCHES_EACH: Final = 20
"""Of ended matches, for each of their players."""

FEWEST_DAYS, MOST_DAYS = 4, 1_000
"""How long ago the newest and the oldest of those that have ended were played."""

Row: TypeAlias = tuple[Any, ...]
Rows: TypeAlias = Mapping[str, Sequence[Row]]


class Taken:
    """A relay that takes every mail at once."""

    async def send(self, envelope: Envelope) -> Mapping[str, Result]:
        """It has been taken."""
        return {one: Result("sent", 250, "ok") for one in envelope.rcpt_to}


def is_running(number: int, count: int) -> bool:
    """Whether the copy of this number runs, of so many."""
    return count <= ONE_RUNS_OF or number % ONE_RUNS_OF == 0


def name_of(number: int) -> MatchId:
    """What the copy of this number is called."""
    return MatchId(f"{number:07}")


# --- what is copied ------------------------------------------------------------------------------


class Form(str):
    """A text with places for what differs from copy to copy: `%(match)s`."""

    __slots__ = ()


class RowForm(NamedTuple):
    """A row with its forms, and where in it they stand."""

    row: Row
    forms: Sequence[tuple[int, Form]]


Forms: TypeAlias = "Mapping[str, Sequence[RowForm]]"


class EventForm(NamedTuple):
    """An event: `cause` is what its id is made of, with its number among those of that cause."""

    cause: str
    number: int
    type: str
    schema: int
    data: str
    meta: str
    recorded_at: str


@dataclass(frozen=True, slots=True)
class Sample:
    """The rows of a match with places for what differs; `player` has those of the first player."""

    match: Forms
    player: Forms
    events: Sequence[EventForm]
    keys: Sequence[str]
    idents: Sequence[str]
    dates: Sequence[date]


_OF_MATCH: Final = {
    "stream": "id",
    "match": "id",
    "match_player": "match",
    "seat_name": "match",
    "chance_secret": "stream",
    "timer": "stream",
    "inbox": "stream",
    "outbox": "stream",
}
_OF_PLAYER: Final = {"player": "id", "address": "player", "reply_address": "player"}
"""The tables with rows of a match or a player, and in which column that stands."""

COUNTED: Final = {"inbox": "number", "outbox": "id"}
"""The columns that number all rows."""

FILLED: Final = (*_OF_PLAYER, *_OF_MATCH, "event")
"""All tables that are filled, each after those that it names."""


@cache
def samples() -> tuple[Sequence[Sample], Sequence[Sample]]:
    """Matches that run, and such as have ended."""
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        place = house(Path(folder))
        with closing(place.db):
            names = [match.id for match in _played(place)]
            place.db.write(partial(_forget, now=place.now() + FEWEST_DAYS * A_DAY)).result()
            found = [
                place.db.read(partial(_sample, match=name, number=number)).result()
                for number, name in enumerate(names)
            ]
    return found[:GO_ON], found[GO_ON:]


def _played(place: House) -> Sequence[Any]:
    matches = begin(place, PLAYED)
    players = Players(place, matches)

    async def play() -> None:
        for _ in range(TURNS):
            await _take(place, players.letters(PLAYED))
        players.require_played()
        await _take(place, [_resigns(place, number) for number in range(GO_ON, PLAYED)])
        later = replace(place, now=lambda: place.now() + 2 * A_DAY)  # for a day it can be undone
        await fire_due(later)
        while await deliver_due(later, Taken()):
            pass

    asyncio.run(play())
    return matches


def _resigns(place: House, number: int) -> Fetched:
    match = MatchId(f"{number:05}")
    to = reply_address(GAMES_ADDRESS, mint(place.keys, SeatAddress(match, Seat(1))))
    writer = f"{players_of(number)[0]}@example.org"
    uid = 1_000 + number
    raw = letter(uid, sender=writer, to=to, match=match, answered=None, text="resign")
    return Fetched("bench", "INBOX", 1, uid, raw)


async def _take(place: House, letters: Sequence[Fetched]) -> None:
    checkpoint = Checkpoint("bench", "INBOX", 1, letters[-1].uid)
    await store(letters, checkpoint, place)
    await take_waiting(place)
    while await deliver_due(place, Taken()):
        pass


def _forget(conn: Connection, now: datetime) -> None:
    """As if `keep_mail_days` were over."""
    inbox.prune(conn, now)
    waiting_mails.prune(conn, now)


def _sample(conn: Connection, match: MatchId, number: int) -> Sample:
    stream = f"match-{match}"
    whole = {
        name: _rows(conn, name, column, match if column == "match" or name == "match" else stream)
        for name, column in _OF_MATCH.items()
    }
    first, second = players_of(number)
    player = {name: _rows(conn, name, column, first) for name, column in _OF_PLAYER.items()}
    keys = [row[_at("inbox", "mail_key")] for row in whole["inbox"]]
    sent = [row[_at("outbox", "message_id")] for row in whole["outbox"]]
    places = {match: "match", first: "first", second: "second"}
    places |= {f"start {number}": "start"}
    places |= {key: f"key{n}" for n, key in enumerate(keys)}
    idents = [message[1:].partition(".")[0] for message in sent]
    places |= {ident: f"ident{n}" for n, ident in enumerate(idents)}
    dates: list[str] = []
    put = partial(_with_places, places=places, dates=dates)
    return Sample(
        match={name: [_form(map(put, row)) for row in rows] for name, rows in whole.items()},
        player={name: [_form(map(put, row)) for row in rows] for name, rows in player.items()},
        events=list(_event_forms(conn, stream, put)),
        keys=keys,
        idents=idents,
        dates=[date.fromisoformat(one) for one in dates],
    )


def _event_forms(conn: Connection, stream: str, put: Any) -> Iterator[EventForm]:
    of_cause: defaultdict[str, Iterator[int]] = defaultdict(counted)
    for row in _rows(conn, "event", "stream", stream):
        one = dict(zip(tables.event.columns.keys(), row, strict=True))
        recorded = RecordedEvent(**{**one, "recorded_at": instant_of(one["recorded_at"])})
        cause = event_log.cause_of(recorded)
        number = next(of_cause[cause])
        if event_log.event_id(cause, stream, number) != recorded.event_id:
            raise RuntimeError(f"{recorded.event_id} is not made of {cause}")
        data, meta, at = put(one["data"]), put(one["meta"]), put(one["recorded_at"])
        yield EventForm(put(cause), number, one["type"], one["schema"], data, meta, at)


def _rows(conn: Connection, name: str, column: str, value: str) -> list[Row]:
    """Rows as SQLite has them: times and JSON are texts, and mails are compressed."""
    columns = ", ".join(f'"{one}"' for one in tables.METADATA.tables[name].columns.keys())  # noqa: SIM118
    wanted = f'SELECT {columns} FROM "{name}" WHERE "{column}" = ? ORDER BY 1'  # noqa: S608 - names of ours
    return [tuple(row) for row in conn.exec_driver_sql(wanted, (value,))]


def _form(values: Iterable[Any]) -> RowForm:
    row = tuple(values)
    return RowForm(row, [(at, one) for at, one in enumerate(row) if type(one) is Form])


def _at(name: str, column: str) -> int:
    return list(tables.METADATA.tables[name].columns.keys()).index(column)


def _with_places(value: Any, places: Mapping[str, str], dates: list[str]) -> Any:
    """A value with places for what differs; one without them as it is."""
    if not isinstance(value, str):
        return value
    words = "|".join(sorted(map(re.escape, places), key=len, reverse=True))
    alone = rf"(?<![0-9A-Za-z])(?:(?P<word>{words})(?![0-9A-Za-z])|(?P<date>20\d\d-\d\d-\d\d)(?=T))"

    def place(found: re.Match[str]) -> str:
        if found["word"]:
            return f"%({places[found['word']]})s"
        if found["date"] not in dates:
            dates.append(found["date"])
        return f"%(date{dates.index(found['date'])})s"

    text, changed = re.subn(alone, place, value.replace("%", "%%"))
    return Form(text) if changed else value


# --- the copies ----------------------------------------------------------------------------------


class Copies:
    """The rows of so many matches, a part of them at a time."""

    def __init__(self, count: int) -> None:
        """Nothing is made yet."""
        self.count = count
        self._running, self._ended = samples()
        ended = sum(not is_running(number, count) for number in range(count))
        self._pool = max(2, 2 * (ended // MATCHES_EACH)) if ended else 0
        self._numbers = {name: counted(1) for name in COUNTED}
        self.events = 0
        """How many have been made: the position of the last of them."""

    def people(self) -> Iterator[Mapping[str, Sequence[Row]]]:
        """The rows of players whose matches have ended."""
        for number in range(self._pool):
            yield self._of(
                self._ended[0].player, {"first": f"e{number}", **_days(self._ended[0], 0)}
            )

    def matches(self, numbers: Iterable[int]) -> Iterator[Rows]:
        """All rows of each of these."""
        for number in numbers:
            if is_running(number, self.count):
                nth = number if self.count <= ONE_RUNS_OF else number // ONE_RUNS_OF
                sample = self._running[nth % len(self._running)]
                players, ago = (f"r{number}a", f"r{number}b"), 0
            else:
                sample = self._ended[number % len(self._ended)]
                first = 2 * number % self._pool
                players = (f"e{first}", f"e{first + 1}")
                ago = FEWEST_DAYS + MOST_DAYS * (self.count - number) // self.count
            name = name_of(number)
            values = {"match": name, "first": players[0], "second": players[1]}
            values |= {"start": f"start {number}", **_days(sample, ago)}
            values |= {f"key{n}": _digest(key, name, 32) for n, key in enumerate(sample.keys)}
            values |= {
                f"ident{n}": _digest(ident, name, 10) for n, ident in enumerate(sample.idents)
            }
            yield from self._match(sample, values)
            if is_running(number, self.count):
                for player in players:
                    yield self._of(sample.player, {**values, "first": player})

    def _match(self, sample: Sample, values: Mapping[str, str]) -> Iterator[Rows]:
        events = list(self._chain(sample.events, f"match-{values['match']}", values))
        rows = self._of(sample.match, values)
        (stream,) = rows["stream"]
        head = _at("stream", "head_hash")
        yield {**rows, "stream": [(*stream[:head], events[-1][-1], *stream[head + 1 :])]}
        yield {"event": events}

    def _of(self, forms: Forms, values: Mapping[str, str]) -> Rows:
        return {
            name: [self._row(name, one, values) for one in some] for name, some in forms.items()
        }

    def _row(self, name: str, form: RowForm, values: Mapping[str, str]) -> Row:
        row = list(form.row)
        for at, one in form.forms:
            row[at] = one % values
        if name in COUNTED:
            row[0] = next(self._numbers[name])  # the first column of those tables
        return tuple(row)

    def _chain(
        self, forms: Sequence[EventForm], stream: str, values: Mapping[str, str]
    ) -> Iterator[Row]:
        previous = GENESIS
        for version, form in enumerate(forms, 1):
            self.events += 1
            data, meta, at = form.data % values, form.meta % values, form.recorded_at % values
            cause = form.cause % values
            one = RecordedEvent(
                position=self.events,
                stream=stream,
                version=version,
                event_id=event_log.event_id(cause, stream, form.number),
                type=form.type,
                schema=form.schema,
                data=data,
                meta=meta,
                recorded_at=instant_of(at),
                hash="",
            )
            previous = hash_of(previous, one)
            yield (one.position, stream, version, one.event_id, one.type, one.schema, data, meta,
                   at, previous)  # fmt: skip


def _days(sample: Sample, ago: int) -> dict[str, str]:
    return {f"date{n}": f"{day - timedelta(ago)}" for n, day in enumerate(sample.dates)}


def _digest(text: str, name: str, size: int) -> str:
    return blake2b(f"{text} {name}".encode(), digest_size=size).hexdigest()
