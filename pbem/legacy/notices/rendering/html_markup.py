"""Marked text as HTML: blocks in their markup, taps, boards as cells, legends as chips."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from html import escape, unescape
from typing import Final, Literal, TypeAlias

from markupsafe import Markup

from pbem.legacy.notices.rendering.markup import (
    ASIDE,
    BAR,
    BOARD,
    CHIPS,
    CHOICE,
    COLUMNS,
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

MANY: Final = 4
"""Columns of numbers of a table that are set apart as usual; more would not fit on a phone."""

_DEEP: Final = " " * 6
"""So deep stands what goes on with the line before it, in its column."""

_SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]{1,9}) ([\d.]{1,9})"')
_LYING, _TALL = 1.3, 0.75
"""From which width, by its height, a picture is much wider than high, and up to which higher."""

_BETWEEN: Final = re.compile(" {2,}")
"""What stands between two columns."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture inside a page: an SVG document, and the name by which the page shows it."""

    cid: str
    svg: str = field(repr=False)

    @property
    def shape(self) -> Literal["lying", "tall", ""]:
        """A lying one nobody could read at half of its size; a tall one fills a phone's screen."""
        size = _SIZE.search(self.svg)
        ratio = float(size[1]) / float(size[2]) if size is not None else 1
        return "lying" if ratio > _LYING else "tall" if ratio < _TALL else ""

    @classmethod
    def of(cls, svg: str) -> Picture:
        """The same picture has the same name, so that a mail has the same bytes each time."""
        return cls(f"{sha256(svg.encode()).hexdigest()[:24]}@board.pbem", svg)


@dataclass(frozen=True, slots=True)
class Figure:
    """What HTML shows of a board: its markup, the lines that a reader reads in it, and its signs.

    `tag` is the markup that it stands in; `signs` has for what a legend explains the markup around
    it. `tall`: so high that what happened would stand below a phone's screen.
    """

    tag: str
    html: str
    lines: tuple[str, ...] = ()
    signs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    picture: Picture | None = None
    tall: bool = False


Taps: TypeAlias = Callable[[Collection[str]], Mapping[str, str]]
"""Of some orders those that a mail offers, each with the address of a ready-made mail with it."""

Tags: TypeAlias = Mapping[str, tuple[str, ...]]
"""The markup of each kind of block: what opens it, stands between two lines, and closes it."""

BUTTONS: Final = 12
"""Orders of one block of words; where there are more, each is a link and no button."""

_TYPED: Final = re.compile(f"([{TYPED}{ECHOED}])([^{TYPED}{ECHOED}{TYPED_END}]*+){TYPED_END}")

_CHOICE: Final = re.compile(
    f"^{CHOICE}([^{TYPED}\n]++){TYPED}([^{TYPED}{ECHOED}{TYPED_END}]*+){TYPED_END}$", re.MULTILINE
)

_LINES: Final = {
    "text": "<br>",
    "headline": "<br>",
    "said": "<br>",
    "heading": "\n",
    "aside": "\n",
    "board": "\n",
    "wide": "\n",
    "chips": " ",
}
"""What stands between two lines, or two chips, beside markup."""


def tags_of(blocks: Mapping[str, str]) -> Tags:
    """The markup of each kind of block (markup.html.j2), in which a line end is where words go."""
    tags: dict[str, tuple[str, ...]] = {}
    for name, block in blocks.items():
        opens, *around, closes = block.split("\n")
        between = _LINES.get(name, "")
        match around:
            case _ if name == "choice":
                tags[name] = opens, *around, closes
            case [before, after]:
                tags[name] = opens + before, after + between + before, after + closes
            case _:
                tags[name] = opens, "".join(around) or between, closes
    return tags


def _with_taps(lines: str, tags: Tags, links: Mapping[str, str], offered: Taps | None) -> str:
    """Lines in which all that can be typed has its markup."""
    if CHOICE in lines:
        chosen = {unescape(found[2]) for found in _CHOICE.finditer(lines)} - links.keys()
        known = {**links, **(offered([*chosen]) if offered and chosen else {})}
        addresses = {escape(text): escape(address) for text, address in known.items()}
        lines = _CHOICE.sub(partial(_chosen, tags=tags, addresses=addresses), lines)
    said, *rest = _TYPED.split(lines)
    found = [*zip(rest[::3], rest[1::3], rest[2::3], strict=True)]
    orders = {text for mark, text, _ in found if mark == TYPED}
    taps = {escape(text): ("tap", address) for text, address in links.items()}
    if offered is not None and not orders <= taps.keys():
        # In quotation marks: a reply may quote the page without a mark, as lines of text.
        kind = "word" if len({(mark, text) for mark, text, _ in found}) > BUTTONS else "offer"
        more = offered([unescape(text) for text in orders])
        taps = {escape(text): (kind, address) for text, address in more.items()} | taps
    for mark, text, after in found:
        kind, address = taps.get(text, ("typed", "")) if mark == TYPED else ("echoed", "")
        opens, middle, closes = tags[kind]
        said += f"{opens}{escape(address)}{middle}{text}{closes}{after}"
    return said


