"""What ratings cost a turn: in a club that has many, beside one in which nobody keeps any.

`./run bench following`: the same matches of Logger are played to their ends in both, by turns, in
one process. In the one club each player has a hundred rated matches behind them; in the other
ratings are empty and nothing follows the log. A turn is a letter taken and played, its mails
written and sent, without pictures; processor time of this process.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

import structlog
from sqlalchemy import func, select

from bench._club import Players, begin, house, players_of
from bench._processor import spent_by
from bench._sink import running_sink
from bench.ratings import fill_log, results
from bench.turns import new_sender, play
from pbem.cli.ratings import remade
from pbem.store import tables
from pbem.transaction import transaction

if TYPE_CHECKING:
    from pbem.transaction.installation import House
    from pbem.transport import Sender

MATCHES: Final = 100
BEHIND: Final = 100
"""Rated matches that each player has behind them."""

WARM: Final = 2
"""Rounds that fill caches, and are not counted."""


@dataclass(slots=True)
class Side:
    """A club; seconds of the processor a turn, and how many matches ended, of each round."""

    place: House
    players: Players
    follows: bool
    running: int = MATCHES
    spent: list[float] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)

    async def round(self, sender: Sender, sink: int) -> None:
        """A move in each match that goes on."""
        before, written = self._over(), self.players.written
        began, letters = spent_by(os.getpid(), {sink}), self.players.seconds
        with ExitStack() as stack:
            if not self.follows:
                stack.enter_context(patch.object(transaction, "follow_ratings", lambda _: None))
            # One letter of each match that goes on: of two the second would be refused.
            await play(self.place, self.players, sender, self.running, self.running)
        spent = spent_by(os.getpid(), {sink}) - began - (self.players.seconds - letters)
        self.turns.append(self.players.written - written)
        self.spent.append(spent / self.turns[-1])
        self.ended.append(self._over() - before)
        self.running -= self.ended[-1]

    def _over(self) -> int:
        ends = select(func.count()).where(tables.event.c.type == "MatchEnded")
        return int(self.place.db.read(lambda conn: conn.execute(ends).scalar_one()).result())


def sides(stack: ExitStack) -> Iterator[Side]:
    """Both clubs, in which the same matches begin."""
    people = [one for number in range(MATCHES) for one in players_of(number)]
    for follows in (True, False):
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))
        place = replace(house(folder), pictures=False, entropy=random.Random(1).randbytes)
        stack.enter_context(closing(place.db))
        if follows:
            ended = results(MATCHES * BEHIND, place.now(), people)
            place.db.write(partial(fill_log, ended=ended)).result()
            remade(place.db)
        yield Side(place, Players(place, begin(place, MATCHES)), follows)


async def measure(port: int, sink: int) -> tuple[Side, Side]:
    """Play all matches to their ends, in rounds by turns."""
    with ExitStack() as stack:
        with_ratings, without = sides(stack)
        sender = new_sender(port)
        pair, number = [with_ratings, without], 0
        while without.running and with_ratings.running:
            number += 1
            for side in pair if number % 2 else pair[::-1]:
                await side.round(sender, sink)
        await sender.aclose()
    return with_ratings, without


def say(mine: Side, his: Side) -> Iterator[str]:
    """The ratios, of rounds without the end of a match, of others, and of whole matches."""
    rounds = range(WARM, len(his.turns))
    plain = [n for n in rounds if not mine.ended[n] and not his.ended[n]]
    ends = [n for n in rounds if mine.ended[n] and mine.ended[n] == his.ended[n]]
    for what, some in (("no match ends", plain), ("some do", ends)):
        ratios = [mine.spent[n] / his.spent[n] for n in some]
        low, middle, high = statistics.quantiles(ratios)
        over = sum(mine.ended[n] for n in some)
        yield (
            f"rounds in which {what}: {middle:.3f} x (half of {len(some)} pairs between {low:.3f}"
            f" and {high:.3f}; {over} ends in {sum(mine.turns[n] for n in some)} turns)"
        )
    whole = [sum(side.spent[n] * side.turns[n] for n in rounds) for side in (mine, his)]
    turns = sum(mine.turns[n] for n in rounds)
    yield (
        f"whole matches, {turns} turns: {1e3 * whole[0] / turns:.3f} ms of the processor a turn,"
        f" without ratings {1e3 * whole[1] / turns:.3f}: {whole[0] / whole[1]:.3f} x"
    )


def main() -> None:
    """Print what a turn costs with ratings, beside one without."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with running_sink() as to:
        for line in say(*asyncio.run(measure(to.port, to.pid))):
            sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
