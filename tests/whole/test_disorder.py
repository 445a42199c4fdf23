"""Some hours of people who write anything; `python -m tests.whole.disorder` goes on for ever."""

from __future__ import annotations

from pathlib import Path

from tests.whole.disorder import live


async def test_nothing_breaks_whatever_is_written(tmp_path: Path) -> None:
    disorder, found = await live(tmp_path, seed=2, steps=100)
    assert found == [], "\n".join(disorder.diary)
    assert len(disorder.club.postbox.mails) > 100
    disorder.club.house.db.close()
