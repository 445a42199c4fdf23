"""mailboxes whose owners want no mail."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A table of digests of mailboxes."""
    op.create_table(
        "no_mail_to",
        sa.Column("mailbox", sa.String(), nullable=False),
        sa.Column("since", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("mailbox", name="pk_no_mail_to"),
    )
