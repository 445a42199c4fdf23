"""The lines and sentences of a letter as they stand together, and which may be one with a turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.legacy.mail.free_text.courtesies import END, WORD, is_said, words_of
from pbem.legacy.mail.free_text.message_text import begins_signature, office_of
from pbem.legacy.mail.free_text.retractions import is_for_later
from pbem.legacy.mail.phrases.lists import spoken
from pbem.legacy.mail.phrases.patterns import patterns

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_OPEN: Final = (",", ":", "：", "-", "(")
"""What ends a line that goes on in the next."""

_POSTSCRIPT: Final = re.compile(r"\W*(?:p\.? ?)+s\b", re.IGNORECASE)

_NARROW: Final = 60
"""Columns from which on a mailer may have broken a line."""

_ENDED: Final = re.compile(r"[ )\]\"'*]*[.!…。！]+(?=\s|$)")

_TAG: Final = 3
"""Words of a question that only ends a sentence, at most."""

_LONG: Final = 8
"""Words with which a line below a turn is a sentence of its own."""

_QUOTED, _LONGEST = 5, 200
"""Sentences of a letter that are quoted, and their characters."""

_NEAR: Final = 2
"""Unknown words that stand right behind a turn and may be meant as a part of it, at most."""


class Sentence(NamedTuple):
    """A sentence beside the turn, in whose own line it stands or not.

    `own`: the turn stands in it, before it or behind it; `signed`: below a sign-off; `above`: the
    turn stands below.
    """

    text: str
    own: bool
    signed: bool
    behind: bool
    beside: bool = False
    above: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """The sentences that nothing accounts for; `strong` are those that may change the turn.

    `part`: words of the game are left over in the turn's own sentence, so that it is no whole one.
    """

    strong: tuple[str, ...] = ()
    chat: tuple[str, ...] = ()
    part: bool = False

    def with_more(self, other: Unread) -> Unread:
        """This and what is unread elsewhere in the letter."""
        if other == NOTHING:
            return self
        return Unread(other.strong + self.strong, other.chat + self.chat, self.part or other.part)

    def as_typed(self, read: str, typed: str) -> Unread:
        """The same in the words that were typed, where `read` has them in those of the game."""
        texts = [[one.text for one in sentences("", f"\n\n{text}")] for text in (read, typed)]
        if len(texts[0]) != len(texts[1]):
            return self
        said = dict(zip(*texts, strict=True))
        strong, chat = ([said.get(one, one) for one in each] for each in (self.strong, self.chat))
        return replace(self, strong=tuple(strong), chat=tuple(chat))

    @property
    def quoted(self) -> tuple[str, ...]:
        """What is told of it, the strong ones first."""
        found = dict.fromkeys((*self.strong, *self.chat))
        return tuple(one[:_LONGEST].lstrip(" ,;:") for one in found)[:_QUOTED]


NOTHING: Final = Unread()
"""Where every word is accounted for."""


def sentences(
    before: str, after: str, names: Callable[[], Collection[str]] = frozenset
) -> Iterator[Sentence]:
    """The sentences around a turn, in their order; lines that a mailer broke are joined.

    Below a sign-off, or the whole name of somebody who plays, stands a signature.
    """
    above = lines_of(before)
    for number, line in enumerate(above):
        last = number == len(above) - 1
        parts = parts_of(line)
        goes_on = last and not before.endswith("\n\n") and _goes_on(line, same=before[-1:] != "\n")
        beside = last and before[-1:] != "\n"
        if goes_on and parts:
            parts[-1:] = _without_start(parts[-1])
        for at, part in enumerate(parts):
            own = goes_on and at == len(parts) - 1
            yield Sentence(part, own, signed=False, behind=False, beside=beside, above=True)
    office = office_of(after)
    below = lines_of(after.removesuffix(office))
    own = not after.startswith("\n\n")
    signed = False
    for number, line in enumerate(below):
        signed = signed and not _POSTSCRIPT.match(line)
        parts = [one for part in parts_of(line) for one in _without_end(part)]
        begins = own and number == 0 and (after[:1] != "\n" or _continues(line))
        for at, part in enumerate(parts):
            same = begins and at == 0 and (not _ENDED.match(after) or _is_other(part))
            here = number == 0 and after[:1] != "\n"
            near = number == 0 and not after.startswith("\n\n") and len(words_of(part)) <= _NEAR
            reason = (
                patterns().reasons.search(f" {part}") if same and here and "?" not in part else None
            )
            if reason is not None:  # why the turn is made changes nothing in it
                why = part[reason.end() - 1 :]
                yield Sentence(why, own=False, signed=signed, behind=False, beside=True)
                part = part[: max(reason.start() - 1, 0)]  # noqa: PLW2901 - what is left of it
            if part:
                behind, beside = same and here, here or near
                yield Sentence(part, same, signed=signed, behind=behind, beside=beside)
        signed = signed or begins_signature(line) or _is_whole_name(line.split(",")[0], names)
    for line in lines_of(office):
        yield Sentence(line, own=False, signed=True, behind=False)


def _is_whole_name(text: str, names: Callable[[], Collection[str]]) -> bool:
    """Whether a text is the name of somebody who plays, and not the first alone: `Dr A. Miller`."""
    name = words_of(text)
    known = set(names()) if len(name) > 1 else set()
    rest = [word for word in name if word not in known and len(word) > 1]
    return len(rest) < len(name) and spoken().titles.issuperset(rest) and bool(known & set(name))


def _is_other(text: str) -> bool:
    """Whether a sentence behind a turn leaves a choice (`Or maybe something else`)."""
    [first, *_] = [*words_of(text), ""]
    return first in spoken().alternatives


def lines_of(text: str) -> list[str]:
    """The lines of a text that hold anything, joined where a mailer broke them."""
    found: list[str] = []
    joins = False
    for line in text.split("\n"):
        if joins and line and found and len(found[-1]) + len(line.split()[0]) > _NARROW:
            found[-1] = f"{found[-1]} {line}"
        elif line.strip():
            found.append(line.strip())
        joins = len(line) > _NARROW
    return found


def parts_of(line: str) -> list[str]:
    """The sentences of a line."""
    return [part.strip() for part in END.split(line) if WORD.search(part) or "?" in part]


def _without_start(part: str) -> list[str]:
    """A greeting that no sign parts from the turn behind it, and the rest of its sentence.

    Who dictates says who they are: `hello this is grandpa speaking I would like to walk to`.
    """
    found = list(WORD.finditer(part))
    said = spoken()
    own = next((at for at, one in enumerate(found) if one[0].casefold() in said.own), 0)
    start = words_of(" ".join(one[0] for one in found[:own]))
    against = said.doubts | said.unsure | said.reports | said.of_others | said.alternatives
    against |= said.judging | said.modifiers
    greets = 1 < own < _LONG and start[0] in said.greetings and start[1] not in said.asking
    if not greets or not against.isdisjoint(start):
        return [part]
    return [part[: found[own].start()].rstrip(), part[found[own].start() :]]


def _without_end(part: str) -> list[str]:
    """A sentence, and the wishes and greetings at its end that no sign parts from it.

    Who dictates has no signs: `to E4 and plant on D4 thank you very much goodbye`.
    """
    found = patterns().ending.search(part)
    start, end = (part[: found.start()], part[found.end() :]) if found is not None else (part, "")
    said = spoken()
    doubting = said.doubts | said.unsure | said.alternatives | said.conditional | said.wait
    denies = any(one in doubting or one.endswith("n't") for one in words_of(end))
    if denies or "?" in end or is_for_later(end):
        return [part]
    greets = WORD.search(start) is not None and is_said(start, ())  # `Schöne Grüße von der See`
    return [part] if greets or not end else [start, end]


def _goes_on(line: str, *, same: bool) -> bool:
    """Whether the sentence that a line ends with goes on in the turn behind it."""
    if same:
        return line.rstrip()[-1:] not in ".!?…"
    return line.rstrip().endswith(_OPEN)


def _continues(line: str) -> bool:
    """Whether a line below a turn goes on with its sentence: `but not yet`.

    A long one that begins with a time is a sentence of its own (`Mañana operan a mi hermana ...`).
    """
    typed = line.lstrip()
    [first, *_] = found = [*words_of(typed), ""]
    if typed[:1] in "?(" or first in spoken().alternatives:
        return True
    apart = typed[:1].isupper() and len(found) > _LONG and first in spoken().later
    return first in spoken().doubts and not apart


def asked_in(text: str) -> str:
    """The clause of a sentence that asks; a tag behind it (`isn't it?`) asks nothing of its own."""
    *_, clause = text.split(",")
    return clause.replace("?", "") if "?" in clause and len(words_of(clause)) > _TAG else ""


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
