"""What a turn costs with few and very many matches in the database, on SQLite and PostgreSQL.

    python -m bench.sizes [matches] [--keep FOLDER] [--only sqlite|postgresql]

Databases of 10, 10,000 and so many matches as are asked for (`_many.py` says what stands in them).
The same ten matches are played in each, rounds of all sizes alternate, and only what lies beside
them differs: as they are in memory, and replayed. In the large ones also matches that nobody has
looked at since the database was filled. A turn is a letter taken and played, its mails written and
sent; processor time is that of this process and of PostgreSQL. The goal is 1.1 x in memory.

Then what is done or read again and again, in the smallest and the largest: it must not grow either.

A million matches take some 30 GB and 25 minutes an engine, so that they are only filled when asked
for: `--keep` leaves them in a folder for another run.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

from bench._club import Players, house
from bench._fill import fill
from bench._many import PLAYED, TURNS, Taken, is_running, name_of
from bench._periodic import PERIODIC
from bench._postgres import MakeDatabase, postgres, server_of
from bench._processor import spent_by
from bench.turns import play
from pbem.transaction.installation import MatchCache, load_match, verified

if TYPE_CHECKING:
    from pbem.matches.match import Match
    from pbem.transaction.installation import House

FEWEST: Final = 10
SIZES: Final = (FEWEST, 10_000)
ENGINES: Final = ("sqlite", "postgresql")

FEW: Final = 10
"""Letters of a round, one for each of the matches that are played."""

ROUNDS: Final = 9
"""After these all ten still go on: the shortest matches of Logger have some thirty plies."""
LOOKS: Final = 5
"""How often each of what is done again and again is done; the median counts."""

IN_MEMORY, REPLAYED, UNTOUCHED = "in memory", "replayed", "untouched"


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds a turn: of our processor, of PostgreSQL's, and of the clock."""

    ours: float
    server: float
    clock: float

    @property
    def processor(self) -> float:
        """Of both."""
        return self.ours + self.server


@dataclass(slots=True)
class Filled:
    """A database of a size, and what turns took in it."""

    count: int
    house: House
    server: int | None
    players: Players
    untouched: Iterator[Match]
    spent: defaultdict[str, list[Spent]] = field(default_factory=lambda: defaultdict(list))

    def round(self, how: str) -> None:
        """Play each of ten matches on by a turn."""
        place, players = self.house, self.players
        if how != IN_MEMORY:
            place = replace(place, cache=MatchCache())
        if how == UNTOUCHED:
            players = Players(place, list(islice(self.untouched, FEW)))
        began, clock, server = time.process_time(), time.perf_counter(), self.of_server()
        wrote, read = players.seconds, players.waited
        asyncio.run(play(place, players, Taken(), FEW, FEW))
        if how == UNTOUCHED:
            self.players.written += players.written  # who look at all that was made
        ours = time.process_time() - began - (players.seconds - wrote)
        spent = (
            ours,
            self.of_server() - server,
            time.perf_counter() - clock - (players.waited - read),
        )
        self.spent[how].append(Spent(*(1e3 * one / FEW for one in spent)))

    def of_server(self) -> float:
        """Seconds of the processor that PostgreSQL has used."""
        return 0.0 if self.server is None else spent_by(self.server)


def _fresh(place: House, count: int, *, first: int) -> Iterator[Match]:
    """The copies that run and were not played since, each read when it is asked for."""
    for number in (one for one in range(first, count) if is_running(one, count)):
        match = place.db.read(partial(load_match, match=name_of(number))).result().match
        if match.course.ply == TURNS:
            yield match


