"""What texts are to the seat to move: a legal move, a faulty one, a part of one, or none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pbem.errors import Rejection
from pbem.games.usual import UNREAD
from pbem.legacy.mail.free_text.courtesies import is_filler

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.games import AnyGame
    from pbem.games.game import Seat

_WORD: Final = re.compile(r"[^\W_]+")

_OPEN: Final = ("_missing", "_incomplete", "_needed")
"""How the codes of every game end for an order that is not whole."""

_PLACE: Final = re.compile(r"[a-z][0-9]{1,2}")
_NO_PLACE: Final = ("bad_cell", "off_board", "not_a_space")
"""The codes of the games for a place that is not theirs."""


class Readings:
    """Reads every text once, for one seat on one position.

    `played` are the moves of the match so far, in canonical words: who names one of them that is
    not possible any more speaks of it. `recent` are those since the seat's last turn, whose places
    anybody speaks of. `count` is how many texts have been read.
    """

    def __init__(
        self,
        game: AnyGame,
        position: Any,
        seat: Seat,
        played: Iterable[str] = (),
        recent: Iterable[str] = (),
    ) -> None:
        """Nothing is read before it is asked for."""
        self._recent = {place for text in recent for place in _PLACE.findall(text.casefold())}
        self.game = game
        self._position = position
        self.seat = seat
        self._played = frozenset(map(_signs, played))
        self._known: dict[str, str | Rejection] = {}
        self._moves: dict[str, Any] = {}

    @property
    def count(self) -> int:
        """How many texts have been read."""
        return len(self._known)

    def _read(self, text: str) -> str | Rejection:
        if text not in self._known:
            try:
                move = self.game.parse(text, self._position, self.seat)
                read: str | Rejection = self.game.notation(move)
                self._moves[text] = move
            except Rejection as rejection:
                read = rejection
            self._known[text] = read
        return self._known[text]

    def move(self, text: str) -> str | None:
        """A legal move in its canonical form; None for any other text."""
        read = self._read(text)
        return read if isinstance(read, str) else None

    def value(self, text: str) -> Any:
        """A legal move as the game's value. Raises KeyError for any other text."""
        self._read(text)
        return self._moves[text]

    def rejection(self, text: str) -> Rejection | None:
        """Why a text is no legal move."""
        read = self._read(text)
        return read if isinstance(read, Rejection) else None

    def legal(self) -> list[str]:
        """The legal turns in canonical form; only their steps where whole turns are too many."""
        return [self.game.notation(move) for move in self.game.legal(self._position)]

    def is_begun(self, text: str) -> bool:
        """Whether a text is a move or a part of one."""
        found = self.rejection(text)
        return found is None or found.code not in UNREAD

    def is_whole(self, text: str) -> bool:
        """Whether a text is a whole move, legal or not."""
        found = self.rejection(text)
        return self.is_begun(text) and (found is None or not found.code.endswith(_OPEN))

    def is_named(self, text: str) -> bool:
        """Whether a text is a move in the game's own words, which is only not legal here.

        Then it means nothing else, and the game says what is wrong with it.
        """
        if self.rejection(text) is None or not self.is_begun(text):
            return False
        try:
            self.game.read(text.strip(), self._position)
        except Rejection as refused:
            return refused.code not in UNREAD or self.game.spelled(text) is not None
        return True

    def is_on_board(self, text: str) -> bool:
        """Whether a word is a place that the game has (`G7` may be none, and `3am` is no place)."""
        found = self.rejection(text)
        place = _PLACE.fullmatch(text.casefold()) is not None
        return place and (found is None or found.code not in _NO_PLACE)

    def was_just_played(self, place: str) -> bool:
        """Whether a place stands in one of the moves since the seat's last turn."""
        return place.casefold() in self._recent

    def was_played(self, text: str) -> bool:
        """Whether a text names a move of this match that was made already."""
        return _signs(text) in self._played


def _signs(text: str) -> frozenset[str]:
    """The words of a move that mean something, in whatever order (`S on c9`)."""
    return frozenset(word for word in _WORD.findall(text.casefold()) if not is_filler(word))
