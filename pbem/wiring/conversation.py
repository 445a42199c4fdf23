"""The demo's two shows: a match that plays itself, and one in which you are Alice."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING, Final, cast

from pbem.games.game import Signs, Style
from pbem.mail.addresses import Purpose, page_path
from pbem.matches.match import Match, Status
from pbem.names import MatchId
from pbem.players.wishes import NARROWEST
from pbem.store.log import verify
from pbem.store.mails import outbox
from pbem.transaction.installation import verified
from pbem.transport import Envelope
from pbem.web.access import seat_link
from pbem.wiring.correspondent import REMEMBERING, Correspondent, ReceivedMail, Screen, until_fold
from pbem.wiring.demo import (
    GAMES,
    NAMES,
    PASSWORD,
    RandomAnswers,
    World,
    answering,
    match_of,
    world,
)

if TYPE_CHECKING:
    from email.message import EmailMessage
    from pathlib import Path

    from sqlalchemy import Connection

    from pbem.games import AnyGame

Show = Callable[[str], None]
"""Prints a line or a block of text."""

Ask = Callable[[str], str]
"""Asks the person at the terminal for a line; EOFError when they are gone."""

PATIENCE: Final = 60.0
"""Seconds without any mail after which the demo gives up: something is wrong."""

SHOWN: Final = ("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To")
RULE: Final = "-" * 72


@dataclass(slots=True)
class _Transcript:
    """Every mail that the SMTP server took, in order."""

    show: Show
    mails: int = 0

    def __call__(self, envelope: Envelope) -> None:
        self.mails += 1
        self.show(f"\n{RULE}\n" + "\n".join(_mail_lines(envelope.data)))


def _mail_lines(raw: bytes) -> Iterator[str]:
    """A mail with the headers that matter, and its text."""
    from email import message_from_bytes

    message = cast("EmailMessage", message_from_bytes(raw, policy=REMEMBERING))
    for name in SHOWN:
        if message[name]:
            yield f"{name}: {message[name]}"
    body = message.get_body(("plain",))
    yield ""
    yield body.get_content().rstrip() if body is not None else ""


# --- by itself -----------------------------------------------------------------------------------


async def play_by_itself(
    game: AnyGame, seats: int, seed: int, show: Show, *, folder: Path | None = None
) -> bool:
    """A whole match, every mail through SMTP and IMAP; whether all of it checks out."""
    began = time.monotonic()
    transcript = _Transcript(show)
    rng = random.Random(seed)
    async with world(NAMES[:seats], on_mail=transcript, folder=folder) as scene:
        alice, *others = scene.people
        asking = _challenge(game, others)
        await alice.write(GAMES, asking, "A match?")
        async with answering(scene, scene.people, rng):
            match = await _the_end(scene)
            await _all_sent(scene)
        good = await _epilogue(scene, match, show)
    seconds = time.monotonic() - began
    show(f"\n{match.course.ply} plies, {transcript.mails} mails, {seconds:.1f} seconds.")
    return good


def _challenge(game: AnyGame, others: list[Correspondent]) -> str:
    names = ", ".join(person.address for person in others)
    return f"new {game.key} with {names}"


async def _the_end(scene: World) -> Match:
    """Wait for the only match to end."""
    version, last = -1, time.monotonic()
    while True:
        match = await _only_match(scene)
        if match is not None and match.status is Status.ENDED:
            return match
        if match is not None and match.version != version:
            version, last = match.version, time.monotonic()
        if time.monotonic() - last > PATIENCE:
            raise TimeoutError(f"nothing has happened for {PATIENCE:.0f} seconds")
        await asyncio.sleep(0.05)


async def _all_sent(scene: World) -> None:
    """Wait for the last mails, so that the conversation is whole."""
    while await asyncio.wrap_future(scene.house.db.read(outbox.next_due)) is not None:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)


async def _only_match(scene: World) -> Match | None:
    from pbem.store import views

    rows = await asyncio.wrap_future(scene.house.db.read(views.matches))
    return await scene.match(rows[0].id) if rows else None


async def _epilogue(scene: World, match: Match, show: Show) -> bool:
    """The last board from the replay, and what verification and the log's check say."""
    signs = await _signs(scene, match)
    board = match.game.board(match.course.position, None, Style.ASCII, signs)
    show(
        f"\n{RULE}\nReplayed from the log: {match.game.title} {match.id}, ply {match.course.ply}\n"
    )
    show("\n".join(board.lines))
    outcome = match.course.outcome
    if outcome is not None:
        show(f"\nPlacings by seat: {outcome.placings} ({outcome.termination})")
    found, head = await asyncio.wrap_future(scene.house.db.read(partial(verified, match=match.id)))
    broken = await asyncio.wrap_future(
        scene.house.db.read(lambda conn: [str(one) for one in verify.verify(conn)])
    )
    show(f"\npbem verify {match.id}: {found.events} events, {found.draws} draws, head {head[:16]}")
    for finding in (*found.findings, *broken):
        show(f"  WRONG: {finding}")
    good = not found.findings and not broken
    show("  every link, draw, move and hash is right" if good else "  something is wrong")
    return good


