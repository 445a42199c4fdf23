"""Places in matches at which a player answers an email, each reached by a conversation.

`open_place` plays it once. `Place.read` then processes one reply after the other in a transaction
that is rolled back, so that each finds the same match.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from pbem.match.events import MovePlayed
from pbem.service.incoming import process_message
from pbem.store.codec import load_event
from pbem.store.tables import InboxRow
from tests.conversations.programs import Draft, Received, list_taps, write
from tests.conversations.runner import Conversation
from tests.conversations.script import PEOPLE
from tests.conversations.service import DrivenService, begin

MINUTE: Final = timedelta(minutes=1)
WINDOW: Final = "ann replies\n    set window 5\n"
"""Ann's next move waits, as moves do by default; those before went out at once."""

TAP: Final = "ann replies\n    board\nann taps a move\n"
LOGGER: Final = "match logger ann bob\nplay taps 6 times\n"
SECOND: Final = "match logger ann bob\nplay taps 6 times in M2\n"
STONES: Final = "match logan stones ann bob\n    draw_offers=on\nplay taps 6 times\n"
LANDRUSH: Final = "match landrush ann bob\nplay taps 8 times\n"

PLACES: Final = {
    "logger": ("ann", "turn", LOGGER + WINDOW),
    "ludo": ("ann", "turn", "match looney ludo ann bob cleo\nplay taps 6 times\n" + WINDOW),
    "stones": ("ann", "turn", STONES + WINDOW),
    "landrush": ("ann", "turn", LANDRUSH + WINDOW),
    "chess": ("ann", "turn", "match chess ann bob\nplay taps 8 times\n" + WINDOW),
    "receipt": ("ann", "receipt", LOGGER + WINDOW + TAP),
    "gone": ("ann", "receipt", LOGGER + WINDOW + TAP + "wait 6 minutes\n"),
    "invited": ("bob", "invitation", "register ann\nann writes\n    new logger with {bob}\n"),
    "known": ("bob", "invitation", "register ann bob\nann writes\n    new landrush with {bob}\n"),
    "draw": ("ann", "offer", STONES + "bob replies\n    draw\n" + WINDOW),
    "takeback": ("ann", "offer", LOGGER + "bob writes\n    undo\n" + WINDOW),
    "two": ("ann", "turn", "match landrush ann cleo\nplay taps 8 times\n" + SECOND + WINDOW),
    "over": ("ann", "end", LOGGER + "bob replies\n    resign\nbob replies\n    yes\n"),
    "reminder": ("ann", "reminder", LANDRUSH + WINDOW + "wait 9 days\n"),
}
"""Whose reply to their newest email of which kind is read, and how the match comes to it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """What became of a reply.

    `moves` are played, or wait in their undo window. `offers` are the taps of the emails to its
    writer. `said` goes to other players, at once or with the move. `done` are the commands that
    were carried out, and the types of events.
    """

    outcome: str  # as the operator sees it
    moves: tuple[str, ...]
    offers: tuple[str, ...]
    said: tuple[str, ...]
    done: tuple[str, ...]
    kinds: tuple[str, ...]  # of the emails to the writer
    text: str  # of the emails to the writer


@dataclass(frozen=True, slots=True)
class Place:
    """A match at a place, and the email that is answered there."""

    conversation: Conversation
    writer: str
    email: Received

    def read(self, text: str) -> Result:
        """Return what becomes of a reply; nothing of it stays."""
        service = self.conversation.service
        assert isinstance(service, DrivenService)
        app, conversation = service.server.app, self.conversation
        sender = PEOPLE[self.writer]
        address = parseaddr(sender)[1]
        conversation.now += MINUTE
        draft = Draft(
            sender=sender,
            to=parseaddr(self.email.reply_to)[1],
            subject=f"Re: {self.email.subject.removeprefix('Re: ')}",
            text=text,
            at=conversation.now,
            message_id="<reply@mail.example.org>",
            original=self.email,
        )
        domain = address.rpartition("@")[2]
        verdict = f"Authentication-Results: mx.pbem.example; dmarc=pass header.from={domain}\r\n"
        raw = verdict.encode() + write(draft, "gmail")
        row = InboxRow(key="reply", number=0, account="a", received_at=draft.at, raw=raw)
        with app.database.engine.connect() as conn:
            transaction = conn.begin()
            try:
                before = _Before.look(conn)
                outcome = process_message(conn, app, row)
                return before.compare(conn, outcome, address)
            finally:
                transaction.rollback()
                conversation.now -= MINUTE


@dataclass(frozen=True, slots=True)
class _Before:
    """What is in the database before a reply."""

    position: int
    email: int
    message: int
    waiting: frozenset[tuple[str, str]]

    @classmethod
    def look(cls, conn: Connection) -> _Before:
        newest = [
            conn.exec_driver_sql(query).scalar_one()
            for query in (
                "SELECT coalesce(max(position), 0) FROM event",
                "SELECT coalesce(max(id), 0) FROM outbox",
                "SELECT coalesce(max(id), 0) FROM message",
            )
        ]
        position, email, message = newest
        return cls(position, email, message, frozenset(_list_waiting(conn)))

    def compare(self, conn: Connection, outcome: str, address: str) -> Result:
        events = [
            load_event(kind, data)
            for kind, data in conn.exec_driver_sql(
                "SELECT type, data FROM event WHERE position > ? ORDER BY position",
                (self.position,),
            )
        ]
        emails = conn.exec_driver_sql(
            "SELECT kind, text, html FROM outbox LEFT JOIN address USING (player)"
            " WHERE id > ? AND ? IN (outbox.address, address.address)",
            (self.email, address),
        ).all()
        waiting = _list_waiting(conn) - self.waiting
        messages = conn.exec_driver_sql("SELECT text FROM message WHERE id > ?", (self.message,))
        played = [event.notation for event in events if isinstance(event, MovePlayed)]
        return Result(
            outcome=outcome,
            moves=(*played, *(move for move, _ in waiting)),
            offers=tuple(tap for email in emails for tap in list_taps(email.html)),
            said=(*(said for _, said in waiting if said), *messages.scalars()),
            done=(*outcome.split(", "), *(type(event).__name__ for event in events)),
            kinds=tuple(email.kind for email in emails),
            text="\n\n".join(email.text for email in emails),
        )


def _list_waiting(conn: Connection) -> set[tuple[str, str]]:
    rows = conn.exec_driver_sql("SELECT notation, message FROM scheduled_move")
    return {(row.notation, row.message) for row in rows}


@asynccontextmanager
async def open_place(name: str, folder: Path) -> AsyncIterator[Place]:
    """Play the conversation that leads to a place."""
    writer, kind, steps = PLACES[name]
    package = "setting package pbem-chess\n" if name == "chess" else ""
    text = package + steps.replace("{bob}", "bob@example.net")
    conversation = begin(text, folder / name, name=name)
    async with conversation.playing():
        yield Place(conversation, writer, conversation.find_last(writer, kind))
