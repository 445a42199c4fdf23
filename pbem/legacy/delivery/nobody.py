"""What a mail shows that goes to no player: to the operator, to who was banned or forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.legacy.notices.personal import Banned, ReportReceived
from pbem.legacy.notices.views.scene import Scene, Site
from pbem.legacy.store.log import sealed
from pbem.legacy.store.people import roster

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.notices.views.scene import VerbHelp
    from pbem.legacy.transaction.installation import House


def scene_of_nobody(
    conn: Connection, house: House, notices: Sequence[Notice], verbs: tuple[VerbHelp, ...]
) -> Scene:
    """What is around no match; of `verbs` none is offered, and no line begins with one."""
    site = house.settings.site
    reports = [one for one in notices if isinstance(one, ReportReceived)]
    people = [who for one in reports for who in (one.reporter, one.reported)]
    texts = [one.reason for one in notices if isinstance(one, Banned)]
    texts += [text for one in reports for text in one.said]
    named = roster.players(conn, people) if people else {}
    return Scene(
        matches={},
        names={player: row.name for player, row in named.items()},
        site=Site(title=site.title, address=site.address),
        reply_address=site.address,
        now=house.now(),
        sealed=sealed.unseal(conn, texts) if texts else {},
        verbs=verbs,
    )
