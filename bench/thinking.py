"""Letters while bots think: how long they wait with bots and without, and how long for the bots.

    python -m bench.thinking [rounds]

One service on SQLite with the processes that bots think in. Letters of matches between people come
at 20 a second: alone, and while the best bots have more to think about than they can.
Rounds alternate; what counts is the time from a letter's commit to its last mail, which may be 1.1
times as long with bots as without. Then one person plays each game at its most seats against its
best bots: how long until it is the person's turn again, which may take 5 seconds.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

from bench._club import LINKS, Players, begin, house
from bench._processor import spent_by
from bench._sink import running_sink
from bench.workers import Service, _delays, _is_done, _last, _serve
from pbem.bots.levels import levels, lively_move
from pbem.fairness import commitment
from pbem.games import GAMES
from pbem.matches.challenges import issue
from pbem.matches.match import Match, Status
from pbem.names import MatchId, PlayerId, bot_id
from pbem.runners import supervise
from pbem.store.log import sealed
from pbem.store.people import roster
from pbem.transaction.installation import load_match, match_stream
from pbem.transaction.timers import know_bot
from pbem.transaction.transaction import Transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.games import AnyGame
    from pbem.transaction.installation import House

MATCHES: Final = 100
RATE: Final = 20
SECONDS: Final = 10
ROUNDS: Final = 2

LONGEST: Final = "looney_ludo-1"
"""The game whose bots think longest: what they do beside it, moves and mails, is little."""

THINKING: Final = 12
"""Matches in which bots answer while letters are measured."""

TURNS: Final = 8
PATIENCE: Final = 120.0

_NUMBERS: Final = count(1)


def with_bots(house: House, game: AnyGame, seats: int) -> MatchId:
    """A match of one person against the best bots; they accept by themselves."""
    number = next(_NUMBERS)
    name, person = MatchId(f"B{number:04}"), PlayerId(f"eve{number}")
    players = (person, *(bot_id(levels(game)[-1], bot) for bot in range(1, seats)))
    house.db.write(partial(_begin, house=house, name=name, game=game, players=players)).result()
    return name


def _begin(
    conn: Connection, house: House, name: MatchId, game: AnyGame, players: Sequence[PlayerId]
) -> None:
    now, secret, second = house.now(), house.entropy(32), house.entropy(32)
    roster.add_player(
        conn, players[0], address=f"{players[0]}@example.org", name=players[0], now=now
    )
    roster.confirm(conn, players[0])
    for bot in players[1:]:
        know_bot(conn, bot, now)
    txn = Transaction(conn=conn, house=house, cause=f"start {name}", now=now)
    txn.begin(name)
    challenge = partial(
        issue,
        ruleset=game.ruleset,
        options={one.name: "given" for one in game.options if one.begins},
        challenger=players[0],
        players=tuple(players),
        commitment=commitment(secret, LINKS).hex(),
        links=LINKS,
        secret_commitment=commitment(second, LINKS).hex() if game.secrets else "",
        time="slow",
    )
    txn.decide(name, challenge)
    sealed.open_chain(conn, match_stream(name), secret, LINKS)
    if game.secrets:
        sealed.open_chain(conn, match_stream(name), second, LINKS, kind="secret")
    txn.close()


def state(house: House, name: MatchId) -> Match:
    """A match as it stands."""
    return house.db.read(partial(load_match, match=name)).result().match


def is_persons(match: Match) -> bool:
    """Whether nobody but the person is asked, or nobody any more."""
    if match.status is Status.ENDED:
        return True
    return match.status is Status.RUNNING and match.player_at(match.to_act[0]).startswith("eve")


def awaited(house: House, name: MatchId) -> float:
    """Seconds until it is the person's turn. Raises TimeoutError."""
    began = time.perf_counter()
    while not is_persons(state(house, name)):
        if time.perf_counter() - began > PATIENCE:
            raise TimeoutError(f"the bots of {name} do not answer")
        time.sleep(0.01)
    return time.perf_counter() - began


