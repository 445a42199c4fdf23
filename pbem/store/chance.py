"""The secrets behind a match's draws, and how many of their links have been shown."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, insert, select, update

from pbem.fairness import Draws, commitment
from pbem.names import MatchId
from pbem.store import tables

PUBLIC = "public"
"""The chain of the draws that all may see at once."""

_T = tables.chance_secret.c

_OPEN = insert(tables.chance_secret)

_DRAWS = select(_T.secret, _T.links, _T.next_index).where(
    _T.stream == bindparam("of_stream"), _T.kind == PUBLIC
)

_ADVANCE = (
    update(tables.chance_secret)
    .where(
        _T.stream == bindparam("of_stream"), _T.kind == PUBLIC, _T.next_index < bindparam("after")
    )
    .values(next_index=bindparam("after"))
)


def open_chain(
    conn: Connection, stream: str, secret: bytes, links: int, *, kind: str = PUBLIC
) -> None:
    """Keep a new match's secret; its commitment stands in the ChallengeIssued of this unit."""
    row = {
        "stream": stream,
        "kind": kind,
        "commitment": commitment(secret, links).hex(),
        "secret": secret,
        "links": links,
        "next_index": 1,
    }
    conn.execute(_OPEN, row)


def draws(conn: Connection, match: MatchId) -> Draws:
    """The chain of a match, at the first link that has not been shown."""
    row = conn.execute(_DRAWS, {"of_stream": _stream(match)}).one()
    return Draws(match, row.secret, row.links, row.next_index)


def advance(conn: Connection, match: MatchId, next_index: int) -> None:
    """Note that all links before `next_index` are shown; there is no way back."""
    moved = conn.execute(_ADVANCE, {"of_stream": _stream(match), "after": next_index})
    if moved.rowcount != 1:
        raise ValueError(f"the draws of {match} are at {next_index} or beyond already")


def _stream(match: MatchId) -> str:
    """The stream of a match, by the name that the runners give it."""
    return f"match-{match}"
