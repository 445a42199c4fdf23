"""Parsing of moves that players type in emails and in the commands `try` and `if`."""

from __future__ import annotations

from typing import Any

from pbem.games import AnyGame
from pbem.games.game import Seat
from pbem.games.vocabulary import latinise
from pbem.mail.commands import MoveGrammar
from pbem.match.play import read_move
from pbem.match.state import Match
from pbem.names import PlayerId


class PositionGrammar(MoveGrammar):
    """Parser of the moves of one seat in a position that a match may reach."""

    def __init__(self, game: AnyGame, position: Any, seat: Seat) -> None:
        """Create a parser for the moves of `seat`, which is to move in `position`."""
        self._game, self._position, self._seat = game, position, seat

    def read(self, text: str) -> str:
        """Return the legal move that a player typed as `text`, in canonical notation.

        Raises:
            Rejection: The text is not a legal move.
        """
        move = self._game.parse(text, self._position, self._seat)
        self._game.try_move(self._position, move, self._seat)
        return str(self._game.notation(move))

    def has_word(self, text: str) -> bool:
        """Return whether a text has a word that is typical of the moves of this game."""
        return self._game.move_words.search(latinise(text)) is not None


class MatchGrammar(PositionGrammar):
    """Parser of the moves and standing orders of one player in the current state of a match."""

    def __init__(self, match: Match, player: PlayerId) -> None:
        """Create a parser for a match and one of its players, whether or not they are to move."""
        self._game, self._match, self._player = match.game, match, player

    def read(self, text: str) -> str:
        """Return the legal move or standing order that a player typed, in canonical notation.

        `Game.parse_standing_order` finds out which of the two it is.

        Raises:
            Rejection: The text is neither a legal move nor a standing order.
        """
        order = self._game.parse_standing_order(text)
        return order if order is not None else read_move(self._match, self._player, text)
