"""`pytest -p pbem.legacy.testing.plugin --pbem-game nine-1`: the contract of what is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pbem.games import GAMES
from pbem.legacy.testing.contract import Contract

OPTION: Final = "--pbem-game"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names a ruleset."""
    parser.addoption(
        OPTION, action="append", default=[], metavar="RULESET", help="test the rules of a game"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Collect the contract, and nothing else, for the rulesets that are named."""
    named = config.getoption(OPTION)
    for ruleset in named:
        if ruleset not in GAMES:
            why = GAMES.faults.get(ruleset, f"there are {', '.join(GAMES)}")
            raise pytest.UsageError(f"there are no rules {ruleset!r}: {why}")
    if named:
        TestContract.games = tuple(GAMES[ruleset] for ruleset in named)
        config.args[:] = [str(Path(__file__))]


class TestContract(Contract):
    """The contract of the rulesets that were named."""
