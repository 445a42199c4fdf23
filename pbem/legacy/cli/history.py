"""`pbem history`: every event of a match, why it happened, and the mails that were sent for it."""

from __future__ import annotations

import json
import re
import textwrap
from calendar import day_name
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from pbem.legacy.cli.matches import MatchArgument, match_id, names_of
from pbem.legacy.cli.opening import reading, say, say_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.matches.clocks import Clocks
    from pbem.legacy.matches.events import Event
    from pbem.legacy.matches.match import Step
    from pbem.names import Digest, MatchId, PlayerId
    from pbem.legacy.store.log.event_log import RecordedEvent
    from pbem.legacy.store.mails.waiting_mails import SentMail, SetTimer, TakenLetter

    Names = Mapping[PlayerId, str]

WIDTH: Final = 100
KEY_SHOWN: Final = 12
HASH_SHOWN: Final = 12
_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_INSTANT: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
_PEOPLE: Final = ("player", "players", "author", "challenger")
_NONE_OPEN: Final = ("open_seats", 0)
_SECONDS: Final = ("bank", "credit", "seconds")
"""Fields that hold a span in seconds."""


def history(
    ctx: typer.Context,
    match: MatchArgument,
    *,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="With what is sealed, also while the match runs.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Tell what happened to a match: every event, its cause, its mails.

    It explains each clock and each mail. What is sealed is shown when the match is over; the notes
    that players keep for themselves only with --secrets.
    """
    from pbem.errors import ConfigError

    name = match_id(match)

    def unit(conn: Connection) -> tuple[list[Entry], Names]:
        entries = explained(conn, name, secrets=secrets)
        return entries, names_of(conn, people_in(entries))

    entries, names = reading(ctx, unit)
    if not entries:
        raise ConfigError(f"there is no match {name}; `pbem matches` lists them")
    if as_json:
        say_json([_plain(entry) for entry in entries])
        return
    for line in told(entries, names):
        say(line)


# --- for people ----------------------------------------------------------------------------------


def told(entries: Sequence[Entry], names: Names) -> Iterator[str]:
    """The entries in words, in lines of at most 100 columns."""
    yield "All times are in UTC."
    for entry in entries:
        yield ""
        yield from _wrapped(f"{entry.at:%Y-%m-%d %H:%M:%S}  {_cause(entry, names)}", "    ")
        for happened in entry.events:
            yield from _wrapped(f"{happened.version:>5}. {_event(happened, names)}", " " * 7)
        clocks = _clocks(entry.events[-1], entry.at, names) if entry.events else ""
        if clocks:
            yield from _wrapped(f"       clocks: {clocks}", " " * 9)
        for mail in entry.mails:
            yield from _wrapped(f"    -> {_mail(mail, names)}", " " * 9)


def _wrapped(line: str, rest: str) -> Iterator[str]:
    yield from textwrap.wrap(line, WIDTH, subsequent_indent=rest, break_on_hyphens=False)


def _cause(entry: Entry, names: Names) -> str:
    """Who or what did it."""
    who = f" from {names.get(entry.actor, '?')}" if entry.actor is not None else ""
    if entry.letter is not None:
        became = " ".join(filter(None, (entry.letter.disposition, entry.letter.code)))
        came = f"{entry.letter.received_at:%H:%M:%S}"
        return f"letter {entry.cause[:KEY_SHOWN]}{who}, received {came}: {became or 'waits'}"
    if entry.timer is not None:
        return f"timer {entry.timer.kind}, due {entry.timer.due_at:%Y-%m-%d %H:%M:%S}"
    if entry.kind == "operator":
        return f"the operator ({entry.cause.split(':')[1]})"
    kind = entry.cause.partition(":")[0]
    return f"{kind[:KEY_SHOWN] if _HASH.fullmatch(kind) else kind}{who}"


def _event(happened: Happened, names: Names) -> str:
    title = _CAPITAL.sub(" ", happened.type).capitalize()
    words = [
        text
        for name, value in happened.fields.items()
        if (text := _field(name, value, happened, names))
    ]
    words += _gone(happened)
    return f"{title}: {', '.join(words)}" if words else title


def _field(name: str, value: Any, happened: Happened, names: Names) -> str:
    """One field in words; nothing where it says nothing."""
    if value is None or value is False or value in ("", [], {}) or (name, value) == _NONE_OPEN:
        return ""
    label = name.replace("_", " ")
    if name in _PEOPLE:
        from pbem.names import PlayerId

        people = [value] if isinstance(value, str) else value
        return f"{label} {' - '.join(names.get(PlayerId(one), one) for one in people)}"
    if name == "seat" and happened.players:
        return f"seat {value} ({names.get(happened.players[value - 1], '?')})"
    if name in _SECONDS and isinstance(value, int):
        return f"{label} {_span(value)}"
    if name in _SAID:
        return f"{label} {_SAID[name](value)}"
    return label if value is True else f"{label} {_value(value)}"


def _held(text: str) -> str:
    """A move in the correction window, with what goes out with it."""
    if not text.startswith("{"):
        return _value(text)
    held = json.loads(text)
    with_it = " with a draw offer" * held["draw"] + " with words" * bool(held["says"])
    return f"{_value(held['notation'])}, typed {_value(held['typed'])}{with_it}"


def _decided(text: str) -> str:
    """Conditions as they can be typed."""
    from pbem.legacy.matches.branches import load
    from pbem.legacy.matches.supposing import lines

    return _value("; ".join(lines(load(text)))) if text.startswith("[") else _value(text)


_SAID: Final[Mapping[str, Callable[[Any], str]]] = {
    "move": _held,
    "conditions": _decided,
    "rest_days": lambda days: " ".join(day_name[day] for day in days),
    "quiet": lambda hours: "{} to {}".format(*hours),
}
"""Fields that say little as they are recorded."""


def _gone(happened: Happened) -> list[str]:
    """The plies that were taken back."""
    steps = [step for step in happened.gone if step.seat is not None and step.text]
    gone = [f"{step.ply}. {step.text}" for step in steps]
    return [f"gone {_value(one)}" for one in gone]


def _value(value: Any) -> str:
    match value:
        case str() if _HASH.fullmatch(value):
            return f"{value[:HASH_SHOWN]}..."
        case str() if _INSTANT.fullmatch(value):
            return f"{datetime.fromisoformat(value):%Y-%m-%d %H:%M:%S}"
        case str():
            return json.dumps(value, ensure_ascii=False) if " " in value else value
        case dict():
            return " ".join(f"{name}={_value(one)}" for name, one in value.items())
        case list():
            return " ".join(_value(one) for one in value)
        case _:
            return str(value)


def _span(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02} h"


def _clocks(happened: Happened, at: datetime, names: Names) -> str:
    """What each seat has left, and until when the clock runs that does."""
    from pbem.games.game import Seat

    clocks = happened.clocks
    if clocks is None:
        return ""
    told = []
    for number, player in enumerate(happened.players, 1):
        running = clocks.running.get(Seat(number))
        left = clocks.left(Seat(number), at)
        state = f"until {running.due:%Y-%m-%d %H:%M:%S}" if running else "stands"
        told.append(f"{names.get(player, '?')} {_span(left)} {state}")
    return ", ".join(told)


def _mail(mail: SentMail, names: Names) -> str:
    reader = names.get(mail.recipient, "?") if mail.recipient is not None else "somebody else"
    news = ", ".join(_CAPITAL.sub(" ", one).lower() for one in mail.notices) or "no longer kept"
    sent = f"sent {mail.sent_at:%Y-%m-%d %H:%M:%S}" if mail.sent_at else mail.state
    why = f" ({mail.smtp_reply})" if mail.smtp_reply and not mail.sent_at else ""
    return f"mail {mail.id} to {reader}: {news}; {sent}{why}"


# --- for programs --------------------------------------------------------------------------------


def _plain(entry: Entry) -> dict[str, Any]:
    return {
        "at": _moment(entry.at),
        "cause": {"kind": entry.kind, "key": entry.cause, "actor": entry.actor},
        "became": entry.letter.disposition if entry.letter else None,
        "code": entry.letter.code if entry.letter else None,
        "events": [
            {"version": one.version, "type": one.type, **one.fields} for one in entry.events
        ],
        "mails": [
            {
                "number": mail.id,
                "to": mail.recipient,
                "notices": mail.notices,
                "state": mail.state,
                "queued_at": _moment(mail.queued_at),
                "sent_at": _moment(mail.sent_at) if mail.sent_at else None,
                "smtp_reply": mail.smtp_reply,
            }
            for mail in entry.mails
        ],
    }


def _moment(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


# --- explanations --------------------------------------------------------------------------------
# What happened to a match and why: each event with its cause and the mails sent for it.

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

    @property
    def timer(self) -> SetTimer | None:
        """The timer that caused it, if one did."""
        from pbem.legacy.store.mails import waiting_mails

        return waiting_mails.timers([self.cause]).get(self.cause)

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
    from pbem.legacy.store.codec import digests
    from pbem.legacy.store.log import event_log
    from pbem.legacy.store.log.sealed import unseal
    from pbem.legacy.store.mails import waiting_mails
    from pbem.legacy.transaction.installation import match_stream

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
    letters = waiting_mails.letters(conn, entries.keys())
    for cause, entry in entries.items():
        entry.letter = letters.get(cause)
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
    from pbem.legacy.matches.challenges import ChallengeClosed
    from pbem.legacy.matches.events import Eyes, MatchEnded, MatchRolledBack
    from pbem.legacy.matches.replay import evolve, initial
    from pbem.legacy.matches.takebacks import TakebackGranted
    from pbem.names import PlayerId
    from pbem.legacy.store.codec import digests, encode

    gone_back = (TakebackGranted, MatchRolledBack)
    over = any(isinstance(event, MatchEnded | ChallengeClosed) for event in events)
    state = initial(match, {str(name): text for name, text in texts.items()})
    entries: dict[str, Entry] = {}
    for one, event in zip(recorded, events, strict=True):
        state = evolve(state, event)
        told = secrets or (over and event.visible.texts is not Eyes.PRIVATE)
        shut = {str(name): _text(event, texts, name) if told else HIDDEN for name in digests(event)}
        data = json.loads(encode(event).data)  # in its shape of today
        happened = Happened(
            version=one.version,
            type=one.type,
            fields={each.name: _opened(data[each.name], shut) for each in fields(event)},
            players=state.table.players,
            entrants=state.table.entrants,
            clocks=state.clocks if state.course.outcome is None else None,
            gone=state.course.taken_back[-1].steps if isinstance(event, gone_back) else (),
        )
        meta = json.loads(one.meta)
        cause, actor = meta["caused_by"], PlayerId(meta["actor"]) if meta["actor"] else None
        entries.setdefault(cause, Entry(cause, one.recorded_at, actor)).events.append(happened)
    return entries


def _text(event: Event, texts: Mapping[Digest, str], name: Digest) -> str:
    from pbem.legacy.matches.events import ChanceSealed

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
