"""Letters: received once, claimed in order, settled, shunted, pruned."""

from dataclasses import replace

import pytest

from pbem.legacy.store.database import Database
from pbem.legacy.store.mails import inbox
from pbem.legacy.store.mails.inbox import Checkpoint, Received
from tests.legacy.store.given import DAY, MINUTE, NOW, read, write

HERE = Checkpoint("club", "INBOX", 7, 30)


def letters(*names: str) -> list[Received]:
    return [
        Received(
            key=name,
            account="club",
            mailbox="INBOX",
            uidvalidity=7,
            uid=number,
            raw=f"text of {name}".encode(),
            envelope_to="games@example.org",
        )
        for number, name in enumerate(names)
    ]


def keys(db: Database, limit: int = 50) -> list[str]:
    return [row.key for row in write(db, lambda conn: inbox.claim(conn, limit))]


def raw(db: Database, key: str) -> bytes:
    row = read(db, lambda conn: inbox.letter(conn, key))
    assert row is not None
    return row.raw


def test_letters_are_kept_as_they_came_with_the_checkpoint(db: Database) -> None:
    assert write(db, lambda conn: inbox.receive(conn, letters("a", "b"), HERE, NOW)) == 2
    row = read(db, lambda conn: inbox.letter(conn, "b"))
    assert row is not None
    assert (row.raw, row.received_at, row.attempts, row.state) == (b"text of b", NOW, 0, "new")
    assert read(db, lambda conn: inbox.checkpoint(conn, "club", "INBOX")) == HERE
    assert read(db, lambda conn: inbox.letter(conn, "c")) is None


def test_a_letter_that_comes_again_changes_nothing(db: Database) -> None:
    write(db, lambda conn: inbox.receive(conn, letters("a"), HERE, NOW))
    write(db, lambda conn: inbox.settle(conn, "a", state="done", disposition="played"))
    again = [replace(letters("a")[0], raw=b"other", uid=99), *letters("b")]
    later = replace(HERE, uid=31)
    assert write(db, lambda conn: inbox.receive(conn, again, later, NOW + MINUTE)) == 1
    row = read(db, lambda conn: inbox.letter(conn, "a"))
    assert row is not None
    assert (row.raw, row.received_at, row.state) == (b"text of a", NOW, "done")
    assert keys(db) == ["b"]
    assert read(db, lambda conn: inbox.checkpoint(conn, "club", "INBOX")) == later


def test_a_letter_twice_in_a_batch_is_one(db: Database) -> None:
    assert write(db, lambda conn: inbox.receive(conn, letters("a", "a"), None, NOW)) == 1


def test_checkpoints_are_kept_for_each_mailbox(db: Database) -> None:
    there = Checkpoint("club", "Games", 1, 2)
    write(db, lambda conn: inbox.receive(conn, [], HERE, NOW))
    write(db, lambda conn: inbox.receive(conn, [], there, NOW + MINUTE))
    assert read(db, lambda conn: inbox.checkpoint(conn, "club", "INBOX")) == HERE
    assert read(db, lambda conn: inbox.checkpoint(conn, "club", "Games")) == there
    assert read(db, lambda conn: inbox.checkpoint(conn, "club")) == there
    assert read(db, lambda conn: inbox.checkpoint(conn, "other")) is None
    fresh = Checkpoint("club", "INBOX", 8, 1)  # the server began to count anew
    write(db, lambda conn: inbox.receive(conn, [], fresh, NOW))
    assert read(db, lambda conn: inbox.checkpoint(conn, "club", "INBOX")) == fresh


def test_letters_are_claimed_in_the_order_of_receipt(db: Database) -> None:
    write(db, lambda conn: inbox.receive(conn, letters("z", "y"), None, NOW + MINUTE))
    write(db, lambda conn: inbox.receive(conn, letters("a"), None, NOW))
    assert keys(db, limit=2) == ["z", "y"]
    assert keys(db) == ["z", "y", "a"]


def test_attempts_are_counted_when_a_letter_is_claimed(db: Database) -> None:
    write(db, lambda conn: inbox.receive(conn, letters("a", "b"), None, NOW))
    for attempt in (1, 2, 3):
        (row,) = write(db, lambda conn: inbox.claim(conn, 1))
        stored = read(db, lambda conn: inbox.letter(conn, "a"))
        assert stored is not None
        assert row.attempts == stored.attempts == attempt
    untouched = read(db, lambda conn: inbox.letter(conn, "b"))
    assert untouched is not None
    assert untouched.attempts == 0


def test_what_became_of_a_letter_is_kept(db: Database) -> None:
    write(db, lambda conn: inbox.receive(conn, letters("a", "b", "c"), None, NOW))
    write(
        db,
        lambda conn: inbox.settle(
            conn,
            "a",
            state="refused",
            disposition="refused",
            code="not_your_turn",
            stream="match-A",
            to_version=4,
        ),
    )
    write(db, lambda conn: inbox.shunt(conn, "b", "ValueError: bad"))
    assert keys(db) == ["c"]
    c, b, a = read(db, inbox.listed)
    assert (a.state, a.disposition, a.code) == ("refused", "refused", "not_your_turn")
    assert (a.stream, a.to_version) == ("match-A", 4)
    assert (b.state, b.disposition) == ("shunted", "ValueError: bad")
    assert read(db, lambda conn: inbox.listed(conn, state="shunted")) == [b]
    assert read(db, lambda conn: inbox.listed(conn, limit=1)) == [c]
    assert read(db, inbox.counts) == {"refused": 1, "shunted": 1, "new": 1}


def test_a_letter_that_is_not_there_cannot_be_settled(db: Database) -> None:
    with pytest.raises(LookupError):
        write(db, lambda conn: inbox.settle(conn, "x", state="done", disposition="played"))
    with pytest.raises(LookupError):
        write(db, lambda conn: inbox.shunt(conn, "x", "why"))


def test_only_a_shunted_letter_is_taken_again(db: Database) -> None:
    write(db, lambda conn: inbox.receive(conn, letters("a", "b"), None, NOW))
    keys(db)
    write(db, lambda conn: inbox.shunt(conn, "a", "why"))
    write(db, lambda conn: inbox.settle(conn, "b", state="done", disposition="played"))
    assert write(db, lambda conn: inbox.retry(conn, "a"))
    assert not write(db, lambda conn: inbox.retry(conn, "a"))
    assert not write(db, lambda conn: inbox.retry(conn, "b"))
    (row,) = write(db, lambda conn: inbox.claim(conn, 5))
    assert (row.key, row.attempts) == ("a", 1)


def test_old_letters_are_emptied_and_stay_known(db: Database) -> None:
    write(db, lambda conn: inbox.receive(conn, letters("old", "waits"), None, NOW))
    write(db, lambda conn: inbox.receive(conn, letters("x", "young"), None, NOW + DAY))
    write(db, lambda conn: inbox.settle(conn, "old", state="done", disposition=""))
    write(db, lambda conn: inbox.settle(conn, "young", state="done", disposition=""))
    assert write(db, lambda conn: inbox.prune(conn, NOW + DAY)) == 1
    assert write(db, lambda conn: inbox.prune(conn, NOW + DAY)) == 0
    assert [raw(db, key) for key in ("old", "waits", "young")] == [
        b"",
        b"text of waits",
        b"text of young",
    ]
    assert write(db, lambda conn: inbox.receive(conn, letters("old"), None, NOW)) == 0
