"""An exported stream read without a database: its values, and what does not fit by its line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from pbem.fairness import commitment
from pbem.legacy.matches.verify import opened
from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.store.codec import TYPES, Event, Unfit, canonical, digests, fields_of, instant_of
from pbem.legacy.store.log.event_log import GENESIS, RecordedEvent, event_of, hash_of
from pbem.legacy.store.log.outside_lines import (
    MOST,
    PLAYER,
    ImportRefused,
    Numbered,
    kind_of,
    objects,
    require,
    streams,
)
from pbem.legacy.store.log.sealed import digest_of

if TYPE_CHECKING:
    from pbem.legacy.matches.events import Event as MatchEvent

_SHOWN: Final = 200
"""Characters of what is wrong with an event: it may repeat what stands there."""


@dataclass(slots=True)
class Exported:
    """What the lines hold, and in words what is wrong with them.

    `lines` are the numbers of the lines of events. An `excerpt` has no hashes; of `withheld` events
    there is only the hash. `opening`, `texts` and `chains` are lines with all that stands in them.
    """

    excerpt: bool
    stream: str = ""
    opening: Mapping[str, Any] = field(default_factory=dict)
    events: list[RecordedEvent] = field(default_factory=list)
    happened: list[Event] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    names: dict[PlayerId, str] = field(default_factory=dict)
    texts: list[Mapping[str, Any]] = field(default_factory=list)
    chains: list[Mapping[str, Any]] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    head: str = GENESIS
    withheld: int = 0

    @property
    def category(self) -> str:
        """What it is a stream of: `match` or `tournament`."""
        return self.stream.partition("-")[0]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing that happened."""
        return not self.excerpt and not self.withheld

    @property
    def sealed(self) -> dict[str, str]:
        """The sealed texts by their digests; events open those of secret draws after the end."""
        texts = {line["sealed"]: line["text"] for line in self.texts}
        return texts | opened(cast("list[MatchEvent]", self.happened))

    def placed(self, words: str) -> str:
        """What is wrong with an event by its number, with the number of its line."""
        found = _NUMBERED.match(words)
        if found is None or not 1 <= (number := int(found[1])) <= len(self.lines):
            return words
        return f"line {self.lines[number - 1]}: {words}"


_NUMBERED: Final = re.compile(r"event ([0-9]{1,6})\b")


def read_export(lines: Iterable[str]) -> Exported:
    """Read the lines of `export` or of a record of a match; those without an event may be missing.

    Raises ImportRefused where a line cannot be read, where none holds an event, and where they are
    those of a tournament: it cannot be taken in or looked at ply by ply.
    """
    read = _read(objects(lines))
    if read.category != "match":
        raise ImportRefused(f"these are the lines of a {read.category}, and of no match")
    return read


def read_exports(lines: Iterable[str]) -> Iterator[Exported]:
    """Read the lines of several exports, of matches and tournaments, one behind the other.

    Raises ImportRefused as `read_export` does, when it comes to what cannot be read.
    """
    return map(_read, streams(lines))


def _read(numbered: Sequence[Numbered]) -> Exported:
    read = Exported(excerpt=any("excerpt" in line for _, line in numbered))
    most = MOST[_category(numbered)]
    counts: Counter[str] = Counter()
    for number, line in numbered:
        kind = kind_of(number, line)
        require(number, line, "excerpt" if kind == "event" and read.excerpt else kind)
        counts[kind] += 1
        if counts[kind] > most[kind]:
            raise ImportRefused(f"line {number}: there are more than {most[kind]:,} of kind {kind}")
        read.findings += [f"line {number}: {words}" for words in _READERS[kind](read, number, line)]
    if not read.events:
        raise ImportRefused("there is no event in the lines")
    read.findings += _together(read)
    return read


def _category(numbered: Sequence[Numbered]) -> str:
    """What the first line that says so is of, by the name of its stream: a match unless it says."""
    named = next((str(line["stream"]) for _, line in numbered if "stream" in line), "")
    category = named.partition("-")[0]
    return category if category in MOST else "match"


# --- a line of each kind -------------------------------------------------------------------------


def _stream(read: Exported, number: int, line: Mapping[str, Any]) -> Iterator[str]:
    del number
    read.opening = line
    yield from ()


def _opening(read: Exported, number: int, line: Mapping[str, Any]) -> Iterator[str]:
    del read, number, line
    yield from ()


