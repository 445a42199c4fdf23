"""What HTML shows of boards: their cells, drawn by cells.html.j2 in the words of a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from gettext import NullTranslations
from typing import Final

from markupsafe import Markup

from pbem.games.cells import Cell, Cells
from pbem.notices.rendering.catalogue import ENGLISH, picture_in
from pbem.notices.rendering.families import Templates
from pbem.notices.rendering.filters import Shown
from pbem.notices.rendering.html_markup import Figure, Picture

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
        self._translates = lang != ENGLISH
        self._cell = lru_cache(maxsize=_CELLS_KEPT)(self._drawn_cell)
        self._sign = lru_cache(maxsize=_SIGNS_KEPT)(self._drawn_sign)

    def of(self, boards: Sequence[Shown]) -> dict[str, Figure]:
        """The figures of a mail, by the names by which its marked text knows them."""
        return {
            f"{'p' * shown.pictured}{number}": self._figure(shown)
            for number, shown in enumerate(boards)
        }

    def _figure(self, shown: Shown) -> Figure:
        cells = shown.sight.cells
        signs = self._signs(cells) if cells is not None else {}
        if shown.pictured or cells is None:
            picture = Picture.of(shown.sight.picture)
            html = self._blocks.render(
                "picture", cid=picture.cid, lies=picture.lies, alt=shown.alt[:LONGEST_ALT]
            )
            return Figure("picture", html, (shown.alt,), signs, picture)
        said = self._translated(cells) if self._translates else cells
        return Figure("figure", self._board(said), said.lines, signs)

    def _board(self, cells: Cells) -> str:
        side = LARGE if cells.columns <= FEW else SMALL
        rows = ["".join([self._cell(cell, side) for cell in row]) for row in cells.rows]
        return self._blocks.render("board", rows=list(map(Markup, rows)), side=side)

    def _drawn_cell(self, cell: Cell, side: int) -> str:
        return self._blocks.render("cell", cell=cell, side=side).strip()

    def _signs(self, cells: Cells) -> Mapping[str, tuple[str, str]]:
        return {self._said(text): self._sign(cell) for text, cell in cells.signs}

    def _drawn_sign(self, cell: Cell) -> tuple[str, str]:
        before, after = self._blocks.render("sign", cell=cell, here="\n").strip().split("\n")
        return before, after

    def _said(self, text: str) -> str:
        return picture_in(self._words, text) if self._translates else text

    def _translated(self, cells: Cells) -> Cells:
        rows = tuple(
            tuple(
                replace(cell, text=self._said(cell.text)) if len(cell.text) > 1 else cell
                for cell in row
            )
            for row in cells.rows
        )
        return replace(cells, rows=rows)
