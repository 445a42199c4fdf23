"""`pbem play`: transcripts, and a game at the terminal."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from pbem.legacy.cli.play import play
from pbem.legacy.cli.transcripts import play_here, play_transcript
from pbem.games import GAMES, newest
from pbem.games.chance import Dice, Draw
from pbem.games.game import Board, Chance, Drawn, Game, Outcome, Over, Seat, Seats
from pbem.games.table import Table

LOGGER = GAMES["logger-1"]
OPENING = ["E1", "a5", "", "# a comment", "e3 +d3", "a3; plant b3"]
FORCED = "loggers c1, a1, a2; b1=3* b2=1; hands 1, 0, 1"
"""Seat 1 can let seat 2 be walled in, so that it must pass."""


def told(
    lines: list[str],
    seats: int = 2,
    position: str | None = None,
    **options: str,
) -> tuple[int, list[dict[str, Any]]]:
    out = io.StringIO()
    code = play_transcript(
        LOGGER, seats, lines, out, options=options, position_text=position, json=True
    )
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


def app() -> typer.Typer:
    made = typer.Typer()
    made.callback()(lambda: None)
    made.command()(play)
    return made


def test_a_ply_is_an_object_with_exactly_these_keys() -> None:
    code, plies = told(OPENING)
    assert code == 0
    assert len(plies) == 4
    assert plies[2] == {
        "ply": 3,
        "seat": 1,
        "typed": "e3 +d3",
        "canonical": "e3; plant d3",
        "position": "loggers e3, a5; trees c3=2 d3=1; scores 0, 0; hands 2, 2; to move 2",
        "to_act": 2,
        "over": False,
        "placings": None,
    }


def test_the_first_refusal_ends_a_transcript() -> None:
    code, lines = told([*OPENING, "stay chop d3", "stay c3>c4 chop d3"])
    assert code == 1
    assert lines[-1] == {
        "rejection": "spawn_missing",
        "facts": {
            "trees": [{"tree": "c3", "cells": ["c2", "c4"]}],
            "example": "stay; c3>c2; chop d3",
        },
        "line": 7,
    }
    assert len(lines) == 5


def test_whoever_is_to_act_can_resign() -> None:
    code, plies = told([*OPENING, "Resign"])
    assert code == 0
    last = plies[-1]
    assert (last["seat"], last["canonical"], last["to_act"]) == (1, "resign", None)
    assert last["over"]
    assert last["placings"] == [2, 1]


@pytest.mark.parametrize("order", ["resign", "stay plant e2", "nonsense"])
def test_nothing_is_played_after_the_end(order: str) -> None:
    code, lines = told([*OPENING, "resign", order])
    assert code == 1
    assert lines[-1]["rejection"] == "game_over"
    assert lines[-1]["line"] == 8


def test_a_line_with_a_star_is_an_order_where_nothing_is_drawn() -> None:
    code, plies = told(["*d3"], position="loggers e4, a3; d3=3; hands 2, 2")
    assert code == 0
    assert plies[0]["canonical"] == "stay; protest d3"


def test_forced_passes_are_played_by_the_server() -> None:
    # LG-5.5
    code, plies = told(["plant d1", "stay plant a3"], position=FORCED)
    assert code == 0
    assert [(ply["seat"], ply["typed"], ply["canonical"]) for ply in plies] == [
        (1, "plant d1", "stay; plant d1"),
        (2, None, "stay; pass"),
        (3, "stay plant a3", "stay; plant a3"),
    ]
    assert plies[1]["ply"] == 2


def test_forced_passes_are_asked_for_where_the_option_says_so() -> None:
    code, plies = told(["plant d1", "stay pass"], position=f"{FORCED}; forced_pass ask")
    assert code == 0
    assert [ply["typed"] for ply in plies] == ["plant d1", "stay pass"]


def test_options_reach_the_game() -> None:
    assert told(["a1"], tree_limit="20")[1][0]["position"].endswith("tree_limit 20")
    code, lines = told([], tree_limit="lots")
    assert code == 1
    assert lines[0]["rejection"] == "bad_option"


def test_a_bad_position_is_refused() -> None:
    code, lines = told([], position="loggers a1")
    assert code == 1
    assert lines[0]["rejection"] == "bad_position"
    assert lines[0]["line"] == 0


def test_a_readable_transcript() -> None:
    out = io.StringIO()
    lines = [*OPENING, "chop d3"]
    code = play_transcript(LOGGER, 2, lines, out, options={}, position_text=None, json=False)
    assert code == 1
    assert (
        out.getvalue()
        == """\
