"""Marked text, the one form in which templates write a mail: from it come its text and its HTML.

Templates write sentences, one a line however long, paragraphs between blank lines, and lists of
lines that begin with `- `. What must not be wrapped or filled carries marks, C0 controls that no
player's text has (`clean.py`). So both parts of a mail have the same words, written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from itertools import groupby
from typing import Final

BOARD: Final = "\x01"
"""Begins a line of a board: kept as it is; in HTML a picture with a label."""

LABEL: Final = "\x02"
"""Begins the line that says what the board after it shows, for HTML alone."""

FIXED: Final = "\x03"
"""Begins a line in columns: not wrapped in text; in HTML of even width, wrapped where it must be."""

HEADING: Final = "\x04"
"""Begins the title of a section."""

TYPED: Final = "\x05"
TYPED_END: Final = "\x06"
"""Enclose what somebody could type: quoted and in one piece; in HTML of even width."""

TIE: Final = "\x0e"
"""A blank at which no line ends."""

_QUOTED: Final = str.maketrans({TYPED: '"', TYPED_END: '"', TIE: " "})
_LIST: Final = "- "
_BAR: Final = "| "
_EATEN: Final = (">", "From ", ".")
"""What a line of a mail must not begin with: mailers quote, escape or stuff it."""


def typed(text: str) -> str:
    """What somebody could type, as one piece."""
    return f"{TYPED}{text.replace(' ', TIE)}{TYPED_END}"


def tied(text: str) -> str:
    """Text at whose blanks no line ends."""
    return text.replace(" ", TIE)


def marked(lines: Iterable[str], mark: str) -> str:
    """Lines that each begin with a mark."""
    return "\n".join(mark + line for line in lines)


def barred(text: str) -> str:
    """Somebody's own lines behind bars, so that none reads as an order or as ours."""
    return "\n".join(f"{_BAR}{line}".rstrip() for line in text.split("\n"))


# --- text -----------------------------------------------------------------------------------------


def to_text(marks: str, width: int) -> str:
    """The text of a mail: lines of at most `width` columns, but for boards and what is in one piece.

    At most one blank line in a row, none at the start; ends with a line end.
    """
    lines: list[str] = []
    for line in marks.split("\n"):
        match line[:1]:
            case "\x01" | "\x03":
                lines.append(_safe(line[1:].translate(_QUOTED).rstrip()))
            case "\x02":
                pass
            case "":
                if lines and lines[-1]:
                    lines.append("")
            case _:
                lines.extend(_safe(part) for part in _wrapped(line.lstrip(HEADING), width))
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join([*lines, ""])


def _safe(line: str) -> str:
    return f" {line}" if line.startswith(_EATEN) else line


def _wrapped(line: str, width: int) -> Iterator[str]:
    if len(line) <= width:
        yield line.translate(_QUOTED).rstrip()
        return
    first, rest = _indents(line)
    filled = first
    room = first
    for word in line[len(first) :].split():
        if filled != room and len(filled) + len(word) >= width:
            yield filled.translate(_QUOTED)
            filled = room = rest
        filled += word if filled == room else f" {word}"
    yield filled.translate(_QUOTED)


def _indents(line: str) -> tuple[str, str]:
    """What a line begins with, and what the lines that it is broken into begin with."""
    blanks = line[: len(line) - len(line.lstrip(" "))]
    rest = line[len(blanks) :]
    if rest.startswith(_BAR):
        return blanks + _BAR, blanks + _BAR
    if rest.startswith(_LIST):
        return blanks + _LIST, blanks + "  "
    return blanks, blanks


# --- HTML -----------------------------------------------------------------------------------------


def to_html(marks: str, tags: Mapping[str, str]) -> str:
    """The same words as HTML. `tags` has the markup of each kind of block (templates/blocks.html.j2).

    The whole is escaped before anything else; the marks survive that, and only they become markup.
    """
    code, code_end = tags["typed"].split("\n")
    lines = escape(marks).replace(TYPED, code).replace(TYPED_END, code_end).replace(TIE, "&nbsp;")
    label = ""
    blocks: list[str] = []
    for kind, group in groupby(lines.split("\n"), _kind):
        if kind == "label":
            label = " ".join(line[1:] for line in group)
        elif kind:
            blocks.append(_BLOCKS[kind](group, tags[kind].replace("LABEL", label)))
    return "".join(blocks)


def _kind(line: str) -> str:
    match line[:1]:
        case "\x01":
            return "board"
        case "\x02":
            return "label"
        case "\x03":
            return "fixed"
        case "\x04":
            return "heading"
        case "":
            return ""
    if line.startswith(_LIST):
        return "list"
    return "said" if line.startswith("|") else "text"


def _block(lines: Iterable[str], tag: str) -> str:
    before, after = tag.split("\n")
    return f"{before}{'<br>'.join(lines)}{after}"


def _even(lines: Iterable[str], tag: str) -> str:
    before, after = tag.split("\n")
    return before + "\n".join(line[1:] for line in lines) + after


def _items(lines: Iterable[str], tag: str) -> str:
    before, item, item_end, after = tag.split("\n")
    items = (f"{item}{line[len(_LIST) :]}{item_end}" for line in lines)
    return f"{before}{''.join(items)}{after}"


def _said(lines: Iterable[str], tag: str) -> str:
    return _block((line[len(_BAR) :] for line in lines), tag)


_BLOCKS: Final[Mapping[str, Callable[[Iterable[str], str], str]]] = {
    "board": _even,
    "fixed": _even,
    "heading": _even,
    "list": _items,
    "said": _said,
    "text": _block,
}
