"""What happened to a match and why: each event with its cause and the mails sent for it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, cast

from pbem.matches.events import ChanceSealed, Event
from pbem.matches.match import Match, Status, evolve, initial
from pbem.matches.visibility import Eyes
from pbem.names import Digest, MatchId, PlayerId
from pbem.store.codec import digests
from pbem.store.log import event_log, sealed
from pbem.store.log.recorded import RecordedEvent
from pbem.store.mails import mail_trail
from pbem.store.mails.mail_trail import SentMail, SetTimer, TakenLetter
from pbem.transaction.installation import match_stream, secrets_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

HIDDEN = "(sealed)"
"""In place of a text that not everybody may know."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One event: its fields as they were recorded, with texts in place of digests where shown."""

    version: int
    type: str
    fields: Mapping[str, Any]
    after: Match


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
    recorded = event_log.load(conn, stream)
    entries: dict[str, Entry] = {}
    for one, happened in zip(
        recorded, _happened(conn, match, recorded, secrets=secrets), strict=True
    ):
        meta = json.loads(one.meta)
        actor = PlayerId(meta["actor"]) if meta["actor"] else None
        entry = entries.setdefault(
            meta["caused_by"], Entry(meta["caused_by"], one.recorded_at, actor)
        )
        entry.events.append(happened)
    for mail in mail_trail.mails_of(conn, stream, entries.keys()) if recorded else []:
        entries.setdefault(mail.cause, Entry(mail.cause, mail.queued_at)).mails.append(mail)
    letters, timers = (
        mail_trail.letters(conn, entries.keys()),
        mail_trail.timers(entries.keys()),
    )
    for cause, entry in entries.items():
        entry.letter, entry.timer = letters.get(cause), timers.get(cause)
        if entry.actor is None and entry.letter is not None:
            entry.actor = entry.letter.player
    return sorted(entries.values(), key=lambda entry: entry.at)


def _happened(
    conn: Connection, match: MatchId, recorded: Iterable[RecordedEvent], *, secrets: bool
) -> Iterator[Happened]:
    events = [(one, cast("Event", event_log.event_of(one))) for one in recorded]
    needed = secrets_of(conn, [event for _, event in events])
    states = [initial(match, needed)]
    for _, event in events:
        states.append(evolve(states[-1], event))
    over = states[-1].status in (Status.ENDED, Status.OFF)
    for (one, event), after in zip(events, states[1:], strict=True):
        told = secrets or (over and event.visible.texts is not Eyes.PRIVATE)
        texts = _texts(conn, event) if told else {}
        shut = {str(text): texts.get(text, HIDDEN) for text in digests(event)}
        data = json.loads(one.data)
        named = {each.name: _opened(data[each.name], shut) for each in fields(event)}
        yield Happened(one.version, one.type, named, after)


def _texts(conn: Connection, event: Event) -> dict[Digest, str]:
    texts = sealed.unseal(conn, list(digests(event)))
    if isinstance(event, ChanceSealed):  # only what was drawn; its link is no word for people
        return {text: str(json.loads(value)["values"]) for text, value in texts.items()}
    return texts


def _opened(value: Any, shut: Mapping[str, str]) -> Any:
    return shut.get(value, value) if isinstance(value, str) else value


def people_in(entries: Collection[Entry]) -> set[PlayerId]:
    """Everybody whom the entries name."""
    found: set[PlayerId] = set()
    for entry in entries:
        found.update(mail.recipient for mail in entry.mails if mail.recipient is not None)
        found.update([entry.actor] if entry.actor is not None else [])
        for happened in entry.events:
            found.update(happened.after.players)
            found.update(happened.after.entrants)
    return found
