"""Questions by email: each has a reply address of its own, and `yes` counts only there.

A question is asked before something grave is done (a resignation), of a stranger (do you want to
play?), or if it is not sure who wrote an email. It can be answered once, until it expires. Its
answer is executed as if the commands had been written then, by the person at the asked address.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from pbem.names import MatchId
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import waiting
from pbem.store.tables import PlayerRow, QuestionRow

GRAVE_FOR: Final = timedelta(days=3)  # a question about something grave can be answered so long
OPEN_FOR: Final = timedelta(days=14)  # any other one

REGISTER: Final = "register"  # do you want to play here?
CONFIRM: Final = "confirm"  # was it you who wrote this?
RESIGN: Final = "resign"


def ask(
    uow: UnitOfWork,
    kind: str,
    address: str,
    *,
    player: PlayerRow | None = None,
    match_id: MatchId | None = None,
    in_reply_to: str = "",
    payload: dict[str, Any] | None = None,
    commands: Sequence[str] = (),
) -> None:
    """Ask a question at an address.

    Args:
        uow: The unit of work.
        kind: REGISTER, CONFIRM or RESIGN.
        address: Who is asked.
        player: Whose address it is, if we know.
        match_id: The match that it is about.
        in_reply_to: The Message-ID of the email that caused it.
        payload: What to do after a yes.
        commands: The commands that a yes carries out, as the email shows them.
    """
    is_grave = kind == RESIGN
    version = uow.load_match(match_id).version if match_id is not None else 0
    question = QuestionRow(
        id=uow.app.new_question_id(),
        kind=kind,
        player=player.id if player is not None else None,
        address=address,
        match=match_id,
        version=version,
        payload=payload or {},
        is_strict=is_grave or kind == REGISTER,
        asked_at=uow.now,
        expires_at=uow.now + (GRAVE_FOR if is_grave else OPEN_FOR),
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
        commands=commands,
    )


def was_asked_today(uow: UnitOfWork, kind: str, address: str, now: datetime) -> bool:
    """Return whether an open question of this kind went to an address within a day."""
    question = waiting.find_asked(uow.conn, kind=kind, address=address, now=now)
    return question is not None and now - question.asked_at < timedelta(days=1)
