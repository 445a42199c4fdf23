"""The files that mails bring beside their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pbem.delivery.calendar_file import calendar_file
from pbem.delivery.record_file import record_file
from pbem.notices.replies import CalendarShown, RecordShown

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.mail.compose import Attachment
    from pbem.names import MatchId, PlayerId
    from pbem.notices.notice import Notice
    from pbem.transaction.installation import House, Loaded


def records(
    conn: Connection,
    notices: Iterable[Notice],
    matches: Mapping[MatchId, Loaded],
    reader: PlayerId,
    names: Mapping[PlayerId, str],
) -> dict[MatchId, Attachment]:
    """The records that were asked for, as the reader may have them; none that is too long."""
    asked = {notice.match for notice in notices if isinstance(notice, RecordShown)}
    made = {name: record_file(conn, matches[name], reader, names) for name in sorted(asked)}
    return {name: file for name, file in made.items() if file is not None}


def calendars(
    house: House,
    notices: Iterable[Notice],
    matches: Mapping[MatchId, Loaded],
    reader: PlayerId,
    names: Mapping[PlayerId, str],
) -> list[Attachment]:
    """The calendar that was asked for, as the matches stand now."""
    asked = {name for one in notices if isinstance(one, CalendarShown) for name in one.matches}
    if not asked:
        return []
    listed = [matches[name].match for name in sorted(asked) if name in matches]
    title, now = house.settings.site.title, house.now()
    return [calendar_file(listed, reader, names, title=title, domain=house.domain, now=now)]
