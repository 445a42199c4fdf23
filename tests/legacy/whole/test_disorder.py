"""Some hours of people who write anything; `python -m tests.legacy.whole.disorder` goes on for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.legacy.engines import on_both
from tests.legacy.whole.disorder import live

pytestmark = on_both


@pytest.mark.parametrize(
    ("seed", "steps", "mails"),
    [
        (1, 80, 60),
    ],
)
async def test_nothing_breaks_whatever_is_written(
    tmp_path: Path, seed: int, steps: int, mails: int
) -> None:
    disorder, found = await live(tmp_path, seed=seed, steps=steps)
    assert found == [], "\n".join(disorder.diary)
    assert len(disorder.club.postbox.mails) > mails
    disorder.club.house.db.close()
