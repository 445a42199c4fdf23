"""Play a conversation: send what people write, and compare what they get with what is expected.

The service is one behind the protocol `Service`, started in a folder of its own. Emails go into its
Maildir as files and come out of another one, as bytes. Nothing here knows what is inside.
"""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import unquote

import httpx

from tests.conversations.pages import Browser
from tests.conversations.programs import Draft, Received, bounce, read_tap, write
from tests.conversations.script import PEOPLE, Script, Step

GAMES: Final = "games@pbem.example"
PUBLIC_URL: Final = "https://games.pbem.example"
BEGINNING: Final = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MOST_TURNS: Final = 600  # a match that is longer does not end
COMMANDS: Final = frozenset(
    """
    accept address away back block board bots claim decline delete draw give help
    hint history if join learn leave mute name never new no now open page profile
    ratings record rematch replay report resign roll-back rules say settings set
    start stop thread time try undo unblock unmute unwatch verify watch yes games
    messages digest lang aufgeben brett einstellungen hilfe partien verlauf
    """.split()  # noqa: SIM905 - a list of words
)
"""The first words of taps that are no moves."""


class Service(Protocol):
    """A service in a folder: `folder/in` is its mailbox, `folder/out` holds what it sends."""

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime],
        entropy: Callable[[int], bytes],
        settings: dict[str, str],
        refused: dict[str, int],
    ) -> None: ...

    async def start(self) -> None:
        """Start after a stop, a crash or for the first time; credit the time that was lost."""

    async def stop(self) -> None:
        """Stop, so that another process may work with the database."""

    async def run_until_idle(self) -> None:
        """Receive, execute, fire timers and send until nothing is due."""

    async def next_due(self) -> datetime | None:
        """Return when something is due next, if anything is."""

    async def operate(self, words: list[str]) -> None:
        """Act as the operator: the words are those of a step `operator`."""

    async def verify(self, match: str) -> list[str]:
        """Return what is wrong with the log of a match."""

    def pages(self) -> httpx.AsyncBaseTransport:
        """Return the transport that answers requests for pages."""

    async def crash(self, seconds: float) -> None:
        """Run `serve` as a process of its own on the real clock and kill it after so long."""


