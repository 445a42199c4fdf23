"""What HTML shows of boards: their cells, drawn by cells.html.j2 in the words of a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from gettext import NullTranslations
from typing import Final

from pbem.games.cells import Cell, Cells
from pbem.notices.rendering.catalogue import ENGLISH, picture_in
from pbem.notices.rendering.families import Templates
from pbem.notices.rendering.html_markup import Figure
from pbem.notices.views.accounts import Sight

_SIGNS_KEPT: Final = 256
"""Signs of legends whose markup is remembered: a club's boards have the same few."""


class Figures:
    """Draws the boards of mails in one language."""

    def __init__(self, env: Templates, words: NullTranslations, lang: str) -> None:
        """Find the template; `words` are those of the language."""
        self._blocks = env.family("cells.html.j2")
        self._words = words
        self._translates = lang != ENGLISH
        self._sign = lru_cache(maxsize=_SIGNS_KEPT)(self._drawn_sign)

    def of(self, sights: Sequence[Sight]) -> dict[str, Figure]:
        """The figures of a mail, by the names by which its marked text knows them."""
        return {
            str(number): self._figure(sight.cells)
            for number, sight in enumerate(sights)
            if sight.cells is not None
        }

    def _figure(self, cells: Cells) -> Figure:
        shown = self._translated(cells) if self._translates else cells
        html = self._blocks.render("board", cells=shown)
        return Figure(html, shown.lines, self._signs(cells))

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
