"""The orders about one's own mails and times, each a frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class ChooseWish:
    """Send me mails so; `value` as typed."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class StartMails:
    """Send me mails again, and what waits for me."""


@dataclass(frozen=True, slots=True)
class RestDays:
    """Weekdays on which my clocks do not count, as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours in which my clocks do not count, as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Away:
    """When I am on leave, as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Back:
    """I am no longer on leave."""


@dataclass(frozen=True, slots=True)
class ShowSettings:
    """How I wanted my mails."""


@dataclass(frozen=True, slots=True)
class TestMail:
    """Show me how mails can look, so that I can say what I see."""


@dataclass(frozen=True, slots=True)
class LooksBad:
    """What was wrong with the test mail; `what` names it, or nothing."""

    what: str


AboutWishes: TypeAlias = ChooseWish | StartMails | ShowSettings | TestMail | LooksBad

AboutHours: TypeAlias = Away | Back | RestDays | QuietHours
