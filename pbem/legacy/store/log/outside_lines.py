"""JSON lines that came from outside, read within bounds: each fault is told with its line.

Whoever gives us a file may have written anything into it. So lines are bounded before they are
parsed, values before they are used, and what each kind of line must hold is one table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NoReturn, TypeAlias

from pbem.errors import PbemError
from pbem.fairness import LINKS
from pbem.legacy.store.codec import OLDEST, instant_of, instant_text

LINES: Final = 100_000
LONGEST: Final = 1_000_000
"""Lines of a stream, and characters of a line."""

MOST: Final[Mapping[str, Mapping[str, int]]] = {
    "match": {
        "event": 10_000,
        "withheld": 10_000,
        "sealed": 10_000,
        "name": 200,
        "chance": 100,
        "stream": 1,
        "opening": 1,
    },
    "tournament": {
        "event": 90_000,
        "withheld": 0,
        "sealed": 1_000,
        "name": 5_000,
        "chance": 0,
        "stream": 1,
        "opening": 0,
    },
}
"""Lines of a kind that one stream has at most: the longest matches that were played have some
hundred, a tournament of a hundred players some thousand in a season."""

DEEPEST: Final = 12
"""Lists and objects within one another; events have three."""

GREATEST: Final = 2**53
"""What JSON programs agree on; a database holds no more than 2**63."""

DIGITS: Final = 16


class ImportRefused(PbemError):  # noqa: N818 - what happened to the import
    """The lines are not one whole stream, or there is a stream of that name already."""


Numbered: TypeAlias = tuple[int, dict[str, Any]]
"""A line as an object, with its number in the file."""


def objects(lines: Iterable[str]) -> list[Numbered]:
    """Every line that is not blank as an object, with its number. Raises ImportRefused."""
    return [one for stream in streams(lines) for one in stream]


def streams(lines: Iterable[str]) -> Iterator[list[Numbered]]:
    """The lines of each stream, one at least: a line begins each. Raises ImportRefused."""
    read = list[Numbered]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        one = _object(number, line)
        if read and any(sign in one for sign in _BEGINS):
            yield read
            read = []
        read.append((number, one))
        if len(read) > LINES:
            raise ImportRefused(f"there are more than {LINES:,} lines: this is no export of ours")
    yield read


def require(number: int, line: Mapping[str, Any], kind: str) -> None:
    """A line of a kind must hold what such lines hold. Raises ImportRefused."""
    for name, check in KINDS[kind].items():
        if name not in line:
            raise ImportRefused(f"line {number} ({kind}) has no field {name}")
        wanted = check(line[name])
        if wanted is not None:
            raise ImportRefused(f"line {number} ({kind}): {name} must be {wanted}")


def kind_of(number: int, line: Mapping[str, Any]) -> str:
    """Which kind of line it is, by the field that no other kind has. Raises ImportRefused."""
    kind = next((kind for sign, kind in _SIGNS.items() if sign in line), None)
    if kind is None:
        fields = ", ".join(sorted(line))[:80] or "it is empty"
        raise ImportRefused(f"line {number} is of no kind that is known: {fields}")
    return kind


# --- one line ------------------------------------------------------------------------------------


def _object(number: int, line: str) -> dict[str, Any]:
    if len(line) > LONGEST:
        raise ImportRefused(f"line {number} is longer than {LONGEST:,} characters")
    try:
        read = json.loads(
            line,
            parse_float=_no_float,
            parse_constant=_no_float,
            parse_int=_whole,
            object_pairs_hook=_once,
        )
        _require_shallow(read)
        line.encode()
    except RecursionError:
        raise ImportRefused(f"line {number} is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ImportRefused(f"line {number} is no JSON: {error}") from None
    except UnicodeEncodeError:
        raise ImportRefused(f"line {number} holds half a character") from None
    except _Fault as fault:
        raise ImportRefused(f"line {number} {fault}") from None
    if not isinstance(read, dict):
        raise ImportRefused(f"line {number} is no JSON object")
    return read


class _Fault(Exception):  # noqa: N818 - it is never seen
    """What is wrong with a line, in words that go on from its number."""


def _no_float(text: str) -> NoReturn:
    raise _Fault(f"holds {text[:20]}, which is no whole number")


def _whole(text: str) -> int:
    if len(text) > DIGITS + 1 or abs(int(text)) > GREATEST:
        raise _Fault(f"holds the number {text[:20]}..., which is too great")
    return int(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for name, value in pairs:
        if name in read:
            raise _Fault(f"has the field {name[:40]!r} twice")
        read[name] = value
    return read


def _require_shallow(read: object) -> None:
    """Depth, and text that can be written: an escape may stand for half a character."""
    layer, depth = [read], 0
    while layer:
        depth += 1
        if depth > DEEPEST:
            raise _Fault("is nested too deeply")
        below: list[object] = []
        for value in layer:
            if isinstance(value, dict):
                below.extend((*value.keys(), *value.values()))
            elif isinstance(value, list):
                below.extend(value)
            elif isinstance(value, str):
                value.encode()
        layer = below


# --- what a line must hold -----------------------------------------------------------------------

Check = Callable[[Any], str | None]
"""What a value should be, in words, if it is not that."""


def _text(pattern: str, words: str) -> Check:
    shape = re.compile(pattern, re.DOTALL)
    return lambda value: (
        None if isinstance(value, str) and shape.fullmatch(value) is not None else words
    )


def _number(least: int, most: int) -> Check:
    words = f"a whole number from {least} to {most:,}"
    return lambda value: None if type(value) is int and least <= value <= most else words


def _of(kind: type, words: str) -> Check:
    return lambda value: None if isinstance(value, kind) else words


def _instant(value: object) -> str | None:
    try:
        if isinstance(value, str) and instant_text(at := instant_of(value)) == value:
            return None if at >= OLDEST else f"a time after {OLDEST:%Y}"
    except (ValueError, OverflowError):
        pass
    return "a time like 2026-03-01T14:37:11.000000Z"


def _or_none(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


_HASH: Final = _text("[0-9a-f]{64}", "64 hexadecimal digits")
_STREAM: Final = _text(
    "match-[A-Z0-9]{1,40}|tournament-[a-z0-9-]{2,30}", "like match-K7QX2 or tournament-spring"
)
_VERSION: Final = _number(1, LINES)

PLAYER: Final = "[A-Za-z0-9:._-]{1,64}"
_ACTOR: Final = re.compile(f"({PLAYER})?")
_LONGEST_CAUSE: Final = 200
_SALT: Final = re.compile("[0-9a-f]{32}")


def _meta(value: object) -> str | None:
    match value:
        case {"actor": str(actor), "caused_by": _, "ruleset": str() | None, **more}:
            if _ACTOR.fullmatch(actor) and _cause(value) is None and _is_chosen(more):
                return None
        case _:
            pass
    return "an object with actor, caused_by and ruleset, all texts"


def _is_chosen(more: dict[Any, Any]) -> bool:
    """Whether what else stands there is how a bot chose, if anything does."""
    match more:
        case {"chosen": {"plays": int(plays), "cut": bool(), "salt": str(salt), **rest}}:
            return not rest and len(more) == 1 and plays >= 0 and bool(_SALT.fullmatch(salt))
        case _:
            return not more


def _cause(value: object) -> str | None:
    match value:
        case {"caused_by": str(cause)} if 0 < len(cause) <= _LONGEST_CAUSE and cause.isprintable():
            return None
        case _:
            return "an object with a text caused_by"


_EVENT: Final[Mapping[str, Check]] = {
    "stream": _STREAM,
    "type": _text("[A-Za-z]{1,60}", "the name of an event"),
    "schema": _number(1, 1000),
    "data": _of(dict, "an object"),
    "meta": _meta,
    "recorded_at": _instant,
}

_SIGNS: Final[Mapping[str, str]] = {
    "excerpt": "opening",
    "category": "stream",
    "withheld": "withheld",
    "type": "event",
    "player": "name",
    "sealed": "sealed",
    "chance": "chance",
}

_BEGINS: Final = ("excerpt", "category")
"""Signs of the lines with which a stream begins."""

KINDS: Final[Mapping[str, Mapping[str, Check]]] = {
    "opening": {"excerpt": _STREAM, "format": _number(1, 1000)},
    "stream": {
        "format": _number(1, 1000),
        "stream": _STREAM,
        "category": _text("match|tournament", "match or tournament"),
        "version": _VERSION,
        "head_hash": _HASH,
        "created_at": _instant,
        "closed_at": _or_none(_instant),
    },
    "event": {
        **_EVENT,
        "version": _VERSION,
        "event_id": _text("[0-9a-f-]{1,64}", "an id of hexadecimal digits"),
        "hash": _HASH,
    },
    "excerpt": {**_EVENT, "meta": _cause},
    "withheld": {"withheld": _VERSION, "hash": _HASH},
    "name": {
        "player": _text(PLAYER, "a player's id"),
        "name": _text("[^\0]{1,200}", "a text of 1 to 200 characters"),
    },
    "sealed": {
        "sealed": _HASH,
        "salt": _text("[0-9a-f]{32}", "32 hexadecimal digits"),
        "text": _text("[^\0]{0,100000}", "a text of at most 100,000 characters"),
    },
    "chance": {
        "chance": _text("(public|secret)( [0-9]{1,9})?", "public or secret"),
        "commitment": _HASH,
        "secret": _HASH,
        "links": _number(1, LINKS),
        "next_index": _number(0, GREATEST),
    },
}
"""What must stand in a line of each kind; a field that is not named here is not looked at."""
