"""The steps from an empty database to today's tables; Alembic runs them (`pbem.legacy.store.schema`)."""
