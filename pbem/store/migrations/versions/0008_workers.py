"""who works on a letter or a mail, and which letters must keep their order."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Where several processes work on one database, each takes what nobody else has."""
    op.add_column("inbox", sa.Column("lane", sa.String(), nullable=True))
    op.add_column("inbox", sa.Column("worker", sa.Integer(), nullable=True))
    op.add_column("outbox", sa.Column("worker", sa.Integer(), nullable=True))
