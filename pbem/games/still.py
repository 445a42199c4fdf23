"""Rules that are not there, or did not answer: matches by them stand still, and can be shown.

What cannot be computed is `STILL`: a position in which nobody is to move, and of which nothing is
seen. Whoever decides on a match looks after it (`require_rules`), so that none is ever kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pbem.errors import Rejection
from pbem.games.game import Board, Drawn, Game, Over, Seats
from pbem.games.packages import RULESET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.errors import Facts


class Still:
    """The position that nobody knows."""

    def __repr__(self) -> str:
        """As it is called."""
        return "STILL"

    def __reduce__(self) -> str:
        """There is one in each process."""
        return "STILL"


STILL: Final = Still()

_ANYTHING: Final = re.compile(r"\S")
"""Whatever is written to such a match is refused with the reason."""

AWAY: Final = "rules_away"
"""The code of what is refused because rules are not there."""


def rules_away(title: str) -> Rejection:
    """The rules of a game, by its title, are not there or have failed: nothing can be played."""
    return Rejection(AWAY, title=title)


def require_rules(game: Game[Any, Any], position: object) -> None:
    """Raise Rejection `rules_away` where nobody knows the position of a match."""
    if position is STILL or game.away:
        raise rules_away(game.title)


def still(ruleset: str) -> Game[Any, Any]:
    """The record of a ruleset that is not there."""
    named = RULESET.fullmatch(ruleset)
    key, _, edition = ruleset.rpartition("-")
    title = key.replace("_", " ").title()

    def refuse(*_a: object) -> Any:
        raise rules_away(title)

    def same(*_a: object) -> Any:
        return STILL

    def nothing(*_a: object) -> Sequence[Any]:
        return ()

    def no_facts(*_a: object) -> Facts:
        return {"away": True}

    def nobody(*_a: object) -> Seats | Over:
        return Seats(())

    return Game(
        key=key,
        edition=int(edition) if named is not None else 0,
        title=title,
        seats=(),
        options=(),
        words=_ANYTHING,
        initial=same,
        turn=nobody,
        legal=nothing,
        parse=refuse,
        read=lambda text, _: text,
        notation=str,
        play=same,
        leave=same,
        agree=same,
        facts=no_facts,
        board=lambda *_: Board((), {"away": True}),
        dump=lambda _: "",
        load=same,
        draws_seats=lambda _: False,
        chance_notation=lambda _, drawn: " ".join(map(str, drawn.values)),
        read_chance=lambda *_: Drawn(()),
        away=True,
    )
