"""The caps of the provider: no hour and no day has more, and turns go first."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from pbem.server.caps import SendingCaps
from pbem.server.pictures import PictureDrawer
from pbem.server.send import send_due_emails
from pbem.service.app import App
from pbem.transport import Envelope, SendOutcome, SendResult
from tests.server.conftest import Clock, queue


class Relay:
    """Takes all emails, and remembers the numbers of their readers."""

    def __init__(self) -> None:
        self.taken: list[int] = []

    async def send(self, envelope: Envelope) -> SendResult:
        self.taken.append(int(envelope.recipient.partition("@")[0].removeprefix("ann")))
        return SendResult(outcome=SendOutcome.SENT, code=250, reply="ok")

    async def check(self) -> str:
        return "a relay"

    async def close(self) -> None:
        pass


class Refusal(Relay):
    """Takes no email now."""

    async def send(self, envelope: Envelope) -> SendResult:
        await super().send(envelope)
        return SendResult(outcome=SendOutcome.TRANSIENT, code=451, reply="to ann@example.org: no")


async def send_all(app: App, relay: Relay, caps: SendingCaps) -> int:
    before = len(relay.taken)
    while await send_due_emails(app, relay, PictureDrawer(), caps):
        pass
    return len(relay.taken) - before


async def test_the_last_fifth_is_for_turns(app: App, clock: Clock) -> None:
    relay, caps = Relay(), SendingCaps(per_hour=10)
    for number in range(12):
        queue(app, number, "news")
    assert await send_all(app, relay, caps) == 8
    for number in range(12, 16):
        queue(app, number, "turn")
    assert await send_all(app, relay, caps) == 2
    assert relay.taken == [0, 1, 2, 3, 4, 5, 6, 7, 12, 13]
    clock.go_on(minutes=59)
    assert await send_all(app, relay, caps) == 0
    clock.go_on(minutes=2)
    assert await send_all(app, relay, caps) == 6
    assert relay.taken[10:] == [14, 15, 8, 9, 10, 11]


@pytest.mark.parametrize(
    ("caps", "sent"),
    [(SendingCaps(), 25), (SendingCaps(per_day=20), 20), (SendingCaps(per_hour=9, per_day=20), 9)],
)
async def test_each_cap_counts(caps: SendingCaps, sent: int, app: App) -> None:
    for number in range(25):
        queue(app, number)
    assert await send_all(app, Relay(), caps) == sent


async def test_a_refusal_is_a_warning_without_addresses(app: App) -> None:
    queue(app, 1)
    with capture_logs() as entries:
        await send_all(app, Refusal(), SendingCaps())
    [entry] = entries
    assert (entry["log_level"], entry["event"], entry["code"]) == ("warning", "sending_failed", 451)
    assert "example.org" not in str(entry)


async def test_what_follows_from_an_email_does_not_send_it_again(
    app: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bool:
        raise KeyError

    monkeypatch.setattr("pbem.server.send.is_late", fail)
    relay = Relay()
    queue(app, 1)
    for _ in range(2):
        await send_all(app, relay, SendingCaps())
        clock.go_on(minutes=20)
    assert relay.taken == [1]
