"""The verbs that show a match as a whole, and prove it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pbem.legacy.mail.verbs.verb import Order, Verb, bare

# --- orders --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShowRecord(Order):
    """The whole match as text."""

    public = True


@dataclass(frozen=True, slots=True)
class ShowReplay(Order):
    """The match as a page to step through."""

    public = True


@dataclass(frozen=True, slots=True)
class ShowGif(Order):
    """The match as a moving picture."""

    public = True


@dataclass(frozen=True, slots=True)
class ShowAnalysis(Order):
    """What decided the match."""

    public = True


@dataclass(frozen=True, slots=True)
class Verify(Order):
    """Check chain and draws."""

    public = True


@dataclass(frozen=True, slots=True)
class Prove(Order):
    """That the match is in the log as it was signed; and the log as it was at an older size."""

    public = True
    since: int | None


# --- how the rest of a line is read ---------------------------------------------------------------


_MOST_DIGITS: Final = 12
"""Of a number of events."""


def proof(rest: str) -> Order | None:
    """How many events there were before, or nothing."""
    if not rest:
        return Prove(None)
    number = rest.isascii() and rest.isdigit() and len(rest) <= _MOST_DIGITS
    return Prove(int(rest)) if number else None


# --- verbs ----------------------------------------------------------------------------------------


VERBS: Final = (
    Verb(name="record", also=("export",), order=bare(ShowRecord()), examples=("record",),
         needs_match=True),
    Verb(name="replay", order=bare(ShowReplay()), examples=("replay",), needs_match=True),
    Verb(name="gif", order=bare(ShowGif()), examples=("gif",),
         needs_match=True),
    Verb(name="analysis", also=("analyze",), order=bare(ShowAnalysis()),
         examples=("analysis",), needs_match=True),
    Verb(name="verify", order=bare(Verify()), examples=("verify",), needs_match=True),
    Verb(name="proof", order=proof, examples=("proof",), needs_match=True),
)  # fmt: skip
