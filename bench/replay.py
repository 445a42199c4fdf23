"""Load and replay of long matches, beside what it cannot do without.

For each game: a match of about 200 events is loaded and replayed (hashes are not checked), beside
`json.loads` of its rows and the bare plays of its rules. For Logan Stones, whose matches are the
longest, also what an event costs in a match of 1,000 plies and in one of 200. Processor time, the
least of many rounds by turns; the goals are 2 x, and 1 x.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from functools import partial

import structlog
from sqlalchemy import Connection

from bench.turns import club
from pbem.fairness import LINKS, commitment
from pbem.games import GAMES
from pbem.games.game import Over
from pbem.legacy.matches import decide
from pbem.legacy.matches import replay as matches
from pbem.legacy.matches.challenges import issue
from pbem.legacy.matches.decide import go_on, goes_on
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.seats import accept
from pbem.legacy.store.log import event_log
from pbem.legacy.store.log.event_log import RecordedEvent
from pbem.legacy.store.log.sealed import open_chain
from pbem.legacy.transaction.installation import House, match_stream, secrets_of
from pbem.legacy.transaction.transaction import Transaction
from pbem.names import MatchId, PlayerId

ROUNDS = 15
EVENTS, PLIES = 200, 1_000


def long_match(conn: Connection, house: House, ruleset: str, name: MatchId, plies: int) -> None:
    """A match of so many plies, in one unit, or as many as the game goes on."""
    ann, bob = PlayerId("ann"), PlayerId("bob")
    rng = random.Random(5)
    txn = Transaction(conn=conn, house=house, cause=f"bench {name}", now=house.now())
    txn.begin(name)
    secrets = house.entropy(32), house.entropy(32)
    fixed = [commitment(secret, LINKS).hex() for secret in secrets]
    options = {"draw_cap": "none", "starter": "given"} if "logan" in ruleset else {}
    challenge = partial(
        issue,
        ruleset=ruleset,
        options=options,
        challenger=ann,
        players=(ann, bob),
        commitment=fixed[0],
        links=LINKS,
        secret_commitment=fixed[1],
    )
    txn.decide(name, challenge)
    open_chain(conn, match_stream(name), secrets[0], LINKS)
    open_chain(conn, match_stream(name), secrets[1], LINKS, kind="secret")
    match = txn.decide(name, accept, player=bob)
    while match.course.ply < plies and match.status is Status.RUNNING and match.to_act:
        player = match.player_at(match.to_act[0])
        match = txn.decide(name, decide.play, player=player, text=_quiet(match, rng))
        while goes_on(match):
            match = txn.decide(name, go_on)
    txn.close()


def _quiet(match: Match, rng: random.Random) -> str:
    """A random move that does not end the game, if there is one."""
    game, legal = match.game, list(match.game.legal(match.course.position))
    rng.shuffle(legal)
    going = (
        m for m in legal if not isinstance(game.turn(game.play(match.course.position, m)), Over)
    )
    return str(game.notation(next(going, legal[0])))


def replayed(conn: Connection, name: MatchId) -> Match:
    """As the service does it where a match is not in memory."""
    events = event_log.match_events_of(event_log.load(conn, match_stream(name)))
    return matches.replay(name, events, secrets_of(conn, events))


def without_us(match: Match, recorded: Sequence[RecordedEvent]) -> None:
    """The rows as JSON, and the plays of the rules: what cannot be left out."""
    for row in recorded:
        json.loads(row.data)
    play = match.game.play
    for step in match.course.steps:
        if step.move is not None:
            play(step.before, step.move)


def measured(place: House, name: MatchId) -> tuple[Match, int, float, float]:
    """A match, its events, and the seconds of its replay and of what that cannot do without."""

    def unit(conn: Connection) -> tuple[Match, int, float, float]:
        match = replayed(conn, name)
        recorded = event_log.load(conn, match_stream(name))
        ours, bare = [], []
        for _ in range(ROUNDS):
            bare.append(_spent(partial(without_us, match, recorded)))
            ours.append(_spent(partial(replayed, conn, name)))
        return match, len(recorded), min(ours), min(bare)

    return place.db.read(unit).result()


def _spent(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def main() -> None:
    """Print what replays cost."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with club(0) as (place, _):
        for number, ruleset in enumerate(GAMES):
            # Half of the events of some games are draws: twice as many are more than enough.
            name = MatchId(f"LONG{number}")
            place.db.write(
                partial(long_match, house=place, ruleset=ruleset, name=name, plies=EVENTS)
            ).result()
            match, events, ours, bare = measured(place, name)
            print(
                f"{ruleset:15} {match.course.ply:4} plies, {events:4} events: {1e3 * ours:6.2f} ms,"
                f" rows and rules alone {1e3 * bare:6.2f} ms: {ours / bare:.2f} x"
            )
        costs = []
        for plies in (EVENTS, PLIES):
            name = MatchId(f"STONES{plies}")
            unit = partial(
                long_match, house=place, ruleset="logan_stones-1", name=name, plies=plies
            )
            place.db.write(unit).result()
            match, events, ours, _ = measured(place, name)
            costs.append(ours / events)
            print(f"Logan Stones, {match.course.ply} plies: {1e6 * costs[-1]:.0f} us an event")
        print(f"of a long match an event costs {costs[1] / costs[0]:.2f} x")


if __name__ == "__main__":
    main()
