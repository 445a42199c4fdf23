"""What the operator can do about a comment: list them, and take one away."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.matches.operator_acts import remove_comment
from pbem.store.log import sealed
from pbem.transaction.installation import verified
from pbem.transaction.transaction import Transaction
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.hostile import registered
from tests.orders.comments.test_by_mail import comments_of, match_of, over


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await registered(one)
    yield one
    one.house.db.close()


async def test_one_is_taken_away_and_its_writer_is_told_why(club: Club) -> None:
    name = await over(club)
    await club.answer(CLEO, "comment 2: Rude words.")
    await club.answer(ANN, "comment 2: Kind ones.")
    text = (await match_of(club, name)).table.comments[0].text
    others = len(club.mails(BOB))

    def act(conn: Any) -> None:
        house, now = club.house, club.house.now()
        txn = Transaction(conn=conn, house=house, cause="office:1", now=now)
        reason = txn.seal("Nobody is called names here.")
        txn.decide(name, partial(remove_comment, author="op", reason=reason, number=1))
        sealed.forget(conn, text)
        txn.close()

    club.house.db.write(act).result()
    await club.work()
    assert [one[2] for one in await comments_of(club, name)] == ["", "Kind ones."]
    mail = " ".join(club.last(CLEO).text.split())
    assert "The operator has taken away what you said of move 2 of Logger" in mail
    assert "Nobody is called names here." in mail
    assert len(club.mails(BOB)) == others
    await club.answer(BOB, "record")
    assert "Rude" not in club.last(BOB).text + "".join(map(str, club.last(BOB).files.values()))
    found: Any = await club.read(partial(verified, match=name))
    assert found[0].findings == ()
    await club.wait(days=1, minutes=5)
    await club.work()
    gathered = next(one.text for one in reversed(club.mails(BOB)) if "comments on" in one.text)
    assert re.search(r"Kind ones\.", gathered)
    assert "Rude" not in gathered
