"""What one look at the service has found, for all who hear of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.monitoring.checks import Check
    from pbem.monitoring.facts import Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """The checks of one look; `facts` are missing where the database could not be read.

    `unanswered`: the seconds for which who writes in this process has given no answer, or what the
    last one took. `answers`: whether there was one, be it that nothing could be written.
    """

    at: datetime
    checks: tuple[Check, ...]
    facts: Facts | None
    unanswered: float = 0.0
    answers: bool = True
    suspended: int = 0
