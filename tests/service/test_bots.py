"""Bots that are slow or fail: the players who wait for them."""

from __future__ import annotations

from datetime import timedelta
from itertools import cycle
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


WAITING = {
    "a receipt": SCRIPT.format(level="strong", kind="receipt"),
    "another answer has shown the board": """
register ann
ann writes
    new logger with bot strong starter=given
ann replies
    place a1

    board
expect ann receipt in M1 exactly 0
expect ann turn in M1 exactly 1
""",
    "the bot begins": """
register ann
ann writes
    new logger with bot strong starter=given
operator adjudicate M1 1 2
ann replies
    rematch
expect ann start in M2 exactly 1
expect ann turn in M2 exactly 1
""",
    "another person waits for their turn": """
register ann bob
ann writes
    new logger with bob@example.net, strong bot starter=given
bob replies
    accept
expect bob start in M1 exactly 1
ann replies to turn
    place a1
bob replies
    place e5
expect ann turn in M1 exactly 1
    place e5
expect ann receipt exactly 0
""",
}


@pytest.mark.parametrize("name", WAITING)
async def test_who_gets_a_receipt_while_a_bot_searches(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "RECEIPT_DELAY", timedelta(0))
    await begin(WAITING[name], tmp_path).play()


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


async def test_a_draw_is_claimed_against_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = cycle(("Nf6", "Ng8"))
    monkeypatch.setattr(bots, "choose_notation", lambda *_turn: next(answers))
    script = "setting package pbem-chess\nregister ann\nann writes\n    new chess with bot easy"
    replies = ("Nf3", "Ng1", "Nf3", "Ng1", "draw")  # the third time that the board is the same
    script += " starter=given\n" + "".join(f"ann replies\n    {text}\n" for text in replies)
    await begin(f"{script}expect ann end in M1\n", tmp_path).play()
