"""The rules of docs/tournaments.md counted as on paper, by what stands there and nothing else.

Numbers are fractions. A table is a value with `seats`, `places`, `late`, `why` and `group`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product
from typing import Any

from tests.fairness_page import fenced

PAGE: dict[str, Any] = {"__name__": "page"}
exec(fenced("python"), PAGE)  # noqa: S102 - our own page

TWO = 2
HALF = Fraction(1, 2)


@dataclass
class Table:
    """Who sits at a table, and what came of it, by the club's match or its operator."""

    number: int
    group: int
    round: int
    seats: list[str]
    time: str
    again: int
    match: str = ""
    why: str = ""
    places: list[int] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    up: tuple[str, int] | None = None

    def lost_on_time(self, who: str) -> bool:
        """TR-5.5."""
        return who in self.late and bool(self.places) and self.places[self.seats.index(who)] > 1

    def won(self) -> str | None:
        """Who has won a table of two."""
        if not self.places or self.places[0] == self.places[1]:
            return None
        return self.seats[self.places.index(1)]


# --- groups and tables ---------------------------------------------------------------------------


@cache
def sizes(people: int, seats: int, wanted: int) -> list[int]:
    """TR-3.2: of all ways to divide them the one that the page describes."""
    allowed = (4, 5, 7) if seats == 4 else (4, 5, 6, 7)
    for count in sorted(
        range(1, people // 4 + 1), key=lambda k: (abs(Fraction(people, k) - wanted), k)
    ):
        ways = (
            [way for way in combinations_with_replacement(allowed, count) if sum(way) == people]
            if count < 9
            else [*many(people, count, allowed)]
        )
        if ways:
            return sorted(min(ways, key=lambda way: sum(size * size for size in way)))
    return []


def many(people: int, count: int, allowed: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to divide many people into so many groups, by how many there are of each size."""
    for numbers in product(range(count + 1), repeat=len(allowed) - 1):
        last = count - sum(numbers)
        if last < 0:
            continue
        counts = (*numbers, last)
        if sum(n * size for n, size in zip(counts, allowed, strict=True)) == people:
            yield tuple(s for n, size in zip(counts, allowed, strict=True) for s in [size] * n)


def circle(players: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """TR-3.4: each round of the circle method, and the seats at its tables."""
    n = len(players) - (len(players) + 1) % TWO
    for r in range(n):
        for s in range(1, (n - 1) // TWO + 1):
            yield r + 1, [players[(r + s) % n], players[(r - s) % n]]
        if n < len(players):
            pair = [players[r], players[-1]]
            yield r + 1, pair if r % TWO == 0 else pair[::-1]


TABLES = {
    (4, 3): (4, 3, 2), (5, 3): (10, 6, 3), (6, 3): (10, 5, 2), (7, 3): (7, 3, 1),
    (4, 4): (4, 4, 4), (5, 4): (5, 4, 3), (7, 4): (7, 4, 2),
}  # fmt: skip
"""TR-3.5: how many tables, how many each plays, how often each pair meets."""


def blocks(players: Sequence[str], tables: Sequence[Table]) -> Iterator[str]:
    """What is wrong with the tables of a group of three or four seats."""
    count, plays, meets = TABLES[len(players), len(tables[0].seats)]
    played = Counter(who for table in tables for who in table.seats)
    met = Counter(frozenset(pair) for table in tables for pair in combinations(table.seats, 2))
    sat = Counter((at, who) for table in tables for at, who in enumerate(table.seats))
    if len(tables) != count or {played[who] for who in players} != {plays}:
        yield f"{len(tables)} tables, of which they play {played}"
    if {met[frozenset(pair)] for pair in combinations(players, 2)} != {meets}:
        yield f"they meet each other {met}"
    often = [sat[at, who] for who in players for at in range(len(tables[0].seats))]
    if max(often) - min(often) > 1:
        yield f"they sit {sat}"


def slots(players: Sequence[str]) -> list[str | None]:
    """TR-4.2: the first two can meet in the final only, the first four in no earlier semi-final."""
    seats = [1]
    while len(seats) < len(players):
        seats = [one for seed in seats for one in (seed, 2 * len(seats) + 1 - seed)]
    return [players[seed - 1] if seed <= len(players) else None for seed in seats]


def faster(time: str) -> str:
    """TR-4.5."""
    return "/".join(str(-(-int(hours) // 2)) for hours in time.split("/"))


# --- how a match ended ---------------------------------------------------------------------------


def result(events: Sequence[Mapping[str, Any]]) -> tuple[list[int], list[int], str, bool]:
    """Placings (TR-5.6), seats that lost on time, D of the match, and whether it was voided."""
    seats = len(events[0]["data"]["players"])
    taken: dict[str, tuple[str, str, str]] = {}
    moves, late, left = [], set[int](), set[int]()
    for event in events:
        data = event["data"]
        match event["type"]:
            case "ChallengeIssued":
                taken[data["challenger"]] = (data["challenger"], "", "")
            case "SeatTaken":
                taken[data["player"]] = (data["player"], data["words"], data["letter"])
            case "MovePlayed":
                moves.append((data["seat"], data["ply"], data["notation"], data["letter"]))
            case "SeatTimedOut":
                late.add(data["seat"])
                left.add(data["seat"])
            case "SeatResigned":
                left.add(data["seat"])
            case "MatchEnded":
                break
            case _:
                pass
    else:
        return [], [], "", events[-1]["type"] == "ChallengeClosed"
    bound = PAGE["bound"](taken.values(), moves)[1]
    places = data["placings"]
    if seats > TWO:
        stayed = [places[seat - 1] for seat in range(1, seats + 1) if seat not in left]
        places = [
            1 + len(stayed) if seat in left else 1 + sum(one < places[seat - 1] for one in stayed)
            for seat in range(1, seats + 1)
        ]
    return places, sorted(late), bound, data["termination"] == "voided"


# --- places in a group ---------------------------------------------------------------------------


def stand(
    players: Sequence[str], tables: Sequence[Table], left: set[str]
) -> dict[str, tuple[int, int, int, int, int]]:
    """TR-5: place; points in halves, direct result in halves, -1 for none; Sonneborn-Berger in
    quarters; time-outs."""
    nobody = {who for who in players if who in left and counts_not(who, tables)}
    got: list[tuple[str, str, Fraction, int]] = []
    for table in tables:
        got += [
            (one, other, part, table.number)
            for one, other, part in meetings(table, left)
            if one not in nobody and other not in nobody
        ]
    points = {
        who: sum((part for one, _, part, _ in got if one == who), Fraction()) for who in players
    }
    berger = {
        who: sum((part * points[other] for one, other, part, _ in got if one == who), Fraction())
        for who in players
    }
    counted = {(one, number) for one, _, _, number in got}
    late = {
        who: sum(t.lost_on_time(who) and (who, t.number) in counted for t in tables)
        for who in players
    }
    there = [who for who in players if who not in nobody]
    direct = {}
    for who in players:
        level = {one for one in there if points[one] == points[who]}
        among = sum((p for one, other, p, _ in got if one == who and other in level), Fraction())
        direct[who] = among if who in there and len(level) > 1 else -HALF
    keys = {
        who: (who in nobody, -points[who], -direct[who], -berger[who], late[who]) for who in players
    }
    return {
        who: (
            1 + sum(other < keys[who] for other in keys.values()),
            int(points[who] * 2),
            int(direct[who] * 2),
            int(berger[who] * 4),
            late[who],
        )
        for who in players
    }


def counts_not(who: str, tables: Sequence[Table]) -> bool:
    """TR-6.3: somebody who has gone has played less than half of their tables."""
    own = [table for table in tables if who in table.seats]
    return len([table for table in own if table.places]) * 2 < len(own)


def meetings(table: Table, left: set[str]) -> Iterator[tuple[str, str, Fraction]]:
    """TR-5.1, TR-6.4: what each got of each other, both ways."""
    for (i, one), (j, other) in product(enumerate(table.seats), repeat=2):
        if i == j:
            continue
        if table.places:
            mine, theirs = table.places[i], table.places[j]
            yield one, other, Fraction(mine < theirs) if mine != theirs else HALF
        elif table.why == "unplayed" and (one in left) != (other in left):
            yield one, other, Fraction(other in left)


def lost_all(players: Sequence[str], tables: Sequence[Table]) -> Iterator[str]:
    """TR-6.6: who lost every table that was played on time."""
    for who in players:
        own = [table for table in tables if who in table.seats and table.places]
        if own and all(table.lost_on_time(who) for table in own):
            yield who


def change_places(
    ranked: Sequence[Sequence[str]], most: int
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """TR-3.6: the order of the next season, and who goes up and down."""
    rows, moved = [list(row) for row in ranked], []
    counts = [min(most, len(upper) // 2, len(lower) // 2) for upper, lower in pairwise(ranked)]
    for at, count in enumerate(counts):
        ups, downs = list(ranked[at + 1][:count]), list(ranked[at][len(ranked[at]) - count :])
        moved += [("moved", "promoted", who, at + 2, at + 1, 0) for who in ups]
        moved += [("moved", "relegated", who, at + 1, at + 2, 0) for who in downs]
        rows[at] = [who for who in rows[at] if who not in downs] + ups
        rows[at + 1] = downs + [who for who in rows[at + 1] if who not in ups]
    return [who for row in rows for who in row], moved
