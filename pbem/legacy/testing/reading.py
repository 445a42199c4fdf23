"""Checks of text: moves and positions come back as they were, whatever else is typed is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from time import process_time
from typing import Any, Final

from pbem.bots.luck import seeded
from pbem.errors import Rejection
from pbem.games.game import Drawn, Seat
from pbem.games.usual import UNREAD
from pbem.legacy.testing.check import Findings, check
from pbem.legacy.testing.tables import Step, Table

GARBAGE: Final = "abcdefghxyzABC0123456789 \n\t.,;:->+*!?'\"()[]{}/\\äß→\x00"

NONSENSE: Final = "xyzzy plugh"
"""What is a move nowhere."""

COMMENTS: Final = (
    "Hello Ann, thanks for the game!",
    "Sorry, I was away last weekend.",
    "That was a good idea of yours.",
    "Best wishes from Berlin",
)
"""What people write beside their moves."""

MOST: Final = 32 * 1024
"""Characters of typed text that are read at all."""

LENGTHS: Final = (MOST // 16, MOST // 8)
"""What is harmless at any of these needs no more: growing as the square, MOST takes a second."""

SIGNS: Final = (*".,;:-+>*<=!?/#'\"()[]{}_~|&%$@^\\", "->", "−", "→", "×", "0", "9", "a", "Z", "ß",
                "漢", " ", "\n")  # fmt: skip
BETWEEN: Final = ("", " ", ", ", "\n")

MIXED: Final = 20
"""Pieces of several words."""

NUMBERS: Final = ("9" * 1000, "1" * 5000, "a" + "1" * 1000, "#" + "9" * 5000)
"""Python itself refuses to read numbers of more than 4,300 digits, with an error of its own."""

_RECORD: Final = 400
"""Signs of a move: it stands in mails, subjects and records."""


@check
def moves_are_read_back(table: Table) -> Findings:
    """A match is stored by its moves as text: `read(notation(move), position) == move`."""
    game = table.game
    for step, seat in table.turns(1):
        for move in [step.played, *game.legal(step.before)[:5]]:
            text = game.notation(move)
            if "\n" in text or "{" in text or text != text.strip() or len(text) > _RECORD:
                yield f"notation(): {text!r} cannot stand in a record: a line, no braces, no blanks"
            for name, reader in (
                ("read", partial(game.read, text, step.before)),
                ("parse", partial(game.parse, text, step.before, seat)),
            ):
                try:
                    found = reader()
                except Rejection as refused:
                    yield f"{name}(): refuses {text!r}, which notation() wrote: {refused}"
                    continue
                if found != move:
                    yield f"{name}(): makes {game.notation(found)!r} of {text!r}: not the same move"


@check
def moves_are_found_among_comments(table: Table) -> Findings:
    """`words` tells a line with an order from one that is only said."""
    for step, _ in table.turns(1):
        text = table.game.notation(step.played)
        if not table.game.words.search(text.casefold()):
            yield f"words: does not find {text!r}, so that such a line would be no order"
    for text in COMMENTS:
        if found := table.game.words.search(text.casefold()):
            yield f"words: finds {found[0]!r} in {text!r}, which would be read as an order"


@check
def a_game_is_replayed_from_its_text(table: Table) -> Findings:
    """A match is rebuilt from its start, its moves and what was drawn."""
    game, position = table.game, table.start()
    for step in table.steps(2):
        if position != step.before:
            yield "initial(): the same options give another start"
            return
        if isinstance(step.played, Drawn):
            text = game.chance_notation(position, step.played)
            position = game.play(position, game.read_chance(text, position))
        else:
            text = game.notation(step.played)
            position = game.play(position, game.read(text, position))
        if position != step.after:
            yield f"play(): {text!r} as read leads to another position than as it was played"
            return


@check
def positions_are_one_line(table: Table) -> Findings:
    """`load(dump(position)) == position`, and nothing of it is lost."""
    game = table.game
    for position in table.positions(3):
        text = game.dump(position)
        if "\n" in text:
            yield f"dump(): {text!r} is more than one line"
        if game.load(text) != position:
            yield f"load(): another position than the one that dump() wrote as {text!r}"
        elif game.dump(game.load(text)) != text:
            yield f"dump(): another text for the position that {text!r} is"


@check
def other_text_is_refused(table: Table) -> Findings:
    """Whatever is typed is a legal move or a Rejection, never another error."""
    game, choose = table.game, seeded("garbage")

    def some(most: int) -> str:
        return "".join(GARBAGE[choose(len(GARBAGE))] for _ in range(choose(most)))

    others = [game.notation(step.played) for step, _ in table.turns(1)]
    yield from _nonsense(table)
    for step, seat in table.turns(2):
        canonical = game.notation(step.played)
        for text in others:  # some of them are not legal here
            yield from _tried(table, text, step, seat)
        for _ in range(20):
            typo = list(canonical)
            if typo:
                typo[choose(len(typo))] = GARBAGE[choose(len(GARBAGE))]
            for text in (some(30), "".join(typo), canonical + some(10)):
                yield from _tried(table, text, step, seat)


def _nonsense(table: Table) -> Iterator[str]:
    """Whoever reads letters has to know whether a text is no move, or one that is not legal."""
    for step, seat in table.turns(2)[:1]:
        try:
            table.game.parse(NONSENSE, step.before, seat)
        except Rejection as refused:
            if refused.code not in UNREAD:
                yield f"parse(): refuses {NONSENSE!r} as {refused.code!r}, not as {UNREAD[1]!r}"


def _tried(table: Table, text: str, step: Step, seat: Seat) -> Iterator[str]:
    game = table.game
    for name, reader in (
        ("parse", lambda: game.parse(text, step.before, seat)),
        ("read", lambda: game.read(text, step.before)),
        ("load", lambda: game.load(text)),
        ("read_chance", lambda: game.read_chance(text, step.before)),
        ("spelled", lambda: game.spelled(text)),
        ("standing", lambda: game.standing(text)),
    ):
        move: Any = None
        try:
            move = reader()
        except Rejection:
            continue
        except Exception as fault:  # noqa: BLE001 - that is what is looked for
            yield f"{name}(): raises {type(fault).__name__} for {text!r}: a Rejection is wanted"
            continue
        if name == "parse":
            try:
                game.play(step.before, move)
            except Rejection as refused:
                yield f"parse(): reads {text!r} as a move that play() refuses: {refused}"
            else:
                again = game.read(game.notation(move), step.before)
                if again != move:
                    yield f"parse(): reads {text!r} as a move that its notation does not say"
        if name == "read" and game.notation(move) != text:
            yield f"read(): takes {text!r}, which is not as notation() writes it"


# --- long text -----------------------------------------------------------------------------------


@check
def long_text_is_read_soon(table: Table) -> Findings:
    """A letter may have 32 KB of anything, most of all of the game's own words."""
    if table.seats != table.game.seats[0]:
        return
    met, choose = _met(table), seeded("long")
    words = _lexicon(table, met)
    mixed = [" ".join(words[choose(len(words))] for _ in range(3)) for _ in range(MIXED)]
    for number, word in enumerate([*words, *mixed]):
        step, seat = met[number % len(met)]
        readers = dict(_readers(table, step, seat))
        others = [name for name in readers if name != "parse"]
        between = BETWEEN[number % len(BETWEEN)]
        for name in ("parse", others[number % len(others)]):
            if slow := _slow(readers[name], word + between):
                shown = (word + between)[:40]
                yield f"{name}(): 32 KB of {shown!r} take {slow:.1f} s; 1 s is allowed"


