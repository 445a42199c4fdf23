"""What a person typed into a reply: without the quote of our mail, attributions and signature."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice, repeat
from typing import Final, Literal

from pbem.legacy.mail.html import HtmlLine, html_lines
from pbem.legacy.mail.lines import LONGEST, Line, OwnText, fingerprints_of, letters_of, pieces
from pbem.legacy.mail.phrases.lists import Phrases, spoken
from pbem.legacy.mail.quotes import IsOrder, Reply

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


# --- reply text ----------------------------------------------------------------------------------
# What a person typed into a reply: without the quote of our mail, attributions and signatures.
#
# The text part and the HTML part are both read. When the orders in them differ, nobody can say
# which were meant, and the answer says so.

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

_PARTS: Final = re.compile("[:,;]")
"""What parts the beginning of a line from what is said in it."""

_PREFIX: Final = re.compile(r"^\s{0,4}(?:>\s?)+")
_INITIALS: Final = re.compile(r"\s{0,4}([A-Za-z]{1,3})>(?:\s|$)")
_OFTEN: Final = 4
"""Quoted lines by which the initials of their writer are told from a move with an arrow."""


@dataclass(frozen=True, slots=True)
class Typed:
    """The typed lines in their plain form, and which part of the letter they are from.

    conflict: the text and the HTML hold different orders; nothing may be done before asking.
    left_out: bytes of what was typed that are not looked at, since it is too long.
    behind: what stands behind it and is no quote: a signature, as a rule.
    """

    lines: tuple[str, ...]
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
    return fingerprints_sent([*text.splitlines(), *shown])


def fingerprints_sent(lines: Iterable[str]) -> frozenset[str]:
    """The fingerprints of lines that we sent."""
    texts = list(dict.fromkeys(lines))
    return frozenset(fingerprints_of(texts, letters_of(texts))) - {""}


def _text_lines(text: str) -> _Part:
    """The lines of a text, without what mailers write behind the words of links."""
    raw_lines = text.splitlines()
    # The initials that stand before every `>` of a quote, as some programs write them, or none.
    counted = Counter(found[1] for raw in raw_lines[:LINES] if (found := _INITIALS.match(raw)))
    initials = next((one for one, often in counted.most_common(1) if often >= _OFTEN), "")
    return _looked_at(
        replace(line, text=_TARGET.sub("", line.text)) if "<" in line.text else line
        for line in _unprefixed(((raw, False) for raw in raw_lines), initials)
    )


def _html_lines(found: Iterable[HtmlLine]) -> _Part:
    return _looked_at(
        _unprefixed((raw, one.quoted) for one in found for raw in one.text.splitlines() or [""])
    )


@cache
def _picture_endings() -> tuple[str, ...]:
    return tuple(ending.casefold() for ending in spoken().picture_endings)


def _unprefixed(shown: Iterable[tuple[str, bool]], initials: str = "") -> Iterator[Line]:
    """Lines, quoted or not, without leading `>`, or `X>` of the writer's initials, and pictures.

    What mailers make of a picture is its name, or what we let stand for it.
    """
    endings = _picture_endings()
    for raw, quoted in shown:
        line = raw
        if initials and raw.lstrip().startswith(f"{initials}>"):
            line = raw.lstrip().removeprefix(initials)
        prefix = _PREFIX.match(line)
        text = line[prefix.end() :] if prefix is not None else line
        if len(text) <= _ALT and (
            _PICTURE.fullmatch(text) is not None
            or text.rstrip(_AFTER_ALT).casefold().endswith(endings)
        ):
            text = ""
        yield Line(raw, text, quoted or prefix is not None)


def _looked_at(lines: Iterable[Line]) -> _Part:
    """The lines in their plain form, the long ones in pieces, as far as they are looked at."""
    found: list[Line] = []
    room, left_out = LOOKED_AT, 0
    for line in lines:
        text = line.text.strip()
        if room <= 0 or len(found) >= LINES:
            left_out += len(text)
        elif len(text) <= LONGEST and text.isascii() and text.isprintable():
            found.append(Line(line.raw, text, line.quoted))
            room -= len(text)
        else:
            some = list(islice(pieces(line.text), LOOKED_AT // LONGEST))
            raws = [line.raw, *some[1:]]
            found.extend(map(Line, raws, some, repeat(line.quoted)))
            room -= sum(map(len, some))
    return _Part(found, left_out)


def _trimmed(lines: Iterable[Line]) -> _Part:
    """The lines up to where what somebody typed ends, blank ones only between others, and alone."""
    kept: list[Line] = []
    room, left_out = TYPED, 0
    for line in lines:
        if not line.text and not (kept and kept[-1].text):
            continue
        size = len(line.text.encode())
        room -= size + 1
        if room < 0:
            left_out += size
        else:
            kept.append(line)
    return _Part(kept[:-1] if kept and not kept[-1].text else kept, left_out)


def _typed(part: _Part, own: OwnText, is_order: IsOrder) -> _Part:
    """The lines above the quote; where there is no order, those below or between it as well."""
    lines = part.lines
    reply = Reply(lines, own, is_order)
    above = _signed(lines[: reply.start], is_order)
    if reply.begin >= len(lines):
        # Who signed below so many lines has typed nothing more.
        more = 0 if part.left_out and _signed(lines, is_order).behind else part.left_out
        return replace(above, left_out=above.left_out + more)
    if above.left_out or any(is_order(line.text) for line in above.lines):
        # Where nothing tells what is quoted, words of ours might be taken for theirs.
        inside = reply.below() if reply.prefixed else []
        return replace(above, behind=(*above.behind, *inside))
    below = _signed(reply.below(), is_order)
    if not above.lines:
        return below
    # Words above and moves inside: only where a prefix tells what is quoted.
    if not (reply.prefixed and any(is_order(line.text) for line in below.lines)):
        return replace(above, behind=())
    both = _trimmed([*above.lines, Line("", "", quoted=False), *below.lines])
    return replace(both, left_out=both.left_out + below.left_out)


def _signed(lines: list[Line], is_order: IsOrder) -> _Part:
    """What was typed in lines above the first mark of a signature, and what stands from it on.

    A phone's "Sent from" is one, too, unless nothing stands above it: then the text is below. Who
    begins with such words and goes on with an order (`Without prejudice: e4 S, if`) has typed them.
    """
    kept: list[Line] = []
    behind: tuple[Line, ...] = ()
    typed = False
    for at, line in enumerate(lines):
        sent = begins_notice(line.text) and not (
            not typed and any(map(is_order, _PARTS.split(line.text)[1:]))
        )
        if (
            (sent and typed)
            or line.text.casefold() in _MARKS
            or line.raw.strip() in _DASHES
            or _RULE.fullmatch(line.text) is not None
        ):
            behind = tuple(lines[at:])
            break
        if not sent:
            typed = typed or bool(line.text)
            kept.append(line)
    return replace(_trimmed(kept), behind=behind)


def _typed_html(html: str, own: OwnText, is_order: IsOrder) -> _Part:
    def has_order(found: list[HtmlLine]) -> bool:
        part = _html_lines(found)
        return not part.left_out and any(
            is_order(line.text) for line in _typed(part, own, is_order).lines
        )

    return _typed(_html_lines(html_lines(html, has_order)), own, is_order)


def _differ(text: list[Line], html: list[Line], is_order: IsOrder) -> bool:
    """Whether two readings hold different orders, however their lines are broken."""
    whole, shown = letters_of(" ".join(line.text for line in lines) for lines in (text, html))
    if whole == shown:
        return False
    ours, theirs = (
        letters_of(line.text for line in lines if line.text and is_order(line.text))
        for lines in (text, html)
    )
    if len(ours) != len(theirs):
        return True
    return any(
        one != other and not (len(one) >= _WIDTH and other.startswith(one))
        for one, other in zip(ours, theirs, strict=True)
    )


def _result(part: _Part, source: Literal["text", "html"], *, conflict: bool = False) -> Typed:
    return Typed(
        tuple(line.text for line in part.lines),
        source,
        conflict,
        part.left_out,
        tuple(line.text for line in part.behind if line.text),
    )


def all_of(text: str) -> Typed:
    """What somebody wrote into a form: there is no quote in it, and nobody signs there."""
    part = _looked_at(Line(raw, raw, quoted=False) for raw in text.splitlines())
    typed = _trimmed(part.lines)
    return _result(replace(typed, left_out=typed.left_out + part.left_out), "text")


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
