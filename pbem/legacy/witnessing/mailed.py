"""A proof as lines of a mail: ASCII, 64 columns at most, in a form that quoting does not harm.

Between its first and its last line each part begins with a word and a number, `signed:` alone, and
its hashes stand below, each on a line in base64:

    match K7QX2
    first 26      the leaf of the match's first event, then its hash, then the way to the root
    last 4710     the same of its newest event that is covered
    old 4200      where it was asked for: what joins the tree of so many leaves to the note's
    signed:       the note, whose lines mails may break, in base64 as a whole

docs/witnessing.md has a program that checks it, and tells the same to people.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from email.message import EmailMessage
from textwrap import wrap
from typing import Final, TypeAlias

from pbem.legacy.witnessing import merkle
from pbem.legacy.witnessing.notes import WrongNote, read_consistency

BEGIN: Final = "-----BEGIN PBEM PROOF-----"
END: Final = "-----END PBEM PROOF-----"

HEADER: Final = "X-PBEM-Checkpoint"
"""In which header digests have the newest note: `consistency_text` in base64."""

_COLUMNS: Final = 64
_NOTE: Final = "signed:"
_QUOTED: Final = "> \t\r"
"""What stands around a line that was quoted or forwarded."""


def leaf_lines(word: str, index: int, event: bytes, path: Sequence[bytes]) -> Iterator[str]:
    """That an event stands at a leaf: its hash, and the way from it to the root."""
    yield f"{word} {index}"
    yield from map(_base64, [event, *path])


def old_lines(size: int, path: Sequence[bytes]) -> Iterator[str]:
    """That the note's tree begins with that of so many leaves."""
    yield f"old {size}"
    yield from map(_base64, path)


def block(match: str, lines: Iterable[str], note: str) -> tuple[str, ...]:
    """The lines of a proof, ready for a mail."""
    packed = wrap(_base64(note.encode()), _COLUMNS)
    return (BEGIN, f"match {match}", *lines, _NOTE, *packed, END)


Joined: TypeAlias = tuple[int, list[bytes], str]
"""An older size, the hashes that join it to a note, and the note; of none, size 0 and no hash."""


def joined_in(text: str) -> Iterator[Joined]:
    """The notes of all proofs in a text, each with what joins it to an older size.

    What is no proof, or was harmed on its way, is passed over: others may be whole.
    """
    lines: list[str] | None = None
    for raw in text.splitlines():
        line = raw.strip(_QUOTED)
        if line == BEGIN:
            lines = []
        elif line == END and lines is not None:
            with suppress(ValueError):  # no number, no base64, no UTF-8
                yield _joined(lines)
            lines = None
        elif lines is not None and line:
            lines.append(line)


def told_in(mail: EmailMessage) -> Iterator[Joined]:
    """The notes that a mail brings: a digest in a header, and the answer to `proof` in its text."""
    for header in mail.get_all(HEADER, []):
        with suppress(WrongNote, ValueError):
            text = base64.b64decode("".join(str(header).split()), validate=True).decode()
            yield read_consistency(text)
    body = mail.get_body(("plain",))
    if body is not None:
        with suppress(LookupError, ValueError):  # a charset that nobody knows
            yield from joined_in(str(body.get_content()))


def _joined(lines: Sequence[str]) -> Joined:
    old, path, note, part = 0, [], "", ""
    for line in lines:
        if line == _NOTE or " " in line:
            part, _, number = line.partition(" ")
            old = int(number) if part == "old" else old
        elif part == "old":
            path.append(_hash(line))
        elif part == _NOTE:
            note += line
    return old, path, base64.b64decode(note, validate=True).decode()


def _hash(line: str) -> bytes:
    """The hash of a line; ValueError if it is none."""
    raw = base64.b64decode(line, validate=True)
    if len(raw) != len(merkle.EMPTY):
        raise ValueError("this is no hash")
    return raw


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
