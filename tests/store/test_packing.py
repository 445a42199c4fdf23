"""Mails on disk: small, the same again, and readable whatever they were kept with."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from pbem.store import packing, tables
from pbem.store.database import Database
from pbem.store.mails import outbox
from pbem.store.mails.outbox import FinishedMail
from pbem.store.packing import (
    MARK,
    DamagedBytes,
    pack,
    pack_text,
    unpack,
    unpack_start,
    unpack_text,
)
from tests.store.given import read, write
from tests.store.test_outbox import lease, mail, queue

DICTIONARY = "ab6e4fb3c6169545cb33fafbbb9beb3a0e5d092a8b0d90a9d5a3c83ace2c3f96"

LENGTH = select(func.length(tables.outbox.c.data))

KEPT = bytes.fromhex("28b52ffd25014dc50000404b375158322e0d0a05fc40ae3cddc52464a3a96d7b840eb5cbb631")
"""A mail as it was kept with the dictionary; it has to be read for ever."""

MAIL = b"Subject: [Logger K7QX2] Ann - Bob\r\n\r\nYour move in Logger K7QX2 against Bob.\r\n"


def test_the_dictionary_never_changes() -> None:
    # Mails that were kept with it cannot be read with another.
    data = (Path(packing.__file__).parent / "mails.1.zdict").read_bytes()
    assert hashlib.sha256(data).hexdigest() == DICTIONARY


@given(st.binary(max_size=300) | st.binary(max_size=20).map(MARK.__add__))
def test_what_is_kept_is_the_same_again(data: bytes) -> None:
    assert unpack(pack(data)) == data
    assert unpack_start(pack(data), 10) == data[:10]


@pytest.mark.parametrize("size", [1, 65_536, 1_000_000])
def test_large_letters_are_kept_whole_and_no_larger(size: int) -> None:
    data = random.Random(size).randbytes(size)
    assert unpack(pack(data)) == data
    assert len(pack(data)) <= size + size // 1000 + 64


def test_what_was_kept_once_is_read_for_ever() -> None:
    assert unpack(KEPT) == MAIL


def test_of_a_part_the_start_is_read() -> None:
    data = random.Random(1).randbytes(200_000)
    assert unpack_start(pack(data)[:65_536], 1_000) == data[:1_000]


def test_a_letter_that_begins_as_packed_bytes_do_is_a_letter() -> None:
    for data in (MARK, MARK + b"1", KEPT):
        assert unpack(pack(data)) == data


def test_what_was_kept_before_is_read_as_it_is() -> None:
    assert unpack(b"Subject: x\r\n\r\ny") == b"Subject: x\r\n\r\ny"
    assert unpack_start(b"Subject: x", 7) == b"Subject"
    assert (pack(b""), unpack(b"")) == (b"", b"")


def test_damage_is_found() -> None:
    data = b"Subject: x\r\n\r\n" + bytes(range(256))
    kept = pack(data)
    assert kept.startswith(MARK)
    for at in range(len(MARK), len(kept)):
        for bit in range(8):
            broken = bytearray(kept)
            broken[at] ^= 1 << bit
            assert read_or_nothing(bytes(broken)) in (None, data)  # never another mail
    with pytest.raises(DamagedBytes):
        unpack(kept[:-1])


def read_or_nothing(kept: bytes) -> bytes | None:
    try:
        return unpack(kept)
    except DamagedBytes:
        return None


@given(st.text(alphabet="abcdefghijk0123456789äöüß\n", max_size=2000))
def test_a_text_that_is_kept_is_the_same_again_and_no_longer(text: str) -> None:
    assert unpack_text(pack_text(text)) == text
    assert len(pack_text(text)) <= len(text)


def test_a_damaged_text_is_found() -> None:
    text = "yourmoveinlogger\n" * 20
    kept = pack_text(text)
    assert kept.startswith("|")
    for broken in (
        kept[:-1],
        kept[:-4],
        kept[:-5],
        "| ",
        *(kept[:at] + "?" + kept[at:] for at in range(1, 9)),
    ):
        with pytest.raises(DamagedBytes):
            unpack_text(broken)


def keep(db: Database, ident: int, data: bytes) -> None:
    finished = FinishedMail(id=ident, data=data, fingerprints=(), mail_from="a@x", rcpt="b@x")
    write(db, lambda conn: outbox.keep(conn, [finished]))


@pytest.mark.sqlite
def test_a_damaged_mail_is_written_anew_and_holds_up_no_other(db: Database) -> None:
    queue(db, mail("a"), mail("b"))
    first, second = lease(db)
    for row in (first, second):
        keep(db, row.id, b"Subject: x\r\n\r\nhello\r\n")
    (path,) = [row[2] for row in read(db, _files) if row[1] == "main"]
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("UPDATE outbox SET data = substr(data, 1, 9) WHERE id = ?", (first.id,))
    assert [row.data for row in read(db, outbox.listed)] == [b"Subject: x\r\n\r\nhello\r\n", None]


def _files(conn: object) -> list[tuple[int, str, str]]:
    return conn.exec_driver_sql("PRAGMA database_list").all()  # type: ignore[attr-defined,no-any-return]


def test_mails_are_kept_small(db: Database) -> None:
    queue(db, mail("a"))
    (row,) = lease(db)
    data = b"Subject: x\r\n\r\n" + b"The same again, and again.\r\n" * 400
    keep(db, row.id, data)
    kept = read(db, lambda conn: conn.execute(LENGTH).scalar_one())
    assert kept < len(data) / 20
    (again,) = read(db, outbox.listed)
    assert again.data == data
