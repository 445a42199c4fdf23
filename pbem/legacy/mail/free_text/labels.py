"""What a line is labelled with: the match and the ply that it is for, by name or in words.

A match's name and a ply stand before an order, or behind its verb (`K7QX2#12 e1`); before a colon
stand a game, an opponent, or the other game. What was typed into the subject is read only where
the body holds no order (MAIL 1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from pbem.games.game import Ply
from pbem.legacy.mail.lines import letters, one_line, plain
from pbem.legacy.mail.phrases.lists import spoken
from pbem.legacy.mail.phrases.patterns import patterns
from pbem.names import MatchId

if TYPE_CHECKING:
    from pbem.legacy.mail.verbs.verb import Verb

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
_SHOWN: Final = ("board", "history", "record", "replay", "gif", "analysis", "verify")
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


_LONGEST: Final = 300
_TAG: Final = re.compile(r"\[([^\[\]]{1,80})\]")


def typed_subject(subject: str, sent: str) -> str | None:
    """The words that the player wrote into the subject, or None where it is still ours.

    `sent` is the subject of the mail that is answered. Its tag alone (`[Logger K7QX2]`) is ours as
    well: our mailto links write it.
    """
    rest, ours = one_line(subject[:_LONGEST]), one_line(sent)
    marks = patterns().subject_mark
    while mark := marks.match(rest):
        rest = rest[mark.end() :]
    at = rest.casefold().find(ours.casefold()) if ours else -1
    if at >= 0:
        rest = f"{rest[:at]} {rest[at + len(ours) :]}"
    elif (tag := _TAG.search(ours)) is not None:
        rest = _without(rest, tag[0], ours[tag.end() :])
    rest = plain(rest)[:_LONGEST]  # NFKC makes eighteen characters of one
    return None if not rest or letters(rest) in letters(ours) else rest


def _without(subject: str, tag: str, tail: str) -> str:
    """A subject without our tag, and without the words after it where they are still there."""
    at = subject.casefold().find(tag.casefold())
    if at < 0:
        return subject
    before, after = subject[:at], subject[at + len(tag) :].strip()
    tail = tail.strip()
    if tail and after.casefold().startswith(tail.casefold()):
        after = after[len(tail) :]
    return f"{before} {after}"
