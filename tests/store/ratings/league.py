"""Matches that end in a log, without the moves that led there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select

from pbem.matches.events import MatchEnded
from pbem.matches.operator_acts import MatchUnrated
from pbem.names import Digest, PlayerId
from pbem.store import tables
from pbem.store.log import event_log

MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)
REASON = Digest("0" * 64)


def end(
    conn: Connection,
    match: str,
    people: Sequence[str],
    places: Sequence[int],
    at: datetime,
    *,
    lost: Sequence[str] = (),
    unrated: str = "",
    game: str = "logger",
) -> None:
    """Let a match end in which each had ten turns; those who `lost` did so on time."""
    record = tuple(
        (place, 10, int(one in lost), int(one in lost))
        for one, place in zip(people, places, strict=True)
    )
    ended = MatchEnded(
        placings=tuple(places),
        termination="points",
        people=tuple(map(PlayerId, people)),
        record=record,
        unrated=unrated,
    )
    event_log.append(
        conn, f"match-{match}", category="match", expected=0, events=[ended], cause=match,
        actor="", ruleset=f"{game}-1", now=at,
    )  # fmt: skip


def correct(conn: Connection, match: str, at: datetime) -> None:
    """The operator lets no rating go by a match."""
    event_log.append(
        conn, f"match-{match}", category="match", expected=1,
        events=[MatchUnrated(author="olga", reason=REASON)], cause=f"unrate {match}", actor="",
        ruleset="logger-1", now=at,
    )  # fmt: skip


def rows(conn: Connection) -> list[list[tuple[Any, ...]]]:
    """All that is kept of results and ratings, whichever build it is."""
    found = []
    for table, key in ((tables.result, "position"), (tables.rating, "game")):
        columns = [column for column in table.columns if column.name != "build"]
        ordered = select(*columns).order_by(table.c[key], table.c.player)
        found.append([tuple(row) for row in conn.execute(ordered)])
    return found


class Year:
    """A year of matches, one after the other, of so many players who are not equally good."""

    def __init__(self, seed: int, players: int = 12) -> None:
        """The same seed plays the same year."""
        self.dice = random.Random(seed)
        self.players = [f"p{number:02}" for number in range(players)]
        self.at, self.number = MONDAY, 0
        self.right: list[str] = []

    def play(self, conn: Connection, corrections: float = 0.0) -> str:
        """One more match; its name."""
        dice = self.dice
        self.at += timedelta(hours=dice.expovariate(1 / 20))
        self.number += 1
        seats = dice.choice((2, 2, 2, 3, 4))
        people = dice.sample(self.players[: 5 if dice.random() < 0.5 else None], seats)
        strong = {one: dice.gauss(self.players.index(one), 4) for one in people}
        places = [
            1 + sum(round(strong[other]) > round(strong[one]) for other in people) for one in people
        ]
        lost = [one for one in people if places[people.index(one)] == seats and dice.random() < 0.2]
        name = f"M{self.number}"
        end(
            conn, name, people, places, self.at, lost=lost,
            unrated="wish" if dice.random() < 0.1 else "",
            game=dice.choice(("logger", "landrush")),
        )  # fmt: skip
        if dice.random() < corrections and self.right:
            correct(conn, self.right.pop(dice.randrange(len(self.right))), self.at)
        self.right.append(name)
        return name
