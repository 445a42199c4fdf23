"""Killed at every step and begun again: no move is lost or played twice, no mail is missing."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import random
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from pbem.legacy.bots.levels import random_move
from pbem.legacy.delivery import mail_writing
from pbem.legacy.mail.addresses import SeatAddress, mint, reply_address
from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId
from pbem.legacy.runners.supervise import Wakes, supervise
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import verify
from pbem.legacy.store.mails import inbox, leases, outbox
from pbem.legacy.store.scopes import ALL, Scope
from pbem.legacy.transaction.installation import find_match, verified
from pbem.legacy.transport import Envelope, Result
from pbem.legacy.transport.maildir import MaildirMailbox, MaildirSender, make_maildir
from pbem.legacy.wiring.correspondent import ReceivedMail
from pbem.legacy.wiring.process import clock
from tests.legacy.clubs.club import ANN, BOB, GAMES, Club, open_club
from tests.legacy.databases import copied
from tests.legacy.engines import on_both

pytestmark = on_both

INVITING = 3
"""Letters until a match has begun."""

PLIES = 3
MANY_PLIES = 7
"""Of a drill, and of the long one (`--slow`)."""

FORK = multiprocessing.get_context("fork")


async def _prepared(folder: Path, plies: int = PLIES) -> tuple[MatchId, tuple[str, ...]]:
    """A running match in a folder, and the letters with its next moves in the incoming Maildir."""
    club = open_club(folder, clock=clock)
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    [name] = [mail.subject[8:13] for mail in club.mails(ANN)[-1:]]
    match = await _match(club, MatchId(name))
    moves = _moves(match, plies)
    for number, (seat, text) in enumerate(moves):
        tag = mint(club.house.keys, SeatAddress(match.id, seat))
        body = f"{text}\n" if number else f"{text}\nsay hello\n"
        letter = club.letter((ANN, BOB)[seat - 1], reply_address(GAMES, tag), body)
        path = make_maildir(folder / "in") / "new" / f"{number:03}.letter"
        path.write_bytes(letter.as_bytes())
        os.utime(path, (number, number))
    club.house.db.close()
    return match.id, tuple(text for _, text in moves)


def _moves(match: Match, plies: int) -> list[tuple[Any, str]]:
    """The next moves of a random game, with the seats that play them."""
    rng, game, position = random.Random(3), match.game, match.course.position
    moves = []
    for _ in range(plies):
        [seat] = game.turn(position).seats  # type: ignore[union-attr]
        move = random_move(game, position, rng.randrange)
        moves.append((seat, game.notation(move)))
        position = game.play(position, move)
    return moves


async def _match(club: Club, name: MatchId) -> Match:
    loaded = await asyncio.wrap_future(club.house.db.read(lambda c: find_match(c, name)))
    assert loaded is not None
    return loaded.match


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail whose writing was killed often (`leases.ENDS_US`) is tried later: soon, here."""
    monkeypatch.setattr(leases, "RETRIES", (timedelta(milliseconds=1),))


# --- the child -----------------------------------------------------------------------------------


class Fuse:
    """Counts the steps of a process, and kills it at one of them."""

    def __init__(self, at: int) -> None:
        self._left = at

    def step(self, _: object = None) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class FusedDatabase(Database):
    """Steps before and after each unit, and after the commit that it is in."""

    fuse = Fuse(0)

    def write(self, unit: Callable[[Connection], Any], scope: Scope = ALL) -> Future[Any]:
        def fused(conn: Connection) -> Any:
            self.fuse.step()
            result = unit(conn)
            self.fuse.step()
            return result

        future = super().write(fused, scope)
        future.add_done_callback(self.fuse.step)
        return future


class Interrupted(Database):
    """Ends the process at each mail, when it has been written and is to be kept."""

    def write(self, unit: Callable[[Connection], Any], scope: Scope = ALL) -> Future[Any]:
        if isinstance(unit, partial) and unit.func is mail_writing._keep:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(unit, scope)


class FusedSender:
    """Steps before a mail is sent, and after it before that is noted."""

    def __init__(self, sender: MaildirSender, fuse: Fuse) -> None:
        self._sender, self._fuse = sender, fuse

    async def send(self, envelope: Envelope) -> Mapping[str, Result]:
        self._fuse.step()
        results = await self._sender.send(envelope)
        self._fuse.step()
        return results


def _child(folder: Path, fuse_at: int, plies: int) -> None:
    asyncio.run(_serve(folder, Fuse(fuse_at), plies))
    os._exit(0)


def _interrupted(folder: Path) -> None:
    asyncio.run(_serve(folder, Fuse(0), PLIES, Interrupted.open))


async def _serve(
    folder: Path,
    fuse: Fuse,
    plies: int,
    database: Callable[[Path | str], Database] | None = None,
) -> None:
    """The service over maildirs, until everything is taken and sent."""
    database = database or partial(_fused, fuse=fuse)
    club = open_club(folder, database=database, clock=clock)
    stop = asyncio.Event()
    mailbox = MaildirMailbox(folder / "in", interval=0.01)
    sender = FusedSender(MaildirSender(folder / "out"), fuse)
    ways = [("maildir", "in", mailbox)]
    running = asyncio.create_task(supervise(club.house, ways, sender, stop, Wakes()))
    is_done = partial(_is_done, letters=plies + INVITING)
    while not await asyncio.wrap_future(club.house.db.read(is_done)):  # noqa: ASYNC110 - another thread's
        await asyncio.sleep(0.005)
    stop.set()
    await running
    club.house.db.close()


