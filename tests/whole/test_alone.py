"""One service a database."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import ConfigError
from pbem.wiring.house import alone


def test_a_second_service_on_a_database_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "pbem.db"
    with alone(database), pytest.raises(ConfigError, match="stop it first"), alone(database):
        pass
    with alone(database):
        pass
