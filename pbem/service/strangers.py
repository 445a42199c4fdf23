"""Emails that do not prove who wrote them, and the questions and answers that follow.

Nothing is executed for such an email until its sender has answered a question. Each
question has its own reply address. Only a person who reads emails at the address that we asked
can know this reply address, so the answer needs no other proof.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

from pbem.errors import Rejection
from pbem.mail.addresses import list_own_message_ids
from pbem.mail.commands import Argument, Command, ParsedEmail, parse
from pbem.mail.inbound import Verdict
from pbem.mail.outbound import is_mail_address
from pbem.mail.words import STRICT_YES, UNSUBSCRIBE_WORDS
from pbem.match.setup import decline_invitation
from pbem.names import MatchId, PlayerId
from pbem.service import questions
from pbem.service.app import CODE_LENGTH, CODE_LETTERS
from pbem.service.drafts import Draft
from pbem.service.execution import (
    EmailSubmission,
    answer_without_commands,
    execute_or_refuse,
    execute_parsed,
    parse_text,
    refuse,
)
from pbem.service.handlers.account import (
    ask_new_address,
    carry_out_address_add,
    carry_out_address_remove,
    carry_out_deletion,
    carry_out_new_address,
    stop_emails,
)
from pbem.service.handlers.challenges import accept, decline, default_name, find_named_game
from pbem.service.handlers.playing import carry_out_resignation
from pbem.service.handlers.standing import carry_out_withdrawal
from pbem.service.handlers.talk import SAY
from pbem.service.identity import Level
from pbem.service.moves import submit_confirmed_move
from pbem.service.naming import choose_name, record_consent
from pbem.service.registry import COMMANDS, Request, Submission, command_table
from pbem.service.shown_addresses import replace_shown_address
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import outbox, players, waiting
from pbem.store.tables import PlayerRow, QuestionRow

IGNORED: Final = "ignored"
_CODE: Final = re.compile(rf"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")
MAX_OTHER_ADDRESSES: Final = 3  # other addresses that are asked about one invitation

# Questions to a player without a yes in 24 hours, about emails in their name.
MAX_QUESTIONS_A_DAY: Final = 3  # about emails to our main address
MAX_TAG_QUESTIONS_A_DAY: Final = 5  # about emails to the player's reply addresses

# After a yes to these questions, no other commands of the email are executed: the address of the
# email was not the player's before, or the account is deleted.
_EXCLUSIVE_KINDS: Final = (questions.CONFIRM_ADDRESS, questions.DELETE)

INVITEE_COMMANDS: Final = frozenset(  # commands of invited players who have not said yes
    {"accept", "decline", "board", "rules", "help", "bots", "set", "stop", "never"}
)

_PLAIN: Final = re.compile(r"(?:[\w-]{1,20}(?: \d{1,3} ?[a-z]{1,7})?)?")  # `bob`, `bob 30 days`


# --- answers to questions ------------------------------------------------------------------------


def answer_question(submission: EmailSubmission, question: QuestionRow) -> str | None:
    """Process an email that was sent to the reply address of a question.

    Returns:
        A description of the outcome; None if the question is closed and the email may be about
        something else.
    """
    uow = submission.uow
    if not questions.is_open(question, uow.now):
        return _answer_closed_question(submission)
    match_id = None if question.match is None else MatchId(question.match)
    player = players.find_player(uow.conn, PlayerId(question.player or ""))
    objection = _find_objection(submission, question, player)
    if objection:
        return f"{IGNORED}: {objection}"
    submission.sender = replace(
        submission.sender, player=player, match_id=match_id, answered_emails=()
    )
    is_known = player is not None and player.confirmed_at is not None
    # Until a new address is confirmed, its owner may be another person, who must not use commands.
    is_forged = submission.email.verdict is Verdict.FAIL
    may_command = is_known and not is_forged and question.kind != questions.CONFIRM_ADDRESS
    if _says_never(submission.text) and not may_command:
        players.refuse_mail(uow.conn, question.address, uow.now)
        waiting.close_question(uow.conn, question.id, uow.now)
        return "never"
    parsed = _parse_answer(submission, player)
    if player is not None and may_command:
        replace_shown_address(submission, player)
    is_yes = parsed.is_strict_yes if question.is_strict else parsed.answer == "yes"
    if is_yes:
        waiting.close_question(uow.conn, question.id, uow.now)
        waiting.change_payload(uow.conn, question, {**question.payload, "is_confirmed": True})
        outcome = _carry_out(submission, question)
        may_more = not is_forged and question.kind not in _EXCLUSIVE_KINDS
        return _execute_other_commands(submission, parsed, outcome) if may_more else outcome
    is_no = parsed.answer == "no" or parsed.has_refusal
    if is_no:
        waiting.close_question(uow.conn, question.id, uow.now)
    if player is not None and may_command and _asks_for_something(parsed):
        return execute_parsed(submission, player, parsed)
    if is_no:
        return _answer_no(submission, question, player)
    if not question.payload.get("is_repeated"):
        questions.ask_again(uow, question, submission.email.message_id)
    return "no answer"


def _answer_no(submission: EmailSubmission, question: QuestionRow, player: PlayerRow | None) -> str:
    """Answer a no to a question.

    If we asked whether a move was meant, the answer is the board. A no to any other question gets
    no answer.

    Returns:
        A short description of the outcome.
    """
    if question.kind == questions.MOVE and player is not None:
        facts = {"topic": "board", "not_played": question.payload["move"]}
        answer_without_commands(submission.request(player, ""), **facts)
    return "no"


def _execute_other_commands(submission: Submission, parsed: ParsedEmail, outcome: str) -> str:
    """Execute the other commands of an email with a yes or no, and return all outcomes as a text.

    `outcome` is the outcome of the yes or no.
    """
    player = submission.sender.player
    if player is None or not parsed.commands:
        return outcome
    remainder = replace(parsed, answer=None, moves=(), typed_moves=(), attempts=(), remarks=())
    return f"{outcome}, {execute_parsed(submission, player, remainder)}"


def _find_objection(
    submission: EmailSubmission, question: QuestionRow, player: PlayerRow | None
) -> str:
    """Return the reason why an email cannot answer a question, or an empty string if it can."""
    sender = submission.sender
    is_asked = sender.player is not None and sender.player.id == question.player
    if not is_asked and sender.address != question.address:
        return "not the asked address"
    if player is not None and player.banned_at is not None:
        return "banned"
    is_invited = question.kind == questions.INVITATION
    if is_invited and player is not None and player.confirmed_at is not None:
        return "no longer invited"
    return ""


def _parse_answer(submission: EmailSubmission, player: PlayerRow | None) -> ParsedEmail:
    if player is None:
        return parse(submission.text, command_table(), None)
    return parse_text(submission, player, submission.text)


def _asks_for_something(parsed: ParsedEmail) -> bool:
    return bool(parsed.commands or parsed.moves or parsed.attempts)


def _answer_closed_question(submission: EmailSubmission) -> str | None:
    """Refuse a player's yes or no to a closed question, with a reply that the question is closed.

    Returns:
        A description of the outcome; None if the email is about something else, or its sender is
        not verified.
    """
    player = submission.sender.player
    if player is None or submission.sender.level is not Level.VERIFIED:
        return None
    parsed = parse_text(submission, player, submission.text)
    if parsed.answer is None or _asks_for_something(parsed):
        return None
    return refuse(submission.request(player, parsed.answer), Rejection("question_closed"))


def _carry_out(submission: EmailSubmission, question: QuestionRow) -> str:
    """Execute the action that a question asked about, because the answer was yes.

    Returns:
        A short description of the outcome.
    """
    uow = submission.uow
    player = submission.sender.player or _register(submission, question.address)
    record_consent(uow, player)
    players.allow_mail(uow.conn, question.address)
    submission.sender = replace(submission.sender, player=player)
    submission.is_confirmed = True
    execute_confirmed = _CONFIRMED.get(question.kind)
    if execute_confirmed is not None:
        request = submission.request(player, str(question.payload.get("move", question.kind)))
        is_move = question.kind == questions.MOVE
        carry_out = partial(execute_confirmed, request, question)
        return execute_or_refuse(request, question.kind, carry_out, is_move=is_move)
    text = str(question.payload.get("text", ""))
    if question.kind == questions.INVITATION:
        return _answer_as_invited(submission, player, question.address, text)
    if question.kind == questions.REGISTER:
        submission.request(player, "").reply("welcome")
        if not parse(text, command_table(), None).commands:
            return "registered"
    return execute_parsed(submission, player, parse_text(submission, player, text))


# The functions that a yes calls, by the kind of the question. For kinds that are not listed, a yes
# executes the `text` in the payload of the question.
_CONFIRMED: Final[Mapping[str, Callable[[Request, QuestionRow], None]]] = {
    questions.MOVE: submit_confirmed_move,
    questions.RESIGN: carry_out_resignation,
    questions.DELETE: carry_out_deletion,
    questions.NEW_ADDRESS: carry_out_new_address,
    questions.ADD_ADDRESS: ask_new_address,
    questions.CONFIRM_ADDRESS: carry_out_address_add,
    questions.REMOVE_ADDRESS: carry_out_address_remove,
    questions.WITHDRAW: carry_out_withdrawal,
}


def _register(submission: EmailSubmission, address: str) -> PlayerRow:
    uow = submission.uow
    known = players.find_by_address(uow.conn, address)
    if known is not None:
        return known
    return players.add_player(
        uow.conn,
        PlayerId(uow.app.new_id()),
        name=choose_name(uow, submission.email.sender_name or default_name(address)),
        address=address,
        now=uow.now,
    )


# --- strangers, and emails in a player's name ----------------------------------------------------


def answer_stranger(submission: EmailSubmission) -> str:
    """Answer an email of a stranger, or of an invited player who has never agreed to play.

    Returns:
        A short description of the outcome.
    """
    uow, sender, email = submission.uow, submission.sender, submission.email
    if sender.invited_player is not None:
        return _ask_other_address(submission, sender.invited_player)
    is_invited = sender.match_id is not None and sender.level is Level.VERIFIED
    if sender.player is not None and is_invited:
        return _process_first_answer(submission, sender.player)
    if email.verdict is Verdict.FAIL:
        return f"{IGNORED}: forged"
    if players.has_refused_mail(uow.conn, sender.address) and not sender.is_signed:
        return f"{IGNORED}: wants no email"
    if not is_mail_address(sender.address):  # such as root@localhost, at our own relay
        return f"{IGNORED}: no public address"
    if uow.app.site.address.lower() not in email.recipients:
        return f"{IGNORED}: stranger at another address"
    if sender.is_signed and _says_never(submission.text):
        return unsubscribe(submission)
    question = waiting.find_open_question(
        uow.conn, kind=questions.REGISTER, address=sender.address, now=uow.now
    )
    if question is not None and uow.now - question.asked_at < timedelta(days=1):
        return _add_commands(submission, question)
    return _ask_stranger(submission, questions.REGISTER, sender.player)


def _ask_stranger(submission: EmailSubmission, kind: str, player: PlayerRow | None) -> str:
    """Ask a sender who is not a confirmed player to confirm what their email requests.

    If the limit on emails to strangers is reached, nothing is sent.

    Args:
        submission: The email.
        kind: REGISTER or INVITATION.
        player: The unconfirmed player who is confirmed by a yes; None if a yes adds a new player.

    Returns:
        A short description of the outcome.
    """
    try:
        questions.ask(
            submission.uow,
            kind,
            submission.sender.address,
            player=player,
            match_id=submission.sender.match_id if kind == questions.INVITATION else None,
            in_reply_to=submission.email.message_id,
            payload=_make_text_payload(submission),
        )
    except Rejection as rejection:
        return f"{IGNORED}: {rejection.code}"
    return "asked a stranger"


def _process_first_answer(submission: EmailSubmission, player: PlayerRow) -> str:
    """Process an email of an invited player who has never agreed to play.

    Returns:
        A short description of the outcome.
    """
    if _says_never(submission.text):
        refuse_invitation(submission.uow, player, submission.sender.match_id)
        return "never"
    replace_shown_address(submission, player)
    parsed = parse(submission.text, command_table(), None)
    names = {command.name for command in parsed.commands}
    if parsed.answer == "no":
        commands = [
            command for command in parsed.commands if command.name in {*INVITEE_COMMANDS, SAY}
        ]
        return answer_invitation(submission, player, replace(parsed, commands=tuple(commands)))
    if parsed.is_strict_yes or (names and names <= INVITEE_COMMANDS):
        return answer_invitation(submission, player, parsed)
    count = submission.uow.limits.count_explanation(
        PlayerId(player.id), submission.sender.match_id or ""
    )
    words = {*re.findall(r"\w+", submission.text.casefold())}
    may_mean_yes = not words.isdisjoint(STRICT_YES) and words.isdisjoint(UNSUBSCRIBE_WORDS)
    if count.is_over or (parsed.has_refusal and not may_mean_yes):
        return "no answer"
    return answer_without_commands(
        submission.request(player, ""), topic="board", remarks=[*parsed.remarks]
    )


def answer_invitation(submission: Submission, player: PlayerRow, parsed: ParsedEmail) -> str:
    """Accept or decline an invitation after a yes or no, and execute the email's other commands.

    Returns:
        A short description of the outcome.
    """
    if parsed.answer is None:
        return execute_parsed(submission, player, parsed)
    request = submission.request(player, parsed.answer)
    if parsed.answer == "yes":
        outcome = execute_or_refuse(request, "accepted", lambda: accept(request))
    else:
        outcome = execute_or_refuse(request, "declined", lambda: decline(request))
    return _execute_other_commands(submission, parsed, outcome)


def _ask_other_address(submission: EmailSubmission, invited: PlayerRow) -> str:
    """Ask the owner of an unknown address whether they accept an invitation to another address.

    `invited` is the player whom we invited at the other address. No question is sent if the email
    declines, because the question would be whether the sender wants to play. A `never` has no
    effect either, because we do not know yet who owns the unknown address.

    Returns:
        A short description of the outcome.
    """
    uow, address, match = submission.uow, submission.sender.address, submission.match()
    if match is None or PlayerId(invited.id) not in match.waiting_for:
        return f"{IGNORED}: no longer invited"
    if submission.email.verdict is Verdict.FAIL:
        return f"{IGNORED}: forged"
    if players.has_refused_mail(uow.conn, address):
        return f"{IGNORED}: wants no email"
    parsed = parse(submission.text, command_table(), None)
    if parsed.answer != "yes" and "accept" not in [command.name for command in parsed.commands]:
        return f"{IGNORED}: accepts no invitation"
    addresses = waiting.list_asked_addresses(
        uow.conn, kind=questions.INVITATION, match=match.id, player=invited.id
    )
    if address in addresses or len(addresses) >= MAX_OTHER_ADDRESSES:
        return f"{IGNORED}: asked before"
    return _ask_stranger(submission, questions.INVITATION, invited)


def _answer_as_invited(
    submission: EmailSubmission, player: PlayerRow, address: str, text: str
) -> str:
    """Execute an answer to an invitation, sent from an address that we had not invited.

    The owner of the answering address has confirmed the answer, so this address replaces the
    address that was invited. The invited address may belong to another person, who only passed the
    invitation on. This person has not agreed to play, and must not act in this account.

    Args:
        submission: The email with the yes to our question.
        player: The invited player.
        address: The answering address.
        text: The answer to the invitation.

    Returns:
        A short description of the outcome.
    """
    uow, match = submission.uow, submission.match()
    if players.find_by_address(uow.conn, address) is not None:
        return f"{IGNORED}: the address of another player"
    player_id = PlayerId(player.id)
    invited_addresses = players.list_addresses(uow.conn, player_id)
    players.add_main_address(uow.conn, player_id, address)
    for invited_address in invited_addresses:
        players.remove_address(uow.conn, player_id, invited_address, uow.now)
    uow.replace_reply_addresses(player_id)
    if match is not None:
        challenger = match.terms.challenger
        facts = {"topic": "other_address", "player_name": player.name}
        uow.emails.add(Draft(kind="answer", player=challenger, match_id=match.id, facts=facts))
    return answer_invitation(submission, player, parse_text(submission, player, text))


def refuse_invitation(uow: UnitOfWork, player: PlayerRow, match_id: MatchId | None) -> None:
    """Decline a player's open invitation to the match, if any, and never write to them again.

    The player gets no reply. If `match_id` is None, there is nothing to decline.
    """
    match, player_id = uow.load_match(match_id) if match_id else None, PlayerId(player.id)
    [address, *_] = players.list_addresses(uow.conn, player_id)
    players.refuse_mail(uow.conn, address, uow.now)
    if match is not None and player_id in match.waiting_for:
        uow.actor = player_id
        uow.append(match.id, decline_invitation(match, player_id, now=uow.now))


def _add_commands(submission: EmailSubmission, question: QuestionRow) -> str:
    """Add a stranger's new commands to the open question, if their first email had no commands.

    A yes to the question then executes these commands. The new email must be signed.

    Returns:
        A short description of the outcome.
    """
    uow = submission.uow
    # If unsigned emails counted, other people could add commands that a yes would execute.
    if question.payload["commands"] or not submission.sender.is_signed:
        return f"{IGNORED}: asked before"
    waiting.change_payload(
        uow.conn, question, {**question.payload, **_make_text_payload(submission)}
    )
    return "added to the question"


def ask_owner(submission: EmailSubmission, player: PlayerRow) -> str:
    """Ask the player whether they really wrote an email that does not prove its sender.

    The question shows commands and moves in canonical form, and a yes executes only these. Free
    text in the email may come from a forger, so it is neither shown nor used.

    Returns:
        A short description of the outcome.
    """
    uow, sender = submission.uow, submission.sender
    [address, *_] = players.list_addresses(uow.conn, PlayerId(player.id))
    if players.has_refused_mail(uow.conn, address):
        return f"{IGNORED}: wants no email"
    limit = MAX_TAG_QUESTIONS_A_DAY if sender.is_at_tag else MAX_QUESTIONS_A_DAY
    asked = {"kind": questions.CONFIRM, "address": address}
    if waiting.count_unconfirmed_today(uow.conn, **asked, now=uow.now) >= limit:
        return f"{IGNORED}: asked often enough"
    parsed = parse_text(submission, player, submission.text)
    commands = [command for command in parsed.commands if not _has_free_text(command)]
    lines = [f"{command.name} {command.argument}".strip() for command in commands]
    if not (lines or parsed.moves):  # a yes then shows the board or the list of matches
        lines = ["games" if sender.match_id is None else "board"]
    payload = {
        "text": "\n".join([*lines, *parsed.moves]),
        "commands": _list_commands("\n".join(lines)),
        "moves": [*parsed.moves],
        "has_text": len(commands) < len(parsed.commands),
    }
    question = waiting.find_open_question(uow.conn, **asked, now=uow.now)
    if question is not None and question.payload == payload and question.match == sender.match_id:
        return f"{IGNORED}: asked the same before"
    questions.ask(
        uow,
        questions.CONFIRM,
        address,
        player=player,
        match_id=sender.match_id,
        in_reply_to=submission.email.message_id,
        payload=payload,
    )
    return "asked the owner"


def unsubscribe(submission: EmailSubmission) -> str:
    """Execute a List-Unsubscribe request without sending a reply.

    Returns:
        A short description of the outcome.
    """
    sender, uow = submission.sender, submission.uow
    if submission.email.verdict is Verdict.FAIL:
        return f"{IGNORED}: forged"
    if sender.player is None:
        is_asked = sender.question is not None and sender.question.address == sender.address
        if not (is_asked or sender.is_signed):
            return f"{IGNORED}: unsubscribe without proof"
        players.refuse_mail(uow.conn, sender.address, uow.now)
    elif sender.level is not Level.VERIFIED:
        return f"{IGNORED}: unsubscribe without proof"
    elif sender.player.confirmed_at is None:
        refuse_invitation(uow, sender.player, sender.match_id)
    else:
        stop_emails(uow, sender.player)
    return "unsubscribed"


def take_complaint(uow: UnitOfWork, report: bytes) -> str:
    """Stop all emails to the reader of an email that was reported as spam (RFC 5965).

    The report contains the email or its headers, and with them the Message-ID that only its reader
    knows. So the report needs no other proof, and has the effect of an unsubscribe by that reader.

    Returns:
        A short description of the outcome.
    """
    ids = list_own_message_ids(uow.app.keys, report.decode("ascii", "replace"))
    email = next(iter(outbox.list_by_message_ids(uow.conn, ids[:1])), None)
    if email is None or not email.subject:  # the contents are deleted with the reader's account
        return f"{IGNORED}: complaint about an unknown email"
    player = players.find_player(uow.conn, PlayerId(email.player or ""))
    if player is None or (
        email.address and players.find_by_address(uow.conn, email.address) is None
    ):
        players.refuse_mail(uow.conn, email.address, uow.now)
    elif player.confirmed_at is not None:
        stop_emails(uow, player)
    else:
        refuse_invitation(uow, player, MatchId(email.match) if email.match else None)
    return "complaint"


def _has_free_text(command: Command) -> bool:
    return COMMANDS[command.name].spec.argument is Argument.TEXT or command.name == "name"


def _make_text_payload(submission: EmailSubmission) -> dict[str, Any]:
    """Return the payload of a question: the text that a yes executes, and the commands to show.

    If the email is signed, its From address is genuine, and the question goes to the author of the
    email. So commands are shown unchanged. Otherwise their free text is left out.
    """
    text, is_signed = submission.text, submission.sender.is_signed
    return {"text": text, "commands": _list_commands(text, is_signed=is_signed)}


def _list_commands(text: str, *, is_signed: bool = False) -> list[str]:
    """Return the commands in a text, without free text in arguments if the email is not signed."""
    return [
        f"{command.name} {command.argument if is_signed else _keep_known(command)}".rstrip()
        for command in parse(text, command_table(), None).commands
    ]


def _keep_known(command: Command) -> str:
    """Return the part of a command's argument that cannot be a forger's own text or link.

    This is a plain argument such as `bob 30 days`, the title of a game, or the code of a match. The
    result is empty if there is no such part.
    """
    if _PLAIN.fullmatch(command.argument) is not None and not _has_free_text(command):
        return command.argument
    if command.name in ("new", "learn"):
        return find_named_game(command.argument)
    code = command.argument.partition(" ")[0].upper()
    return code if command.name == "join" and _CODE.fullmatch(code) else ""


def _says_never(text: str) -> bool:
    """Return whether the first line of a text is only `never`, or `no` and `never`."""
    return re.match(r"\W*(?:(?:no|nein)\W+)?(?:never|nie)\W*(?:$|\n)", text.casefold()) is not None
