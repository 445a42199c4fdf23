"""Letters that wait for a `yes`: those that may be somebody else's, or came to a seen address."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from pbem.errors import Rejection
from pbem.games.game import Ply
from pbem.legacy.intake.answers import refuse_letter
from pbem.legacy.intake.doubtful_orders import LINES, MOVE, ORDERS, WRITTEN, doubted_lines, is_plain
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.free_text import Reading
from pbem.legacy.mail.verbs.agreeing import Yes
from pbem.legacy.mail.verbs.playing import Move
from pbem.legacy.matches.match import Status
from pbem.legacy.notices.personal import SenderDoubted
from pbem.legacy.notices.replies import BoardShown, OrderResult
from pbem.legacy.orders.confirmations import later_lines, refuse
from pbem.legacy.orders.order_table import TABLE, carry_out
from pbem.legacy.orders.powers import Power, is_seen, may_wait, refuses
from pbem.legacy.orders.reply_context import ask_once
from pbem.legacy.store import views
from pbem.legacy.store.people import rates, roster
from pbem.legacy.transaction.limits import asks_about_doubts, hints
from pbem.legacy.transaction.timers import DOUBTED, REGISTRATION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.errors import Fact, Facts
    from pbem.legacy.intake.doubtful_orders import Kept
    from pbem.legacy.intake.intent import Became, Intent
    from pbem.legacy.intake.sender import Known
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.names import MatchId
    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.transaction.transaction import Transaction


# --- held letters --------------------------------------------------------------------------------
# Letters that wait for a `yes`: what they said, and how the matches stood when they came.

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
    pending = rates.pending(txn.conn, player.id, now=txn.now)
    asked = next((one for one in pending if one.kind == REGISTRATION), None)
    if asked is not None:
        facts = {**asked.facts, "unread": True}
        if game:
            facts.setdefault("game", game)
        rates.amend(txn.conn, asked.key, cast("Facts", facts))


def note_later(txn: Transaction, lines: Sequence[str]) -> None:
    """What one more letter ordered, while its player is asked about one: their `yes` tells of it.

    `lines` as a question shows them: orders, and nothing that a forger likes to say.
    """
    pending = rates.pending(txn.conn, txn.sender, now=txn.now)
    asked = next((one for one in pending if one.kind == DOUBTED), None)
    if asked is not None and lines:
        later = (*later_lines(asked.facts), *lines)[:LATER]
        rates.amend(txn.conn, asked.key, cast("Facts", {**asked.facts, "later": later}))


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
    if not isinstance(typed.order, Move) or typed.ply is not None:
        return typed
    if not isinstance(plies, dict):
        return typed
    only = next(iter(plies)) if len(plies) == 1 else None
    then = plies.get(typed.match or context.home or only)
    return replace(typed, ply=Ply(then + 1)) if isinstance(then, int) else typed


def says_no(reading: Reading) -> bool:
    """Whether an answer to our question wants nothing of what was asked."""
    return any(refuses(typed.order) for typed in reading.orders)


# --- doubts --------------------------------------------------------------------------------------
# Letters that may be somebody else's: nothing is done, and their supposed writer is asked.


def ask_if_theirs(txn: Transaction, context: LetterContext, sender: Known, kept: Kept) -> bool:
    """Hold what a letter said, and ask whether it was them; False if enough was asked today.

    Whoever wrote it hears nothing: the question goes to the registered address, or to a further one
    of the player's where the letter is in that one's name.
    """
    if sender.player.banned or not _may_be_asked(txn, sender):
        return False
    txn.thread.in_reply_to = (
        None  # the letter is not known to be theirs: nothing of it goes into headers
    )
    asked = SenderDoubted(
        match=context.home,
        orders="",
        lines=shown(kept.shown),
        suspended=sender.player.suspended,
        more=kept.more,
        seen=is_seen(sender.proof),
    )
    hold(txn, kept.held, context.home, DOUBTED, asked, *_board(context), address=sender.asked_at)
    return True


def ask_about_rest(txn: Transaction, context: LetterContext, orders: Sequence[TypedOrder]) -> bool:
    """Hold those orders of a letter for which it proves too little, and ask; False as above."""
    if not asks_about_doubts(txn):
        return False
    reading = Reading(orders=tuple(orders), paragraphs=(), near_misses=())
    kept = doubted_lines(context, reading)
    asked = SenderDoubted(
        match=context.home,
        orders="",
        lines=shown(kept.shown),
        more=kept.more,
        seen=is_seen(context.proof),
    )
    hold(txn, kept.held, context.home, DOUBTED, asked, *_board(context))
    for typed in orders if not is_seen(context.proof) else ():
        txn.results.append(OrderResult(typed=typed.typed, status="refused", outcome="doubted"))
    return True


def _may_be_asked(txn: Transaction, sender: Known) -> bool:
    if sender.player.confirmed:
        return asks_about_doubts(txn)
    return hints(txn, txn.sender, known=False)


def _board(context: LetterContext) -> Iterator[Notice]:
    """The board of the match, for somebody who plays in it and may have wanted to move."""
    match = context.matches.match(context.home) if context.home is not None else None
    if (
        match is not None
        and match.status is Status.RUNNING
        and context.sender in match.table.players
    ):
        yield BoardShown(match=match.id, ply=match.course.ply)


# --- seen addresses ------------------------------------------------------------------------------
# Letters to an address that others have seen: they read, and what else they say is asked about.


def take_seen(txn: Transaction, context: LetterContext, intent: Intent) -> Became:
    """Show what a letter asks for in words of ours, ask about the rest, and quote nothing of it.

    Whoever has seen the address might write to its player through us.
    """
    todo = intent.orders.todo if intent.orders.rejection is None else ()
    reads = [typed for typed in todo if _reads(txn, typed)]
    rest = [typed for typed in todo if not _reads(txn, typed)]
    for typed in reads:
        try:
            carry_out(txn, context, typed)
        except Rejection as rejection:
            refuse(txn, context, typed, rejection)
    if _asks(txn, context, rest):
        return "doubted"
    if rest or not reads:
        refuse_letter(txn, context, Rejection("address_seen"))
    return "done"


def _reads(txn: Transaction, typed: TypedOrder) -> bool:
    reads = TABLE[type(typed.order)].power is Power.READ and not isinstance(typed.order, Yes)
    return reads and is_plain(typed.typed, txn.house.words)


def _asks(txn: Transaction, context: LetterContext, rest: Sequence[TypedOrder]) -> bool:
    """Whether the player is asked about it: not for ever, and only about what can wait."""
    if context.proof is not Proof.OLD_ADDRESS or not any(may_wait(one.order) for one in rest):
        return False
    return ask_about_rest(txn, context, rest)
