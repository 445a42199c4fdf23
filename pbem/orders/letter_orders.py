"""What a letter orders, as values: so that one process may read it and another carry it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.errors import Rejection
    from pbem.games.game import Ply
    from pbem.mail.free_text import TypedOrder
    from pbem.names import MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveAsked:
    """A move that only may be meant: its writer is asked, and it is played when they say yes.

    `near`: it is a move but for mistyped words. `unread` is what nothing accounts for beside it.
    """

    match: MatchId
    text: str
    notation: str
    ply: Ply
    version: int
    near: bool = False
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Orders:
    """What is to be carried out, in order, or the rejection that its first order meets.

    `asked` is what has to be asked first. `elsewhere` is the same in further matches that the
    letter was addressed to.
    """

    todo: tuple[TypedOrder, ...] = ()
    rejection: Rejection | None = None
    asked: tuple[MoveAsked, ...] = ()
    elsewhere: tuple[tuple[TypedOrder, ...], ...] = ()
