"""What must hold of a club at any time: nothing is lost, doubled or without an explanation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pbem.cli.history import explained
from pbem.store import views
from pbem.store.mails import inbox, outbox
from pbem.transaction.installation import verified
from tests.whole.year import faults

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from tests.clubs.club import Club

OTHER_CAUSES: Final = ("late:", "downtime:", "refused:", "bot:", "operator:")
"""What happens by itself or on an operator's order; `pbem history` names it."""


def unexplained(conn: Connection, club: Club) -> Iterator[str]:
    """Whatever `pbem history` could not explain, and whatever does not check."""
    yield from faults(conn, club.house)
    yield from (f"letter {row.key} was shunted" for row in inbox.listed(conn, state="shunted"))
    told: set[int] = set()
    for row in views.matches(conn, None, limit=1000):
        yield from (f"{row.id}: {words}" for words in verified(conn, row.id)[0].findings)
        for entry in explained(conn, row.id):
            told.update(mail.id for mail in entry.mails)
            if entry.kind == "other" and not entry.cause.startswith(OTHER_CAUSES):
                yield f"{row.id}: nothing explains {entry.cause}"
    for mail in outbox.listed(conn, limit=100_000):
        if mail.stream is not None and mail.stream.startswith("match-") and mail.id not in told:
            yield f"mail {mail.id} of {mail.stream} stands in no history"
