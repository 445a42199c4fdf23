"""The tiny game, for the stories that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.legacy.matches import tiny as game


@pytest.fixture
def tiny() -> Iterator[None]:
    """Tiny can be played."""
    with game.registered():
        yield
