"""A match's record as PGN: others read it, and it is read back whatever they have made of it."""

from __future__ import annotations

import io
import lzma
from pathlib import Path
from typing import Final

import chess
import chess.pgn
import pytest
from pbem_chess import GAME

from pbem.errors import Rejection
from pbem.games.record_text import Record, RecordError, read_record
from pbem.games.table import plies_of

RECORDED: Final = lzma.decompress(Path(__file__).with_name("games.txt.xz").read_bytes()).decode()
TAGS: Final = """[Match "K7QX2"]
[Site "A \\"club\\" \\\\ elsewhere"]
[Date "2026.03.01"]
[Game "Chess"]
[Ruleset "chess-1"]
[Option "start={start}"]
[Seat1 "Anna"]
[Seat2 "Ben"]
[Result "{places}"]
[Termination "{why}"]
[TimeControl "240/36/240"]
[Protocol "2"]
[Commitment "6c3e"]
"""


pytestmark = pytest.mark.usefixtures("installed")


def record(body: str, places: str, why: str, start: str = "usual") -> str:
    last = f"{{{why}}} {places}" if places != "*" else "*"
    return "\n".join([TAGS.format(start=start, places=places, why=why), *body.split("; "), last])


def read(text: str) -> Record:
    return read_record(text.splitlines(), GAME)


def result_of(found: Record) -> tuple[object, ...]:
    *_, last = plies_of(found)
    outcome = found.game.outcome(last.after)
    return (outcome.placings, outcome.termination) if outcome is not None else ()


@pytest.mark.parametrize(
    ("body", "places", "why", "result"),
    [
        ("1. f3; 2. e5; 3. g4; 4. Qh4#", "2 1", "checkmate", "0-1"),
        ("1. e4; 2. e5 {decided before}; {seat 1 left}", "2 1", "last_seat", "0-1"),
        ("1. e4; {taken back: 2. e5}; 2. c5; {seat 2 left}", "1 2", "last_seat", "1-0"),
        ("1. e4; {a draw was agreed on}", "1 1", "agreement", "1/2-1/2"),
        ("1. e4", "*", "unterminated", "*"),
        ("1. e4", "1 2", "adjudicated", "1-0"),
        ("1. e4", "1 1", "voided", "*"),
    ],
)
def test_it_is_read_by_others_and_back(body: str, places: str, why: str, result: str) -> None:
    ours = record(body, places, why)
    pgn = GAME.recorded(ours)
    assert max(map(len, pgn.splitlines())) <= 72
    seen = chess.pgn.read_game(io.StringIO(pgn))
    assert seen is not None
    assert not seen.errors
    assert (seen.headers["White"], seen.headers["Black"]) == ("Anna", "Ben")
    assert (seen.headers["Event"], seen.headers["Result"]) == ("K7QX2", result)
    assert seen.headers["Site"] == 'A "club" \\ elsewhere'
    before, after = read_record(ours.splitlines()), read(pgn)
    assert [order for _, order in after.orders] == [order for _, order in before.orders]
    assert str(after.ending) == str(before.ending)
    assert after.names == before.names
    for tag in ("Match", "Site", "Date", "Result", "Termination", "Commitment", "TimeControl"):
        assert after.tags[tag] == before.tags[tag]


def test_what_no_player_wrote_are_comments() -> None:
    pgn = GAME.recorded(record("1. e4 {forced}; {taken back: 2. e5}; 2. c5", "*", "unterminated"))
    assert pgn.endswith("1. e4 { forced taken back: 2. e5 } 1... c5 *")


def test_a_drawn_start_is_the_position_that_others_know() -> None:
    ours = record("{drawn: 5}; 1. e4; 2. g5", "*", "unterminated", "960")
    pgn = GAME.recorded(ours)
    assert '[Variant "Chess960"]' in pgn
    assert '[FEN "qnbbnrkr/pppppppp/8/8/8/8/PPPPPPPP/QNBBNRKR w KQkq - 0 1"]' in pgn
    assert [order for _, order in read(pgn).orders] == ["* 5", "e4", "g5"]
    assert read(pgn).options == {"start": "960"}


def test_a_castling_of_a_drawn_start_is_one_of_ours() -> None:
    start = chess.Board.from_chess960_pos(518).fen()
    body = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O"
    pgn = f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{start}"]\n[Result "1-0"]\n\n{body} 1-0\n'
    found = read(pgn)
    assert len(found.orders) == 1 + 8 + 1
    assert result_of(found) == ((1, 2), "last_seat")


@pytest.mark.parametrize("number", range(0, 1000, 50))
def test_games_of_others_come_to_their_results(number: int) -> None:
    moves, result, _ = RECORDED.splitlines()[number].split("|")
    found = read(f'[Event "x"]\n[Result "{result}"]\n\n{moves} {result}\n')
    assert len([order for _, order in found.orders if order[:4] not in ("resi", "draw")]) == len(
        moves.split()
    )
    places = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
    assert result_of(found)[:1] == ((places[result],) if result in places else ())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "does not begin"),
        ("1. e4 e4", "illegal san: 'e4'"),
        ('[FEN "8/8/8/8/8/k7/8/K6R w - - 0 1"]\n[SetUp "1"]\n\n1. Rh8 *', "does not begin"),
        ('[FEN "nonsense"]\n[SetUp "1"]\n\n1. Rh8 *', "8 rows"),
    ],
)
def test_what_is_no_game_is_refused(text: str, why: str) -> None:
    with pytest.raises(Rejection) as refused:
        GAME.unrecorded(text)
    assert refused.value.code == "bad_record"
    assert why in str(refused.value.facts["found"])
    with pytest.raises(RecordError, match="no record of Chess"):
        read(text)
