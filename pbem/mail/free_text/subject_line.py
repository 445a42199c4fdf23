"""What a player typed into the subject; read only where the body holds no order (MAIL 1)."""

from __future__ import annotations

import re
from typing import Final

from pbem.mail.lines import letters, one_line, plain
from pbem.mail.phrases.lists import patterns

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
