"""Chess keeps the contract of a game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pbem_chess import GAME

from pbem.legacy.testing.contract import Contract
from tests.legacy.foreign.conftest import forget, site_of


@pytest.fixture(scope="module", autouse=True)
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The package is found by its entry point, so that its texts are."""
    path = str(site_of(Path(__file__).parents[1], tmp_path_factory.mktemp("site")))
    sys.path.insert(0, path)
    forget()
    yield
    sys.path.remove(path)
    forget()


class TestContract(Contract):
    """Every check of pbem: what fails says what to mend."""

    games = (GAME,)
