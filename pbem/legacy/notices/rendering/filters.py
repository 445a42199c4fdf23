"""What templates may call beside Jinja's own, in a language; boards as cells among it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import lru_cache, partial
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any, Final, cast
from zoneinfo import ZoneInfo

from markupsafe import Markup

from pbem.legacy.bots.measured import MEASURED
from pbem.games import GAMES
from pbem.games.cells import Cell, Cells
from pbem.names import PlayerId, bot_level, bot_number, is_bot
from pbem.legacy.notices.rendering import languages, markup
from pbem.legacy.notices.rendering.families import TEXT, Templates
from pbem.legacy.notices.rendering.html_markup import Figure, Picture
from pbem.legacy.notices.rendering.languages import (
    ENGLISH,
    bot_levels,
    move_in,
    names_of,
    order_in,
    own_facts,
    picture_in,
    plan_in,
)
from pbem.legacy.notices.rendering.passages import passage
from pbem.legacy.notices.replies import OrderRefused, OrderResult
from pbem.legacy.notices.views.match_parts import Sight
from pbem.legacy.notices.views.scene import MARKER, NoticeView
from pbem.legacy.notices.views.standings import part

if TYPE_CHECKING:
    from pbem.legacy.notices.rendering.languages import Day, Moment

# --- filters -------------------------------------------------------------------------------------
# What templates may call: the filters and functions beside Jinja's own, in a language.

_DATES_KEPT: Final = 1024
"""Times of a kind whose words are remembered: most mails of a day say the same few."""

_ZONE: Final[ContextVar[tzinfo]] = ContextVar("zone", default=UTC)
"""The time zone of whoever reads the mail that is being written."""


_WORDS: Final = re.compile(r"\w+(?:>\w+)?")

PICTURES: Final = 1
"""Pictures of a mail: a list of boards would weigh too much, and shows the others as text."""

_FIGURES: Final[ContextVar[list[Shown]]] = ContextVar("figures")
"""The boards of the mail that is being written, in the order in which they are shown."""


@contextmanager
def writing(zone: str) -> Iterator[list[Shown]]:
    """What is written here is for somebody in a time zone (IANA), and shows the boards given."""
    figures: list[Shown] = []
    before = _ZONE.set(ZoneInfo(zone)), _FIGURES.set(figures)
    try:
        yield figures
    finally:
        _ZONE.reset(before[0])
        _FIGURES.reset(before[1])


_MARKED: Final = {
    "board": markup.BOARD,
    "fixed": markup.FIXED,
    "unbroken": markup.TABLE,
    "chips": markup.CHIPS,
    "plain": markup.PLAIN,
}
"""Filters that mark each line of a block."""


def equip(env: Templates, lang: str, words: NullTranslations) -> Templates:
    """Marks as filters, the games' pieces, and the macros that all notices share."""
    env.filters |= {
        "typed": markup.typed if lang == ENGLISH else partial(_typed, words),
        "quoted": markup.typed,
        "echoed": markup.echoed,
        "pattern": lambda text: markup.noted(order_in(words, text)),
        "move": (lambda text, _: text) if lang == ENGLISH else partial(move_in, words),
        "planned": (lambda text, _: text) if lang == ENGLISH else partial(plan_in, words),
        "word": lambda text, context="word": words.pgettext(context, text),
        "pictured": str if lang == ENGLISH else partial(picture_in, words),
        "points": _points,
        "tied": markup.tied,
        "noted": markup.noted,
        "choice": _choice,
        "answer": lambda said, order: _choice(said, order_in(words, order)),
        "barred": markup.barred,
        "heading": partial(_line, mark=markup.HEADING),
        "label": partial(_line, mark=markup.LABEL),
        **{name: partial(markup.marked, mark=mark) for name, mark in _MARKED.items()},
        "columns": _columns,
        "aside": partial(_line, mark=markup.ASIDE),
        "figure": _figure,
        "sign": lambda meaning, symbol, half: f"{symbol} {half} {meaning}",
        "longest": _longest,
        "filled": markup.filled,
        "reflowed": markup.reflowed,
        "shortened": markup.shortened,
        "words": _words,
        "alternatives": partial(_alternatives, words),
        "moment": _dated(env, "moment", languages.moment),
        "clock": _dated(env, "clock", languages.moment),
        "day": _dated(env, "day", languages.day),
        "date": _dated(env, "date", languages.day),
        "weekday": partial(_dates, env, "weekday"),
        "halves": partial(part, of=2),
        "duration": lru_cache(maxsize=_DATES_KEPT)(
            lambda length: _dates(env, "duration", languages.span(length))
        ),
    }
    env.tests["picture"] = lambda shown: shown.startswith(f"{markup.FIGURE}p")
    env.globals |= {
        "names_of": lambda verb: names_of(words, verb.name, verb.also),
        "marker": words.pgettext("marker", MARKER),
        "piece": env.piece,
        "reason": env.reason,
        "rules_about": partial(_rules_about, env),
        "rejection": partial(_rejection, env),
        "member": env.member,
        "result": partial(_result, env),
        "section": env.part,
        "ours": own_facts,
        "bot_levels": bot_levels,
        "bots_measured": MEASURED,
        "is_judged": languages.is_judged,
    }
    env.globals["parts"] = env.get_template("parts.txt.j2").module
    return env


