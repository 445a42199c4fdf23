"""Recorded games of all kinds, fed through `pbem play --transcript` and back through positions."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from pbem.cli.transcripts import play_transcript
from pbem.games import GAMES, AnyGame, newest
from pbem.games.game import Drawn
from tests.cli.test_play import app

TESTS: Final = Path(__file__).parents[1]
SAMPLES: Final = TESTS.parent / "events" / "samples"
_DUMP: Final = re.compile(r"(?:  |    )(?=island |seats |\w+[ ;]).*[;,].*")
_ORDER: Final = re.compile(r"(?:\w+\. )?\w+: ([^.]+)")
_TOLD: Final = re.compile(r"\d+\. \w+ (?!passes)[^(]*\(([^;)]+)[;)].*")
"""A turn in words, with its order in brackets, and perhaps with what followed from it behind."""
_ENDED: Final = "stash: |exhausted: |points: "
OPTIONS: Final = {
    "looney_ludo/golden/2-seats.txt": {"colours": "rb"},
    "looney_ludo/golden/3-seats.txt": {"nest_timing": "own_turn"},
    "looney_ludo/golden/4-seats.txt": {"turn_cap": "60"},
}
"""What the golden games of each name were begun with, where it is not the default."""


@dataclass(frozen=True)
class Recorded:
    """A game as orders, and the positions that are known to come in it, in order."""

    name: str
    game: AnyGame
    seats: int
    options: dict[str, str]
    orders: tuple[str, ...]
    positions: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


def played(
    game: AnyGame,
    orders: Sequence[str],
    seats: int = 2,
    options: dict[str, str] | None = None,
    position: str | None = None,
) -> tuple[int, list[dict[str, Any]]]:
    out = io.StringIO()
    code = play_transcript(
        game, seats, orders, out, options=options or {}, position_text=position, json=True
    )
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


def goldens() -> Iterator[Recorded]:
    for path in sorted((TESTS / "games").glob("*/golden/*.txt")):
        name = path.relative_to(TESTS / "games").as_posix()
        game = newest(path.parts[-3])
        assert game is not None
        orders, positions = [], []
        for line in _whole_lines(path.read_text(encoding="utf-8")):
            if line.startswith("* "):
                orders.append(line)
            elif _is_position(game, line):
                positions.append(line.strip())
            elif not re.match(_ENDED, line) and (order := _order_in(line)):
                orders.append(order[1])
        seats = int(path.name[0])
        yield Recorded(name, game, seats, OPTIONS.get(name, {}), (*orders,), (*positions,))


def _whole_lines(text: str) -> list[str]:
    """The lines, with those of a turn in words that was wrapped as one."""
    return re.sub(r"(?m)^\d+\. \w+ [^(\n]*(?:\n[^(\n]*)?\([^)]*\)\..*$", _on_one, text).splitlines()


def _on_one(found: re.Match[str]) -> str:
    return " ".join(found[0].split())


def _order_in(line: str) -> re.Match[str] | None:
    return _ORDER.fullmatch(line) or _TOLD.fullmatch(line)


def _is_position(game: AnyGame, line: str) -> bool:
    if not _DUMP.fullmatch(line):
        return False
    return game.dump(game.load(line.strip())) == line.strip()


def samples() -> Iterator[Recorded]:
    """The recorded matches of the contract: orders from events, positions by their replay."""
    for path in sorted(SAMPLES.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
        events = [(row["type"], row["data"]) for row in rows if "type" in row]
        (started,) = (data for kind, data in events if kind == "MatchStarted")
        opened = [data["values"] for kind, data in events if kind == "ChanceRevealed"]
        game = GAMES[started["ruleset"]]
        seats = len(started["players"])
        position = game.initial(seats, started["options"])
        orders, positions = [], []
        for kind, data in events:
            if kind == "MovePlayed":
                orders.append(data["notation"])
                position = game.play(position, game.read(data["notation"], position))
            elif kind in ("ChanceDrawn", "ChanceSealed") and not data["asked"].startswith("seats"):
                drawn = Drawn(tuple(data["values"] if kind == "ChanceDrawn" else opened.pop(0)))
                orders.append(f"* {game.chance_notation(position, drawn)}")
                position = game.play(position, drawn)
            else:
                continue
            positions.append(game.dump(position))
        yield Recorded(path.name, game, seats, started["options"], (*orders,), (*positions,))


RECORDED: Final = [*goldens(), *samples()]


def test_every_game_has_records() -> None:
    assert {one.game for one in RECORDED} == set(GAMES.values())
    assert {one.name for one in RECORDED} >= {f"{name}.jsonl" for name in GAMES}
    assert all(len(one.orders) > 20 and len(one.positions) > 20 for one in RECORDED)


@pytest.mark.parametrize("one", RECORDED, ids=str)
def test_a_recorded_game_comes_to_the_same_positions(one: Recorded) -> None:
    code, plies = played(one.game, one.orders, one.seats, one.options)
    assert code == 0, plies[-1]
    first = one.game.dump(one.game.initial(one.seats, one.game.normal_options(one.options)))
    reached = iter([first, *(ply["position"] for ply in plies)])
    assert [text for text in one.positions if text not in reached] == []


@pytest.mark.parametrize("one", RECORDED, ids=str)
def test_a_game_goes_on_from_any_of_its_positions(one: Recorded) -> None:
    _, plies = played(one.game, one.orders, one.seats, one.options)
    for at in range(0, len(plies) - 1, 7):
        rest = [ply["typed"] or ply["canonical"] for ply in plies[at + 1 :]]
        code, again = played(one.game, rest, position=plies[at]["position"])
        assert code == 0
        assert [ply["position"] for ply in again][-1] == plies[-1]["position"]


REFUSED: Final = [
    ("logger", ["e1", "e1"], "place_occupied", 2),
    ("looney_ludo", ["* Red 6, Yellow 5", "S w"], "draw_due", 2),
    ("looney_ludo", ["* Red 7, Yellow 5"], "unreadable", 1),
    ("logan_stones", ["1 l21"], "draw_due", 1),
    ("logan_stones", ["* three"], "unreadable", 1),
    ("landrush", ["* Red", "", "c4", "c4"], "occupied", 4),
    ("landrush", ["* Red", "c4", "g9", "* Suns 9"], "unreadable", 4),
]


@pytest.mark.parametrize(("game", "lines", "code", "line"), REFUSED)
def test_the_first_refusal_is_an_object_and_the_exit_is_1(
    game: str, lines: list[str], code: str, line: int
) -> None:
    run = CliRunner().invoke(
        app(), ["play", game, "--transcript", "-", "--json"], input="\n".join(lines)
    )
    assert run.exit_code == 1
    *_, last = run.stdout.splitlines()
    refused = json.loads(last)
    assert set(refused) == {"rejection", "facts", "line"}
    assert (refused["rejection"], refused["line"]) == (code, line)
