"""A match as a moving picture: asked for by mail, and drawn in another process."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from email import message_from_bytes
from io import BytesIO
from pathlib import Path

import pytest

from pbem.delivery import attachments
from pbem.orders.handlers import showing
from pbem.replays import raster
from pbem.store.mails import inbox
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.kept import kept

pytestmark = pytest.mark.skipif(not raster.draws(), reason="the extra `pictures` is missing")


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def play(club: Club) -> None:
    """A match of which both have moved once."""
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "place a1")
    await club.answer(BOB, "place e5")


def codes(club: Club) -> list[str | None]:
    return [line.code for line in club.house.db.read(inbox.listed).result()]


async def test_it_shows_every_board_and_the_last_one_longest(club: Club) -> None:
    from PIL import Image, ImageSequence

    await play(club)
    await club.answer(ANN, "gif")
    mail = message_from_bytes([data for to, data in club.postbox.sent if to == ANN][-1])
    [part] = [part for part in mail.walk() if part.get_content_type() == "image/gif"]
    assert str(part.get_filename()).startswith("logger-")
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    with Image.open(BytesIO(data)) as film:
        assert film.width == raster.GIF_WIDTH
        pauses = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]
    assert pauses == [raster.PAUSE, raster.PAUSE, raster.LAST]
    assert codes(club)[0] is None


async def test_where_it_cannot_be_drawn_a_page_comes(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(club)
    monkeypatch.setattr(attachments, "gif", os.getpid)  # it takes no boards
    await club.answer(ANN, "gif")
    mail = message_from_bytes([data for to, data in club.postbox.sent if to == ANN][-1])
    files = [part.get_filename() for part in mail.walk() if part.get_filename()]
    assert [str(name).rpartition(".")[2] for name in files] == ["html"]
    assert "Open the page that comes with this mail" in club.last(ANN).text


async def test_too_long_a_match_is_refused_with_what_there_is_instead(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "MOST_BOARDS", 1)
    await play(club)
    await club.answer(ANN, "gif")
    assert codes(club)[0] == "gif_too_long"
    assert "replay" in club.last(ANN).text


async def test_where_nothing_draws_it_is_refused(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "draws", lambda: False)
    await play(club)
    await club.answer(ANN, "gif")
    assert codes(club)[0] == "no_gifs"
