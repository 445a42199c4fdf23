"""What one reader may know is in no email, picture, export or log of another.

Two tests, both on the whole service. The first plants texts that few readers may know, and looks
for them in all that others get. A hidden face is one letter, though, and that a move waits is no
text at all. So the second test plays a correspondence twice, with other secrets: a reader who may
not know them must get the same both times, sign by sign.
"""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

import httpx
import pytest
import structlog
from sqlalchemy import Connection, select
from sqlmodel import col

from pbem import fairness
from pbem.games.logan_stones.draws import read_chance
from pbem.games.logan_stones.position import Position, Rules
from pbem.match import automatic
from pbem.match.events import ChanceSealed, StandingOrderGiven, redact_event
from pbem.names import MatchId, PlayerId
from pbem.notifications.pictures import DrawnPicture
from pbem.service.exports import export_match
from pbem.store import players
from pbem.store.codec import load_event
from pbem.store.event_log import find_secret, load_rows
from pbem.store.tables import EventRow, MatchRow
from pbem.transport import Envelope, SendResult
from pbem.web.app import create_web_app
from tests.conversations.programs import Received
from tests.conversations.runner import PUBLIC_URL, Conversation
from tests.conversations.script import PEOPLE, parse_script
from tests.conversations.service import DrivenService

LOG: Final = "log"
SPECTATOR: Final = "spectator"

_TAG: Final = re.compile(r"[a-z0-9-]+\.[a-z0-9-]+\.[a-z2-7]{18,25}(?=\.\d+@|@)")
"""The part of our addresses that proves who writes: of reply, tap, question and bounce."""
_PAGE_TAG: Final = re.compile(rf"{PUBLIC_URL}/(?:act|player|unsubscribe)/([^\s\"<>/?]+)")
"""The part of a link that lets its holder play, or change what we send them."""
_RANDOM: Final = re.compile(r'^etag: .*|name="id" value="[0-9a-f]{32}"', re.MULTILINE)
"""What is new in each copy of a page: the id of its command, and the hash of all that it has."""


class Output(NamedTuple):
    """Something that a reader gets: what it is, and all that it says, decoded."""

    reader: str
    what: str
    text: str


class Secret(NamedTuple):
    """A text and the readers who may know it."""

    what: str
    text: str
    readers: frozenset[str]


# --- the service ---------------------------------------------------------------------------------


class PlainDrawer:
    """Makes pictures whose bytes are their SVG, so that a test can read them in the email."""

    async def draw(self, svg: str) -> DrawnPicture:
        return DrawnPicture(svg.encode(), b"")

    async def close(self) -> None:
        """Do nothing."""


class OpenService(DrivenService):
    """The service with pictures that a test can read, and a relay that repeats addresses."""

    async def start(self) -> None:
        await super().start()
        drawer = PlainDrawer()
        self.server.drawer = drawer  # type: ignore[assignment]
        self.web = create_web_app(self.server.app, drawer.draw)

    async def send(self, envelope: Envelope) -> SendResult:
        result = await super().send(envelope)
        told = f"{result.reply} <{envelope.recipient}> from <{envelope.mail_from}>"
        return replace(result, reply=told)


class Correspondence(Conversation):
    """A conversation in which `{tag of ann}` is the reply address of her newest email."""

    def _named(self, text: str) -> str:
        tags = re.compile(r"\{tag of (\w+)\}")
        text = tags.sub(lambda found: parseaddr(self.find_last(found[1]).reply_to)[1], text)
        return super()._named(text)

    async def _send(self, *args: Any, original: Received | None = None, **options: Any) -> None:
        # A quote would bring secrets of its reader back to us, in the second playing other ones.
        if original is not None:
            original = replace(original, text="", html="")
        await super()._send(*args, original=original, **options)

    @property
    def owners(self) -> Mapping[str, str]:
        """Whose each address is."""
        main = {parseaddr(address)[1]: name for name, address in PEOPLE.items()}
        return main | {address: name for (name, _), address in self.script.addresses.items()}

    async def read(self, function: Callable[[Connection], Any]) -> Any:
        assert isinstance(self.service, OpenService)
        return await self.service.server.app.database.read(function)


