"""Parsing of typed text into commands and moves; the caller plays a move only if there is just one.

The text is split into units. A line that is a move or command as a whole is one unit; other lines
are split into sentences. A unit is a command, a move, an attempt at a command or move, a remark or
a pleasantry. A move is a whole unit that the game's own grammar accepts, so that no part of a
sentence is ever played. For example, `knight b1` in a game without knights is an attempt, never the
move `b1`. Only words of fixed lists are removed around a move (`words.LEAD_INS` before it,
`words.PLEASANTRIES` on both sides).

Several adjacent units can also form one move, as in `Move: a2. Action: plant a1.` The longest
combination is tried first. Unused text is returned as remarks. If a remark next to the move has a
word such as "wait", the email is doubtful: the caller asks the player before the move is played.

The number of texts of one email that the grammar reads is limited. When the limit is reached, no
more moves are found. An email in which a move was found before is then doubtful, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import Enum, StrEnum, auto
from itertools import groupby
from typing import Final, Literal, Protocol

from pbem.errors import Rejection
from pbem.mail.words import (
    AGREEMENTS,
    CONTINUATIONS,
    DENIALS,
    FAREWELLS,
    GREETINGS,
    LEAD_INS,
    NO,
    PLEASANTRIES,
    POSTSCRIPTS,
    REFUSALS,
    STRICT_YES,
    SUSPICIOUS,
    SUSPICIOUS_IF_SHORT,
    YES,
)

MAX_READINGS: Final = 300  # most texts of one email that the grammar reads
MAX_RUN: Final = 6  # most adjacent units that may form one move
MAX_SUGGESTIONS: Final = 3  # most moves that are suggested to the sender for one attempt
_MAX_SPAN: Final = 8  # most words of a part of an attempt that is read as a move to suggest
_MAX_SPAN_READINGS: Final = 40  # most texts that are read to find the suggestions for one attempt
_MAX_VERB: Final = 3  # most words of a command at the end of a line
_MAX_NAMES: Final = 2  # most names after a greeting
_MAX_PHRASE: Final = 6  # most words of a phrase in the lists
_BEGINNING: Final = 2  # number of first words of a remark among which a word of DENIALS counts
_MIN_WRAPPED: Final = 50  # fewest characters of a line that a mail program may have wrapped
_MIN_SIMILARITY: Final = 0.8  # by difflib, of a mistyped word to the verb it may mean
_MIN_MISTYPED: Final = 4  # fewest letters of a mistyped word; shorter ones resemble many verbs
_MAX_SHORT_REMARK: Final = 6  # words of a remark in which a common word, as "not", is suspicious

NOT_ABOUT_TEXT: Final = frozenset(  # rejections that say nothing about whether a text is a move
    {
        "unreadable",
        "not_a_move",
        "not_your_turn",
        "not_started",
        "match_over",
        "challenge_closed",
        "no_seat",
    }
)

_BULLET: Final = re.compile(r"(?:[-*•·]\s+|\(?\d{1,2}\)\s*)")
_BOLD: Final = re.compile(r"(?<![\w*])\*(\w(?:[^*]*\w)?)\*(?![\w*])")
_ENCLOSING: Final = "*_\"'`"
_ENDINGS: Final = " \t.!,;:"
_SENTENCE_ENDINGS: Final = ".!?:;,)"
_RULE: Final = re.compile(r"[\s!-/:-@\[-`{-~]+")  # a line of nothing but ASCII signs
_GREETING_END: Final = re.compile(r"\s*(?:[,!.:;-]\s*|$)")
_WORD: Final = re.compile(r"[^\s,;:.!?()\"]+")
# Splits after the end of a sentence, except after an initial or the number in `1. d4`, and at a
# dash between spaces.
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])(?<!^\d\.)(?<!^\d\d\.)(?<!^[A-Z]\.)\s+|\s+-+\s+")
# Emoji and typed smileys such as `:-)`, but not the characters for chess pieces.
_EMOJI: Final = r"[\u2639-\u263b\u2700-\u27bf\U0001f000-\U0001faff]|(?<!\S)[:;]-?[)(DPp](?!\S)"
_EMOJI_AROUND: Final = re.compile(rf"^(?:(?:{_EMOJI})\s*)+|(?:\s*(?:{_EMOJI}))+$")


class Argument(StrEnum):
    """The kind of argument that follows the verb of a command."""

    NONE = "none"
    OPTIONAL = "optional"  # to the end of the line, or nothing
    REQUIRED = "required"  # to the end of the line
    TEXT = "text"  # to the next blank line


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """The syntax of a command: its name, its verbs and its argument."""

    name: str
    words: tuple[str, ...]  # verbs in all languages; a verb may have several words
    argument: Argument
    is_binding: bool  # whether we ask first if there are other words around it, or a `?` at the end
    form: re.Pattern[str] | None = None  # if the argument does not match, it is not this command


class CommandTable:
    """An index of all command verbs, to find the command at the beginning of a text."""

    def __init__(self, specs: Iterable[CommandSpec]) -> None:
        """Index the verbs of the commands by their first word, longest verbs first."""
        self._verbs: dict[str, list[tuple[tuple[str, ...], CommandSpec]]] = {}
        for spec in specs:
            for verb in spec.words:
                parts = tuple(verb.casefold().split())
                self._verbs.setdefault(parts[0], []).append((parts, spec))
        for verbs in self._verbs.values():
            verbs.sort(key=lambda verb: -len(verb[0]))

    def find(self, text: str) -> tuple[CommandSpec, str] | None:
        """Return the command whose verb begins a text, and the text after the verb.

        If several verbs match, the longest one counts. Return None if the text does not begin with
        a verb.
        """
        words = list(_WORD.finditer(text))
        if not words or text[: words[0].start()].strip():
            return None
        for parts, spec in self._verbs.get(words[0][0].casefold(), ()):
            if tuple(word[0].casefold() for word in words[: len(parts)]) == parts:
                return spec, text[words[len(parts) - 1].end() :].lstrip(" \t:,")
        return None

    def find_near(self, text: str) -> str | None:
        """Return what the sender of a short text should have typed, or None if that is unknown.

        For a mistyped verb such as `hlep`, the result is the name of the command. If the code of a
        match precedes the verb, as in `K7QX2 board`, the result is `board K7QX2`.
        """
        match text.strip(_ENDINGS).split():
            case [word] if len(word) >= _MIN_MISTYPED:
                verbs = get_close_matches(word.casefold(), self._verbs, 1, _MIN_SIMILARITY)
                return self._verbs[verbs[0]][-1][1].name if verbs else None
            case [code, verb] if re.search(r"\d", code) and self.find(verb) is not None:
                return f"{verb} {code}"
            case _:
                return None


class MoveGrammar(Protocol):
    """A grammar that reads typed moves of one match in its current position."""

    def read(self, text: str) -> str:
        """Return the canonical notation of a text that is, as a whole, one legal move.

        Raises:
            Rejection: The text is not a legal move. If the code of the rejection is in
                NOT_ABOUT_TEXT, the text may be anything, even chat. Otherwise the text was probably
                meant as a move, which is mistyped or illegal.
        """

    def has_word(self, text: str) -> bool:
        """Return whether `text`, in lower case, has a word that is typical of moves of this game.

        An unreadable text with such a word is an attempt at a move; an unreadable text without one
        is a remark.
        """


@dataclass(frozen=True, slots=True)
class Command:
    """A command that a person typed.

    `name` is the command's name in the table, and `argument` is the text after the verb. `typed` is
    the text as typed, with the verb. `is_after_move` is True if a move precedes the command in
    the email.
    """

    name: str
    argument: str
    typed: str
    is_after_move: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """A line or sentence that looks like a move or command, but cannot be carried out as it is."""

    typed: str
    rejection: Rejection | None  # why it is not a legal move; None for an attempt at a command
    command: str | None  # name of the command that it begins with; None for an attempt at a move
    suggestions: tuple[str, ...]  # legal moves that the sender may mean, in canonical notation

    @property
    def is_near(self) -> bool:
        """Whether the text is nearly a move, so that `rejection` tells the sender what is wrong."""
        return self.rejection is not None and self.rejection.code not in NOT_ABOUT_TEXT


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedEmail:
    """The commands, moves and other text that a person typed in an email."""

    commands: tuple[Command, ...]  # in the order in which they were written
    moves: tuple[str, ...]  # distinct, in canonical notation
    typed_moves: tuple[str, ...]  # the same moves as they were typed
    attempts: tuple[Attempt, ...]  # the most helpful rejection comes first
    remarks: tuple[str, ...]  # without greetings and pleasantries
    is_doubtful: bool  # whether we must ask before we play the move: other text may contradict it
    answer: Literal["yes", "no"] | None  # answer to a question, if the first unit is one; else None
    is_strict_yes: bool  # whether line 1 is only `yes`, and its paragraph has no doubt or refusal
    has_refusal: bool  # whether the first paragraph has a word of `words.REFUSALS`


def parse(text: str, table: CommandTable, grammar: MoveGrammar | None) -> ParsedEmail:
    """Return the commands, moves and remarks in a text that a person typed.

    Args:
        text: The text without quote, as `quoting.remove_quote` returns it.
        table: The commands of the service.
        grammar: The grammar of the match that the email is about. If it is None, the email is not
            about a match, so no text is a move.
    """
    reader = _Reader(grammar)
    units = _mark_names(list(_list_units(text, table, reader)))
    units = _mark_signature(_join_runs(units, reader))
    moves: dict[str, str] = {}
    for unit in units:
        if unit.kind is _Kind.MOVE:
            moves.setdefault(unit.notation, unit.typed)
    attempts = [
        Attempt(
            unit.typed,
            unit.rejection,
            unit.command.name if unit.command else None,
            () if unit.command else reader.find_suggestions(unit.core),
        )
        for unit in units
        if unit.kind is _Kind.ATTEMPT
    ]
    attempts.sort(key=lambda attempt: attempt.rejection is not None and not attempt.is_near)
    answer = _find_answer(units)
    is_doubtful = bool(moves) and (
        reader.is_exhausted
        or any(unit.is_doubtful for unit in units)
        or _has_suspicious_remark(units)
    )
    return ParsedEmail(
        commands=tuple(_list_commands(units)),
        moves=tuple(moves),
        typed_moves=tuple(moves.values()),
        attempts=tuple(attempts),
        remarks=tuple(
            unit.typed
            for unit in units
            if unit.kind is _Kind.REMARK and not (answer and unit is _find_first(units))
        ),
        is_doubtful=is_doubtful,
        answer=answer,
        is_strict_yes=_is_strict_yes(text),
        has_refusal=_has_refusal(units),
    )


def read_move(text: str, grammar: MoveGrammar) -> str:
    """Return the canonical notation of the move in a text, ignoring pleasantries around the move.

    Raises:
        Rejection: The text is not a legal move. The code is that of the grammar's rejection.
    """
    result, _ = _read_variants(text, _Reader(grammar))
    if isinstance(result, str):
        return result
    raise result


def _read_variants(text: str, reader: _Reader) -> tuple[str | Rejection, str]:
    """Return the canonical notation of the move in a text, and the part of the text that is a move.

    Three parts of the text are tried in order, until the grammar accepts one:

    1. the text without bullet, quotes and punctuation around it;
    2. the same without bold marks;
    3. the first part without greeting, lead-ins and pleasantries.

    If none is a move, return the most helpful rejection and an empty text.
    """
    cleaned = _clean(text)
    rejection: Rejection | None = None
    for variant in dict.fromkeys([cleaned, _BOLD.sub(r"\1", cleaned), _trim(cleaned, reader)]):
        if not variant:
            continue
        result = reader.read(variant)
        if isinstance(result, str):
            return result, variant
        if rejection is None or rejection.code in NOT_ABOUT_TEXT:
            rejection = result
    return rejection or Rejection("unreadable", word=text), ""


def _list_commands(units: Iterable[_Unit]) -> Iterator[Command]:
    is_after_move = False
    for unit in units:
        is_after_move = is_after_move or unit.kind is _Kind.MOVE
        if unit.kind is _Kind.COMMAND and unit.command is not None:
            yield Command(unit.command.name, unit.argument, unit.typed, is_after_move)


# --- phrases --------------------------------------------------------------------------------------

_Phrases = frozenset[tuple[str, ...]]


def _collect(*lists: Mapping[str, tuple[str, ...]]) -> _Phrases:
    entries = (entry for phrases in lists for entries in phrases.values() for entry in entries)
    return frozenset(tuple(entry.split()) for entry in entries)


_GREETINGS: Final = _collect(GREETINGS)
_PLEASANTRIES: Final = _collect(PLEASANTRIES)
_LEAD_INS: Final = _collect(LEAD_INS)
_YES: Final = _collect(YES)
_NO: Final = _collect(NO)
_SUSPICIOUS: Final = frozenset(word for words in SUSPICIOUS.values() for word in words)
_SUSPICIOUS_IF_SHORT: Final = frozenset(
    word for words in SUSPICIOUS_IF_SHORT.values() for word in words
)


def _is_suspicious(text: str) -> bool:
    words = _fold(text)
    if len(words) <= _MAX_SHORT_REMARK and not _SUSPICIOUS_IF_SHORT.isdisjoint(words):
        return True
    begins_with_denial = not DENIALS.isdisjoint(words[:_BEGINNING])
    return begins_with_denial or not _SUSPICIOUS.isdisjoint(words)


def _fold(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _match_phrase(words: Sequence[str], at: int, phrases: _Phrases) -> int:
    for length in range(min(_MAX_PHRASE, len(words) - at), 0, -1):
        if tuple(words[at : at + length]) in phrases:
            return length
    return 0


def _has_only_phrases(text: str, phrases: _Phrases, needed: _Phrases) -> bool:
    """Return whether a text has a phrase of `needed`, and no words except phrases and names.

    The phrases are those in the sets `needed` and `phrases`. A name is a capitalised word that is
    not the first word of the text.
    """
    typed = _WORD.findall(text)
    words = [word.casefold() for word in typed]
    at, has_needed = 0, False
    while at < len(words):
        length = _match_phrase(words, at, needed)
        has_needed = has_needed or length > 0
        length = length or _match_phrase(words, at, phrases)
        if not length and not (at and _is_name(typed[at])):
            return False
        at += length or 1
    return has_needed


def _is_name(word: str) -> bool:
    return word.isalpha() and word.istitle() and not _is_suspicious(word)


# --- units ----------------------------------------------------------------------------------------


class _Kind(Enum):
    COMMAND = auto()
    MOVE = auto()
    ATTEMPT = auto()
    REMARK = auto()
    PLEASANTRY = auto()


@dataclass(frozen=True, slots=True)
class _Unit:
    """A line or sentence of an email, with its kind and parsed content.

    `paragraph` is the number of the paragraph that contains the unit. `core` is the unit's text
    without pleasantries around the move or command. A move has a `notation`. An attempt at a move
    has a `rejection`. A command, or an attempt at one, has a `command`; a command also has its
    `argument`.
    """

    typed: str
    kind: _Kind
    paragraph: int = 0
    core: str = ""
    notation: str = ""
    rejection: Rejection | None = None
    command: CommandSpec | None = None
    argument: str = ""
    is_alone: bool = False  # whether it must not be joined with other units into one move
    is_doubtful: bool = False  # whether it is a move joined from units that may not belong together


@dataclass(slots=True)
class _Reader:
    """A grammar with a cache of its results. It reads at most MAX_READINGS different texts.

    After that, texts that are not in the cache are refused as unreadable, and `is_exhausted` is
    True. If `grammar` is None, no text is a move.
    """

    grammar: MoveGrammar | None
    is_exhausted: bool = False
    _results: dict[str, str | Rejection] = field(default_factory=dict)

    def read(self, text: str) -> str | Rejection:
        if self.grammar is None:
            return Rejection("unreadable")
        if text not in self._results:
            if len(self._results) >= MAX_READINGS:
                self.is_exhausted = True
                return Rejection("unreadable")
            try:
                self._results[text] = self.grammar.read(text)
            except Rejection as rejection:
                self._results[text] = rejection
        return self._results[text]

    def has_word(self, text: str) -> bool:
        return self.grammar is not None and self.grammar.has_word(text.casefold())

    def find_suggestions(self, text: str) -> tuple[str, ...]:
        """Return legal moves, at most MAX_SUGGESTIONS, that an unreadable text may mean.

        To find them, the grammar reads variants: the text without a question mark, the text without
        one of its words, and each sequence of adjacent words.
        """
        suggestions: list[str] = []
        for number, span in enumerate(self._list_spans(text)):
            if number == _MAX_SPAN_READINGS or len(suggestions) == MAX_SUGGESTIONS:
                break
            notation = self.read(span)
            if isinstance(notation, str) and notation not in suggestions:
                suggestions.append(notation)
        return tuple(suggestions)

    def _list_spans(self, text: str) -> Iterator[str]:
        yield text.rstrip(_ENDINGS + "?")
        words = text.split()
        if len(words) <= _MAX_SPAN:
            for at in range(len(words)):
                yield " ".join([*words[:at], *words[at + 1 :]])
        has_word = [self.has_word(word) for word in words]
        moves: list[tuple[int, int]] = []
        for length in range(min(_MAX_SPAN, len(words) - 1), 0, -1):
            for start in range(len(words) - length + 1):
                end = start + length
                inside = any(first <= start and end <= last for first, last in moves)
                if inside or not (has_word[start] or has_word[end - 1]):
                    continue
                span = " ".join(words[start:end]).strip(_ENDINGS)
                yield span
                if isinstance(self._results.get(span), str):
                    moves.append((start, end))  # parts of this move are not suggested, too


def _list_units(text: str, table: CommandTable, reader: _Reader) -> Iterator[_Unit]:
    paragraphs = groupby(text.split("\n"), key=lambda line: bool(line.strip()))
    for number, (has_text, group) in enumerate(paragraphs):
        lines = list(_join_wrapped(group, table, reader)) if has_text else []
        for at, line in enumerate(lines):
            if _RULE.fullmatch(line):
                continue
            parsed = table.find(line.strip())
            if parsed is not None and _has_text_argument(*parsed):
                # The text runs to the end of the paragraph.
                argument = "\n".join([parsed[1], *lines[at + 1 :]]).strip()
                kind = _Kind.COMMAND if argument else _Kind.ATTEMPT
                typed = "\n".join(lines[at:]).strip()
                yield _Unit(typed, kind, number, command=parsed[0], argument=argument)
                break
            yield from _split_line(line, number, table, reader)


def _join_wrapped(lines: Iterable[str], table: CommandTable, reader: _Reader) -> Iterator[str]:
    """Yield the lines of a paragraph, joining lines of a sentence that a mail program has wrapped.

    In `as my aunt used to / say, never trust a man`, the second line is not the command `say`.
    """
    joined: list[str] = []
    for line in lines:
        if joined and not _is_continued(joined[-1], table, reader):
            yield " ".join(joined)
            joined = []
        joined.append(line.strip() if joined else line)
    if joined:
        yield " ".join(joined)


def _is_continued(line: str, table: CommandTable, reader: _Reader) -> bool:
    """Return whether the sentence at the end of a line seems to continue on the next line.

    It does not if the line is a move or command.
    """
    words = _fold(line)
    if not words or line.rstrip()[-1] in _SENTENCE_ENDINGS:
        return False
    if len(line.strip()) < _MIN_WRAPPED and words[-1] not in CONTINUATIONS:
        return False
    unit = _classify(line, 0, table, reader)  # its paragraph does not matter here
    return unit.kind in {_Kind.ATTEMPT, _Kind.REMARK}


def _has_text_argument(spec: CommandSpec, argument: str) -> bool:
    """Return whether a command takes the rest of its paragraph as its argument.

    `argument` is the rest of the command's line. It must match `spec.form`, if that is set. For
    example, German `sag mal` ("tell me, ...") is not the command `sag` ("say").
    """
    has_form = spec.form is None or spec.form.match(argument) is not None
    return spec.argument is Argument.TEXT and has_form


def _split_line(line: str, paragraph: int, table: CommandTable, reader: _Reader) -> Iterator[_Unit]:
    """Yield the units of a line: one if the line is a move or command, otherwise its sentences.

    A line that consists of a move and a command is split into these two. `paragraph` is the number
    of the paragraph that contains the line.
    """
    unit = _classify(line, paragraph, table, reader)
    if unit.kind in {_Kind.ATTEMPT, _Kind.REMARK}:
        parts = _split_command(line, table)
        if parts is not None:
            move = _classify(parts[0], paragraph, table, reader)
            if move.kind is _Kind.MOVE:
                yield move
                yield _classify(parts[1], paragraph, table, reader)
                return
    sentences = [sentence for sentence in _SENTENCE_END.split(line.strip()) if sentence.strip()]
    if unit.kind in {_Kind.ATTEMPT, _Kind.REMARK} and len(sentences) > 1:
        for sentence in sentences:
            yield _classify(sentence, paragraph, table, reader)
    else:
        yield unit


def _split_command(line: str, table: CommandTable) -> tuple[str, str] | None:
    """Return the two parts of a line such as `e4 (=)`: the text before a command, and the command.

    Return None if the line does not end with a command that takes no argument.
    """
    words = list(_WORD.finditer(line))
    for word in words[-1 : -min(_MAX_VERB, len(words) - 1) - 1 : -1]:
        command = line[word.start() :].strip(" ()")
        parsed = table.find(command)
        if parsed is not None and parsed[0].argument is Argument.NONE and not _fold(parsed[1]):
            return line[: word.start()].rstrip(" ,;:-("), command
    return None


def _classify(text: str, paragraph: int, table: CommandTable, reader: _Reader) -> _Unit:
    typed, cleaned = text.strip(), _clean(text)
    core = _trim(cleaned, reader)
    parsed = _find_command(cleaned, core, table)
    if parsed and parsed[2] is _Kind.COMMAND and not _is_move(parsed[0], cleaned, reader):
        spec, argument, kind = parsed
        return _Unit(typed, kind, paragraph, command=spec, argument=argument)
    rejection, variant = _read_variants(text, reader)
    if isinstance(rejection, str):
        return _Unit(typed, _Kind.MOVE, paragraph, core=variant, notation=rejection)
    if parsed is not None:
        return _Unit(typed, _Kind.ATTEMPT, paragraph, core=core, command=parsed[0])
    if not core or _is_pleasantry(cleaned):
        return _Unit(typed, _Kind.PLEASANTRY, paragraph)
    is_near = rejection.code not in NOT_ABOUT_TEXT
    if is_near or reader.has_word(cleaned):
        return _Unit(typed, _Kind.ATTEMPT, paragraph, core=core, rejection=rejection)
    return _Unit(typed, _Kind.REMARK, paragraph, core=core)


def _is_move(spec: CommandSpec, cleaned: str, reader: _Reader) -> bool:
    """Return whether a cleaned text that begins with a verb of `spec` is a move all the same.

    German `neu würfeln` is a move ("roll again"), although `neu` is the command for a new game.
    """
    return spec.argument is Argument.REQUIRED and isinstance(reader.read(cleaned), str)


def _find_command(
    cleaned: str, core: str, table: CommandTable
) -> tuple[CommandSpec, str, _Kind] | None:
    """Return the command that begins a line or sentence, its argument, and COMMAND or ATTEMPT.

    The kind is COMMAND if the command is complete, and ATTEMPT if it cannot be executed as it is.
    Return None if there is no command. `cleaned` is the text without bullets, quotes and
    punctuation around it. `core` is `cleaned` without pleasantries.
    """
    parsed = table.find(cleaned)
    is_first = parsed is not None
    parsed = parsed or table.find(core)
    if parsed is None:
        return None
    spec, argument = parsed
    is_question = argument.endswith("?")
    takes_words = spec.argument in {Argument.REQUIRED, Argument.TEXT}
    if not _WORD.search(argument) or (not takes_words and _is_pleasantry(argument)):
        argument = ""
    if argument and spec.form and spec.form.fullmatch(argument.rstrip(_ENDINGS)) is None:
        return None  # as in `Board looks tricky`
    if argument:
        # What follows a full stop is another sentence.
        is_complete = spec.argument is not Argument.NONE and argument[0] not in ".!?" and is_first
    else:
        is_complete = not takes_words
    if is_complete and not (is_question and spec.is_binding):
        return spec, argument, _Kind.COMMAND
    # If words precede the verb, as in `my time is up`, ask the sender only about a binding command.
    return (spec, argument, _Kind.ATTEMPT) if is_first or spec.is_binding else None


def _clean(text: str) -> str:
    """Return a line or sentence without emoji, bullet, quotes, bold and punctuation around it."""
    text = _EMOJI_AROUND.sub("", text.strip())
    bullet = _BULLET.match(text)
    if bullet is not None:
        text = text[bullet.end() :]
    for sign in _ENCLOSING:
        if len(text) > 1 and text[0] == sign == text.rstrip(_ENDINGS)[-1:]:
            text = text.rstrip(_ENDINGS)[1:-1]
    return text.strip().rstrip(_ENDINGS)


def _trim(text: str, reader: _Reader) -> str:
    """Return a line or sentence without the greeting, lead-ins and pleasantries around the rest.

    Words that are typical of moves of the game stay.
    """
    greeting = _match_greeting(text, reader)
    text = text[greeting:]
    tokens = list(_WORD.finditer(text))
    words = [word[0].casefold() for word in tokens]
    known = [reader.has_word(word) for word in words]
    first, last = 0, len(words)
    while first < last:
        length = _match_phrase(words, first, _PLEASANTRIES | _LEAD_INS)
        if not length or any(known[first : first + length]):
            break
        first += length
    while last > first:
        length = _match_last_phrase(words[first:last], _PLEASANTRIES)
        if not length or any(known[last - length : last]):
            break
        last -= length
    if first == last:
        return ""
    start = tokens[first].start() if first else 0
    end = tokens[last].start() if last < len(tokens) else len(text)
    return text[start:end].rstrip(_ENDINGS)


def _match_greeting(text: str, reader: _Reader) -> int:
    """Return the length of the greeting at the beginning of a text, such as `Hi Bob,`, or 0."""
    tokens = list(_WORD.finditer(text))
    length = _match_phrase([word[0].casefold() for word in tokens], 0, _GREETINGS)
    if not length:
        return 0
    # Punctuation must follow a name: in `Hi Knight f3` the second word is a piece.
    for last in range(min(length + _MAX_NAMES, len(tokens)), length - 1, -1):
        names = [word[0] for word in tokens[length:last]]
        end = _GREETING_END.match(text, tokens[last - 1].end())
        if end is not None and all(_is_name(name) and not reader.has_word(name) for name in names):
            return end.end()
    return tokens[length - 1].end()


def _match_last_phrase(words: Sequence[str], phrases: _Phrases) -> int:
    for length in range(min(_MAX_PHRASE, len(words)), 0, -1):
        if tuple(words[-length:]) in phrases:
            return length
    return 0


def _is_pleasantry(text: str) -> bool:
    return _has_only_phrases(text, _LEAD_INS | _GREETINGS, _PLEASANTRIES | _GREETINGS)


def _mark_names(units: list[_Unit]) -> list[_Unit]:
    """Return the units, with names marked as pleasantries if they may be the sender's signature.

    A signature may be directly below a pleasantry, or in the last unit.
    """
    marked: list[_Unit] = []
    for number, unit in enumerate(units):
        is_last = number == len(units) - 1
        follows_farewell = number > 0 and marked[-1].kind is _Kind.PLEASANTRY
        words = _WORD.findall(unit.typed)
        is_name = 0 < len(words) <= _MAX_NAMES + 1 and all(map(_is_name, words))
        if unit.kind is _Kind.REMARK and is_name and number and (is_last or follows_farewell):
            marked.append(_Unit(unit.typed, _Kind.PLEASANTRY, unit.paragraph))
        else:
            marked.append(unit)
    return marked


# --- runs and doubts ------------------------------------------------------------------------------


def _join_runs(units: list[_Unit], reader: _Reader) -> list[_Unit]:
    """Return the units, with adjacent units joined where they form one move together.

    For example, moves on adjacent lines may be one turn. If any unit is a move, only moves and
    nearly correct moves are joined. So the remark `turned` below the move `add 1 N21` does not
    become part of the move. Instead, `_has_suspicious_remark` makes the email doubtful.
    """
    if any(unit.kind is _Kind.MOVE for unit in units):
        units = [replace(unit, is_alone=not _is_part_of_move(unit)) for unit in units]
    joined: list[_Unit] = []
    at = 0
    while at < len(units):
        run = _find_run(units, at, reader)
        joined.append(units[at] if run is None else run[0])
        at += 1 if run is None else run[1]
    return joined


def _find_run(units: list[_Unit], at: int, reader: _Reader) -> tuple[_Unit, int] | None:
    """Join the unit at index `at` with units after it that together are one move.

    Returns:
        The joined unit, and the number of units in it; the longest possible run is taken. None if
        no run of two or more units is a move.
    """
    longest = 0
    while longest < MAX_RUN and at + longest < len(units):
        unit = units[at + longest]
        if unit.is_alone or unit.command is not None or unit.kind is _Kind.PLEASANTRY:
            break
        longest += 1
    for length in range(longest, 1, -1):
        run = units[at : at + length]
        if not any(map(_is_part_of_move, run)) and not any(map(_is_move_attempt, run)):
            continue
        moves = [part.notation for part in run if part.kind is _Kind.MOVE]
        is_turn = len(moves) == len(run)
        if is_turn and (len({*moves}) < len(run) or run[0].paragraph != run[-1].paragraph):
            continue
        for separator in (" ", "; "):
            core = separator.join(unit.core for unit in run)
            result = reader.read(core)
            if isinstance(result, str):
                typed = "\n".join(unit.typed for unit in run)
                unit = _Unit(typed, _Kind.MOVE, run[0].paragraph, core=core, notation=result)
                return replace(unit, is_doubtful=bool(moves) and not is_turn), length
    return None


def _is_move_attempt(unit: _Unit) -> bool:
    return unit.kind is _Kind.ATTEMPT and unit.command is None


def _is_part_of_move(unit: _Unit) -> bool:
    is_near = unit.rejection is not None and unit.rejection.code not in NOT_ABOUT_TEXT
    return unit.kind is _Kind.MOVE or (_is_move_attempt(unit) and is_near)


def _mark_signature(units: list[_Unit]) -> list[_Unit]:
    """Return the units, with attempts at moves below a farewell marked as remarks.

    In `Best, Mark / Building C4`, `C4` is part of an address and not a square. Attempts in a
    postscript, and attempts with a suspicious word, stay attempts.
    """
    marked: list[_Unit] = []
    is_below = False
    postscripts = _list_postscripts(units)
    for unit in units:
        is_below = is_below and unit.paragraph not in postscripts
        is_part = is_below and _is_move_attempt(unit) and not _is_suspicious(unit.typed)
        marked.append(replace(unit, kind=_Kind.REMARK) if is_part else unit)
        is_below = is_below or _is_farewell(unit)
    return marked


def _is_farewell(unit: _Unit) -> bool:
    is_chat = unit.kind in {_Kind.PLEASANTRY, _Kind.REMARK}
    return is_chat and not FAREWELLS.isdisjoint(_fold(unit.typed))


def _list_postscripts(units: list[_Unit]) -> set[int]:
    """Return the numbers of the paragraphs that begin with a word of POSTSCRIPTS, such as `PS`."""
    firsts = {unit.paragraph: unit for unit in reversed(units)}
    return {
        paragraph
        for paragraph, unit in firsts.items()
        if not POSTSCRIPTS.isdisjoint(_fold(unit.typed)[:1])
    }


def _has_suspicious_remark(units: list[_Unit]) -> bool:
    """Return whether any remark may take a move of the email back.

    A remark counts if it is directly above or below a move, in the paragraph of a move, or in a
    postscript. A first line such as `no` does not count if the next text is in another paragraph,
    because the line then answers an offer of the opponent.
    """
    first = _find_first(units)
    is_answer = first is not None and _find_answer(units) is not None
    units = [unit for unit in units if unit.kind is not _Kind.PLEASANTRY]
    if is_answer and len(units) > 1 and units[0] is first and units[1].paragraph > first.paragraph:
        units = units[1:]
    paragraphs = {unit.paragraph for unit in units if unit.kind is _Kind.MOVE}
    paragraphs |= _list_postscripts(units)
    for number, unit in enumerate(units):
        if unit.kind is not _Kind.REMARK or not _is_suspicious(unit.typed):
            continue
        kinds = {neighbour.kind for neighbour in units[max(number - 1, 0) : number + 2]}
        if unit.paragraph in paragraphs or _Kind.MOVE in kinds:
            return True
    return False


# --- answers --------------------------------------------------------------------------------------


def _find_first(units: list[_Unit]) -> _Unit | None:
    """Return the first line or sentence that is more than a greeting, or None if there is none."""
    for unit in units:
        words = _WORD.findall(unit.typed)
        length = _match_phrase(_fold(unit.typed), 0, _GREETINGS)
        if not length or not all(map(_is_name, words[length:])):
            return unit
    return None


def _find_answer(units: list[_Unit]) -> Literal["yes", "no"] | None:
    first = _find_first(units)
    if first is None or "?" in first.typed:
        return None
    phrases = _PLEASANTRIES | _GREETINGS | _LEAD_INS
    if _has_only_phrases(first.typed, phrases, _NO):
        return "no"
    return "yes" if _has_only_phrases(first.typed, phrases, _YES) else None


def _is_strict_yes(text: str) -> bool:
    paragraph = text.strip().split("\n\n", 1)[0]
    first_line = paragraph.split("\n", 1)[0]
    return (
        _clean(first_line).casefold() in STRICT_YES
        and "?" not in paragraph
        and (REFUSALS | _SUSPICIOUS | _SUSPICIOUS_IF_SHORT).isdisjoint(_fold(paragraph))
    )


def _has_refusal(units: list[_Unit]) -> bool:
    first = _find_first(units)
    return first is not None and any(
        not REFUSALS.isdisjoint(_fold(AGREEMENTS.sub(" ", unit.typed.casefold())))
        for unit in units
        if unit.paragraph == first.paragraph
    )
