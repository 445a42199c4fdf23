"""row sums."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A checksum for each row, and which rows have none yet; `pbem.store.sums` fills them."""
    op.create_table(
        "touched",
        sa.Column("tbl", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tbl", "key", name="pk_touched"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "row_sum",
        sa.Column("tbl", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("sum", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tbl", "key", name="pk_row_sum"),
        sqlite_with_rowid=False,
    )