1. seat 1: place e1
   Seat 1 puts the logger on e1 (place e1).
2. seat 2: place a5
   Seat 2 puts the logger on a5 (place a5).
3. seat 1: e3; plant d3
   Seat 1 goes from e1 to e3 and plants d3 (e3; plant d3). Now a sapling:
   c3.
4. seat 2: a3; plant b3
   Seat 2 goes from a5 to a3 and plants b3 (a3; plant b3). Now a sapling:
   d3. Now mature: c3.
line 7: Your order leaves open where new seedlings go. Please add one cell for
each of these trees, such as c3>c2: c3 to c2 or c4. For example: stay;
c3>c2; chop d3. [LG-2.9]
"""
    )


# --- chance -----------------------------------------------------------------------------------

CRAPS: Game[tuple[int, ...], str] = Game(
    key="craps",
    edition=1,
    title="Craps",
    seats=(2,),
    options=(),
    words=re.compile("roll"),
    initial=lambda _seats, _options: (),
    turn=lambda at: (
        Seats((Seat(1), Seat(2)))
        if not at
        else Chance(Draw("roll", (Dice(2, 6),)))
        if len(at) == 1
        else Over(Outcome((1, 2), "rolled"))
    ),
    legal=lambda _at: ["roll"],
    parse=lambda text, _at, _seat: text,
    read=lambda text, _at: text,
    notation=str,
    play=lambda at, played: (*at, *(played.values if isinstance(played, Drawn) else (0,))),
    leave=lambda at, _seat: at,
    facts=lambda _move, _before, _after: {},
    board=lambda *_seen: Board((), {}),
    dump=lambda at: " ".join(map(str, at)),
    load=lambda text: tuple(map(int, text.split())),
    draws_seats=lambda _options: False,
)
"""Somebody says roll, two dice fall, and it is over."""


@pytest.mark.parametrize(
    ("lines", "code", "last"),
    [
        (["roll", "* 3 4"], 0, {"seat": None, "canonical": "* 3 4", "position": "0 3 4"}),
        (["roll", "*3 4"], 0, {"typed": "*3 4", "ply": 2, "over": True, "placings": [1, 2]}),
        (["roll"], 0, {"to_act": None, "over": False}),
        (["roll", "roll"], 1, {"rejection": "draw_due", "line": 2}),
        (["roll", "* 3 7"], 1, {"rejection": "draw_impossible"}),
        (["roll", "* 3"], 1, {"rejection": "draw_impossible"}),
        (["roll", "* three"], 1, {"rejection": "unreadable"}),
    ],
)
def test_what_was_drawn_stands_in_the_transcript(
    lines: list[str], code: int, last: dict[str, object]
) -> None:
    out = io.StringIO()
    got = play_transcript(CRAPS, 2, lines, out, options={}, position_text=None, json=True)
    assert got == code
    printed = json.loads(out.getvalue().splitlines()[-1])
    assert {**printed, **last} == printed


def test_several_seats_to_act_are_a_list() -> None:
    out = io.StringIO()
    undecided = replace(CRAPS, turn=lambda _at: Seats((Seat(1), Seat(2))))
    play_transcript(undecided, 2, ["roll"], out, options={}, position_text=None, json=True)
    assert json.loads(out.getvalue())["to_act"] == [1, 2]


# --- at the terminal --------------------------------------------------------------------------


def here(lines: list[str], seats: int = 2, bots: tuple[int, ...] = ()) -> tuple[Table, str]:
    table = Table(LOGGER, seats, {}, None)
    out = io.StringIO()
    chosen = {Seat(seat): "easy" for seat in bots}
    assert play_here(table, lines, out, bots=chosen, choose=lambda size: size // 2) == 0
    return table, out.getvalue()


def test_people_take_turns_at_one_terminal() -> None:
    table, text = here(["e1", "", "dance", "a5", "e3 plant d3", "quit"])
    assert table.ply == 3
    assert 'I do not understand "dance"' in text
    assert '"help" shows how a move is written.' in text
    assert text.count("seat 1> ") == 2
    assert text.count("seat 2> ") == 4
    assert "  3  │  ·  │  ·  │  i  │  ·  │  ·  │  3" in text
    assert "A Seat 1 (you)  0 points, 2 protesters in hand  <- to move" in text


def test_help_and_rules_are_at_hand() -> None:
    _, text = here(["help", "rules"])
    assert "An order is your turn in one go" in text
    assert "Nothing grows twice." in text


def test_bots_play_the_other_seats() -> None:
    table, _ = here(["a1", "quit"], seats=4, bots=(2, 3, 4))
    assert table.ply == 4
    assert table.position.to_act == 1


def test_bots_play_a_whole_game() -> None:
    table, text = here([], seats=3, bots=(1, 2, 3))
    assert LOGGER.outcome(table.position) is not None
    assert "The game is over (" in text


def test_what_is_drawn_in_secret_is_told_at_the_end() -> None:
    def played(*lines: str) -> str:
        out = io.StringIO()
        table = Table(newest("logan_stones"), 2, {}, None)  # type: ignore[arg-type]
        play_here(table, lines, out, bots={Seat(2): "easy"}, choose=lambda size: size // 2)
        return out.getvalue()

    begun = played("add 1 L21", "quit")
    assert begun.startswith("1. chance: drawn in secret\n   The 18 stones are shuffled")
    assert "M20=" not in begun
    assert begun.count("2. seat 1: ") == 1
    last = played("add 1 L21", "resign").splitlines()[-1]
    assert last.startswith("1. was drawn in secret: * M20=")


# --- the command ------------------------------------------------------------------------------


def test_the_command_reads_standard_input_and_files(tmp_path: Path) -> None:
    orders = tmp_path / "orders.txt"
    orders.write_text("e1\na5\n", encoding="utf-8")
    run = CliRunner().invoke(app(), ["play", "logger", "--transcript", str(orders), "--json"])
    assert run.exit_code == 0
    assert [json.loads(line)["ply"] for line in run.stdout.splitlines()] == [1, 2]
    typed = ["play", "logger-1", "--seats", "3", "--transcript", "-", "--option", "tree_limit=20"]
    run = CliRunner().invoke(app(), typed, input="e1\ne1\n")
    assert run.exit_code == 1
    assert "The corner e1 is taken." in run.stdout


def test_the_command_plays_at_the_terminal() -> None:
    run = CliRunner().invoke(app(), ["play", "logger", "--bot"], input="e1\nquit\n")
    assert run.exit_code == 0
    assert "2. seat 2: place" in run.stdout


@pytest.mark.parametrize(
    "typed",
    [
        ["play", "chess"],
        ["play", "logger", "--seats", "5"],
        ["play", "logger", "--option", "tree_limit"],
        ["play", "landrush", "--bot", "--level", "strong"],
        ["play", "logger", "--option", "tree_limit=lots"],
        ["play", "logger", "--position", "loggers a1"],
        ["play", "logger", "--position", "loggers a1, e5; c3=1", "--option", "tree_limit=20"],
    ],
)
def test_the_command_refuses_what_it_cannot_do(typed: list[str]) -> None:
    assert CliRunner().invoke(app(), typed).exit_code == 2
