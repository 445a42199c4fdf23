"""Which engine the databases of tests are on: `pytest --postgresql` has all on PostgreSQL.

A module says by `pytestmark = on_both` that all of its tests run on both, as those of the store do.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.legacy import postgres
from tests.legacy.databases import ENGINE

on_both = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True),
]
"""For a module whose tests all make clubs; those that are marked `sqlite` are about its file."""


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """The engine of the databases that this test makes."""
    if request.param != "sqlite" and request.node.get_closest_marker("sqlite"):
        pytest.skip("it is about SQLite's file")
    ENGINE.append(request.param)
    yield request.param
    ENGINE.pop()


def drop_all() -> None:
    """Remove what tests have left behind on the server."""
    for url in list(postgres.made):
        postgres.drop(url)