def answer(service: Service, name: MatchId, rng: random.Random) -> bool:
    """The person moves; False where the match is over."""
    match = state(service.house, name)
    if match.status is not Status.RUNNING:
        return False
    move = lively_move(match.game, match.course.position, rng.randrange)
    text = match.game.notation(move)
    service.put([service.players._letter(match, match.to_act[0], text)])  # noqa: SLF001 - as they write
    return True


def paced(service: Service) -> list[float]:
    """Letters at an even rate; seconds from each to its last mail."""
    after = service.house.db.read(_last).result()
    began = time.perf_counter()
    for number in range(RATE * SECONDS):
        time.sleep(max(0.0, began + number / RATE - time.perf_counter()))
        service.put(service.players.letters(1))
    delays: list[float] = service.house.db.read(partial(_delays, after=after)).result()
    return sorted(delays)


def busy(service: Service, names: list[MatchId], rng: random.Random) -> None:
    """Give bots more to think about than they can while letters are measured."""
    for name in names:
        if is_persons(state(service.house, name)):
            answer(service, name, rng)


def main() -> None:
    """Print how long letters wait, and how long the answers of bots take."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    if sys.argv[1:2] == ["--work"]:
        supervise.PEEK = 0.02  # type: ignore[misc] # letters come from another process
        asyncio.run(_serve(Path(sys.argv[2]), "", int(sys.argv[3])))
        return
    rounds = next((int(one) for one in sys.argv[1:] if one.isdigit()), ROUNDS)
    rng = random.Random(3)
    with ExitStack() as stack:
        taker = stack.enter_context(running_sink())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))
        place = house(folder)
        stack.enter_context(closing(place.db))
        service_of = ["-m", "bench.thinking", "--work", str(folder), str(taker.port)]
        worker = subprocess.Popen([sys.executable, *service_of], stderr=subprocess.DEVNULL)
        stack.callback(worker.kill)
        players = Players(place, begin(place, MATCHES))
        service = Service("SQLite", place, players, [worker], taker.pid)
        _answers(service, rng)
        longest = GAMES[LONGEST]
        thinking = [with_bots(place, longest, max(longest.seats)) for _ in range(THINKING)]
        service.put(players.letters(MATCHES))
        while not place.db.read(_is_done).result():
            time.sleep(0.05)
        alone, beside = [], []
        for _ in range(rounds):
            for name in thinking:
                awaited(place, name)
            alone += paced(service)
            busy(service, thinking, rng)
            before = sum(state(place, name).course.ply for name in thinking)
            beside += paced(service)
            played = sum(state(place, name).course.ply for name in thinking) - before
            left = sum(not is_persons(state(place, name)) for name in thinking)
            print(f"bots made {played} moves meanwhile; {left} matches waited for one at the end")
        for words, found in (("alone", alone), ("while bots think", beside)):
            found.sort()
            print(
                f"{RATE} letters/s {words}: {1e3 * statistics.median(found):.0f} ms from a letter"
                f" to its last mail, p95 {1e3 * found[int(0.95 * len(found))]:.0f} ms"
                f" ({len(found)} letters)"
            )
        print(
            f"{statistics.median(beside) / statistics.median(alone):.2f} x at the median",
            flush=True,
        )


def _answers(service: Service, rng: random.Random) -> None:
    """How long the best bots of each game take at its most seats."""
    for game in GAMES.values():
        name = with_bots(service.house, game, max(game.seats))
        awaited(service.house, name)
        took, spent = [], spent_by(service.workers[0].pid)
        for _ in range(TURNS):
            if not answer(service, name, rng):
                break
            before = state(service.house, name).version
            while state(service.house, name).version == before:
                time.sleep(0.005)
            took.append(awaited(service.house, name))
        print(
            f"{game.title}, {max(game.seats) - 1} bots ({levels(game)[-1]}): it is the person's"
            f" turn again after {statistics.median(took):.1f} s, at most {max(took):.1f} s;"
            f" {(spent_by(service.workers[0].pid) - spent) / len(took):.2f} s of the processor",
            flush=True,
        )


if __name__ == "__main__":
    main()
