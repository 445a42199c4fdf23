"""What runs in a process that reads letters: the database is only looked into."""

from __future__ import annotations

import os
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from pbem.config import load_keys
from pbem.foreign.record import open_apart
from pbem.games import GAMES
from pbem.intake.read_letter import read_row
from pbem.mail.addresses import Keys
from pbem.runners.readers import Answer, peak_of_memory
from pbem.store.database import Looks
from pbem.store.engine import url_of
from pbem.transaction.installation import Installation, MatchCache
from pbem.wiring.words import words_of

if TYPE_CHECKING:
    from pbem.config import Settings
    from pbem.store.mails.inbox import InboxRow

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
