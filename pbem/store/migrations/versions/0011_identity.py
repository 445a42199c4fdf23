"""which database this is, and for which other one it was left."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Whoever brings tables to today's gives the database its key (`identity.renew`)."""
    op.create_table(
        "identity",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("left_for", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_identity"),
    )
