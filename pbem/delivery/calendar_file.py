"""A player's deadlines as a file that calendars read (RFC 5545).

An event keeps its UID as long as the match is known, so that a newer file moves it; a turn that has
passed is cancelled, so that it goes away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from pbem import __version__
from pbem.mail.compose import Attachment
from pbem.matches.duties import deadline
from pbem.matches.match import Match
from pbem.matches.steps import NO_PLY

if TYPE_CHECKING:
    from datetime import datetime

    from icalendar import Event

    from pbem.names import PlayerId

NAME: Final = "deadlines.ics"
MEDIA: Final = 'text/calendar; charset="utf-8"; method=PUBLISH'


def calendar_file(
    matches: Iterable[Match],
    reader: PlayerId,
    names: Mapping[PlayerId, str],
    *,
    title: str,
    domain: str,
    now: datetime,
) -> Attachment:
    """The deadlines of the matches in which the reader sits; `domain` makes their UIDs unique."""
    events = _events(matches, reader, names, title=title, domain=domain, now=now)
    return Attachment(NAME, MEDIA, _calendar(events, title))


def calendar_feed(
    matches: Iterable[Match],
    reader: PlayerId,
    names: Mapping[PlayerId, str],
    *,
    title: str,
    domain: str,
    now: datetime,
) -> bytes:
    """The same for programs that fetch it again and again: they drop what is no more in it."""
    due = (match for match in matches if deadline(match, reader) is not None)
    return _calendar(_events(due, reader, names, title=title, domain=domain, now=now), title)


def _calendar(events: Iterable[Event], title: str) -> bytes:
    from icalendar import Calendar  # none of the other mails needs it, and it is slow to import

    calendar = Calendar()
    calendar.add("prodid", f"-//pbem//pbem {__version__}//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", title)
    for event in events:
        calendar.add_component(event)
    return calendar.to_ical()


def _events(
    matches: Iterable[Match],
    reader: PlayerId,
    names: Mapping[PlayerId, str],
    *,
    title: str,
    domain: str,
    now: datetime,
) -> Iterator[Event]:
    from icalendar import Event

    for match in matches:
        due = deadline(match, reader)
        if due is None and match.ply == NO_PLY:
            continue  # no turn has passed yet that a calendar could know
        others = ", ".join(names.get(player, "?") for player in match.others(reader))
        event = Event()
        event.add("uid", f"{match.id}-{match.entrants.index(reader) + 1}@{domain}")
        # Of what others do in secret not even the number of its events may be told.
        event.add("sequence", match.told_to(reader).count)
        event.add("dtstamp", now)
        event.add("dtstart", due or now)
        event.add("summary", f"{title}: {match.game.title} {match.id} ({others})")
        event.add("status", "CONFIRMED" if due else "CANCELLED")
        event.add("transp", "TRANSPARENT")
        yield event
