"""Marked text, the one form in which templates write a mail: the marks, and the text made of it.

Templates write sentences, one a line however long, paragraphs between blank lines, and lists of
lines that begin with `- `. What must not be wrapped or filled carries marks, C0 controls that no
player's text has (`clean.py`). So both parts of a mail have the same words, written once;
`html_markup.py` makes the HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

BOARD: Final = "\x01"
"""Begins a line of a board: kept as it is; in HTML a picture with a label."""

LABEL: Final = "\x02"
"""Begins the line that says what the board after it shows, for HTML alone."""

FIXED: Final = "\x03"
"""Begins a line in columns: its blanks stay, and it is of even width in HTML."""

TABLE: Final = "\x0f"
"""Begins a line in columns that is never broken in text: of a table of examples, or of a record."""

FIGURE: Final = "\x10"
"""Begins the line that names what HTML shows in place of the board after it."""

CHIPS: Final = "\x11"
"""Begins a line in columns whose width says nothing: in HTML each column is a chip."""

PLAIN: Final = "\x12"
"""Begins a line in columns for the text alone: it explains signs that HTML has none of."""

ASIDE: Final = "\x13"
"""Begins a line for HTML alone, in small letters: what a picture shows, in words."""

COLUMNS: Final = "\x18"
"""Begins a row of a table, its cells two blanks apart and none of them empty; the first row has
titles. In HTML it is a table, whose cells but those of the first two columns stand to the right."""

HEADING: Final = "\x04"
"""Begins the title of a section."""

CHOICE: Final = "\x17"
"""Begins what a reader can choose: in words, and then as it is typed; in HTML a button of both."""

TYPED: Final = "\x05"
TYPED_END: Final = "\x06"
"""Enclose what somebody could type: quoted and in one piece; in HTML of even width."""

ECHOED: Final = "\x14"
"""In place of the first: what the reader wrote, or a word that is explained, which is no offer."""

TAP: Final = "\x15"
TAP_END: Final = "\x16"
"""Enclose what HTML offers to be typed, and the text has in a list, without quotation marks."""

TIE: Final = "\x0e"
"""A blank at which no line ends, unless the line would be longer than any mail's."""

LONGEST: Final = 72
"""Columns of the longest line, also for what is in one piece (MAIL 7)."""

_MARKS: Final = dict.fromkeys({*range(32)} - {ord("\n")})
"""What no page shows."""

_REMEMBERED: Final = 2048
"""Long lines that need not be wrapped again: explanations, the words that work, clocks."""

LIST: Final = "- "
"""Begins a line of a list."""

BAR: Final = "| "
"""Begins a line of somebody's own words."""

_AROUND: Final = ".,:;?!()"
_QUOTES: Final = (TYPED, ECHOED, '"')
_QUOTES_END: Final = (TYPED_END, '"')
_EATEN: Final = (">", "From ", ".")
"""What a line of a mail must not begin with: mailers quote, escape or stuff it."""


def typed(text: str) -> str:
    """What somebody could type, as one piece; it is shown in double quotes, so it has none."""
    return TYPED + text.replace('"', "'").replace(" ", TIE) + TYPED_END


def tied(text: str) -> str:
    """Text at whose blanks no line ends."""
    return text.replace(" ", TIE)


def noted(text: str) -> str:
    """A move that was played, as one piece in double quotes: so no line is nothing but a move."""
    return f'"{text}"'.replace(" ", TIE)


def echoed(text: str) -> str:
    """What the reader wrote, or a word that is explained: as what could be typed, but no offer."""
    return ECHOED + typed(text)[1:]


SPOKEN: Final = 114
"""Words of a board that is told; who wants more asks for it, in a sentence behind them."""


def shortened(text: str) -> str:
    """The first lines of a text, as many as are read out at once; the first one stands anyway."""
    kept: list[str] = []
    words = 0
    for line in filter(str.strip, text.replace(TIE, " ").split("\n")):
        words += len(line.split())
        if kept and words > SPOKEN:
            break
        kept.append(line)
    return "\n".join(kept)


def marked(said: str | Iterable[str], mark: str) -> str:
    """Lines that each begin with a mark, but for those that have one of their own."""
    lines = said.split("\n") if isinstance(said, str) else said
    return "\n".join(line if line.startswith(PLAIN) else mark + line for line in lines)


def barred(text: str) -> str:
    """Somebody's own lines behind bars, so that none reads as an order or as ours."""
    return "\n".join(f"{BAR}{line}".rstrip() for line in text.split("\n"))


def filled(text: str, indent: str = "") -> str:
    """A text in lines of at most 72 columns, with one blank between two words, however wide.

    All but the first begin with the `indent`.
    """
    lines: list[str] = []
    room = 0
    for word in text.split():
        if lines and len(word) < room:
            lines[-1] += f" {word}"
            room -= len(word) + 1
        else:
            lines.append(f"{indent if lines else ''}{word}")
            room = LONGEST - len(lines[-1])
    return "\n".join(lines)


