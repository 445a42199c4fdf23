"""Placeholders for games that are not installed: their matches can be listed, but not played."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pbem.errors import Rejection
from pbem.games.game import Board, ChanceResult, Game, Seats
from pbem.games.packages import RULESET

if TYPE_CHECKING:
    from collections.abc import Sequence

_ANYTHING: Final = re.compile(r"\S")  # every line counts as a move, and is refused with the reason


@dataclass(frozen=True, slots=True)
class UnknownPosition:
    """The position of a match whose game is not installed. No seat is to act."""


def make_missing_game(ruleset: str) -> Game[Any, Any]:
    """Return a placeholder for the ruleset, whose `parse` raises the Rejection `rules_missing`."""
    match = RULESET.fullmatch(ruleset)
    key = ruleset.rpartition("-")[0]
    title = key.replace("_", " ").title()

    def refuse(*_arguments: object) -> Any:
        raise Rejection("rules_missing", game=title)

    def stay(*_arguments: object) -> UnknownPosition:
        return UnknownPosition()

    def list_nothing(*_arguments: object) -> Sequence[Any]:
        return ()

    return Game(
        key=key,
        edition=int(match["edition"]) if match is not None else 0,
        title=title,
        seats=(),
        move_words=_ANYTHING,
        initial_position=stay,
        turn=lambda _: Seats(()),
        legal_moves=list_nothing,
        parse=refuse,
        read_notation=lambda text, _: text,
        notation=str,
        play=stay,
        leave=stay,
        agree_draw=stay,
        board=lambda *_: Board((), {}),
        dump=lambda _: "",
        load=stay,
        is_seat_order_drawn=lambda _: False,
        read_chance=lambda *_: ChanceResult(()),
        is_missing=True,
    )
