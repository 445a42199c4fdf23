"""The verbs about what is said in a match: to the others, to oneself, to the operator."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pbem.legacy.mail.verbs.verb import Order, Verb, any_text, bare, name

# --- orders --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Say(Order):
    """A message to the others in the match."""

    text: str


@dataclass(frozen=True, slots=True)
class ShowMessages(Order):
    """What has been said in the match."""


@dataclass(frozen=True, slots=True)
class Mute(Order):
    """Nothing that somebody says, or with no name anybody."""

    player: str


@dataclass(frozen=True, slots=True)
class Unmute(Order):
    """Again what somebody says, or with no name everybody."""

    player: str


@dataclass(frozen=True, slots=True)
class Report(Order):
    """Tell the operator of what somebody said; `player` as typed, empty where there is but one."""

    player: str


@dataclass(frozen=True, slots=True)
class Note(Order):
    """Something for oneself alone; without text what was noted before."""

    text: str


@dataclass(frozen=True, slots=True)
class Comment(Order):
    """Say something of the move that was ply `ply` of a match that is over; None: of the match."""

    ply: int | None
    text: str


# --- how the rest of a line is read ---------------------------------------------------------------


_BACK: Final = ("back", "me", "to", "on", "from", "mich", "dich", "uns", "sich")


def report(rest: str) -> Order | None:
    """Somebody's name, or nothing, and no sentence (`Report back soon`, `Melde mich morgen`)."""
    return None if rest.casefold().split(" ")[0] in _BACK else name(Report)(rest)


_COMMENTED: Final = re.compile(
    r"(?:(?:on|to|zum?) )?(?:(?:move|ply|zug) )?(?:#|no\. ?|nr\. ?)?(\d{1,6})(?!\w)"
    r"[\s:.,;)\u2013-]*"
    r"|(?:(start|beginning|anfang|beginn)|end|ende|schluss) ?:\s*"
    r"|[:,;\u2013-]\s*",
    re.IGNORECASE,
)
"""`12: ...`, `on move 12 ...`, `start: ...`, `: ...`: of which move a comment is."""


_HOW: Final = (
    *("\u00e7a", "ca", "va", "vas", "tu", "vous", "est", "es", "on", "je", "il", "elle", "nous"),
    *("allez", "faire", "avez", "as", "a", "dit"),
)
"""Words behind `comment` where it is French, and asks how."""


def comment(rest: str) -> Order | None:
    """The number of a move, if there is one, and a text; and no question how somebody is."""
    found = _COMMENTED.match(rest)
    if found is None:
        how = re.split(r"[\s-]", rest.casefold(), maxsplit=1)[0] in _HOW
        return None if how else Comment(None, rest)
    ply = int(found[1]) if found[1] else 0 if found[2] else None
    return Comment(ply, rest[found.end() :].strip())


# --- verbs ----------------------------------------------------------------------------------------


VERBS: Final = (
    Verb(name="say", behind="words", also=("chat", "press"), order=any_text(Say),
         examples=("say Well played!",), needs_match=True, takes_paragraph=True),
    Verb(name="messages", order=bare(ShowMessages()), examples=("messages",), needs_match=True),
    Verb(name="mute", behind="name", order=name(Mute), examples=("mute", "mute Bob"),
         needs_match=True),
    Verb(name="unmute", behind="name", order=name(Unmute), examples=("unmute",), needs_match=True),
    Verb(name="report", behind="name", order=report, examples=("report Bob",),
         needs_match=True),
    Verb(name="note", behind="words", also=("diary", "notes"), order=any_text(Note),
         examples=("note He never guards the corner.", "note"), needs_match=True,
         takes_paragraph=True),
    Verb(name="comment", behind="words", order=comment,
         examples=("comment 12: That was the move.", "comment: What a match!"),
         needs_match=True, takes_paragraph=True),
)  # fmt: skip
