from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from pbem.legacy.transport import REACHED, Batch, Checkpoint, Envelope, Mailbox, Sender
from pbem.legacy.transport.maildir import MaildirMailbox, MaildirSender, make_maildir

MAIL = b"From: a@example.org\r\nSubject: x\r\n\r\n.\r\n\xff\n\x00 as it is"


def mailbox(path: Path, **wishes: object) -> MaildirMailbox:
    return MaildirMailbox(path, interval=0.01, **wishes)  # type: ignore[arg-type]


async def first(box: Mailbox, checkpoint: Checkpoint | None = None) -> Batch:
    async with asyncio.timeout(60), aclosing(box.batches(checkpoint)) as batches:
        return await anext(batches)


async def none_comes(box: Mailbox, checkpoint: Checkpoint) -> bool:
    try:
        async with asyncio.timeout(0.1), aclosing(box.batches(checkpoint)) as batches:
            await anext(batches)
    except TimeoutError:
        return True
    return False


async def deliver(path: Path, *recipients: str, data: bytes = MAIL) -> None:
    sender: Sender = MaildirSender(path)
    results = await sender.send(Envelope("from@example.org", recipients, data))
    assert {result.kind for result in results.values()} == {"sent"}


async def test_what_was_sent_is_read_byte_for_byte_with_its_recipient(tmp_path: Path) -> None:
    recipients = ("games+k7.2,x:y/z@example.org", "ö@exämple.org")
    await deliver(tmp_path, *recipients)
    batch = await first(mailbox(tmp_path))
    assert [mail.raw for mail in batch.mails] == [MAIL, MAIL]
    assert tuple(mail.envelope_to for mail in batch.mails) == recipients
    assert batch.checkpoint.uid == batch.mails[-1].uid


async def test_a_batch_that_was_not_acknowledged_comes_again_with_the_same_uids(
    tmp_path: Path,
) -> None:
    await deliver(tmp_path, "a@x", "b@x")
    assert await first(mailbox(tmp_path)) == await first(mailbox(tmp_path))