def _event(read: Exported, number: int, line: Mapping[str, Any]) -> Iterator[str]:
    try:
        one = _recorded(line)
        happened = event_of(one)
    except Unfit as error:
        raise ImportRefused(f"line {number}: {str(error)[:_SHOWN]}") from None
    read.stream = read.stream or one.stream
    place = len(read.events) + read.withheld + 1
    if type(happened).__name__ not in TYPES[read.category]:
        yield f"event {place} is no event of a {read.category}"
    if one.stream != read.stream or (not read.excerpt and one.version != place):
        yield f"event {place} is event {one.version} of {one.stream}"
    if not read.excerpt and hash_of(read.head, one) != one.hash:
        yield f"the hash of event {place} is not that of its content"
    yield from _misnamed(happened)
    read.events.append(one)
    read.happened.append(happened)
    read.lines.append(number)
    read.head = one.hash


def _withheld(read: Exported, number: int, line: Mapping[str, Any]) -> Iterator[str]:
    del number
    read.withheld += 1
    read.head = line["hash"]
    if line["withheld"] != len(read.events) + read.withheld:
        yield f"event {line['withheld']} is withheld out of order"


def _name(read: Exported, number: int, line: Mapping[str, Any]) -> Iterator[str]:
    del number
    if line["player"] in read.names:
        yield f"{line['player']} has a name already: the line stands twice"
    read.names[PlayerId(line["player"])] = line["name"]


def _text(read: Exported, number: int, line: Mapping[str, Any]) -> Iterator[str]:
    del number
    if digest_of(line["text"], bytes.fromhex(line["salt"])) != line["sealed"]:
        yield f"the sealed text {line['sealed']} is not what was sealed"
    read.texts.append(line)


def _chain(read: Exported, number: int, line: Mapping[str, Any]) -> Iterator[str]:
    del number
    if commitment(bytes.fromhex(line["secret"]), line["links"]).hex() != line["commitment"]:
        yield f"the secret of the chain {line['chance']} is not the one that was committed to"
    read.chains.append(line)


_READERS: Final = {
    "stream": _stream,
    "opening": _opening,
    "event": _event,
    "withheld": _withheld,
    "name": _name,
    "sealed": _text,
    "chance": _chain,
}


def _recorded(line: Mapping[str, Any]) -> RecordedEvent:
    return RecordedEvent(
        position=0,
        stream=line["stream"],
        version=line.get("version", 0),
        event_id=line.get("event_id", ""),
        type=line["type"],
        schema=line["schema"],
        data=canonical(line["data"]),
        meta=canonical(line["meta"]),
        recorded_at=instant_of(line["recorded_at"]),
        hash=line.get("hash", ""),
    )


_NAMES: Final[Mapping[Any, re.Pattern[str]]] = {
    Digest: re.compile("[0-9a-f]{64}"),
    MatchId: re.compile("[A-Z0-9]{1,40}"),
    PlayerId: re.compile(PLAYER),
}
"""What the names in events are made of: they stand in links, in keys and on pages."""


def _misnamed(event: Event) -> Iterator[str]:
    for name, shape in _NAMED.get(type(event), ()):
        value = getattr(event, name)
        for one in value if isinstance(value, tuple) else (value,):
            if one is not None and shape.fullmatch(one) is None:
                yield f"{name} is no name of that kind: {one[:_SHOWN]!r}"


_NAMED: Final = {
    cls: [(name, shape) for kind, shape in _NAMES.items() for name in fields_of(cls, kind)]
    for category in MOST
    for cls in TYPES[category].values()
}


# --- all lines together --------------------------------------------------------------------------


def _together(read: Exported) -> Iterator[str]:
    """What no line alone shows."""
    head = (read.stream, len(read.events) + read.withheld, read.head)
    opening = read.opening
    if opening and (opening["stream"], opening["version"], opening["head_hash"]) != head:
        yield "the last event is not the stream's head, which the first line names"
    if opening and opening["category"] != read.category:
        yield f"{read.stream} is said to be a {opening['category']}"
    named = {str(one) for event in read.happened for one in digests(event)}
    strays = [line["sealed"] for line in read.texts if line["sealed"] not in named]
    if read.is_whole and strays:
        yield f"the sealed text {strays[0]} belongs to no event"
    yield from _twice("event", (one.event_id for one in read.events if one.event_id))
    yield from _twice("sealed text", (line["sealed"] for line in read.texts))
    yield from _twice("chain", (line["chance"] for line in read.chains))


def _twice(kind: str, keys: Iterable[str]) -> Iterator[str]:
    for key, count in Counter(keys).items():
        if count > 1:
            yield f"the {kind} {key} stands twice"
