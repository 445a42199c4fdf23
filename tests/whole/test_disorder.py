"""Some hours of people who write anything; `python -m tests.whole.disorder` goes on for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines import on_both
from tests.whole.disorder import live

pytestmark = on_both


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
async def test_nothing_breaks_whatever_is_written(tmp_path: Path, seed: int) -> None:
    disorder, found = await live(tmp_path, seed=seed, steps=80)
    assert found == [], "\n".join(disorder.diary)
    assert len(disorder.club.postbox.mails) > 60
    disorder.club.house.db.close()