def reflowed(text: str) -> str:
    """A text that was filled by hand: each paragraph on one line, what is indented in columns."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith(" "):
            lines.append(TABLE + line)
        elif line and lines and lines[-1][:1] not in ("", TABLE):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


# --- text ----------------------------------------------------------------------------------------


def to_text(marks: str, width: int, orders: frozenset[str] = frozenset()) -> str:
    """The text of a mail: lines of at most `width` columns, but for what must stay in one piece.

    No line is broken before a word of `orders`, nor before what could be typed and ends its line,
    since it would read as an order. At most one blank line in a row, none at the start; ends with a
    line end.
    """
    lines: list[str] = []
    for line in marks.split("\n"):
        match line[:1]:
            case "":
                if lines and lines[-1]:
                    lines.append("")
            case "\x01" | "\x0f":
                lines.append(line[1:].rstrip())
            case "\x02" | "\x10" | "\x13":
                pass
            case "\x03" | "\x11" | "\x12" | "\x18":
                said = line[1:].rstrip()
                lines.extend([said] if len(said) <= width else _broken(said, width))
            case sign:
                said = line.lstrip(HEADING).replace(CHOICE, LIST)
                if len(said) <= width:
                    lines.append(said.rstrip())
                elif sign == "|":  # somebody's own words, of which none are kept
                    lines.extend(_wrapped(said, width, orders))
                else:
                    lines.extend(_wrapped_before(said, width, orders))
    while lines and not lines[-1]:
        lines.pop()
    text = quoted("\n".join([*lines, ""])).split("\n")
    return "\n".join(f" {line}" if line.startswith(_EATEN) else line for line in text)


def quoted(text: str) -> str:
    """The text with its marks of what could be typed as quotation marks, its ties as blanks."""
    # Replacing thrice is ten times as quick as `translate`, and forty times outside of ASCII.
    return text.replace(TYPED, '"').replace(ECHOED, '"').replace(TYPED_END, '"').replace(TIE, " ")


def unmarked(text: str) -> str:
    """The text as pages show it: no mark is left, and those of lists and titles say nothing."""
    return quoted(text).translate(_MARKS)


def _wrapped(line: str, width: int, orders: frozenset[str]) -> tuple[str, ...]:
    """A line that is too long, as several; those after the first begin where its words do."""
    words = line.lstrip(" ")
    first = rest = line[: len(line) - len(words)]
    if words.startswith(BAR):
        first = rest = first + BAR
    elif words.startswith(LIST):
        first, rest = first + LIST, first + "  "
    rows: list[list[str]] = [[]]
    room = width - len(first)
    for word in _words(line[len(first) :], orders, LONGEST - len(rest)):
        if rows[-1] and len(word) > room:
            rows.append([])
            room = width - len(rest)
        rows[-1].append(word)
        room -= len(word) + 1
    _keep_company(rows, width - len(rest))
    kept = (" ".join(words) for words in rows if words)
    return tuple(f"{rest if number else first}{said}" for number, said in enumerate(kept))


_wrapped_before: Final = lru_cache(maxsize=_REMEMBERED)(_wrapped)
"""The same for sentences of ours, most of which stood in the mail before, too."""


def _keep_company(rows: list[list[str]], room: int) -> None:
    """No word alone on the last line, and on none what could be typed: they read as orders."""
    for number in range(len(rows) - 1, 0, -1):
        above, words = rows[number - 1 : number + 1]
        alone = len(words) == 1 and len(above[-1]) + len(words[0])
        if not alone:
            continue
        if words[0].startswith(_QUOTES) and words[0].endswith(_QUOTES_END):
            moves = alone < LONGEST - 2  # rather too long a line than an order
        else:
            moves = number == len(rows) - 1 and alone < room and len(above) > 1
        if moves:
            words.insert(0, above.pop())


def _words(text: str, orders: frozenset[str], longest: int) -> list[str]:
    """What of a line stays together, in pieces of at most `longest` signs where that can be."""
    words: list[str] = []
    said = text.split() or [""]
    for number, word in enumerate(said, 1):
        alone = (
            number == len(said) and word.startswith((TYPED, ECHOED)) and word.endswith(TYPED_END)
        )
        if words and (alone or word.strip(_AROUND).casefold() in orders):
            words[-1] += TIE + word
        else:
            words.append(word)
    if max(map(len, words)) <= longest:
        return words
    return [piece for word in words for piece in _pieces(word, longest)]


def _pieces(word: str, longest: int) -> Iterator[str]:
    """What no line can hold is broken: behind a comma if it can be, where no clause begins."""
    while len(word) > longest:
        at = word.rfind(f",{TIE}", 0, longest) + 1 or word.rfind(TIE, 0, longest + 1)
        if at <= 0:
            break
        yield word[:at]
        word = word[at + 1 :]
    yield word


def _broken(line: str, width: int) -> Iterator[str]:
    """A line in columns that is too long, broken between them, and with its blanks."""
    inner = line[: len(line) - len(line.lstrip())] + "  "
    while len(line) > width:
        at = line.rfind("  ", len(inner), width + 1)
        at = at if at > 0 else line.rfind(" ", len(inner), width + 1)
        if at < 0:
            break
        yield line[:at].rstrip()
        line = inner + line[at:].lstrip()
    yield line
