"""What a player may not know makes no difference to any byte that the player is sent."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final

import pytest
import structlog

from pbem import fairness
from pbem.games import GAMES
from pbem.games.chance import Draw, answer
from pbem.games.game import Chance, Drawn, Seat, Style
from pbem.games.logan_stones.stones import faces_of
from pbem.matches import chance
from pbem.names import Digest
from pbem.store import views
from pbem.store.log import event_log, sealed
from pbem.wiring.correspondent import ReceivedMail
from tests.clubs.club import ANN, BOB, Club, open_club

GAME: Final = GAMES["logan_stones-1"]
OPTIONS: Final = {"starter": "given", "draw_cap": "40"}
ANNS, HIDDEN = Seat(1), range(8, 18)
"""Ann sits first; the stones of Bob's hand and of the middle have faces that she has not seen."""

Values = tuple[int, ...]


def exchanged(values: Values) -> Values:
    """The same upper faces everywhere, and others below where Ann may not look."""
    order, ups = list(values[:18]), list(values[18:])
    faces = faces_of("6x3")

    def face(place: int, up: int) -> str:
        first, second = faces[order[place]]
        return first if (ups[place] == 1) == (up == 1) else second

    changed = 0
    for one in HIDDEN:
        for other in HIDDEN[one - 8 + 1 :]:
            if face(one, 1) == face(other, 1) and face(one, 2) != face(other, 2):
                order[one], order[other] = order[other], order[one]
                ups[one], ups[other] = ups[other], ups[one]
                changed += 1
    assert changed
    return (*order, *ups)


