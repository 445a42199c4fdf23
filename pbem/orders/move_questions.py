"""Moves that only may be meant: their writers are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Facts
from pbem.notices.replies import QuestionAsked
from pbem.orders.letter_orders import MoveAsked
from pbem.store.people import questions
from pbem.transaction.question_kinds import QUESTIONS_LIVE

if TYPE_CHECKING:
    from pbem.transaction.transaction import Transaction


def ask_about_move(txn: Transaction, move: MoveAsked) -> None:
    """Ask whether a move is meant; `yes` plays it on the board that it was read on."""
    facts: Facts = {
        "match": move.match,
        "lines": [move.text],
        "ply": move.ply,
        "version": move.version,
    }
    questions.ask(
        txn.conn,
        f"{txn.cause}:move",
        player=txn.sender,
        kind="letter",
        facts=facts,
        expires_at=txn.now + QUESTIONS_LIVE,
    )
    told: Facts = {"notation": move.notation, "near": move.near}
    txn.answer(QuestionAsked(question="move", match=move.match, facts=told))
