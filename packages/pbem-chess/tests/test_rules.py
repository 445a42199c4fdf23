"""Chess against other programs: perft counts, and a thousand recorded games.

`games.txt.xz` has a game a line: its moves in SAN, its result, and the last position as FEN, as
pgn-extract wrote them of games that Stockfish and chance had played.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import chess
import pytest
from pbem_chess import GAME, Position

from pbem.errors import Rejection
from pbem.games.game import Chance, ChanceResult, GameOver, Marks, Seat, Seats, Transition
from pbem.testing.pictures import find_picture_fault

USUAL = {"start": "usual", "seat_order": "given"}
PACKED = Path(__file__).with_name("games.txt.xz").read_bytes()
GAMES = lzma.decompress(PACKED).decode().splitlines()
GERMAN = str.maketrans("NBRQ", "SLTD")


def perft(position: Position, depth: int) -> int:
    moves = GAME.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(GAME.play(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("fen", "depth", "count"),
    [
        (chess.STARTING_FEN, 3, 8_902),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2_039),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2_812),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2, 1_486),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 2, 2_079),
    ],
)
def test_as_many_moves_are_legal_as_others_have_counted(fen: str, depth: int, count: int) -> None:
    assert perft(GAME.load(fen), depth) == count


def replayed(line: str) -> None:
    moves, result, fen = line.split("|")
    position, seat = GAME.initial_position(2, USUAL), 1
    for number, text in enumerate(moves.split()):
        typed = text.translate(GERMAN) if number % 3 == 0 else text
        move = GAME.parse(typed, position, Seat(seat))
        assert GAME.notation(move) == text
        position, seat = GAME.play(position, move), 3 - seat
    board = chess.Board(position.root)
    for uci in position.moves:
        board.push_uci(uci)
    assert board.fen().split()[:3] == fen.split()[:3]
    turn = GAME.turn(position)
    if result in {"1-0", "0-1"}:
        assert isinstance(turn, GameOver)
        assert turn.outcome.placings == ((1, 2) if result == "1-0" else (2, 1))
    elif result == "1/2-1/2":
        after = (GAME.play(position, move) for move in GAME.legal_moves(position))
        claims = any(GAME.claim_draw(one) is not None for one in (position, *after))
        assert claims or (isinstance(turn, GameOver) and turn.outcome.placings == (1, 1))
    else:
        assert isinstance(turn, Seats)
    assert GAME.load(GAME.dump(position)) == position


@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_recorded_games_are_replayed_by_what_is_written(
    first: int,
) -> None:
    assert len(GAMES) == 1000
    for line in GAMES[first : first + 250 : 10]:
        replayed(line)


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("e4", "e4"),
        ("e2e4", "e4"),
        ("e2-e4", "e4"),
        ("1. e4", "e4"),
        ("Sf3", "Nf3"),
        ("nf3", "Nf3"),
        ("g1-f3", "Nf3"),
        ("Nf3!?", "Nf3"),
    ],
)
def test_first_moves_are_read_however_people_write_them(typed: str, played: str) -> None:
    move = GAME.parse(typed, GAME.initial_position(2, USUAL), Seat(1))
    assert GAME.notation(move) == played


@pytest.mark.parametrize(
    ("fen", "typed", "became"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o-o", "O-O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "O-O"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8D", "a8=Q"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a8=N"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8", "promotion_missing"),
        ("8/8/8/8/8/k7/8/R6R w - - 0 1", "Rd1", "bad_position"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", "ambiguous"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rad1", "Rad1"),
        ("4k3/8/8/8/8/8/4q3/4K2R w K - 0 1", "Rh2", "in_check"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Qd1", "illegal"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "hello", "not_a_move"),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "exf6 e.p.", "exf6"),
    ],
)
def test_what_is_written_is_a_move_or_refused_with_the_reason(
    fen: str, typed: str, became: str
) -> None:
    try:
        position = GAME.load(fen)
        said = GAME.notation(GAME.parse(typed, position, Seat(1)))
    except Rejection as rejection:
        said = rejection.code
    assert said == became


@pytest.mark.parametrize(
    ("fen", "termination", "placings"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate", (1, 1)),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate", (1, 2)),
        ("8/8/4k3/8/8/3K4/8/6N1 w - - 0 1", "material", (1, 1)),
        ("4k3/8/8/8/8/8/4K3/R7 w - - 150 90", "seventy_five", (1, 1)),
    ],
)
def test_a_game_ends_on_the_board(fen: str, termination: str, placings: tuple[int, int]) -> None:
    turn = GAME.turn(GAME.load(fen))
    assert isinstance(turn, GameOver)
    assert (turn.outcome.termination, turn.outcome.placings) == (termination, placings)


def test_what_comes_again_can_be_claimed_the_third_time_and_ends_the_fifth() -> None:
    position = GAME.initial_position(2, USUAL)
    for number, text in enumerate(("Nf3", "Nf6", "Ng1", "Ng8") * 4, 1):
        assert (GAME.claim_draw(position) is not None) == (number > 8)
        position = GAME.play(position, GAME.parse(text, position, Seat(1)))
    turn = GAME.turn(position)
    assert isinstance(turn, GameOver)
    assert turn.outcome.termination == "fivefold"
    fifty = GAME.claim_draw(GAME.load("4k3/8/8/8/8/8/4K3/R7 w - - 100 90"))
    assert fifty is not None
    assert fifty.ended == "fifty"


def test_each_of_the_960_positions_can_be_drawn() -> None:
    start = GAME.initial_position(2, {**USUAL, "start": "960"})
    assert isinstance(GAME.turn(start), Chance)
    rows = {GAME.play(start, ChanceResult((number,))).root.split("/")[0] for number in range(960)}
    assert len(rows) == 960
    assert GAME.play(start, ChanceResult((518,))).root == chess.STARTING_FEN
    assert GAME.load(GAME.dump(start)) == start


def test_pictures_mark_the_last_move_and_a_king_in_check() -> None:
    before = GAME.load("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    move = GAME.parse("Ra8", before, Seat(1))
    after = GAME.play(before, move)
    marks = Marks(transitions=(Transition(move, before, after),))
    for seat in (None, Seat(1), Seat(2)):
        drawn = GAME.picture(after, seat, marks)
        assert find_picture_fault(drawn) == ""
        assert (drawn.count("#f3e27c"), drawn.count("#e6cf6e"), drawn.count("#f0877c")) == (1, 1, 1)
        assert len(drawn) < 20_000
