"""Letters as people write them: one move is played, two readings or second thoughts are a question.

The phrasings stand in `tests/mail/free_text/phrasings/`, and each is tried in every game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Final, NamedTuple, cast

import pytest

from pbem.intake.read_letter import settled_lines
from pbem.mail.reply_text import typed_text
from pbem.mail.verbs.playing import Move
from pbem.matches.match import Match, Status
from pbem.matches.replay import initial
from pbem.names import MatchId, PlayerId
from pbem.orders.context import LetterContext, Orders
from pbem.wiring.words import words_of
from tests.mail.corpus.samples import read_sent
from tests.mail.corpus.understood import Sent

FOLDER: Final = Path(__file__).parent / "phrasings"
SENT: Final = read_sent()
WORDS: Final = words_of()
GAMES: Final = ("logger", "logger-late", "ludo", "ludo-late", "stones", "landrush")


LOGGER: Final = SENT["logger"]
START: Final = LOGGER.game.dump(LOGGER.game.initial(2, LOGGER.game.normal_options({})))
VARIANTS: Final = {
    # One cell is a whole move; a bare word is one; moves as they are typed, and in German.
    "logger-start": replace(LOGGER, position=START, moves=("e1", "a1")),
    "ludo-pass": replace(SENT["ludo"], moves=("pass", "S n")),
    "ludo-steps": replace(SENT["ludo"], moves=("S n", "pass")),
    "ludo-short": replace(SENT["ludo"], moves=("M n", "S n")),
    "landrush-loose": replace(SENT["landrush"], moves=("a7L", "b8 small")),
    "logger-loose": replace(LOGGER, moves=("c1 p d1", "e1, plant e2")),
    "logger-german": replace(LOGGER, moves=("c1 pflanze d1", "e1 pflanze e2")),
}
MAILS: Final = {**SENT, **VARIANTS}


class Phrasing(NamedTuple):
    language: str
    text: str

    def letter(self, move: str, other: str) -> str:
        text = self.text.replace("/", "\n")
        return text.replace("{M}", move).replace("{N}", other)


def phrasings(name: str) -> Iterator[Phrasing]:
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            language, _, text = line.partition(" | ")
            yield Phrasing(language.strip(), text)


@cache
def running(key: str) -> Match:
    """A match in which the reader of a mail of ours is to move."""
    sent = MAILS[key]
    players = tuple(PlayerId(f"p{seat}") for seat in range(1, 5))
    match = initial(MatchId("K7QX2"))
    return replace(
        match,
        status=Status.RUNNING,
        terms=replace(match.terms, ruleset=sent.ruleset),
        table=replace(match.table, players=players[: max(2, sent.seat)]),
        course=replace(match.course, position=sent.game.load(sent.position)),
    )


def settled(lines: Sequence[str], match: Match, player: PlayerId) -> Orders:
    """What lines of a player order in a match."""
    facts = SimpleNamespace(
        home=match.id,
        answered=None,
        actor=player,
        sender=player,
        matches=SimpleNamespace(
            match=lambda _name: match,
            found=lambda _name: SimpleNamespace(match=match),
            house=SimpleNamespace(words=WORDS),
        ),
        of_page=False,
        window=None,
        names=lambda _match: frozenset(),
        own_matches=lambda _statuses: [],
    )
    return settled_lines(cast("LetterContext", facts), lines, match.game)


def understood(text: str, sent: Sent, match: Match) -> Orders:
    typed = typed_text(text, None, sent.own, sent.is_order)
    return settled(typed.lines, match, match.table.players[sent.seat - 1])


def verdict(text: str, key: str) -> str:
    """The canonical move that is played, else `question` or `nothing`."""
    sent, match = MAILS[key], running(key)
    said = understood(text, sent, match)
    moves = [one for one in said.todo if isinstance(one.order, Move)]
    if said.asked or any(one.refused and one.refused.code == "two_moves_in_mail" for one in moves):
        return "question"
    plays = {sent.plays(cast("Move", one.order).text) for one in moves if not one.refused}
    return next((move for move in plays if move), "nothing")


def moves_of(key: str) -> tuple[str, str]:
    """Two different moves that are possible in the match of a mail."""
    first, *others = MAILS[key].moves
    return first, next(move for move in others if move != first)


def wrong(kind: str, key: str) -> list[str]:
    """The phrasings of a file that are not read as it says, with what came of them."""
    move, other = moves_of(key)
    wanted = move if kind == "one_move" else "question"
    found = ((verdict(one.letter(move, other), key), one.text) for one in phrasings(kind))
    return [f"{came} <- {text}" for came, text in found if came != wanted]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("kind", ["two_moves", "taken_back"])
def test_two_readings_and_second_thoughts_are_a_question(kind: str, key: str) -> None:
    # MAIL 1, MAIL 9: no wrong move is ever played. A label (`Next round: e1`) may leave no move.
    found = wrong(kind, key)
    assert [line for line in found if not line.startswith("nothing")] == []
    assert len(found) <= 2


@pytest.mark.parametrize("key", VARIANTS)
@pytest.mark.parametrize("kind", ["two_moves", "taken_back"])
def test_however_moves_are_typed_no_wrong_one_is_played(kind: str, key: str) -> None:
    found = wrong(kind, key)
    assert [line for line in found if not line.startswith("nothing")] == []
    assert len(found) < 20  # of a `pass` in other words it is only told that it is no move


@pytest.mark.parametrize("key", GAMES)
def test_one_move_with_chatter_is_played(key: str, figures: list[str]) -> None:
    found = wrong("one_move", key)
    total = len(list(phrasings("one_move")))
    figures.append(f"{len(found)} of {total} plain moves asked about in {key}")
    assert len(found) / total < 0.02
    assert all(line.startswith("question") for line in found)


def test_the_phrasings_are_as_many_and_as_wide_as_they_have_to_be() -> None:
    found = [one for kind in ("two_moves", "taken_back", "one_move") for one in phrasings(kind)]
    assert len({one.text for one in found}) >= 300
    assert len({one.language for one in found}) >= 30
