"""Games whose rules are not installed: their matches can be listed and shown, but not played."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pbem.errors import Rejection
from pbem.games.game import Board, Drawn, Game, Seats
from pbem.games.packages import RULESET

if TYPE_CHECKING:
    from collections.abc import Sequence

_ANYTHING: Final = re.compile(r"\S")  # whatever players write is refused with the reason


@dataclass(frozen=True, slots=True)
class UnknownPosition:
    """The position of a match whose rules are missing. No seat is to act in it."""


def make_missing_game(ruleset: str) -> Game[Any, Any]:
    """Return a game that stands for a ruleset without rules."""
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
        words=_ANYTHING,
        initial=stay,
        turn=lambda _: Seats(()),
        legal=list_nothing,
        parse=refuse,
        read=lambda text, _: text,
        notation=str,
        play=stay,
        leave=stay,
        agree=stay,
        board=lambda *_: Board((), {}),
        dump=lambda _: "",
        load=stay,
        draws_seats=lambda _: False,
        read_chance=lambda *_: Drawn(()),
        away=True,
    )
