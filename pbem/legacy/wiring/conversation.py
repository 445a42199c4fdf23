"""The demo's two shows: a match that plays itself, and one in which you are Alice."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from pbem.games.game import Signs, Style
from pbem.legacy.mail.addresses import Purpose, page_path
from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId
from pbem.legacy.notices.rendering.environment import environment
from pbem.legacy.notices.rendering.languages import ENGLISH
from pbem.legacy.notices.views.matches import signs_at
from pbem.legacy.players.wishes import NARROWEST
from pbem.legacy.store.log import verify
from pbem.legacy.store.mails import outbox
from pbem.legacy.store.views import seat_names_of
from pbem.legacy.transaction.installation import verified
from pbem.legacy.transport import Envelope
from pbem.legacy.web.access import seat_link
from pbem.legacy.wiring.correspondent import REMEMBERING, Correspondent, ReceivedMail
from pbem.legacy.wiring.demo import (
    GAMES,
    NAMES,
    PASSWORD,
    Answers,
    World,
    answering,
    match_of,
    world,
)
from pbem.legacy.wiring.terminal import RULE, Seen, Show, Shown, Terminal

if TYPE_CHECKING:
    from email.message import EmailMessage
    from pathlib import Path

    from sqlalchemy import Connection

    from pbem.games import AnyGame
    from pbem.legacy.store.people.roster import PlayerRow

PATIENCE: Final = 150.0
"""Seconds without any mail after which the demo gives up: something is wrong.

A mail whose connection was lost goes out a minute later (`leases.RETRIES`), which is not wrong.
"""

QUIET: Final = 5.0
"""Seconds without a mail after which you are asked again: not everything is answered."""

OTHERS: Final = 30.0
"""Seconds without a mail after which you are asked again though the others are to act."""

SHOWN: Final = ("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To")


@dataclass(frozen=True, slots=True)
class Table:
    """What is played, by how many, with which moves of the others; in whose language, and where.

    `mails`: a folder that gets each mail as a file.
    """

    game: AnyGame
    seats: int
    seed: int
    lang: str = ENGLISH
    folder: Path | None = None
    mails: Path | None = None


@dataclass(slots=True)
class _Transcript:
    """Every mail that the SMTP server took, in order."""

    show: Show
    mails: int = 0

    def __call__(self, envelope: Envelope) -> None:
        self.mails += 1
        self.show(f"\n{RULE}\n" + "\n".join(mail_lines(envelope.data)))


def mail_lines(raw: bytes) -> Iterator[str]:
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


async def play_by_itself(table: Table, show: Show) -> bool:
    """A whole match, every mail through SMTP and IMAP; whether all of it checks out."""
    began = time.monotonic()
    transcript = _Transcript(show)
    rng = random.Random(table.seed)
    people = NAMES[: table.seats]
    async with world(people, on_mail=transcript, folder=table.folder, keep=table.mails) as scene:
        alice, *others = scene.people
        await alice.write(GAMES, "\n".join(_asking(table, others)), "A match?")
        async with answering(scene, scene.people, rng):
            match = await _the_end(scene)
            await all_sent(scene)
        good = await _epilogue(scene, match, show)
    seconds = time.monotonic() - began
    show(f"\n{match.course.ply} plies, {transcript.mails} mails, {seconds:.1f} seconds.")
    return good


def _asking(table: Table, others: list[Correspondent]) -> Iterator[str]:
    """The orders of who invites the others: in which language to write, and what is played."""
    if table.lang != ENGLISH:
        yield f"lang {table.lang}"
    names = ", ".join(person.address for person in others)
    yield f"new {table.game.key} with {names}"


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


async def all_sent(scene: World) -> None:
    """Wait for the last mails, so that the conversation is whole."""
    while await asyncio.wrap_future(scene.house.db.read(outbox.next_due)) is not None:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)


async def _only_match(scene: World) -> Match | None:
    from pbem.legacy.store import views

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

NARROW: Final = 72
"""Columns of an ordinary mail."""


async def play_with_you(table: Table, at: Terminal, quiet: float = QUIET) -> None:
    """You are Alice at a mail program; the others play as easy bots.

    `quiet`: seconds without a mail after which you are asked again.
    """
    at.tell(at.say("starting"))
    async with world(NAMES[: table.seats], folder=table.folder, keep=table.mails) as scene:
        alice, *others = scene.people
        at.show("")
        at.tell(at.say("how", me=alice.name))
        at.show(f"\n{_own_mail_program(scene, alice, at)}\n")
        names = [person.name for person in others]
        at.tell(at.say("invites", me=alice.name, names=names, game=table.game.title))
        async with answering(scene, others, random.Random(table.seed)):
            await _invite(scene, table, at.screen().columns)
            await _at_the_mail_program(scene, alice, at, quiet)


async def play_in_a_browser(table: Table, at: Terminal) -> None:
    """You are Alice at a browser, and to move; what your mails say first is shown here."""
    at.tell(at.say("starting_pages"))
    async with world(
        NAMES[: table.seats], folder=table.folder, pages=True, keep=table.mails
    ) as scene:
        alice, *others = scene.people
        async with answering(scene, others, random.Random(table.seed)):
            await _invite(scene, table, at.screen().columns)
            page = await _own_page(scene, alice, await _her_turn(scene, alice))
            at.show("")
            at.tell(at.say("page", me=alice.name))
            at.show(f"\n  {page}\n")
            at.tell(at.say("mails_here"))
            while True:
                mail = await alice.mails.get()
                at.tell(f"{mail.subject}: {mail.headline}")


async def _her_turn(scene: World, person: Correspondent) -> Match:
    """The only match, once it waits for somebody, or is over before it does."""
    async with asyncio.timeout(PATIENCE):
        while True:
            match, row = await _only_match(scene), await scene.row_of(person)
            ended = match is not None and match.status is Status.ENDED
            if match is not None and row is not None and (ended or _is_to_move(match, row)):
                return match
            await asyncio.sleep(0.05)


def _is_to_move(match: Match, row: PlayerRow) -> bool:
    return match.status is Status.RUNNING and match.seat_of(row.id) in match.to_act


async def _own_page(scene: World, person: Correspondent, match: Match) -> str:
    """The page of somebody's seat."""
    row = await scene.row_of(person)
    if row is None:
        raise LookupError(person.address)

    def path(conn: Connection) -> str:
        link = seat_link(conn, match, row, Purpose.ACT)
        return page_path(scene.house.keys, link)

    return scene.pages + await asyncio.wrap_future(scene.house.db.read(path))


