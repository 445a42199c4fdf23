"""Seven people who write anything at all, under a driven clock: whatever they do, nothing breaks.

    python -m tests.legacy.whole.disorder [steps [first seed]]

They play, think better of it, plan, go away, ask and quarrel, in answer to any mail they have; mail
bounces, the service is down for a while, operators act. A seed that ends with a fault is printed
with what was written last.
"""

from __future__ import annotations

import asyncio
import random
import re
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from structlog.processors import format_exc_info
from structlog.testing import capture_logs

from pbem.legacy.bots.levels import random_move
from pbem.legacy.delivery import bounces
from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.game import Ply, Seat, Seats
from pbem.legacy.mail.verbs.verb_table import VERBS
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.operator_acts import (
    adjudicate,
    give_seat,
    halt_clocks,
    move_deadline,
    release_clocks,
    roll_back,
    void_match,
)
from pbem.legacy.matches.unfolding import Act
from pbem.names import MatchId, PlayerId
from pbem.legacy.orders.handlers import people
from pbem.legacy.runners.absence import note_alive
from pbem.legacy.runners.watch import ALIVE
from pbem.legacy.store import runner_state, timers, views
from pbem.legacy.store.mails import inbox, outbox
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.installation import MatchCache, load_match
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport import Result
from tests.legacy.clubs.club import WORDS, Club, open_club
from tests.legacy.offers import CHOICE
from tests.legacy.orders.test_people import bounce
from tests.legacy.whole.explained import Driven, unexplained

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.transaction.installation import Loaded
    from pbem.legacy.transport import Envelope
    from pbem.legacy.wiring.correspondent import ReceivedMail

PEOPLE: Final = tuple(
    f"{name}@example.org" for name in ("ann", "bob", "cleo", "dee", "eve", "fay", "gus")
)
TITLES: Final = tuple(game.title.lower() for game in GAMES.values())
_MATCH: Final = re.compile(r"\b([2-9A-HJ-NP-TV-Z]{5})\b")
_MARK: Final = re.compile(r"\{(\w+)\}")

SECRET: Final = "unter-uns"
"""What people note for themselves: it may stand in no mail to anybody else."""

MOVES: Final = (
    "{move}", "{move}", "{move}", "{move}", "{move}\nnow", "{move}\n\nif {move} then {move}",
    "{move}\nif any then {move}", "{move}\nsay Your turn!", "{move}\noffer draw",
    "Hello,\nI was away.\n\n{move}\n\nGreetings", "premove {move}",
)  # fmt: skip
LINES: Final = (
    *MOVES,
    "if {move} then {move} if {move} then resign yes", "wenn {move} dann {move}", "queue",
    "if any then resign yes", "queue clear", "undo", "now", "zurück", "claim", "yes", "no", "ja",
    "accept", "accept", "decline", "offer draw", "rematch", "resign", "resign yes",
    "new {game} with {other}", "new {game} with {other}, {other} time=fast", "new {game} open",
    "new {game} with bot", "new {game} with {other}, bot greedy time=12/4/24",
    "join {match}", "watch {match}", "unwatch {match}", "board {match}", "{match} {move}",
    "{match} record", "open", "games", "games next",
    "away 3 days", "back", "rest sat sun", "rest off", "quiet 22-7", "tz Europe/Paris", "lang de",
    "lang en", "digest 18:00", "digest off", "remind 12h", "window 0", "window 10m", "thread off",
    "receipts off", "mail text", "mail spoken", "mail html", "unicode", "width 50", "stop chat",
    "stop", "start", "settings", "test", "bad glyphs", "my data", "delete me", "new address",
    "block {other}", "unblock {other}", "mute", "mute {other}", "say Well, well.\nwhat now?",
    f"note {SECRET}-{{me}}", "note", "messages", "try {move}", "why {move}", "history",
    "record", "diff 1 3", "board 2", "verify", "rules", "help", "{verb}", "{verb}", "{verb}",
    "{word}", "{word}", "new address yes", "delete me yes", "rest mon", "leave", "takeback",
    "address list", "address add {me}@work.example", "address remove {me}@work.example yes",
    "new {game} with {other} private", "new {game} open 3 time=none", "{match} {move}\nboard",
    "invitations off", "invitations on", "name {me} the Great", "window 2h",
    "stop news", "start chat", "remind off", "receipts on", "quiet off", "away 40 days",
)  # fmt: skip
"""What people write; `{verb}` is an example of any order, `{word}` one in any language."""

