"""The same turns with 10, 1,000 and 10,000 matches beside them, in memory and replayed.

Rounds of all sizes alternate in one run. The same ten matches are played in each: they grow alike,
so that only what lies beside them differs. Processor time, since the disk is the same for all.
The goal is 1.1 x in memory; what is replayed says what a letter costs whose match was forgotten.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from contextlib import ExitStack
from dataclasses import replace

import structlog

from bench._sink import sink
from bench.turns import club, new_sender, play
from pbem.transaction.installation import MatchCache

MATCHES = (10, 1_000, 10_000)
FEW = 10
"""Letters of a batch: no more come at once of ten matches."""

ROUNDS = 14


async def by_matches(port: int) -> None:
    """Play, and print the medians of all rounds but the first."""
    with ExitStack() as stack:
        clubs = {count: stack.enter_context(club(count, played=FEW)) for count in MATCHES}
        sender = new_sender(port)
        times: dict[tuple[str, int], list[float]] = {}
        for _ in range(ROUNDS):
            for count, (place, players) in clubs.items():
                forgetful = replace(place, cache=MatchCache())
                for name in ("replayed", "in memory"):
                    began, letters = time.process_time(), players.seconds
                    await play(forgetful, players, sender, FEW, FEW)
                    used = time.process_time() - began - (players.seconds - letters)
                    times.setdefault((name, count), []).append(used / FEW)
        await sender.aclose()
    for name in ("in memory", "replayed"):
        few = times[name, MATCHES[0]][1:]
        for count in MATCHES:
            spent = times[name, count][1:]
            ratios = [mine / his for mine, his in zip(spent, few, strict=True)]
            low, middle, high = statistics.quantiles(ratios)
            print(
                f"{count:6} matches, {name:9}: {1e3 * statistics.median(spent):6.2f} ms a turn, "
                f"{middle:.2f} x (half of the rounds between {low:.2f} and {high:.2f})"
            )


def main() -> None:
    """Print what a turn costs with few and many matches."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with sink() as port:
        asyncio.run(by_matches(port))


if __name__ == "__main__":
    main()
