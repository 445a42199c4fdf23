"""A game that was just begun plays: by mail, in a process of its own, with bots, in a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.foreign.record import close_all, open_apart
from pbem.games import GAMES
from pbem.matches.match import Status
from pbem.notices.rendering.environment import environment
from pbem.notices.views.rulebook import example
from pbem.notices.views.scene import Wishes
from pbem.runners import bots
from pbem.transaction.installation import find_match
from pbem.web.rules_pages import picture_of
from pbem.wiring.words import words_of
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.testing.installed import installed, written

ROOT: Final = Path(__file__).parents[2]


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """A club in which the small game is installed."""
    folder = tmp_path / "games"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder / "pbem-nine"))
    with installed(folder):
        GAMES.open_with(open_apart)
        found = open_club(tmp_path)
        found.house = replace(found.house, words=words_of())
        yield found
        found.house.db.close()
        GAMES.open_with(None)
        close_all()


def said(club: Club, reader: str) -> str:
    return " ".join(club.last(reader).text.split())


async def test_a_whole_match_by_mail(club: Club) -> None:
    assert hash(GAMES["nine-1"]), "pages remember by game what they have drawn"
    await club.write(ANN, f"new nine with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    assert "three in a row that everybody knows" in said(club, BOB)
    await club.answer(BOB, "accept")
    assert "9 moves are possible." in said(club, ANN)
    assert 'Take b2: "b2"' in club.last(ANN).text
    assert "X Ann (you)  <- to move" in club.last(ANN).text
    await club.answer(ANN, "b2")
    await club.answer(BOB, "take b2")
    assert "b2 is taken. Free: a1 a2 a3 b1 b3 c1 c2 c3. [NI-2.2]" in said(club, BOB)
    await club.answer(BOB, "sprache de\n")
    await club.answer(BOB, "nimm 1a")
    assert "Bob takes a1." in said(club, ANN)
    await club.answer(ANN, "try c1")
    assert "Ann takes c1." in said(club, ANN)
    for reader, move in ((ANN, "c1"), (BOB, "a3"), (ANN, "a2"), (BOB, "b3"), (ANN, "c2")):
        await club.answer(reader, move)
    assert said(club, ANN).startswith("Over: you won Nine")
    assert "there are three in a row" in said(club, ANN)
    assert "Es sind drei in einer Reihe." in said(club, BOB)
    name = club.last(ANN).subject.split()[1].strip("[]")
    match = (await club.read(lambda conn: find_match(conn, name, club.house.cache))).match  # type: ignore[attr-defined, arg-type]
    assert match.status is Status.ENDED
    assert match.course.outcome.placings == (1, 2)
    await club.answer(ANN, "ratings nine")
    assert "Nine" in said(club, ANN)
    await club.answer(ANN, "record")
    assert '[Ruleset "nine-1"]' in club.last(ANN).text
    await club.answer(ANN, "analysis")
    await club.think()
    assert "Nine" in said(club, ANN)


async def test_what_it_does_not_have_is_said(club: Club) -> None:
    await club.write(ANN, "learn nine")
    await club.answer(ANN, "yes")
    assert 'Nine has no lesson; "rules nine" tells how it is played.' in said(club, ANN)
    await club.answer(ANN, "rules nine")
    assert "Take turns; in yours you take one free cell" in said(club, ANN)
    await club.answer(ANN, "rules NI-3.2")
    assert "When all cells are taken and nobody has won, it is a draw." in said(club, ANN)


async def test_a_bot_plays_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    # The first search also reads what its process imports, on a busy machine for long.
    monkeypatch.setattr(bots, "SEARCH_SECONDS", 60.0)
    await club.write(ANN, "new nine with bot strong seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(ANN, "a1")
    assert "takes b2" in said(club, ANN), "a good bot takes the middle"
    await club.answer(ANN, "hint")
    assert "Take " in said(club, ANN)


def test_its_rules_page_can_be_made(tmp_path: Path) -> None:
    with installed(tmp_path) as game:
        for lang in ("en", "de"):
            env = environment(lang=lang)
            assert "3 x 3" in env.piece(game.key, "rules")
            assert env.piece(game.key, "ten") == env.piece(game.key, "about")


async def test_the_rules_are_those_of_the_options_of_a_match(tmp_path: Path) -> None:
    text = "Who begins: {{ options.seat_order }}.\n"
    with installed(tmp_path, edits={"texts/rules.txt.j2": text, "texts/howto.txt.j2": text}):
        club = open_club(tmp_path)
        club.house = replace(club.house, words=words_of())
        await club.write(ANN, f"new nine with {BOB} seat_order=given")
        await club.answer(ANN, "yes")
        await club.answer(BOB, "rules")  # of the match that he is invited to
        assert said(club, BOB).count("Who begins: given.") == 2
        await club.answer(BOB, "accept")
        await club.answer(ANN, "rules")
        assert said(club, ANN).count("Who begins: given.") == 2
        assert environment().piece("nine", "rules") == "Who begins: random."  # as on pages
        club.house.db.close()


def test_an_example_is_shown_as_its_viewpoint_sees_it(tmp_path: Path) -> None:
    """Of a game in which things are hidden spectators see little."""
    edits = {
        "__init__.py": ("columns=24)", "columns=24, viewpoint=1)"),
        "picture.py": (
            "def picture(",
            "def picture(p, v, m):\n    return f'<svg>{v}</svg>'\n\n\ndef _(",
        ),
    }
    with installed(tmp_path, edits=edits) as game:
        shown = example("nine", Wishes(pictures="on"))
        assert shown is not None
        assert shown.facts["you"] == 1
        assert shown.picture is not None
        assert shown.picture(str) == "<svg>1</svg>"
        assert picture_of(environment(), game) == "<svg>1</svg>"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_all_seats_of_an_example_have_names(lang: str) -> None:
    """`rules` shows it with the signs of each, however many play."""
    parts: Any = environment(lang=lang).get_template("parts.txt.j2").module
    named = [parts.someone[seat] for seat in range(1, 13)]
    assert len({*named}) == len(named)


def test_it_plays_in_a_terminal(tmp_path: Path) -> None:
    made, _ = written(tmp_path)
    told = subprocess.run(
        [sys.executable, "-m", "pbem", "play", "nine"],
        input="b2\nb2\na1\nquit\n",
        env={**os.environ, "PYTHONPATH": str(made)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "Seat 1 takes b2." in told
    assert "b2 is taken." in told
    assert "7 moves are possible." in told


def test_its_record_is_replayed(tmp_path: Path) -> None:
    made, _ = written(tmp_path)
    told = subprocess.run(
        [sys.executable, "-m", "pbem", "replay", "--file", "pbem_nine/samples/nine-1.txt"],
        env={**os.environ, "PYTHONPATH": f"{made}{os.pathsep}{ROOT}"},
        cwd=made,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "  2  | X | X | X |  2" in told


def test_its_own_tests_pass_and_name_what_is_to_be_mended(tmp_path: Path) -> None:
    made, _ = written(tmp_path)

    def tested(*given: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *given],
            env={**os.environ, "PYTHONPATH": f"{made}{os.pathsep}{ROOT}"},
            cwd=made,
            capture_output=True,
            text=True,
            check=False,
        )

    done = tested()
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
    board = made / "pbem_nine" / "board.py"
    text = board.read_text("utf-8")
    board.write_text(
        text.replace("return Board(lines,", "return Board((*lines, 'x' * 80),"), "utf-8"
    )
    done = tested("-p", "pbem.testing.plugin", "--pbem-game", "nine-1")
    assert done.returncode == 1
    assert "board(): line 10 has 80 columns; mails have 72" in done.stdout
