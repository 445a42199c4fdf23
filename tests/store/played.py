"""A database with matches that are being played, messages, and an email that waits."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sqlalchemy import text

from pbem.settings import create_keys
from pbem.store.database import Database
from tests.conversations.service import begin

SCRIPT = """# Two matches, and what belongs to them

match looney ludo ann bob
match logan stones ann bob
play taps 4 times in M1
ann writes
    set language de
bob replies in M2
    say Fünf Steine!
"""
UNSENT = (
    "UPDATE outbox SET state = 'queued', next_attempt_at = queued_at, sent_at = NULL"
    " WHERE id = (SELECT max(id) FROM outbox)"
)


def play(folder: Path) -> None:
    """Play some moves in a folder; at the end an email waits."""
    asyncio.run(begin(SCRIPT, folder).play())
    create_keys(folder / "keys.toml")
    (folder / "config.toml").write_text('[site]\ntitle = "Club"\n', encoding="utf-8")
    database = Database(f"sqlite:///{folder / 'pbem.db'}")
    database.run(lambda conn: conn.execute(text(UNSENT)))
    database.close()
