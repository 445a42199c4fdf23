"""The sending_limits of the provider: no hour and no day has more, and turns go first."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, text
from structlog.testing import capture_logs

from pbem.names import PlayerId
from pbem.server.pictures import PictureDrawer
from pbem.server.send import send_due_emails
from pbem.server.sending_limits import SendingLimits
from pbem.service.app import App
from pbem.store import outbox, players
from pbem.transport import Envelope, SendOutcome, SendResult
from tests.server.conftest import NOON, Clock, queue, queue_many


class Relay:
    """Answers all emails in one way, and remembers the numbers of their readers."""

    result = SendResult(outcome=SendOutcome.SENT, code=250, reply="ok")

    def __init__(self) -> None:
        self.taken: list[int] = []

    async def send(self, envelope: Envelope) -> SendResult:
        self.taken.append(int(envelope.recipient.partition("@")[0].removeprefix("ann")))
        return self.result

    async def check(self) -> str:
        return "a relay"

    async def close(self) -> None:
        pass


async def send_all(app: App, relay: Relay, sending_limits: SendingLimits) -> int:
    before = len(relay.taken)
    while await send_due_emails(app, relay, PictureDrawer(), sending_limits):
        pass
    return len(relay.taken) - before


async def test_the_last_fifth_is_for_turns(app: App, clock: Clock) -> None:
    relay, sending_limits = Relay(), SendingLimits(per_hour=10)
    for number in range(12):
        queue(app, number, "news")
    assert await send_all(app, relay, sending_limits) == 8
    for number in range(12, 16):
        queue(app, number, "turn")
    assert await send_all(app, relay, sending_limits) == 2
    assert relay.taken == [0, 1, 2, 3, 4, 5, 6, 7, 12, 13]
    clock.go_on(minutes=59)
    assert await send_all(app, relay, sending_limits) == 0
    clock.go_on(minutes=2)
    assert await send_all(app, relay, sending_limits) == 6
    assert relay.taken[10:] == [14, 15, 8, 9, 10, 11]


@pytest.mark.parametrize(
    ("sending_limits", "sent"),
    [
        (SendingLimits(), 25),
        (SendingLimits(per_day=20), 20),
        (SendingLimits(per_hour=9, per_day=20), 9),
    ],
)
async def test_each_cap_counts(sending_limits: SendingLimits, sent: int, app: App) -> None:
    queue_many(app, 25)
    assert await send_all(app, Relay(), sending_limits) == sent


@pytest.mark.parametrize(
    "recipient", ["address = '', player = 'gone'", "address = 'ann1@example.org' || char(10)"]
)
async def test_an_email_that_nobody_can_get_is_given_up(recipient: str, app: App) -> None:
    relay = Relay()
    queue(app, 1)
    queue(app, 2)
    app.database.run(
        lambda conn: conn.execute(text(f"UPDATE outbox SET {recipient} WHERE id = 1"))  # noqa: S608
    )
    assert await send_all(app, relay, SendingLimits()) == 1
    [failed] = app.database.run(lambda conn: outbox.list_emails(conn, "failed", limit=9))
    assert failed.key == "key1"


async def test_an_email_that_is_dropped_during_the_pass_is_not_sent(app: App) -> None:
    class DroppingRelay(Relay):
        """Stops the emails to the second reader while it takes the first email."""

        async def send(self, envelope: Envelope) -> SendResult:
            app.database.run(
                lambda conn: conn.execute(text("UPDATE outbox SET state = 'dropped' WHERE id = 2"))
            )
            return await super().send(envelope)

    relay = DroppingRelay()
    queue_many(app, 3)
    await send_all(app, relay, SendingLimits())
    assert relay.taken == [0, 2]


@pytest.mark.parametrize(
    ("code", "reply", "reason"),
    [
        (451, "to ann@example.org: no", None),
        (None, "mx.example.net:465: no route", "mx.example.net:465: no route"),
    ],
)
async def test_a_refusal_is_a_warning_without_addresses(
    code: int | None, reply: str, reason: str | None, app: App
) -> None:
    relay = Relay()
    relay.result = SendResult(outcome=SendOutcome.TRANSIENT, code=code, reply=reply)
    queue(app, 1)
    with capture_logs() as entries:
        await send_all(app, relay, SendingLimits())
    [entry] = entries
    assert (entry["log_level"], entry["event"]) == ("warning", "sending_failed")
    assert (entry["code"], entry["reason"]) == (code, reason)
    assert "example.org" not in str(entry)


@pytest.mark.parametrize(
    ("outcome", "code", "reply", "bounces"),
    [
        (SendOutcome.PERMANENT, 550, "no such user", 1),
        (SendOutcome.PERMANENT, 550, "5.7.1 blocked as spam", 0),  # whoever the reader is
        (SendOutcome.PERMANENT, None, "no such user", 0),  # our own program refused it
        (SendOutcome.TRANSIENT, 451, "no such user", 0),
    ],
)
async def test_which_refusals_count_as_bounces(
    outcome: SendOutcome, code: int | None, reply: str, bounces: int, app: App
) -> None:
    relay, ann = Relay(), PlayerId("ann")
    relay.result = SendResult(outcome=outcome, code=code, reply=reply)

    def prepare(conn: Connection) -> None:
        players.add_player(conn, ann, name="Ann", address="ann1@example.org", now=NOON)
        conn.execute(text("UPDATE outbox SET player = 'ann'"))

    queue(app, 1)
    app.database.run(prepare)
    await send_all(app, relay, SendingLimits())
    assert relay.taken == [1]
    assert app.database.run(lambda conn: players.get_player(conn, ann)).bounces == bounces


async def test_what_follows_from_an_email_does_not_send_it_again(
    app: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bool:
        raise KeyError

    monkeypatch.setattr("pbem.server.send.is_late", fail)
    relay = Relay()
    queue(app, 1)
    for _ in range(2):
        await send_all(app, relay, SendingLimits())
        clock.go_on(minutes=20)
    assert relay.taken == [1]
