"""Events as canonical JSON and back, from the fields of their dataclasses alone; pure."""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import (
    Any,
    Final,
    Literal,
    NewType,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pbem.errors import PbemError
from pbem.legacy.matches import events as match_events
from pbem.legacy.matches import replay as matches
from pbem.names import Digest
from pbem.legacy.players import events as player_events
from pbem.legacy.tournaments import events as tournament_events

# --- upcasts -------------------------------------------------------------------------------------
# Old shapes of events, brought up to the shapes of today, one version at a time.
#
# An event type starts with schema 1. A new shape of `SeatTaken` is the dataclass changed, a new
# file in events/, and here the step from the old to the new: `("SeatTaken", 1): function`.

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""The data of one schema version to the data of the next."""


UPCASTS: Mapping[tuple[str, int], Upcast] = {}
"""By event type and the schema version that it starts from; nothing was released that needs one."""


def newest(name: str) -> int:
    """The schema version that the dataclasses of today have."""
    version = 1
    while (name, version) in UPCASTS:
        version += 1
    return version


# --- codec ---------------------------------------------------------------------------------------
# Nothing is guessed in either direction: a field that is missing, unknown or of another type is an
# error, since what is written here is hashed and stays for ever.

Event: TypeAlias = match_events.Event | player_events.Event | tournament_events.Event

MATCH = "match"
PLAYER = "player"
TOURNAMENT = "tournament"

TYPES: Mapping[str, Mapping[str, type[Event]]] = {
    MATCH: {cls.__name__: cls for cls in matches.KINDS},
    PLAYER: {cls.__name__: cls for cls in get_args(player_events.Event)},
    TOURNAMENT: {cls.__name__: cls for cls in get_args(tournament_events.Event)},
}
"""Every event class by category of stream and by name."""

_BY_NAME: Mapping[str, type[Event]] = {
    name: cls for named in TYPES.values() for name, cls in named.items()
}


class Unfit(PbemError):  # noqa: N818 - read it as a predicate: this value is unfit
    """A value or text is not what its event's fields say."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """An event as it is stored: its name, the version of its shape, canonical JSON."""

    type: str
    schema: int
    data: str


def encode(event: Event) -> Encoded:
    """The stored form of an event. Raises Unfit if a field holds what its type forbids."""
    name = type(event).__name__
    data = {}
    for field, kind in _SHAPES[name].items():
        value = getattr(event, field)
        data[field] = value if type(value) in kind.as_they_are else kind.plain(value)
    return Encoded(name, newest(name), canonical(data))


def decode(type_name: str, schema: int, data: str) -> Event:
    """The event of a stored form, of this version or an earlier one. Raises Unfit."""
    cls = _BY_NAME.get(type_name)
    if cls is None:
        raise Unfit(f"no event is called {type_name}")
    if not 1 <= schema <= newest(type_name):
        raise Unfit(f"{type_name} has no schema {schema}; a newer pbem wrote it, or none did")
    read = json.loads(data)
    if not isinstance(read, dict):
        raise Unfit(f"the data of a {type_name} is no object")
    while (type_name, schema) in UPCASTS:
        read = UPCASTS[type_name, schema](read)
        schema += 1
    shape = _SHAPES[type_name]
    if read.keys() != shape.keys():
        wrong = ", ".join(sorted(read.keys() ^ shape.keys()))
        raise Unfit(f"{type_name} has other fields: {wrong}")
    for field, kind in shape.items():
        value = read[field]
        if type(value) not in kind.as_they_are:
            read[field] = kind.value(value)
    return cls(**read)


def digests(event: Event) -> Iterator[Digest]:
    """The sealed facts that an event refers to."""
    for name in _DIGESTS[type(event).__name__]:
        if (digest := getattr(event, name)) is not None:
            yield digest


# --- text ----------------------------------------------------------------------------------------


def canonical(value: Any) -> str:
    """JSON in the one form that is hashed: sorted keys, no spaces, no escapes but JSON's own.

    Raises Unfit for floats and for anything that JSON has no word for.
    """
    unseen = [value]
    while unseen:
        match unseen.pop():
            case None | str() | int():
                pass
            case dict() as table:
                for key in table:
                    if not isinstance(key, str):
                        raise Unfit(f"{key!r} is no key of a JSON object")
                unseen.extend(table.values())
            case list() | tuple() as row:
                unseen.extend(row)
            case other:
                raise Unfit(f"{other!r} has no canonical form")
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


OLDEST = datetime(2000, 1, 1, tzinfo=UTC)
"""Nothing that is stored happened before."""


def instant_text(at: datetime) -> str:
    """A time as it is stored and hashed: UTC, microseconds, always 27 characters."""
    if at.tzinfo is None:
        raise ValueError("a time without a zone says nothing")
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


instant_of: Final = datetime.fromisoformat
"""The time of `instant_text`, in UTC."""


# --- shapes --------------------------------------------------------------------------------------

Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Kind:
    """How values of one type become plain JSON values and back, and the schema of those.

    Values of exactly the types `as_they_are` stand in JSON as they are; only others are converted.
    """

    plain: Convert
    value: Convert
    schema: dict[str, Any]
    as_they_are: tuple[type, ...] = ()


def json_schema(cls: type[Event]) -> dict[str, Any]:
    """The JSON Schema of what `encode` writes for an event class."""
    shape = _SHAPES[cls.__name__]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": cls.__name__,
        "type": "object",
        "properties": {name: kind.schema for name, kind in shape.items()},
        "required": sorted(shape),
        "additionalProperties": False,
    }


