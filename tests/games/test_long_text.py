"""Long and hostile text, made from each game's own lexicon: it is refused or read, and soon."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any, Final

import pytest

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.games.game import Seat
from tests.effort import LINEAR, clock, growth, in_reference_seconds
from tests.games.test_contract import walk
from tests.sampling import WHOLE

MOST: Final = 32 * 1024
"""Characters of typed text that are read at all (MAIL 1)."""

LENGTH: Final = MOST // 8
SHORTER: Final = (LENGTH // 2, LENGTH)
"""What is harmless at any of these needs no more: growing as the square, MOST takes a second."""

SIGNS: Final = (*".,;:-+>*<=!?/#'\"()[]{}_~|&%$@^\\", "->", "−", "→", "×", "0", "9", "a", "Z", "ß",
                "漢", " ", "\n")  # fmt: skip
BETWEEN: Final = ("", " ", ", ", "\n")
NUMBERS: Final = ("9" * 1000, "1" * 5000, "a" + "1" * 1000, "#" + "9" * 5000)
"""Python itself refuses to read numbers of more than 4,300 digits, with an error of its own."""

PLIES: Final = 150

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@cache
def _speed() -> float:
    """Reference seconds for a second here: once is enough to know what is harmless."""
    return in_reference_seconds(1)


@cache
def positions(game: AnyGame) -> list[tuple[Any, Seat, str]]:
    """Positions from the beginning of a match to late in it, whose turn it is, and a move there."""
    steps = islice(walk(game, game.seats[0], random.Random(3)), PLIES)
    met = [
        (step.before, step.seat, game.notation(step.played))
        for step in steps
        if step.seat is not None
    ]
    return [met[0], met[len(met) // 5], met[len(met) // 2], met[-1]]


def lexicon(game: AnyGame, met: list[tuple[Any, Seat, str]]) -> list[str]:
    """The words that a game knows, those of its moves, whole moves, and signs."""
    moves = [move for _, _, move in met]
    parts = [part for move in moves for part in move.split()]
    return list(dict.fromkeys([*game.keywords, *moves, *parts, *SIGNS]))


def readers(game: AnyGame, position: Any, seat: Seat) -> Iterator[Callable[[str], object]]:
    """All that reads what somebody typed."""
    yield lambda text: game.parse(text, position, seat)
    yield lambda text: game.read(text, position)
    yield lambda text: game.read_chance(text, position)
    yield game.standing
    yield game.spelled
    yield game.words.search


def read(reader: Callable[[str], object], text: str) -> None:
    with suppress(Rejection):
        reader(text)


def slow(reader: Callable[[str], object], piece: str) -> str:
    """Why a text of this piece takes too long; empty where it does not."""

    def text(length: int) -> str:
        return (piece * (length // len(piece) + 1))[:length]

    for length in SHORTER:
        begun = clock()
        read(reader, text(length))
        if (clock() - begun) * _speed() <= (length / MOST) ** 2:
            return ""
    begun = clock()
    read(reader, text(MOST))
    spent = in_reference_seconds(clock() - begun)
    if spent > 1:
        return f"{piece[:40]!r}: {spent:.1f} s"

    def reading(size: int) -> None:
        read(reader, text(size))

    # At two sizes: one step up may be that of the memory that a reading takes.
    found = growth(reading, LENGTH)
    found = min(found, growth(reading, 2 * LENGTH)) if found > LINEAR else found
    return f"{piece[:40]!r}: grows {found:.1f} times" if found > LINEAR else ""


@every_game
def test_each_word_of_the_lexicon_again_and_again_is_read_soon(game: AnyGame) -> None:
    met = positions(game)
    found = []
    for number, word in enumerate(lexicon(game, met)):
        position, seat, _ = met[number % len(met)]
        parse, *others = readers(game, position, seat)
        tried = BETWEEN if WHOLE[0] else BETWEEN[number % len(BETWEEN) :][:1]
        found += [slow(parse, word + between) for between in tried]
        found.append(slow(others[number % len(others)], word + BETWEEN[number % len(BETWEEN)]))
    assert [one for one in found if one] == []


@every_game
def test_words_of_the_lexicon_by_chance_are_read_soon(game: AnyGame) -> None:
    met, chance = positions(game), random.Random(7)
    words = lexicon(game, met)
    found = []
    for _ in range(40):
        position, seat, _ = chance.choice(met)
        piece = chance.choice(BETWEEN).join(chance.choices(words, k=chance.randint(2, 4)))
        reader = next(readers(game, position, seat))
        found.append(slow(reader, piece + chance.choice(BETWEEN)))
    assert [one for one in found if one] == []


@every_game
def test_long_numbers_are_refused(game: AnyGame) -> None:
    met = positions(game)
    for number, word in enumerate(lexicon(game, met)):
        position, seat, _ = met[number % len(met)]
        long = NUMBERS[number % len(NUMBERS)]
        for reader in readers(game, position, seat):
            for text in (f"{word}{long}", f"{word} {long}", f"{long} {word}"):
                read(reader, text)


@every_game
def test_long_numbers_are_no_options(game: AnyGame) -> None:
    for option in game.options:
        assert option.normal("9" * 5000) is None
        assert option.normal("9" * 5000, offered=False) is None
