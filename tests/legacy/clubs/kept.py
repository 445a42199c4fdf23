"""Clubs that were played to a place once, and are put there wherever a test begins from it.

A letter through the whole service costs a hundred times what it costs to copy a small database, and
most tests begin where many others do: at a match that has just begun. With seeded entropy and a
driven clock, the same letters to the same club make the same club, byte for byte.
"""

from __future__ import annotations

import hashlib
import random
import sqlite3
import zlib
from collections.abc import Callable, Coroutine
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from pbem.legacy.transport import Envelope
from tests.legacy.clubs.club import Clock, Club, Postbox

P = ParamSpec("P")
T = TypeVar("T")
Preparation = Callable[Concatenate[Club, P], Coroutine[Any, Any, T]]


@dataclass(frozen=True, slots=True)
class Place:
    """All that changes while a club is played: what it has stored, sent, drawn, and its time."""

    database: bytes
    time: datetime
    entropy: Any
    sent: tuple[tuple[str, bytes], ...]
    envelopes: tuple[Envelope, ...]
    written: int
    composed: int

    @classmethod
    def of(cls, club: Club, clock: Clock, rng: random.Random) -> Place:
        place, box = club.house.settings.store.database, club.postbox
        with closing(sqlite3.connect(place)) as stored, closing(sqlite3.connect(":memory:")) as mem:
            stored.backup(mem)
            database = mem.serialize()
        return cls(
            zlib.compress(database, 1),  # a tenth: a run of all tests keeps hundreds of them
            clock.time,
            rng.getstate(),
            tuple(box.sent),
            tuple(box.envelopes),
            club.written,
            club.composed,
        )

    def put(self, club: Club, clock: Clock, rng: random.Random) -> None:
        place = club.house.settings.store.database
        with closing(sqlite3.connect(":memory:")) as kept, closing(sqlite3.connect(place)) as into:
            database = bytearray(zlib.decompress(self.database))
            database[18:20] = b"\1\1"  # its journal stands in no file
            kept.deserialize(bytes(database))
            kept.backup(into)
        clock.time = self.time
        rng.setstate(self.entropy)
        club.postbox.sent[:] = self.sent
        club.postbox.envelopes[:] = self.envelopes
        club.written, club.composed = self.written, self.composed

    def digest(self) -> bytes:
        """The same for two clubs only where all that is told and asked goes on alike."""
        seen = (self.time, self.entropy, self.sent, self.written, self.composed)
        return hashlib.sha256(self.database + repr(seen).encode()).digest()


def kept(prepare: Preparation[P, T]) -> Preparation[P, T]:
    """A preparation of a club that is carried out once for each club that it meets.

    What it returns is given to every caller: it must be a value. The club of a caller that has
    another clock, other entropy, a relay that refuses or a database on PostgreSQL is played each
    time. A test that counts
    what is loaded or read on the way has to play its own, too: no match is in memory after a copy.
    """
    places: dict[object, tuple[Place, T]] = {}

    @wraps(prepare)
    async def prepared(club: Club, /, *args: P.args, **kwargs: P.kwargs) -> T:
        clock, rng = club.house.now, getattr(club.house.entropy, "__self__", None)
        told = club.postbox.verdict is not Postbox.verdict
        copied = isinstance(club.house.settings.store.database, Path)
        if not isinstance(clock, Clock) or not isinstance(rng, random.Random) or told or not copied:
            return await prepare(club, *args, **kwargs)
        ours = club.house.settings.model_dump(exclude={"store": {"database"}, "keys": {"file"}})
        here = Place.of(club, clock, rng)
        key = (here.digest(), repr(ours), repr(args), repr(sorted(kwargs.items())))
        if key not in places:
            result = await prepare(club, *args, **kwargs)
            places[key] = Place.of(club, clock, rng), result
        place, result = places[key]
        place.put(club, clock, rng)
        return result

    return prepared
