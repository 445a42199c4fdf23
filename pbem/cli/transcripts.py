"""Transcripts and games at a terminal: every ply of them is printed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TextIO

from pbem.cli.opening import safe, safe_json
from pbem.errors import Rejection
from pbem.games.game import Chance, Drawn, Seat, Seats
from pbem.games.record_text import AGREED
from pbem.games.table import Played, Table, tells

if TYPE_CHECKING:
    from pbem.cli.words import Words
    from pbem.games import AnyGame
    from pbem.games.record_text import Record


def play_transcript(
    game: AnyGame,
    seats: int,
    source: Iterable[str],
    out: TextIO,
    *,
    options: Mapping[str, str],
    position_text: str | None,
    json: bool,
) -> int:
    """Play the orders of a transcript and print every ply; 1 at the first refusal, else 0."""
    code, _ = _played_through(
        lambda: Table(game, seats, options, position_text),
        _Orders(enumerate(source, 1)),
        Printer(game, out, json=json),
    )
    return code


def play_record(record: Record, out: TextIO, *, json: bool) -> int:
    """Play a record as a transcript; 1 as well where the rules give another result than it has."""
    printer = Printer(record.game, out, json=json)
    code, table = _played_through(
        lambda: Table(record.game, record.seats, record.options, None),
        _Orders(record.orders),
        printer,
    )
    if code or table is None:
        return code
    outcome, ending = record.game.outcome(table.position), record.ending
    if record.secret is not None:
        printer.note(f"line {record.secret}: this draw is secret until the end; no further")
    elif ending is None:
        printer.note("here the match went on when the record was made")
    elif outcome is None or record.judged:
        printer.note(f"the record ends: {ending}")
    elif outcome.placings != ending.placings:
        places = " ".join(map(str, outcome.placings))
        printer.note(f"line {ending.line}: the record says {ending}, the rules say {places}")
        return 1
    return 0


def _played_through(
    laid: Callable[[], Table], lines: _Orders, printer: Printer
) -> tuple[int, Table | None]:
    """Play orders one after the other; the exit code, and the table if it came to be."""
    table = None
    try:
        table = laid()
        forced = [*table.forced()]
        printer.plies(forced)
        for typed in lines:
            try:
                order = table.order(typed)
            except Rejection:
                if not tells(typed, forced):
                    raise
                del forced[0]
                continue
            forced = [*table.forced()]
            printer.plies([order, *forced])
    except Rejection as refusal:
        printer.refused(refusal, lines.number)
        return 1, table
    return 0, table


class _Orders:
    """The orders of a transcript, and the number of the line that was read last (0 before)."""

    def __init__(self, source: Iterable[tuple[int, str]]) -> None:
        self.source = source
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        for number, line in self.source:
            self.number = number
            typed = line.strip()
            if typed and not typed.startswith("#"):
                yield typed


class Printer:
    """Tells a game ply by ply, in words or as JSON lines."""

    def __init__(self, game: AnyGame, out: TextIO, *, json: bool) -> None:
        """Find the words of the game."""
        from pbem.cli.words import Words

        self.game, self.words = game, Words(game)
        self.out, self.json = out, json

    def plies(self, plies: Iterable[Played]) -> None:
        """Print plies."""
        for played in plies:
            print(safe(_ply_text(self.game, played, self.words, json=self.json)), file=self.out)

    def refused(self, refusal: Rejection, line: int) -> None:
        """Print why a line was refused."""
        if self.json:
            told = {"rejection": refusal.code, "facts": refusal.facts, "line": line}
            print(safe_json(told), file=self.out)
        else:
            print(safe(f"line {line}: {self.words.refused(refusal)}"), file=self.out)

    def note(self, text: str) -> None:
        """Print what is to be said of the whole."""
        print(safe_json({"note": text}) if self.json else safe(text), file=self.out)


def _ply_text(game: AnyGame, played: Played, words: Words, *, json: bool) -> str:
    if json:
        return safe_json(_ply_facts(game, played))
    by_all = played.canonical == AGREED
    who = "all" if by_all else "chance" if played.seat is None else f"seat {played.seat}"
    lines = [f"{played.ply}. {who}: {played.canonical}"]
    lines += [f"   {line}" for line in words.told(played).splitlines()]
    outcome = game.outcome(played.after)
    if outcome is not None:
        lines.append(words.ended(outcome))
    return "\n".join(lines)


def _ply_facts(game: AnyGame, played: Played) -> dict[str, object]:
    turn = game.turn(played.after)
    outcome = game.outcome(played.after)
    to_act = turn.seats if isinstance(turn, Seats) else ()
    return {
        "ply": played.ply,
        "seat": played.seat,
        "typed": played.typed,
        "canonical": played.canonical,
        "position": game.dump(played.after),
        "to_act": list(to_act) if len(to_act) > 1 else next(iter(to_act), None),
        "over": outcome is not None,
        "placings": None if outcome is None else list(outcome.placings),
    }


def play_here(
    table: Table,
    source: Iterable[str],
    out: TextIO,
    *,
    bots: Collection[Seat] = (),
    choose: Callable[[int], int],
) -> int:
    """Let people at one terminal take turns; `choose(n)` draws for bots and for chance."""
    printer = Printer(table.game, out, json=False)
    words, lines = printer.words, iter(source)
    while True:
        printer.plies(_by_itself(table, bots, choose))
        turn = table.game.turn(table.position)
        if not isinstance(turn, Seats):
            return 0
        seat = turn.seats[0]
        print(safe(words.prompt(table.position, seat)), file=out)
        if not _one_order(table, seat, lines, out, words):
            return 0


def _by_itself(
    table: Table, bots: Collection[Seat], choose: Callable[[int], int]
) -> Iterator[Played]:
    """Everything that happens before a person must act."""
    from pbem.bots.random_legal import random_move
    from pbem.games.chance import answer

    while True:
        yield from table.forced()
        match table.game.turn(table.position):
            case Chance(draw):
                yield table.draw(Drawn(answer(draw, iter(lambda: choose(256), -1))))
            case Seats((seat, *_)) if seat in bots:
                yield table.move(seat, None, random_move(table.game, table.position, choose))
            case _:
                return


def _one_order(table: Table, seat: Seat, lines: Iterator[str], out: TextIO, words: Words) -> bool:
    """Ask until an order is played; False where the person has gone."""
    while True:
        print(f"seat {seat}> ", end="", flush=True, file=out)
        match next(lines, "quit").strip():
            case "":
                continue
            case "quit":
                print(file=out)
                return False
            case "help":
                print(safe(words.page("howto")), file=out)
            case "rules":
                print(safe(words.page("rules")), file=out)
            case typed:
                try:
                    played = table.order(typed)
                except Rejection as refusal:
                    print(safe(words.refused(refusal)), file=out)
                    if refusal.code == "unreadable":
                        print('"help" shows how a move is written.', file=out)
                    continue
                print(safe(_ply_text(table.game, played, words, json=False)), file=out)
                return True
