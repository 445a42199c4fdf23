"""What the tests of the old service share."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.legacy.drawing import draw_for
from tests.legacy.engines import drop_all, engine

__all__ = ["engine"]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    draw_for(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    try:
        return (yield)
    finally:
        drop_all()
