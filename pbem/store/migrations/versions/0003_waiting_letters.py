"""letters that wait for room, by player."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """An index, so that who has a letter waiting is found at once."""
    waits = sa.text("state = 'waits'")
    op.create_index(
        "ix_inbox_waits",
        "inbox",
        ["player", "number"],
        sqlite_where=waits,
        postgresql_where=waits,
    )
