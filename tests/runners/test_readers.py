"""Letters are read in processes of their own, by the facts as they are when they are taken."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from pbem.config import AddressKeys, Settings, write_keys
from pbem.config.settings import Store
from pbem.intake.intent import Intent
from pbem.mail.letter import UnreadableLetter
from pbem.runners.readers import LetterReader, ProcessReader, ReadersBroken, ThreadReader
from pbem.runners.receive import ATTEMPTS, READINGS, store_letter, take_waiting
from pbem.store.database import NoAnswer
from pbem.store.mails import inbox
from pbem.store.mails.inbox import InboxRow
from pbem.transport import Fetched, apart
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.hostile import at_play, ply, raw, to_of
from tests.runners import broken_process, reading_processes
from tests.runners.broken_process import Lost


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    keys = one.house.keys
    write_keys(one.house.settings.keys.file, AddressKeys(keys.current, keys.secrets))
    yield one
    one.house.db.close()


def processes(
    club: Club,
    start: Callable[..., None],
    *arguments: Settings | str,
    seconds: float = 60,
) -> ProcessReader:
    return ProcessReader(
        1,
        start=start,
        arguments=arguments,
        work=reading_processes.work,
        now=club.house.now,
        seconds=seconds,
    )


@pytest.fixture
def reader(club: Club) -> Iterator[ProcessReader]:
    one = processes(club, reading_processes.start, club.house.settings)
    yield one
    one.close()


async def arrive(club: Club, *letters: bytes) -> None:
    """Letters are stored and wait to be taken."""
    for letter in letters:
        club.written += 1
        await store_letter(Fetched("test", "INBOX", 1, club.written, letter), club.house)


async def waiting(club: Club) -> list[InboxRow]:
    """The letters that wait, claimed, so that a test can read them itself."""
    return await asyncio.wrap_future(club.house.db.write(lambda conn: inbox.claim(conn, 50)))


async def new(club: Club) -> list[InboxRow]:
    """The letters that wait, which nobody else claims meanwhile."""

    def rows(conn: Connection) -> list[InboxRow]:
        keys = [line.key for line in inbox.listed(conn, state="new")]
        return [row for key in keys if (row := inbox.letter(conn, key)) is not None]

    return await asyncio.wrap_future(club.house.db.read(rows))


async def dispositions(club: Club) -> list[tuple[str, str | None]]:
    lines = await asyncio.wrap_future(club.house.db.read(inbox.listed))
    return [(line.state, line.code) for line in reversed(lines)]


# --- another process ------------------------------------------------------------------------------


async def test_a_process_understands_what_a_thread_does(club: Club, reader: ProcessReader) -> None:
    await at_play(club)
    mine = to_of(club.last(ANN))
    await arrive(
        club,
        raw(ANN, mine, "e1"),
        raw(ANN, mine, "let me see, e1 or e2?"),
        raw(ANN, mine, "x9 plant"),
        raw(ANN, mine, "try e1\nremnid 5h\nsay Hello"),
        raw(BOB, to_of(club.last(BOB)), "yes"),
        raw("eve@example.com", club.house.settings.site.address, "hallo, ich bin neu"),
    )
    for row in await waiting(club):
        assert await reader.read(row) == await ThreadReader(club.house).read(row)


async def test_what_cannot_be_read_says_so_from_another_process(
    club: Club, reader: ProcessReader
) -> None:
    await arrive(club, b"From: a@example.org\r\n" + b"X: y\r\n" * 1000 + b"\r\n")
    (row,) = await waiting(club)
    with pytest.raises(UnreadableLetter):
        await reader.read(row)


@pytest.mark.parametrize("words", ["e1 for ever", "e1 the end"])
async def test_a_letter_that_takes_its_process_down_is_set_aside_alone(
    club: Club, words: str
) -> None:
    match = await at_play(club)
    mails = len(club.mails(ANN))
    reader = processes(club, reading_processes.start, club.house.settings)
    try:
        await reader.probe()
        reader._seconds = 3 if "ever" in words else 60
        poison = raw(ANN, to_of(club.last(ANN)), words)
        await arrive(club, poison, raw(BOB, to_of(club.last(BOB)), "say Hello"))
        with capture_logs() as log:
            await take_waiting(club.house, reader)
    finally:
        reader.close()
    ended = [line["mail"] for line in log if line["event"] == "reader_ended" and line["mail"]]
    assert len(ended) == ATTEMPTS, ended
    assert len(set(ended)) == 1
    assert [line["event"] for line in log].count("letter_shunted") == 1
    assert (await dispositions(club))[-2:] == [("shunted", None), ("done", None)]
    assert await ply(club, match) == 0
    await club.work()
    told = [mail.text for mail in club.mails(ANN)[mails:]]
    assert sum("It could not be read" in text for text in told) == 1
    assert sum("Hello" in text for text in told) == 1


async def test_processes_that_cannot_start_are_no_letters_fault(club: Club) -> None:
    match = await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"))
    reader = processes(club, broken_process.cannot_start)
    try:
        for _ in range(ATTEMPTS + 1):
            with pytest.raises(ReadersBroken):
                await take_waiting(club.house, reader)
    finally:
        reader.close()
    await club.work()
    assert await ply(club, match) == 1


@pytest.fixture
def silent() -> Iterator[str]:
    """A PostgreSQL that takes every connection and never says a word, as one that hangs."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as server:
        yield f"postgresql://pbem@127.0.0.1:{server.getsockname()[1]}/pbem"


