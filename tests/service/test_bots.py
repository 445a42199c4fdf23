"""Bots that are slow or fail: the players who wait for them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.server import bots
from tests.conversations.service import begin

SCRIPT = """# A bot of the level {level}
register ann
ann writes
    new logger with bot {level} starter=given
ann taps place a1
expect ann {kind} in M1 exactly 1
    place a1
expect ann turn in M1 exactly 1
    place a1
verify M1
"""


async def play(folder: Path, **words: str) -> None:
    await begin(SCRIPT.format(**words), folder).play()


async def test_a_receipt_is_sent_while_a_bot_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "RECEIPT_AFTER", timedelta(0))
    await play(tmp_path, level="strong", kind="receipt")


@pytest.mark.parametrize("answer", [None, "place c3"])
async def test_a_bot_that_fails_makes_a_legal_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None
) -> None:
    def choose(*_turn: object) -> str:
        if answer is None:
            raise RuntimeError("the search has failed")
        return answer

    monkeypatch.setattr(bots, "choose_notation", choose)
    await play(tmp_path, level="easy", kind="turn")
