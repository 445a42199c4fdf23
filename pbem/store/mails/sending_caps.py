"""How many mails a provider lets us send in a time, and how much of that is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from pbem.store.people import rates

if TYPE_CHECKING:
    from sqlalchemy import Connection

NEAR: Final = 4, 5
"""The part of a cap at which the operator is told: there is still time to do something."""

A_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Cap:
    """How many mails the provider lets us send in a time."""

    name: Literal["hour", "day"]
    most: int
    per: timedelta

    @property
    def bucket(self) -> str:
        """Where it is counted."""
        return f"mails:{self.name}"

    def used(self, conn: Connection, now: datetime) -> int:
        """How much of it is used up; it comes back bit by bit, all of it in the cap's time."""
        return rates.filled(conn, self.bucket, now=now, capacity=self.most, per=self.per)

    def is_near(self, used: int) -> bool:
        """Whether so much is used that the operator should know."""
        part, whole = NEAR
        return used * whole >= self.most * part


def caps_of(an_hour: int, a_day: int) -> Iterator[Cap]:
    """The caps of so many mails; 0 is none."""
    if an_hour:
        yield Cap("hour", an_hour, timedelta(hours=1))
    if a_day:
        yield Cap("day", a_day, A_DAY)
