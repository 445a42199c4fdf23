"""The layout of emails: text of 72 columns, and the blocks of lines from which the HTML is made.

Each part of an email is rendered as text. In the text version, `format_text` wraps its lines. For
the HTML, `split_blocks` divides the same text into blocks: paragraphs, lists, quotes, tables and
links. A link replaces the line of text that offers the same reply.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import quote

COLUMNS: Final = 72  # width of the text part; mail programs then quote lines without breaking them


@dataclass(frozen=True, slots=True)
class Tap:
    """A link in the HTML, either to a page or a mailto link that prepares a reply.

    `label` is the text of the link, and `is_button` says whether it is shown as a button.
    """

    label: str
    href: str
    is_button: bool
    reply: str = ""  # the prepared reply, as the text version says it in quotes; empty for a page


@dataclass(frozen=True, slots=True)
class TapRow:
    """Several links in one line of text, after a label."""

    label: str
    taps: tuple[Tap, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A reply that a template offers to the reader; `label` is the text of its link in the HTML."""

    reply: str
    label: str
    is_button: bool
    is_move: bool = False

    @property
    def quoted(self) -> str:
        """The reply in quotes, as part of a sentence, with dots if the reader is to complete it."""
        return f'"{self.reply}..."' if self.reply.endswith(" ") else f'"{self.reply}"'


# A text, a link, a row of links, an offer, or the cells of a table row.
Line: TypeAlias = str | Tap | TapRow | Offer | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines of an email that form one element in the HTML.

    `kind` is `text`, `list`, `quote`, `taps` (links or offers), `rows` (rows of links) or `table`,
    whose lines are tuples of cells.
    """

    kind: str
    lines: tuple[Line, ...]


def make_mailto(address: str, subject: str, body: str) -> str:
    """Return a mailto URI (RFC 6068), in which spaces are encoded as %20 and plus signs as %2B."""
    fields = f"subject={quote(subject, safe='')}&body={quote(body, safe='')}"
    return f"mailto:{quote(address, safe='@')}?{fields}"


def strip_lines(text: str) -> str:
    """Return a text without spaces at line ends, and without empty lines at its start and end."""
    return "\n".join(map(str.rstrip, text.split("\n"))).strip("\n")


def split_blocks(
    text: str, taps: Mapping[str, Tap | TapRow] | Mapping[str, Offer]
) -> Iterator[Block]:
    """Yield the blocks of the HTML for one part of an email.

    Args:
        text: The part as text, before its lines are wrapped.
        taps: The links or offers of the part, each by the line (or pair of lines) that shows it.
    """
    kind, block = "", list[Line]()
    lines = text.split("\n")
    while lines:
        line = lines[0]
        pair = "\n".join(lines[:2])
        tap = taps.get(line) or taps.get(pair)
        lines = lines[2:] if tap is not None and line not in taps else lines[1:]
        line_kind = _find_kind(line)
        if tap is not None:
            line_kind = "rows" if isinstance(tap, TapRow) else "taps"
        if line_kind != kind:
            if kind:
                yield Block(kind, tuple(block))
            kind, block = line_kind, []
        row = _TABLE_ROW.fullmatch(line) if kind == "table" else None
        block.append(tap or (row.groups() if row else line.removeprefix("- ").strip()))
    if kind:
        yield Block(kind, tuple(block))


_TABLE_ROW: Final = re.compile(r"(\d+\.) (.*\S) {2,}(\S.*)")  # as in `1. Ann   12 points`


def _find_kind(line: str) -> str:
    """Return the kind of block to which a line without a link belongs; empty for an empty line."""
    if not line:
        return ""
    if line.startswith("- "):
        return "list"
    if _TABLE_ROW.fullmatch(line):
        return "table"
    return "quote" if line.startswith("  ") else "text"


def format_text(text: str) -> str:
    """Return a text wrapped at 72 columns, with at most one empty line in a row.

    No line begins with `>`, because mail programs would take it for a quote. A word that is longer
    than a line is not broken, and words joined by no-break spaces stay together.
    """
    lines: list[str] = []
    for line in map(str.rstrip, text.splitlines()):
        indent = "  " if line.startswith("- ") else line[: len(line) - len(line.lstrip())]
        wrapped = [line]
        if len(line) > COLUMNS:
            wrapped = textwrap.wrap(
                line,
                COLUMNS,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
        for part in wrapped:
            if part or (lines and lines[-1]):
                plain = part.replace("\N{NO-BREAK SPACE}", " ")
                lines.append(f" {plain}" if plain.startswith(">") else plain)
    return "\n".join(lines).strip("\n") + "\n"