@dataclass
class Conversation:
    """A conversation that is being played."""

    script: Script
    folder: Path
    make: Callable[..., Service]
    received: list[Received] = field(default_factory=list)
    now: datetime = BEGINNING
    sent: int = 0

    def __post_init__(self) -> None:
        """Make the folders, the clock and the entropy; nothing is started yet."""
        self.rng = random.Random(self.script.name)
        self.labels: dict[str, str] = {}
        self.refused: dict[str, int] = {}  # what the relay answers to emails to an address
        self.since = 0
        self.seen: set[str] = set()  # names of files with emails that were read
        self.kills = self.was_killed = self.is_stopped = False
        self.newest = b""
        for name in ("in/new", "in/cur", "in/tmp", "out/new", "out/cur", "out/tmp"):
            (self.folder / name).mkdir(parents=True)
        self.clock: Callable[[], datetime] = self._read_clock
        self.service = self.make(
            self.folder, self.clock, self.rng.randbytes, self.script.settings, self.refused
        )
        self.browser = Browser(self.service.pages, self.service.run_until_idle, PUBLIC_URL)

    def _read_clock(self) -> datetime:
        return datetime.now(UTC) if self.script.has_real_clock else self.now

    async def play(self) -> None:
        """Play every step.

        Raises:
            AssertionError: A step did not go as the file says; the message names its line.
        """
        async with self.playing():
            pass

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Play every step, and keep the service running until the end of the `with` block.

        Raises:
            AssertionError: A step did not go as the file says; the message names its line.
        """
        await self.service.start()
        try:
            for step in self.script.steps:
                try:
                    await self._play(step)
                except Exception as error:  # noqa: BLE001 - each names its line
                    where = f"{self.script.name}.txt:{step.line}: {' '.join(step.words)}"
                    fault = str(error) or repr(error)
                    raise AssertionError(f"{where}\n{fault}{self._newest(step)}") from None
            yield
        finally:
            if not self.is_stopped:
                await self.service.stop()

    async def _play(self, step: Step) -> None:  # noqa: C901, PLR0912, PLR0915 - a table of steps
        first, second = step.words[0], (*step.words, "")[1]
        if first == "expect":
            self._expect(step)
        elif first in ("wait", "down"):
            await self._wait(_span(step.words[1:]), is_down=first == "down")
        elif first == "play" and second == "taps":
            await self._play_taps(step)
        elif first == "play":
            for line in step.text.splitlines():
                who, _, move = line.partition(":")
                await self._reply(who.strip(), move.strip(), kind="turn")
        elif first == "match":
            await self._begin(step)
        elif first == "register":
            for who in step.words[1:]:
                await self._write(who, "hello")
                await self._reply(who, "yes", kind="question")
        elif first == "operator":
            self._acts()
            words = [self._named(self.labels.get(word, word)) for word in step.words[1:]]
            await self.service.operate(words)
            await self._run()
        elif first == "relay":
            code = {"refuses": 550, "delays": 451, "accepts": 250}[second]
            self.refused[parseaddr(PEOPLE[step.words[2]])[1]] = code
        elif first == "stop":
            self._acts()
            self.is_stopped = True
            await self.service.stop()
        elif first == "start":
            self._acts()
            self.is_stopped = False
            await self.service.start()
            await self._run()
        elif first == "bounce":
            self._acts()
            status = (*step.words, "5.1.1")[2]
            await self._post(bounce(self.find_last(second), self.clock(), self._new_id(), status))
        elif first == "again":
            self._acts()
            await self._post(self.newest)
        elif first == "kill":
            self.kills = True
        elif first == "verify":
            assert not (wrong := await self.service.verify(self._named("{" + second + "}"))), wrong
        else:
            await self._act(step)

    async def _act(self, step: Step) -> None:
        who, does, text = step.words[0], step.words[1], self._named(step.text)
        if does == "writes":
            await self._write(who, text, step)
        elif does == "replies":
            await self._reply(who, text, step, kind=step.option("to"))
        elif does == "taps":
            words = self._named(" ".join(step.words[2:]))
            await self._tap(who, _moves(self.find_last(who))[0] if words == "a move" else words)
        elif does == "unsubscribes" and "page" in step.words:
            self._acts()
            email = self.find_last(who, step.option("of", ""))
            await self.browser.click_once(email.unsubscribe_page)
            await self._run()
        elif does == "unsubscribes":
            to, subject, body = read_tap(self.find_last(who).unsubscribe)
            await self._send(who, body, None, to=to, subject=subject)
        else:
            self._acts()
            mails = [email.html + email.text for email in self.received if self._is_of(email, who)]
            await self.browser.act(who, does, self._named(" ".join(step.words[2:])), mails)
            await self._run()

    # --- emails in -------------------------------------------------------------------------------

    async def _write(self, who: str, text: str, step: Step | None = None) -> None:
        to = step.option("to", GAMES) if step else GAMES
        await self._send(who, text, step, to=to, subject="Hello")

    async def _reply(self, who: str, text: str, step: Step | None = None, kind: str = "") -> None:
        whose = step.option("for", who) if step else who
        original = self.find_last(whose, kind, step.option("in") if step else "")
        subject = f"Re: {original.subject.removeprefix('Re: ')}"
        to = parseaddr(original.reply_to)[1]
        await self._send(who, text, step, to=to, subject=subject, original=original)

    async def _tap(self, who: str, text: str, match: str = "") -> None:
        emails = [one for one in self.received if self._is_of(one, who, match=match)]
        link = next((one.taps[text] for one in reversed(emails) if text in one.taps), "")
        assert link, f"no email to {who} has a tap {text!r}"
        to, subject, body = read_tap(link)
        await self._send(who, body, None, to=to, subject=subject)

    async def _send(
        self,
        who: str,
        text: str,
        step: Step | None,
        *,
        to: str,
        subject: str,
        original: Received | None = None,
    ) -> None:
        self._acts()
        headers, text = _split_headers(text)
        verdict = step.option("verdict", "pass") if step else "pass"
        label = step.option("from") if step else ""
        sender = self.script.addresses[who, label] if label else PEOPLE[who]
        draft = Draft(
            sender=headers.pop("From", sender),
            to=headers.pop("To", to),
            cc=headers.pop("Cc", ""),
            subject=headers.pop("Subject", subject),
            text=text,
            at=self.clock(),
            message_id=headers.pop("Message-ID", self._new_id()),
            original=original,
            headers=tuple(headers.items()),
        )
        data = write(draft, *_program(step))
        if verdict != "none":
            domain = parseaddr(draft.sender)[1].rpartition("@")[2]
            result = f"dmarc={verdict} header.from={domain}"
            data = f"Authentication-Results: mx.pbem.example; {result}\r\n".encode() + data
        await self._post(data)

    async def _post(self, data: bytes) -> None:
        self.sent += 1
        self.newest = data
        (self.folder / "in" / "new" / f"{self.sent:06}.conversation").write_bytes(data)
        if self.kills:
            self.kills, self.was_killed = False, True
            await self.service.stop()
            await self.service.crash(self.rng.uniform(0, 1.5))
            await self.service.start()
        await self._run()

    def _acts(self) -> None:
        """A person takes a minute for what they do; expectations count from here."""
        self.now += timedelta(minutes=1)
        self.since = len(self.received)

    def _new_id(self) -> str:
        return f"<{self.sent + 1}.{self.script.name}@mail.example.org>"

    # --- time ------------------------------------------------------------------------------------

    async def _run(self) -> None:
        if self.is_stopped:
            return
        await self.service.run_until_idle()
        files = sorted(
            (self.folder / "out" / "new").iterdir(), key=lambda path: path.stat().st_mtime_ns
        )
        for path in files:
            if path.name in self.seen:
                continue
            self.seen.add(path.name)
            email = Received.parse(unquote(path.name.partition(",R=")[2]), path.read_bytes())
            if self.was_killed and email.message_id in {one.message_id for one in self.received}:
                continue  # killed between sending and noting it: the same bytes go out again
            if email.match and email.match not in self.labels.values():
                self.labels[f"M{len(self.labels) + 1}"] = email.match
            self.received.append(email)

    async def _wait(self, span: timedelta, *, is_down: bool) -> None:
        """Let time pass, from one due time to the next, or with the service stopped."""
        self._acts()
        until = self.now + span
        if self.is_stopped:
            self.now = until
            return
        if is_down:
            await self.service.stop()
            self.now = until
            await self.service.start()
            await self._run()
            return
        while (due := await self.service.next_due()) is not None and due <= until:
            self.now = max(due, self.now + timedelta(seconds=1))
            await self._run()
        self.now = until
        await self._run()

    # --- matches ---------------------------------------------------------------------------------

    async def _begin(self, step: Step) -> None:
        """Begin a match: `match logger ann bob`; who is named first sits first and moves first."""
        words = [word for word in step.words[1:] if word not in PEOPLE]
        first, *others = [word for word in step.words if word in PEOPLE]
        names = ", ".join(parseaddr(PEOPLE[name])[1] for name in others)
        options = self._named(step.text) or "starter=given"
        await self._write(first, f"new {' '.join(words)} with {names} {options}")
        if self.received[-1].kind == "question":
            await self._reply(first, "yes", kind="question")
        for name in others:
            await self._reply(name, "yes", kind="invitation")
        self.find_last(first, "turn")  # fails if the match did not begin

    async def _play_taps(self, step: Step) -> None:
        """Everybody who has the turn taps one of the moves that their email offers."""
        match = self.labels[step.option("in", "M1")]
        played: list[str] = []
        answered = 0  # emails before this one have been answered, or are out of date
        turns_wanted = int(step.option("taps")) if "times" in step.words else MOST_TURNS
        for _ in range(turns_wanted):
            emails = [one for one in self.received if one.match == match]
            if any(email.kind == "end" for email in emails):
                break
            turns = [n for n, one in enumerate(emails) if one.kind == "turn" and n >= answered]
            assert turns, "nobody has the turn, and the match is not over"
            email, answered = emails[turns[-1]], len(emails)
            played.append(self.rng.choice(_moves(email)))
            name = next(name for name in PEOPLE if self._is_of(email, name))
            await self._tap(name, played[-1], match)
        else:
            assert "times" in step.words, f"not over after {MOST_TURNS} turns"
            return
        names = {one.recipient for one in emails if one.kind in ("turn", "start")}
        ends = [one for one in self.received if one.match == match and one.kind == "end"]
        assert {one.recipient for one in ends} == names, "not every player was told the end"
        assert not (wrong := await self.service.verify(match)), wrong

    # --- emails out ------------------------------------------------------------------------------

    def _is_of(self, email: Received, who: str, kind: str = "", match: str = "") -> bool:
        addresses = {parseaddr(PEOPLE[who])[1]} | {
            address for (name, _), address in self.script.addresses.items() if name == who
        }
        return (
            email.recipient in addresses
            and (not kind or email.kind in kind.split("|"))
            and (not match or email.match == self.labels.get(match, match))
        )

    def find_last(self, who: str, kind: str = "", match: str = "") -> Received:
        """Return the newest email to a person, of a kind and about a match if these are given."""
        found = [one for one in self.received if self._is_of(one, who, kind, match)]
        assert found, f"{who} never got an email of this kind: {kind or 'any'}"
        return found[-1]

    def _expect(self, step: Step) -> None:
        if step.words[1] == "page":
            _compare(self.browser.text, self._named(step.text))
            return
        who, kind = step.words[1:3]
        new = [one for one in self.received[self.since :] if self._is_of(one, who)]
        if kind == "nothing":
            assert not new, f"{who} got {[one.kind for one in new]}"
            return
        found = [one for one in new if self._is_of(one, who, kind, step.option("in"))]
        wanted = step.option("exactly")
        if wanted:
            assert len(found) == int(wanted), f"{who} got {len(found)} of them"
            if not found:
                return
        assert found, f"{who} got {[(one.kind, one.match) for one in new] or 'no email'}"
        faults = []
        for email in reversed(found):
            try:
                _compare_email(email, self._named(step.text))
            except AssertionError as fault:
                faults.append(str(fault))
            else:
                return
        raise AssertionError("\n".join(faults))

    def _named(self, text: str) -> str:
        """Put the codes of matches and links in place of {M1} and its like."""
        for label, code in self.labels.items():
            text = text.replace("{" + label + "}", code)
        return text

    def _newest(self, step: Step) -> str:
        if "page" in step.words or step.words[1:2] in (
            ("presses",),
            ("sends",),
            ("tries",),
            ("follows",),
        ):
            return f"\n\n----- page\n{self.browser.text}"
        new = self.received[self.since :] or self.received[-2:]
        return "".join(
            f"\n\n----- to {one.recipient}: {one.kind} {one.match}: {one.subject}\n{one.text}"
            for one in new
        )


def _moves(email: Received) -> list[str]:
    moves = [text for text in email.taps if text.split()[0].lower() not in COMMANDS]
    assert moves, f"no move to tap:\n{email.text}"
    return moves


def _compare_email(email: Received, facts: str) -> None:
    words = f"{email.subject}\n{email.text}"
    rest = []
    for line in facts.splitlines():
        name, _, value = line.partition(": ")
        if name == "subject":
            _compare(email.subject, value)
        elif name == "tap":
            assert value in email.taps, f"no tap {value!r} among {list(email.taps)}"
        elif name == "no tap":
            assert value not in email.taps, f"a tap {value!r}"
        elif name == "to":
            assert email.recipient == value, email.recipient
        elif name == "header":
            _compare(email.headers, value)
        elif name == "html":
            _compare(email.html, value)
        elif name == "attachment":
            assert value in email.attachments, list(email.attachments)
        else:
            rest.append(line)
    _compare(words, "\n".join(rest))


def _compare(text: str, facts: str) -> None:
    """Assert that the text says each fact, and nothing that a line with `not: ` names.

    Spaces, line ends and capitals make no difference. A line with `| ` is the row of a board: its
    spaces count, and rows that follow each other do so in the text.
    """
    flat = _flat(text)
    rows = [line[2:].rstrip() for line in facts.splitlines() if line.startswith("| ")]
    if rows:
        lines = [line.strip() for line in text.splitlines()]
        wanted = [row.strip() for row in rows]
        at = [n for n in range(len(lines)) if lines[n : n + len(wanted)] == wanted]
        assert at, "no such board: " + "\n".join(rows)
    for line in facts.splitlines():
        if line.startswith("order: "):
            _compare_order(text, line.removeprefix("order: ").split(", "))
        elif line.startswith("not: "):
            assert _flat(line[5:]) not in flat, f"says {line[5:]!r}"
        elif not line.startswith("| ") and line.strip():
            assert _flat(line) in flat, f"does not say {line!r}"


def _compare_order(text: str, words: list[str]) -> None:
    """Assert that the first lines that have these words follow each other."""
    lines = [re.split(r"\W+", line.casefold()) for line in text.splitlines()]
    at = [
        next((n for n, line in enumerate(lines) if word.casefold() in line), -1) for word in words
    ]
    assert -1 not in at, f"does not say each of {words}"
    assert at == sorted(set(at)), f"not in this order: {words}"


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def _program(step: Step | None) -> tuple[str, str, str]:
    """Return the mail program, the place of the words, and the quoted line above them."""
    if step is None:
        return "plain", "above", ""
    place = next((one for one in ("below", "inside") if one in step.words), "above")
    return step.option("with", "plain"), place, " ".join(step.words).partition("inside ")[2]


def _span(words: tuple[str, ...]) -> timedelta:
    """Read `3 days`, `20 minutes` or `1 day 2 hours`."""
    units = {"minute": 60, "hour": 3600, "day": 86400, "second": 1}
    pairs = zip(words[::2], words[1::2], strict=True)
    return timedelta(seconds=sum(int(n) * units[unit.rstrip("s")] for n, unit in pairs))


def _split_headers(text: str) -> tuple[dict[str, str], str]:
    """Split lines such as `+ Auto-Submitted: auto-replied` from the text below them."""
    headers, lines = {}, text.splitlines()
    while lines and lines[0].startswith("+ "):
        name, _, value = lines.pop(0)[2:].partition(": ")
        headers[name] = value
    return headers, "\n".join(lines).strip("\n")