async def test_behind_the_stored_checkpoint_nothing_comes_twice(tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x")
    batch = await first(mailbox(tmp_path))
    assert await none_comes(mailbox(tmp_path), batch.checkpoint)
    await deliver(tmp_path, "b@x")
    following = await first(mailbox(tmp_path), batch.checkpoint)
    assert [mail.envelope_to for mail in following.mails] == ["b@x"]


async def test_a_mail_goes_to_cur_only_once_the_next_batch_is_asked_for(tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x")
    async with aclosing(mailbox(tmp_path).batches(None)) as batches:
        await anext(batches)
        assert len(list((tmp_path / "new").iterdir())) == 1
        await deliver(tmp_path, "b@x")
        await anext(batches)
    assert [path.name.endswith(":2,S") for path in (tmp_path / "cur").iterdir()] == [True]
    assert len(list((tmp_path / "new").iterdir())) == 1


async def test_what_is_no_mail_holds_up_no_mail(tmp_path: Path) -> None:
    box = mailbox(tmp_path)
    (tmp_path / "new" / "a-folder").mkdir()
    (tmp_path / "cur" / "b-link").symlink_to("b-link")
    await deliver(tmp_path, "a@x")
    assert [mail.envelope_to for mail in (await first(box)).mails] == ["a@x"]
    assert box.state == REACHED


async def test_a_mail_that_cannot_be_read_holds_up_no_other_and_comes_when_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked: set[str] = set()
    opened = Path.open

    def open_(path: Path, *args: Any, **wishes: Any) -> Any:
        if path.name in locked:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *args, **wishes)

    monkeypatch.setattr(Path, "open", open_)
    await deliver(tmp_path, "a@x")
    [name] = (path.name for path in (tmp_path / "new").iterdir())
    locked.add(name)
    await deliver(tmp_path, "b@x")
    box = mailbox(tmp_path)
    assert box.state != REACHED
    batch = await first(box)
    assert [mail.envelope_to for mail in batch.mails] == ["b@x"]
    assert box.state == f"{name} cannot be read: Permission denied"
    assert await none_comes(box, batch.checkpoint)
    locked.clear()
    again = await first(mailbox(tmp_path), batch.checkpoint)  # also after a new start
    assert [mail.envelope_to for mail in again.mails] == ["a@x"]
    assert [mail.envelope_to for mail in (await first(box, batch.checkpoint)).mails] == ["a@x"]
    assert box.state == REACHED


async def test_a_disk_that_fails_in_a_mail_is_told_and_the_mail_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deliver(tmp_path, "a@x", "b@x")
    one = await first(mailbox(tmp_path))  # both have their numbers
    [name] = (path.name for path in (tmp_path / "new").iterdir() if "a@x" in path.name)
    opened = Path.open

    def open_(path: Path, *args: Any, **wishes: Any) -> Any:
        if path.name == name:
            raise OSError(5, "Input/output error", str(path))
        return opened(path, *args, **wishes)

    box = mailbox(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", open_)
        batch = await first(box)
        assert [mail.envelope_to for mail in batch.mails] == ["b@x"]
        assert "Input/output error" in box.state
    assert batch.checkpoint.uid == one.checkpoint.uid
    again = await first(mailbox(tmp_path), batch.checkpoint)
    assert [mail.envelope_to for mail in again.mails] == ["a@x"]


async def test_a_folder_that_is_gone_is_not_connected(tmp_path: Path) -> None:
    box = mailbox(tmp_path / "in")
    await deliver(tmp_path / "in", "a@x")
    await first(box)
    assert box.state == REACHED
    (tmp_path / "in").rename(tmp_path / "away")
    with pytest.raises(FileNotFoundError):
        await first(box)
    assert "No such file" in box.state


@pytest.mark.parametrize("after", ["keep", "seen", "move", "delete"])
async def test_what_becomes_of_read_mail_is_a_setting(tmp_path: Path, after: str) -> None:
    inbox, archive = tmp_path / "in", tmp_path / "old"
    box = mailbox(inbox, after_reading=after, archive=archive)
    await deliver(inbox, "a@x")
    async with aclosing(box.batches(None)) as batches:
        await anext(batches)
        await deliver(inbox, "b@x")
        batch = await anext(batches)
    left = {
        name: len(list(folder.iterdir()))
        for name, folder in (
            ("new", inbox / "new"),
            ("cur", inbox / "cur"),
            ("old", archive / "cur"),
        )
    }
    assert (
        left
        == {
            "keep": {"new": 2, "cur": 0, "old": 0},
            "seen": {"new": 1, "cur": 1, "old": 0},
            "move": {"new": 1, "cur": 0, "old": 1},
            "delete": {"new": 1, "cur": 0, "old": 0},
        }[after]
    )
    assert [mail.envelope_to for mail in batch.mails] == ["b@x"]


async def test_a_mail_that_another_program_moved_to_cur_is_still_read(tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x")
    (file,) = (tmp_path / "new").iterdir()
    file.replace(tmp_path / "cur" / f"{file.name}:2,")
    assert [mail.envelope_to for mail in (await first(mailbox(tmp_path))).mails] == ["a@x"]


async def test_a_lost_list_of_numbers_means_all_mails_again_under_a_new_uidvalidity(
    tmp_path: Path,
) -> None:
    await deliver(tmp_path, "a@x")
    batch = await first(mailbox(tmp_path))
    (tmp_path / "pbem-uids").write_text("1 1\n")
    again = await first(mailbox(tmp_path), batch.checkpoint)
    assert [mail.envelope_to for mail in again.mails] == ["a@x"]
    assert again.checkpoint.uidvalidity == 1


async def test_numbers_of_deleted_mails_are_forgotten_and_never_given_again(tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x")
    batch = await first(mailbox(tmp_path))
    for file in (tmp_path / "new").iterdir():
        file.unlink()
    assert await none_comes(mailbox(tmp_path), batch.checkpoint)
    assert len((tmp_path / "pbem-uids").read_text().splitlines()) == 1
    await deliver(tmp_path, "b@x")
    assert (await first(mailbox(tmp_path), batch.checkpoint)).mails[0].uid == 2


async def test_of_an_oversize_mail_only_the_headers_come(tmp_path: Path) -> None:
    await deliver(tmp_path, "a@x", data=b"Subject: big\n\n" + b"x" * 5000)
    (mail,) = (await first(mailbox(tmp_path, max_bytes=1000))).mails
    assert (mail.raw, mail.oversize) == (b"Subject: big\n\n", 5014)


async def test_an_address_too_long_for_a_file_name_is_refused(tmp_path: Path) -> None:
    results = await MaildirSender(tmp_path).send(Envelope("", ["ö" * 100 + "@x"], MAIL))
    assert [result.kind for result in results.values()] == ["permanent"]


async def test_a_folder_that_cannot_be_written_is_transient(tmp_path: Path) -> None:
    sender = MaildirSender(tmp_path)
    (tmp_path / "tmp").rmdir()
    results = await sender.send(Envelope("", ["a@x"], MAIL))
    assert [result.kind for result in results.values()] == ["transient"]


async def test_two_hundred_mails_come_in_order_and_once_while_they_are_delivered(
    tmp_path: Path,
) -> None:
    make_maildir(tmp_path)
    delivery = asyncio.create_task(deliver(tmp_path, *(f"{n}@x" for n in range(200))))
    got: list[str | None] = []
    async with asyncio.timeout(80), aclosing(mailbox(tmp_path).batches(None)) as batches:
        async for batch in batches:
            got += [mail.envelope_to for mail in batch.mails]
            if len(got) >= 200:
                break
    await delivery
    assert got == [f"{n}@x" for n in range(200)]
