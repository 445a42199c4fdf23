"""Boards as pictures in mails: who gets one, what stands for it, and what replies make of it."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from functools import partial
from pathlib import Path
from struct import unpack
from typing import Any, Final

import pytest

from pbem.delivery import attachments
from pbem.games import GAMES
from pbem.replays import raster
from pbem.runners.receive import store_letter, take_waiting
from pbem.store.mails import leases
from pbem.store.mails.leases import WITH_PICTURES
from pbem.transport import Fetched, apart
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.kept import kept
from tests.delivery.test_digests import words

pytestmark = [
    pytest.mark.drawn,
    pytest.mark.skipif(not raster.draws(), reason="the extra `pictures` is missing"),
]

KEYS: Final = [game.key for game in GAMES.values()]
MOST: Final = 40_000
"""SEEING 2: bytes of a whole mail with a picture."""

ALT: Final = re.compile(r'<img src="cid:([^"]+)" width="360" alt="([^"]{1,150})"')


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def begin(club: Club, key: str, *orders: str) -> None:
    """A match of a game, for which both then wish this."""
    await club.write(ANN, f"new {key.replace('_', ' ')} with {BOB}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    for reader in (ANN, BOB):
        for order in orders:
            await club.answer(reader, order)


def sent(club: Club, reader: str) -> Message:
    """The newest mail to somebody, as it went out."""
    data = [data for recipient, data in club.postbox.sent if recipient == reader][-1]
    assert len(data) <= MOST
    return message_from_bytes(data)


def parts(mail: Message) -> list[str]:
    return [part.get_content_type() for part in mail.walk()]


def html_of(mail: Message) -> str:
    (page,) = (part for part in mail.walk() if part.get_content_type() == "text/html")
    data = page.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data.decode()


@pytest.mark.parametrize("key", KEYS)
async def test_a_board_comes_as_a_picture(club: Club, key: str) -> None:
    await begin(club, key)
    await club.answer(ANN, "board")
    mail = sent(club, ANN)
    assert parts(mail) == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    *_, image = mail.walk()
    assert image["Content-Disposition"] == "inline; filename=board.png"
    data = image.get_payload(decode=True)
    assert isinstance(data, bytes)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert unpack(">I", data[16:20]) == (600,)
    shown = ALT.search(html_of(mail))
    assert shown is not None
    assert image["Content-ID"] == f"<{shown[1]}>"


@pytest.mark.parametrize("key", KEYS)
async def test_everybody_may_have_pictures_or_none(club: Club, key: str) -> None:
    await begin(club, key)
    await club.answer(ANN, "board")
    assert "image/png" in parts(sent(club, ANN))
    await club.answer(ANN, "pictures off")
    await club.answer(ANN, "board")
    assert "image/png" not in parts(sent(club, ANN))
    assert "<img" not in html_of(sent(club, ANN))
    assert '"pictures off"' in words(club.last(ANN).text)


async def test_who_wants_text_or_words_gets_no_picture(club: Club) -> None:
    await begin(club, "looney_ludo")
    for order in ("mail text", "mail spoken"):
        await club.answer(ANN, order)
        await club.answer(ANN, "board")
        assert "image/png" not in parts(sent(club, ANN))


async def test_what_cannot_be_drawn_is_sent_as_text(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, "looney_ludo")

    # It is called with what it does not take, in the process that draws.
    monkeypatch.setattr(attachments, "png", os.getpid)
    attachments._drawn.clear()
    await club.answer(ANN, "board")
    mail = sent(club, ANN)
    assert parts(mail) == ["multipart/alternative", "text/plain", "text/html"]
    assert "<pre" in html_of(mail)
    monkeypatch.undo()
    await club.answer(ANN, "board")
    assert "image/png" in parts(sent(club, ANN))


@pytest.mark.parametrize(("times", "drawn"), [(WITH_PICTURES - 1, True), (WITH_PICTURES, False)])
async def test_a_mail_that_has_ended_the_service_three_times_goes_without_its_picture(
    club: Club, times: int, *, drawn: bool
) -> None:
    await begin(club, "looney_ludo")
    letter = club.letter(ANN, club.last(ANN).reply_to, "board").as_bytes()
    await store_letter(Fetched("test", "INBOX", 1, 999, letter), club.house)
    await take_waiting(club.house)
    now = club.house.now()
    for _ in range(times):
        lease = partial(leases.lease, now=now, limit=1, lease_for=timedelta(hours=1))
        assert len(club.house.db.write(lease).result()) == 1
        club.house.db.write(partial(leases.take_over, now=now)).result()
    await club.work()
    assert ("image/png" in parts(sent(club, ANN))) == drawn
    assert ("<img" in html_of(sent(club, ANN))) == drawn


async def test_a_process_that_died_is_started_again(club: Club) -> None:
    await begin(club, "looney_ludo")
    os.kill(attachments.DRAWING.pool().schedule(os.getpid).result(), signal.SIGKILL)
    attachments._drawn.clear()
    await club.answer(ANN, "board")
    assert "image/png" in parts(sent(club, ANN))
    await club.answer(ANN, "board")
    assert "image/png" in parts(sent(club, ANN))


async def test_starting_the_process_takes_no_time_of_a_picture(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, "looney_ludo")
    monkeypatch.setattr(attachments, "_SECONDS", 2.0)
    monkeypatch.setattr(apart, "_start", time.sleep)
    monkeypatch.setattr(attachments, "DRAWING", apart.Apart(nice=3))  # what it sleeps, here
    attachments._drawn.clear()
    await club.answer(ANN, "board")
    assert "image/png" in parts(sent(club, ANN))


async def test_it_is_drawn_once_and_elsewhere(club: Club) -> None:
    await begin(club, "logan_stones")
    attachments._drawn.clear()
    for _ in range(3):
        await club.answer(ANN, "board")
    assert len(attachments._drawn) == 1
    assert attachments.DRAWING.pool().schedule(os.getpid).result() != os.getpid()


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("key", KEYS)
async def test_the_line_for_a_picture_is_no_order(club: Club, key: str, lang: str) -> None:
    await begin(club, key, f"lang {lang}")
    await club.answer(ANN, "board")
    found = ALT.search(html_of(sent(club, ANN)))
    assert found is not None
    alt = found[2]
    for line in (alt, f"[image: {alt}]", f"[cid:{found[1]}]", f"> {alt}", f"> [{alt}]", f"<{alt}>"):
        before = len(club.mails(ANN))
        await club.answer(ANN, f"say Hello!\n\n{line}")
        told = club.mails(ANN)[before:]
        said = club.last(BOB)
        assert "Hello!" in said.text
        assert all(alt not in words(mail.text) for mail in (said, *told))
        assert len(told) <= 1


async def test_images_in_a_reply_are_not_looked_at(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, "logger")
    mover = next(one for one in (ANN, BOB) if "Your turn" in club.last(one).text)
    mail = club.last(mover)
    letter = club.letter(mover, mail.reply_to, "e1", Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    letter.add_related(b"\x89PNG resign", "image", "png", cid="<board@mail.example>")
    raw = letter.as_bytes()
    decoded: list[str] = []
    whole: Callable[..., Any] = Message.get_payload

    def watched(part: Message, *args: Any, **wishes: Any) -> Any:
        decoded.append(part.get_content_type())
        return whole(part, *args, **wishes)

    monkeypatch.setattr(Message, "get_payload", watched)
    await club.post(raw)
    monkeypatch.undo()
    assert "image/png" not in decoded
    assert "place e1" in club.last(BOB if mover == ANN else ANN).text
