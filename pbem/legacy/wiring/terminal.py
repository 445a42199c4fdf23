"""Somebody at a terminal: as much of a mail as its screen has room for, and what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Final

from pbem.legacy.notices.rendering.environment import environment
from pbem.legacy.wiring.demo import NAMES

if TYPE_CHECKING:
    from pbem.legacy.wiring.correspondent import ReceivedMail

RULE: Final = "-" * 72

WIDEST: Final = 80
"""Columns of what is said between the mails."""

TIGHT: Final = 60
"""Columns of a terminal on which nothing but the question stands before what is typed."""

Say = Callable[..., str]
"""What the demo says between the mails, by its name in templates/demo.txt.j2 and its facts."""


def words_in(lang: str) -> Say:
    """The demo's own words in a language."""
    return partial(environment(lang=lang).member, "demo")


Show = Callable[[str], None]
"""Prints a line or a block of text."""

Ask = Callable[[str], str]
"""Asks the person at the terminal for a line; EOFError when they are gone."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a terminal needs to show a board: its pictures, as mails have them, and its words."""

    boards: tuple[tuple[str, ...], ...] = ()
    brief: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Terminal:
    """Somebody at a terminal: what is shown to them, what they type, how much fits."""

    show: Show
    ask: Ask
    screen: Callable[[], Screen]
    say: Say

    def tell(self, text: str) -> None:
        """Say something as wide as one reads."""
        self.show(fill(text, self._columns))

    def mail(self, mail: ReceivedMail, seen: Seen) -> Shown:
        """Show what a screen has room for of a mail."""
        head = [RULE[: self.screen().columns], f"Subject: {mail.subject}"]
        text = mail.text.rstrip().splitlines()
        shown = fitted(head, text, self.screen(), seen.boards, seen.brief)
        self.show("\n".join(shown.lines))
        return shown

    def typed(self, mail: ReceivedMail, more: int = 0, *, may_be_empty: bool = False) -> str | None:
        """The lines up to an empty one, "" to skip, None to quit; an empty one is asked again."""
        lines: list[str] = []
        while True:
            try:
                line = self.ask(self._asking(more, begun=bool(lines)))
            except EOFError:
                return None
            match line.strip().casefold():
                case "/quit" | "/exit" | "/q":
                    return None
                case "quit" | "exit" if not lines:
                    return None
                case "/skip":
                    return ""
                case "/mail" | "/more":
                    head = [f"From: {mail.sender}", f"To: {mail.to}", f"Subject: {mail.subject}"]
                    whole = ["", *head, f"Date: {mail.date}", "", mail.text.rstrip()]
                    self.show("\n".join(whole))
                case "" | "." if lines or may_be_empty:
                    return "\n".join(lines)
                case "" | ".":
                    continue
                case command if command.startswith("/"):
                    self.tell(self.say("how", me=NAMES[0]))
                case _:
                    lines.append(line)

    @property
    def _columns(self) -> int:
        return min(self.screen().columns, WIDEST)

    def _asking(self, more: int, *, begun: bool) -> str:
        """What stands before what is typed, in the same row: there may be no other one left."""
        asked = self.say("sends" if begun else "answer")
        if more and not begun and self._columns >= TIGHT:
            asked = f"{self.say('more', lines=more)} {asked}"
        return f"{asked} "


# --- one screen ----------------------------------------------------------------------------------

BELOW: Final = 1
"""Rows that are kept free below a mail: the prompt, and what is typed behind it."""

BETWEEN: Final = 3
"""Columns between a board and what stands beside it."""

READABLE: Final = 25
"""Columns of a text beside a board, at least."""

_TYPED: Final = re.compile(r': ["“„]')
_DRAWN: Final = re.compile(r"[|+#\u2500-\u257f]")
"""What a line of a drawn board has; those below it list what stands there."""

_MARKER: Final = "==="


