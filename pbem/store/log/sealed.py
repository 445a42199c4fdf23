"""Texts that events name by a digest only: to be shown later, to few, or forgotten for good."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from sqlalchemy import Connection, bindparam, delete, select

from pbem.names import Digest
from pbem.store import tables
from pbem.store.dialects import insert_absent
from pbem.store.prepared import Prepared

SALT = 16
"""Bytes of salt: without them a short text is found by trying all of its kind."""

_SEAL = Prepared(insert_absent(tables.sealed, "digest"), insert=("digest", "salt", "text"))

_UNSEAL = Prepared(
    select(tables.sealed.c.digest, tables.sealed.c.text).where(
        tables.sealed.c.digest.in_(bindparam("wanted", expanding=True))
    )
)


def digest_of(text: str, salt: bytes) -> Digest:
    """What an event says of a sealed text: SHA-256 of the salt and the text's UTF-8, in hex."""
    return Digest(hashlib.sha256(salt + text.encode()).hexdigest())


def seal(conn: Connection, text: str, *, salt: bytes) -> Digest:
    """Keep a text; its digest goes into the event. `salt` is 16 bytes that nobody can know."""
    if len(salt) != SALT:
        raise ValueError(f"a salt has {SALT} bytes, not {len(salt)}")
    digest = digest_of(text, salt)
    _SEAL.write(conn, {"digest": digest, "salt": salt, "text": text})
    return digest


def unseal(conn: Connection, digests: Collection[Digest]) -> dict[Digest, str]:
    """The texts of digests; what was forgotten is missing."""
    rows = _UNSEAL.rows(conn, {"wanted": list(digests)})
    return {Digest(digest): text for digest, text in rows}


def forget(conn: Connection, digest: Digest) -> bool:
    """Delete a text for good; the events and their chain stay valid. False if it was gone."""
    gone = delete(tables.sealed).where(tables.sealed.c.digest == digest)
    return conn.execute(gone).rowcount == 1