async def play(script: str, folder: Path, values: Mapping[str, str] | None = None) -> Played:
    """Play a correspondence, and return all that its readers get until then."""
    for name, value in (values or {}).items():
        script = script.replace("{" + name + "}", value.replace("\n", "\n    "))
    with structlog.testing.capture_logs() as log:
        conversation = Correspondence(parse_script(script), folder, OpenService)
        async with conversation.playing():
            outputs = [output for produce in PRODUCERS for output in await produce(conversation)]
            secrets = [*list_codes(conversation), *await conversation.read(list_stored_secrets)]
            hashes = await conversation.read(
                lambda conn: [*conn.scalars(select(col(EventRow.hash)))]
            )
    assert log
    outputs += [Output(LOG, str(entry.get("event")), repr(entry)) for entry in log]
    return Played(outputs, secrets, hashes)


class Played(NamedTuple):
    """What readers got, the secrets that the service made, and the hashes of all events."""

    outputs: list[Output]
    secrets: list[Secret]
    hashes: list[str]


# --- what readers get ----------------------------------------------------------------------------


async def produce_emails(conversation: Correspondence) -> list[Output]:
    """Return all emails with their headers, parts, pictures and files, decoded."""
    folder = conversation.folder / "out" / "new"
    outputs = []
    for path in sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns):
        reader = conversation.owners[unquote(path.name.partition(",R=")[2])]
        message = message_from_bytes(path.read_bytes(), policy=policy.compat32)
        texts = []
        for part in message.walk():
            data = part.get_payload(decode=True)
            texts += [f"{name}: {decode(value)}" for name, value in part.items()]
            texts.append(data.decode("utf-8", "replace") if isinstance(data, bytes) else "")
        what = f"the email {message['X-PBEM-Kind']}, {decode(message['Subject'])!r}"
        outputs.append(Output(reader, what, "\n".join(texts)))
    return outputs


def decode(header: str) -> str:
    return str(make_header(decode_header(header)))


async def produce_exports(conversation: Correspondence) -> list[Output]:
    """Return the record of each match for each reader."""

    def export(conn: Connection) -> Iterator[Output]:
        rows = {
            name: players.find_by_address(conn, address)
            for address, name in conversation.owners.items()
        }
        readers = {name: PlayerId(row.id) for name, row in rows.items() if row is not None}
        for match in conversation.labels.values():
            for name, reader in ((SPECTATOR, None), *readers.items()):
                lines = export_match(conn, MatchId(match), reader)
                yield Output(name, f"the record of {match}", "\n".join(lines))

    outputs: list[Output] = await conversation.read(lambda conn: [*export(conn)])
    return outputs


async def produce_pages(conversation: Correspondence) -> list[Output]:
    """Return each page that is linked in emails, for their reader, and those for everybody."""
    links = {
        (conversation.owners[email.recipient], link)
        for email in conversation.received
        for link in re.findall(rf"{PUBLIC_URL}[^\s\"<>]*", html.unescape(email.text + email.html))
    }
    links |= {(reader, f"{link}/state") for reader, link in links if "/act/" in link}
    public = ["", "ratings", "tournaments", "people/Ann", "people/Bob", "people/Cleo"]
    for match in conversation.labels.values():
        public += [f"view/{match}", f"view/{match}/state", f"picture/match/{match}.png"]
    links |= {(SPECTATOR, f"{PUBLIC_URL}/{path}") for path in public}
    outputs = []
    async with httpx.AsyncClient(transport=conversation.service.pages()) as client:
        for reader, link in sorted(links):
            page = await client.get(link)
            headers = "\n".join(f"{name}: {value}" for name, value in page.headers.items())
            outputs.append(Output(reader, f"the page {link}", f"{headers}\n{page.text}"))
    return outputs


PRODUCERS: Final = (produce_emails, produce_exports, produce_pages)
"""All that brings something to readers. What is added to the service is added here."""


# --- secrets that the service makes --------------------------------------------------------------


