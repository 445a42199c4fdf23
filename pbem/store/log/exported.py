"""An exported stream read without a database: its events, its sealed texts, what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.fairness import commitment
from pbem.store.codec import canonical, instant_of
from pbem.store.log.outside_lines import ImportRefused, objects, require
from pbem.store.log.recorded import GENESIS, RecordedEvent, hash_of
from pbem.store.log.sealed import digest_of


@dataclass(frozen=True, slots=True)
class Exported:
    """What the lines hold, and in words what is wrong with them.

    `head` is the hash of the last event. An `excerpt` has no hashes; of `withheld` events there is
    only the hash.
    """

    stream: str
    events: tuple[RecordedEvent, ...]
    sealed: Mapping[str, str]
    findings: tuple[str, ...]
    head: str
    excerpt: bool = False
    withheld: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing that happened."""
        return not self.excerpt and not self.withheld


def read_export(lines: Iterable[str]) -> Exported:
    """Read the lines of `export` or of a record; those that hold no event may be missing.

    Raises ImportRefused where a line cannot be read or none holds an event.
    """
    numbered = objects(lines)
    excerpt = any("excerpt" in line for _, line in numbered)
    for number, line in numbered:
        _require(number, line, excerpt=excerpt)
    read = [line for _, line in numbered]
    links = [_link(line) for line in read if "type" in line or "withheld" in line]
    others = [line for line in read if "type" not in line and "withheld" not in line]
    events = tuple(link for link in links if isinstance(link, RecordedEvent))
    findings = [
        *([] if excerpt else _chained(links)),
        *(words for line in others for words in _other(line, links)),
    ]
    sealed = {line["sealed"]: line["text"] for line in others if "sealed" in line}
    if not events:
        raise ImportRefused("there is no event in the lines")
    return Exported(
        stream=events[0].stream,
        events=events,
        sealed=sealed,
        findings=tuple(findings),
        head=links[-1].hash,
        excerpt=excerpt,
        withheld=len(links) - len(events),
    )


def _require(number: int, line: Mapping[str, Any], *, excerpt: bool) -> None:
    """Raises ImportRefused where a line does not hold what lines of its kind do."""
    if "type" in line:
        require(number, line, "excerpt" if excerpt else "event")
        return
    signs = {"withheld": "withheld", "head_hash": "stream", "player": "name"}
    signs |= {"sealed": "sealed", "chance": "chance"}
    for sign, kind in signs.items():
        if sign in line:
            require(number, line, kind)
            return


@dataclass(frozen=True, slots=True)
class _Withheld:
    """An event that is not in the lines: only what the next one's hash covers of it."""

    version: int
    hash: str


def _link(line: Mapping[str, Any]) -> RecordedEvent | _Withheld:
    """A link of the hash chain; an event of an excerpt has no place in it."""
    if "withheld" in line:
        return _Withheld(line["withheld"], line["hash"])
    return RecordedEvent(
        position=line.get("position", 0),
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


def _chained(links: Sequence[RecordedEvent | _Withheld]) -> Iterator[str]:
    previous, stream = GENESIS, None
    for number, one in enumerate(links, 1):
        if isinstance(one, RecordedEvent):
            stream = stream or one.stream
            if (one.stream, one.version) != (stream, number):
                yield f"line {number} holds event {one.version} of {one.stream}"
            if hash_of(previous, one) != one.hash:
                yield f"event {number}: its hash is not that of its content"
        elif one.version != number:
            yield f"line {number} withholds event {one.version}"
        previous = one.hash


def _other(line: Mapping[str, Any], links: Sequence[RecordedEvent | _Withheld]) -> Iterator[str]:
    match line:
        case {"excerpt": _, "format": _} | {"player": _, "name": _}:
            pass
        case {"head_hash": head, "version": version}:
            if not links or (version, head) != (len(links), links[-1].hash):
                yield "the last event is not the head that the first line names"
        case {"sealed": digest, "salt": salt, "text": text}:
            if digest_of(text, bytes.fromhex(salt)) != digest:
                yield f"the sealed text {digest} is not what was sealed"
        case {"chance": kind, "secret": secret, "links": links, "commitment": start}:
            if commitment(bytes.fromhex(secret), links).hex() != start:
                yield f"the secret of the chain {kind} is not the one that was committed to"
        case _:
            yield f"a line of no kind: {', '.join(line)}"
