"""A whole match of each game in which one player has neomutt, which reads, quotes and answers."""

from __future__ import annotations

import asyncio
import os
import pty
import random
import shutil
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Final

import pytest

from pbem.bots.levels import lively_move
from pbem.games import GAMES
from pbem.matches.match import Match, Status
from pbem.matches.steps import StepKind
from pbem.store import views
from pbem.transport.loopback import HOST
from pbem.wiring import demo
from pbem.wiring.correspondent import Correspondent, ReceivedMail
from pbem.wiring.demo import NAMES, PASSWORD, World, answering, world
from tests.delivery.test_digests import words

NEOMUTT: Final = shutil.which("neomutt")
KEYS: Final = [game.key for game in GAMES.values()]
SCREEN: Final = (50, 80)
SECONDS: Final = 600
PATIENCE: Final = 120
"""Seconds for one answer: it is written in less than one."""

WAYS: Final = ("top", "bottom", "greeting", "flowed")
KEYSTROKES: Final = "<last-entry><display-message><exit><reply>y<quit>"

SETTINGS: Final = """\
set folder="imap://{user}@{host}:{imap}/" spool_file="+INBOX" imap_user="{user}"
set imap_pass="{password}" ssl_starttls=no ssl_force_tls=no smtp_url="smtp://{host}:{smtp}/"
set from="{user}" real_name="Alice" hostname="example.org" signature="{folder}/signature"
set editor="{python} {folder}/editor.py" auto_edit=yes fast_reply=yes include=yes reply_to=yes
set quit=yes copy=no recall=no mark_old=no delete=yes sort=mailbox-order header_cache=""
set sleep_time=0 wait_key=no beep=no
source {folder}/flowed
"""

EDITOR: Final = '''\
"""What the player types, and where."""
import sys
from pathlib import Path

file, here = Path(sys.argv[1]), Path(__file__).parent
way, move = (here / "typed").read_text().split("\\n", 1)
above, separator, signature = file.read_text().partition("\\n-- \\n")
match way:
    case "bottom":
        above = f"{above.rstrip()}\\n\\n{move}\\n"
    case "greeting":
        above = f"Hi there,\\n\\n{move}\\n\\nBest, Alice\\n\\n{above}"
    case _:
        above = f"{move}\\n\\n{above}"
file.write_text(above + separator + signature)
'''


class Neomutt:
    """A player's neomutt, which is started for each answer and sees the mailbox by IMAP."""

    def __init__(self, scene: World, person: Correspondent, folder: Path) -> None:
        """Write its settings, and the editor that it starts."""
        self._folder = folder
        self._ways = cycle(WAYS)
        (folder / "signature").write_text("Alice\n+49 30 1234567\n")
        (folder / "editor.py").write_text(EDITOR)
        (folder / "settings").write_text(
            SETTINGS.format(
                user=person.address,
                password=PASSWORD,
                host=HOST,
                folder=folder,
                imap=scene.imap_port,
                smtp=scene.smtp_port,
                python=sys.executable,
            )
        )

    async def answer(self, text: str) -> None:
        """Show the newest mail and answer it."""
        way = next(self._ways)
        (self._folder / "typed").write_text(f"{way}\n{text}")
        flowed = "yes" if way == "flowed" else "no"
        (self._folder / "flowed").write_text(f"set text_flowed={flowed}\n")
        assert NEOMUTT is not None
        with _terminal() as screen:
            program = await asyncio.create_subprocess_exec(
                NEOMUTT, "-n", "-F", self._folder / "settings", "-e", f"push {KEYSTROKES}",
                stdin=screen, stdout=screen, stderr=screen, start_new_session=True,
                env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"},
            )  # fmt: skip
            try:
                assert await asyncio.wait_for(program.wait(), PATIENCE) == 0
            finally:
                if program.returncode is None:
                    program.kill()


@contextmanager
def _terminal() -> Iterator[int]:
    """A terminal to write to; what is written is thrown away."""
    shown, screen = pty.openpty()
    termios.tcsetwinsize(screen, SCREEN)
    loop = asyncio.get_running_loop()
    loop.add_reader(shown, os.read, shown, 1 << 16)
    try:
        yield screen
    finally:
        loop.remove_reader(shown)
        os.close(screen)
        os.close(shown)


async def _match(scene: World) -> Match | None:
    rows = await asyncio.wrap_future(scene.house.db.read(views.matches))
    return await scene.match(rows[0].id) if rows else None


async def _my_turn(scene: World, me: Correspondent, arrived: list[ReceivedMail]) -> Match:
    """The match when it is this person's turn and the mail that asks for the move has come."""
    while True:
        match, row = await _match(scene), await scene.row_of(me)
        if match is not None and match.status is Status.ENDED:
            return match
        if match is not None and row is not None and match.status is Status.RUNNING:
            asked = any("reply with your move" in words(mail.text) for mail in arrived)
            if asked and match.seat_of(row.id) in match.to_act:
                return match
        await asyncio.sleep(0.05)


async def _play(key: str, folder: Path) -> tuple[int, Match]:
    """A match to its end; how many moves neomutt brought, each at once."""
    arrived: list[ReceivedMail] = []
    me = f"{NAMES[0].lower()}@{demo.DOMAIN}"
    game = next(game for game in GAMES.values() if game.key == key)
    rng = random.Random(9)
    async with world(
        NAMES[: max(2, game.seats[0])],
        on_mail=lambda mail: (
            arrived.append(ReceivedMail.read(mail.data)) if mail.rcpt_to == (me,) else None
        ),
        folder=folder,
    ) as scene:
        alice, *others = scene.people
        program = Neomutt(scene, alice, folder)
        async with answering(scene, others, rng):
            names = ", ".join(one.address for one in others)
            await alice.write(demo.GAMES, f"new {key} with {names}", "A match?")
            while not arrived:  # noqa: ASYNC110 - the service writes by mail
                await asyncio.sleep(0.05)
            await program.answer("yes")
            moves = 0
            while (match := await _my_turn(scene, alice, arrived)).status is Status.RUNNING:
                arrived.clear()
                move = game.notation(lively_move(game, match.course.position, rng.randrange))
                await program.answer(move)
                moves += 1
                assert await _played(scene, match) == move
            return moves, match


async def _played(scene: World, before: Match) -> str:
    """The move that followed a position."""
    while True:
        match = await _match(scene)
        assert match is not None
        if match.course.ply > before.course.ply:
            return next(
                step.text
                for step in match.course.steps
                if step.kind is StepKind.MOVE and step.ply > before.course.ply
            )
        await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(NEOMUTT is None, reason="neomutt is not installed")
@pytest.mark.parametrize("key", KEYS)
async def test_a_whole_match_is_played_with_neomutt(key: str, tmp_path: Path) -> None:
    moves, match = await asyncio.wait_for(_play(key, tmp_path), SECONDS)
    assert match.status is Status.ENDED
    assert moves >= 1