def _own_mail_program(scene: World, alice: Correspondent, at: Terminal) -> str:
    servers = at.say(
        "own_servers",
        imap=scene.imap_port,
        smtp=scene.smtp_port,
        user=alice.address,
        password=PASSWORD,
        address=GAMES,
    )
    return "\n".join([at.say("own_program"), *(f"  {line}" for line in servers.splitlines())])


async def _invite(scene: World, table: Table, columns: int) -> None:
    """Register Alice and begin her match, so that the first mail you see is a board."""
    alice, *others = scene.people
    wishes = [f"width {max(columns, NARROWEST)}"] if columns < NARROW else []
    asking = "\n".join([*wishes, *_asking(table, others)])
    await alice.write(GAMES, asking, "A match?")
    answers = Answers(scene, alice, random.Random(0))
    while True:
        mail = await alice.mails.get()
        if match_of(mail) is None:
            text = await answers(mail)
            if text is not None:
                await alice.reply(mail, text)
        else:
            alice.mails.put_nowait(mail)
            return


async def _at_the_mail_program(
    scene: World, alice: Correspondent, at: Terminal, quiet: float
) -> None:
    """Show a mail, take an answer, until the match is over or you have had enough."""
    name: MatchId | None = None
    mail, shown, late = await alice.mails.get(), Shown(()), 0
    came: ReceivedMail | None = mail
    while True:
        if came is not None:
            mail, name = came, match_of(came) or name
        match = await scene.match(name) if name is not None else None
        if came is not None:
            shown = at.mail(mail, await _seen(scene, alice, match))
        else:
            at.tell(at.say("no_mail"))
        if late:
            late -= 1
        elif came is None or await _asks(scene, alice, match):
            over = match is not None and match.status is Status.ENDED
            if over:
                at.show(at.say("over"))
            typed = await asyncio.to_thread(at.typed, mail, shown.more, may_be_empty=over)
            if typed is None or (over and not typed):
                return
            if typed:
                late = alice.mails.qsize()  # what came while you typed says nothing about it
                at.show(at.say("sent"))
                await alice.reply(mail, typed)
        came = await _next_mail(scene, alice, name, quiet)


async def _next_mail(
    scene: World, alice: Correspondent, name: MatchId | None, quiet: float
) -> ReceivedMail | None:
    """The next mail; None where none comes for a while, longer while the others are to act."""
    began = since = time.monotonic()
    while True:
        with contextlib.suppress(asyncio.QueueEmpty):
            return alice.mails.get_nowait()
        match = await scene.match(name) if name is not None else None
        now = time.monotonic()
        if await _others_act(scene, alice, match) and now - began < OTHERS:
            since = now
        elif now - since >= quiet:
            return None
        await asyncio.sleep(0.05)


async def _seen(scene: World, alice: Correspondent, match: Match | None) -> Seen:
    """The match's board as Alice may have got it, and in her words."""
    row = await scene.row_of(alice)
    if match is None or row is None or match.course.position is None:
        return Seen()
    names = await _seated(scene, match)
    seat, signs = match.seat_of(row.id), signs_at(match.game, match.table.players, names)
    boards = [match.game.board(match.course.position, seat, style, signs) for style in Style]
    words = environment(lang=row.wishes.get("lang", ENGLISH))
    brief = words.piece(match.game.key, "brief", facts=boards[0].facts, names=names)
    said = words.filters["pictured"]
    return Seen(tuple(tuple(map(said, board.lines)) for board in boards), tuple(brief.splitlines()))


async def _signs(scene: World, match: Match) -> Signs:
    """The letters of the seats, as mails have them."""
    return signs_at(match.game, match.table.players, await _seated(scene, match))


async def _seated(scene: World, match: Match) -> Mapping[int, str]:
    """The name of who sits on each seat."""
    unit = partial(seat_names_of, matches=[match.id])
    return (await asyncio.wrap_future(scene.house.db.read(unit)))[match.id]


async def _asks(scene: World, alice: Correspondent, match: Match | None) -> bool:
    """Whether it is time to answer: not while more mail waits, nor while the others answer."""
    return alice.mails.empty() and not await _others_act(scene, alice, match)


async def _others_act(scene: World, alice: Correspondent, match: Match | None) -> bool:
    """Whether the others are to accept or to move, and not Alice."""
    if match is None or match.status is Status.CHALLENGE:
        return match is not None
    row = await scene.row_of(alice)
    return row is not None and match.status is Status.RUNNING and not _is_to_move(match, row)
