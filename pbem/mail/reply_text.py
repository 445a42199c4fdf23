"""What a person typed into a reply: without the quote of our mail, attributions and signature."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from typing import Final, Literal

from pbem.mail.html import HtmlLine, html_lines
from pbem.mail.lines import (
    LONGEST,
    MARKER,
    Line,
    OwnText,
    fingerprint,
    letters,
    pieces,
    plain,
    quoting_initials,
    unprefixed,
)
from pbem.mail.phrases.lists import Phrases, spoken
from pbem.mail.quotes import IsOrder, Reply

# --- signatures ----------------------------------------------------------------------------------
# Where a person's words end: signature marks, what phones add, and SIGNOFF.

_MARKS: Final = frozenset({"--", "signoff"})
_DASHES: Final = frozenset({"\u2013", "\u2014"})  # what phones make of `--`
_RULE: Final = re.compile(r"_{3,}")
_SIGN_WORDS: Final = 7
_NAMED: Final = 3


def is_sign_off(line: str) -> bool:
    """Whether a line is nothing but the end of a letter (`Best regards, Ann`)."""
    found = line.split()
    words = [word.strip(" .,;!-").casefold() for word in found]
    if not 0 < len(words) <= _SIGN_WORDS:
        return False
    said = spoken()
    if " ".join(words) in said.sign_offs_alone:
        return True
    first = 0
    while first < len(words) and words[first] in said.sign_offs:
        first += 1
    names = found[first:]
    strong = any(word not in said.weak_sign_offs for word in words[:first])
    return strong and len(names) <= _NAMED and all(word[:1].isupper() for word in names)


def begins_notice(line: str) -> bool:
    """Whether a line begins what programs and companies add to letters."""
    folded = line.casefold()
    programs, people = _beginnings(spoken())
    return folded.startswith(programs) and not folded.startswith(people)


@lru_cache(maxsize=2)
def _beginnings(said: Phrases) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What lines of mail programs begin with, and those of people that look like them."""
    programs, people = said.sent_from, said.sent_by_person
    return tuple(one.casefold() for one in programs), tuple(one.casefold() for one in people)


def _ends(line: Line) -> bool:
    return (
        line.text.casefold() in _MARKS
        or line.raw.strip() in _DASHES
        or _RULE.fullmatch(line.text) is not None
    )


def without_signature(lines: Iterable[Line]) -> list[Line]:
    """The lines up to the first mark of a signature.

    A phone's "Sent from" also ends them, unless nothing stands above it: then the text is below.
    """
    return split_signature(lines)[0]


def split_signature(lines: Iterable[Line]) -> tuple[list[Line], list[Line]]:
    """The lines above the mark of a signature, and those from it on."""
    kept: list[Line] = []
    rest = iter(lines)
    typed = False
    for line in rest:
        sent = begins_notice(line.text)
        if _ends(line) or (sent and typed):
            return kept, [line, *rest]
        if not sent:
            typed = typed or bool(line.text)
            kept.append(line)
    return kept, []


# --- reply text ----------------------------------------------------------------------------------
# What a person typed into a reply: without the quote of our mail, attributions and signatures.
#
# The text part and the HTML part are both read. When the orders in them differ, nobody can say
# which
# were meant, and the answer says so.

__all__ = [
    "MARKER",
    "IsOrder",
    "OwnText",
    "Typed",
    "all_of",
    "fingerprint",
    "fingerprints",
    "fingerprints_of",
    "typed_text",
]

LINES: Final = 5000
"""Lines of a part that are looked at; nobody types below that many."""

LOOKED_AT: Final = 256 << 10
"""Characters of a part in their plain form that are looked at, with what is quoted."""

TYPED: Final = 32 << 10
"""Bytes, as UTF-8, at which what somebody typed ends (MAIL 1)."""

_WIDTH: Final = 60
"""A line of text at least this long may have been broken by the sender's mailer."""

_TARGET: Final = re.compile(r"[ \t]?<(?:mailto:[^\s<>?]{3,320}\?|https?://)[^\s<>]{1,2000}>")
"""What mailers write behind the words of a link when they make text of a page."""

