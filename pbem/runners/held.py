"""Letters that wait for a `yes`: what they said, and how the matches stood when they came."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from pbem.games.game import Ply
from pbem.mail import orders
from pbem.mail.wish_orders import ChooseWish
from pbem.matches.match import Status
from pbem.runners.doubted import LINES, LONGEST
from pbem.runners.moves import QUESTIONS_LIVE
from pbem.store import questions, views

if TYPE_CHECKING:
    from pbem.errors import Fact
    from pbem.mail.order_lines import Reading, TypedOrder
    from pbem.names import MatchId
    from pbem.runners.letter_context import LetterContext
    from pbem.runners.taking import Taking

Kind: TypeAlias = Literal["letter", "doubted"]

MOST: Final[Mapping[Kind, tuple[int, int]]] = {"letter": (40, 500), "doubted": (LINES, LONGEST)}
"""Lines and characters of a line that are kept."""

SHOWN: Final = 70
"""Columns of what is shown of a held letter; all of it is shown."""


def hold(taking: Taking, lines: Sequence[str], home: MatchId | None, kind: Kind) -> tuple[str, ...]:
    """Keep what a letter said until its player says `yes`; the lines that are kept."""
    running = views.matches_of(taking.conn, taking.sender, (Status.RUNNING.value,))
    most, longest = MOST[kind]
    held = tuple(line[:longest] for line in lines[:most])
    facts: dict[str, Fact] = {
        "match": home,
        "lines": held,
        "plies": {row.id: row.ply for row in running},
    }
    questions.ask(
        taking.conn,
        f"{taking.cause}:held",
        player=taking.sender,
        kind=kind,
        facts=facts,
        expires_at=taking.now + QUESTIONS_LIVE,
    )
    return held


def held_lines(facts: Mapping[str, object]) -> tuple[str, ...]:
    """The lines that were held."""
    lines = facts.get("lines")
    return tuple(str(line) for line in lines) if isinstance(lines, list) else ()


def shown(lines: Sequence[str]) -> tuple[str, ...]:
    """Every held line, in pieces that no mail cuts: who says `yes` has seen all."""
    return tuple(piece for line in lines for piece in textwrap.wrap(line, SHOWN))


def as_of(context: LetterContext, typed: TypedOrder, facts: Mapping[str, object]) -> TypedOrder:
    """A held move guarded by the ply that it was written for: on another board it plays nothing."""
    plies = facts.get("plies")
    if not isinstance(typed.order, orders.Move) or typed.ply is not None:
        return typed
    if not isinstance(plies, dict):
        return typed
    only = next(iter(plies)) if len(plies) == 1 else None
    then = plies.get(typed.match or context.home or only)
    return replace(typed, ply=Ply(then + 1)) if isinstance(then, int) else typed


def without_yes(reading: Reading) -> Reading:
    """Any answer confirms an address; the `yes` that was asked for has done its work."""
    rest = tuple(typed for typed in reading.orders if not isinstance(typed.order, orders.Yes))
    return replace(reading, orders=rest)


def says_no(reading: Reading) -> bool:
    """Whether an answer to our question wants nothing of what was asked."""
    return any(_refuses(typed.order) for typed in reading.orders)


def _refuses(order: orders.Order) -> bool:
    match order:
        case orders.Decline() | orders.Invitations(welcome=False) | ChooseWish("everything", "off"):
            return True
        case _:
            return False
