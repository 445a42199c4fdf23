"""What is left of a player who has deleted their account."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from pbem.store.database import Database
from tests.conversations.service import begin

SCRIPT = """
match logger ann bob
ann replies in M1
    report Bob
ann replies in M1
    resign
expect ann question exactly 1
ann replies in M1
    delete me
ann replies to question
    yes
expect ann account exactly 1
"""


LEFT = {
    "questions": "SELECT id FROM question WHERE address = 'ann@example.org'",
    "emails": "SELECT o.id FROM outbox o JOIN player p ON o.player = p.id"
    " WHERE deleted_at NOT NULL AND text != ''",
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
    assert left == {"questions": [], "emails": [], "counts": []}
