"""Every game with every number of players, by mail from the challenge to the result."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.utils import parseaddr
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.bots.levels import lively_move
from pbem.errors import Rejection
from pbem.fairness import follows
from pbem.games import GAMES, newest
from pbem.games.game import Seat
from pbem.mail.free_text import is_order, read_orders
from pbem.mail.html import html_lines
from pbem.mail.verbs.playing import Move
from pbem.mail.verbs.verb_table import VERBS
from pbem.matches.match import Match, Status
from pbem.names import MatchId, PlayerId
from pbem.notices.news import TurnPrompt
from pbem.notices.rendering.render import Renderer
from pbem.notices.views.scene import Reader, Scene, Site, VerbHelp, Wishes
from pbem.notices.views.view import build
from pbem.store.people import roster
from pbem.transaction.installation import find_match, verified
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import GAMES as GAMES_ADDRESS
from tests.clubs.club import Club, open_club
from tests.offers import CHOICE

PEOPLE: Final = tuple(
    f"{name}@{name}.example" for name in ("ann", "bob", "cleo", "dan", "eve", "finn")
)
RENDERER: Final = Renderer()
WIDTH: Final = 72
NAMELESS: Final = MatchId("")
PATIENCE: Final = 1500
"""Turns after which a match would be one that does not end."""
_EATEN: Final = (">", "From ", ".")
_MATCH: Final = re.compile(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b")
_DRAW: Final = re.compile(r"\(draw\s(\d+)\)")
_LINK: Final = re.compile(r"^Draw (\d+): ([0-9a-f]{20})\.", re.MULTILINE)
_PLACE: Final = re.compile(r"^([1-9])\. ([^[].*)$", re.MULTILINE)
_POINTS: Final = re.compile(r" \(\d+ points?\)")


@dataclass(frozen=True)
class Plan:
    """A match, and the turns at which who is to move resigns or offers a draw."""

    game: str
    seats: int
    options: str = ""
    resigns: tuple[int, ...] = ()
    agrees: int | None = None
    standing: str = ""
    asks: int = 7
    """Every so many turns the one to move asks for much before playing."""
    ends: tuple[str, ...] = ()
    """The terminations that are possible, where not every one of the game's is."""

    def __str__(self) -> str:
        return "-".join(map(str, filter(None, (self.game, self.seats, self.options, *self.ends))))


