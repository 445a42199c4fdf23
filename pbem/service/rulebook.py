"""The rulebooks of the games (docs/games, in English), with their rules by number.

Refusals of moves cite these numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pbem.files import find_shipped
from pbem.games import list_games
from pbem.games.packages import find_package_folder

# As in `LG-2.1` or `[LG-2.1]`.
NUMBER: Final = re.compile(r"\[?([a-z]{2}-[0-9]{1,2}\.[0-9]{1,2}[a-z]?)\]?", re.IGNORECASE)

_RULE: Final = re.compile(r"\*\*([A-Z]{2}-[0-9]{1,2}\.[0-9]{1,2})\*\*[ ]?")
_PART: Final = re.compile(r"\*\*([A-Z]{2}-[0-9]{1,2}\.[0-9]{1,2}[a-z])\*\*")
_FOR_PROGRAMMERS: Final = frozenset({"Rejections", "Board picture", "Figures"})  # chapter titles

_ITEM: Final = re.compile(r"(?:[0-9]{1,2}\.|-) ")
_MARKS: Final = re.compile(r"\*\*|`|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])")
_TABLE_RULE: Final = re.compile(r"[|\s-]+")  # the line below the head of a table


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a game: its number, and its paragraphs, list items and table rows.

    `following` is the number of the next rule; it is empty for the last rule.
    """

    number: str
    lines: tuple[str, ...]
    following: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a rulebook: its title, and the numbers of its first and last rule."""

    title: str
    first: str
    last: str


def find_rule(number: str) -> Rule | None:
    """Return the rule with a number such as `LG-2.1`, or None if there is no such rule.

    For the number of a part of a rule, such as `LG-2.1a`, return the whole rule.
    """
    parsed = NUMBER.fullmatch(number)
    return _rules().get(parsed[1].casefold()) if parsed is not None else None


def summarise(key: str) -> tuple[str, list[Chapter]]:
    """Return the first paragraph and the chapters of the rulebook of the game with this key.

    Chapters that players do not need are left out. Both values are empty if there is no rulebook.
    """
    lines = read_rulebook(key).split("\n")
    start = next((n for n, line in enumerate(lines) if line and not line.startswith("#")), 0)
    end = next((n for n in range(start, len(lines)) if not lines[n].strip()), start)
    chapters: list[Chapter] = []
    title, numbers = "", list[str]()
    for line in [*lines, "## "]:
        if line.startswith("## "):
            if numbers and title not in _FOR_PROGRAMMERS:
                chapters.append(Chapter(title, numbers[0], numbers[-1]))
            title, numbers = line[3:].strip("0123456789 "), []
        elif (rule := _RULE.match(line)) is not None:
            numbers.append(rule[1])
    return _MARKS.sub("", " ".join(lines[start:end])), chapters


def read_rulebook(key: str) -> str:
    """Return the Markdown text of the rulebook of the game with this key; "" if there is none."""
    path = find_shipped("rulebooks", "docs/games") / f"{key}.md"
    brought = find_package_folder(key)
    if brought is not None and not path.is_file():
        path = Path(brought, "rules.md")
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@cache
def _rules() -> Mapping[str, Rule]:
    rules: dict[str, Rule] = {}
    for game in list_games():
        rule_texts = [*_split(read_rulebook(game.key))]
        following = [number for number, _ in rule_texts[1:]] + [""]
        for (number, lines), next_number in zip(rule_texts, following, strict=False):
            rule = Rule(number, tuple(_plain_lines(lines)), next_number)
            rules[number.casefold()] = rule
            for part in _PART.findall("\n".join(lines)):
                rules.setdefault(part.casefold(), rule)
    return rules


def _split(text: str) -> Iterator[tuple[str, list[str]]]:
    number, lines = "", list[str]()
    for line in [*text.split("\n"), "#"]:
        begins = _RULE.match(line)
        if begins is None and not line.startswith("#"):
            lines.append(line)
            continue
        if number:
            yield number, lines
        number = begins[1] if begins is not None else ""
        lines = [line[begins.end() :]] if begins is not None else []


def _plain_lines(lines: list[str]) -> Iterator[str]:
    """Yield the text of a rule without Markdown marks.

    Each paragraph, list item and table row becomes one line. Lines of code blocks, which show
    boards, stay unchanged. `lines` are the Markdown lines of the rule.
    """
    paragraph: list[str] = []
    is_drawing = False
    for line in [*lines, ""]:
        is_kept = is_drawing or line.startswith("|")
        ends = is_kept or not line.strip() or line.startswith("```") or _ITEM.match(line)
        if paragraph and ends:
            yield _MARKS.sub("", " ".join(paragraph))
            paragraph = []
        if line.startswith("```"):
            is_drawing = not is_drawing
        elif is_drawing:
            yield line
        elif is_kept and not _TABLE_RULE.fullmatch(line):
            yield _MARKS.sub("", line).strip("| ")
        elif not is_kept and line.strip():
            paragraph.append(line.strip())
