"""What `pbem check --deep` asks of runners: what contradicts the log, and which kinds there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from pbem.matches.match import Match, Status
from pbem.names import MatchId
from pbem.orders.handlers.wishes import TEST
from pbem.runners.timers import KINDS
from pbem.store import tables, timers, views
from pbem.store.damage import kind_of
from pbem.store.log import event_log
from pbem.transaction.installation import find_match, match_stream
from pbem.transaction.question_kinds import (
    DOUBTED,
    OF_ORDERS,
    REGISTRATION,
    RESIGNATION,
    TAKEBACK,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.store.upkeep.rows import Kinds


MAILS: Final = frozenset({"prompt", "turn", "news", "digest", "alert", "farewell"})
QUESTIONS: Final = frozenset(
    {REGISTRATION, DOUBTED, RESIGNATION, TAKEBACK, TEST, "resign", *OF_ORDERS}
)


def kinds() -> Kinds:
    """The kinds of mails, questions and timers, which only those know who work with them."""
    return {
        ("outbox", "kind"): MAILS,
        ("question", "kind"): QUESTIONS,
        ("timer", "kind"): {*KINDS, timers.BOT},
    }


def found(conn: Connection) -> Iterator[str]:
    """What does not fit, in words."""
    for stream in event_log.streams(conn, "match"):
        name = MatchId(stream.partition("-")[2])
        try:
            loaded = find_match(conn, name)
            if loaded is not None:
                yield from _view(conn, loaded.match)
                yield from _deadlines(conn, loaded.match)
        except Exception as error:  # noqa: BLE001 - the other matches are looked at all the same
            yield f"match {name}: {kind_of(error)}"


def _view(conn: Connection, match: Match) -> Iterator[str]:
    row = views.match_row(conn, match.id)
    if row is None:
        return  # told already
    to_act = tuple(match.player_at(seat) for seat in match.to_act)
    if match.status is Status.CHALLENGE:
        to_act = match.waiting_for
    listed = {
        "ruleset": (row.ruleset, match.ruleset),
        "status": (row.status, match.status.value),
        "players": (row.players, match.players),
        "to_act": (row.to_act, to_act),
        "ply": (row.ply, match.ply),
        "open_seats": (row.open_seats, match.open_seats),
    }
    for column, (have, wanted) in listed.items():
        if have != wanted:
            yield f"match {match.id} is listed with another {column} than the log has"


def _deadlines(conn: Connection, match: Match) -> Iterator[str]:
    """A clock that runs has a timer; a match that was imported has none at all."""
    if match.clocks is None or match.status is not Status.RUNNING:
        return
    timer = tables.timer.c
    of_match = select(timer.key).where(timer.stream == match_stream(match.id))
    keys = set(conn.execute(of_match).scalars())
    for seat in match.clocks.running if keys else ():
        if f"deadline:{match.id}:{seat}" not in keys:
            yield f"match {match.id}: the clock of seat {seat} runs without a timer"
