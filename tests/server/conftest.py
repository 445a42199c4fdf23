"""A service on an empty database, on a clock that tests set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.mail.addresses import Keys
from pbem.notifications.renderer import Renderer
from pbem.service.app import App, Site
from pbem.store.database import Database
from pbem.store.outbox import queue_email

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


class Clock:
    now = NOON

    def __call__(self) -> datetime:
        return self.now

    def go_on(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> Iterator[App]:
    database = Database(f"sqlite:///{tmp_path / 'pbem.db'}")
    database.migrate()
    yield App(
        site=Site(title="Club", address="games@pbem.example", operator="me@example.org"),
        database=database,
        keys=Keys("a", {"a": bytes(32)}),
        renderer=Renderer(),
        now=clock,
        entropy=os.urandom,
    )
    database.close()


def queue(app: App, number: int, kind: str = "turn") -> None:
    """Queue an email to an address that belongs to no player."""
    email = {
        "key": f"key{number}",
        "address": f"ann{number}@example.org",
        "kind": kind,
        "subject": "Hello",
        "text": "Hello\n",
        "html": "<p>Hello</p>",
        "message_id": f"<m{number}@pbem.example>",
    }
    app.database.run(lambda conn: queue_email(conn, app.now(), **email))


def queue_many(app: App, count: int) -> None:
    for number in range(count):
        queue(app, number)
