"""Marked text as HTML: blocks in their markup, taps, boards as cells, legends as chips."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape, unescape
from itertools import groupby
from typing import Final, TypeAlias

from pbem.notices.rendering.markup import (
    ASIDE,
    BAR,
    BOARD,
    CHIPS,
    ECHOED,
    FIGURE,
    FIXED,
    HEADING,
    LABEL,
    LIST,
    PLAIN,
    TABLE,
    TIE,
    TYPED,
    TYPED_END,
    quoted,
)

NARROW: Final = 47
"""Columns of a board that a phone shows in letters of the usual size."""

_DEEP: Final = " " * 6
"""So deep stands what goes on with the line before it, in its column."""

_SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]{1,9}) ([\d.]{1,9})"')
_LYING: Final = 1.3

_BETWEEN: Final = re.compile(" {2,}")
"""What stands between two columns."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture inside a page: an SVG document, and the name by which the page shows it."""

    cid: str
    svg: str = field(repr=False)

    @property
    def lies(self) -> bool:
        """Whether it is much wider than high: at half of its size nobody could read it."""
        size = _SIZE.search(self.svg)
        return size is not None and float(size[1]) > _LYING * float(size[2])

    @classmethod
    def of(cls, svg: str) -> Picture:
        """The same picture has the same name, so that a mail has the same bytes each time."""
        return cls(f"{sha256(svg.encode()).hexdigest()[:24]}@board.pbem", svg)


@dataclass(frozen=True, slots=True)
class Figure:
    """What HTML shows of a board: its markup, the lines that a reader reads in it, and its signs.

    `tag` is the markup that it stands in; `signs` has for what a legend explains the markup around
    it.
    """

    tag: str
    html: str
    lines: tuple[str, ...] = ()
    signs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    picture: Picture | None = None


Offer: TypeAlias = Callable[[str], str | None]
"""The address of a ready-made mail with an order; None for what is none, or not all of one."""

BUTTONS: Final = 12
"""Orders of one block of words; where there are more, each is a link and no button."""

_TYPED: Final = re.compile(f"([{TYPED}{ECHOED}])([^{TYPED}{ECHOED}{TYPED_END}]*+){TYPED_END}")


def _nothing_offered(_text: str) -> str | None:
    return None


def _with_taps(lines: str, tags: Mapping[str, str], links: Mapping[str, str], offer: Offer) -> str:
    """Lines in which all that can be typed has its markup."""
    ready = {escape(text): address for text, address in links.items()}
    many = len(set(_TYPED.findall(lines))) > BUTTONS

    def tapped(found: re.Match[str]) -> str:
        said = found[2]
        address = ready.get(said) if found[1] == TYPED else None
        kind = "tap"
        if address is None and found[1] == TYPED:
            # In quotation marks: a reply may quote the page without a mark, as lines of text.
            address, kind = offer(unescape(said)), "word" if many else "offer"
        if address is None:
            before, after = tags["typed" if found[1] == TYPED else "echoed"].split("\n")
            return f"{before}{said}{after}"
        before, middle, after = tags[kind].split("\n")
        return f"{before}{escape(address)}{middle}{said}{after}"

    return _TYPED.sub(tapped, lines)


def to_html(
    marks: str,
    tags: Mapping[str, str],
    links: Mapping[str, str] | None = None,
    figures: Mapping[str, Figure] | None = None,
    offer: Offer = _nothing_offered,
) -> str:
    """The same words as HTML; `tags` has the markup of each kind of block (markup.html.j2).

    All is escaped before anything else; the marks survive that, and only they become markup. What
    could be typed can be tapped, if it stands in `links` or is an order that `offer` has an address
    for: the mail that this makes is opened.
    """
    lines = _with_taps(escape(marks).replace(TIE, " "), tags, links or {}, offer)
    label = ""
    figure: Figure | None = None
    signs: Mapping[str, tuple[str, str]] = {}
    blocks: list[str] = []
    for kind, group in groupby(lines.split("\n"), _kind):
        match kind:
            case "" | "plain":
                pass
            case "label":
                label = " ".join(line[1:] for line in group)
            case "figure":
                (name,) = (line[1:] for line in group)
                figure = (figures or {})[name]
                signs = figure.signs
            case "board" if figure is not None:
                before, after = tags[figure.tag].replace(LABEL, label).split("\n")
                blocks.append(f"{before}{figure.html}{after}")
                figure = None
            case "board":
                blocks.append(_board(group, tags, label))
            case "chips":
                rows = "".join(_chips(line, tags, signs) for line in _joined(group))
                before, after = tags["legend"].split("\n")
                blocks.append(f"{before}{rows}{after}")
            case _:
                blocks.append(_BLOCKS[kind](group, tags[kind]))
    return "".join(blocks)