MINUTES: Final = (2, 6, 6, 40, 40, 300, 500, 1200)
DAYS: Final = (2, 9)
OPERATORS_DO: Final = (
    "pause", "resume", "resume", "void", "deadline", "rollback", "adjudicate", "seat",
)  # fmt: skip
OPERATORS_DO_TO_PEOPLE: Final = ("ban", "pardon", "pardon", "reach", "reach", "rename", "forget")
WORK: Final = "@work.example"
"""Where people have another address."""


@dataclass
class Disorder:
    """The club, and the dice that decide what happens next; `diary` has the last of it."""

    club: Club
    clock: Driven
    dice: random.Random
    diary: deque[str] = field(default_factory=lambda: deque(maxlen=12))
    _bouncing: set[str] = field(default_factory=set)
    _acts: int = 0

    def __post_init__(self) -> None:
        self.club.postbox.verdict = self._relay

    def _relay(self, envelope: Envelope) -> Result:
        if self._bouncing.intersection(envelope.rcpt_to):
            return Result("permanent", 550, "no such user")
        if self.dice.random() < 0.005:
            return Result("transient", 451, "later")
        return Result("sent", 250, "ok")

    async def begin(self) -> None:
        """Everybody is known, and some matches are agreed on."""
        for person in PEOPLE:
            await self.club.write(person, "hello")
            await self._pass(timedelta(minutes=30))
            await self.club.answer(person, "yes")
        for title in TITLES:
            first, *others = self.dice.sample(PEOPLE, 2 if title == "logan stones" else 3)
            await self.club.answer(first, f"new {title} with {', '.join(others)}")
            for other in others:
                await self.club.answer(other, "accept")

    async def step(self) -> None:
        """Something happens."""
        chance = self.dice.random()
        for share, happens in (
            (0.34, self._somebody_writes),
            (0.36, self._somebody_begins),
            (0.38, self._somebody_writes_from_work),
            (0.40, self._somebody_plays_everywhere),
            (0.45, self._somebody_copies),
            (0.81, self._somebody_plays),
            (0.94, self._time_goes_by),
            (0.95, self._a_mail_comes_back),
            (0.97, self._mail_bounces),
            (0.977, self._operator_acts),
            (0.98, self._operator_acts_on_somebody),
            (1.00, self._memory_is_lost),
        ):
            if chance < share:
                await happens()
                break
        if shunted := await self._read(lambda conn: inbox.listed(conn, state="shunted")):
            raise AssertionError(shunted)

    async def faults(self) -> list[str]:
        """Whatever does not check."""
        found: list[str] = await self._read(lambda conn: list(unexplained(conn, self.club)))
        for person in PEOPLE:
            mails = self.club.mails(person)
            found += [f"a note in a mail to {person}" for mail in mails if _tells(mail, person)]
        return found

    # --- letters -----------------------------------------------------------------------------

    async def _somebody_writes(self) -> None:
        """Somebody answers any of the last mails they have, with anything."""
        person = self.dice.choice(PEOPLE)
        if not (mails := self.club.mails(person)):
            return
        mail = mails[-1] if self.dice.random() < 0.5 else self.dice.choice(mails[-8:])
        match = await self._named(mail)
        lines = [
            await self._filled(self.dice.choice(LINES), person, match)
            for _ in range(self.dice.choice((1, 1, 1, 2, 3)))
        ]
        await self._answer(person, mail, self.dice.choice(("\n", "\n\n")).join(lines))

    async def _somebody_plays(self) -> None:
        """Whoever is to move in some match does, mostly."""
        running = [row.id for row in await self._matches() if row.status == Status.RUNNING.value]
        match = await self._match(self.dice.choice(running)) if running else None
        if match is None or not match.to_act:
            return
        player = match.player_at(self.dice.choice(match.to_act))
        row = await self._read(lambda conn: roster.player(conn, player))
        address = row.address if row is not None else ""
        mails = [mail for mail in self.club.mails(address) if match.id in mail.subject]
        if mails:
            text = await self._filled(self.dice.choice(MOVES), address, match)
            await self._answer(address, mails[-1], text)

    async def _somebody_begins(self) -> None:
        """A mail that answers none: nothing proves who sent it."""
        person = self.dice.choice(PEOPLE)
        text = await self._filled(self.dice.choice(LINES), person, None)
        self._note(f"{person} writes: {text!r}")
        automatic = {"Auto_Submitted": "auto-replied"} if self.dice.random() < 0.2 else {}
        await self.club.write(person, text, **automatic)

    async def _somebody_writes_from_work(self) -> None:
        """From another address, which may be known, asked about, or unheard of."""
        person = self.dice.choice(PEOPLE)
        work = person.partition("@")[0] + WORK
        mails = self.club.mails(self.dice.choice((person, work))) or self.club.mails(person)
        if mails:
            match = await self._named(mails[-1])
            text = await self._filled(self.dice.choice(("yes", *LINES)), person, match)
            await self._answer(work, mails[-1], text)

    async def _somebody_plays_everywhere(self) -> None:
        """One letter with a move for each match in which somebody is to move."""
        person, lines = self.dice.choice(PEOPLE), list[str]()
        player = await self._read(lambda conn: roster.player_by_address(conn, person))
        for row in await self._matches():
            if player is not None and player.id in row.to_act:
                lines.append(f"{row.id} {self._move(await self._match(row.id))}")
        if lines and (mails := self.club.mails(person)):
            await self._answer(person, mails[-1], "\n".join(lines))

    async def _somebody_copies(self) -> None:
        """An example is typed: while the match is as the mail says, it is played (PLAY 1)."""
        person = self.dice.choice(PEOPLE)
        row = await self._read(lambda conn: roster.player_by_address(conn, person))
        mails = [mail for mail in self.club.mails(person) if CHOICE.search(mail.text)]
        match = await self._named(mails[-1]) if mails else None
        seat = match.seat_of(row.id) if match is not None and row is not None else None
        if match is None or seat not in match.to_act or row.banned:
            return
        loaded = await self._read(lambda conn: load_match(conn, match.id))
        same = loaded.head.hash[:16] in mails[-1].text
        example = self.dice.choice(CHOICE.findall(mails[-1].text))
        refused = (await self._read(inbox.counts)).get("refused", 0)
        await self._answer(person, mails[-1], example)
        if same and (await self._read(inbox.counts)).get("refused", 0) > refused:
            raise AssertionError(example)

    async def _answer(self, person: str, mail: ReceivedMail, text: str) -> None:
        self._note(f"{person} answers {mail.subject}: {text!r}")
        quote = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
        body = f"{text}\n\nOn {mail.date}, {mail.sender} wrote:\n{quote}\n"
        to = parseaddr(mail.reply_to)[1]
        letter = self.club.letter(person, to, body, Subject=f"Re: {mail.subject}")
        letter["In-Reply-To"] = mail.message_id
        raw = letter.as_bytes()
        for _ in range(2 if self.dice.random() < 0.03 else 1):
            await self.club.post(raw)

    async def _filled(self, line: str, person: str, match: Match | None) -> str:
        rows = await self._matches()
        name = self.dice.choice(rows).id if rows else "K7QX2"
        makes: dict[str, Callable[[], str]] = {
            "move": lambda: self._move(match),
            "other": lambda: self.dice.choice([one for one in PEOPLE if one != person]),
            "me": lambda: person.partition("@")[0],
            "game": lambda: self.dice.choice(TITLES),
            "match": lambda: name,
            "verb": lambda: self.dice.choice(self.dice.choice(VERBS).examples),
            "word": self._word,
        }
        for _ in range(2):  # the example of a verb may have marks of its own
            line = _MARK.sub(lambda mark: makes[mark[1]](), line)
        return line

    def _word(self) -> str:
        """An example of an order, by any of its names in any language."""
        word, verb = self.dice.choice(sorted(WORDS.verbs.items(), key=itemgetter(0)))
        return word + self.dice.choice(verb.examples).removeprefix(verb.name)

    def _move(self, match: Match | None) -> str:
        """Mostly a move that is legal in the match, else one of any game."""
        if match is not None and match.status is Status.RUNNING and self.dice.random() < 0.9:
            game, position = match.game, match.course.position
        else:
            game = GAMES[self.dice.choice(sorted(GAMES))]
            position = game.initial(game.seats[0], game.normal_options({}))
        if not isinstance(game.turn(position), Seats):
            return "pass"
        return str(game.notation(random_move(game, position, self.dice.randrange)))

    # --- the world ---------------------------------------------------------------------------

    async def _time_goes_by(self) -> None:
        span = timedelta(minutes=self.dice.choice(MINUTES))
        if self.dice.random() < 0.15:
            span = timedelta(days=self.dice.choice(DAYS))
        if self.dice.random() < 0.05:
            self._note(f"the service is down for {span}")
            self.clock.time += span
            await note_alive(self.club.house)
            await self.club.work()
        else:
            self._note(f"{span} go by")
            await self._pass(span)

    async def _pass(self, span: timedelta) -> None:
        """Time goes by, and the service is there: what is due is done when it is due."""
        end = self.clock.time + span
        while self.clock.time < end:
            due = [await self._read(wanted) for wanted in (timers.next_due, outbox.next_due)]
            first = min([end, *(at for at in due if at is not None)])
            self.clock.time = max(self.clock.time, first)
            await self._write(lambda conn: runner_state.note(conn, ALIVE, self.clock.time, "alive"))
            await self.club.work()

    async def _mail_bounces(self) -> None:
        self._bouncing ^= {self.dice.choice(PEOPLE)}
        self._note(f"mail comes back from {sorted(self._bouncing)}")

    async def _a_mail_comes_back(self) -> None:
        """The newest mail to somebody was taken, and is returned for good."""
        person = self.dice.choice(PEOPLE)
        if self.club.mails(person):
            self._note(f"a mail to {person} comes back")
            await bounce(self.club, person)

    async def _memory_is_lost(self) -> None:
        """As after a restart: what comes next is replayed."""
        object.__setattr__(self.club.house, "cache", MatchCache(self.dice.choice((0, 50, 9_999))))

    async def _operator_acts(self) -> None:
        rows = await self._matches()
        name = self.dice.choice(rows).id if rows else None
        match = await self._match(name) if name else None
        if match is None or not match.table.players:
            return
        kind = self.dice.choice(OPERATORS_DO)
        self._note(f"operator: {kind} {match.id}")
        row = await self._somebody()
        player = row.id if row is not None else match.table.players[0]

        def act(txn: Transaction) -> None:
            txn.decide(match.id, self._command(txn, match, kind, player))

        await self._as_operator(act)

    async def _operator_acts_on_somebody(self) -> None:
        row = await self._somebody()
        kind = self.dice.choice(OPERATORS_DO_TO_PEOPLE)
        if (
            row is None
            or (kind == "pardon") != row.banned
            or (kind == "reach" and not row.suspended)
        ):
            return
        self._note(f"operator: {kind} {row.address}")
        leaves = self.dice.random() < 0.5

        def act(txn: Transaction) -> None:
            match kind:
                case "ban":
                    people.ban(txn, row, "op", "It had to be.", leaves=leaves)
                case "pardon":
                    people.pardon(txn, row, "op", "It was long ago.")
                case "rename":
                    people.correct_name(txn, row, f"Nobody {self._acts}", "op", "Be polite.")
                case "reach":
                    bounces.reach(txn, row)
                case _:
                    people.forget(txn, row.id, by="operator")

        await self._as_operator(act)

    async def _as_operator(self, act: Callable[[Transaction], None]) -> None:
        self._acts += 1
        try:
            changed = await self._write(lambda conn: self._done(conn, act))
        except Rejection as rejection:
            self._note(f"refused: {rejection.code}")
        else:
            self.club.house.cache.keep_all(changed)
        await self.club.work()

    def _done(self, conn: Connection, act: Callable[[Transaction], None]) -> list[Loaded]:
        house = self.club.house
        txn = Transaction(conn=conn, house=house, cause=f"operator:{self._acts}", now=house.now())
        act(txn)
        txn.close()
        return txn.changed

    def _command(self, txn: Transaction, match: Match, kind: str, player: PlayerId) -> Act:
        why = txn.seal("It had to be.")
        seat = self.dice.choice(match.table.playing or (Seat(1),))
        due = txn.now + timedelta(hours=self.dice.randrange(1, 100))
        ply = Ply(self.dice.randrange(match.course.ply + 1))
        placings = [*range(1, len(match.table.players) + 1)]
        self.dice.shuffle(placings)
        command: dict[str, Act] = {
            "pause": partial(halt_clocks, author="op", reason=why),
            "resume": partial(release_clocks, author="op", reason=why),
            "void": partial(void_match, author="op", reason=why),
            "deadline": partial(move_deadline, author="op", reason=why, seat=seat, due=due),
            "rollback": partial(roll_back, author="op", reason=why, ply=ply),
            "adjudicate": partial(adjudicate, author="op", reason=why, placings=tuple(placings)),
            "seat": partial(give_seat, author="op", reason=why, seat=seat, player=player),
        }
        return command[kind]

    # --- the store ---------------------------------------------------------------------------

    async def _read(self, unit: Callable[[Connection], Any]) -> Any:
        return await asyncio.wrap_future(self.club.house.db.read(unit))

    async def _write(self, unit: Callable[[Connection], Any]) -> Any:
        return await asyncio.wrap_future(self.club.house.db.write(unit))

    async def _matches(self) -> list[views.MatchRow]:
        rows: list[views.MatchRow] = await self._read(
            lambda conn: views.matches(conn, None, limit=1000)
        )
        return rows

    async def _somebody(self) -> roster.PlayerRow | None:
        """Anybody who plays here, or is banned."""
        rows: list[roster.PlayerRow] = await self._read(roster.all_players)
        rows = [row for row in rows if row.confirmed and row.address in PEOPLE]
        return self.dice.choice(rows) if rows else None

    async def _named(self, mail: ReceivedMail) -> Match | None:
        """The match of a mail, by its subject."""
        named = _MATCH.findall(mail.subject)
        return await self._match(named[0]) if named else None

    async def _match(self, name: str) -> Match | None:
        try:
            loaded = await self._read(lambda conn: load_match(conn, MatchId(name)))
        except LookupError:
            return None
        match: Match = loaded.match
        return match

    def _note(self, words: str) -> None:
        self.diary.append(f"{self.clock.time:%b %d %H:%M} {words}")


