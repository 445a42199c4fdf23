"""The lines of a letter as they stand together, as far as they are meant for us."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.mail.verbs.vocabulary import Vocabulary

ONE_WORD: Final = re.compile(r"([^\W\d_]+[.!]+)\s+(\S.*)", re.DOTALL)
"""A sentence of one word, and what follows it in the line."""

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


def apart(lines: Sequence[str], is_move: Callable[[str], bool]) -> list[str]:
    """The lines, with a turn of one word (`Pass. No good dice.`) on a line of its own."""
    found = ((ONE_WORD.fullmatch(line), line) for line in lines)
    return [
        part
        for one, line in found
        for part in (one.groups() if one is not None and is_move(one[1].strip(".!")) else (line,))
    ]
