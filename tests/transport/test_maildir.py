from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from pbem.names import Checkpoint
from pbem.transport import Batch, Envelope, SendOutcome, TransportError
from pbem.transport.maildir import MaildirMailbox, MaildirMailer, make_maildir
from tests.transport.reading import read_messages

RAW = b"From: a@example.org\r\nSubject: x\r\n\r\n.\r\n\xff\n\x00 as it is"
TRACE = b"Return-Path: <games@example.org>\r\n"


async def deliver(path: Path, *recipients: str, data: bytes = RAW) -> None:
    mailer = MaildirMailer(path)
    for recipient in recipients:
        envelope = Envelope(mail_from="games@example.org", recipient=recipient, data=data)
        assert (await mailer.send(envelope)).outcome is SendOutcome.SENT


async def fetch(path: Path, checkpoint: Checkpoint | None = None) -> Batch:
    batch = await MaildirMailbox(path).fetch_new(checkpoint)
    assert batch is not None
    return batch


def list_recipients(batch: Batch) -> list[str | None]:
    return [message.envelope_recipient for message in batch.messages]


async def test_a_sent_email_is_read_byte_for_byte_with_its_envelope(tmp_path: Path) -> None:
    recipients = ["games+k7.2,x:y/z@example.org", "ö@exämple.org"]
    await deliver(tmp_path, *recipients)
    batch = await fetch(tmp_path)
    assert [message.raw for message in batch.messages] == [TRACE + RAW] * 2
    assert list_recipients(batch) == recipients
    assert batch.checkpoint.uid == batch.messages[-1].uid


