"""Answers to questions that are neither yes nor no."""

from __future__ import annotations

from pathlib import Path

from tests.conversations.service import begin

UNCLEAR = """
match logger ann bob
ann replies
    resign
ann replies to question
    yeah
expect ann question in M1 exactly 1
    tap: yes
ann replies to question
    hm
expect ann nothing
ann replies to question
    yes
expect bob end in M1 exactly 1
"""


async def test_a_repeated_question_keeps_its_reply_address(tmp_path: Path) -> None:
    conversation = begin(UNCLEAR, tmp_path)
    await conversation.play()
    to_ann = [email for email in conversation.received if email.recipient == "ann@example.org"]
    asked, repeated = [email for email in to_ann if email.kind == "question"][-2:]
    assert asked.reply_to == repeated.reply_to
    assert asked.text != repeated.text
