"""A seat has generations of its reply address of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Every generation that there is holds in all matches, as before."""
    op.add_column("reply_address", sa.Column("match", sa.String(), nullable=True))
