"""The lines of a letter as they stand together, as far as they are meant for us."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.mail.verbs.vocabulary import Vocabulary

_END: Final = re.compile(r"end|signoff", re.IGNORECASE)


def before_end(lines: Sequence[str], game: AnyGame | None, words: Vocabulary) -> Iterator[str]:
    """The lines above one that says that nothing below is meant (`end`)."""
    for line in lines:
        if _END.fullmatch(line.strip(" .!")) and not words.speaks(game, line):
            return
        yield line


def paragraphs(lines: Iterator[str]) -> Iterator[list[str]]:
    """The lines that stand together, without the quotes that people copy with what we show."""
    paragraph: list[str] = []
    for line in lines:
        if line.strip():
            paragraph.append(_unquoted(line.strip()))
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _unquoted(line: str) -> str:
    """Our mails show what to type in quotes, and people copy it with them."""
    whole = line.startswith('"') and line.endswith('"') and line.count('"') == 2  # noqa: PLR2004 - a pair
    return line[1:-1].strip() if whole else line