_PICTURE: Final = re.compile(r"\s{0,9}\[(?:image|cid):[^\]\n]{0,200}\]\s{0,9}")
"""What they write for a picture."""

_ALT: Final = 240
"""Signs of a line that stands for a picture, with what a mailer writes around it."""

_AFTER_ALT: Final = " \t.>])}*_"


@dataclass(frozen=True, slots=True)
class Typed:
    """The typed lines in their plain form, the same lines as typed, and which part they are from.

    conflict: the text and the HTML hold different orders; nothing may be done before asking.
    left_out: bytes of what was typed that are not looked at, since it is too long.
    behind: what stands behind it and is no quote: a signature, as a rule.
    """

    lines: tuple[str, ...]
    raw_lines: tuple[str, ...]
    source: Literal["text", "html"]
    conflict: bool = False
    left_out: int = 0
    behind: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines of one part of a letter, the bytes behind them that are left out, and other lines."""

    lines: list[Line]
    left_out: int = 0
    behind: tuple[Line, ...] = ()


def fingerprints(text: str, html: str | None = None) -> frozenset[str]:
    """The fingerprints of a mail of ours, to be kept with it until it is answered."""
    shown = [line.text for line in html_lines(html)] if html is not None else []
    return fingerprints_of([*text.splitlines(), *shown])


def fingerprints_of(lines: Iterable[str]) -> frozenset[str]:
    """The fingerprints of lines that we sent."""
    found = map(_fingerprint, dict.fromkeys(lines))
    return frozenset(one for one in found if one is not None)


@lru_cache(maxsize=2_000)
def _fingerprint(line: str) -> str | None:
    # Half of the lines of a mail stand in every mail.
    return fingerprint(plain(line))


def _text_lines(text: str) -> _Part:
    raw_lines = text.splitlines()
    initials = quoting_initials(raw_lines[:LINES])
    return _looked_at(_text_line(raw, initials) for raw in raw_lines)


def _text_line(raw: str, initials: str) -> Line:
    content, quoted = unprefixed(raw, initials)
    return Line(raw, "" if _is_picture(content) else _TARGET.sub("", content), quoted)


def _is_picture(line: str) -> bool:
    """Whether a line is what mailers make of a picture: its name, or what we let stand for it."""
    if len(line) > _ALT:
        return False
    return _PICTURE.fullmatch(line) is not None or line.rstrip(_AFTER_ALT).casefold().endswith(
        _picture_endings()
    )


@cache
def _picture_endings() -> tuple[str, ...]:
    return tuple(ending.casefold() for ending in spoken().picture_endings)


def _from_html(found: Iterable[HtmlLine]) -> _Part:
    return _looked_at(
        Line(raw, "" if _is_picture(content) else content, one.quoted or quoted)
        for one in found
        for raw in one.text.splitlines() or [""]
        for content, quoted in [unprefixed(raw)]
    )


def _looked_at(lines: Iterable[Line]) -> _Part:
    """The lines in their plain form, the long ones in pieces, as far as they are looked at."""
    found: list[Line] = []
    room, left_out = LOOKED_AT, 0
    for line in lines:
        if room <= 0 or len(found) >= LINES:
            left_out += len(line.text.strip())
            continue
        for piece in _pieces(line):
            found.append(piece)
            room -= len(piece.text)
    return _Part(found, left_out)


def _pieces(line: Line) -> Iterator[Line]:
    """The pieces of a line; all of them are quoted, or none."""
    whole = True
    for text in islice(pieces(line.text), LOOKED_AT // LONGEST):
        yield Line(line.raw if whole else text, text, line.quoted)
        whole = False
    if whole:
        yield Line(line.raw, "", line.quoted)


def _trimmed(lines: list[Line]) -> list[Line]:
    """Without blank lines at both ends, and without a second one anywhere."""
    kept: list[Line] = []
    for line in lines:
        if line.text or (kept and kept[-1].text):
            kept.append(line)
    return kept[:-1] if kept and not kept[-1].text else kept


def _within(lines: list[Line]) -> _Part:
    """The lines up to where what somebody typed ends."""
    room = TYPED
    for number, line in enumerate(lines):
        room -= len(line.text.encode()) + 1
        if room < 0:
            left_out = sum(len(rest.text.encode()) for rest in lines[number:])
            return _Part(_trimmed(lines[:number]), left_out)
    return _Part(lines)


def _typed(part: _Part, own: OwnText, is_order: IsOrder) -> _Part:
    """The lines above the quote; where there is no order, those below or between it as well."""
    lines = part.lines
    reply = Reply(lines, own, is_order)
    start, begin = reply.quote()
    above, signature = _signed(lines[:start])
    if begin >= len(lines):
        # Who signed below so many lines has typed nothing more.
        signed = part.left_out and len(without_signature(lines)) < len(lines)
        left_out = above.left_out + (0 if signed else part.left_out)
        return _Part(above.lines, left_out, tuple(signature))
    if above.left_out or any(is_order(line.text) for line in above.lines):
        # Where nothing tells what is quoted, words of ours might be taken for theirs.
        more = reply.below(begin) if reply.prefixed(begin) else []
        return replace(above, behind=(*signature, *more))
    below, signature = _signed(reply.below(begin))
    if not above.lines:
        return replace(below, behind=tuple(signature))
    # Words above and moves inside: only where a prefix tells what is quoted.
    inside = reply.prefixed(begin) and any(is_order(line.text) for line in below.lines)
    if not inside:
        return above
    both = _within(_trimmed([*above.lines, Line("", "", quoted=False), *below.lines]))
    return _Part(both.lines, both.left_out + below.left_out)


def _signed(lines: list[Line]) -> tuple[_Part, list[Line]]:
    """What was typed in some lines, and the signature behind it."""
    kept, signature = split_signature(lines)
    return _within(_trimmed(kept)), signature


def _typed_html(html: str, own: OwnText, is_order: IsOrder) -> _Part:
    def has_order(found: list[HtmlLine]) -> bool:
        part = _from_html(found)
        return not part.left_out and any(
            is_order(line.text) for line in _typed(part, own, is_order).lines
        )

    return _typed(_from_html(html_lines(html, has_order)), own, is_order)


def _orders(lines: list[Line], is_order: IsOrder) -> list[str]:
    return [letters(line.text) for line in lines if line.text and is_order(line.text)]


def _differ(text: list[Line], html: list[Line], is_order: IsOrder) -> bool:
    """Whether two readings hold different orders, however their lines are broken."""
    if letters(" ".join(line.text for line in text)) == letters(
        " ".join(line.text for line in html)
    ):
        return False
    ours, theirs = _orders(text, is_order), _orders(html, is_order)
    if len(ours) != len(theirs):
        return True
    return any(
        one != other and not (len(one) >= _WIDTH and other.startswith(one))
        for one, other in zip(ours, theirs, strict=True)
    )


def _result(part: _Part, source: Literal["text", "html"], *, conflict: bool = False) -> Typed:
    return Typed(
        tuple(line.text for line in part.lines),
        tuple(line.raw for line in part.lines),
        source,
        conflict,
        part.left_out,
        tuple(line.text for line in part.behind if line.text),
    )


def all_of(text: str) -> Typed:
    """What somebody wrote into a form: there is no quote in it, and nobody signs there."""
    part = _looked_at(Line(raw, raw, quoted=False) for raw in text.splitlines())
    within = _within(_trimmed(part.lines))
    return _result(replace(within, left_out=within.left_out + part.left_out), "text")


def typed_text(
    text: str | None, html: str | None, own: OwnText, is_order: IsOrder = lambda _line: False
) -> Typed:
    """What the writer of a letter typed. Never raises but what `is_order` raises.

    `is_order` says of a line in its plain form whether it would be read as an order.
    """
    if not text or not text.strip():
        part = _typed_html(html, own, is_order) if html else _Part([])
        return _result(part, "html" if html else "text")
    part = _typed(_text_lines(text), own, is_order)
    if html is None or not html.strip():
        return _result(part, "text")
    shown = _typed_html(html, own, is_order)
    return _result(part, "text", conflict=_differ(part.lines, shown.lines, is_order))
