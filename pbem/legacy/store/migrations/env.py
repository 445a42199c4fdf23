"""Alembic's entry: one connection, given by `pbem.legacy.store.schema`, and no settings file."""

from __future__ import annotations

from alembic import context

from pbem.legacy.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