@check
def long_numbers_are_refused(table: Table) -> Findings:
    """Python reads no number of thousands of digits: `int` raises ValueError."""
    met = _met(table)
    for number, word in enumerate(_lexicon(table, met)):
        step, seat = met[number % len(met)]
        long = NUMBERS[number % len(NUMBERS)]
        for name, reader in _readers(table, step, seat):
            for text in (f"{word}{long}", f"{word} {long}", f"{long} {word}"):
                try:
                    reader(text)
                except Rejection:
                    continue
                except Exception as fault:  # noqa: BLE001 - that is what is looked for
                    yield f"{name}(): raises {type(fault).__name__} for {text[:30]!r}..."


def _met(table: Table) -> list[tuple[Step, Seat]]:
    """Turns from early to late."""
    turns = table.turns(3)
    return [turns[0], turns[len(turns) // 5], turns[len(turns) // 2], turns[-1]]


def _lexicon(table: Table, met: list[tuple[Step, Seat]]) -> list[str]:
    """The words that a game knows, those of its moves, whole moves, and signs."""
    moves = [table.game.notation(step.played) for step, _ in met]
    parts = [part for move in moves for part in move.split()]
    return list(dict.fromkeys([*table.game.keywords, *moves, *parts, *SIGNS]))


def _readers(table: Table, step: Step, seat: Seat) -> Iterator[tuple[str, Any]]:
    """All that reads what somebody typed."""
    game = table.game
    yield "parse", lambda text: game.parse(text, step.before, seat)
    yield "read", lambda text: game.read(text, step.before)
    yield "read_chance", lambda text: game.read_chance(text, step.before)
    yield "standing", game.standing
    yield "spelled", game.spelled
    yield "words", game.words.search


def _slow(reader: Any, piece: str) -> float:
    """Seconds that MOST signs take; 0 where it is soon enough."""

    def spent(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        begun = process_time()
        with suppress(Rejection):
            reader(text)
        return process_time() - begun

    if any(spent(length) <= (length / MOST) ** 2 for length in LENGTHS):
        return 0.0
    found = min(spent(MOST), spent(MOST))
    return found if found > 1 else 0.0
