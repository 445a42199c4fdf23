"""indexes of the mails that are still to be sent, in their order, and of who is in a match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Without them SQLite goes through all mails that were ever sent, and all seats."""
    waiting = sa.text("next_at IS NOT NULL")
    op.create_index(
        "ix_outbox_to_send",
        "outbox",
        ["id"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )
    op.create_index("ix_match_player_match", "match_player", ["match"])