@dataclass
class Table:
    """A match at a club, and everything that its players got by mail."""

    club: Club
    plan: Plan
    rng: random.Random
    name: MatchId = NAMELESS
    players: dict[PlayerId, str] = field(default_factory=dict)
    names: dict[PlayerId, str] = field(default_factory=dict)
    checked: int = 0
    turns: int = 0

    @property
    def people(self) -> tuple[str, ...]:
        return PEOPLE[: self.plan.seats]

    async def match(self) -> Match:
        cache = self.club.house.cache
        loaded = await self.club.read(lambda conn: find_match(conn, self.name, cache))
        return loaded.match  # type: ignore[attr-defined,no-any-return]

    async def invite(self) -> None:
        host, *others = self.people
        options = f" {self.plan.options}" if self.plan.options else ""
        await self.club.write(host, f"new {self.plan.game} with {', '.join(others)}{options}")
        await self.club.answer(host, "yes")
        for person in others:
            await self.club.answer(person, "accept")
        found = _MATCH.search(self.club.last(host).subject)
        assert found is not None, self.club.last(host).text
        self.name = MatchId(found[0])
        for person in self.people:
            row = await self.club.read(
                lambda conn, person=person: roster.player_by_address(conn, person)
            )
            assert isinstance(row, roster.PlayerRow)
            self.players[row.id] = person
            self.names[row.id] = row.name

    def at(self, match: Match, seat: Seat) -> str:
        return self.players[match.player_at(seat)]

    async def play(self) -> Match:
        """Play on until the match has ended, and check every mail on the way."""
        if self.plan.standing:
            for person in self.people:
                await self.club.answer(person, self.plan.standing)
        for self.turns in range(PATIENCE):
            match = await self.match()
            self.check_mails(match)
            if match.status is not Status.RUNNING:
                return match
            await self.turn(match, match.to_act[0])
        raise AssertionError(f"{self.plan} does not end")

    async def turn(self, match: Match, seat: Seat) -> None:
        person = self.at(match, seat)
        if self.turns in self.plan.resigns:
            await self.club.answer(person, "resign yes")
        elif self.turns == self.plan.agrees:
            await self.agree(match, person)
        elif self.turns % self.plan.asks == self.plan.asks - 1:
            await self.ask_much(match, person)
        else:
            await self.club.answer(person, self.move(match, person))
            assert (await self.match()).course.ply > match.course.ply, self.club.last(person).text

    def move(self, match: Match, person: str) -> str:
        """Now and then an example out of the mail, else what a bot would play."""
        mail = self.club.last(person)  # what a tried move would bring has examples for another
        asks = mail.text.startswith("Your turn in")
        examples = CHOICE.findall(text_of(mail)) if asks else []
        if examples and not self.rng.randrange(8):
            return str(self.rng.choice(examples))
        return match.game.notation(
            lively_move(match.game, match.course.position, self.rng.randrange)
        )

    async def ask_much(self, match: Match, person: str) -> None:
        """Several orders in one mail, none of which plays anything."""
        played = lively_move(match.game, match.course.position, self.rng.randrange)
        move = match.game.notation(played)
        back = self.rng.randrange(match.course.ply + 1)
        before = len(self.club.mails(person))
        await self.club.answer(
            person, f"try {move}\nwhy {move}\nboard {back}\nhistory\nsay So I think.\n"
        )
        assert (await self.match()).course.ply == match.course.ply
        text = flowing(*self.club.mails(person)[before:])
        assert "nothing was played" in text
        assert "so far:" in text
        assert "refused" not in text

    async def agree(self, match: Match, person: str) -> None:
        """A draw is offered and all others accept."""
        await self.club.answer(person, "offer draw")
        for other in self.people:
            if other != person and (await self.match()).status is Status.RUNNING:
                await self.club.answer(other, "accept")
        assert match.course.ply == (await self.match()).course.ply

    # --- what holds for every mail ------------------------------------------------------------

    def check_mails(self, match: Match) -> None:
        """Every mail since the last look, against the position in which its readers answer it."""
        for recipient, mail in self.club.postbox.mails[self.checked :]:
            check_mail(mail)
            # PLAY 4: the link of the last draw stands in the mail that shows it.
            assert unproven(text_of(mail), match) == []
            pages = html_lines(mail.html) if self.checked % 10 == 0 else []
            lines = [*mail.text.splitlines(), *(line.text for line in pages)]
            seats = [seat for seat in match.to_act if self.at(match, seat) == recipient]
            if seats and self.checked % 3 == 0:
                lines += self.narrow(match, seats[0])
            assert [line for line in lines if is_instruction(line, match, seats)] == [], mail.text
            if seats and mail.text.startswith("Your turn in"):
                examples = CHOICE.findall(text_of(mail))
                assert examples
                assert [text for text in examples if not playable(text, match, seats[0])] == []
            self.checked += 1

    def narrow(self, match: Match, seat: Seat) -> list[str]:
        """The lines of a prompt for the narrowest reader."""
        reader = Reader(
            player=match.player_at(seat), name="Ann", wishes=Wishes(width=40, html=False)
        )
        scene = Scene(
            matches={match.id: match},
            names=self.names,
            site=Site(title="Club", address=GAMES_ADDRESS),
            reply_address=GAMES_ADDRESS,
            now=self.club.clock(),
            verbs=tuple(VerbHelp(name=verb.name, also=verb.also) for verb in VERBS),
            order_words=self.club.house.words.first_words,
        )
        prompt = TurnPrompt(match=match.id, seat=seat, ply=match.course.ply)
        return RENDERER.render(build([prompt], reader, scene)).text.splitlines()


def text_of(*mails: ReceivedMail) -> str:
    return "\n".join(line for mail in mails for line in mail.text.splitlines())


