"""What is late: a mail that was taken, or a service that was away."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.store.mails.outbox import OutboxRow

GRACE: Final = timedelta(minutes=10)
"""A mail may take so long, and we may be away so long, before time is given back (PLAY 3)."""


def is_late(row: OutboxRow, sent_at: datetime) -> bool:
    """Whether a mail was taken so late that its reader's clocks may have to know it."""
    return sent_at - row.queued_at > GRACE
