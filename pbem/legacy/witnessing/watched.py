"""What a witness remembers of a log, and whether what the log says next goes on from there.

A witness is told nothing of the events: it knows sizes and roots. That is enough to find that an
event it has once covered was changed, moved or left out, and that the log fell back or forked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.errors import PbemError
from pbem.legacy.witnessing import merkle, notes


class Broken(PbemError):  # noqa: N818 - it is what the log is
    """The log is not what it has said of itself; `kept` and `told` are the notes that prove it."""

    def __init__(self, words: str, kept: str, told: str) -> None:
        """What is wrong, and both notes."""
        super().__init__(words)
        self.kept, self.told = kept, told


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen last of a log: whose key signs it, and the note."""

    key: notes.PublicKey
    note: str

    @property
    def checkpoint(self) -> notes.Checkpoint:
        """What the note says. Raises WrongNote if it is not by the key."""
        return read(self.note, self.key)


def read(note: str, key: notes.PublicKey) -> notes.Checkpoint:
    """What a note says of the log that bears the key's name; WrongNote if it is not by the key."""
    found = notes.read_checkpoint(notes.opened(note, key))
    if found.origin != key.name:
        raise notes.WrongNote(f"the note is of {found.origin}, signed by {key.name}")
    return found


def follow(seen: Watched, note: str, old: int, path: Sequence[bytes]) -> Watched:
    """What is to be remembered after a note that comes with a proof from the size `old`.

    Raises WrongNote where the note is not by the log, and Broken where it does not extend what was
    seen: both notes are signed, so that they prove it to anybody.
    """
    before, now = seen.checkpoint, read(note, seen.key)

    def broken(words: str) -> Broken:
        return Broken(words, seen.note, note)

    if now.size < before.size:
        raise broken(f"the log had {before.size} events, and has {now.size}: it fell back")
    if now.size == before.size and now.root != before.root:
        raise broken(f"there are two logs of {now.size} events: it forked, or was rewritten")
    if old != before.size:
        raise notes.WrongNote(f"the proof is from {old} events, not from {before.size}")
    try:
        merkle.check_consistency(before.size, now.size, path, before.root, now.root)
    except merkle.WrongProof as error:
        raise broken(
            f"nothing shows that the log of {now.size} events begins with the {before.size} that"
            f" were signed before: an old event was changed or left out, or it forked ({error})"
        ) from None
    return Watched(seen.key, note)


def agree(seen: Watched, other: str) -> None:
    """Broken if two notes of one size differ, as they do where readers are told two stories."""
    mine, theirs = seen.checkpoint, read(other, seen.key)
    if mine.size == theirs.size and mine.root != theirs.root:
        words = f"two readers were told of two logs of {mine.size} events: the log has forked"
        raise Broken(words, seen.note, other)
