"""A tournament checked from its events, and against the matches as which it was played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlalchemy import select

from pbem.fairness import moves_digest, start_digest
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import VOIDED
from pbem.names import MatchId, PlayerId, TournamentId
from pbem.legacy.store import tables as stored
from pbem.legacy.store import tournaments as lists
from pbem.legacy.store import views
from pbem.legacy.store.log import event_log
from pbem.legacy.store.log.verify import verify as verify_log
from pbem.legacy.tournaments import tables
from pbem.legacy.tournaments.events import Event, TableBegun, TableEnded, TableSet
from pbem.legacy.tournaments.verify import Caused, Verification, verify
from pbem.legacy.transaction.tournament_cache import TournamentCache, tournament_stream
from pbem.legacy.transaction.tournaments import RESULT, SEASON, TABLES

if TYPE_CHECKING:
    from sqlalchemy import Connection

TOLD: Final = frozenset(
    {
        "ChallengeIssued",
        "SeatTaken",
        "MovePlayed",
        "SeatResigned",
        "SeatTimedOut",
        "MatchEnded",
        "ChallengeClosed",
        "MatchRolledBack",
    }
)
"""The events of a match that say how its table began and ended."""

Happened: TypeAlias = tuple[str, str]
"""An event of a match: its type, and its data as JSON."""


def verified(conn: Connection, name: TournamentId) -> tuple[Verification, str] | None:
    """What was checked of a tournament, and the head of its stream; None if there is none."""
    stream = tournament_stream(name)
    recorded = event_log.load(conn, stream)
    if not recorded:
        return None
    events = event_log.tournament_events_of(recorded)
    caused = [
        Caused(event=event, cause=event_log.cause_of(one))
        for one, event in zip(recorded, events, strict=True)
    ]
    found = verify(name, caused)
    broken = [str(finding) for finding in verify_log(conn, stream)]

    def happened(match: MatchId) -> Sequence[Happened]:
        of = stored.event.c
        rows = conn.execute(
            select(of.type, of.data)
            .where(of.stream == f"match-{match}", of.type.in_(TOLD))
            .order_by(of.version)
        )
        return [(kind, data) for kind, data in rows]

    differ = compared(name, events, happened)
    return (
        Verification(
            events=found.events,
            draws=found.draws,
            findings=(*broken, *found.findings, *differ),
        ),
        recorded[-1].hash,
    )


def compared(
    name: TournamentId,
    events: Sequence[Event],
    happened: Callable[[MatchId], Sequence[Happened] | None],
) -> Iterator[str]:
    """Whether each table was played as it was set, and ended as its match did, in words.

    `happened` gives the events of a match that are `TOLD`; None where it is not at hand.
    """
    seated = dict[tuple[int, int], TableSet]()
    begun = dict[tuple[int, int], MatchId]()
    for at, event in enumerate(events, 1):
        wrong: Iterator[str] = iter(())
        match event:
            case TableSet(season=season, table=table):
                seated[season, table] = event
            case TableBegun(season=season, table=table, match=match):
                begun[season, table] = match
                if (told := happened(match)) is not None:
                    wrong = _begun_otherwise(name, match, seated.get((season, table)), told)
            case TableEnded(season=season, table=table, why="played" | "voided"):
                match = begun.get((season, table), MatchId(""))
                if (told := happened(match)) is not None:
                    wrong = _ended_otherwise(match, event, _course(told))
            case _:
                pass
        yield from (f"event {at}: {words}" for words in wrong)


def _begun_otherwise(
    name: TournamentId, match: MatchId, table: TableSet | None, told: Sequence[Happened]
) -> Iterator[str]:
    issued = json.loads(told[0][1]) if told else {}
    if issued.get("tournament") != name:
        yield f"the match {match} is no table of this tournament"
    elif table is None or (tuple(issued["players"]), issued["time"]) != (table.players, table.time):
        yield f"the match {match} has other players than its table, or another clock"


@dataclass(slots=True)
class _Course:
    """What came of a match, from its events alone; `placings` are None while it is not over."""

    placings: tuple[int, ...] | None = None
    voided: bool = False
    left: set[int] = field(default_factory=set)
    timed_out: set[int] = field(default_factory=set)
    accepted: dict[str, tuple[PlayerId, str, str]] = field(default_factory=dict)
    made: list[tuple[int, int, str, str]] = field(default_factory=list)
    set_right: bool = False


def _course(told: Sequence[Happened]) -> _Course:
    course = _Course()
    for kind, written in told:
        data = json.loads(written)
        match kind:
            case "ChallengeIssued":
                course.accepted[data["challenger"]] = (data["challenger"], "", "")
            case "SeatTaken":
                player, words, letter = data["player"], data["words"], data["letter"]
                course.accepted[player] = (player, words, letter)
            case "MovePlayed":
                move = (data["seat"], data["ply"], data["notation"], data["letter"])
                course.made.append(move)
            case "SeatResigned" | "SeatTimedOut":
                course.left.add(data["seat"])
                course.timed_out |= {data["seat"]} if kind == "SeatTimedOut" else set()
            case "MatchEnded":
                course.placings = course.placings or tuple(data["placings"])
                course.voided = course.voided or data["termination"] == VOIDED
            case "ChallengeClosed":
                course.voided = True
            case _:
                course.set_right = True
    return course


def _ended_otherwise(match: MatchId, ended: TableEnded, course: _Course) -> Iterator[str]:
    if course.set_right:
        return  # what stood when the tournament was told may have been undone since
    if ended.why == "voided":
        if not course.voided:
            yield f"the match {match} was not voided"
    elif course.placings is None:
        yield f"the match {match} has not ended"
    elif ended.placings != tables.with_left(course.placings, course.left):
        yield f"the match {match} ended otherwise"
    elif set(ended.timed_out) != course.timed_out:
        yield f"others lost on time in the match {match}"
    elif ended.moves != moves_digest(course.made, start_digest([*course.accepted.values()])):
        yield f"later lots are not bound to what was played in the match {match}"


# --- beside the log ------------------------------------------------------------------------------


def contradictions(conn: Connection, name: TournamentId) -> Iterator[str]:
    """Lists that show another tournament than the log has, and timers without which it stands."""
    found = TournamentCache().load(conn, name)
    if found is None:
        return
    one, row = found[0], lists.row(conn, name)
    if row is None:
        return  # told already
    shown = lists.shown_of(one)
    for column in type(row).__dataclass_fields__:
        if getattr(row, column) != getattr(shown, column):
            yield f"tournament {name} is listed with another {column} than the log has"
    for entry in lists.entries_missing(conn, one):
        yield f"tournament {name}: {entry.player} is listed otherwise than the log has it"
    of = stored.timer.c
    waiting = select(of.key).where(of.stream == tournament_stream(name), of.fired_at.is_(None))
    keys = [*conn.execute(waiting).scalars()]
    if shown.due_at is not None and f"{SEASON}:{name}" not in keys:
        yield f"tournament {name} acts at {shown.due_at:%Y-%m-%d %H:%M} without a timer"
    if any(tables.may_begin(one, ())) and f"{TABLES}:{name}" not in keys:
        yield f"tournament {name} has tables that wait without a timer"
    for table in one.season.unfinished if one.season is not None else ():
        match = views.match_row(conn, table.match) if table.match is not None else None
        over = match is not None and match.status in (Status.ENDED, Status.OFF)
        if over and not any(key.startswith(f"{RESULT}:{table.match}:") for key in keys):
            yield f"tournament {name}: how the match {table.match} ended waits without a timer"
