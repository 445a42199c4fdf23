"""Signed notes, the checkpoints in them, and proofs as text: C2SP's formats, by Ed25519.

A note is a text whose lines all end, an empty line, and a line for each signature:
`— NAME BASE64`, where the bytes begin with four that say which key of that name it is. Whoever
does not know a key passes over its line. A checkpoint's text is three lines: the log's name
(origin), its size, its root. What signs and checks is imported where it is done: whoever only
reads pays nothing for it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pbem.errors import PbemError

ED25519: Final = 1
COSIGNATURE: Final = 4
"""signed-note and tlog-cosignature: the bytes that say what a key signs."""

Kind = Literal[1, 4]

MOST_SIGNATURES: Final = 100
"""Of a note: as many as Go's reader takes."""

_ID_BYTES, _TIME_BYTES, _HASH_BYTES = 4, 8, 32
_PROOF: Final = "c2sp.org/tlog-proof@v1"
_SIGNED = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})", re.ASCII)
_NUMBER = re.compile("0|[1-9][0-9]{0,17}", re.ASCII)
_NAME = re.compile(r"[^\s+\x00-\x1f]+")


class WrongNote(PbemError):  # noqa: N818 - what is wrong is the note
    """A text that is no note, or not one by whom it should be."""


# --- keys ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PublicKey:
    """Whom a signature is by: a name, what the key signs, and its 32 bytes."""

    name: str
    public: bytes
    kind: Kind = ED25519

    @property
    def key_id(self) -> bytes:
        """The four bytes before each of its signatures."""
        named = self.name.encode() + b"\n" + bytes([self.kind]) + self.public
        return hashlib.sha256(named).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """As C2SP writes such keys: name, id and key with a plus between them."""
        return f"{self.name}+{self.key_id.hex()}+{_base64(bytes([self.kind]) + self.public)}"


@dataclass(frozen=True, slots=True, repr=False)
class SecretKey:
    """What one signs with: a name, the 32 bytes of a seed, and what the key signs."""

    name: str
    seed: bytes
    kind: Kind = ED25519

    @property
    def public(self) -> PublicKey:
        """The key that others check with."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        made = Ed25519PrivateKey.from_private_bytes(self.seed).public_key()
        return PublicKey(self.name, made.public_bytes_raw(), self.kind)


def read_key(text: str) -> PublicKey:
    """A public key as C2SP writes it; WrongNote if it is none of ours, or its id is not its own."""
    name, _, rest = text.strip().partition("+")
    said, _, coded = rest.partition("+")
    raw = _bytes(coded)
    if not _NAME.fullmatch(name) or len(raw) != 1 + _HASH_BYTES:
        raise WrongNote(f"{text.strip()[:80]!r} is no public key")
    kind: Kind
    if raw[0] == ED25519:
        kind = ED25519
    elif raw[0] == COSIGNATURE:
        kind = COSIGNATURE
    else:
        raise WrongNote(f"{name}'s key is of kind {raw[0]}, which is not known here")
    key = PublicKey(name, raw[1:], kind)
    if key.key_id.hex() != said:
        raise WrongNote(f"{name}'s key has the id {key.key_id.hex()}, not {said}")
    return key


# --- notes ---------------------------------------------------------------------------------------


def signed(text: str, key: SecretKey) -> str:
    """A note with one signature; each line of the text ends."""
    return f"{text}\n{_line(key.public, _sign(key, text.encode()))}"


def cosigned(note: str, key: SecretKey, at: int) -> str:
    """The same note with a witness's signature at a time (seconds since 1970) behind the others."""
    if key.kind != COSIGNATURE:
        raise ValueError("a witness signs with a key of its own kind")
    text, _ = parts(note)
    made = at.to_bytes(_TIME_BYTES, "big") + _sign(key, _cosigned_text(text, at))
    return note + _line(key.public, made)


