"""A letter is taken once, by whoever has it; what ends the process is set aside, and it alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from pbem.intake.intent import Intent
from pbem.mail.letter import head_of
from pbem.runners.readers import ReadersBroken, ReadingFailed, ThreadReader
from pbem.runners.receive import ATTEMPTS, BEGUN_OFTEN, ENDINGS, store_letter, take_waiting
from pbem.store import tables
from pbem.store.mails import claims, inbox, outbox
from pbem.store.mails.inbox import InboxLine, InboxRow
from pbem.transaction.installation import MatchCache
from pbem.transport import Fetched
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.hostile import at_play, ply, raw, to_of
from tests.engines import on_both

pytestmark = on_both


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def arrive(club: Club, *letters: bytes) -> None:
    """Letters are stored and wait to be taken."""
    for letter in letters:
        club.written += 1
        await store_letter(Fetched("test", "INBOX", 1, club.written, letter), club.house)


async def claimed(club: Club, worker: int | None = None) -> list[InboxRow]:
    """The letters that wait, as a process claims them."""
    claim = partial(inbox.claim, limit=50, worker=worker)
    return await asyncio.wrap_future(club.house.db.write(claim))


async def lines(club: Club) -> list[InboxLine]:
    """All letters, the first first."""
    return (await asyncio.wrap_future(club.house.db.read(inbox.listed)))[::-1]


async def begun(club: Club, attempts: int, letter: int = -1) -> None:
    """A letter has been begun so often, and nobody has told how it ended."""
    key = (await lines(club))[letter].key
    often = update(tables.inbox).where(tables.inbox.c.mail_key == key).values(attempts=attempts)
    await asyncio.wrap_future(club.house.db.write(lambda conn: conn.execute(often)))


@dataclass
class Reader:
    """Reads letters, and lets something happen before it reads one, or behind it."""

    club: Club
    before: Callable[[InboxRow], None] = lambda _: None
    behind: Callable[[], Awaitable[None]] | None = None
    tries: list[tuple[bytes, int]] = field(default_factory=list)

    async def read(self, row: InboxRow) -> Intent:
        """What the letter says."""
        if len(row.raw) > len(head_of(row.raw)):
            self.tries.append((row.raw.strip().rpartition(b"\n")[2], row.attempts))
        self.before(row)
        intent = await ThreadReader(self.club.house).read(row)
        if self.behind is not None:
            behind, self.behind = self.behind, None
            await behind()
        return intent

    def describe(self) -> str:
        """Nothing to say."""
        return ""


# --- taken by another process ---------------------------------------------------------------------


async def owed(club: Club) -> int:
    """How many mails have been owed so far."""
    return len(await asyncio.wrap_future(club.house.db.read(outbox.listed)))


@pytest.mark.parametrize("words", ["e1", "say hello", "help"])
@pytest.mark.parametrize("tries", [1, ATTEMPTS])
@pytest.mark.parametrize("workers", [(None, None), (1, 2)], ids=["alone", "several"])
async def test_a_letter_that_another_process_has_taken_meanwhile_is_left_as_it_is(
    club: Club, words: str, tries: int, workers: tuple[int | None, int | None]
) -> None:
    match = await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), words))
    await begun(club, tries - 1)
    us, other = (replace(club.house, worker=worker) for worker in workers)
    found: list[object] = []

    async def overtake() -> None:
        # As where our presence was cut: we live, and are thought to be gone.
        await asyncio.wrap_future(club.house.db.write(lambda conn: claims.let_go_of(conn, [1])))
        await begun(club, 1)
        await take_waiting(other)
        found.extend((await lines(club), await owed(club)))

    with capture_logs() as log:
        await take_waiting(us, Reader(club, behind=overtake))
    assert [await lines(club), await owed(club)] == found
    assert (await lines(club))[-1].state == "done"
    assert await ply(club, match) == (words == "e1")
    told = [line["event"] for line in log]
    assert "letter_shunted" not in told
    assert "letter_failed" not in told
    await club.work()
    assert "Not your turn" not in club.last(ANN).text


async def test_a_letter_that_was_let_go_of_while_it_was_read_is_taken_once(club: Club) -> None:
    match = await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"))
    us = replace(club.house, worker=1)

    async def let_go() -> None:
        await asyncio.wrap_future(club.house.db.write(lambda conn: claims.let_go_of(conn, [1])))

    reader = Reader(club, behind=let_go)
    await take_waiting(us, reader)
    assert [tries for _, tries in reader.tries] == [1, 2]
    assert [(line.state, line.code) for line in await lines(club)][-1] == ("done", None)
    assert await ply(club, match) == 1


async def test_what_else_waits_of_somebody_who_is_forgotten_is_not_taken(club: Club) -> None:
    await at_play(club)
    await club.answer(BOB, "delete me")
    await arrive(
        club,
        raw(BOB, to_of(club.last(BOB)), "yes"),
        raw(BOB, to_of(club.last(BOB)), "say one more thing"),
    )
    await take_waiting(club.house)
    last = [(line.state, line.disposition) for line in (await lines(club))[-2:]]
    assert last == [("done", "done"), ("done", "forgotten")]


async def test_a_letter_whose_events_are_in_the_log_was_done(club: Club) -> None:
    await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "say hello"))
    await take_waiting(club.house)
    before = await owed(club)
    key = (await lines(club))[-1].key
    # As if it had been forgotten, and were fetched once more.
    new = update(tables.inbox).where(tables.inbox.c.mail_key == key).values(state="new", attempts=0)
    await asyncio.wrap_future(club.house.db.write(lambda conn: conn.execute(new)))
    with capture_logs() as log:
        await take_waiting(club.house)
    assert [line["event"] for line in log].count("letter_was_done") == 1
    last = (await lines(club))[-1]
    assert (last.state, last.attempts) == ("done", 1)
    assert await owed(club) == before


async def test_a_letter_that_others_have_is_not_set_aside_by_us(club: Club) -> None:
    await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "say hello"))
    await begun(club, ATTEMPTS - 1)
    us, other = (replace(club.house, worker=worker) for worker in (1, 2))
    before = await owed(club)

    async def overtake() -> None:
        await asyncio.wrap_future(club.house.db.write(lambda conn: claims.let_go_of(conn, [1])))
        await claimed(club, 2)
        raise ReadingFailed("it was too slow")

    await take_waiting(us, Reader(club, behind=overtake))
    assert (await lines(club))[-1].state == "new"
    assert await owed(club) == before
    assert other.worker == 2


# --- attempts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("failures", [1, ATTEMPTS - 1, ATTEMPTS])
async def test_a_letter_that_seems_to_be_too_slow_is_read_again(club: Club, failures: int) -> None:
    match = await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"))

    def fail(row: InboxRow) -> None:
        if row.attempts <= failures:
            raise ReadingFailed("it was not read within 5 s")

    reader = Reader(club, before=fail)
    await take_waiting(club.house, reader)
    taken = failures < ATTEMPTS
    assert len(reader.tries) == min(failures + 1, ATTEMPTS)
    line = (await lines(club))[-1]
    assert line.state == ("done" if taken else "shunted")
    assert line.disposition == ("done" if taken else "it was not read within 5 s")
    assert await ply(club, match) == taken


@pytest.mark.parametrize("attempts", [ENDINGS, 50])
async def test_a_letter_that_has_had_its_attempts_is_set_aside_unread(
    club: Club, attempts: int
) -> None:
    match = await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"), raw(BOB, to_of(club.last(BOB)), "a5"))
    await begun(club, attempts, -2)
    reader = Reader(club)
    await take_waiting(club.house, reader)
    assert reader.tries[0][0] == b"a5"
    assert b"e1" not in [words for words, _ in reader.tries]
    ann, bob = (await lines(club))[-2:]
    assert (ann.state, ann.disposition) == ("shunted", BEGUN_OFTEN)
    assert bob.state == "refused"
    assert await ply(club, match) == 0
    await club.work()
    assert "It could not be read" in club.last(ANN).text


class Ended(BaseException):
    """The process ends."""


@dataclass
class Fragile(Reader):
    """What is read at the same time as poison is lost with it."""

    at_once: list[bytes] = field(default_factory=list)

    async def read(self, row: InboxRow) -> Intent:
        """What the letter says."""
        whole = len(row.raw) > len(head_of(row.raw))
        self.at_once.append(row.raw if whole else b"")
        await asyncio.sleep(0.01)
        if any(b"poison" in raw for raw in self.at_once):
            raise Ended
        self.at_once.clear()
        return await ThreadReader(self.club.house).read(row)


async def test_of_letters_that_a_process_took_along_the_one_to_blame_is_set_aside(
    club: Club,
) -> None:
    match = await at_play(club)
    mine, his = to_of(club.last(ANN)), to_of(club.last(BOB))
    said = [f"say number {n}" for n in range(4)]
    letters = [raw(ANN, mine, "e1"), *(raw(BOB, his, words) for words in said)]
    letters.insert(3, raw(ANN, mine, "say poison"))
    await arrive(club, *letters)

    for starts in range(1, ENDINGS + 5):
        house = replace(club.house, cache=MatchCache(), unblamed=[])
        try:
            await take_waiting(house, Fragile(club))
        except Ended:
            assert starts <= ENDINGS
            continue
        break
    came = (await lines(club))[-6:]
    assert [line.state for line in came] == ["done"] * 3 + ["shunted"] + ["done"] * 2
    assert await ply(club, match) == 1
    await club.work()
    text = "\n".join(mail.text for mail in club.mails(ANN))
    places = [text.index(f"number {n}") for n in range(4)]
    assert places == sorted(places)


async def test_what_is_no_letters_fault_is_no_attempt(club: Club) -> None:
    match = await at_play(club)
    await arrive(club, raw(ANN, to_of(club.last(ANN)), "e1"))

    def break_down(_: InboxRow) -> None:
        raise ReadersBroken("no process starts")

    for _ in range(2 * ATTEMPTS):
        with pytest.raises(ReadersBroken):
            await take_waiting(club.house, Reader(club, before=break_down))
    reader = Reader(club)
    await take_waiting(club.house, reader)
    assert reader.tries == [(b"e1", 1)]
    assert await ply(club, match) == 1
