"""Conversations are played on SQLite, and with `--postgresql` on PostgreSQL."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conversations.service import DrivenService
from tests.store.conftest import create_database, postgresql

__all__ = ["postgresql"]


@pytest.fixture
def service_class(request: pytest.FixtureRequest) -> type[DrivenService]:
    """The service on the engine that was asked for."""
    if not request.config.getoption("--postgresql"):
        return DrivenService
    server = request.getfixturevalue("postgresql")

    class PostgresqlService(DrivenService):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.replace_database()

        def replace_database(self) -> None:
            self.database_url = create_database(server)

    return PostgresqlService
