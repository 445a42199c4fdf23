"""What `pbem play` says about a game, from the game's own templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jinja2.filters import do_wordwrap

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Outcome, Seat, Style
from pbem.notices.rendering.environment import environment
from pbem.notices.rendering.families import TEXT

if TYPE_CHECKING:
    from pbem.games.table import Played

_MOST_SEATS = 9
_WIDTH = 72


class Words:
    """The templates of one game; `names` are those of the seats, if they have any."""

    def __init__(self, game: AnyGame, names: Sequence[str] = ()) -> None:
        """Find the templates."""
        self.game = game
        self.environment = environment()
        numbered = {seat: f"Seat {seat}" for seat in range(1, _MOST_SEATS + 1)}
        self.names = {**numbered, **dict(enumerate(names, 1))}

    def page(self, name: str, **facts: Any) -> str:
        """A text of the game, without its last line break."""
        path = f"games/{self.game.key}/{name}.txt.j2"
        text = self.environment.get_template(path).render(names=self.names, **facts)
        return text.strip("\n")

    def prompt(self, position: object, seat: Seat) -> str:
        """The board as the seat sees it, and what it can do."""
        board = self.game.board(position, seat, Style.UNICODE)
        legend = self.page("legend", facts=board.facts)
        can = self.page("can", facts=board.facts)
        return "\n".join(["", *board.lines, "", legend, "", can])

    def told(self, played: Played) -> str:
        """A move or what was drawn, in words; nothing for a resignation, which says it itself."""
        if played.move is None:
            return ""
        facts = self.game.facts(played.move, played.before, played.after)
        return self.page("told", facts=facts, seat=played.seat, notation=played.canonical)

    def refused(self, refusal: Rejection) -> str:
        """Why an order was refused; code and facts where the game has no words for it."""
        family = f"games/{self.game.key}/rejections"
        if refusal.code not in self.environment.family(family + TEXT):
            return str(refusal)
        text = self.environment.member(
            family, refusal.code, facts=dict(refusal.facts), names=self.names
        )
        return do_wordwrap(self.environment, text, _WIDTH, break_on_hyphens=False)

    def ended(self, outcome: Outcome) -> str:
        """Who came where."""
        places = sorted((place, self.names[seat]) for seat, place in enumerate(outcome.placings, 1))
        listed = ", ".join(f"{place}. {name}" for place, name in places)
        return f"The game is over ({outcome.termination}): {listed}"