def named_in(env: Templates, names: Mapping[PlayerId, str]) -> dict[PlayerId, str]:
    """The names, those of bots in the words of the templates' language."""
    words: Any = env.get_template("begins.txt.j2").module
    return {
        player: str(words.robot(bot_level(player), bot_number(player))) if is_bot(player) else name
        for player, name in names.items()
    }


_MANY: Final = 995
"""Hundredths of a point of which nobody wants a tenth."""


def _points(hundredths: int, sign: str) -> str:
    """Hundredths of a point as points; with one decimal behind a sign, where they are few."""
    if abs(hundredths) >= _MANY:
        return f"{(abs(hundredths) + 50) // 100}"
    return f"{abs(hundredths) / 100:.1f}".replace(".", sign)


def _line(text: str, mark: str) -> str:
    """A text as one line with a mark."""
    return mark + " ".join(text.split())


def _longest(texts: Iterable[str], at_least: int = 0, at_most: int = 72) -> int:
    """Columns of the longest of some texts, for a table whose columns are not narrower or wider."""
    return min(max(at_least, max(map(len, texts), default=0)), at_most)


def _columns(rows: Sequence[Sequence[object]]) -> str:
    """A table, its first row of titles; all columns but the first two have numbers."""
    said = [[" ".join(str(cell).split()) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*said, strict=True)]
    padded = (
        [
            cell.rjust(width) if place > 1 else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in said
    )
    return markup.marked(map("  ".join, padded), markup.COLUMNS)


@dataclass(frozen=True, slots=True)
class Shown:
    """A board that HTML shows, by the name by which marked text knows it.

    `alt` stands for its picture where none is loaded.
    """

    name: str
    sight: Sight
    alt: str
    pictured: bool


def _figure(sight: Sight, alt: str, most: int = PICTURES) -> str:
    """The line by which HTML finds what it shows of a board; nothing where that is the text.

    `most` is how many pictures its mail may have so far, with this one.
    """
    figures = _FIGURES.get()
    pictured = sight.picture is not None and sum(one.pictured for one in figures) < most
    if sight.cells is None and not pictured:
        return ""
    name = f"{'p' * pictured}{len(figures)}"
    figures.append(Shown(name, sight, " ".join(alt.split()), pictured))
    return markup.FIGURE + name


def _alternatives(
    words: NullTranslations, verbs: Sequence[str], unfinished: AbstractSet[str]
) -> str:
    """Verbs between strokes, each tied to what is before it, so that no line begins with one.

    HTML offers them, but for those that say nothing without more words.
    """
    said = [
        name if verb in unfinished else f"{markup.TAP}{name}{markup.TAP_END}"
        for verb in verbs
        for name in names_of(words, verb, ())[:1]
    ]
    tied = (name.replace(" ", markup.TIE) for name in said)
    return markup.TIE + f" /{markup.TIE}".join(tied)


def _choice(said: str, text: str) -> str:
    """What could be sent, in words, and as it is typed."""
    return f"{markup.CHOICE}{said[:1].upper()}{said[1:]}: {markup.typed(text)}"


def _typed(words: NullTranslations, text: str) -> str:
    """What could be typed, in the reader's words."""
    return markup.typed(order_in(words, text))


def _dates(env: Templates, name: str, facts: object) -> str:
    """A time or a length of time in the words of dates.txt.j2."""
    return str(getattr(env.get_template("dates.txt.j2").module, name)(facts)).strip()


def _dated(
    env: Templates, name: str, seen: Callable[[datetime | str, tzinfo], Moment | Day]
) -> Callable[[datetime | str], str]:
    """A filter that says a time as it is where the mail is read."""
    words = lru_cache(maxsize=_DATES_KEPT)(partial(_dates, env, name))
    return lambda at: words(seen(at, _ZONE.get()))


def _words(moves: Iterable[str]) -> list[str]:
    """The words of some moves in canonical notation."""
    return [word for move in moves for word in _WORDS.findall(move)]


def _rejection(env: Templates, view: NoticeView) -> str:
    """Why something was refused: in the game's words, where it has words for this code."""
    refused = cast("OrderRefused", view.notice)
    family = "rejections"
    if refused.game is not None and not refused.facts.get("overruled"):
        its_own = f"games/{refused.game}/rejections"
        family = its_own if refused.code in env.family(its_own + TEXT) else family
    seats = view.match.names if view.match is not None else {}
    facts = dict(refused.facts)
    code = refused.code
    if refused.game is not None and code not in env.family(family + TEXT):
        family, code, facts = "games/any/rejections", "unnamed", {"code": code}
    if isinstance(example := facts.get("example"), str):
        facts["example"] = markup.typed(example)
    return env.member(family, code, facts=facts, names=seats, match=view.match)


def _rules_about(env: Templates, game: str, asked: Sequence[str]) -> str:
    """What the rules of a game say of what was asked, or else how its moves are written."""
    parts: Any = env.globals["parts"]
    meant = [word for word in asked if word not in parts.asking.split()]
    keys = {one.key for one in GAMES.values()}
    for name in ("rules", "howto"):
        elsewhere = "\n".join(env.piece(key, name) for key in sorted(keys - {game}))
        if found := passage(env.piece(game, name), elsewhere, meant):
            return found
    return ""


def _result(env: Templates, result: OrderResult) -> str:
    return env.member("results", result.outcome or result.status, facts=result.facts)


# --- figures -------------------------------------------------------------------------------------
# What HTML shows of boards: their cells, drawn by cells.html.j2 in the words of a language.

LONGEST_ALT: Final = 150
"""Signs of the line that stands for a picture, so that a reply quotes it as one line."""

LARGE, SMALL = 44, 29
"""Sides of cells in pixels: of boards with few columns, and of those that just fit on a phone."""

FEW: Final = 8

_CELLS_KEPT: Final = 2048
"""Cells whose markup is remembered: a board has few kinds of them."""

_SIGNS_KEPT: Final = 256
"""Signs of legends whose markup is remembered: a club's boards have the same few."""


class Figures:
    """Draws the boards of mails in one language."""

    def __init__(self, env: Templates, words: NullTranslations, lang: str) -> None:
        """Find the template; `words` are those of the language."""
        self._blocks = env.family("cells.html.j2")
        self._words = words
        self._word = env.filters["word"]
        self._translates = lang != ENGLISH
        self._cell = lru_cache(maxsize=_CELLS_KEPT)(self._drawn_cell)
        self._sign = lru_cache(maxsize=_SIGNS_KEPT)(self._drawn_sign)

    def figure(self, shown: Shown) -> Figure:
        """What HTML shows of a board."""
        cells = shown.sight.cells
        if cells is not None and self._translates:
            cells = self._translated(cells)
        signs = {text: self._sign(cell) for text, cell in cells.signs} if cells is not None else {}
        draws = shown.sight.picture
        if shown.pictured or cells is None:
            picture = Picture.of(draws(self._word) if draws is not None else "")
            shape = picture.shape
            html = self._blocks.render(
                "picture", cid=picture.cid, lies=shape == "lying", alt=shown.alt[:LONGEST_ALT]
            )
            return Figure("picture", html, (shown.alt,), signs, picture, shape == "tall")
        side = LARGE if cells.columns <= FEW else SMALL
        rows = [Markup("".join([self._cell(cell, side) for cell in row])) for row in cells.rows]  # noqa: S704 - of cells that a template wrote
        return Figure(
            "figure", self._blocks.render("board", rows=rows, side=side), cells.lines, signs
        )

    def _drawn_cell(self, cell: Cell, side: int) -> str:
        return self._blocks.render("cell", cell=cell, side=side).strip()

    def _drawn_sign(self, cell: Cell) -> tuple[str, str]:
        before, after = self._blocks.render("sign", cell=cell, here="\n").strip().split("\n")
        return before, after

    def _translated(self, cells: Cells) -> Cells:
        """The cells with their words in a language; signs of one letter are the same everywhere."""
        rows = tuple(
            tuple(
                replace(cell, text=picture_in(self._words, cell.text))
                if len(cell.text) > 1
                else cell
                for cell in row
            )
            for row in cells.rows
        )
        signs = tuple((picture_in(self._words, text), cell) for text, cell in cells.signs)
        return replace(cells, rows=rows, signs=signs)
