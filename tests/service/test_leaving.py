"""What is left of a player who has deleted their account."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from pbem.store.database import Database
from tests.conversations.service import begin

SCRIPT = """
address ann work ann@work.example
match logger ann bob
ann writes
    address add ann@work.example
ann replies to question
    yes
ann replies to question from work
    yes
ann writes from work
    games
ann writes verdict none
    games
ann replies in M1
    report Bob
ann replies in M1
    resign
expect ann question exactly 1
ann replies in M1
    delete me
expect ann question exactly 1
ann replies
    yes
expect ann account exactly 1
"""


LEFT = {
    "questions": "SELECT id FROM question WHERE address = 'ann@example.org'",
    "emails": "SELECT o.id FROM outbox o JOIN player p ON o.player = p.id"
    " WHERE deleted_at NOT NULL AND text != ''",
    "emails to her address": "SELECT id FROM outbox"
    " WHERE kind = 'question' AND (address LIKE 'ann@%' OR key LIKE '%ann@%')",
    "received emails": "SELECT number FROM inbox"
    " WHERE raw LIKE '%From: Ann%' OR sent_as LIKE 'ann@%'",
    "changes": "SELECT id FROM account_change WHERE address LIKE 'ann@%'",
    "counts": "SELECT subject FROM rate_limit JOIN player ON id = subject"
    " WHERE deleted_at NOT NULL",
}


async def test_no_question_no_email_and_no_count_is_left(tmp_path: Path) -> None:
    await begin(f"setting operator finn@example.biz\n{SCRIPT}", tmp_path).play()
    with (
        closing(Database(f"sqlite:///{tmp_path / 'pbem.db'}")) as database,
        database.snapshot() as conn,
    ):
        left = {name: conn.execute(text(query)).all() for name, query in LEFT.items()}
    assert left == {name: [] for name in LEFT}
