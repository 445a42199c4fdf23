"""The orders about what concerns their writer alone: decisions in advance, notes, mails, times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.matches.branches import Branch

# --- private orders ------------------------------------------------------------------------------
# The orders about what nobody else sees: decisions in advance, notes, and who is heard.


@dataclass(frozen=True, slots=True)
class If:
    """What to play if the others play so, as typed."""

    branch: Branch


@dataclass(frozen=True, slots=True)
class HalfIf:
    """Moves behind `if` of which no `then` says which are the answer."""


@dataclass(frozen=True, slots=True)
class SaidIf:
    """A decision in advance behind `say`: one of the two is not meant."""


@dataclass(frozen=True, slots=True)
class ShowConditions:
    """What I have decided so."""


@dataclass(frozen=True, slots=True)
class DropConditions:
    """Nothing of it any more."""


@dataclass(frozen=True, slots=True)
class ShowMessages:
    """What has been said in the match."""


@dataclass(frozen=True, slots=True)
class Mute:
    """Nothing that somebody says, or with no name anybody."""

    player: str


@dataclass(frozen=True, slots=True)
class Unmute:
    """Again what somebody says, or with no name everybody."""

    player: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something for oneself alone; without text what was noted before."""

    text: str


PrivateOrder: TypeAlias = (
    If | HalfIf | SaidIf | ShowConditions | DropConditions | ShowMessages | Mute | Unmute | Note
)


# --- wish orders ---------------------------------------------------------------------------------
# The orders about one's own mails and times, each a frozen value.


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
