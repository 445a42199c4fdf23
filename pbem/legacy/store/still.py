"""Matches that stand still since their rules are not there, or have failed: since when, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, select, update

from pbem.names import MatchId
from pbem.legacy.store import tables

_T = tables.match_still.c
_M = tables.match.c

_GOING_ON = ("challenge", "running")


@dataclass(frozen=True, slots=True)
class Standing:
    """A match that stands still since a time; `why` is for the operator, in a line."""

    match: MatchId
    ruleset: str
    since: datetime
    why: str


class StillSeen(NamedTuple):
    """How many matches stand still by a ruleset, and why one of them does."""

    ruleset: str
    matches: int
    why: str


def counted(conn: Connection) -> tuple[StillSeen, ...]:
    """How many there are by each ruleset, the most first."""
    columns = (_T.ruleset, func.count(), func.max(_T.why))
    wanted = select(*columns).group_by(_T.ruleset)
    rows = conn.execute(wanted.order_by(func.count().desc(), _T.ruleset))
    return tuple(StillSeen(*row) for row in rows)


def standing(conn: Connection) -> list[Standing]:
    """All of them, the longest first."""
    rows = conn.execute(select(_T.match, _T.ruleset, _T.since, _T.why).order_by(_T.since, _T.match))
    return [Standing(MatchId(row.match), row.ruleset, row.since, row.why) for row in rows]


def stands(conn: Connection, match: MatchId) -> bool:
    """Whether a match stands still, also where its rules would answer by now, or from memory."""
    return conn.execute(select(_T.match).where(_T.match == match)).first() is not None


def of_these(conn: Connection, matches: Sequence[MatchId]) -> frozenset[MatchId]:
    """Those of some matches that stand still."""
    found = conn.execute(select(_T.match).where(_T.match.in_(matches))).scalars()
    return frozenset(MatchId(name) for name in found)


def stop(conn: Connection, one: Standing) -> None:
    """A match stands still from now on."""
    conn.execute(
        tables.match_still.insert().values(
            match=one.match, ruleset=one.ruleset, since=one.since, why=one.why
        )
    )


def reach_back(conn: Connection, match: MatchId, since: datetime) -> None:
    """What a match that stands still gets back begins at a time before, if that is earlier."""
    earlier = update(tables.match_still).where(_T.match == match, _T.since > since)
    conn.execute(earlier.values(since=since))


def go_on(conn: Connection, match: MatchId) -> None:
    """A match does not stand still any more."""
    conn.execute(delete(tables.match_still).where(_T.match == match))


def drop_ended(conn: Connection, match: MatchId) -> None:
    """A match that has ended stands still no more."""
    over = select(_M.id).where(_M.id == match, _M.status.not_in(_GOING_ON))
    conn.execute(delete(tables.match_still).where(_T.match.in_(over)))


def rulesets(conn: Connection) -> list[str]:
    """The rulesets of all matches that go on."""
    wanted = select(_M.ruleset).where(_M.status.in_(_GOING_ON)).distinct()
    return [*conn.execute(wanted).scalars()]


def of_rulesets(conn: Connection, wanted: Sequence[str]) -> list[MatchId]:
    """The matches by these rulesets that go on, and are not noted as standing still."""
    found = (
        select(_M.id)
        .where(_M.status.in_(_GOING_ON), _M.ruleset.in_(wanted))
        .where(_M.id.not_in(select(_T.match)))
        .order_by(_M.id)
    )
    return [MatchId(name) for name in conn.execute(found).scalars()]
