"""Several processes work on one database: killed again and again, they lose and double nothing."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import random
import time
from collections import Counter
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.bots.levels import random_move
from pbem.errors import ConfigError
from pbem.mail.addresses import SeatAddress, mint, reply_address
from pbem.matches.match import Match, Status
from pbem.names import PlayerId
from pbem.runners.crew import ROLES, Crew, Role
from pbem.runners.supervise import Wakes, supervise
from pbem.store import identity, runner_state, tables, views
from pbem.store.database import Database
from pbem.store.identity import Presence, living, nobody_there
from pbem.store.log import verify
from pbem.store.mails import claims, inbox, leases, outbox
from pbem.store.mails.inbox import Received
from pbem.transaction.installation import find_match, verified
from pbem.transport.maildir import MaildirMailbox, MaildirSender, make_maildir
from pbem.wiring.correspondent import ReceivedMail
from pbem.wiring.process import clock
from tests.clubs.club import ANN, BOB, GAMES, Club, open_club

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["postgresql"], indirect=True),
]

FORK = multiprocessing.get_context("fork")

MATCHES, PLIES = 3, 4
MANY_MATCHES, MANY_PLIES = 9, 12
WORKERS = 3
HOUR = timedelta(hours=1)
KILLS, MANY_KILLS = 6, 100
"""Of a drill, and of the long one (`--slow`)."""


async def _prepared(folder: Path, matches: int, plies: int) -> dict[str, list[str]]:
    """Running matches in a folder, and all their next moves in the incoming Maildir, mixed."""
    club = open_club(folder, clock=clock)
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    for _ in range(matches - 1):
        await club.answer(ANN, f"new logger with {BOB} seat_order=given")
        await club.answer(BOB, "accept")
    names = club.house.db.read(partial(views.match_ids, statuses=["running"])).result()
    played: dict[str, list[str]] = {}
    letters: list[tuple[int, int, bytes]] = []
    for of, name in enumerate(names):
        loaded = club.house.db.read(partial(find_match, match=name)).result()
        assert loaded is not None
        moves = _moves(loaded.match, plies, of)
        played[name] = [text for _, text in moves]
        for ply, (seat, text) in enumerate(moves):
            to = reply_address(GAMES, mint(club.house.keys, SeatAddress(name, seat)))
            letters.append((ply, of, club.letter((ANN, BOB)[seat - 1], to, text).as_bytes()))
    incoming = make_maildir(folder / "in") / "new"
    for number, (_, _, raw) in enumerate(sorted(letters)):
        path = incoming / f"{number:05}.letter"
        path.write_bytes(raw)
        os.utime(path, (number, number))
    club.house.db.close()
    return played


def _moves(match: Match, plies: int, seed: int) -> list[tuple[Any, str]]:
    rng, game, position = random.Random(seed), match.game, match.course.position
    moves = []
    for _ in range(plies):
        [seat] = game.turn(position).seats  # type: ignore[union-attr]
        move = random_move(game, position, rng.randrange)
        moves.append((seat, game.notation(move)))
        position = game.play(position, move)
    return moves


# --- a worker ------------------------------------------------------------------------------------


def _work(folder: Path, worker: int, roles: Sequence[Role]) -> None:
    asyncio.run(_serve(folder, worker, roles))
    os._exit(0)


async def _serve(folder: Path, worker: int, roles: Sequence[Role]) -> None:
    club = open_club(folder, clock=clock, worker=worker)
    url = str(club.house.settings.store.database)
    mailbox = MaildirMailbox(folder / "in", interval=0.01)
    with contextlib.closing(Presence(url, worker)) as here:
        await supervise(
            club.house,
            [("maildir", "in", mailbox)] if "receive" in roles else [],
            MaildirSender(folder / "out"),
            asyncio.Event(),
            Wakes(),
            crew=Crew(club.house, here),
            roles=roles,
        )


class Workers:
    """Processes that are begun again when they have been killed."""

    def __init__(self, folder: Path, roles: Sequence[Sequence[Role]]) -> None:
        self._folder, self._numbers = folder, 0
        self._running = [(of, self._begun(of)) for of in roles]

    def _begun(self, roles: Sequence[Role]) -> multiprocessing.process.BaseProcess:
        self._numbers += 1
        process = FORK.Process(target=_work, args=(self._folder, self._numbers, roles))
        process.start()
        return process

    def kill_one(self, rng: random.Random) -> None:
        chosen = rng.randrange(len(self._running))
        roles, process = self._running[chosen]
        process.kill()
        process.join()
        self._running[chosen] = roles, self._begun(roles)

    def end(self) -> None:
        for _, process in self._running:
            process.kill()
            process.join()


def _drill(folder: Path, roles: Sequence[Sequence[Role]], kills: int, letters: int) -> None:
    workers, rng = Workers(folder, roles), random.Random(5)
    club = open_club(folder)
    try:
        until = time.monotonic() + 60 + 5 * kills
        while kills or not club.house.db.read(partial(_is_done, letters=letters)).result():
            assert time.monotonic() < until, "the workers hang"
            time.sleep(rng.uniform(0.05, 0.4))
            if kills:
                workers.kill_one(rng)
                kills -= 1
    finally:
        workers.end()
        club.house.db.close()


def _is_done(conn: Connection, *, letters: int) -> bool:
    states, mails = inbox.counts(conn), outbox.counts(conn)
    taken = states.get("done", 0) + states.get("refused", 0) == letters
    return taken and not {"new", "leased", "failed"} & set(mails)


def _is_right(folder: Path, played: dict[str, list[str]], before: int) -> None:
    club = open_club(folder)
    with contextlib.closing(club.house.db) as db:
        for name in views_of(club):
            match = db.read(partial(find_match, match=name)).result()
            found, _ = db.read(partial(verified, match=name)).result()
            assert match is not None
            assert match.match.status is Status.RUNNING
            assert [text for _, _, text, _ in match.match.chance.made] == played[name]
            assert found.findings == ()
        assert db.read(lambda conn: list(verify.verify(conn))).result() == []
        states = db.read(outbox.counts).result()
    assert set(states) <= {"sent", "superseded"}
    by_id: dict[str, set[bytes]] = {}
    for path in (folder / "out").rglob("new/*"):
        data = path.read_bytes()
        by_id.setdefault(ReceivedMail.read(data).message_id, set()).add(data)
    assert all(len(copies) == 1 for copies in by_id.values())
    assert len(by_id) == states["sent"] - before


def views_of(club: Club) -> list[Any]:
    return club.house.db.read(partial(views.match_ids, statuses=["running"])).result()


@pytest.mark.parametrize(
    "roles",
    [[ROLES] * WORKERS, [("receive", "timers"), ("letters",), ("letters",), ("send", "bots")]],
    ids=["all", "apart"],
)
def test_workers_that_are_killed_lose_and_double_nothing(
    tmp_path: Path, roles: Sequence[Sequence[Role]], pytestconfig: pytest.Config
) -> None:
    whole = pytestconfig.getoption("--slow")
    kills = MANY_KILLS if whole else KILLS
    matches, plies = (MANY_MATCHES, MANY_PLIES) if whole else (MATCHES, PLIES)
    played = asyncio.run(_prepared(tmp_path, matches, plies))
    assert len(played) == matches
    club = open_club(tmp_path)
    with contextlib.closing(club.house.db) as db:
        letters = sum(db.read(inbox.counts).result().values())
        sent = db.read(outbox.counts).result()["sent"]
    _drill(tmp_path, roles, kills, letters + len(played) * plies)
    _is_right(tmp_path, played, sent)


# --- who has what --------------------------------------------------------------------------------


def _letter(number: int, lane: str | None) -> Received:
    return Received(str(number), "a", "INBOX", 1, number, b"x", lane=lane)


def test_letters_of_a_match_go_to_one_worker_in_their_order(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    with contextlib.closing(club.house.db) as db:
        lanes = ["A", "B", "A", None, "B", "C"]
        letters = [_letter(number, lane) for number, lane in enumerate(lanes)]
        db.write(lambda conn: inbox.receive(conn, letters, None, club.clock())).result()

        def claimed(worker: int, most: int = 50) -> list[int]:
            rows = db.write(lambda conn: inbox.claim(conn, most, worker)).result()
            return [int(row.key) for row in rows]

        assert claimed(1, 2) == [0, 1]
        assert claimed(2) == [3, 5]  # what comes after those of the first must wait for it
        assert claimed(1) == [0, 1, 2, 4]
        settle = partial(inbox.settle, key="0", state="done", disposition="done")
        db.write(settle).result()
        db.write(lambda conn: inbox.put_off(conn, "2", PlayerId("ann"))).result()
        assert db.read(_lanes).result() == [None, "B", "A", None, "B", "C"]
        db.write(lambda conn: inbox.let_go(conn, PlayerId("ann"))).result()
        db.write(lambda conn: claims.let_go_of(conn, [1])).result()
        assert claimed(2) == [1, 2, 3, 4, 5]


def _lanes(conn: Connection) -> list[str | None]:
    """Of all letters; one that is settled says no more to whom it was sent."""
    lanes = select(tables.inbox.c.lane).order_by(tables.inbox.c.number)
    return list(conn.execute(lanes).scalars())


async def test_what_a_worker_has_is_others_when_it_is_gone(tmp_path: Path) -> None:
    club = open_club(tmp_path, worker=7)
    url = str(club.house.settings.store.database)
    with (
        contextlib.closing(club.house.db) as db,
        contextlib.closing(Presence(url, 7)) as here,
        contextlib.closing(Presence(url, 9)) as other,
    ):
        await club.write(ANN, "hello")
        [mail] = db.read(outbox.listed).result()
        db.write(lambda conn: outbox.resend(conn, mail.id)).result()
        lease = partial(leases.lease, now=club.clock(), limit=9, lease_for=HOUR, worker=9)
        db.write(lease).result()
        db.write(lambda conn: inbox.receive(conn, [_letter(1, None)], None, club.clock())).result()
        db.write(lambda conn: inbox.claim(conn, 9, 9)).result()
        db.write(lambda conn: runner_state.note(conn, "letters @9", club.clock(), "")).result()
        other.renew()
        crew = Crew(club.house, here)
        await crew.renew()
        looking = asyncio.create_task(crew.look_around())
        await asyncio.sleep(0.2)
        assert db.read(living).result() == {7, 9}
        assert db.read(outbox.counts).result() == {"leased": 1}
        other.close()
        async with asyncio.timeout(120):
            while db.read(outbox.counts).result() != {"new": 1}:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
        assert db.read(claims.workers).result() == frozenset()
        assert [one.runner for one in db.read(runner_state.states).result()] == []
        looking.cancel()


async def test_one_worker_at_a_time_reads_a_mailbox(tmp_path: Path) -> None:
    club = open_club(tmp_path, worker=1)
    url = str(club.house.settings.store.database)
    at_work: Counter[str] = Counter()

    async def read(name: str) -> None:
        at_work[name] += 1
        try:
            await asyncio.Event().wait()
        finally:
            at_work[name] -= 1

    with contextlib.closing(club.house.db):
        places = [Presence(url, number) for number in (1, 2)]
        crews = [Crew(club.house, here) for here in places]
        tasks = [
            [
                asyncio.create_task(crew.alone("mailbox", partial(read, name))),
                asyncio.create_task(crew.look_around()),
            ]
            for crew, name in zip(crews, "ab", strict=True)
        ]
        async with asyncio.timeout(120):
            while not at_work:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
        [first] = at_work
        number = "ab".index(first)
        for task in tasks[number]:
            task.cancel()
        places[number].close()
        other = "ba"[number]
        async with asyncio.timeout(120):
            while not at_work[other]:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
        assert at_work == {first: 0, other: 1}
        for task in tasks[1 - number]:
            task.cancel()
        await asyncio.gather(*tasks[0], *tasks[1], return_exceptions=True)
        places[1 - number].close()


def test_nobody_changes_the_tables_while_somebody_is_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "A_MOMENT", 0.2)
    club = open_club(tmp_path)
    url = str(club.house.settings.store.database)
    with (
        contextlib.closing(club.house.db),
        pytest.raises(ConfigError, match="is at work"),
        nobody_there(url),
    ):
        pass
    with nobody_there(url), pytest.raises(ConfigError, match="wait for its end"):
        Database.open(url)
    Database.open(url).close()
