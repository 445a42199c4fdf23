"""Other moves in a letter: found in any words, and nothing found where none is meant."""

from __future__ import annotations

import pytest

from pbem.games.game import Seat
from pbem.mail.free_text import Readings
from pbem.mail.free_text.rival_moves import Rivals, rivals
from pbem.mail.lines import plain
from pbem.wiring.words import words_of
from tests.effort import clock, in_reference_seconds
from tests.mail.corpus.samples import read_sent

WORDS = words_of()
MAILS = read_sent()


def found_in(line: str, key: str = "logger", *, played: tuple[str, ...] = ()) -> Rivals:
    sent = MAILS[key]
    tried = Readings(sent.game, sent.game.load(sent.position), Seat(sent.seat), played)
    move = sent.moves[0]
    return rivals(line.split("\n"), move, move, tried, WORDS)


@pytest.mark.parametrize("key", ["logger", "logger-late", "ludo", "stones", "landrush"])
@pytest.mark.parametrize(
    "around",
    ["{}", "x {} y", "({})", "or {}", "a){}", "{}?", "I never play {}.",
     "订正：{}", "もちろん{}です", "{}！", "*{}*", "“{}”", "<{}>", "1.{}"],
)  # fmt: skip
def test_a_move_is_found_whatever_stands_around_it(around: str, key: str) -> None:
    sent = MAILS[key]
    other = next(move for move in sent.moves if move != sent.moves[0])
    found = found_in(plain(around.format(other)), key)
    assert other in [rival.move for rival in found.moves] or found.unclear


@pytest.mark.parametrize("key", ["logger", "logger-late", "ludo", "stones", "landrush"])
def test_the_move_itself_is_no_other(key: str) -> None:
    move = MAILS[key].moves[0]
    for line in (move, f"So: {move}", f"I play {move}.", move.upper(), f"({move})"):
        assert found_in(line, key) == Rivals()


def test_a_move_that_is_not_possible_counts_as_well() -> None:
    assert [rival.legal for rival in found_in("Correction: c5 plant c4").moves] == [False]


def test_what_was_played_before_is_spoken_of() -> None:
    line = "Your d2 plant d3 was strong"
    assert found_in(line).moves
    assert found_in(line, played=("d2; plant d3",)) == Rivals()


@pytest.mark.parametrize("line", ["Sorry, c3", "c3!", "I mean: c3"])
def test_a_part_of_a_move_that_stands_alone_makes_it_unclear(line: str) -> None:
    assert found_in(line).unclear


@pytest.mark.parametrize("line", ["Your c3 was strong", "I like the c3 corner very much"])
def test_a_cell_in_a_sentence_does_not(line: str) -> None:
    assert found_in(line) == Rivals()


@pytest.mark.parametrize("key", ["logger", "ludo", "stones", "landrush"])
def test_the_search_is_bounded(key: str) -> None:
    sent = MAILS[key]
    began = clock()
    for piece in (sent.moves[1], "a1 b2 c3 d4", "M n S e aim blue cw", "or c1 ", "a7 L b8 S 3 4 "):
        found_in("\n".join([f"hm {piece} {number}; " * 12 for number in range(20)]), key)
    assert in_reference_seconds(clock() - began) < 8
