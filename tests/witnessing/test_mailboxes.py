"""A witness that has nothing but the mails of a club: its digests, and what `proof` brings."""

from __future__ import annotations

import asyncio
import base64
import mailbox
from collections.abc import Sequence
from dataclasses import replace
from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli.app import app
from pbem.runners.checkpoints import sign_log
from pbem.store.log import tree
from pbem.witnessing import mailed, notes
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.store.given import behind_its_back, read, write
from tests.witnessing.served import SEED

KEY = notes.SecretKey("pbem.example/games", SEED).public


async def opened(folder: Path) -> Club:
    """A club in which Bob gets digests, and something happens for him each day."""
    await asyncio.to_thread(folder.mkdir)
    club = open_club(folder)
    club.house = replace(club.house, log_seed=SEED)
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(BOB, "digest 18:00")
    return club


async def day(club: Club) -> bytes:
    """The log goes on and is signed; the digest that Bob gets of the day."""
    await club.answer(ANN, "say Good morning!")
    await sign_log(club.house)
    await club.wait(hours=24)
    return [data for recipient, data in club.postbox.sent if recipient == BOB][-1]


def maildir(folder: Path, mails: Sequence[bytes]) -> str:
    box = mailbox.Maildir(folder)
    for mail in mails:
        box.add(mail)
    return str(folder)


def mbox(folder: Path, mails: Sequence[bytes]) -> str:
    box = mailbox.mbox(folder)
    for mail in mails:
        box.add(mail)
    box.close()
    return str(folder)


def looks(source: str, folder: Path, *more: str) -> Result:
    return CliRunner().invoke(app, ["witness", source, str(folder), *more])


def size_of(club: Club) -> int:
    note = read(club.house.db, tree.newest)
    assert note is not None
    return note.size


@pytest.mark.parametrize("kept_as", [maildir, mbox])
async def test_digests_lead_from_day_to_day(tmp_path: Path, kept_as: object) -> None:
    assert callable(kept_as)
    club, folder = await opened(tmp_path / "club"), tmp_path / "witness"
    letters = [b"From: cleo@example.com\r\nSubject: Hi\r\n\r\nHello!\r\n", await day(club)]
    source = kept_as(tmp_path / "box", letters)
    unknown = looks(source, folder)
    assert (unknown.exit_code, "--key" in unknown.output) == (1, True)
    first = looks(source, folder, "--key", str(KEY))
    assert first.exit_code == 0, first.output
    assert f"pbem.example/games: {size_of(club)} events" in first.output
    size = size_of(club)
    kept_as(tmp_path / "box", [await day(club), await day(club), await day(club)])
    found = looks(source, folder, "--name", "ann.example")
    assert found.exit_code == 0, found.output
    assert f"{size_of(club)} events; it goes on from {size}" in found.output
    assert size_of(club) > size
    assert looks(source, folder).exit_code == 0  # nothing new is no fault


async def test_where_a_digest_is_missing_proof_joins_what_was_seen(tmp_path: Path) -> None:
    club, folder = await opened(tmp_path / "club"), tmp_path / "witness"
    source = maildir(tmp_path / "box", [await day(club)])
    assert looks(source, folder, "--key", str(KEY)).exit_code == 0
    size = size_of(club)
    await day(club)
    maildir(tmp_path / "box", [await day(club)])
    gap = looks(source, folder)
    assert gap.exit_code == 1
    assert f'write "proof {size}" to the club' in " ".join(gap.output.split())
    await club.answer(ANN, f"proof {size}")
    answer = [data for recipient, data in club.postbox.sent if recipient == ANN][-1]
    maildir(tmp_path / "box", [answer])
    found = looks(source, folder)
    assert found.exit_code == 0, found.output
    # And alone, as a mail in a file.
    file, other = tmp_path / "proof.eml", tmp_path / "other"
    file.write_bytes(answer)
    assert looks(str(file), other, "--key", str(KEY)).exit_code == 0


@pytest.mark.sqlite
async def test_a_log_that_was_rewritten_is_found_by_the_mails_alone(tmp_path: Path) -> None:
    club, folder = await opened(tmp_path / "club"), tmp_path / "witness"
    source = maildir(tmp_path / "box", [await day(club)])
    assert looks(source, folder, "--key", str(KEY)).exit_code == 0
    size = size_of(club)
    # The club rewrites an old event, hashes anew and signs on, as if it had signed so before.
    behind_its_back(
        tmp_path / "club" / "pbem.db",
        "UPDATE event SET hash = substr(hash, 3) || 'ab' WHERE position = 2",
    )
    root = read(club.house.db, lambda conn: tree.root_of_events(conn, size))
    note = read(club.house.db, lambda conn: tree.note_of(conn, size))
    assert note is not None
    point = notes.Checkpoint("pbem.example/games", size, root)
    false = replace(note, root=root, note=notes.signed(str(point), notes.SecretKey(KEY.name, SEED)))
    write(club.house.db, lambda conn: tree.keep_note(conn, false))
    maildir(tmp_path / "box", [await day(club)])
    for _ in range(2):
        found = looks(source, folder)
        assert found.exit_code == 2, found.output
        assert "BROKEN" in found.output
        assert "others can forge" in found.output


def told(*lines: str, headers: str = "") -> list[mailed.Joined]:
    text = "\n".join(lines)
    mail = message_from_string(f"{headers}\n{text}\n", EmailMessage, policy=default)
    return [*mailed.told_in(mail)]


def test_what_was_harmed_on_its_way_is_passed_over() -> None:
    path, note = [bytes(32), bytes(range(32))], "a\n1\nb\n\n\u2014 c dddddddd\n"
    lines = mailed.block("K7QX2", mailed.old_lines(7, path), note)
    whole = (7, path, note)
    assert told(*lines) == [whole]
    assert told("Hello!", *(f"> {line} " for line in lines), "", *lines) == [whole, whole]
    assert told(*lines[:-1]) == []  # cut off
    for at, line in enumerate(lines):
        harmed = (*lines[:at], line.replace("A", "-").replace("7", "x"), *lines[at + 1 :])
        for found in told(*harmed, *lines):
            assert found == whole or found[2] != note or found[0] == 0

    def packed(text: bytes) -> str:
        return f"X-PBEM-Checkpoint: {base64.b64encode(text).decode()}\n"

    right = notes.consistency_text(7, path, note).encode()
    assert told(headers=packed(right)) == [whole]
    for wrong in (b"", b"Hello!", b"\xff", b"old x\n\nnote", b"old 7\n!\n\nnote"):
        assert told(headers=packed(wrong) + packed(right)) == [whole]
    assert told(headers="X-PBEM-Checkpoint: ?\nContent-Type: text/plain; charset=nobody\n") == []


def test_what_is_no_mailbox_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "letter").write_bytes(b"Subject: Hi\n\nHello!\n")
    for name, words in [
        ("folder", "is no Maildir"),
        ("letter", "has no checkpoint"),
        ("x", "read"),
    ]:
        found = looks(str(tmp_path / name), tmp_path / "witness", "--key", str(KEY))
        assert found.exit_code == 1
        assert words in " ".join(found.output.split())
