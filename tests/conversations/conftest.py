"""Conversations are played on SQLite, and with `--postgresql` on PostgreSQL."""

from __future__ import annotations

import pytest

from pbem.store.database import Database
from tests.conversations.service import DrivenService
from tests.store.conftest import create_database, postgresql

__all__ = ["postgresql"]


@pytest.fixture
def service_class(request: pytest.FixtureRequest) -> type[DrivenService]:
    """The service on the engine that was asked for."""
    if not request.config.getoption("--postgresql"):
        return DrivenService
    url = create_database(request.getfixturevalue("postgresql"))

    class PostgresqlService(DrivenService):
        def open_database(self) -> Database:
            return Database(url)

    return PostgresqlService
