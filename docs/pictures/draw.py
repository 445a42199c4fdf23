"""Draw email.png, email.gif and page.png, as a phone shows them, match.gif, and board pictures.

    ./run dev python docs/pictures/draw.py

It plays the beginning of a match on the service, and needs chromium. Bots play the whole match of
match.gif. Pillow joins the pictures.
"""

# ruff: noqa: INP001, S603, S607 - a script that starts chromium

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

HERE: Final = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from pbem.bots.levels import choose_move  # noqa: E402
from pbem.bots.luck import seeded  # noqa: E402
from pbem.games import GAMES  # noqa: E402
from pbem.games.game import GameOver, Marks, Seat, Transition  # noqa: E402
from pbem.notifications.pictures import draw_picture  # noqa: E402
from tests.games.playing import play_at_random  # noqa: E402
from tests.web.played import browse, find_link, play  # noqa: E402

SIZE: Final = (390, 780)  # CSS pixels of a phone
BOARDS: Final = {"logger-1": 28, "looney_ludo-1": 20, "logan_stones-1": 10, "landrush-1": 40}
"""The number of plies after which a game is shown."""

ANSWER: Final = "d2; plant d3"
SCRIPT: Final = """\
setting pictures on
match logger ann bob
    starter=given
play taps 11 times
"""
SCRIPT_ANSWER: Final = f"""bob writes
    set window 5
bob replies to turn
    {ANSWER}
"""
MAIL_PROGRAM: Final = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; font: 16px sans-serif; color: #1d2126; background: #fff; }}
header {{ background: #1d2126; color: #fff; padding: 14px 16px; font-weight: bold; }}
p {{ margin: 0; padding: 12px 16px; border-bottom: 1px solid #ddd; color: #667; }}
div {{ padding: 16px; font: 20px monospace; }}
blockquote {{ margin: 16px; padding-left: 10px; border-left: 3px solid #ccd; color: #889; }}
</style><header>Reply</header><p>To: {to}</p><p>{subject}</p><div>{typed}<b>|</b></div>
<blockquote>{quoted}</blockquote>"""


async def load_page(folder: Path) -> str:
    """Return the page on which Bob plays, when it is his turn."""
    async with play(SCRIPT, folder) as conversation, browse(conversation) as browser:
        page = (await browser.get(find_link(conversation, "bob", "/act/"))).text
        for link, address in re.findall(r'(<link rel="stylesheet" href="([^"]+)">)', page):
            page = page.replace(link, f"<style>{(await browser.get(address)).text}</style>")
    return page


async def answer_email(folder: Path) -> None:
    """Play until Bob has answered."""
    async with play(SCRIPT + SCRIPT_ANSWER, folder):
        pass


def list_emails(folder: Path) -> list[EmailMessage]:
    """Return the emails that the service has sent, the oldest first."""
    files = sorted(
        (folder / "service" / "out").glob("*/*"), key=lambda path: path.stat().st_mtime_ns
    )
    return [message_from_bytes(path.read_bytes(), policy=policy.default) for path in files]


def show_email(email: EmailMessage) -> str:
    """Return the HTML of an email with its pictures."""
    body = email.get_body(("html",))
    html = str(body.get_content()) if body is not None else ""
    for part in email.walk():
        if part.get_content_maintype() == "image":
            data = b64encode(part.get_payload(decode=True) or b"").decode()  # type: ignore[arg-type]
            name = str(part["Content-ID"]).strip("<>")
            html = html.replace(f"cid:{name}", f"data:image/png;base64,{data}")
    return html


def shoot(html: str, folder: Path) -> Image.Image:
    """Return a page as chromium shows it on a phone."""
    page, picture = folder / "page.html", folder / "page.png"
    # Chromium has no narrower window than 500 pixels, so a frame is as wide as the phone.
    page.write_text(html, encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(
        f'<body style="margin:0"><iframe src="page.html" style="border:0;width:{SIZE[0]}px;'
        f'height:{SIZE[1]}px"></iframe>',
        encoding="utf-8",
    )
    subprocess.run(
        [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--hide-scrollbars", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--allow-file-access-from-files",
            f"--user-data-dir={folder / 'user'}", f"--window-size=500,{SIZE[1]}",
            f"--screenshot={picture}", frame.as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=60,
    )  # fmt: skip
    with Image.open(picture) as image:
        return image.convert("RGB").crop((0, 0, *SIZE))


def shrink(image: Image.Image) -> Image.Image:
    """Return a picture with few colours, as a GIF needs."""
    return image.resize((SIZE[0] * 3 // 4, SIZE[1] * 3 // 4), Image.Resampling.LANCZOS).quantize(
        128
    )


def save_gif(name: str, frames: Sequence[tuple[Image.Image, int]]) -> None:
    """Write a GIF that shows each picture for its number of milliseconds, again and again."""
    (first, _), *others = frames
    first.save(
        HERE / name,
        save_all=True,
        append_images=[picture for picture, _ in others],
        duration=[duration for _, duration in frames],
        loop=0,
        optimize=True,
    )


def draw_match() -> None:
    """Write match.gif, a match of Logger that two bots play to its end."""
    game, choose = GAMES["logger-1"], seeded("match.gif")
    position = game.initial_position(2, game.normalise_options({}))
    since: list[Transition] = []
    frames: list[Image.Image] = []
    while True:
        marks = Marks(transitions=tuple(since), names=("Ann", "Bob"))
        drawn = Image.open(BytesIO(draw_picture(game.picture(position, None, marks)).light))
        size = (SIZE[0], drawn.height * SIZE[0] // drawn.width)
        frames.append(drawn.convert("RGB").resize(size, Image.Resampling.LANCZOS))
        if isinstance(game.turn(position), GameOver):
            break
        move = choose_move("medium", game, position, Seat(position.to_act), choose)
        after = game.play(position, move)
        since = [Transition(move, position, after)]
        position = after
    # With the same colours in all pictures, each has only what has changed.
    colours = frames[-1].quantize(32)
    shown = [frame.quantize(palette=colours, dither=Image.Dither.NONE) for frame in frames]
    durations = [*[1200] * (len(shown) - 1), 5000]
    save_gif("match.gif", [*zip(shown, durations, strict=True)])


def draw_boards() -> None:
    """Write a board of each game, as the player who is to move sees it."""
    for ruleset, plies in BOARDS.items():
        game = GAMES[ruleset]
        position, since = play_at_random(game, 2, plies)
        marks = Marks(transitions=since, names=("Ann", "Bob"))
        svg = game.picture(position, Seat(position.to_act), marks)
        (HERE.parent / "games" / "pictures" / f"{game.key}.svg").write_text(svg, encoding="utf-8")


def main() -> None:
    """Write page.png, email.png of the same turn, and email.gif, in which it is answered."""
    draw_boards()
    draw_match()
    with tempfile.TemporaryDirectory() as name:
        (folder := Path(name) / "page").mkdir()
        shoot(asyncio.run(load_page(folder)), folder).save(HERE / "page.png", optimize=True)
        (folder := Path(name) / "email").mkdir()
        asyncio.run(answer_email(folder))
        emails = {str(email["X-PBEM-Kind"]): email for email in list_emails(folder)}
        turn = emails["turn"]
        shown = shoot(show_email(turn), folder)
        shown.save(HERE / "email.png", optimize=True)
        frames = [(shown, 3000)]
        for typed in ("", ANSWER[:3], ANSWER[:9], ANSWER):
            reply = MAIL_PROGRAM.format(
                to=escape(str(turn["From"].addresses[0].display_name)),
                subject=escape(f"Re: {turn['Subject']}"),
                typed=escape(typed),
                quoted="Your turn<br>Logger vs Ann, 10 days left<br><br>...",
            )
            frames.append((shoot(reply, folder), 1800 if typed == ANSWER else 600))
        frames.append((shoot(show_email(emails["receipt"]), folder), 3500))
    save_gif("email.gif", [(shrink(picture), duration) for picture, duration in frames])


if __name__ == "__main__":
    main()
