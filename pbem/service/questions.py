"""Questions by email: each has a reply address of its own, and `yes` counts only there.

A question is asked before something that cannot be undone (a resignation), of a stranger (do you
want to play?), if we are not sure who wrote an email, or whether a move was meant. It can be
answered once, until it expires. What a yes carries out is done as if it had been written then, by
the person at the asked address.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from pbem.names import MatchId
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import waiting
from pbem.store.tables import PlayerRow, QuestionRow

REGISTER: Final = "register"  # do you want to play here?
CONFIRM: Final = "confirm"  # was it you who wrote this?
RESIGN: Final = "resign"
MOVE: Final = "move"  # did you mean this move?

OPEN_FOR: Final = {
    REGISTER: timedelta(days=14),
    CONFIRM: timedelta(days=14),
    RESIGN: timedelta(days=3),
    MOVE: timedelta(days=1),
}
"""How long a question of each kind can be answered."""

STRICT: Final = frozenset({REGISTER, RESIGN})
"""Kinds that only a plain yes answers, with no word beside it that may take it back."""


def ask(
    uow: UnitOfWork,
    kind: str,
    address: str,
    *,
    player: PlayerRow | None = None,
    match_id: MatchId | None = None,
    in_reply_to: str = "",
    payload: dict[str, Any],
) -> None:
    """Ask a question at an address.

    Args:
        uow: The unit of work.
        kind: REGISTER, CONFIRM, RESIGN or MOVE.
        address: Who is asked.
        player: Whose address it is, if we know.
        match_id: The match that it is about.
        in_reply_to: The Message-ID of the email that caused it.
        payload: What to do after a yes, as JSON: `commands` that the email names, and the `text`
            or the `move` that is carried out.
    """
    version = uow.load_match(match_id).version if match_id is not None else 0
    question = QuestionRow(
        id=uow.app.new_question_id(),
        kind=kind,
        player=player.id if player is not None else None,
        address=address,
        match=match_id,
        version=version,
        payload=payload,
        is_strict=kind in STRICT,
        asked_at=uow.now,
        expires_at=uow.now + OPEN_FOR[kind],
    )
    waiting.add_question(uow.conn, question)
    uow.emails.ask(
        address,
        question.id,
        player=player,
        match_id=match_id,
        in_reply_to=in_reply_to,
        question=kind,
        expires=question.expires_at,
        commands=payload.get("commands", ()),
        move=payload.get("move", ""),
        beside=payload.get("beside", ()),
    )


def was_asked_today(uow: UnitOfWork, kind: str, address: str, now: datetime) -> bool:
    """Return whether an open question of this kind went to an address within a day."""
    question = waiting.find_asked(uow.conn, kind=kind, address=address, now=now)
    return question is not None and now - question.asked_at < timedelta(days=1)
