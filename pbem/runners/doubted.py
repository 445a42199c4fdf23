"""What of a letter in somebody's name is held and shown to them: orders, and no other text.

Whoever forges a letter must not write to its supposed writer through us. So prose stays out, and so
do the orders that carry it: what is said to others, notes, tries, and moves that are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail import orders, private_orders
from pbem.mail.move_spans import find_move
from pbem.matches.match import Status
from pbem.players.names import is_linked

if TYPE_CHECKING:
    from pbem.mail.order_lines import Reading, TypedOrder
    from pbem.matches.match import Match
    from pbem.names import MatchId
    from pbem.runners.letter_context import LetterContext

LINES: Final = 12
"""Lines that are held at most."""

LONGEST: Final = 80
"""Characters of an order that is held: a longer one is left out, since a part is another order."""

_PROSE: Final = (
    orders.Say,
    orders.Try,
    orders.Why,
    private_orders.SaidIf,
    private_orders.HalfIf,
    private_orders.Note,
)
"""Orders that hold whatever their writer likes."""


def doubted_lines(context: LetterContext, reading: Reading) -> tuple[tuple[str, ...], bool]:
    """The lines of a letter that were read as orders, and whether any of it is left out."""
    whole = False
    kept: list[str] = []
    for typed in reading.orders:
        lines = _line(context, typed)
        if lines is None or len(kept) + len(lines) > LINES:
            whole = True
            continue
        kept.extend(lines)
    return tuple(kept), whole or bool(reading.comments)


def _line(context: LetterContext, typed: TypedOrder) -> list[str] | None:
    """An order as it can be read again, or None if it may hold anything."""
    if isinstance(typed.order, orders.Move):
        return _move(context, typed, typed.order.text)
    lines = typed.typed.split("\n")
    if isinstance(typed.order, _PROSE) or any(_holds_anything(line) for line in lines):
        return None
    return lines


def _holds_anything(line: str) -> bool:
    addresses = [word for word in line.split() if "@" in word]
    rest = " ".join(word for word in line.split() if "@" not in word)
    return len(line) > LONGEST or len(addresses) > 1 or is_linked(rest)


def _move(context: LetterContext, typed: TypedOrder, text: str) -> list[str] | None:
    """The move, without what stands around it; None where there is none on the board."""
    match = _match_of(context, typed)
    seat = match.seat_of(context.sender) if match is not None else None
    if match is None or seat is None:
        return None

    def notation(span: str) -> str | None:
        try:
            return match.game.notation(match.game.parse(span, match.position, seat))
        except Rejection:
            return None

    if notation(text) is not None:
        said = text
    else:
        found = find_move(text, notation, match.game.words)
        if len(found.spans) != 1:
            return None
        said = found.spans[0].reads_as
    lines = [" ".join(line.split()) for line in said.split("\n")]
    return [f"{_guard(typed)}{lines[0]}", *lines[1:]] if max(map(len, lines)) <= LONGEST else None


def _guard(typed: TypedOrder) -> str:
    if typed.match is None and typed.ply is None:
        return ""
    ply = f"#{typed.ply}" if typed.ply is not None else ""
    back = f".{typed.back}" if typed.ply is not None and typed.back else ""
    return f"{typed.match or ''}{ply}{back} "


def _match_of(context: LetterContext, typed: TypedOrder) -> Match | None:
    name: MatchId | None = typed.match or context.home
    if name is None:
        rows = context.own_matches((Status.RUNNING.value,))
        name = rows[0].id if len(rows) == 1 else None
    loaded = context.found(name) if name is not None else None
    found = loaded.match if loaded is not None else None
    return found if found is not None and found.status is Status.RUNNING else None
