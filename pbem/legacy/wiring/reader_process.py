"""What runs in a process that reads letters: the database is only looked into."""

from __future__ import annotations

import os
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from pbem.legacy.config import load_keys
from pbem.legacy.foreign.record import open_apart
from pbem.games import GAMES
from pbem.legacy.intake.read_letter import read_row
from pbem.legacy.mail.addresses import Keys
from pbem.legacy.runners.readers import Answer, peak_of_memory
from pbem.legacy.store.database import Looks
from pbem.legacy.store.engine import url_of
from pbem.legacy.transaction.installation import Installation, MatchCache
from pbem.legacy.wiring.words import words_of

if TYPE_CHECKING:
    from pbem.legacy.config import Settings
    from pbem.legacy.store.mails.inbox import InboxRow

EVENTS_IN_MEMORY = 20_000
"""Each process keeps the matches that it has read letters of; they take about 1 KB an event."""

_ready: list[tuple[Looks, Installation]] = []


def start(settings: Settings) -> None:
    """Make this process ready to read letters."""
    GAMES.open_with(open_apart)
    keys = load_keys(settings.keys.file)
    folders = [settings.templates.folder] if settings.templates.folder else []
    installation = Installation(
        settings=settings,
        keys=Keys(keys.current, keys.secrets),
        cache=MatchCache(EVENTS_IN_MEMORY),
        words=words_of(folders),
    )
    _ready[:] = [(Looks(url_of(settings.store.database)), installation)]


def work(row: InboxRow | None, now: datetime) -> Answer:
    """Read a letter, by the facts as they are committed; None asks whether it could be done.

    Raises NoAnswer where the database hangs, which is no letter's fault.
    """
    looks, installation = _ready[0]
    if row is None:
        looks.run(lambda _: None)
        return Answer(None, os.getpid(), peak_of_memory())
    intent = looks.run(partial(read_row, house=installation, row=row, now=now))
    return Answer(intent, os.getpid(), peak_of_memory())