@dataclass(frozen=True, slots=True)
class Screen:
    """The size of a terminal."""

    rows: int = 24
    columns: int = 80

    def height(self, lines: Sequence[str]) -> int:
        """The rows that lines take; longer ones take several."""
        return sum(max(1, -(-len(line) // self.columns)) for line in lines)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a screen shows of a mail, and how many lines of text it has not shown."""

    lines: tuple[str, ...]
    more: int = 0


def fitted(
    head: Sequence[str],
    text: Sequence[str],
    screen: Screen,
    boards: Sequence[Sequence[str]] = (),
    brief: Sequence[str] = (),
) -> Shown:
    """A mail as one screen: all of it where there is room, else what matters, in its own words.

    `head` are lines above the text, as its subject, `boards` the pictures to look for in it, and
    `brief` says a board in words where none of them can be shown.
    """
    whole = [*head, "", *text]
    room = screen.rows - BELOW
    if screen.height(whole) <= room:
        return Shown(tuple(whole))
    parts = _Parts.of(text, boards)
    for lines in _arranged(parts, head[-1:], screen, brief):
        if screen.height(lines) <= room:
            return _filled(lines, parts, screen, room)
    cut = _flowing(parts.headline, screen.columns)
    if parts.choices:
        cut += _flowing(brief or parts.before, screen.columns, joined=False)
        cut += _flowing(_first(parts.choices), screen.columns)
    else:
        rest = [*_spaced([parts.before]), *parts.rest] if parts.before else parts.rest
        cut += _flowing([*parts.grid, *parts.listed, *parts.legend, *rest], screen.columns)
    return Shown(tuple(cut[:room]), max(1, len(text) - room))


# --- the parts of a mail -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Parts:
    """A mail's text by what its paragraphs are, in the order in which it has them.

    `grid` is the board as it is drawn, `listed` what it lists below, `legend` who is who there,
    `before` what stands in place of a board that a mail has not.
    """

    headline: tuple[str, ...]
    before: tuple[str, ...]
    grid: tuple[str, ...]
    listed: tuple[str, ...]
    legend: tuple[str, ...]
    since: tuple[str, ...]
    choices: tuple[str, ...]
    rest: tuple[str, ...]

    @classmethod
    def of(cls, text: Sequence[str], boards: Sequence[Sequence[str]]) -> _Parts:
        """The last of the boards that the text has is the one that matters."""
        top, height = max((_last(text, board) for board in boards), default=(-1, 0))
        above = _paragraphs(text[:top] if top >= 0 else text)
        above = [one for one in above if not one[0].startswith(_MARKER)]
        headline = above.pop(0) if above else []
        if top < 0:
            return cls._without_board(headline, above)
        board = [line.rstrip() for line in text[top : top + height]]
        drawn = [number for number, line in enumerate(board, 1) if _DRAWN.search(line)]
        end = drawn[-1] if drawn else height
        below = _paragraphs(text[top + height :])
        with_board = top + height < len(text) and text[top + height].strip()
        legend = below.pop(0) if below and with_board else []
        at, offered = _choices(below), _choices(above)
        # Above the board they stand in a refusal, below what was written and why it is refused.
        choices = below[at] if at >= 0 else above.pop(offered) if offered >= 0 else ()
        before = above if at < 0 <= offered else above[-1:]
        return cls(
            headline=tuple(headline),
            before=tuple(chain.from_iterable(before)),
            grid=tuple(board[:end]),
            listed=tuple(board[end:]),
            legend=tuple(legend),
            since=tuple(chain.from_iterable(below[: max(at, 0)])),
            choices=tuple(choices),
            rest=tuple(_spaced(below[at + 1 :])),
        )

    @classmethod
    def _without_board(cls, headline: list[str], paragraphs: list[list[str]]) -> _Parts:
        at = _choices(paragraphs)
        nothing: tuple[str, ...] = ()
        return cls(
            headline=tuple(headline),
            before=tuple(_spaced(paragraphs[: max(at, 0)]))[1:],
            grid=nothing,
            listed=nothing,
            legend=nothing,
            since=nothing,
            choices=tuple(paragraphs[at] if at >= 0 else ()),
            rest=tuple(_spaced(paragraphs[at + 1 :])),
        )


def _choices(paragraphs: Sequence[Sequence[str]]) -> int:
    """The number of the paragraph that lists moves, each with how it is typed; -1 without one."""
    for number, lines in enumerate(paragraphs):
        items = [line for line in _units(lines) if line.startswith("- ")]
        if items and all(line[-1] in '"”' and _TYPED.search(line) for line in items):
            return number
    return -1


def _last(lines: Sequence[str], board: Sequence[str]) -> tuple[int, int]:
    """Where a board begins for the last time, and its height; (-1, 0) if it is not there."""
    wanted = [line.rstrip() for line in board]
    for top in range(len(lines) - len(wanted), -1, -1):
        if wanted and [line.rstrip() for line in lines[top : top + len(wanted)]] == wanted:
            return top, len(wanted)
    return -1, 0


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [one for one in found if one]


def _spaced(paragraphs: Sequence[Sequence[str]]) -> Iterator[str]:
    for lines in paragraphs:
        yield ""
        yield from lines


# --- where they stand ----------------------------------------------------------------------------


def _arranged(
    parts: _Parts, subject: Sequence[str], screen: Screen, brief: Sequence[str]
) -> Iterator[list[str]]:
    """The ways to show a mail, the best first: each leaves out, or moves, more than the last."""
    wide = screen.columns
    headline = _flowing(parts.headline, wide)
    if parts.grid and max(map(len, parts.grid)) <= wide:
        yield from _with_board(parts, subject, headline, screen)
    elif not parts.grid:
        brief = parts.before
    if brief and parts.choices:
        said = _flowing(brief, wide, joined=not parts.grid)
        told = [line for line in said if line]
        since, choices = _flowing(parts.since, wide), _flowing(parts.choices, wide)
        yield _apart(subject, headline, said, since, choices)
        yield [*headline, *told, *since, *choices]
        yield [*headline, *told, *choices]
        yield [*headline, *told, *_flowing(_first(parts.choices), wide)]


def _with_board(
    parts: _Parts, subject: Sequence[str], headline: Sequence[str], screen: Screen
) -> Iterator[list[str]]:
    wide = screen.columns
    board = [*parts.grid, *parts.listed, *parts.legend]
    before, since = _flowing(parts.before, wide), _flowing(parts.since, wide)
    choices = _flowing(parts.choices, wide)
    yield _apart(subject, headline, before, board, since, choices)
    yield _apart(headline, [*before, *board], since, choices)
    yield [*headline, *before, *board, *since, *choices]
    height = screen.rows - BELOW - len(headline)
    for above, told in (
        (parts.before, parts.since),
        ((), parts.since),
        (parts.before, ()),
        ((), ()),
    ):
        beside = [*parts.listed, *parts.legend], above, told, parts.choices
        yield from _two_columns(headline, parts.grid, beside, wide, height)
    yield [*headline, *before, *board, *choices]
    yield [*headline, *board, *choices]
    who = _flowing(["   ".join(" ".join(line.split()) for line in parts.legend)], wide)
    yield [*headline, *parts.grid, *who, *choices]
    yield [*headline, *parts.grid, *who, *_flowing(_first(parts.choices), wide)]


def _apart(*blocks: Sequence[str]) -> list[str]:
    """Blocks of lines with an empty one between each two."""
    return list(_spaced([block for block in blocks if block]))[1:]


def _first(choices: Sequence[str]) -> list[str]:
    """What can be done, and the first example."""
    units = _units(choices)
    return units[: next((at for at, line in enumerate(units) if line.startswith("- ")), 0) + 1]


def _two_columns(
    headline: Sequence[str],
    grid: Sequence[str],
    beside: Sequence[Sequence[str]],
    wide: int,
    height: int,
) -> Iterator[list[str]]:
    """A board with what belongs to it at its side: once with air between the parts, once without.

    Nothing, where the side is too narrow, or so full that it would go on below the screen.
    """
    left = max(map(len, grid), default=0) + BETWEEN
    if wide - left < READABLE or len(grid) > height:
        return
    texts = [_flowing(text, wide - left, joined=bool(at)) for at, text in enumerate(beside) if text]
    for air in (1, 0):
        right = [line for text in texts for line in (*[""] * air, *text)][air:]
        if len(right) <= height:
            rows = zip_longest(grid, right, fillvalue="")
            yield [*headline, *(f"{one:<{left}}{other}".rstrip() for one, other in rows)]


def _filled(lines: list[str], parts: _Parts, screen: Screen, room: int) -> Shown:
    """With the paragraphs that follow, for as long as there is room."""
    rest = _paragraphs(parts.rest)
    while rest:
        more = [*lines, "", *_flowing(rest[0], screen.columns)]
        if screen.height(more) > room:
            break
        lines, rest = more, rest[1:]
    return Shown(tuple(lines), sum(map(len, rest)) or 1)


def _flowing(lines: Iterable[str], columns: int, *, joined: bool = True) -> list[str]:
    """Lines as wide as there is room: what was broken for a mail flows again if `joined`."""
    flown: list[str] = []
    for line in _units(lines) if joined else lines:
        indent = " " * (len(line) - len(line.lstrip()) + 2 * line.lstrip().startswith("- "))
        flown += wrap(
            line, columns, subsequent_indent=indent, break_on_hyphens=False, tabsize=1
        ) or [""]
    return flown


def _units(lines: Iterable[str]) -> list[str]:
    """Sentences and items in one line each; lines with columns of their own stay as they are."""
    units: list[str] = []
    for line in lines:
        last = units[-1] if units else ""
        goes_on = line.startswith("  ") if last.startswith("- ") else _is_prose(line)
        if units and last and goes_on and (last.startswith("- ") or _is_prose(last)):
            units[-1] = f"{last} {line.strip()}"
        else:
            units.append(line)
    return units


def _is_prose(line: str) -> bool:
    return bool(line.strip()) and not line.startswith((" ", "- ")) and "  " not in line
