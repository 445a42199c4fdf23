"""An exported stream read without a database: its events, its sealed texts, what does not fit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.fairness import commitment
from pbem.store.codec import canonical, instant_of
from pbem.store.exchange import ImportRefused
from pbem.store.recorded import GENESIS, RecordedEvent, hash_of
from pbem.store.sealed import digest_of


@dataclass(frozen=True, slots=True)
class Exported:
    """What the lines hold, and in words what is wrong with them."""

    stream: str
    events: tuple[RecordedEvent, ...]
    sealed: Mapping[str, str]
    findings: tuple[str, ...]


def read_export(lines: Iterable[str]) -> Exported:
    """Read the lines of `export`; those that hold no event may be missing.

    Raises ImportRefused where a line cannot be read or none holds an event.
    """
    try:
        read = [json.loads(line) for line in lines if line.strip()]
        events = tuple(_event(line) for line in read if "event_id" in line)
        others = [line for line in read if "event_id" not in line]
        findings = [
            *_chained(events),
            *(words for line in others for words in _other(line, events)),
        ]
        sealed = {line["sealed"]: line["text"] for line in others if "sealed" in line}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ImportRefused(f"a line cannot be read: {error!r}") from error
    if not events:
        raise ImportRefused("there is no event in the lines")
    return Exported(events[0].stream, events, sealed, tuple(findings))


def _event(line: Mapping[str, Any]) -> RecordedEvent:
    return RecordedEvent(
        position=line["position"],
        stream=line["stream"],
        version=line["version"],
        event_id=line["event_id"],
        type=line["type"],
        schema=line["schema"],
        data=canonical(line["data"]),
        meta=canonical(line["meta"]),
        recorded_at=instant_of(line["recorded_at"]),
        hash=line["hash"],
    )


def _chained(events: Sequence[RecordedEvent]) -> Iterator[str]:
    previous = GENESIS
    for number, one in enumerate(events, 1):
        if (one.stream, one.version) != (events[0].stream, number):
            yield f"line {number} holds event {one.version} of {one.stream}"
        if hash_of(previous, one) != one.hash:
            yield f"event {number}: its hash is not that of its content"
        previous = one.hash


def _other(line: Mapping[str, Any], events: Sequence[RecordedEvent]) -> Iterator[str]:
    match line:
        case {"head_hash": head, "version": version}:
            if not events or (version, head) != (len(events), events[-1].hash):
                yield "the last event is not the head that the first line names"
        case {"sealed": digest, "salt": salt, "text": text}:
            if digest_of(text, bytes.fromhex(salt)) != digest:
                yield f"the sealed text {digest} is not what was sealed"
        case {"chance": kind, "secret": secret, "links": links, "commitment": start}:
            if commitment(bytes.fromhex(secret), links).hex() != start:
                yield f"the secret of the chain {kind} is not the one that was committed to"
        case _:
            yield f"a line of no kind: {', '.join(line)}"