def flowing(*mails: ReceivedMail) -> str:
    """The words of mails with single blanks between them."""
    return " ".join(text_of(*mails).split())


def check_mail(mail: ReceivedMail) -> None:
    message = message_from_bytes(mail.raw, policy=policy.default)
    assert [part.defects for part in message.walk() if part.defects] == []
    assert mail.html
    for line in mail.text.splitlines():
        # But the lines of a record are whole: they are copied out, and read by programs.
        assert len(line) <= WIDTH or re.match(r"[\[{]|\d+\. ", line), line
        assert not line.startswith(_EATEN), line
        assert line == line.rstrip(), line
        assert line.isprintable(), line
    # A list is in one piece, and what is too long goes on below its own item.
    lines = mail.text.splitlines()
    for line, after, later in zip(lines, lines[1:], lines[2:], strict=False):
        if line.startswith("- "):
            assert after.startswith(("- ", "  ")) or not after, mail.text
            assert after or not later.startswith("- "), mail.text


def unproven(text: str, match: Match) -> list[str]:
    """The draws that a mail tells of and whose link does not follow from the one that it names."""
    links = {draw.index: bytes.fromhex(draw.link) for draw in match.chance.draws}
    told = [int(index) for index in _DRAW.findall(text)]
    if not told:
        return []
    ((last, link),) = _LINK.findall(text)
    assert int(last) >= max(told)
    shown = links[int(last)]
    assert shown.hex().startswith(link)
    return [str(one) for one in told if not follows(links[one], shown, int(last) - one)]


def is_instruction(line: str, match: Match, seats: list[Seat]) -> bool:
    """Whether a line of ours, come back without a mark, would do something."""
    if not _may_be_order(line.strip(), match.game.key):
        return False
    return any(
        not isinstance(typed.order, Move)
        or any(playable(typed.order.text, match, seat) for seat in seats)
        for typed in read_orders([line.strip()], match.game).orders
    )


@lru_cache(maxsize=100_000)
def _may_be_order(line: str, key: str) -> bool:
    """Most lines stand in many mails, and each is read once."""
    return is_order(line, newest(key))


def playable(text: str, match: Match, seat: Seat) -> bool:
    try:
        match.game.play(match.course.position, match.game.parse(text, match.course.position, seat))
    except Rejection:
        return False
    return True


# --- the matches ----------------------------------------------------------------------------------


def plans() -> Iterator[Plan]:
    """What takes seconds in all."""
    yield from (Plan("logger", seats, "tree_limit=20") for seats in (2, 3, 4))
    yield Plan("logger", 4, "tree_limit=20 vacant=leave", resigns=(9, 14))
    yield from (Plan("looney_ludo", seats, ends=("nest",)) for seats in (2, 3, 4))
    yield from (Plan("looney_ludo", seats, "turn_cap=50") for seats in (5, 6))
    yield Plan("looney_ludo", 2, standing="doubles keep", resigns=(15,), ends=("last_seat",))
    yield Plan("looney_ludo", 3, agrees=8, ends=("agreement",))
    yield Plan("logan_stones", 2)
    yield Plan("logan_stones", 2, agrees=10, ends=("agreement",))
    yield Plan("logan_stones", 2, resigns=(8,), ends=("last_seat",))
    yield from (Plan("landrush", seats) for seats in (2, 3, 4, 5))
    yield Plan("landrush", 5, "adj=8 sizes=same vacant=leave", resigns=(12, 13))


def test_every_game_is_played_with_every_number_of_players() -> None:
    played = {(plan.game, plan.seats) for plan in plans()}
    assert played == {(game.key, seats) for game in GAMES.values() for seats in game.seats}
    assert {plan for plan in SHORT if plan in set(plans())} == set(SHORT)


