"""The store: appends, whole turns and loads a second, beside what the disk alone can do.

A whole turn is what one played move writes: its letter settled, one event with its stream and
position, two mails queued and one prompt superseded, the match's row.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection

from pbem.fairness import LINKS, Draws
from pbem.games.chance import Dice, Draw
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.events import MovePlayed
from pbem.legacy.store import views
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import event_log, verify
from pbem.legacy.store.mails import inbox, outbox, waiting_mails
from pbem.legacy.store.mails.inbox import Received
from pbem.legacy.store.mails.outbox import QueuedMail
from pbem.legacy.store.schema import migrate
from pbem.legacy.store.views import MatchRow
from pbem.names import MatchId, PlayerId

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ANN, BOB = PlayerId("ann"), PlayerId("bob")
COUNT = 1_000

Unit = Callable[[Connection], object]


def append(conn: Connection, stream: str, version: int) -> None:
    """One move to a stream."""
    event_log.append(
        conn,
        stream,
        category="match",
        expected=version,
        events=[
            MovePlayed(
                seat=Seat(1), ply=Ply(version + 1), notation="c1 plant c2", typed="c1 plant c2"
            )
        ],
        cause=f"letter-{stream}-{version}",
        actor=ANN,
        ruleset="logger-1",
        now=NOW,
    )


def turn(conn: Connection, match: MatchId, version: int) -> None:
    """All that a played move writes."""
    stream, key = f"match-{match}", f"letter-{match}-{version}"
    inbox.settle(conn, key, state="done", disposition="done", stream=stream, to_version=version)
    mails = [
        QueuedMail(
            key=f"{key}:{player}",
            message_id=f"<{key}.{player}@example.org>",
            recipient=player,
            kind=kind,
            notices='[{"notice":"TurnPrompt","match":"K7QX2","seat":1,"ply":12}]',
            stream=stream,
            version=version + 1,
        )
        for player, kind in ((ANN, "news"), (BOB, "prompt"))
    ]
    waiting_mails.take_up(conn, waiting_mails.unsent(conn, stream))
    outbox.queue(conn, mails, NOW)
    row = MatchRow(match, "logger-1", "running", (ANN, BOB), (BOB,), version, version + 1, NOW, NOW)
    views.put_match(conn, row)
    append(conn, stream, version)


def alone(db: Database, units: list[Unit]) -> float:
    """Seconds a unit where each waits for the commit of the one before it."""
    start = time.perf_counter()
    for unit in units:
        db.write(unit).result()
    return (time.perf_counter() - start) / len(units)


def together(db: Database, units: list[Unit]) -> float:
    """Seconds a unit where all are submitted at once."""
    start = time.perf_counter()
    futures: list[Future[object]] = [db.write(unit) for unit in units]
    wait(futures)
    spent = time.perf_counter() - start
    for future in futures:
        future.result()
    return spent / len(units)


def flushes(folder: Path) -> float:
    """Seconds a write of one page with a flush to the disk: nothing durable is faster alone."""
    with (folder / "flushes").open("wb", buffering=0) as file:
        start = time.perf_counter()
        for _ in range(COUNT):
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
        return (time.perf_counter() - start) / COUNT


def letters(db: Database, *matches: MatchId) -> list[Unit]:
    """A turn for each of the matches' letters, which are received here."""
    received = [
        Received(f"letter-{match}-{version}", "club", "INBOX", 1, version, bytes(3_000))
        for match in matches
        for version in range(COUNT // len(matches))
    ]
    db.write(lambda conn: inbox.receive(conn, received, None, NOW)).result()
    return [
        partial(turn, match=match, version=version)
        for version in range(COUNT // len(matches))
        for match in matches
    ]


def draws() -> tuple[float, float]:
    """Seconds for the first draw of a turn, and for each one after it."""
    request = Draw("dice", (Dice(2, 6),))
    chain = Draws(MatchId("K7QX2"), bytes(32), LINKS)
    start = time.perf_counter()
    _, rest = chain.draw(request, "")
    first = time.perf_counter() - start
    start = time.perf_counter()
    for _ in range(40):
        _, rest = rest.draw(request, "")
    return first, (time.perf_counter() - start) / 40


def _say(what: str, seconds: float) -> None:
    print(f"{what:<44} {seconds * 1e3:8.3f} ms {1 / seconds:10,.0f} a second")


def main() -> None:
    """Print the figures."""
    with TemporaryDirectory(dir=Path.cwd()) as name:
        folder = Path(name)
        migrate(folder / "pbem.db")
        _say("a page written and flushed", flushes(folder))
        with closing(Database.open(folder / "pbem.db")) as db:
            _measure(db)


def _measure(db: Database) -> None:
    many = [MatchId(f"M{number}") for number in range(100)]
    moves = [partial(append, stream="match-A", version=number) for number in range(COUNT)]
    _say("append, one after another", alone(db, list(moves)))
    moves = [partial(append, stream=f"match-B{number}", version=0) for number in range(COUNT)]
    _say("append, all at once", together(db, list(moves)))
    _say("whole turn, one after another", alone(db, letters(db, MatchId("C"))))
    _say("whole turn, all at once", together(db, letters(db, *many)))
    start = time.perf_counter()
    loads = [
        db.read(partial(event_log.load, stream="match-A", after=COUNT - 200)).result()
        for _ in range(20)
    ]
    loaded = loads[-1]
    _say(f"load {len(loaded)} events", (time.perf_counter() - start) / len(loads))
    start = time.perf_counter()
    event_log.match_events_of(loaded)
    _say(f"decode {len(loaded)} events", time.perf_counter() - start)
    start = time.perf_counter()
    found = db.read(lambda conn: list(verify.verify(conn, "match-A"))).result()
    _say(f"verify {COUNT} events ({len(found)} findings)", time.perf_counter() - start)
    first, more = draws()
    _say("the first draw of a turn", first)
    _say("every other draw of it", more)


if __name__ == "__main__":
    main()
