"""Chess by mail, through pbem's own door: nothing of pbem knows it by name."""

from __future__ import annotations

import io

import chess.pgn
import pytest

from pbem.games import GAMES
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.store import views
from pbem.legacy.transaction.installation import load_match
from pbem.names import MatchId
from tests.legacy.clubs.club import ANN, BOB, Club


async def begin(club: Club, options: str = "") -> tuple[MatchId, str, str]:
    """A match, who has White, and who has Black."""
    await club.write(ANN, f"new chess with {BOB} {options}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "yes")
    names = await club.read(lambda conn: views.match_ids(conn, ("running",)))
    assert isinstance(names, list)
    match = await the_match(club, names[0])
    white = match.table.players[0]
    by = {ANN: BOB, BOB: ANN}
    first = ANN if match.table.challenger == white else BOB
    return names[0], first, by[first]


async def the_match(club: Club, name: MatchId) -> Match:
    found = await club.read(lambda conn: load_match(conn, name).match)
    assert isinstance(found, Match)
    return found


async def plays(club: Club, one: str, other: str, *moves: str) -> None:
    for number, text in enumerate(moves):
        await club.answer((one, other)[number % 2], text)


async def test_a_mate_ends_the_match(club: Club) -> None:
    name, white, black = await begin(club)
    await plays(club, white, black, "e4", "e5", "Lc4", "Sc6", "Qh5", "Nf6??", "Dxf7#")
    match = await the_match(club, name)
    assert match.status is Status.ENDED
    assert match.course.outcome is not None
    assert (match.course.outcome.placings, match.course.outcome.termination) == (
        (1, 2),
        "checkmate",
    )
    assert [step.text for step in match.course.steps][-1] == "Qxf7#"


async def test_a_draw_is_claimed_below_the_move_that_repeats(club: Club) -> None:
    name, white, black = await begin(club)
    await plays(club, white, black, *("Nf3", "Nf6", "Ng1", "Ng8") * 2)
    assert (await the_match(club, name)).status is Status.RUNNING
    await plays(club, white, black, "Nf3", "Nf6", "Ng1", "Ng8\ndraw")
    match = await the_match(club, name)
    assert match.course.outcome is not None
    assert (match.course.outcome.placings, match.course.outcome.termination) == (
        (1, 1),
        "threefold",
    )
    assert "claimed" in club.last(white).text


async def test_a_draw_that_nobody_may_claim_is_an_offer(club: Club) -> None:
    name, white, black = await begin(club)
    await club.answer(white, "e4\ndraw")
    match = await the_match(club, name)
    assert match.status is Status.RUNNING
    assert match.pending.offer is not None
    await club.answer(black, "draw")
    match = await the_match(club, name)
    assert match.course.outcome is not None
    assert match.course.outcome.termination == "agreement"


async def test_chess960_draws_its_position_provably(club: Club) -> None:
    name, white, black = await begin(club, "start=960")
    match = await the_match(club, name)
    assert match.course.steps[0].kind.value == "draw"
    legal = [GAMES["chess-1"].notation(move) for move in match.game.legal(match.course.position)]
    await plays(club, white, black, legal[0])
    assert (await the_match(club, name)).course.ply == 1


async def test_in_german_pieces_have_german_letters(club: Club) -> None:
    name, white, black = await begin(club)
    await club.answer(white, "sprache de")
    await plays(club, white, black, "Sf3", "Nf6")
    assert [step.text for step in (await the_match(club, name)).course.steps] == ["Nf3", "Nf6"]
    told = club.last(white).text
    assert 'spielt "Sf6"' in told
    await club.answer(white, "Dh5")
    assert "kein möglicher Zug" in club.last(white).text
    assert (await the_match(club, name)).course.ply == 2


async def test_a_bot_plays_chess(club: Club) -> None:
    await club.write(ANN, "new chess with bot easy")
    await club.answer(ANN, "yes")
    names = await club.read(lambda conn: views.match_ids(conn, ("running",)))
    assert isinstance(names, list)
    match = await the_match(club, names[0])
    if match.player_at(match.to_act[0]) == match.table.challenger:
        await club.answer(ANN, "e4")
    match = await the_match(club, names[0])
    assert match.course.ply in {1, 2}
    assert match.player_at(match.to_act[0]) == match.table.challenger


async def test_the_record_is_a_pgn_that_is_mailed_whole(club: Club) -> None:
    _, white, black = await begin(club)
    await plays(club, white, black, "e4", "e5", "Lc4", "Sc6", "Qh5", "Nf6??", "Dxf7#")
    await club.answer(white, "record")
    text = club.last(white).text
    pgn = chess.pgn.read_game(io.StringIO(text[text.index("[Event") :]))
    assert pgn is not None
    assert pgn.headers["Result"] == "1-0"
    assert pgn.end().board().is_checkmate()


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("knight f3", "Nf3"),
        ("Knight to f3, please", "Nf3"),
        ("N f3", "Nf3"),
        ("Springer f3", "Nf3"),
        ("♘f3", "Nf3"),
        ("N.f3", "Nf3"),
        ("pawn e4", "e4"),
        ("Hi Bob, e4", "e4"),
        ("1. d4", "d4"),
        ("e4\n\nThanks,\nAnn", "e4"),
        ("K f3", None),
        ("N\nf3", None),
        ("f3\nN", None),
        ("N. f3", "Nf3"),
        ("B x c3", None),
        ("bishop takes c3", None),
        ("horse f3", None),
        ("cavalier f3", None),
        ("the horse goes to f3", None),
        ("f3 knight", None),
        ("f3 with the knight", None),
        ("my horse\nf3", None),
    ],
)
async def test_no_piece_is_read_over(club: Club, typed: str, played: str | None) -> None:
    name, white, _ = await begin(club)
    await club.answer(white, typed)
    await club.wait(hours=2)
    told = club.last(white).text
    steps = [step.text for step in (await the_match(club, name)).course.steps]
    assert steps == ([played] if played else []), told
    assert "could not be read" not in told
