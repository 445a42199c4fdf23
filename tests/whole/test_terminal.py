"""The demo in which you are Alice: what is asked at the terminal, and when."""

from __future__ import annotations

import asyncio

from pbem.games import newest
from pbem.wiring.conversation import play_with_you


async def test_alice_is_asked_when_she_is_to_answer_and_never_left_alone() -> None:
    shown: list[str] = []
    typed = iter(["", "help", "", "", "/nonsense", "", "resign yes", "", ""])
    mails_at: list[int] = []

    def ask(_: str) -> str:
        mails_at.append(sum(text.startswith("From:") for text in shown))
        return next(typed)

    game = newest("logger")
    assert game is not None
    async with asyncio.timeout(240):
        await play_with_you(game, 2, 1, shown.append, ask)
    everything = "\n".join(shown)
    assert next(typed, None) is None
    assert mails_at[0] >= 2  # the invitation went out, and then the match has begun
    assert "What you can write in a mail" in everything
    assert "is over" in everything


async def test_alice_may_leave_at_once() -> None:
    def gone(_: str) -> str:
        raise EOFError

    game = newest("logger")
    assert game is not None
    async with asyncio.timeout(240):
        await play_with_you(game, 2, 1, lambda _: None, gone)
