"""What events name by a digest only: sealed texts, and the secrets behind the draws."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace
from typing import Literal, TypeAlias

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from pbem.fairness import Draws, bots_seed, commitment
from pbem.names import Digest, MatchId, TournamentId
from pbem.legacy.store import tables
from pbem.legacy.store.columns import insert_absent
from pbem.legacy.store.prepared import Prepared

# --- sealed --------------------------------------------------------------------------------------
# Texts that events name by a digest only: to be shown later, to few, or forgotten for good.

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


# --- chance --------------------------------------------------------------------------------------
# The secrets behind draws of matches and tournaments, and how many of their links have been shown.
#
# A chain's `kind` says whose it is, and with a number the first of its links: `public`, `secret`,
# `public 4097`.

Kind: TypeAlias = Literal["public", "secret"]
"""Draws that all may see at once, and those that are shown at the end."""

_T = tables.chance_secret.c

_OPEN = insert(tables.chance_secret)

_CHAINS = select(_T.kind, _T.secret, _T.links, _T.next_index).where(
    _T.stream == bindparam("of_stream")
)

_ADVANCE = (
    update(tables.chance_secret)
    .where(
        _T.stream == bindparam("of_stream"),
        _T.kind == bindparam("of_kind"),
        _T.next_index < bindparam("after"),
    )
    .values(next_index=bindparam("after"))
)


def open_chain(
    conn: Connection,
    stream: str,
    secret: bytes,
    links: int,
    *,
    kind: Kind = "public",
    first: int = 1,
) -> None:
    """Keep a chain's secret; its commitment stands in an event of this unit.

    `first` is the number of its first link, behind those of the chain that it follows.
    """
    row = {
        "stream": stream,
        "kind": kind if first == 1 else f"{kind} {first}",
        "commitment": commitment(secret, links).hex(),
        "secret": secret,
        "links": links,
        "next_index": first,
    }
    conn.execute(_OPEN, row)


def lots(conn: Connection, tournament: TournamentId) -> Draws | None:
    """The chain that the next lot of a tournament is drawn from; None where it has none."""
    of_stream = {"of_stream": f"tournament-{tournament}"}
    for _, secret, links, next_index in conn.execute(_CHAINS, of_stream):
        # A draw is keyed by the name of what it is of: a tournament has one as a match has.
        return Draws(MatchId(tournament), secret, links, next_index)
    return None


def advance_lots(conn: Connection, tournament: TournamentId, next_index: int) -> None:
    """Note that all links of a tournament before `next_index` are shown."""
    where = {"of_stream": f"tournament-{tournament}", "of_kind": "public", "after": next_index}
    conn.execute(_ADVANCE, where)


def draws(conn: Connection, match: MatchId, kind: Kind = "public") -> Draws | None:
    """The chain that the next draw of a kind is made from, with those that follow it.

    None if a match has none of the kind.
    """
    found: Draws | None = None
    for chain in reversed(_chains(conn, match, kind)):
        if chain.left or found is None:
            found = replace(chain, then=found)
    return found


def seed_of_bots(conn: Connection, match: MatchId) -> str:
    """What the chance of a match's bots is made of; empty where the match has no secret here."""
    chains = _chains(conn, match, "public")
    return bots_seed(chains[0].secret, match) if chains else ""


def _chains(conn: Connection, match: MatchId, kind: Kind) -> list[Draws]:
    """All chains of a kind in their order."""
    found = []
    for name, secret, links, next_index in conn.execute(_CHAINS, {"of_stream": _stream(match)}):
        of, _, first = name.partition(" ")
        if of == kind:
            found.append(Draws(match, secret, links, next_index, int(first or 1)))
    return sorted(found, key=lambda chain: chain.first)


def advance(conn: Connection, match: MatchId, next_index: int, kind: Kind = "public") -> None:
    """Note that all links before `next_index` are shown; there is no way back."""
    moved = 0
    for chain in _chains(conn, match, kind):
        name = kind if chain.first == 1 else f"{kind} {chain.first}"
        after = min(next_index, chain.first + chain.links)
        where = {"of_stream": _stream(match), "of_kind": name, "after": after}
        moved += conn.execute(_ADVANCE, where).rowcount
    if not moved:
        raise ValueError(f"the draws of {match} are at {next_index} or beyond already")


def _stream(match: MatchId) -> str:
    """The stream of a match, by the name that the runners give it."""
    return f"match-{match}"