def _filled(
    folder: Path, engine: str, count: int, make: MakeDatabase | None, stack: ExitStack
) -> Filled:
    """A database of a size, made now if it is not there."""
    own = folder / f"{engine}-{count}"
    done = own / "filled"
    if count == FEWEST or not done.exists():  # so few have been played to their ends by one run
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir()
        target = make(f"matches_{count}", anew=True) if make is not None else own / "pbem.db"
        began = time.perf_counter()
        fill(target, count)
        print(
            f"{engine}: {count} matches filled in {time.perf_counter() - began:.0f} s", flush=True
        )
        done.touch()
    target = make(f"matches_{count}") if make is not None else own / "pbem.db"
    place = house(own, str(target) if make is not None else None)
    stack.enter_context(closing(place.db))
    _require_sound(place, count)
    first = list(islice(_fresh(place, count, first=0), FEW))
    other = _fresh(place, count, first=count // 2)  # no page of theirs was needed yet
    server = server_of(folder) if make is not None else None
    return Filled(count, place, server, Players(place, first), other)


def _require_sound(place: House, count: int) -> None:
    """Raises RuntimeError unless copies are what matches that were played here would be."""
    for number in range(max(0, count - 2 * PLAYED), count):
        checked, _ = place.db.read(partial(verified, match=name_of(number))).result()
        if checked.findings:
            raise RuntimeError(f"{name_of(number)}: {checked.findings}")


def measure(folder: Path, engine: str, sizes: Sequence[int]) -> None:
    """Fill what is not there, play, and print."""
    with ExitStack() as stack:
        make = stack.enter_context(postgres(folder, keep=True)) if engine != "sqlite" else None
        found = [_filled(folder, engine, count, make, stack) for count in sizes]
        for _ in range(ROUNDS + 1):
            for one in found:
                for how in (REPLAYED, IN_MEMORY, UNTOUCHED):
                    if how != UNTOUCHED or one.count > FEWEST:
                        one.round(how)
        for how in (IN_MEMORY, REPLAYED, UNTOUCHED):
            _print_turns(engine, how, found)
        _print_periodic(engine, found[0], found[-1])


def _print_turns(engine: str, how: str, found: Sequence[Filled]) -> None:
    few = found[0].spent[REPLAYED if how == UNTOUCHED else how][1:]  # the first fills caches
    for one in found:
        spent = one.spent[how][1:]
        if not spent:
            continue
        ratios = [mine.processor / his.processor for mine, his in zip(spent, few, strict=True)]
        low, middle, high = statistics.quantiles(ratios)
        clock = statistics.median(
            mine.clock / his.clock for mine, his in zip(spent, few, strict=True)
        )
        ours, server, waited = (
            statistics.median(getattr(each, name) for each in spent)
            for name in ("ours", "server", "clock")
        )
        print(
            f"{engine:10} {one.count:8} matches, {how:9}: {ours:5.2f} ms of our processor"
            f" + {server:5.2f} of the server's: {middle:.2f} x ({low:.2f} to {high:.2f});"
            f" {waited:6.2f} ms of the clock: {clock:.2f} x",
            flush=True,
        )


def _print_periodic(engine: str, few: Filled, many: Filled) -> None:
    for what, look in PERIODIC.items():
        small, large = (_median(look, one.house) for one in (few, many))
        print(
            f"{engine:10} {what:40} {small:9.2f} ms with {few.count},"
            f" {large:9.2f} with {many.count}",
            flush=True,
        )


def _median(look: Callable[[House], object], place: House) -> float:
    times = []
    for _ in range(LOOKS):
        began = time.perf_counter()
        look(place)
        times.append(time.perf_counter() - began)
    return 1e3 * statistics.median(times)


def main() -> None:
    """Print what a turn costs, and what is done again and again."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    given = sys.argv[1:]
    more = [int(one) for one in given if one.isdigit()]
    engines = [one for one in ENGINES if "--only" not in given or one in given]
    with ExitStack() as stack:
        if "--keep" in given:
            folder = Path(given[given.index("--keep") + 1])
            folder.mkdir(exist_ok=True)
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))
        for engine in engines:
            measure(folder, engine, sorted({*SIZES, *more}))


if __name__ == "__main__":
    main()