def _kind(hint: Any) -> _Kind:
    while isinstance(hint, NewType):
        hint = hint.__supertype__
    origin, args = get_origin(hint), get_args(hint)
    if hint in _SCALARS:
        return _scalar(hint)
    if hint is datetime:
        return _instant()
    if origin is Literal:
        return _literal(args)
    if origin in (Union, types.UnionType):
        return _optional(args)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:  # noqa: PLR2004 - X and ...
        return _row(_kind(args[0]))
    if origin is Mapping and args[0] is str:
        return _table(_kind(args[1]))
    raise TypeError(f"an event cannot hold {hint}")


_SCALARS: Mapping[type, str] = {str: "string", int: "integer", bool: "boolean"}


def _scalar(cls: type) -> _Kind:
    def same(value: Any) -> Any:
        if cls is str and isinstance(value, str):
            return value
        raise Unfit(f"{value!r} is no {cls.__name__}")

    return _Kind(same, same, {"type": _SCALARS[cls]}, (cls,))


def _instant() -> _Kind:
    def plain(at: Any) -> str:
        if not isinstance(at, datetime):
            raise Unfit(f"{at!r} is no time")
        return instant_text(at)

    def value(text: Any) -> datetime:
        try:
            at = instant_of(text)
            if instant_text(at) == text:
                return at
        except (TypeError, ValueError):
            pass
        raise Unfit(f"{text!r} is no time as it is stored")

    return _Kind(plain, value, {"type": "string", "format": "date-time"})


def _literal(allowed: tuple[Any, ...]) -> _Kind:
    def same(value: Any) -> Any:
        if value in allowed:
            return value
        raise Unfit(f"{value!r} is none of {', '.join(map(str, allowed))}")

    return _Kind(same, same, {"enum": list(allowed)})


def _optional(args: tuple[Any, ...]) -> _Kind:
    (inner,) = (_kind(arg) for arg in args if arg is not types.NoneType)
    schema = {"anyOf": [inner.schema, {"type": "null"}]}
    return _Kind(inner.plain, inner.value, schema, (*inner.as_they_are, types.NoneType))


def _row(item: _Kind) -> _Kind:
    def plain(value: Any) -> list[Any]:
        if not isinstance(value, tuple):
            raise Unfit(f"{value!r} is no tuple")
        same = item.as_they_are
        return [one if type(one) in same else item.plain(one) for one in value]

    def value(read: Any) -> tuple[Any, ...]:
        if not isinstance(read, list):
            raise Unfit(f"{read!r} is no list")
        same = item.as_they_are
        return tuple([one if type(one) in same else item.value(one) for one in read])

    return _Kind(plain, value, {"type": "array", "items": item.schema})


def _table(item: _Kind) -> _Kind:
    def plain(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise Unfit(f"{value!r} is no mapping")
        same = item.as_they_are
        return {k: one if type(one) in same else item.plain(one) for k, one in value.items()}

    def value(read: Any) -> dict[str, Any]:
        if not isinstance(read, dict):
            raise Unfit(f"{read!r} is no object")
        same = item.as_they_are
        return {k: one if type(one) in same else item.value(one) for k, one in read.items()}

    return _Kind(plain, value, {"type": "object", "additionalProperties": item.schema})


def _shape(cls: type[Event]) -> dict[str, _Kind]:
    hints = get_type_hints(cls)
    return {field.name: _kind(hints[field.name]) for field in fields(cls)}


_SHAPES: Mapping[str, Mapping[str, _Kind]] = {name: _shape(cls) for name, cls in _BY_NAME.items()}


def fields_of(cls: type[Event], kind: Any) -> tuple[str, ...]:
    """The fields of an event that hold names of a kind (`Digest`, `PlayerId`), one or several."""
    hints = get_type_hints(cls)
    return tuple(name for name, hint in hints.items() if kind in (hint, *get_args(hint)))


_DIGESTS = {name: fields_of(cls, Digest) for name, cls in _BY_NAME.items()}
