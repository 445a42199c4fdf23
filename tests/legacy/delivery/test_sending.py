"""Sending what is owed: what is noted of each mail, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from email.utils import parseaddr
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbem.legacy.runners.deliver import Delivery, deliver_due
from pbem.legacy.runners.receive import store_letter, take_waiting
from pbem.legacy.store.mails import outbox
from pbem.legacy.transport import Envelope, Fetched, Result
from tests.legacy.clubs.club import ANN, BOB, GAMES, Club, open_club


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


class Holding:
    """A relay that takes the mails to everybody but one, whose mail it holds until it is told."""

    def __init__(self, held: str) -> None:
        self.held, self.go, self.took = held, asyncio.Event(), asyncio.Event()

    async def send(self, envelope: Envelope) -> Mapping[str, Result]:
        [recipient] = envelope.rcpt_to
        if recipient == self.held:
            await self.go.wait()
        else:
            self.took.set()
        return {recipient: Result("sent", 250, "ok")}


async def owe(club: Club, *writers: str) -> None:
    """Each of them wrote for the first time, and no answer has been sent."""
    for number, writer in enumerate(writers):
        raw = club.letter(writer, GAMES, "hello").as_bytes()
        await store_letter(Fetched("test", "INBOX", 1, number, raw), club.house)
    await take_waiting(club.house)


async def states(club: Club) -> dict[str | None, str]:
    rows = await asyncio.wrap_future(club.house.db.read(outbox.listed))
    return {row.rcpt: row.state for row in rows}


async def test_a_mail_is_noted_as_sent_while_another_is_still_under_way(club: Club) -> None:
    await owe(club, ANN, BOB)
    relay = Holding(BOB)
    sending = asyncio.create_task(deliver_due(club.house, relay))
    async with asyncio.timeout(60):
        await relay.took.wait()
        found = await states(club)
        while found == {ANN: "leased", BOB: "leased"}:
            found = await states(club)
        assert found == {ANN: "sent", BOB: "leased"}
        relay.go.set()
        assert await sending == 2
    assert await states(club) == {ANN: "sent", BOB: "sent"}


async def test_a_service_that_ends_sends_nothing_again_that_has_been_sent(club: Club) -> None:
    await owe(club, ANN, BOB)
    relay = Holding(BOB)
    delivery = Delivery(club.house, relay)
    async with asyncio.timeout(60):
        assert await delivery.start_due() == 1  # there is one connection
        await relay.took.wait()
        await delivery.one_ends()
        assert await delivery.start_due() == 1
        await delivery.close(0)
    rows = await asyncio.wrap_future(club.house.db.read(outbox.listed))
    found = {row.rcpt: (row.state, row.attempts) for row in rows}
    assert found == {ANN: ("sent", 1), BOB: ("new", 0)}


async def test_a_provider_that_lets_us_send_only_as_ourselves_gets_no_other_sender(
    club: Club,
) -> None:
    site = club.house.settings.site.model_copy(update={"plain_sender": True})
    settings = club.house.settings.model_copy(update={"site": site})
    club.house = replace(club.house, settings=settings)
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    assert {envelope.mail_from for envelope in club.envelopes} == {GAMES}
    assert {parseaddr(mail.sender)[1] for mail in club.mails(ANN) + club.mails(BOB)} == {GAMES}
    assert club.last(ANN).reply_to.startswith("games+")
    await club.answer(ANN, "e1")
    assert "Your turn in Logger" in club.last(BOB).text


async def test_the_log_says_why_a_mail_was_not_taken(club: Club) -> None:
    club.postbox.verdict = lambda _: Result("transient", None, "mail.example.org:465 is away")
    await owe(club, ANN)
    with capture_logs() as logs:
        await deliver_due(club.house, club.postbox)
    [line] = [line for line in logs if line["event"] == "mail"]
    assert (line["log_level"], line["result"]) == ("warning", "transient")
    assert line["why"] == "mail.example.org:465 is away"
