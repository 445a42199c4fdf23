"""What the club has signed of its log, for those who are told of it, and that a match is in it."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.legacy.notices.checks import ProofShown, Signed
from pbem.legacy.store.log import event_log, tree
from pbem.legacy.store.runner_state import HOUSEKEEPING_EVERY
from pbem.legacy.transaction.installation import match_at, match_stream
from pbem.legacy.witnessing import mailed, merkle
from pbem.legacy.witnessing.notes import (
    WrongNote,
    consistency_text,
    joined,
    named,
    parts,
    read_checkpoint,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.matches.match import Match
    from pbem.legacy.store.log.event_log import RecordedEvent
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transaction.transaction import Transaction
    from pbem.legacy.witnessing.notes import PublicKey

NOT_BEFORE: Final = timedelta(hours=20)
"""Since the last checkpoint: housekeeping looks every six hours, so that there is one a day."""


LOOKED_BACK: Final = 30
"""Checkpoints among which the newest is looked for that most witnesses have signed."""


def signed(conn: Connection, house: House) -> tuple[Signed, ...]:
    """The newest checkpoint, if there is one, and who has witnessed which."""
    keys = house.settings.checkpoints.keys
    last = tree.latest(conn, LOOKED_BACK if keys else 1)
    if not last:
        return ()
    told = _told(last[0])
    if not keys:
        return (told,)
    counts = [(len(named(note.note, keys)), note.size) for note in last]
    most = (one for one in counts if 2 * one[0] > len(keys))
    some = (one for one in counts if one[0])
    witnesses, size = next(most, None) or next(some, counts[0])
    return (replace(told, witnesses=witnesses, known=len(keys), witnessed=size),)


def packed(conn: Connection) -> str:
    """The newest note with what joins it to the one before, in base64; empty where none is."""
    last = tree.latest(conn, 2)
    if not last:
        return ""
    old = last[-1].size if len(last) > 1 else 0
    text = consistency_text(old, tree.consistency(conn, old, last[0].size), last[0].note)
    return base64.b64encode(text.encode()).decode("ascii")


def _told(note: tree.Note) -> Signed:
    root = base64.b64encode(note.root).decode("ascii")
    return Signed(size=note.size, root=root, at=note.made_at.isoformat())


def take_signatures(conn: Connection, keys: Sequence[PublicKey], text: str) -> list[PublicKey]:
    """Keep what witnesses have signed below a checkpoint of ours; who of these keys has, now.

    Only signatures by these keys are kept, each checked. Raises WrongNote where one is false, or
    the checkpoint is none that we have signed.
    """
    size = read_checkpoint(parts(text)[0]).size
    ours = tree.note_of(conn, size)
    if ours is None:
        raise WrongNote(f"no checkpoint of {size} events was signed here")
    note = joined(ours.note, text, keys)
    if note != ours.note:
        tree.keep_note(conn, replace(ours, note=note))
    return named(note, keys)


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
        checkpoint=signed(txn.conn, txn.house),
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
    return (begins + HOUSEKEEPING_EVERY).isoformat()


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
