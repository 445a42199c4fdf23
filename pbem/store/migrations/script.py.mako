"""${message}

Revision: ${up_revision}
Follows: ${down_revision | comma,n}
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Create what is new."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Remove it again."""
    ${downgrades if downgrades else "pass"}
