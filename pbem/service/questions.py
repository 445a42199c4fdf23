"""Questions by email. Each has its own reply address, and `yes` counts only there.

We ask a player before an action that cannot be undone, such as a resignation, and if it is not
certain whether a move was meant. We ask a stranger whether they want to play. If it is not certain
who wrote an email, we ask its supposed author. A question can be answered once, until it expires. A
yes carries out the action as if the person who was asked had just requested it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from pbem.names import MatchId, PlayerId
from pbem.service.drafts import Draft
from pbem.service.limits import EMAIL_QUOTA, QUESTION_QUOTA
from pbem.service.registry import COMMANDS, Request, command_table
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import players, waiting
from pbem.store.tables import PlayerRow, QuestionRow

REGISTER: Final = "register"  # "Do you want to play here?"
CONFIRM: Final = "confirm"  # "Was it you who wrote this?"
INVITATION: Final = "invitation"  # "Do you take the seat?", if another address was invited
RESIGN: Final = "resign"
DELETE: Final = "delete"  # delete the account
NEW_ADDRESS: Final = "new_address"  # new reply addresses in place of all old ones
ADD_ADDRESS: Final = "add_address"  # add an address; asked at the main address
CONFIRM_ADDRESS: Final = "confirm_address"  # add an address; asked at the new address
REMOVE_ADDRESS: Final = "remove_address"
MOVE: Final = "move"  # "Did you mean this move?"
WITHDRAW: Final = "withdraw"  # withdraw from a tournament that has started

OPEN_DAYS: Final = {REGISTER: 14, CONFIRM: 14, INVITATION: 14, MOVE: 1}

DEFAULT_DAYS: Final = 3  # days for which questions of other kinds are open

# Kinds that go to addresses whose owners never said yes.
STRANGER_KINDS: Final = frozenset({REGISTER, INVITATION, CONFIRM_ADDRESS})

_SHOWN: Final = (  # keys of a question's payload that its template shows unchanged
    "account_address",
    "beside",
    "has_text",
    "is_from_page",
    "is_part",
    "is_repeated",
    "move",
    "moves",
    "tournament",
)

LENIENT_KINDS: Final = frozenset({CONFIRM, MOVE})  # a yes counts even if other words are around it


def ask(
    uow: UnitOfWork,
    kind: str,
    address: str,
    *,
    player: PlayerRow | None = None,
    match_id: MatchId | None = None,
    in_reply_to: str = "",
    payload: dict[str, Any],
    quota: str = QUESTION_QUOTA,
) -> None:
    """Store a question, and queue the email that asks it at an address.

    Args:
        uow: The unit of work.
        kind: One of this module's kinds of questions.
        address: The address to ask.
        player: The player who is asked, or who wants to add `address`; None for a stranger.
        match_id: The match that the question is about; None for no match.
        in_reply_to: The Message-ID of the email that caused the question; empty for none.
        payload: The JSON values, by name, that a yes needs or that the email shows. A yes executes
            the commands and moves in `text`, and the email lists them from `commands` and `moves`.
            `move` is a move to play. `account_address` is the address to add or remove.
            `is_from_page` is set if the address was typed on a page. `is_repeated` is set by
            `ask_again`, and `is_confirmed` after a yes.
        quota: The group in which questions to strangers are counted (`limits`).

    Raises:
        Rejection: `stranger_limit`.
    """
    if kind in STRANGER_KINDS:
        is_caused = player is not None and kind == CONFIRM_ADDRESS
        causer = PlayerId(player.id) if player is not None and is_caused else None
        quota = EMAIL_QUOTA if causer is not None else quota
        uow.limits.reserve_stranger_emails([address], causer=causer, quota=quota)
    version, generation = 0, player.generation if player is not None else 0
    if match_id is not None:
        version = uow.load_match(match_id).version
        seat = uow.load_record(match_id).find_seat(PlayerId(player.id)) if player else None
        generation += seat.generation if seat is not None else 0
    question = QuestionRow(
        id=uow.app.new_id(),
        kind=kind,
        player=player.id if player is not None else None,
        address=address,
        match=match_id,
        version=version,
        generation=None if kind in STRANGER_KINDS else generation,
        payload=payload,
        is_strict=kind not in LENIENT_KINDS,
        asked_at=uow.now,
        expires_at=uow.now + timedelta(days=OPEN_DAYS.get(kind, DEFAULT_DAYS)),
    )
    waiting.add_question(uow.conn, question)
    _queue_email(uow, question, in_reply_to)


def ask_again(uow: UnitOfWork, question: QuestionRow, in_reply_to: str) -> None:
    """Queue the email of a question again, after an answer that was neither yes nor no.

    Both emails have the same reply address, so a yes to either of them counts. `in_reply_to` is
    the Message-ID of the answer.
    """
    question.payload = {**question.payload, "is_repeated": True}
    waiting.change_payload(uow.conn, question, question.payload)
    _queue_email(uow, question, in_reply_to)


def _queue_email(uow: UnitOfWork, question: QuestionRow, in_reply_to: str) -> None:
    payload = question.payload
    facts = {
        "question": question.kind,
        "expires": question.expires_at,
        "commands": [(command, _find_help(command)) for command in payload.get("commands", ())],
        "meant": [*payload.get("moves", ()), *filter(None, [payload.get("move")])],
        **{name: payload.get(name, "") for name in _SHOWN},
    }
    uow.emails.add(
        Draft(
            kind="question",
            player=PlayerId(question.player) if question.player is not None else None,
            address=question.address,
            match_id=MatchId(question.match) if question.match is not None else None,
            facts=facts,
            question=question.id,
            in_reply_to=in_reply_to,
            is_reply=True,
        )
    )


def _find_help(command: str) -> str:
    """Return the untranslated help text of a command; empty if there is no such command."""
    entry = command_table().find(command)
    return "" if entry is None else COMMANDS[entry[0].name].help


def ask_at_main_address(
    request: Request, kind: str, *, match_id: MatchId | None = None, **payload: Any
) -> None:
    """Ask the sender to confirm their request, by a question to their main address.

    `kind`, `match_id` and `payload` describe the question as in `ask`.
    """
    [address, *_] = players.list_addresses(request.uow.conn, request.player_id)
    ask(
        request.uow,
        kind,
        address,
        player=request.player,
        match_id=match_id,
        in_reply_to=request.submission.message_id,
        payload=payload,
    )


def is_open(question: QuestionRow, now: datetime) -> bool:
    """Return whether a question can still be answered."""
    return question.closed_at is None and question.expires_at > now