async def test_a_message_comes_again_until_its_checkpoint_is_stored(tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x")
    batch = await fetch(tmp_path)
    await MaildirMailbox(tmp_path).mark_read(batch)
    again = await fetch(tmp_path)  # it is in cur/ now
    assert again == batch
    assert await MaildirMailbox(tmp_path).fetch_new(batch.checkpoint) is None
    await deliver(tmp_path, "b@x")
    assert list_recipients(await fetch(tmp_path, batch.checkpoint)) == ["b@x"]


async def test_only_messages_of_the_batch_move_to_cur(tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x")
    batch = await fetch(tmp_path)
    await deliver(tmp_path, "b@x")
    await MaildirMailbox(tmp_path).mark_read(batch)
    assert [path.name.endswith(",R=a@x:2,S") for path in (tmp_path / "cur").iterdir()] == [True]
    assert [path.name.endswith(",R=b@x") for path in (tmp_path / "new").iterdir()] == [True]


async def test_many_messages_come_in_order_and_once(tmp_path: Path) -> None:
    recipients = [f"{number}@x" for number in range(120)]
    await deliver(tmp_path, *recipients)
    messages = await read_messages(MaildirMailbox(tmp_path), 120, extra_seconds=0.1)
    assert [message.envelope_recipient for message in messages] == recipients


async def test_other_files_hold_up_no_message(tmp_path: Path) -> None:
    make_maildir(tmp_path)
    (tmp_path / "new" / "a-folder").mkdir()
    (tmp_path / "cur" / "b-link").symlink_to("b-link")
    (tmp_path / "new" / ".hidden").write_bytes(RAW)
    (tmp_path / "new" / "two\nlines").write_bytes(RAW)
    await deliver(tmp_path, "a@x")
    assert list_recipients(await fetch(tmp_path)) == ["a@x"]


async def test_emails_of_other_programs_come_in_the_order_of_their_arrival(tmp_path: Path) -> None:
    make_maildir(tmp_path)
    for age, name in ((9, "2.host"), (5, "1.host,R=a@x,S=50"), (1, "0.host")):
        path = tmp_path / "new" / name
        path.write_bytes(name.encode())
        os.utime(path, (1e9 - age, 1e9 - age))
    batch = await fetch(tmp_path)
    assert [message.raw[:1] for message in batch.messages] == [b"2", b"1", b"0"]
    assert list_recipients(batch) == [None, "a@x", None]


async def test_an_unreadable_file_holds_up_no_message_and_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deliver(tmp_path, "a@x", "b@x")
    real_open = Path.open

    def open_unless_locked(path: Path, *args: Any, **options: Any) -> Any:
        if path.name.endswith("R=a@x"):
            raise PermissionError(13, "Permission denied", str(path))
        return real_open(path, *args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", open_unless_locked)
        mailbox = MaildirMailbox(tmp_path)
        with capture_logs() as entries:
            batch = await mailbox.fetch_new(None)
            assert batch is not None
            assert await mailbox.fetch_new(batch.checkpoint) is None
        assert list_recipients(batch) == ["b@x"]
        assert [entry["event"] for entry in entries] == ["message_unreadable"]
    assert list_recipients(await fetch(tmp_path, batch.checkpoint)) == ["a@x"]


async def test_a_file_that_another_program_moves_meanwhile_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deliver(tmp_path, "a@x", "b@x", "c@x")
    await fetch(tmp_path)
    real_open = Path.open

    def open_and_move(path: Path, *args: Any, **options: Any) -> Any:
        for moved in (tmp_path / "new").glob("*,R=b@x"):
            moved.rename(tmp_path / "cur" / f"{moved.name}:2,S")
        return real_open(path, *args, **options)

    monkeypatch.setattr(Path, "open", open_and_move)
    batch = await fetch(tmp_path)
    assert list_recipients(batch) == ["a@x"]
    assert list_recipients(await fetch(tmp_path, batch.checkpoint)) == ["b@x", "c@x"]


@pytest.mark.parametrize("index", ["1 1\n", "", "nonsense\n"])
async def test_without_the_index_everything_comes_again(index: str, tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x")
    (tmp_path / "pbem-uids").write_text("7 1\n")
    batch = await fetch(tmp_path)
    (tmp_path / "pbem-uids").write_text(index)
    again = await fetch(tmp_path, batch.checkpoint)
    assert list_recipients(again) == ["a@x"]
    assert again.checkpoint.uidvalidity != batch.checkpoint.uidvalidity


async def test_uids_of_deleted_messages_are_never_given_again(tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x")
    batch = await fetch(tmp_path)
    for path in (tmp_path / "new").iterdir():
        path.unlink()
    assert await MaildirMailbox(tmp_path).fetch_new(batch.checkpoint) is None
    await deliver(tmp_path, "b@x")
    assert (await fetch(tmp_path, batch.checkpoint)).messages[0].uid == 2
    assert len((tmp_path / "pbem-uids").read_text().splitlines()) == 2


async def test_only_the_headers_of_an_oversized_message_are_read(tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x", data=b"Subject: big\n\n" + b"x" * 1_100_000)
    (message,) = (await fetch(tmp_path)).messages
    assert message.is_oversized
    assert message.raw == TRACE + b"Subject: big\n\n"
    await deliver(tmp_path, "a@x", data=b"x" * 1_100_000)  # it has no end of headers
    assert (await fetch(tmp_path)).messages[1].raw.startswith(TRACE + b"xxx")


async def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "new").write_bytes(b"")
    with pytest.raises(TransportError, match="Cannot read the Maildir"):
        await MaildirMailbox(tmp_path).fetch_new(None)


async def test_an_address_too_long_for_a_file_name_is_refused(tmp_path: Path) -> None:
    envelope = Envelope(mail_from="", recipient="ö" * 100 + "@x", data=RAW)
    assert (await MaildirMailer(tmp_path).send(envelope)).outcome is SendOutcome.PERMANENT


async def test_an_email_that_cannot_be_written_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "new").write_bytes(b"")
    envelope = Envelope(mail_from="", recipient="a@x", data=RAW)
    assert (await MaildirMailer(tmp_path).send(envelope)).outcome is SendOutcome.TRANSIENT
