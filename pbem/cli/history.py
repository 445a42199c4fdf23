"""`pbem history`: every event of a match, why it happened, and the mails that were sent for it."""

from __future__ import annotations

import json
import re
import textwrap
from calendar import day_name
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.cli.matches import MatchArgument, match_id, names_of
from pbem.cli.opening import reading, say, say_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.cli.explanations import Entry, Happened
    from pbem.names import PlayerId
    from pbem.store.mails.waiting_mails import SentMail

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


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(history)


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
        from pbem.cli.explanations import explained, people_in

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
        stamp = entry.cause.partition("@")[2]  # the timer itself may have been set anew since
        at = datetime.fromisoformat(stamp) if stamp else entry.timer.due_at
        due = f"{at:%Y-%m-%d %H:%M:%S}"
        return f"timer {entry.timer.kind}, due {due}"
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
    from pbem.matches.conditions import load
    from pbem.matches.supposing import lines

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
