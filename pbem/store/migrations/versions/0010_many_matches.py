"""indexes for a log of very many matches that have ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

NEW: tuple[tuple[str, str, tuple[str, ...], str, str], ...] = (
    ("ix_inbox_player", "inbox", ("player", "number"), "", ""),
    ("ix_inbox_kept", "inbox", ("received_at",), "length(raw) > 0", ""),
    ("ix_inbox_shunted", "inbox", ("number",), "state = 'shunted'", ""),
    ("ix_outbox_recipient", "outbox", ("recipient", "id"), "", ""),
    ("ix_outbox_stream", "outbox", ("stream",), "", ""),
    ("ix_outbox_kept", "outbox", ("queued_at",), "data IS NOT NULL", ""),
    ("ix_outbox_set_aside", "outbox", ("id",), "state IN ('dead', 'shunted')", ""),
    ("ix_timer_bot", "timer", ("due_at",), "fired_at IS NULL AND kind = 'bot'", ""),
    ("ix_address_unproved", "address", ("player",), "confirmed IS 0", "confirmed IS false"),
    ("ix_address_suspended", "address", ("player",), "suspended_at IS NOT NULL", ""),
    ("ix_match_newest", "match", ("status", "updated_at", "id"), "", ""),
)
"""Name, table, columns, and of which rows: on SQLite, and on PostgreSQL where that is said
otherwise."""


def upgrade() -> None:
    """Without them what is done again and again goes through all that was ever kept."""
    op.drop_index("ix_match_status", table_name="match")
    op.drop_index("ix_outbox_recipient", table_name="outbox")
    for name, table, columns, rows, otherwise in NEW:
        op.create_index(
            name,
            table,
            list(columns),
            sqlite_where=sa.text(rows) if rows else None,
            postgresql_where=sa.text(otherwise or rows) if rows else None,
        )
