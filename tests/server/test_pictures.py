"""Pictures of boards in emails: drawn, refused, and when drawing fails."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from pbem.notifications.pictures import DrawnPicture, Picture, show_pictures
from pbem.server import pictures
from pbem.server.pictures import PictureDrawer
from tests.conversations.service import DrivenService, begin

SCRIPT = """# Pictures
setting pictures on

match logger ann bob
"""
REFUSED = "bob writes\n    set pictures off\n"
MOVE = "ann replies\n    place a1\nexpect bob turn in M1\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'


async def play(folder: Path, text: str, drawer: PictureDrawer) -> list[EmailMessage]:
    """Play a conversation, and return all emails."""

    class Service(DrivenService):
        async def start(self) -> None:
            await super().start()
            self.server.drawer = drawer

    await begin(text, folder, Service).play()
    files = [file for file in (folder / "out").rglob("*") if file.is_file()]
    return [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]


def find_turn(emails: list[EmailMessage], reader: str) -> EmailMessage:
    [turn] = [
        email
        for email in emails
        if email["X-PBEM-Kind"] == "turn" and email["To"].addresses[0].username == reader
    ]
    return turn


def read_html(email: EmailMessage) -> str:
    page = email.get_body(("html",))
    assert page is not None
    return str(page.get_content())


async def test_an_email_shows_the_board_as_a_picture(tmp_path: Path) -> None:
    emails = await play(tmp_path, SCRIPT + REFUSED + MOVE, PictureDrawer())
    parts = {part["Content-ID"]: part for part in find_turn(emails, "ann").walk()}
    images = [name for name, part in parts.items() if part.get_content_type() == "image/png"]
    assert len(images) == 2
    html = read_html(find_turn(emails, "ann"))
    for name in images:
        assert f'src="cid:{name.strip("<>")}"' in html
        assert Image.open(BytesIO(parts[name].get_content())).width == 1080
    assert "<pre" not in html
    assert "seedling, Y sapling" not in html
    assert html.count('alt="Ann (you): logger not on ') == 2
    light, dark = (Image.open(BytesIO(parts[name].get_content())).convert("L") for name in images)
    assert light.tobytes()[0] > 200  # the corner is paper
    assert dark.tobytes()[0] < 60
    without = find_turn(emails, "bob")
    assert "<pre" in read_html(without)
    assert all(part.get_content_type() != "image/png" for part in without.walk())


def fail(svg: str) -> DrawnPicture:
    raise ValueError(svg)


def hang(svg: str) -> DrawnPicture:
    time.sleep(60)
    return fail(svg)


def crash(svg: str) -> DrawnPicture:
    os._exit(len(svg))


def echo(svg: str) -> DrawnPicture:
    return DrawnPicture(svg.encode(), str(os.getpid()).encode())


@pytest.mark.parametrize("draw", [hang, crash])
async def test_a_picture_that_hangs_or_crashes_is_given_up(
    draw: Callable[[str], DrawnPicture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "draw_picture", draw)
    monkeypatch.setattr(pictures, "DRAWING_SECONDS", 0.3)
    drawer = PictureDrawer()
    assert await drawer.draw(SVG) is None
    await drawer.close()


async def test_an_email_goes_without_a_picture_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "draw_picture", fail)
    emails = await play(tmp_path, SCRIPT, PictureDrawer())
    turn = find_turn(emails, "ann")
    assert "<pre" in read_html(turn)
    assert all(part.get_content_type() != "image/png" for part in turn.walk())


async def test_a_picture_is_drawn_once_and_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "CACHE_SIZE", 1)
    monkeypatch.setattr(pictures, "draw_picture", echo)
    drawer = PictureDrawer()
    first = await drawer.draw(SVG)
    assert first is not None
    assert int(first.dark) != os.getpid()
    assert await drawer.draw(SVG) is first
    other = await drawer.draw(f"{SVG} ")
    assert await drawer.draw(f"{SVG} ") is other
    assert await drawer.draw(SVG) is not first
    await drawer.close()


@pytest.mark.parametrize(("size", "percent"), [("100 100", 100), ("100 125", 100), ("100 200", 62)])
def test_a_high_picture_leaves_room_for_the_choices(size: str, percent: int) -> None:
    picture = Picture(f'<svg viewBox="0 0 {size}"></svg>', "A <board>")
    html = show_pictures('<pre data-picture="abc">signs</pre>', {"abc": picture})
    assert f"width:{percent}%" in html
    assert "A &lt;board&gt;" in html
    assert "signs" not in html
