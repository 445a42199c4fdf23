"""What a letter was read as: its orders, the lines in which moves may stand, and all the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.errors import Rejection
from pbem.games.game import Ply
from pbem.games.usual import UNREAD
from pbem.legacy.mail.free_text.near_verbs import NearMiss
from pbem.legacy.mail.verbs.agreeing import Decline
from pbem.legacy.mail.verbs.verb import Order
from pbem.legacy.matches.course import ReadMove
from pbem.names import MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class TypedOrder:
    """An order as somebody typed it; `match` and `ply` where the line names them (`K7QX2#12`).

    `back` is how often moves had been taken back before: ply 12 may come twice (`#12.1`).
    `misread` is what to say of a move that cannot be read, where more is known than the game says.
    `refused` is why it is not carried out, where that is known when it is read. `cut` are the lines
    below a text for others, or for oneself, at which it ended. `read` is the move that a text is,
    where that is known, and `unread` what nothing accounts for beside it: such a move waits.
    """

    order: Order
    typed: str
    match: MatchId | None = None
    ply: Ply | None = None
    back: int = 0
    misread: Rejection | None = None
    refused: Rejection | None = None
    cut: tuple[str, ...] = ()
    read: ReadMove | None = None
    unread: tuple[str, ...] = ()

    def plainer(self, rejection: Rejection) -> Rejection:
        """What was found out when the letter was read, where a game says only: this is no move."""
        known = self.misread is not None and rejection.code in UNREAD
        return self.misread if known and self.misread is not None else rejection


class Piece(NamedTuple):
    """Lines in which a move may stand: `order` is the one that they are, None for comments.

    `match` is the one that they name, if any, `paragraph` the number of theirs in the letter. What
    stands behind `say`, `if` and the like is none.
    """

    lines: tuple[str, ...]
    order: TypedOrder | None
    match: MatchId | None
    paragraph: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a letter says: its orders in order, its comments, and words that are nearly verbs.

    `paragraphs` are the lines of its comments as they stand together, `lines` all its lines,
    `pieces` those in which moves may stand.
    """

    orders: tuple[TypedOrder, ...]
    paragraphs: tuple[tuple[str, ...], ...]
    near_misses: tuple[NearMiss, ...]
    lines: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()

    @property
    def comments(self) -> tuple[str, ...]:
        """All lines that are no orders."""
        return tuple(line for paragraph in self.paragraphs for line in paragraph)

    def pieces_in(self, match: MatchId, home: MatchId | None) -> tuple[Piece, ...]:
        """What stands here about a match: what names none is about the one that it answers.

        Last comes what declines something: a `no` may also take a move back.
        """
        no = tuple(one.typed for one in self.orders if isinstance(one.order, Decline))
        named = (piece for piece in self.pieces if (piece.match or home or match) == match)
        return (*named, Piece(no, None, None))


def above(pieces: Sequence[Piece], here: int) -> str:
    """The lines of pieces above the paragraph `here`, with an empty one between two paragraphs."""
    below = [*(piece.paragraph for piece in pieces[1:]), here]
    return "".join(
        "\n".join(piece.lines) + ("\n" if piece.paragraph == follows else "\n\n")
        for piece, follows in zip(pieces, below, strict=False)
    )


def below(pieces: Sequence[Piece], here: int) -> str:
    """The lines of pieces below the paragraph `here`, with an empty one between two paragraphs."""
    above = [here, *(piece.paragraph for piece in pieces)]
    return "".join(
        ("\n" if piece.paragraph == before else "\n\n") + "\n".join(piece.lines)
        for piece, before in zip(pieces, above, strict=False)
    )