def list_codes(conversation: Correspondence) -> Iterator[Secret]:
    """Yield the tags and Message-IDs of all emails: they prove that their reader answers."""
    for email in conversation.received:
        owner = conversation.owners[email.recipient]
        readers = frozenset((owner,))
        everything = unquote(html.unescape(f"{email.headers} {email.html} {email.text}"))
        for tag in {*_TAG.findall(everything)}:
            yield Secret(f"a tag of {owner}", tag, readers)
        for tag in {*_PAGE_TAG.findall(everything)}:
            yield Secret(f"a page link of {owner}", tag, readers)
        yield Secret(f"a Message-ID to {owner}", email.message_id, readers)


def list_stored_secrets(conn: Connection) -> list[Secret]:
    """Return what draws of running matches are made of, and the salts of hidden events."""
    found = []
    for match in map(MatchId, conn.scalars(select(col(MatchRow.id)))):
        rows, secret = load_rows(conn, match), find_secret(conn, match)
        found.append(Secret(f"the secret of {match}", secret.hex(), frozenset()))
        for kind, shown in (("public", "ChanceDrawn"), ("sealed", "ChanceRevealed")):
            chain = fairness.chain_secret(secret, kind)
            count = sum(row.type == shown for row in rows)
            following = fairness.link(chain, fairness.LINKS, count + 1)
            found.append(Secret(f"the {kind} chain of {match}", chain.hex(), frozenset()))
            found.append(Secret(f"the next {kind} link of {match}", following.hex(), frozenset()))
        for row in rows:
            event = load_event(row.type, row.data)
            if redact_event(event, None) != event:
                readers = frozenset(("ann",) if isinstance(event, StandingOrderGiven) else ())
                found.append(Secret(f"the salt of {row.type} in {match}", row.salt, readers))
    return found


# --- planted texts -------------------------------------------------------------------------------

EVERYTHING: Final = """\
# Each of these players has secrets
setting operator finn@example.biz
setting pictures on
address ann work ann@secret-employer.example

register ann bob cleo dora
dora writes
    set digest 18:00
ann writes
    address add ann@secret-employer.example
ann replies to question
    yes
ann replies to question from work
    yes
ann writes
    set timezone Pacific/Guam
ann writes
    name k7.b2.{tag of ann}
ann replies
    address add ann@third-address.example
ann writes
    delete me

ann writes
    new logger open seats=3 starter=given
bob writes
    join {M1}
cleo writes
    join {M1}
dora writes
    watch {M1}
ann replies to turn in M1
    a1

    say Said in Logger, and by {tag of ann}

    Remark of Ann, beside her move.
bob replies to turn in M1
    place e5

    Remark of Bob, below his move.
ann replies in M1 verdict none to start|turn|message|answer
    + Cc: Bob <bob@example.net>
    say Copied by Ann
cleo replies to turn in M1
    move nowhere with Cleo's refused words
cleo replies in M1
    report Reported by Cleo, who got {tag of cleo}
cleo replies in M1
    resign

bob writes
    new looney ludo with ann@example.org starter=given
ann replies to invitation in M2
    yes
ann replies in M2
    doubles reroll up to 2
ann replies in M2
    set window 10
bob replies to turn in M2
    board

bob writes
    new landrush with ann@example.org, cleo@example.com starter=given
ann replies to invitation in M3
    yes
cleo replies to invitation in M3
    yes
dora writes
    watch {M3}
ann writes
    mute Cleo
cleo replies in M3
    say Said in Landrush, to those who hear it

bob writes
    new logan stones with ann@example.org private=yes starter=given
ann replies to invitation in M4
    yes
dora writes
    watch {M4}
expect dora refusal
bob replies to turn in M4
    add 1 L21

    say Said in a private match
ann replies to turn in M4
    add 1 N21

    say Undone by Ann
ann replies to receipt in M4
    undo

ann replies in M1
    + From: Emil <emil@example.info>
    say Forged by Emil
emil writes
    new logger with ann@example.org
ann replies in M3
    if none
relay refuses cleo
bob replies to turn in M3
    f1

    report Reported by Bob, who got {tag of bob}
relay accepts cleo
"""
PLANTED: Final[Mapping[str, str]] = {
    "ann@secret-employer.example": "ann finn",
    "ann@third-address.example": "ann",
    "bob@example.net": "bob finn",
    "cleo@example.com": "cleo bob finn",
    "dora@example.edu": "dora",
    "emil@example.info": "emil",
    "Pacific/Guam": "ann",
    "Said in Logger": "ann bob cleo finn",
    "Remark of Ann": "ann",
    "Remark of Bob": "bob",
    "Copied by Ann": "ann bob cleo finn",
    "Cleo's refused words": "cleo",
    "Reported by Cleo": "cleo finn",
    "Reported by Bob": "bob finn",
    "Said in Landrush": "bob cleo finn",
    "Said in a private match": "ann bob",
    "Undone by Ann": "ann",
    "Forged by Emil": "emil",
}
"""Texts of `EVERYTHING`, each with the readers who may have it."""