async def test_a_database_that_hangs_is_no_letters_fault(club: Club, silent: str) -> None:
    match = await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"))
    settings = club.house.settings
    hung = settings.model_copy(update={"store": Store(database=silent)})
    reader = processes(club, reading_processes.start, hung, seconds=20)
    try:
        for _ in range(2):
            with pytest.raises(NoAnswer):
                await take_waiting(club.house, reader)
    finally:
        reader.close()
    assert (await dispositions(club))[-1] == ("new", None)
    await club.work()
    assert await ply(club, match) == 1


async def test_a_database_that_hangs_during_a_reading_is_no_letters_fault(
    club: Club, silent: str
) -> None:
    match = await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"))
    reader = processes(
        club, reading_processes.start_and_hang, club.house.settings, silent, seconds=0.5
    )
    try:
        with pytest.raises(NoAnswer):
            await take_waiting(club.house, reader)
    finally:
        reader.close()
    await club.work()
    assert await ply(club, match) == 1


async def test_the_operator_hears_of_the_processes_and_their_memory(
    reader: ProcessReader,
) -> None:
    assert reader.describe() == "1 process"
    await reader.probe()
    count, memory = reader.describe().split(", at most ")
    assert count == "1 process"
    assert 10 < int(memory.removesuffix(" MiB")) < 1000


async def test_a_process_is_not_taken_for_as_large_as_who_started_it(club: Club) -> None:
    large = bytearray(b"x") * 300_000_000
    reader = processes(club, reading_processes.start, club.house.settings, seconds=20)
    try:
        await reader.probe()
        memory = reader.describe().split(", at most ")[1]
        assert int(memory.removesuffix(" MiB")) < len(large) >> 20
    finally:
        reader.close()


async def test_a_process_that_was_killed_while_it_waited_is_started_again(
    club: Club, reader: ProcessReader
) -> None:
    match = await at_play(club)
    await reader.probe()
    (pid,) = reader._peaks
    os.kill(pid, signal.SIGKILL)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"))
    await take_waiting(club.house, reader)
    assert await ply(club, match) == 1
    assert pid not in reader._peaks


async def test_a_letter_that_is_lost_with_the_processes_is_read_by_others(
    club: Club, reader: ProcessReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "LOOKED_EVERY", 0.01)
    match = await at_play(club)
    reader.close()
    reader._pool = Lost()  # type: ignore[assignment]
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"))
    async with asyncio.timeout(60):
        await take_waiting(club.house, reader)
    assert await ply(club, match) == 1


# --- what was read by is not so any more ---------------------------------------------------------


@dataclass
class Meddled:
    """Something happens between the reading of a letter and its taking."""

    reader: LetterReader
    meddle: Callable[[int], None]
    read_letters: list[str] = field(default_factory=list)

    async def read(self, row: InboxRow) -> Intent:
        intent = await self.reader.read(row)
        self.read_letters.append(row.key)
        self.meddle(len(self.read_letters))
        return intent

    def describe(self) -> str:
        return "meddled"


async def test_a_letter_whose_match_has_moved_on_is_read_again(club: Club) -> None:
    match = await at_play(club)
    # Both were read before any was taken: Bob's move is none on the board that it was read on.
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"), raw(BOB, to_of(club.last(BOB)), "a5"))
    reader = Meddled(ThreadReader(club.house), lambda _: None)
    with capture_logs() as log:
        await take_waiting(club.house, reader)
    assert [line["event"] for line in log].count("conflict") == 1
    assert len(reader.read_letters) == 3
    assert await ply(club, match) == 2


async def test_letters_about_one_match_are_taken_in_the_order_of_receipt(club: Club) -> None:
    match = await at_play(club)
    mine, his = to_of(club.last(ANN)), to_of(club.last(BOB))
    words = [f"say number {n}" for n in range(6)]
    await arrive(
        club, raw(ANN, mine, "e1"), raw(BOB, his, "a5"), *(raw(BOB, his, w) for w in words)
    )
    await club.work()
    assert await ply(club, match) == 2
    said = "\n".join(mail.text for mail in club.mails(ANN))
    places = [said.index(f"number {n}") for n in range(6)]
    assert places == sorted(places)


async def test_a_letter_whose_match_never_stands_still_is_set_aside(club: Club) -> None:
    await at_play(club)
    his = to_of(club.last(BOB))
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "board"))

    async def talk(number: int) -> None:
        await arrive(club, raw(BOB, his, f"say {number}"))

    class Restless(ThreadReader):
        async def read(self, row: InboxRow) -> Intent:
            intent = await super().read(row)
            if b"board" in row.raw:
                numbers.append(len(numbers))
                await talk(len(numbers))
                for other in await new(club):
                    if other.key != row.key:
                        await take_one(club, other)
            return intent

    numbers: list[int] = []
    await take_waiting(club.house, Restless(club.house))
    assert len(numbers) == 1 + READINGS
    assert ("shunted", None) in await dispositions(club)
    await club.work()
    assert "It could not be read" in club.last(ANN).text


async def take_one(club: Club, row: InboxRow) -> None:
    """Take a letter that was claimed by somebody else."""
    from pbem.intake.take_letter import take

    intent = await ThreadReader(club.house).read(row)
    await asyncio.wrap_future(club.house.db.write(lambda conn: take(conn, club.house, row, intent)))
