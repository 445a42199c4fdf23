"""What happened to a match and why: each event with its cause and the mails sent for it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from pbem.matches.events import ChallengeClosed, ChanceSealed, Event, MatchEnded
from pbem.matches.match import Step, evolve, initial
from pbem.matches.operator_events import Eyes, MatchRolledBack
from pbem.matches.seat_events import TakebackGranted
from pbem.names import Digest, MatchId, PlayerId
from pbem.store.codec import digests, encode
from pbem.store.log import event_log
from pbem.store.log.event_log import RecordedEvent
from pbem.store.log.sealed import unseal
from pbem.store.mails import waiting_mails
from pbem.store.mails.waiting_mails import SentMail, SetTimer, TakenLetter
from pbem.transaction.installation import match_stream

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.matches.clocks import Clocks

HIDDEN = "(sealed)"
"""In place of a text that not everybody may know."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One event: its fields as they were recorded, with texts in place of digests where shown.

    The rest is of the match after it, which itself is not kept: it knows all that came before.
    `gone` are the plies that it took back.
    """

    version: int
    type: str
    fields: Mapping[str, Any]
    players: tuple[PlayerId, ...]
    entrants: tuple[PlayerId, ...]
    clocks: Clocks | None
    gone: tuple[Step, ...] = ()


@dataclass(slots=True)
class Entry:
    """A cause (a letter, a timer, an act of the operator) with all that came of it."""

    cause: str
    at: datetime
    actor: PlayerId | None = None
    events: list[Happened] = field(default_factory=list)
    mails: list[SentMail] = field(default_factory=list)
    letter: TakenLetter | None = None
    timer: SetTimer | None = None

    @property
    def kind(self) -> Literal["letter", "timer", "operator", "other"]:
        """What caused it."""
        if self.letter is not None:
            return "letter"
        if self.timer is not None:
            return "timer"
        return "operator" if self.cause.startswith("operator:") else "other"


def explained(conn: Connection, match: MatchId, *, secrets: bool = False) -> list[Entry]:
    """Everything that happened to a match, in its order; nothing if there is no such match.

    Texts that are sealed are told when the match is over, but for the notes that players kept for
    themselves; `secrets` tells all.
    """
    stream = match_stream(match)
    head = event_log.head(conn, stream)
    if head is None or head.closed:
        return []
    recorded = event_log.load(conn, stream)
    events = event_log.match_events_of(recorded)
    texts = unseal(conn, {one for event in events for one in digests(event)})
    entries = caused(match, recorded, events, texts, secrets=secrets)
    for mail in waiting_mails.mails_of(conn, stream, entries.keys()):
        entries.setdefault(mail.cause, Entry(mail.cause, mail.queued_at)).mails.append(mail)
    letters, timers = (
        waiting_mails.letters(conn, entries.keys()),
        waiting_mails.timers(entries.keys()),
    )
    for cause, entry in entries.items():
        entry.letter, entry.timer = letters.get(cause), timers.get(cause)
        if entry.actor is None and entry.letter is not None:
            entry.actor = entry.letter.player
    return sorted(entries.values(), key=lambda entry: entry.at)


def caused(
    match: MatchId,
    recorded: Sequence[RecordedEvent],
    events: Sequence[Event],
    texts: Mapping[Digest, str],
    *,
    secrets: bool = False,
) -> dict[str, Entry]:
    """The causes of a match's events, as its stream and what is sealed of it tell."""
    entries: dict[str, Entry] = {}
    told = _happened(match, list(zip(recorded, events, strict=True)), texts, secrets=secrets)
    for one, happened in zip(recorded, told, strict=True):
        meta = json.loads(one.meta)
        actor = PlayerId(meta["actor"]) if meta["actor"] else None
        entry = entries.setdefault(
            meta["caused_by"], Entry(meta["caused_by"], one.recorded_at, actor)
        )
        entry.events.append(happened)
    timers = waiting_mails.timers(entries.keys())
    for cause, entry in entries.items():
        entry.timer = timers.get(cause)
    return entries


def _happened(
    match: MatchId,
    stream: Sequence[tuple[RecordedEvent, Event]],
    texts: Mapping[Digest, str],
    *,
    secrets: bool,
) -> Iterator[Happened]:
    over = any(isinstance(event, MatchEnded | ChallengeClosed) for _, event in stream)
    state = initial(match, {str(name): text for name, text in texts.items()})
    for one, event in stream:
        state = evolve(state, event)
        told = secrets or (over and event.visible.texts is not Eyes.PRIVATE)
        shut = {str(name): _text(event, texts, name) if told else HIDDEN for name in digests(event)}
        data = json.loads(encode(event).data)  # in its shape of today
        yield Happened(
            version=one.version,
            type=one.type,
            fields={each.name: _opened(data[each.name], shut) for each in fields(event)},
            players=state.table.players,
            entrants=state.table.entrants,
            clocks=state.clocks if state.course.outcome is None else None,
            gone=state.course.taken_back[-1].steps if isinstance(event, _GONE_BACK) else (),
        )


_GONE_BACK: Final = (TakebackGranted, MatchRolledBack)


def _text(event: Event, texts: Mapping[Digest, str], name: Digest) -> str:
    text = texts.get(name, HIDDEN)
    if isinstance(event, ChanceSealed) and text != HIDDEN:
        return str(json.loads(text)["values"])  # its link is no word for people
    return text


def _opened(value: Any, shut: Mapping[str, str]) -> Any:
    return shut.get(value, value) if isinstance(value, str) else value


def people_in(entries: Collection[Entry]) -> set[PlayerId]:
    """Everybody whom the entries name."""
    found: set[PlayerId] = set()
    for entry in entries:
        found.update(mail.recipient for mail in entry.mails if mail.recipient is not None)
        found.update([entry.actor] if entry.actor is not None else [])
        for happened in entry.events:
            found.update(happened.players)
            found.update(happened.entrants)
    return found
