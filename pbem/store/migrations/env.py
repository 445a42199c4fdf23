"""Alembic's entry point: `Database.migrate` passes its connection; there is no settings file."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

from pbem.store import tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
)
assert tables.EventRow.__tablename__ == "event"  # noqa: S101 - the import declares the tables
with context.begin_transaction():
    context.run_migrations()
