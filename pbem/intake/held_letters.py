"""Letters that wait for a `yes`: what they said, and how the matches stood when they came."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from pbem.games.game import Ply
from pbem.intake.doubtful_orders import LINES, MOVE, ORDERS, WRITTEN
from pbem.mail.verbs import orders
from pbem.matches.match import Status
from pbem.orders.confirmations import later_lines
from pbem.orders.one_time_questions import ask_once
from pbem.orders.powers import refuses
from pbem.store import views
from pbem.store.people import questions, roster
from pbem.transaction.question_kinds import DOUBTED, REGISTRATION

if TYPE_CHECKING:
    from pbem.errors import Fact, Facts
    from pbem.mail.free_text import Reading, TypedOrder
    from pbem.names import MatchId
    from pbem.notices.notice import Notice
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction

Kind: TypeAlias = Literal["letter", "doubted"]

MOST: Final[Mapping[Kind, tuple[int, int]]] = {
    "letter": (ORDERS, WRITTEN),
    "doubted": (LINES, MOVE),
}
"""Lines and characters of a line that are kept."""

LATER: Final = 6
"""Lines that are kept of letters which came while their player was asked about one."""

SHOWN: Final = 70
"""Columns of what is shown of a held letter; all of it is shown."""


def hold(
    txn: Transaction,
    lines: Sequence[str],
    home: MatchId | None,
    kind: Kind,
    *asking: Notice,
    address: str | None = None,
    game: str = "",
) -> tuple[str, ...]:
    """Keep what a letter said until its player says `yes` to what `asking` asks; what is kept.

    `game`: the one that a newcomer's letter spoke of.
    """
    running = views.matches_of(txn.conn, txn.sender, (Status.RUNNING.value,))
    held = kept(lines, kind)
    facts: dict[str, Fact] = {
        "match": home,
        "lines": held,
        "plies": {row.id: row.ply for row in running},
    }
    if game:
        facts["game"] = game
    ask_once(txn, kind, facts, *asking, match=home, address=address)
    return held


def note_unread(txn: Transaction, address: str, game: str) -> None:
    """One more letter came in the name of somebody who is asked already: the welcome tells of it.

    Nothing of it is kept but which game it spoke of: the question shows what a `yes` lets pass.
    """
    player = roster.player_by_address(txn.conn, address)
    if player is None:
        return
    pending = questions.pending(txn.conn, player.id, now=txn.now)
    asked = next((one for one in pending if one.kind == REGISTRATION), None)
    if asked is not None:
        facts = {**asked.facts, "unread": True}
        if game:
            facts.setdefault("game", game)
        questions.amend(txn.conn, asked.key, cast("Facts", facts))


def note_later(txn: Transaction, lines: Sequence[str]) -> None:
    """What one more letter ordered, while its player is asked about one: their `yes` tells of it.

    `lines` as a question shows them: orders, and nothing that a forger likes to say.
    """
    pending = questions.pending(txn.conn, txn.sender, now=txn.now)
    asked = next((one for one in pending if one.kind == DOUBTED), None)
    if asked is not None and lines:
        later = (*later_lines(asked.facts), *lines)[:LATER]
        questions.amend(txn.conn, asked.key, cast("Facts", {**asked.facts, "later": later}))


def kept(lines: Sequence[str], kind: Kind) -> tuple[str, ...]:
    """As much of a letter as is kept."""
    most, longest = MOST[kind]
    return tuple(line[:longest] for line in lines[:most])


def held_lines(facts: Mapping[str, object]) -> tuple[str, ...]:
    """The lines that were held."""
    lines = facts.get("lines")
    return tuple(str(line) for line in lines) if isinstance(lines, list) else ()


def shown(lines: Sequence[str]) -> tuple[str, ...]:
    """Every line, in pieces that no mail cuts: who says `yes` has seen all."""
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


def says_no(reading: Reading) -> bool:
    """Whether an answer to our question wants nothing of what was asked."""
    return any(refuses(typed.order) for typed in reading.orders)
