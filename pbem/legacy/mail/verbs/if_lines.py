"""Conditional orders as people type them: `if M then M`, chains of them, `queue M`, `premove M`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from pbem.games import AnyGame
from pbem.legacy.matches.branches import ANY, DRAWN, RESIGN, Branch

LONGEST: Final = 1_000
"""Characters of one conditional order."""

WORD: Final = re.compile(r"(?<![\w'])(if|then)(?![\w'])", re.IGNORECASE)
AROUND: Final = " \n.,;:!\"'"
_AND: Final = re.compile(r"^(?:and|but|or)\b|\b(?:and|but|or)$", re.IGNORECASE)
_ANY: Final = re.compile(
    r"(?:(?:he|she|they) plays? )?(?:any(?:thing)?(?: move| turn)?|whatever|\*)", re.IGNORECASE
)
_DRAWN: Final = re.compile(r"(?:drawn|draw|coin|roll|rolled|dice)\b[\s:]*+(.+)", re.IGNORECASE)
_WRAPPED: Final = 66
"""Columns after which mailers break lines."""
_BEGINS: Final = re.compile(r"!?\s?(?:if|queue|premove)\b", re.IGNORECASE)
_GOES_ON: Final = re.compile(r"(?:then|and if|and then if)\b", re.IGNORECASE)


def branch_of(text: str) -> Branch | None:
    """`if A then B if C then D` as a branch and what follows it; None for anything else."""
    if len(text) > LONGEST:
        return None
    before, *pieces = WORD.split(text)
    if clean(before):
        return None
    words = [word.casefold() for word in pieces[::2]]
    texts = [clean(piece) for piece in pieces[1::2]]
    links: list[tuple[list[str], str]] = []
    conditions: list[str] = []
    for word, said in zip(words, texts, strict=True):
        if not said or (word == "then" and not conditions):
            return None
        if word == "if":
            conditions.append(_condition(said))
        else:
            links.append((conditions, _answer(said)))
            conditions = []
    return None if conditions or not links else _chained(links)


def _chained(links: list[tuple[list[str], str]]) -> Branch:
    branch: Branch | None = None
    for conditions, answer in reversed(links):
        branch = Branch(tuple(conditions), answer, (branch,) if branch is not None else ())
    if branch is None:
        raise ValueError("a branch has at least one link")
    return branch


def clean(text: str) -> str:
    """A part of a condition without what stands around and between parts."""
    return " ".join(_AND.sub("", text.strip(AROUND)).split()).strip(AROUND)


def _condition(text: str) -> str:
    if _ANY.fullmatch(text):
        return ANY
    found = _DRAWN.fullmatch(text)
    return f"{DRAWN}{found[1]}" if found is not None else text


def _answer(text: str) -> str:
    return RESIGN if text.casefold() in (RESIGN, "concede yes", "i resign yes") else text


def speaks(branch: Branch, game: AnyGame | None) -> bool:
    """Whether any part of a branch is clearly meant: a sentence may begin with `if`, too."""
    texts = (*branch.conditions, branch.answer)
    if game is None or RESIGN in texts or ANY in texts:
        return True
    if any(text.startswith(DRAWN) or game.words.search(text.casefold()) for text in texts):
        return True
    return any(speaks(one, game) for one in branch.then)


def joined(paragraph: Iterable[str], english: Callable[[str], str] = str) -> list[str]:
    """The lines of a paragraph, a conditional order that runs over several lines made one.

    It runs on where it is not complete, where it ends in a comma, where the next line says `then`
    or `and if`, and where a mailer broke it. `english` says its words in English.
    """
    lines: list[str] = []
    said = ""
    for line in paragraph:
        here = english(line)
        if _BEGINS.match(said) and len(said) <= LONGEST and _runs_on(said, lines[-1], here, line):
            lines[-1] = f"{lines[-1]} {line}"
            said = f"{said} {here}"
        else:
            lines.append(line)
            said = here
    return lines


def _runs_on(said: str, typed: str, after: str, typed_after: str) -> bool:
    first = typed_after.split(maxsplit=1)[0] if typed_after.split() else ""
    words = [word.casefold() for word in WORD.findall(said)]
    open_ = words[-1:] == ["if"] or said.casefold().endswith("then")
    broken = len(typed) + 1 + len(first) > _WRAPPED and not _BEGINS.match(after)
    return open_ or said.endswith(",") or bool(_GOES_ON.match(after)) or broken