# --- with you ------------------------------------------------------------------------------------

HOW: Final = (
    "You are Alice. What you type is sent as an answer to the mail above it, when you end it with "
    "an empty line. /more shows the rest of a mail that is cut, /skip sends nothing and waits for "
    "the next mail, /quit or Ctrl-C ends."
)

NARROW: Final = 72
"""Columns of an ordinary mail."""


async def play_with_you(
    game: AnyGame,
    seats: int,
    seed: int,
    show: Show,
    ask: Ask,
    *,
    screen: Callable[[], Screen] = Screen,
    folder: Path | None = None,
) -> None:
    """You are Alice at a mail program; the others play any legal move."""
    rng = random.Random(seed)
    columns = screen().columns
    starting = "Starting mail servers, the service and players in this process: a few seconds ..."
    show(fill(starting, columns))
    async with world(NAMES[:seats], folder=folder) as scene:
        alice, *others = scene.people
        show(f"\n{fill(HOW, min(columns, 80))}\n\n{_own_mail_program(scene, alice)}\n")
        names = " and ".join(person.name for person in others)
        show(f"Alice invites {names} to {game.title} ...")
        async with answering(scene, others, rng):
            await _invite(scene, _challenge(game, others), alice, columns)
            await _at_the_mail_program(scene, alice, Terminal(show, ask, screen))


async def play_in_a_browser(
    game: AnyGame,
    seats: int,
    seed: int,
    show: Show,
    *,
    screen: Callable[[], Screen] = Screen,
    folder: Path | None = None,
) -> None:
    """You are Alice at a browser; your mails are shown here as they come."""
    rng = random.Random(seed)
    columns = screen().columns
    show(fill("Starting mail servers, the service, pages and players in this process ...", columns))
    async with world(NAMES[:seats], folder=folder, pages=True) as scene:
        alice, *others = scene.people
        async with answering(scene, others, rng):
            await _invite(scene, _challenge(game, others), alice, columns)
            show(f"\nYou are Alice. Play in your browser:\n\n  {await _own_page(scene, alice)}\n")
            show(fill("Your mails are shown here as they come; Ctrl-C ends.", columns))
            while True:
                mail = await alice.mails.get()
                head = [RULE, f"From: {mail.sender}", f"Subject: {mail.subject}", ""]
                show("\n".join(["", *head, mail.text.rstrip()]))


async def _own_page(scene: World, person: Correspondent) -> str:
    """The page of somebody's only match."""
    row, match = await scene.row_of(person), await _only_match(scene)
    if row is None or match is None:
        raise LookupError(person.address)

    def path(conn: Connection) -> str:
        link = seat_link(conn, match, row, Purpose.ACT)
        return page_path(scene.house.keys, link)

    return scene.pages + await asyncio.wrap_future(scene.house.db.read(path))


def _own_mail_program(scene: World, alice: Correspondent) -> str:
    return "\n".join(
        [
            "To use your own mail program instead, point it at these servers (no encryption):",
            f"  IMAP  127.0.0.1 port {scene.imap_port}, user {alice.address}, password {PASSWORD}",
            f"  SMTP  127.0.0.1 port {scene.smtp_port}, no user",
            f"  and write to {GAMES}",
        ]
    )


