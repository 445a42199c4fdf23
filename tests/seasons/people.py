"""The people of a simulated club: what each is like, and what all of them do on which day."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from pbem.names import PlayerId, TournamentId

BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
A_DAY: Final = timedelta(days=1)

LADDER, CUP = TournamentId("ladder"), TournamentId("cup")
LEAGUES: Final = {
    TournamentId("logger-league"): {"ruleset": "logger-1", "seats": 2, "group": 6},
    TournamentId("stones-league"): {"ruleset": "logan_stones-1", "seats": 2, "group": 5},
    TournamentId("ludo-league"): {
        "ruleset": "looney_ludo-1", "seats": 3, "group": 6, "options": {"turn_cap": "50"},
    },
    TournamentId("land-league"): {
        "ruleset": "landrush-1", "seats": 4, "group": 5, "stand_in": "easy", "at_once": 3,
    },
}  # fmt: skip
TERMS: Final[dict[TournamentId, dict[str, Any]]] = {
    **{
        name: {"kind": "league", "moving": 1 + (name == "logger-league"), **terms}
        for name, terms in LEAGUES.items()
    },
    LADDER: {"kind": "ladder", "ruleset": "logger-1", "seats": 2},
    CUP: {"kind": "cup", "ruleset": "logan_stones-1", "seats": 2},
}
"""What is played: a league of each game, a ladder, a cup."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a year is. `share` is the part of the people who enter a league, of 100."""

    people: int
    days: int
    seasons: int
    share: int = 100
    climbers: int = 40
    seed: int = 5

    @property
    def season(self) -> timedelta:
        """From the beginning of a season to that of the next one."""
        return (self.days - 4) * A_DAY / self.seasons


YEAR: Final = Size(people=200, days=364, seasons=4)
WEEKS: Final = Size(people=12, days=40, seasons=2, share=60, climbers=5, seed=10)


@dataclass(frozen=True, slots=True)
class Person:
    """How somebody plays: after how many hours, and who writes `letters` is read like a person.

    From `silent` on they never act; from `gone` on nothing of theirs is left here.
    """

    id: PlayerId
    hours: tuple[float, float]
    letters: bool = False
    silent: datetime | None = None
    gone: datetime | None = None
    resigns: int = 20

    @property
    def address(self) -> str:
        """Where their mails go."""
        return f"{self.id}@example.org"

    def acts(self, at: datetime) -> bool:
        """Whether they do anything at a time."""
        return (self.silent is None or at < self.silent) and (self.gone is None or at < self.gone)


@dataclass(frozen=True, order=True, slots=True)
class Planned:
    """Something that is to happen at a time, whatever else does."""

    at: datetime
    key: str
    kind: str = field(compare=False)
    player: PlayerId | None = field(compare=False, default=None)
    tournament: TournamentId | None = field(compare=False, default=None)
    number: int = field(compare=False, default=0)


OPERATORS: Final = (*["correct"] * 4, "void", "adjudicate", "unrate", "extend")
"""What an operator does now and then, to whichever table."""

QUICK, STEADY, SLOW = (0.2, 8.0), (2.0, 40.0), (20.0, 190.0)


def chance_of(*words: object) -> random.Random:
    """Chance that is the same whenever the same is asked."""
    return random.Random(" ".join(map(str, words)))


def people(size: Size) -> dict[PlayerId, Person]:
    """Everybody, by their ids: quick, steady and slow ones; who falls silent; who goes."""
    chance = random.Random(f"people {size.seed}")
    found = {}
    for number in range(size.people):
        silent = gone = None
        fate = number * 37 % 100
        day = BEGINNING + chance.randrange(5, max(6, size.days)) * A_DAY
        if fate < 8:
            silent = BEGINNING if fate < 3 else day
        elif fate < 15:
            gone = day
        found[PlayerId(f"p{number:09}")] = Person(
            PlayerId(f"p{number:09}"),
            hours=chance.choice((QUICK, QUICK, STEADY, STEADY, STEADY, SLOW)),
            letters=number % 10 == 7,
            silent=silent,
            gone=gone,
            resigns=chance.choice((5, 20, 20, 40)),
        )
    return found


def plan(size: Size) -> list[Planned]:
    """All that is planned, in its order."""
    chance = random.Random(f"plan {size.seed}")
    planned = list[Planned]()

    def add(day: float, kind: str, **what: Any) -> None:
        at = BEGINNING + timedelta(seconds=round(day * 86400))
        key = f"{len(planned):05}"
        planned.append(Planned(at, key, kind, **what))

    days = size.season / A_DAY
    for name in TERMS:
        # A season of a league is over before the operator begins the next one.
        add(0.2, "open", tournament=name, number=int(days) - 4)
    everybody = [*people(size).values()]
    for person in everybody:
        _one_person(person, size, chance, add)
    for season in range(size.seasons):
        for name, terms in TERMS.items():
            # One league goes on by itself, the others when the operator says so.
            if terms["kind"] != "ladder" and (season == 0 or name != "stones-league"):
                add(4 + season * days + (name == CUP) * 3, "begin", tournament=name)
            if terms["kind"] == "ladder" and season == 0:
                add(4, "begin", tournament=name)
        for _ in range(8 + size.people // 10):
            act = chance.choice(OPERATORS)
            name = chance.choice([*TERMS])
            add(6 + (season + chance.random()) * days, act, tournament=name)
    add(size.days - 20, "correct", tournament=LADDER)
    for name in TERMS:
        add(size.days - 1 + 0.01 * chance.random(), "stop", tournament=name)
        add(size.days - 0.5, "close", tournament=name)
    return sorted(planned)


def _one_person(person: Person, size: Size, chance: random.Random, add: Any) -> None:
    """What one of them does beside playing."""
    add(0.1, "settle", player=person.id)
    days = size.season / A_DAY
    for name in LEAGUES:
        if chance.randrange(100) < size.share:
            late = chance.random() < 0.1  # in the season that comes next
            day = 5 + chance.random() * size.days / 2 if late else 1 + 2 * chance.random()
            add(day, "enter", player=person.id, tournament=name)
    if int(person.id[1:]) % size.people < size.climbers:
        add(1 + 20 * chance.random() ** 3, "enter", player=person.id, tournament=LADDER)
    for season in range(size.seasons):
        if chance.random() < 0.4:
            day = max(1, season * days + 4 * chance.random())
            add(day, "enter", player=person.id, tournament=CUP)
        if person.silent is None and chance.random() < 0.5:
            # Who was taken out as absent, or has changed their mind, is in again.
            name = chance.choice([*LEAGUES])
            add((season + 0.95) * days, "enter", player=person.id, tournament=name)
    if chance.random() < 0.3:
        add(6 + chance.random() * size.days * 0.8, "away", player=person.id)
    if chance.random() < 0.2:
        name = chance.choice([*TERMS])
        add(5 + chance.random() * size.days, "withdraw", player=person.id, tournament=name)
    if person.gone is not None:
        day = (person.gone - BEGINNING) / A_DAY
        add(day, ("forget", "ban", "leave")[chance.randrange(3)], player=person.id)
