"""A service for every test: a copy of one that was made once."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.legacy.cli.service import Service, make


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Service:
    return make(tmp_path_factory.mktemp("service"))


@pytest.fixture
def service(made: Service, tmp_path: Path) -> Service:
    return Service(Path(shutil.copytree(made.folder, tmp_path / "service")))


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PBEM_")]:
        monkeypatch.delenv(name)