def _fused(path: Path | str, *, fuse: Fuse) -> Database:
    database = FusedDatabase.open(path)
    assert isinstance(database, FusedDatabase)
    database.fuse = fuse
    return database


def _is_done(conn: Connection, letters: int) -> bool:
    states = inbox.counts(conn)
    mails = outbox.counts(conn)
    taken = states.get("done", 0) + states.get("refused", 0) == letters
    return taken and not {"new", "leased", "failed"} & set(mails)


# --- the parent ----------------------------------------------------------------------------------


def _run(folder: Path, fuse_at: int, plies: int = PLIES) -> int | None:
    child = FORK.Process(target=_child, args=(folder, fuse_at, plies))
    child.start()
    child.join(120)
    if child.is_alive():
        child.kill()
        child.join()
        pytest.fail(f"the service hangs after a kill at step {fuse_at}")
    return child.exitcode


def _is_right(folder: Path, name: MatchId, moves: tuple[str, ...]) -> None:
    club = open_club(folder)
    with contextlib.closing(club.house.db) as db:
        match = db.read(lambda conn: find_match(conn, name)).result()
        found, _ = db.read(lambda conn: verified(conn, name)).result()
        broken = db.read(lambda conn: list(verify.verify(conn))).result()
        states = db.read(outbox.counts).result()
    assert match is not None
    assert match.match.status is Status.RUNNING
    assert [text for _, _, text, _ in match.match.chance.made] == list(moves)
    assert found.findings == ()
    assert broken == []
    assert set(states) <= {"sent", "superseded"}
    _mails_are_right(folder, states["sent"])


def _mails_are_right(folder: Path, sent: int) -> None:
    """Every mail is there; one that is there twice is the same bytes under one Message-ID."""
    raw = [path.read_bytes() for path in sorted((folder / "out").rglob("new/*"))]
    by_id: dict[str, set[bytes]] = {}
    for data in raw:
        by_id.setdefault(ReceivedMail.read(data).message_id, set()).add(data)
    assert all(len(copies) == 1 for copies in by_id.values())
    assert len(by_id) == sent - SENT_BEFORE
    kinds = Counter(ReceivedMail.read(data).to for data in raw)
    assert len(kinds) == 2


def _made(tmp_path: Path, plies: int = PLIES) -> tuple[Path, MatchId, tuple[str, ...]]:
    """A folder with work to do, after it was once done here, in a copy, to its end.

    Each child inherits the templates that were compiled for that, and need not compile its own.
    """
    prepared, done = tmp_path / "prepared", tmp_path / "done"
    prepared.mkdir()
    name, moves = asyncio.run(_prepared(prepared, plies))
    copied(prepared, done)
    asyncio.run(_serve(done, Fuse(0), plies))
    _is_right(done, name, moves)
    return prepared, name, moves


KILLS = 6

SENT_BEFORE = 5
"""Mails of the preparation: they went to another postbox."""


STRIDE = {"sqlite": 13, "postgresql": 29}
"""A unit has three steps and a mail two: each thirteenth, or twenty-ninth, comes to every
kind of them in turn."""


def test_a_kill_at_every_step_loses_nothing(tmp_path: Path, engine: str) -> None:
    plies, stride = PLIES, STRIDE[engine]
    prepared, name, moves = _made(tmp_path, plies)
    step, code = 0, None
    while code != 0:  # a fuse that is longer than the work: no step is left to kill at
        step += stride
        folder = tmp_path / str(step)
        copied(prepared, folder)
        code = _run(folder, step, plies)
        if code != 0:
            assert code == -signal.SIGKILL
            assert _run(folder, 0, plies) == 0
        _is_right(folder, name, moves)
        shutil.rmtree(folder)
    assert step > 3 * plies


def test_kills_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    prepared, name, moves = _made(tmp_path)
    rng, killed, round_ = random.Random(11), 0, 0
    while killed < KILLS:  # a quick machine may be done before it is killed: then once more
        round_ += 1
        folder = tmp_path / str(round_)
        copied(prepared, folder)
        longest = 0.4 / round_
        for _ in range(KILLS):
            child = FORK.Process(target=_child, args=(folder, 0, PLIES))
            child.start()
            child.join(rng.uniform(0, longest))
            if not child.is_alive():
                break
            child.kill()
            child.join()
            killed += 1
        assert _run(folder, 0) == 0
        _is_right(folder, name, moves)


def test_kills_whenever_mails_are_written_leave_no_match_standing(tmp_path: Path) -> None:
    prepared, name, moves = _made(tmp_path)
    for _ in range(leases.ENDS_US + 3):
        child = FORK.Process(target=_interrupted, args=(prepared,))
        child.start()
        child.join(120)
        assert child.exitcode == -signal.SIGKILL
    assert _run(prepared, 0) == 0
    _is_right(prepared, name, moves)
