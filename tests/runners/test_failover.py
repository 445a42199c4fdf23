"""The primary of PostgreSQL is killed under four workers: nothing is lost (`bench failover`)."""

from __future__ import annotations

import pytest

from bench._patroni import missing
from bench.failover import drilled


@pytest.mark.slow
@pytest.mark.server
@pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")
def test_a_primary_that_goes_takes_nothing_with_it() -> None:
    assert drilled(1) == []