@pytest.fixture
def other_faces(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether deals are exchanged. A seal shows nothing: here it does not depend on the deal."""
    exchange = [False]

    def dealt(request: Draw, stream: Iterator[int]) -> Values:
        values = answer(request, stream)
        return exchanged(values) if request.name == "deal" and exchange[0] else values

    def seal(proof: fairness.Proof) -> str:
        blank = fairness.Proof(proof.index, proof.link, proof.digest, proof.asked, ())
        return fairness.sealed_digest(blank)

    digest_of = sealed.digest_of

    def seal_text(text: str, salt: bytes) -> Digest:
        start, found, _ = text.partition('"values":[')
        return digest_of(f"{start}{found}]}}" if found else text, salt)

    monkeypatch.setattr(fairness, "answer", dealt)
    monkeypatch.setattr(chance, "sealed_digest", seal)
    monkeypatch.setattr(sealed, "digest_of", seal_text)
    return exchange


def script(values: Values, plies: int) -> list[str]:
    """Turns after which Ann sees the same with both deals, by a seeded choice."""
    dice = random.Random(5)
    start = GAME.initial(2, GAME.normal_options(OPTIONS))
    assert isinstance(GAME.turn(start), Chance)
    both = [GAME.play(start, Drawn(dealt)) for dealt in (values, exchanged(values))]
    assert both[0] != both[1]
    turns: list[str] = []
    while len(turns) < plies:
        legal = [[GAME.notation(move) for move in GAME.legal(one)] for one in both]
        text = dice.choice([turn for turn in legal[0] if turn in legal[1]])
        after = [GAME.play(one, GAME.read(text, one)) for one in both]
        seen = [GAME.board(one, ANNS, Style.ASCII) for one in after]
        if seen[0] == seen[1] and GAME.turn(after[0]) == GAME.turn(after[1]):
            both = after
            turns.append(text)
    return turns


@dataclass(frozen=True)
class Played:
    """What came of one match: the mails of each, the log lines, the events, the sealed deal."""

    anns: list[bytes]
    bobs: list[bytes]
    logged: str
    events: list[str]
    deal: str


def folder_for(folder: Path) -> Path:
    folder.mkdir()
    return folder


async def play(folder: Path, turns: Sequence[str] | None) -> Played:
    """A match by mail, with every order that shows something; no turns: only the deal."""
    random.seed(3)
    club = open_club(folder_for(folder))
    with structlog.testing.capture_logs() as logged:
        await club.write(ANN, f"new logan_stones with {BOB} starter=given draw_cap=40")
        await club.answer(ANN, "yes")
        await club.answer(BOB, "accept with words stones and paper")
        for number, turn in enumerate(turns or ()):
            await one_turn(club, (ANN, BOB)[number % 2], turn)
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=2))
    (stream,) = [f"match-{row.id}" for row in rows]
    found: Any = await club.read(
        lambda conn: [(one.data, one.type) for one in event_log.load(conn, stream)]
    )
    digest = next(json.loads(data)["sealed"] for data, kind in found if kind == "ChanceSealed")
    texts: Any = await club.read(lambda conn: sealed.unseal(conn, [digest]))
    mails = {who: [mail.raw for mail in club.mails(who)] for who in (ANN, BOB)}
    club.house.db.close()
    events = [data for data, _ in found]
    return Played(mails[ANN], mails[BOB], repr(logged), events, texts[digest])


async def reply(club: Club, player: str, text: str) -> None:
    """An answer that quotes nothing: what Bob quotes of his mails is different, and is his."""
    mail = club.last(player)
    letter = club.letter(player, parseaddr(mail.reply_to)[1], text, Subject=f"Re: {mail.subject}")
    letter["In-Reply-To"] = mail.message_id
    await club.post(letter.as_bytes())


async def one_turn(club: Club, player: str, turn: str) -> None:
    """Everything that Ann can ask for, a word of each, an offer that is declined, and the turn."""
    other = BOB if player == ANN else ANN
    for asked in ("board", "history", "record", "verify", "games", f"try {turn}", "rock l99"):
        await reply(club, ANN, asked)
    await reply(club, other, "say What a game!")
    await reply(club, player, f"{turn}\noffer draw")
    await reply(club, other, "decline draw")


def differing(one: list[bytes], other: list[bytes]) -> list[str]:
    """The lines in which two runs differ."""
    return [
        f"{number}: {this!r} and {that!r}"
        for number, pair in enumerate(zip(one, other, strict=True))
        for this, that in zip(*(mail.splitlines() for mail in pair), strict=False)
        if this != that
    ]


async def test_hidden_faces_change_no_byte_that_ann_is_sent(
    tmp_path: Path, other_faces: list[bool]
) -> None:
    first = await play(tmp_path / "deal", None)
    values = tuple(json.loads(first.deal)["values"])
    turns = script(values, 5)
    runs = []
    for number, exchange in enumerate((False, False, True)):
        other_faces[0] = exchange
        runs.append(await play(tmp_path / str(number), turns))
    one, same, other = runs
    assert one == same  # nothing but the deal can make a difference
    assert json.loads(one.deal)["link"] == json.loads(other.deal)["link"]
    assert one.deal != other.deal
    assert sum('"notation"' in event for event in one.events) == len(turns)
    assert len(one.anns) > 30
    assert differing(other.anns, one.anns) == []
    assert other.events == one.events
    assert other.logged == one.logged
    assert other.bobs != one.bobs  # Bob sees his own hand


async def test_no_mail_event_or_log_line_has_the_sealed_text_or_its_link(tmp_path: Path) -> None:
    first = await play(tmp_path / "deal", None)
    secret = json.loads(first.deal)
    played = await play(tmp_path / "match", script(tuple(secret["values"]), 4))
    assert json.loads(played.deal) == secret
    values = ",".join(map(str, secret["values"][:9]))
    mails = [*played.anns, *played.bobs]
    files = [data for mail in mails for data in ReceivedMail.read(mail).files.values()]
    assert files  # Ann asked for the record
    told = [data.decode("utf-8", "replace") for data in (*mails, *files)]
    for text in (*told, *played.events, played.logged):
        plain = text.replace("=\r\n", "").replace(" ", "").replace("\r\n", "")
        assert secret["link"] not in plain
        assert values not in plain