SHORT: Final = [
    Plan("logger", 2, "tree_limit=20"),
    Plan("logger", 4, "tree_limit=20 vacant=leave", resigns=(9, 14)),
    Plan("looney_ludo", 6, "turn_cap=50"),
    Plan("looney_ludo", 2, standing="doubles keep", resigns=(15,), ends=("last_seat",)),
    Plan("looney_ludo", 3, agrees=8, ends=("agreement",)),
    Plan("logan_stones", 2),
    Plan("landrush", 3),
    Plan("landrush", 5, "adj=8 sizes=same vacant=leave", resigns=(12, 13)),
]
"""One of each way to play and to end, for each game; the others are as long, and nothing else.

The rules of every number of seats are the games' own tests; here it is how matches go by mail."""

LONG: Final = [Plan("looney_ludo", seats, ends=("nest",)) for seats in (5, 6)]


@pytest.mark.parametrize(
    "plan",
    [
        *(
            plan if plan in SHORT else pytest.param(plan, marks=pytest.mark.slow)
            for plan in plans()
        ),
        *(pytest.param(plan, marks=pytest.mark.slow) for plan in LONG),
    ],
    ids=str,
)
async def test_a_match_by_mail_comes_to_its_end_and_is_proven(plan: Plan, tmp_path: Path) -> None:
    club = open_club(tmp_path)
    try:
        table = Table(club, plan, random.Random(f"{plan}"))
        await table.invite()
        match = await table.play()
        await _as_logged(table, match)
        _as_told(table, match)
        await _as_asked(table)
    finally:
        club.house.db.close()


async def _as_logged(table: Table, match: Match) -> None:
    """The log alone gives the same match, and every link, draw, move and hash in it is right."""
    again: Any = await table.club.read(lambda conn: find_match(conn, table.name, None))
    course = match.course
    assert again.match.course.position == course.position
    assert again.match.course.outcome == course.outcome == match.game.outcome(course.position)
    found = await table.club.read(lambda conn: verified(conn, table.name))
    assert found[0].findings == ()  # type: ignore[index]
    assert match.course.outcome is not None
    assert match.game is newest(table.plan.game)
    assert match.course.outcome.termination in (
        table.plan.ends or (match.course.outcome.termination,)
    )


def _as_told(table: Table, match: Match) -> None:
    """Everybody's last mail has the placings."""
    assert match.course.outcome is not None
    by_place: dict[int, list[str]] = {}
    for place, player in zip(match.course.outcome.placings, match.table.players, strict=True):
        by_place.setdefault(place, []).append(table.names[player])
    for person in table.people:
        mail = table.club.last(person)
        assert "Over: " in mail.text.splitlines()[0]
        own = {table.names[one] for one, at in table.players.items() if at == person}
        if len(table.people) == 2 and len(by_place) == 1:  # the headline says it
            (other,) = {*by_place[1]} - own
            assert mail.text.startswith(f"Over: you and {other} have drawn ")
            continue
        if len(table.people) == 2 and len(by_place) == 2:  # as here
            (winner,) = by_place[1]
            assert mail.text.split()[:3] == ["Over:", "you" if winner in own else winner, "won"]
            continue
        above = text_of(mail).partition("The match took")[0]
        ranking = _PLACE.findall(_POINTS.sub("", above))
        assert {int(place): re.split(", | and ", names) for place, names in ranking} == by_place


async def _as_asked(table: Table) -> None:
    """After the end the record, the proof and a rematch can be had by mail."""
    host, club = table.people[0], table.club
    before = len(club.mails(host))
    await club.answer(host, "verify\nrecord")
    text = flowing(*club.mails(host)[before:])
    assert "passes the check: history and draws are sound" in text
    for mail in club.mails(host)[before:]:
        check_mail(mail)
        assert parseaddr(mail.reply_to)[1].startswith(f"games+{table.name.lower()}.")


# --- what the match refuses, in the words that the rulebooks promise ------------------------------


async def _begun(folder: Path, plan: Plan) -> Table:
    table = Table(open_club(folder), plan, random.Random(1))
    await table.invite()
    return table


