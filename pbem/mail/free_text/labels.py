"""What a line is labelled with: the match and the ply that it is for, by name or in words.

A match's name and a ply stand before an order, or behind its verb (`K7QX2#12 e1`); before a colon
stand a game, an opponent, or the other game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from pbem.games.game import Ply
from pbem.mail.phrases.lists import spoken
from pbem.names import MatchId

if TYPE_CHECKING:
    from pbem.mail.verbs.verb_table import Verb

# A match's name always has a digit, so that no English word of five letters is one.
_PREFIX: Final = re.compile(
    r"(?:(?P<match>(?=[a-z]*[0-9])[a-z0-9]{5})(?:#(?P<ply>[0-9]{1,5}(?:\.[0-9]{1,3})?))?"
    r"|#(?P<only>[0-9]{1,5}(?:\.[0-9]{1,3})?))[:,]?(?:\s+|$)",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"(?P<match>(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z0-9]{5})(?:(?:\s*#\s*|\s+)(?P<ply>[0-9]{1,5}))?",
    re.IGNORECASE,
)
_SHOWN: Final = ("board", "history", "record", "replay", "gif", "verify")
"""Verbs behind which a match can be named."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Guard:
    """What stands before an order: the match and the ply that it is for."""

    match: MatchId | None = None
    ply: Ply | None = None
    back: int = 0


def shown_of(verb: Verb | None, here: Guard, arguments: str) -> tuple[Guard, str]:
    """`show K7QX2#12` and `record K7QX2` name the match behind the verb."""
    found = _NAMED.fullmatch(arguments) if verb is not None and verb.name in _SHOWN else None
    if found is None:
        return here, arguments
    return Guard(match=MatchId(found["match"].upper())), found["ply"] or ""


def prefix(line: str) -> tuple[Guard, str]:
    """What a line names before its order, and the rest of it."""
    found = _PREFIX.match(line)
    if found is None:
        return Guard(), line
    ply, _, back = (found["ply"] or found["only"] or "").partition(".")
    guard = Guard(
        match=MatchId(found["match"].upper()) if found["match"] else None,
        ply=Ply(int(ply)) if ply else None,
        back=int(back or 0),
    )
    return guard, line[found.end() :]


# --- in words ------------------------------------------------------------------------------------

Labels: TypeAlias = Callable[[], "Sequence[Labelled]"]
"""Tells the matches that a letter of its writer's may be about, the one that it answers first."""

LABEL: Final = re.compile(
    r"([^:]{1,50}):\s*(.*)|(?=[^:]{1,60}$)(.{1,50}?) (board|brett|history|verlauf)[ .!]*",
    re.DOTALL | re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A match, and the words by which it may be called, in small letters.

    `mine` are those of the name under which who writes plays in it.
    """

    match: MatchId
    words: frozenset[str]
    mine: frozenset[str] = frozenset()


def labelled(found: re.Match[str], labels: Labels) -> tuple[MatchId, str] | None:
    """The one match that a line with a label is for, and the rest of the line."""
    label = found[1] or found[3]
    said = set(_WORD.findall(label.casefold())) - spoken().labelling
    if not said:
        return None
    known, rest = labels(), found[2] or found[4] or ""
    if said <= spoken().other:
        return (known[1].match, rest) if len(known) == 2 else None  # noqa: PLR2004 - this, and the other
    meant = [one.match for one in known if said - spoken().other <= one.words]
    return (meant[0], rest) if len(meant) == 1 else None