def parts(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """The text of a note, and name and bytes of each signature; WrongNote if it is none."""
    text, empty, below = note.rpartition("\n\n")
    lines = below.split("\n")
    if not empty or not text or lines.pop() != "" or not lines:
        raise WrongNote("this is no signed note")
    if any(ord(char) < ord(" ") and char != "\n" for char in note) or len(lines) > MOST_SIGNATURES:
        raise WrongNote("this is no signed note")
    found = [_SIGNED.fullmatch(line) for line in lines]
    signatures = [(one[1], _bytes(one[2])) for one in found if one]
    if len(signatures) != len(lines) or any(len(one) <= _ID_BYTES for _, one in signatures):
        raise WrongNote("a line below the text is no signature")
    return text + "\n", signatures


def opened(note: str, key: PublicKey) -> str:
    """The text of a note that `key` has signed; WrongNote if it has not, or not this."""
    text, signatures = parts(note)
    if _times(text, signatures, key) is None:
        raise WrongNote(f"the note is not signed by {key.name}")
    return text


def cosigned_at(note: str, key: PublicKey) -> int | None:
    """When a witness signed (seconds since 1970), or None; WrongNote if the signature is false."""
    return _times(*parts(note), key)


def named(note: str, keys: Iterable[PublicKey]) -> list[PublicKey]:
    """Of these keys, those of which a line says that they have signed; that is not checked."""
    lines = {(name, raw[:_ID_BYTES]) for name, raw in parts(note)[1]}
    return [key for key in keys if (key.name, key.key_id) in lines]


def joined(note: str, other: str, keys: Sequence[PublicKey]) -> str:
    """The note with the signatures by these keys that another copy of it bears.

    Each is checked, and takes the place of an older one. Raises WrongNote if one is false, or the
    other is no copy.
    """
    text, mine = parts(note)
    told, theirs = parts(other)
    if told != text:
        raise WrongNote("it is another note")
    new = [key for key in keys if _times(told, theirs, key) is not None]
    ours = {(key.name, key.key_id) for key in new}
    kept = [one for one in mine if (one[0], one[1][:_ID_BYTES]) not in ours]
    for key in new:
        mark = (key.name, key.key_id)
        kept.append(next(one for one in theirs if (one[0], one[1][:_ID_BYTES]) == mark))
    return f"{text}\n" + "".join(f"— {name} {_base64(raw)}\n" for name, raw in kept)


def _times(text: str, signatures: Iterable[tuple[str, bytes]], key: PublicKey) -> int | None:
    """When the key signed the text (0 where its kind says no time), or None if it did not.

    A signature that bears the key's name and id, and is false, is no stranger's: WrongNote.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    checked = Ed25519PublicKey.from_public_bytes(key.public)
    for name, raw in signatures:
        if (name, raw[:_ID_BYTES]) != (key.name, key.key_id):
            continue
        body, signature, at = text.encode(), raw[_ID_BYTES:], 0
        if key.kind == COSIGNATURE:
            at = int.from_bytes(signature[:_TIME_BYTES], "big")
            body, signature = _cosigned_text(text, at), signature[_TIME_BYTES:]
        try:
            checked.verify(signature, body)
        except InvalidSignature:
            raise WrongNote(f"the signature by {key.name} is false") from None
        return at
    return None


def _cosigned_text(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def _sign(key: SecretKey, body: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(key.seed).sign(body)


def _line(key: PublicKey, signature: bytes) -> str:
    return f"— {key.name} {_base64(key.key_id + signature)}\n"


# --- checkpoints ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a log says of itself: its name, how many leaves it has, and their root."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{_base64(self.root)}\n"


def read_checkpoint(text: str) -> Checkpoint:
    """A checkpoint of a note's text; WrongNote if it is none. Further lines say nothing to us."""
    origin, size, root = (text.split("\n") + [""] * 3)[:3]
    if not text.endswith("\n") or not origin or not _NUMBER.fullmatch(size):
        raise WrongNote("the note is no checkpoint")
    return Checkpoint(origin, int(size), _hash(root))


# --- proofs --------------------------------------------------------------------------------------


def inclusion_text(index: int, path: Sequence[bytes], note: str) -> str:
    """A proof that leaf `index` is in the tree of a note, as tlog-proof writes it."""
    lines = [_PROOF, f"index {index}", *map(_base64, path)]
    return "".join(f"{line}\n" for line in lines) + "\n" + note


def read_inclusion(text: str) -> tuple[int, list[bytes], str]:
    """Index, path and note of such a text; WrongNote if it is none."""
    head, _, rest = text.partition("\n")
    if head != _PROOF:
        raise WrongNote("this is no proof")
    return _numbered("index ", rest)


def consistency_text(old: int, path: Sequence[bytes], note: str) -> str:
    """A note with the proof that it extends a tree of `old` leaves, as tlog-witness asks for it."""
    lines = [f"old {old}", *map(_base64, path)]
    return "".join(f"{line}\n" for line in lines) + "\n" + note


def read_consistency(text: str) -> tuple[int, list[bytes], str]:
    """Old size, path and note of such a text; WrongNote if it is none."""
    return _numbered("old ", text)


def _numbered(word: str, text: str) -> tuple[int, list[bytes], str]:
    """A number behind a word, the hashes on the lines below, and the note below these."""
    above, _, note = text.partition("\n\n")
    first, *rest = above.split("\n")
    number = first.removeprefix(word)
    if number == first or not _NUMBER.fullmatch(number):
        raise WrongNote("this is no proof")
    return int(number), [_hash(line) for line in rest], note


# --- bytes ---------------------------------------------------------------------------------------


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise WrongNote(f"{text[:80]!r} is not base64") from None


def _hash(text: str) -> bytes:
    raw = _bytes(text)
    if len(raw) != _HASH_BYTES:
        raise WrongNote(f"{text[:80]!r} is no hash")
    return raw
