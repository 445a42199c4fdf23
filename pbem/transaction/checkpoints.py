"""What the club has signed of its log, for those who are told of it, and that a match is in it."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.notices.checks import ProofShown, Signed
from pbem.store.log import event_log, tree
from pbem.transaction.installation import match_at, match_stream
from pbem.witnessing import mailed, merkle

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.matches.match import Match
    from pbem.store.log.event_log import RecordedEvent
    from pbem.transaction.installation import House
    from pbem.transaction.transaction import Transaction

NOT_BEFORE: Final = timedelta(hours=20)
"""Since the last checkpoint: housekeeping looks every six hours, so that there is one a day."""

LOOKED_EVERY: Final = timedelta(hours=6)
"""So often housekeeping looks."""


def signed(conn: Connection) -> tuple[Signed, ...]:
    """The newest checkpoint, if there is one."""
    note = tree.newest(conn)
    return () if note is None else (told(note),)


def told(note: tree.Note) -> Signed:
    """What is said of a checkpoint."""
    root = base64.b64encode(note.root).decode("ascii")
    return Signed(size=note.size, root=root, at=note.made_at.isoformat())


def prove(txn: Transaction, match: Match, since: int | None) -> ProofShown:
    """That a match is in the log that was signed last, as far as the sender knows of its events.

    With `since` it shows as well that this log begins with the one of so many events. Raises
    Rejection where nothing was signed that has any of the match, or not so many events.
    """
    note, player = tree.newest(txn.conn), txn.sender
    due = _due(txn.house, note, txn.now)
    if note is None and not due:
        raise Rejection("log_unsigned")
    recorded = event_log.load(txn.conn, match_stream(match.id))
    covered = [one for one in recorded if note is not None and one.position <= note.size]
    if note is None or not covered:
        raise Rejection("not_signed_yet", due=due)
    if since is not None and since > note.size:
        raise Rejection("log_shorter", since=since, size=note.size)
    before = match_at(txn.conn, match.id, covered[-1].version, txn.house.cache).match
    # Not the newest of all: that others have done something of which the sender knows nothing
    # would be told by its hash.
    heard = before.told_to(player)
    proof = _Proof(txn.conn, note)
    lines = [*proof.leaf("first", recorded[0]), *proof.leaf("last", recorded[heard.version - 1])]
    if since is not None:
        lines += mailed.old_lines(since, tree.consistency(txn.conn, since, note.size))
    events = match.told_to(player).count
    return ProofShown(
        match=match.id,
        checkpoint=(told(note),),
        events=events,
        covered=heard.count,
        due=due if events > heard.count else "",
        head=recorded[heard.version - 1].hash,
        lines=mailed.block(match.id, lines, note.note),
        sound=proof.sound,
    )


def _due(house: House, note: tree.Note | None, now: datetime) -> str:
    """By when there is another checkpoint; empty where none is signed any more."""
    if house.log_seed is None:
        return ""
    begins = now if note is None else max(now, note.made_at + NOT_BEFORE)
    return (begins + LOOKED_EVERY).isoformat()


@dataclass(slots=True)
class _Proof:
    """The parts of a proof; `sound` as long as each leads to the root that was signed."""

    conn: Connection
    note: tree.Note
    sound: bool = True

    def leaf(self, word: str, event: RecordedEvent) -> list[str]:
        """The lines that show that an event is in the log."""
        index, data = event.position - 1, bytes.fromhex(event.hash)
        path = tree.inclusion(self.conn, event.position, self.note.size)
        try:
            leaf = merkle.leaf_hash(data)
            merkle.check_inclusion(leaf, index, self.note.size, path, self.note.root)
        except merkle.WrongProof:
            self.sound = False  # and whoever gets it can see it
        return list(mailed.leaf_lines(word, index, data, path))