def to_lines(marks: str, figures: Mapping[str, Figure] | None = None) -> list[str]:
    """The lines that the HTML shows, which nothing has wrapped: what a quote of it is known by."""
    lines: list[str] = []
    figure: Figure | None = None
    for kind, group in groupby(quoted(marks).split("\n"), _kind):
        match kind:
            case "" | "label" | "plain":
                pass
            case "figure":
                (name,) = (line[1:] for line in group)
                figure = (figures or {})[name]
            case "board" if figure is not None:
                lines.extend(figure.lines)
                figure = None
            case "fixed" | "chips":
                lines.extend(_joined(group))
            case "board" | "heading" | "aside":
                lines.extend(line[1:] for line in group)
            case "list":
                lines.extend(line[len(LIST) :] for line in group)
            case _:
                lines.extend(group)
    return lines


_KINDS: Final[Mapping[str, str]] = {
    "": "",
    BOARD: "board",
    LABEL: "label",
    FIGURE: "figure",
    FIXED: "fixed",
    CHIPS: "chips",
    PLAIN: "plain",
    ASIDE: "aside",
    TABLE: "fixed",
    HEADING: "heading",
    BAR[0]: "said",
}
"""What a line is, by the sign that it begins with."""


def _kind(line: str) -> str:
    kind = _KINDS.get(line[:1])
    if kind is not None:
        return kind
    return "list" if line.startswith(LIST) else "text"


def _block(lines: Iterable[str], tag: str) -> str:
    before, after = tag.split("\n")
    return f"{before}{'<br>'.join(lines)}{after}"


def _board(lines: Iterable[str], tags: Mapping[str, str], label: str) -> str:
    """A board of signs, in letters that fit on a phone."""
    board = _dedented([*lines])
    wide = max(map(len, map(unescape, board))) > NARROW + 1
    return _even(board, tags["wide" if wide else "board"].replace(LABEL, label))


def _chips(line: str, tags: Mapping[str, str], signs: Mapping[str, tuple[str, str]]) -> str:
    """A line in columns as chips, a sign that one begins with as it stands on the board."""
    columns = [_with_sign(column, signs) for column in _BETWEEN.split(line.strip())]
    if len(columns) == 1:
        before, after = tags["line"].split("\n")
        return f"{before}{columns[0]}{after}"
    before, chip, chip_end, after = tags["chips"].split("\n")
    return f"{before}{' '.join(f'{chip}{column}{chip_end}' for column in columns)}{after}"


def _with_sign(column: str, signs: Mapping[str, tuple[str, str]]) -> str:
    first, blank, rest = column.partition(" ")
    before, after = signs.get(first, ("", ""))
    return f"{before}{first}{after}{blank}{rest}"


def _dedented(lines: Sequence[str]) -> list[str]:
    """A board without the blanks that begin all its lines: a phone has few columns."""
    blanks = min((_blanks(line[1:]) for line in lines if line[1:].strip()), default=0)
    return [line[:1] + line[1 + blanks :] for line in lines]


def _blanks(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _even(lines: Iterable[str], tag: str) -> str:
    before, after = tag.split("\n")
    return before + "\n".join(line[1:] for line in lines) + after


def _items(lines: Iterable[str], tag: str) -> str:
    return _each((line[len(LIST) :] for line in lines), tag)


def _rows(lines: Iterable[str], tag: str) -> str:
    return _each(_joined(lines), tag)


def _joined(lines: Iterable[str]) -> list[str]:
    rows: list[str] = []
    for line in lines:
        if rows and line[1:].startswith(_DEEP):
            rows[-1] += f" {line[1:].lstrip()}"
        else:
            rows.append(line[1:])
    return rows


def _each(lines: Iterable[str], tag: str) -> str:
    before, item, item_end, after = tag.split("\n")
    return f"{before}{''.join(f'{item}{line}{item_end}' for line in lines)}{after}"


_BLOCKS: Final[Mapping[str, Callable[[Iterable[str], str], str]]] = {
    "aside": _even,
    "fixed": _rows,
    "heading": _even,
    "list": _items,
    "said": _block,
    "text": _block,
}
