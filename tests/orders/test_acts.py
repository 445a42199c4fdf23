"""What the operator does to a match reaches its players with the reason, whatever it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection

from pbem.games import GAMES
from pbem.games.game import Ply, Seat
from pbem.matches.operator_acts import (
    adjudicate,
    give_seat,
    halt_clocks,
    move_deadline,
    release_clocks,
    roll_back,
    void_match,
)
from pbem.matches.unfolding import Act
from pbem.names import Digest, MatchId
from pbem.orders.handlers.challenges import new_player
from pbem.store import views
from pbem.transaction.transaction import Transaction
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.kept import kept

ROOT, WHY = "root", "Bob asked for it."
TITLES: Final = sorted({game.key.replace("_", " ") for game in GAMES.values()})
Build = Callable[[Transaction, Digest], Act]


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def at_play(club: Club, game: str = "logger", *others: str) -> MatchId:
    others = others or (BOB,)
    await club.write(ANN, f"new {game} with {', '.join(others)}")
    await club.answer(ANN, "yes")
    for other in others:
        await club.answer(other, "accept")
    rows: Any = await club.read(lambda conn: views.matches(conn, None, limit=1))
    return MatchId(rows[0].id)


async def act(club: Club, name: MatchId, build: Build) -> None:
    def unit(conn: Connection) -> None:
        cause = f"operator:{len(club.postbox.mails)}"
        txn = Transaction(conn=conn, house=club.house, cause=cause, now=club.house.now())
        txn.decide(name, build(txn, txn.seal(WHY)))
        txn.close()

    await asyncio.wrap_future(club.house.db.write(unit))
    await club.work()


ACTS: Final[dict[str, tuple[Build, str]]] = {
    "void": (
        lambda _, why: partial(void_match, author=ROOT, reason=why),
        "The operator has ended {} without a result.",
    ),
    "adjudicate": (
        lambda _, why: partial(adjudicate, author=ROOT, reason=why, placings=(2, 1)),
        "The operator has decided {}.",
    ),
    "pause": (
        lambda _, why: partial(halt_clocks, author=ROOT, reason=why),
        "The operator has stopped all clocks of {};",
    ),
    "resume": (
        lambda _, why: partial(release_clocks, author=ROOT, reason=why),
        "The clocks of {} run again.",
    ),
    "extend": (
        lambda txn, why: partial(
            move_deadline, author=ROOT, reason=why, seat=Seat(2), due=txn.now + timedelta(days=3)
        ),
        "The operator has given",
    ),
    "seat": (
        lambda txn, why: partial(
            give_seat, author=ROOT, reason=why, seat=Seat(2), player=new_player(txn, CLEO).id
        ),
        "The operator has given a seat of {} to Cleo.",
    ),
    "rollback": (
        lambda _, why: partial(roll_back, author=ROOT, reason=why, ply=Ply(0)),
        "The operator has taken {} back to its start.",
    ),
}


@pytest.mark.parametrize("kind", ACTS)
async def test_the_players_read_what_the_operator_did_and_why(club: Club, kind: str) -> None:
    name = await at_play(club, "logger")
    first = ANN if "you move first" in club.last(ANN).text else BOB
    await club.answer(first, "e1")
    if kind == "resume":
        await act(club, name, ACTS["pause"][0])
    before = {player: len(club.mails(player)) for player in (ANN, BOB)}
    build, news = ACTS[kind]
    await act(club, name, build)
    for player in (ANN, BOB):
        [mail] = club.mails(player)[before[player] :]
        text = " ".join(mail.text.split())
        assert news.format(f"Logger {name}") in text
        assert f"The operator's reason: | {WHY}" in text
        assert WHY in mail.html
        if kind in ("void", "adjudicate"):  # the end, and why, above the board
            assert text.startswith(news.format(f"Logger {name}"))
            assert text.index(WHY) < text.index("+-----+")


async def test_who_watches_reads_that_the_operator_has_ended_it(club: Club) -> None:
    name = await at_play(club)
    await club.write(CLEO, "help")
    await club.answer(CLEO, "yes")
    await club.answer(CLEO, f"watch {name}")
    await act(club, name, ACTS["void"][0])
    text = " ".join(club.last(CLEO).text.split())
    assert text.startswith(
        f"News of Logger {name}, which you watch: the operator has ended it without"
    )
    assert WHY not in text


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("how", ["text", "spoken"])
async def test_nobody_is_to_move_on_the_board_of_a_match_that_is_over(
    club: Club, game: str, how: str
) -> None:
    name = await at_play(club, game)
    await club.answer(ANN, f"mail {how}")
    await act(club, name, ACTS["void"][0])
    await club.answer(ANN, "board")
    for mail in club.mails(ANN)[-2:] + club.mails(BOB)[-1:]:
        for part in (mail.text, mail.html):
            assert "to move" not in part
            assert "ou can move" not in part
            assert "you may play" not in part