async def test_planted_secrets(tmp_path: Path) -> None:
    probes = [("bob", "M1"), ("ann", "M1"), ("bob", "M2"), ("cleo", "M3"), ("ann", "M4")]
    script = EVERYTHING + "".join(probe(who, match) for who, match in probes) + FURTHER
    played = await play(script, tmp_path / "planted")
    planted = [Secret(text, text, frozenset(readers.split())) for text, readers in PLANTED.items()]
    leaks = [*find_leaks(played.outputs, [*planted, *played.secrets])]
    assert not leaks, "\n".join(dict.fromkeys(leaks))
    for secret in planted[:-1]:
        gets = {one.reader for one in played.outputs if fold(secret.text) in fold(one.text)}
        assert gets, f"{secret.text!r} was never used"


def find_leaks(outputs: list[Output], secrets: list[Secret]) -> Iterator[str]:
    """Yield where each secret is found in what another reader gets."""
    for output in outputs:
        text = fold(output.text)
        for secret in secrets:
            at = text.find(fold(secret.text))
            if output.reader not in secret.readers and at >= 0:
                around = text[max(at - 60, 0) : at + len(secret.text) + 30]
                yield f"{output.reader} gets {secret.what!r} in {output.what}: ...{around}..."


def fold(text: str) -> str:
    """Return a text without what wrapping, links and HTML make of it."""
    return " ".join(unquote(html.unescape(text)).casefold().split())


FURTHER: Final = """
ann writes
    my data
bob writes
    my data
    games
dora writes
    profile Bob
    watch
    watch {M1}
    open
dora writes
    new logger with Bob
wait 7 hours
"""


def probe(who: str, match: str) -> str:
    """Return the steps in which a player asks for all that a match shows."""
    return "".join(f"{who} replies in {match}\n    {commands}\n" for commands in LOOKS)


LOOKS: Final = ("board", "history\n    time\n    verify\n    messages", "record", "replay")


# --- secrets that are no texts -------------------------------------------------------------------

WAITING: Final = """\
# Ann does in secret what others may learn of later, or never
setting pictures on

register dora
dora writes
    set digest 18:00
match logger ann bob
match logger bob ann
match looney ludo ann bob
match landrush ann bob
bob replies to turn in M2
    a1
ann replies to turn in M2
    e5
dora writes
    watch {M1}
    watch {M2}
    watch {M3}
    watch {M4}
wait 5 hours
ann writes
    set window 60
ann replies in M1
    {move}
ann replies in M1
    {mute}
ann replies in M2
    board
ann replies in M2
    {condition}
ann replies in M2
    {resign}
ann replies in M3
    {order}
ann replies to turn in M3
    {draw}
ann replies in M4
    {doubt}
bob replies in M1
    say Do you hear me?
"""
AFTER: Final = """
bob replies in M1
    if e5 then b1; plant a1
bob replies in M2
    undo
bob replies to turn in M2
    b1; plant a1
bob replies in M3
    record
bob replies in M4
    board
bob writes
    games
    profile Ann
wait 20 minutes
"""
DONE: Final = {
    "move": "a1\nsay I have waited long for this.",
    "mute": "mute Bob",
    "condition": "if b1; plant b2 then d5; plant e5",
    "resign": "resign",
    "order": "doubles reroll up to 2",
    "draw": "pass\ndraw",
    "doubt": "f1\n\nNo, wait, rather f2?",
}
NOT_DONE: Final = {**dict.fromkeys(DONE, "help"), "order": "doubles reroll up to 1"}


