"""Extraction of what a person typed in a reply: no quote, attribution, signature or footer.

Mail programs quote in many ways: with `>`, with indentation, or with nothing at all below a block
of headers. Parsers that look for "wrote:" in a few languages fail on a quarter of replies. We know
more than such parsers, because the quoted email is ours. Four signs show where the quote begins:

- a line that names one of our addresses or display names, as attributions and headers do;
- lines that we sent, compared only by their letters and digits (`normalise_line`);
- the prefix `>`, which `html.html_to_text` also writes before lines in a quote container;
- the marker line at the top of all our emails.

Text above the quote was typed. If the quoted lines have a prefix, lines without a prefix below and
between them were typed, too. If the quoted lines have no prefix, lines below and between them are
used only if nothing was typed above the quote, and only if they are not lines of our email. Known
limit: there, a typed line that equals a line of our email is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.mail.html import html_to_text
from pbem.mail.normal import normalise
from pbem.mail.words import FOOTERS, RULES

MAX_TYPED: Final = 32 << 10  # characters of a reply that are read; players type less

# The line that begins our emails, in any language. It does not begin with a dash, which inline PGP
# would escape, and is too short to be wrapped.
_MARKER_LINE: Final = re.compile(r"={3,}.{3,70}={3,}")
_PREFIX: Final = re.compile(r"\s{0,4}(?:>\s?)+|[A-Z]{1,2}>(?:\s|$)")  # `L>`: initials, in The Bat
_FIELD: Final = re.compile(r"\W{0,3}\w[\w .'/-]{0,24}\W{0,2}:(?!\d)")
_DATE: Final = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|\b(?:19|20)\d{2}\b|\d{4}年")
_DASHES: Final = re.compile(r"[-_*~]{5,}")
_DEVICE: Final = re.compile(r"iphone|ipad|android|galaxy", re.IGNORECASE)
_MAX_FOOTER: Final = 40  # most characters of a last line such as "My iPhone"
_PICTURE: Final = re.compile(r"\[(?:image|cid):[^\]]*\]")  # a picture in a text
_UNDERSCORES: Final = re.compile(r"_{3,}")
_LINK: Final = re.compile(r"<(?:mailto:|https?://)[^\s<>]{1,2000}>")  # after the text of a link

_SPACES: Final = re.compile(r"\s+")
_MIN_LETTERS: Final = 4  # with fewer letters and digits, lines are compared by all characters
_MIN_SIGNS: Final = 3  # fewest characters other than spaces by which lines are compared
_MAX_BLOCK: Final = 8  # most lines of an attribution or header block above or below the one found
_MIN_RUN: Final = 3  # consecutive lines of our email that are enough to be a quote
_MIN_KNOWN: Final = 2  # fewest lines of our email that a quote without a prefix must have
_MIN_WRAPPED: Final = 64  # fewest characters of a quoted line that may have been wrapped
_PIECE_LETTERS: Final = 40  # of an adjacent line, compared together with a wrapped line

_RULE_WORDS: Final = frozenset(entry for entries in RULES.values() for entry in entries)
_FOOTERS: Final = tuple(entry for entries in FOOTERS.values() for entry in entries)


def normalise_line(line: str) -> str:
    """Return the letters and digits of a line in lower case, to compare lines of two emails.

    Mail programs change the rest, such as spaces, and add links. So links are left out, too.
    If a line has fewer than four letters and digits, as a row of a board may have, return all its
    characters except spaces. If there are fewer than three of these, the result is empty.
    """
    line = normalise(_LINK.sub("", line)).casefold()
    letters = "".join(filter(str.isalnum, line))
    if len(letters) >= _MIN_LETTERS:
        return letters
    signs = _SPACES.sub("", line)
    return signs if len(signs) >= _MIN_SIGNS else ""


def list_sent_lines(text: str, html: str) -> frozenset[str]:
    """Return the normalised lines of an email of ours, to recognise them in replies that quote it.

    `text` and `html` are the two versions of the email.
    """
    lines = [*text.splitlines(), *html_to_text(html).splitlines()]
    return frozenset(map(normalise_line, lines)) - {""}


def remove_quote(text: str, *, sent_lines: Collection[str], own_addresses: Collection[str]) -> str:
    """Return the text that a person typed in a reply.

    Args:
        text: The text of the reply, as in `InboundEmail.text`.
        sent_lines: The normalised lines of our email that the reply answers, as `list_sent_lines`
            returns them; empty if that email is unknown.
        own_addresses: The addresses and display names of this service, which attributions may
            contain. An address also matches with any tag after a plus sign.
    """
    reply = _Reply(text, frozenset(sent_lines), own_addresses)
    return "\n".join(reply.list_typed()).strip("\n")[:MAX_TYPED]


def list_foreign_quote(text: str, *, sent_lines: Collection[str]) -> list[str]:
    """Return the text of lines with the prefix `>` that are not from the answered email.

    `sent_lines` are as in `remove_quote`. A person may have typed `>` before a move, so the caller
    can ask the person about these lines if there is no other text.
    """
    lines = [_read_line(line) for line in text.splitlines()]
    quoted = [line for line in lines if line.is_quoted and line.text]
    return [line.text for line in quoted if line.key not in sent_lines]


@dataclass(frozen=True, slots=True)
class _Line:
    text: str  # without prefix and blanks around it
    is_quoted: bool
    length: int  # length of the line as received
    key: str  # the text by `normalise_line`, to find it among the lines that we sent


class _Reply:
    def __init__(self, text: str, sent: frozenset[str], own_addresses: Collection[str]) -> None:
        self.lines = [_read_line(line) for line in text.splitlines()]
        self.sent = sent
        self._sent_text = "\0".join(sent)
        self._own = _own_pattern(own_addresses)
        self._sent_cache: dict[int, bool] = {}

    def list_typed(self) -> list[str]:
        start, begin = self._find_quote()
        above = _cut_signature(self.lines[:start])
        below = self.lines[begin:]
        first = next((line for line in below if line.text), None)
        if first is not None and first.is_quoted:
            inside = [
                self.lines[at]
                for at in range(begin, len(self.lines))
                if self._is_typed_inside(at) and not (above and self._is_sent(at))
            ]
            return [*above, "", *_cut_signature(inside)]
        return above or _cut_signature(self._list_below(begin))

    # --- the beginning of the quote --------------------------------------------------------------

    def _find_quote(self) -> tuple[int, int]:
        """Return the indexes of the lines where the quote begins: with and without its attribution.

        The attribution is a line such as `On Monday Ann wrote:`. Without one, the indexes are
        equal. If there is no quote, both are the number of lines.
        """
        run = 0
        for at, line in enumerate(self.lines):
            if line.is_quoted:
                return self._find_attribution(at), at
            if not line.text:
                continue
            begins = _is_rule_in_words(line.text) or self._is_block_start(at)
            if self._is_attribution(at) or (_is_rule(line.text) and begins):
                return self._find_block_start(at), self._find_block_end(at)
            run = run + 1 if self._is_sent(at) else 0
            if _is_marker(line) or run == _MIN_RUN:
                first = self._find_run_start(at)
                return self._find_attribution(first), first
        return len(self.lines), len(self.lines)

    def _is_attribution(self, at: int) -> bool:
        """Return whether line `at` names our service in the way attributions and headers do."""
        line = self.lines[at]
        if self._own is None or line.is_quoted or self._own.search(line.text) is None:
            return False
        return (
            line.text.endswith(":")
            or _FIELD.match(line.text) is not None
            or _DATE.search(line.text) is not None
            or self._precedes_quote(at)
        )

    def _precedes_quote(self, at: int) -> bool:
        for below in self._neighbours(at, 1):
            line = self.lines[below]
            if line.is_quoted or _is_marker(line) or self._is_sent(below):
                return True
            if not line.text.endswith(":"):  # such as `wrote:`, on a line of its own
                return False
        return False

    def _is_block_start(self, at: int) -> bool:
        """Return whether a header block or quote follows line `at`, which is a rule (`-----`)."""
        below = next(self._neighbours(at, 1), None)
        return below is not None and (
            _FIELD.match(self.lines[below].text) is not None or self._precedes_quote(at)
        )

    def _find_attribution(self, at: int) -> int:
        """Return the index of the first line of the attribution above a quote.

        The quote begins at index `at`, which is also the result if there is no attribution.
        """
        above = next(self._neighbours(at, -1), None)
        if above is None or self.lines[above].is_quoted:
            return at
        text = self.lines[above].text
        if _is_rule(text) or text.endswith(":") or self._has_own_name(above):
            return self._find_block_start(above)
        return at

    def _find_block_start(self, at: int) -> int:
        """Return the index of the first line of the attribution or headers around line `at`."""
        start = at
        while start > 0 and at - start < _MAX_BLOCK and self._is_in_block(start - 1):
            start -= 1
            if _is_rule(self.lines[start].text):
                return start
        above = next(self._neighbours(start, -1), None)
        return above if above is not None and _is_rule(self.lines[above].text) else start

    def _find_block_end(self, at: int) -> int:
        """Return the index after the last line of the attribution or headers around line `at`."""
        end = at + 1
        while end < len(self.lines) and end - at < _MAX_BLOCK:
            is_sent = self._is_sent(end) or _is_marker(self.lines[end])
            if is_sent or not (self._is_in_block(end) or self.lines[end].text.endswith(":")):
                break
            end += 1
        return end

    def _is_in_block(self, at: int) -> bool:
        """Return whether line `at`, next to an attribution or header block, belongs to it."""
        line = self.lines[at]
        if line.is_quoted or not line.text:
            return False
        # A single `Move: a1` is no header block, so fields count only beside other fields.
        beside = self.lines[max(at - 1, 0) : at + 2]
        fields = sum(_FIELD.match(neighbour.text) is not None for neighbour in beside)
        return (
            self._has_own_name(at)
            or line.text.endswith("<")
            or _DATE.search(line.text) is not None
            or _is_rule(line.text)
            or (_FIELD.match(line.text) is not None and fields > 1)
        )

    def _find_run_start(self, at: int) -> int:
        """Return the index of the first line of the run that ends at line `at`.

        A run is a sequence of lines that we sent. Blank lines do not interrupt it.
        """
        for above in self._neighbours(at, -1):
            if not self._is_sent(above):
                break
            at = above
        return at

    # --- below the beginning ---------------------------------------------------------------------

    def _is_typed_inside(self, at: int) -> bool:
        """Return whether the person typed line `at`, which is among quoted lines with a prefix.

        A typed line does not have the prefix.
        """
        line = self.lines[at]
        if line.is_quoted or _is_marker(line) or self._is_attribution(at):
            return False
        above = self.lines[at - 1] if at else None
        below = self.lines[at + 1] if at + 1 < len(self.lines) else None
        # A program may have wrapped a quoted line and left the rest of it without a prefix.
        is_rest = (
            above is not None
            and above.is_quoted
            and above.length >= _MIN_WRAPPED
            and below is not None
            and below.is_quoted
        )
        return not is_rest or not line.text

    def _list_below(self, begin: int) -> list[_Line]:
        """Return the lines that the person typed below or inside a quote that has no prefix `>`.

        `begin` is the index of the first quoted line. Lines after the next attribution are left
        out, because they belong to an older email. If fewer than two of the lines are in the email
        that we sent, the result is empty.
        """
        numbers = range(begin, len(self.lines))
        older = next((at for at in numbers if self._is_attribution(at)), len(self.lines))
        end = max(begin, self._find_block_start(older)) if older < len(self.lines) else older
        known = [at for at in range(begin, end) if self._is_sent(at)]
        if len(known) < _MIN_KNOWN:
            return []  # it is unknown what is quoted
        return [
            line
            for at, line in enumerate(self.lines[begin:end], begin)
            if not line.is_quoted
            and not self._is_sent(at)
            and not _is_marker(line)
            # Rules and rows of boards can be too short to be recognised as sent.
            and (at > known[-1] or line.key or not line.text)
        ]

    # --- single lines ----------------------------------------------------------------------------

    def _has_own_name(self, at: int) -> bool:
        return self._own is not None and self._own.search(self.lines[at].text) is not None

    def _is_sent(self, at: int) -> bool:
        """Return whether line `at` of the reply is copied from our email that the sender answers.

        A piece of a line of our email is enough, because mail programs wrap long lines.
        """
        if at not in self._sent_cache:
            self._sent_cache[at] = self._is_in_sent_text(at)
        return self._sent_cache[at]

    def _is_in_sent_text(self, at: int) -> bool:
        key = self.lines[at].key
        if not key or not self.sent:
            return False
        before = self.lines[at - 1].key if at else ""
        after = self.lines[at + 1].key if at + 1 < len(self.lines) else ""
        return (
            key in self.sent
            or (before != "" and before[-_PIECE_LETTERS:] + key in self._sent_text)
            or (after != "" and key + after[:_PIECE_LETTERS] in self._sent_text)
        )

    def _neighbours(self, at: int, step: int) -> Iterator[int]:
        """Yield indexes of lines with text above (step -1) or below (1) `at`, nearest first."""
        at += step
        while 0 <= at < len(self.lines):
            if self.lines[at].text:
                yield at
            at += step


def _read_line(line: str) -> _Line:
    prefix = _PREFIX.match(line)
    text = (line[prefix.end() :] if prefix is not None else line).strip()
    return _Line(text, prefix is not None, len(line), normalise_line(text))


def _own_pattern(own_addresses: Collection[str]) -> re.Pattern[str] | None:
    patterns = []
    for name in sorted(set(own_addresses) - {""}, key=len, reverse=True):
        local_part, at, domain = name.rpartition("@")
        if at:
            tag = r"(?:[+=_.-][\w.=-]{1,64})?"  # with any delimiter
            patterns.append(rf"{re.escape(local_part)}{tag}@{re.escape(domain)}")
        else:
            patterns.append(re.escape(name))
    return re.compile("|".join(patterns), re.IGNORECASE) if patterns else None


def _is_marker(line: _Line) -> bool:
    return _MARKER_LINE.search(line.text) is not None


def _is_rule(text: str) -> bool:
    """Return whether a text is a line such as `-----` or `-----Original Message-----`."""
    return _DASHES.match(text) is not None or _is_rule_in_words(text)


def _is_rule_in_words(text: str) -> bool:
    return text.strip("-_ ").casefold() in _RULE_WORDS


def _cut_signature(lines: Sequence[_Line]) -> list[str]:
    """Return the texts of the lines above the signature or footer, without blank lines around them.

    If the person types below the quote, phones write "Sent from" at the top. So a footer above all
    typed lines is skipped; the text continues after it.
    """
    typed: list[str] = []
    for line in lines:
        # Phones make one dash of the two that mark a signature.
        if line.text in {"-", "--"} or _UNDERSCORES.fullmatch(line.text):
            break
        if line.text.casefold().startswith(_FOOTERS):
            if typed:
                break
        elif (line.text or typed) and not _PICTURE.fullmatch(line.text):
            typed.append(line.text)
    _cut_blank_lines(typed)
    # Phones name themselves in many languages, in the last line.
    if typed and len(typed[-1]) <= _MAX_FOOTER and _DEVICE.search(typed[-1]) is not None:
        typed.pop()
        _cut_blank_lines(typed)
    return typed


def _cut_blank_lines(typed: list[str]) -> None:
    while typed and not typed[-1]:
        typed.pop()
