"""Games played from texts, as tests of all games do it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Seat, Style

OF_ALL_GAMES = {"not_seated", "seat_left", "no_draw_offers", "not_your_turn", "draw_offers_off",
                "draw_already_offered", "no_draw_offer"}  # fmt: skip


class Driver:
    """Plays one game from the texts that players type."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def start(self, seats: int, **options: str) -> Any:
        return self.game.initial_position(seats, self.game.normalise_options(options))

    def parse(self, position: Any, typed: str) -> Any:
        return self.game.parse(typed, position, Seat(position.to_act or 1))

    def read(self, position: Any, typed: str) -> str:
        """Return the canonical form of an order, or the code of the refusal."""
        try:
            return self.game.notation(self.parse(position, typed))
        except Rejection as refusal:
            return refusal.code

    def refuse(self, position: Any, typed: str) -> Rejection:
        with pytest.raises(Rejection) as refusal:
            self.parse(position, typed)
        return refusal.value

    def refuse_canonical(self, position: Any, text: str) -> str:
        """Return the code with which the rules refuse a move that no parser has completed."""
        move = self.game.read_notation(text, position)
        with pytest.raises(Rejection) as refusal:
            self.game.play(position, move)
        return refusal.value.code

    def find_wrong_part(self, text: str) -> str:
        """Return which part of the text of a position is refused."""
        with pytest.raises(Rejection) as refusal:
            self.game.load(text)
        assert refusal.value.code == "bad_position"
        return str(refusal.value.facts["part"])

    def play(self, position: Any, *typed: str) -> Any:
        """Return the position after orders. One that begins with `* ` is the answer of chance."""
        for text in typed:
            if text.startswith("* "):
                move = self.game.read_chance(text[2:], position)
            else:
                move = self.parse(position, text)
            position = self.game.play(position, move)
        return position

    def leave(self, position: Any, *seats: int) -> Any:
        for seat in seats:
            position = self.game.leave(position, Seat(seat))
        return position

    def list_legal(self, position: Any) -> list[str]:
        return [self.game.notation(move) for move in self.game.legal_moves(position)]

    def find_part(self, position: Any, key: str) -> str:
        """Return a part of the text of a position without its name; empty if there is none."""
        parts = [text for text in self.game.dump(position).split("; ") if text.startswith(key)]
        return parts[0].removeprefix(key).strip() if parts else ""

    def see(self, position: Any, viewpoint: int | None) -> Any:
        """Return the facts of the board as a viewpoint gets it."""
        seat = None if viewpoint is None else Seat(viewpoint)
        return self.game.board(position, seat, Style.ASCII).facts

    def draw(self, position: Any, viewpoint: int | None = None, style: Style = Style.ASCII) -> str:
        seat = None if viewpoint is None else Seat(viewpoint)
        return "\n".join(self.game.board(position, seat, style).lines)

    def tell(self, position: Any, typed: str) -> Any:
        """Return the facts of what happens in a move."""
        if typed.startswith("* "):
            move = self.game.read_chance(typed[2:], position)
        else:
            move = self.parse(position, typed)
        return self.game.move_facts(move, position, self.game.play(position, move))

    def count_sequences(self, position: Any, depth: int) -> int:
        """Return how many sequences of moves begin in a position."""
        legal = self.game.legal_moves(position)
        if depth == 1:
            return len(legal)
        return sum(
            self.count_sequences(self.game.play(position, move), depth - 1) for move in legal
        )


class Case(NamedTuple):
    """A row of a table of refusals: the code, and facts that the words about it need."""

    rule: str
    code: str
    position: str
    typed: str
    facts: dict[str, object]


def read_rulebook(game: str) -> str:
    return (Path(__file__).parents[2] / f"docs/games/{game}.md").read_text("utf-8")


def list_codes(game: str) -> list[str]:
    """Return the codes of the table in the rulebook of a game, without those of all games."""
    rows = re.findall(
        r"^\| \*{0,2}\w\w-8\.\d+\*{0,2} \| `(\w+)`", read_rulebook(game), re.MULTILINE
    )
    return [code for code in rows if code not in OF_ALL_GAMES]


def list_blocks(game: str, statement: str) -> list[list[str]]:
    """Return the lines of the blocks that follow a statement of the rulebook."""
    text = read_rulebook(game).partition(f"**{statement}**")[2]
    return [block.split("\n") for block in re.findall(r"```\n(.*?)\n```", text, re.DOTALL)]