@pytest.mark.parametrize(
    ("plan", "order", "said"),
    [
        # LL-8.7, LS-8.5
        (Plan("looney_ludo", 2, "draw_offers=off"), "offer draw", "played without draw offers"),
        (Plan("logan_stones", 2, "draw_offers=off"), "offer draw", "played without draw offers"),
        # LL-8.9, LS-8.7
        (Plan("looney_ludo", 2), "accept draw", "no draw offer waits for"),
        (Plan("logan_stones", 2), "accept draw", "no draw offer waits for"),
        # LG-4.9, LR-8.6
        (Plan("logger", 2), "offer draw", "has no draws by agreement"),
        (Plan("landrush", 2), "offer draw", "has no draws by agreement"),
        # LL-8.6
        (Plan("looney_ludo", 2), "doubles sometimes", "doubles"),
    ],
    ids=str,
)
async def test_an_order_that_the_match_refuses_is_answered(
    plan: Plan, order: str, said: str, tmp_path: Path
) -> None:
    table = await _begun(tmp_path, plan)
    try:
        match = await table.match()
        await table.club.answer(table.people[0], order)
        assert said in flowing(table.club.last(table.people[0]))
        assert (await table.match()).course.ply == match.course.ply
        assert (await table.match()).version == match.version
    finally:
        table.club.house.db.close()


@pytest.mark.parametrize("game", sorted(game.key for game in GAMES.values()))
async def test_moves_out_of_turn_are_refused_in_every_game(game: str, tmp_path: Path) -> None:
    # LG-8.5, LL-8.10, LS-8.8, LR-8.7
    table = await _begun(tmp_path, Plan(game, 2))
    try:
        match = await table.match()
        (waiting,) = {Seat(1), Seat(2)} - set(match.to_act)
        person = table.at(match, waiting)
        await table.club.answer(person, table.move(match, table.at(match, match.to_act[0])))
        assert "Not your turn yet" in flowing(table.club.last(person))
        assert (await table.match()).version == match.version
    finally:
        table.club.house.db.close()


@pytest.mark.parametrize("game", ["looney_ludo", "logan_stones"])
async def test_an_offer_beside_a_turn_stands_after_it(game: str, tmp_path: Path) -> None:
    # LL-7.15, LS-7.3; LL-8.8, LS-8.6: a second offer before the first is answered is refused.
    table = await _begun(tmp_path, Plan(game, 2))
    try:
        match = await table.match()
        person, seat = table.at(match, match.to_act[0]), match.to_act[0]
        await table.club.answer(person, f"offer draw\n\n{table.move(match, person)}")
        after = await table.match()
        assert after.course.ply > match.course.ply
        assert after.pending.offer is not None
        assert after.pending.offer.seat == seat
        await table.club.answer(person, "offer draw")
        assert "A draw was offered already" in flowing(table.club.last(person))
    finally:
        table.club.house.db.close()


@pytest.mark.parametrize("game", ["logger", "looney_ludo", "landrush"])
async def test_who_left_plays_no_more(game: str, tmp_path: Path) -> None:
    # LL-8.5, LR-8.5, LG-8.4
    table = await _begun(tmp_path, Plan(game, 3))
    try:
        person = table.people[0]
        await table.club.answer(person, "resign yes")
        match = await table.match()
        assert match.status is Status.RUNNING
        await table.club.answer(person, table.move(match, person))
        assert "You left this match" in flowing(table.club.last(person))
        assert (await table.match()).course.ply == match.course.ply
    finally:
        table.club.house.db.close()


@pytest.mark.parametrize("game", sorted(game.key for game in GAMES.values()))
async def test_who_has_no_seat_gets_no_word_in(game: str, tmp_path: Path) -> None:
    # LG-8.3, LL-8.4, LS-8.3, LR-8.4; a stranger does not even learn that there is such a match.
    table = await _begun(tmp_path, Plan(game, 2))
    try:
        stranger, match = PEOPLE[2], await table.match()
        await table.club.write(stranger, f"new {game} with {PEOPLE[0]}")
        await table.club.answer(stranger, "yes")
        await table.club.answer(stranger, f"{table.name} resign yes")
        assert f"no match {table.name}" in flowing(table.club.last(stranger))
        assert (await table.match()).version == match.version
    finally:
        table.club.house.db.close()