def _chosen(line: re.Match[str], tags: Tags, addresses: Mapping[str, str]) -> str:
    """A choice as one button: its words, and small beside them what is typed."""
    words, text = line[1].rstrip(), line[2]
    if text not in addresses:
        return line[0]
    begins, opens, middle, closes = tags["choice"]
    return f"{CHOICE}{begins}{addresses[text]}{opens}{words}{middle}{text}{closes}"


def to_html(
    marks: str,
    tags: Tags,
    links: Mapping[str, str] | None = None,
    figures: Mapping[str, Figure] | None = None,
    offered: Taps | None = None,
) -> Markup:
    """The same words as HTML.

    All is escaped before anything else; the marks survive that, and only they become markup. What
    could be typed can be tapped, if it stands in `links` or is an order that is `offered`: the mail
    that this makes is opened.
    """
    lines = _with_taps(escape(marks).replace(TIE, " "), tags, links or {}, offered)
    label, before = "", ""
    signs: Mapping[str, tuple[str, str]] = {}
    blocks: list[str] = []
    for kind, group in _grouped(lines):
        block, said = kind, group
        before, last = kind, before
        match kind:
            case "blank" | "plain":
                continue
            case "label":
                label = " ".join(group)
                continue
            case "figure":
                figure = (figures or {})[group[0]]
                block, said, signs = figure.tag, [figure.html], figure.signs
            case "board" if last == "figure":
                continue
            case "board":
                # Without the blanks that begin all its lines: a phone has few columns.
                blanks = min(
                    (len(one) - len(one.lstrip(" ")) for one in group if one.strip()), default=0
                )
                said = [one[blanks:] for one in group]
                block = "wide" if max(map(len, map(unescape, said))) > NARROW else kind
            case "chips":
                block, said = "legend", _chips(group, tags, signs)
            case "table":
                said = [*_rows(group, tags)]
            case _:
                pass
        opens, between, closes = tags["choices" if block == "choice" else block]
        blocks.append(f"{opens.replace(LABEL, label)}{between.join(said)}{closes}")
    return Markup("".join(blocks))  # noqa: S704 - all of it was escaped


def to_lines(marks: str, figures: Mapping[str, Figure] | None = None) -> list[str]:
    """The lines that the HTML shows, which nothing has wrapped: what a quote of it is known by."""
    lines: list[str] = []
    before = ""
    for kind, group in _grouped(quoted(marks)):
        match kind:
            case "blank" | "label" | "plain":
                pass
            case "figure":
                lines.extend((figures or {})[group[0]].lines)
            case "board" if before == "figure":
                pass
            case _:
                lines.extend(group)
        before = kind
    return lines


_KINDS: Final[Mapping[str, tuple[str, int]]] = {
    "": ("blank", 0),
    BOARD: ("board", 1),
    LABEL: ("label", 1),
    FIGURE: ("figure", 1),
    FIXED: ("fixed", 1),
    CHIPS: ("chips", 1),
    PLAIN: ("plain", 1),
    ASIDE: ("aside", 1),
    TABLE: ("fixed", 1),
    COLUMNS: ("table", 1),
    HEADING: ("heading", 1),
    CHOICE: ("choice", 1),
    BAR[0]: ("said", 0),
}
"""What a line is, by the sign that it begins with, and whether that is shown."""

_ITEM: Final = ("list", len(LIST))
_TEXT: Final = ("text", 0)


def _grouped(text: str) -> Iterator[tuple[str, list[str]]]:
    """The lines without their signs, those of a kind that follow one another together.

    In columns that which goes on with the line before it, in its column, is added to that.
    """
    kind, group = "blank", list[str]()
    for line in text.split("\n"):
        its, signs = _KINDS.get(line[:1]) or (_ITEM if line.startswith(LIST) else _TEXT)
        if its != kind:
            if group:
                yield kind, group
            kind, group = its, []
        said = line[signs:]
        if group and kind in {"fixed", "chips"} and said.startswith(_DEEP):
            group[-1] += f" {said.lstrip()}"
        else:
            group.append(said)
    yield kind, group


def _rows(lines: Sequence[str], tags: Tags) -> Iterator[str]:
    """Rows of a table: the first of titles, and numbers to the right, closer where many are."""
    for number, line in enumerate(lines):
        first, _, rest = line.strip().partition("  ")
        name, *others = _BETWEEN.split(rest.strip())
        kinds = ("title", "titled") if number == 0 else ("cell", "number")
        if len(others) > MANY:
            kinds = ("title", "headed") if number == 0 else ("cell", "digit")
        cells = [(kinds[0], first), (kinds[0], name), *((kinds[1], one) for one in others)]
        yield "".join(f"{tags[kind][0]}{text}{tags[kind][-1]}" for kind, text in cells)


def _chips(lines: Sequence[str], tags: Tags, signs: Mapping[str, tuple[str, str]]) -> list[str]:
    """Lines in columns as chips, a sign that one begins with as it stands on the board."""
    rows = []
    for line in lines:
        columns = []
        for column in _BETWEEN.split(line.strip()):
            first, blank, rest = column.partition(" ")
            before, after = signs.get(first, ("", ""))
            columns.append(f"{before}{first}{after}{blank}{rest}")
        opens, between, closes = tags["chips" if len(columns) > 1 else "line"]
        rows.append(f"{opens}{between.join(columns)}{closes}")
    return rows
