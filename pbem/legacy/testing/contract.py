"""The contract as tests of pytest: subclass it in a test file, and name the games.

from pbem.legacy.testing.contract import Contract

class TestContract(Contract):
    games = (GAME,)
"""

from __future__ import annotations

from typing import ClassVar

import pytest

from pbem.games import AnyGame
from pbem.legacy.testing.every import CHECKS, found
from pbem.legacy.testing.tables import Table


class Contract:
    """Every check at every number of seats; what fails says what to mend."""

    games: ClassVar[tuple[AnyGame, ...]] = ()

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """A test for each check of each table."""
        tables = [
            pytest.param(Table(game, seats), id=f"{game.ruleset}-{seats}")
            for game in self.games
            for seats in game.seats
        ]
        metafunc.parametrize("table", tables)
        metafunc.parametrize("name", CHECKS)

    def test_contract(self, table: Table, name: str) -> None:
        """What a check finds at a table."""
        told = found(name, table)
        if told:
            rule = (CHECKS[name].__doc__ or "").strip()
            listed = "\n".join(f"  - {sentence}" for sentence in told)
            pytest.fail(
                f"{table.game.ruleset} at {table.seats} seats. {rule}\n{listed}", pytrace=False
            )