async def _invite(scene: World, challenge: str, alice: Correspondent, columns: int) -> None:
    """Register Alice and begin her match, so that the first mail you see is a board."""
    width = f"width {max(columns, NARROWEST)}\n" if columns < NARROW else ""
    await alice.write(GAMES, width + challenge, "A match?")
    answers = RandomAnswers(scene, alice, random.Random(0))
    while True:
        mail = await alice.mails.get()
        if match_of(mail) is None:
            text = await answers(mail)
            if text is not None:
                await alice.reply(mail, text)
        else:
            alice.mails.put_nowait(mail)
            return


@dataclass(frozen=True, slots=True)
class Terminal:
    """Somebody at a terminal: what is shown to them, what they type, how much fits."""

    show: Show
    ask: Ask
    screen: Callable[[], Screen]

    def mail(self, mail: ReceivedMail, boards: Sequence[Sequence[str]]) -> str:
        """Show a mail so that its board stays in sight; the rest of it."""
        head = [RULE, f"From: {mail.sender}", f"To: {mail.to}", f"Subject: {mail.subject}"]
        lines = ["", *head, f"Date: {mail.date}", "", *mail.text.rstrip().splitlines()]
        fold = until_fold(lines, boards, self.screen())
        self.show("\n".join(lines[:fold]))
        rest = lines[fold:]
        if rest:
            self.show(f"[{len(rest)} more lines of this mail: /more]")
        return "\n".join(rest)

    def typed(self, rest: str, *, may_be_empty: bool = False) -> str | None:
        """The lines up to an empty one, "" to skip, None to quit; an empty one is asked again."""
        lines: list[str] = []
        while True:
            try:
                line = self.ask("an empty line sends> " if lines else "your answer> ")
            except EOFError:
                return None
            match line.strip().casefold():
                case "/quit" | "/exit" | "/q":
                    return None
                case "/skip":
                    return ""
                case "/more":
                    self.show(rest or "That was the whole mail.")
                case "" | "." if lines or may_be_empty:
                    return "\n".join(lines)
                case "" | ".":
                    continue
                case _:
                    lines.append(line)


async def _at_the_mail_program(scene: World, alice: Correspondent, at: Terminal) -> None:
    """Show a mail, take an answer, until the match is over or you have had enough."""
    name: MatchId | None = None
    while True:
        mail = await alice.mails.get()
        name = match_of(mail) or name
        match = await scene.match(name) if name is not None else None
        asked = await _asks(scene, alice, match)
        rest = at.mail(mail, await _boards(scene, alice, match) if asked else ())
        over = match is not None and match.status is Status.ENDED
        if not asked:
            continue
        if over:
            at.show("\nThe match is over; an empty line ends the demo.")
        typed = await asyncio.to_thread(at.typed, rest, may_be_empty=over)
        if typed is None or (over and not typed):
            return
        if typed:
            at.show("Sent; the answer comes in a moment ...")
            await alice.reply(mail, typed)


async def _boards(scene: World, alice: Correspondent, match: Match | None) -> list[tuple[str, ...]]:
    """The match's board as Alice may have got it."""
    row = await scene.row_of(alice)
    if match is None or row is None or match.course.position is None:
        return []
    seat, signs = match.seat_of(row.id), await _signs(scene, match)
    return [match.game.board(match.course.position, seat, style, signs).lines for style in Style]


async def _signs(scene: World, match: Match) -> Signs:
    """The letters of the seats, as mails have them."""
    from pbem.notices.views.matches import signs_at
    from pbem.store.views import seat_names_of

    unit = partial(seat_names_of, matches=[match.id])
    seated = (await asyncio.wrap_future(scene.house.db.read(unit))).get(match.id)
    return signs_at(match.game, match.table.players, seated)


async def _asks(scene: World, alice: Correspondent, match: Match | None) -> bool:
    """Whether it is time to answer: not while more mail waits, nor while the others answer."""
    if not alice.mails.empty():
        return False
    if match is None or match.status is Status.ENDED:
        return True
    if match.status is Status.CHALLENGE:
        return False
    row = await scene.row_of(alice)
    return row is not None and match.seat_of(row.id) in match.to_act