async def test_what_waits_changes_nothing_for_others(tmp_path: Path) -> None:
    script = WAITING + probe("bob", "M1") + probe("bob", "M2") + AFTER
    done = await play(script, tmp_path / "done", DONE)
    not_done = await play(script, tmp_path / "not", NOT_DONE)
    assert not [one for one in done.outputs if one.reader == "ann" and "refusal" in one.what]
    assert_same_for_others(done, not_done, keeper="ann")


# The tops of all stones are the same, so are both sides of Bob's.
FACES: Final = "M20=RS M22=RP; 1: RR RP RS PP PS SS SP RR; 2: RR PP PP SS SS RP RS PS"
OTHER_FACES: Final = "M20=RP M22=RR; 1: RS RR RP PS PP SP SS RS; 2: RR PP PP SS SS RP RS PS"
STONES: Final = """\
# Ann has stones whose other side only she knows, and two stones have a side that nobody knows
setting pictures on

register dora
dora writes
    set digest 18:00
match logan stones ann bob
dora writes
    watch {M1}
ann replies to turn in M1
    add 1 L21
bob replies to turn in M1
    hint
bob replies to turn in M1
    try add 1 N21
bob replies to turn in M1
    try flip L21
bob replies to turn in M1
    flip M20 rock
bob replies to turn in M1
    M20 to N19 turned
bob replies to turn in M1
    add 1 N21
ann replies to turn in M1
    add 2 N19
bob replies to turn in M1
    board
bob replies in M1
    set format spoken
bob replies in M1
    set language de
"""


async def test_hidden_faces_change_nothing_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = STONES + probe("bob", "M1") + "wait 7 hours\n"
    deal(monkeypatch, FACES)
    first = await play(script, tmp_path / "first")
    deal(monkeypatch, OTHER_FACES)
    second = await play(script, tmp_path / "second")
    assert_same_for_others(first, second, keeper="ann")


def deal(monkeypatch: pytest.MonkeyPatch, faces: str) -> None:
    """Let all stones be dealt like this; the seal stays that of what was drawn."""
    values = read_chance(faces, Position(Rules())).values
    make = ChanceSealed

    def seal(**facts: Any) -> ChanceSealed:
        return make(**facts | {"values": values})

    monkeypatch.setattr(automatic, "ChanceSealed", seal)


def assert_same_for_others(first: Played, second: Played, *, keeper: str) -> None:
    """Assert that all but the keeper of the secrets got the same, and the keeper did not."""
    readers = sorted({one.reader for one in first.outputs} - {LOG, keeper})
    leaks = [line for reader in readers for line in compare(first, second, reader)]
    assert not leaks, "\n".join(leaks)
    assert [*compare(first, second, keeper)], "both correspondences have the same secrets"


def compare(first: Played, second: Played, reader: str) -> Iterator[str]:
    """Yield what differs between what a reader got in two correspondences."""
    ours, theirs = ([*list_outputs(played, reader)] for played in (first, second))
    names, other_names = ([what for what, _ in outputs] for outputs in (ours, theirs))
    if names != other_names:
        yield f"{reader} does not get the same emails:"
        yield from list_differences(names, other_names)
        return
    for (what, text), (_, other) in zip(ours, theirs, strict=True):
        if text != other:
            yield f"{reader} does not get the same in {what}:"
            yield from list_differences(text.splitlines(), other.splitlines())


def list_differences(ours: list[str], theirs: list[str]) -> list[str]:
    lines = [*difflib.unified_diff(ours, theirs, lineterm="", n=0)][2:]
    return [f"    {line[:200]}" for line in lines if not line.startswith("@@")]


def list_outputs(played: Played, reader: str) -> Iterator[tuple[str, str]]:
    """Yield what a reader got, without the hashes, which cover all secrets, and random ids."""
    hashes = re.compile("|".join(f"{known[:32]}(?:{known[32:]})?" for known in played.hashes))
    for output in played.outputs:
        if output.reader == reader:
            yield output.what, hashes.sub("(hash)", _RANDOM.sub("", output.text))