def _tells(mail: ReceivedMail, reader: str) -> bool:
    """Whether a mail quotes a note to somebody who has not written it."""
    writers = re.findall(rf"{SECRET}-(\w+)", mail.text)
    return any(writer != reader.partition("@")[0] for writer in writers)


async def live(folder: Path, *, seed: int, steps: int) -> tuple[Disorder, list[str]]:
    """So many things happen; what does not check then. Raises whatever was raised inside."""
    random.seed(seed)  # the ids of letters
    clock = Driven(datetime(2026, 11, 21, 12, tzinfo=UTC))
    club = open_club(folder, clock=clock, window=5, refusals_per_day=1000)
    disorder = Disorder(club, clock, random.Random(seed))
    with capture_logs([format_exc_info]) as logs:
        await disorder.begin()
        for _ in range(steps):
            await disorder.step()
            if errors := [entry for entry in logs if entry["log_level"] == "error"]:
                return disorder, [str(errors[0].get("exception", errors[0]))]
    return disorder, await disorder.faults()


def main() -> None:
    """Live one seed after the other until one ends badly."""
    numbers = [int(word) for word in sys.argv[1:]]
    steps, seed = (*numbers, *(600, 1)[len(numbers) :])[:2]
    while True:
        with tempfile.TemporaryDirectory() as folder:
            disorder, found = asyncio.run(live(Path(folder), seed=seed, steps=steps))
            disorder.club.house.db.close()
        print(f"seed {seed}: {len(disorder.club.postbox.mails)} mails, {len(found)} faults")  # noqa: T201 - it is run by hand
        if found:
            sys.exit("\n".join([*disorder.diary, *found]))
        seed += 1


if __name__ == "__main__":
    main()
