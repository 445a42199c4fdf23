"""Transcripts and games at a terminal: every ply is printed, in the words of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

from jinja2.filters import do_wordwrap

from pbem.legacy.cli.opening import safe, safe_json
from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Chance, Drawn, Outcome, Seat, Seats, Style
from pbem.games.record_text import AGREED
from pbem.games.table import Played, Table, tells
from pbem.games.usual import UNREAD
from pbem.legacy.notices.rendering.environment import environment
from pbem.legacy.notices.rendering.families import TEXT

if TYPE_CHECKING:
    from pbem.games.record_text import Record
    from pbem.games.table import Played


# --- transcripts ---------------------------------------------------------------------------------
# Transcripts and games at a terminal: every ply of them is printed.


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
    """Tells a game ply by ply, in words or as JSON lines.

    `sealed`: what is drawn in secret is told when the game is over.
    """

    def __init__(self, game: AnyGame, out: TextIO, *, json: bool, sealed: bool = False) -> None:
        """Find the words of the game."""
        self.game, self.words = game, Words(game)
        self.out, self.json, self.sealed = out, json, sealed
        self._secret: list[Played] = []

    def plies(self, plies: Iterable[Played]) -> None:
        """Print plies."""
        for played in plies:
            turn = self.game.turn(played.before)
            if self.sealed and isinstance(turn, Chance) and turn.draw.secret:
                self._secret.append(played)
                played = replace(played, canonical="")  # noqa: PLW2901 - as it is told
            print(safe(_ply_text(self.game, played, self.words, json=self.json)), file=self.out)
            if self.game.outcome(played.after) is not None:
                for one in self._secret:
                    self.note(f"{one.ply}. was drawn in secret: {one.canonical}")

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
    lines = [f"{played.ply}. {who}: {played.canonical or 'drawn in secret'}"]
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
    bots: Mapping[Seat, str],
    choose: Callable[[int], int],
) -> int:
    """Let people at one terminal take turns; `choose(n)` draws for bots and for chance.

    `bots` are levels by seat.
    """
    printer = Printer(table.game, out, json=False, sealed=True)
    words, lines = printer.words, iter(source)
    while True:
        printer.plies(_by_itself(table, bots, choose))
        turn = table.game.turn(table.position)
        if not isinstance(turn, Seats):
            return 0
        seat = turn.seats[0]
        print(safe(words.prompt(table.position, seat)), file=out)
        if not _one_order(table, seat, lines, printer):
            return 0


def _by_itself(
    table: Table, bots: Mapping[Seat, str], choose: Callable[[int], int]
) -> Iterator[Played]:
    """Everything that happens before a person must act."""
    from pbem.legacy.bots.levels import move_of
    from pbem.games.chance import answer

    while True:
        yield from table.forced()
        match table.game.turn(table.position):
            case Chance(draw):
                yield table.draw(Drawn(answer(draw, iter(lambda: choose(256), -1))))
            case Seats((seat, *_)) if seat in bots:
                move = move_of(bots[seat], table.game, table.position, choose)
                yield table.move(seat, None, move)
            case _:
                return


def _one_order(table: Table, seat: Seat, lines: Iterator[str], printer: Printer) -> bool:
    """Ask until an order is played; False where the person has gone."""
    out, words = printer.out, printer.words
    while True:
        print(f"seat {seat}> ", end="", flush=True, file=out)
        match next(lines, "quit").strip():
            case "":
                continue
            case "quit":
                print(file=out)
                return False
            case "help":
                print(safe(words.page("howto", options=table.options)), file=out)
            case "rules":
                print(safe(words.page("rules", options=table.options)), file=out)
            case typed:
                try:
                    played = table.order(typed)
                except Rejection as refusal:
                    print(safe(words.refused(refusal)), file=out)
                    if refusal.code in UNREAD:
                        print('"help" shows how a move is written.', file=out)
                    continue
                printer.plies([played])
                return True


# --- words ---------------------------------------------------------------------------------------
# What `pbem play` says about a game, from the game's own templates.

_MOST_SEATS = 40
_WIDTH = 72


class Words:
    """The templates of one game; `names` are those of the seats, if they have any."""

    def __init__(self, game: AnyGame, names: Sequence[str] = ()) -> None:
        """Find the templates."""
        self.game = game
        self.environment = environment()
        numbered = {seat: f"Seat {seat}" for seat in range(1, _MOST_SEATS + 1)}
        self.names = {**numbered, **dict(enumerate(names, 1))}

    def page(self, name: str, **facts: Any) -> str:
        """A text of the game, without its last line break."""
        return self.environment.piece(self.game.key, name, names=self.names, **facts)

    def prompt(self, position: object, seat: Seat) -> str:
        """The board as the seat sees it, and what it can do."""
        board = self.game.board(position, seat, Style.UNICODE)
        legend = self.page("legend", facts=board.facts)
        can = self.page("can", facts=board.facts)
        return "\n".join(["", *board.lines, "", legend, "", can])

    def told(self, played: Played) -> str:
        """A move or what was drawn, in words; nothing for a resignation, which says it itself."""
        if played.move is None:
            return ""
        facts = self.game.facts(played.move, played.before, played.after)
        return self.page("told", facts=facts, seat=played.seat or 0, notation=played.canonical)

    def refused(self, refusal: Rejection) -> str:
        """Why an order was refused; code and facts where the game has no words for it."""
        family = f"games/{self.game.key}/rejections"
        if refusal.code not in self.environment.family(family + TEXT):
            return str(refusal)
        text = self.environment.member(
            family, refusal.code, facts=dict(refusal.facts), names=self.names
        )
        return do_wordwrap(self.environment, text, _WIDTH, break_on_hyphens=False)

    def ended(self, outcome: Outcome) -> str:
        """Who came where."""
        places = sorted((place, self.names[seat]) for seat, place in enumerate(outcome.placings, 1))
        listed = ", ".join(f"{place}. {name}" for place, name in places)
        return f"The game is over ({outcome.termination}): {listed}"
