"""Processing of an inbound email, from bytes to its outcome, in one unit of work.

    bytes -> InboundEmail -> who wrote it -> typed text -> commands and a move -> executed

An email that no person wrote (an auto-reply, a bounce, a mailing list) is neither answered
nor executed. An email to the envelope sender of one of our emails is a bounce of that email
(`delivery`). A spam complaint stops our emails to the reader who complained.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sqlalchemy import Connection

from pbem.errors import Rejection
from pbem.mail.addresses import hash_mailbox
from pbem.mail.automatic import AutomaticReason
from pbem.mail.commands import ParsedEmail
from pbem.mail.inbound import InboundEmail, UnreadableEmailError, parse_inbound
from pbem.mail.quoting import list_foreign_quote, list_sent_lines, remove_quote
from pbem.names import PlayerId
from pbem.service.app import App
from pbem.service.delivery import (
    end_suspension,
    find_returned_email,
    show_waiting_boards,
    take_bounce,
)
from pbem.service.execution import EmailSubmission, execute_parsed, parse_text, refuse
from pbem.service.identity import IdentifiedSender, Level, identify_sender
from pbem.service.shown_addresses import replace_shown_address
from pbem.service.strangers import (
    IGNORED,
    answer_invitation,
    answer_question,
    answer_stranger,
    ask_owner,
    take_complaint,
    unsubscribe,
)
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import inbox
from pbem.store.tables import InboxRow, PlayerRow

MAX_QUOTED: Final = 3  # lines of a quote that a person may have typed themselves


def process_message(conn: Connection, app: App, row: InboxRow) -> str:
    """Process an inbox message in one unit of work.

    Returns:
        A short description of the outcome.
    """
    try:
        email = parse_inbound(
            row.raw or b"", own_address=app.site.address, authserv_id=app.site.authserv_id
        )
    except UnreadableEmailError as error:
        return f"unreadable: {error}"
    uow = UnitOfWork(app, conn, f"email:{row.key}")
    outcome = _process_email(uow, email, row)
    uow.finish()
    return outcome


def _process_email(uow: UnitOfWork, email: InboundEmail, row: InboxRow) -> str:
    if email.automatic_reason == AutomaticReason.COMPLAINT:
        return take_complaint(uow, row.raw or b"")
    returned = find_returned_email(uow.conn, uow.app, email)
    if returned is not None:
        return take_bounce(uow, returned, email, row.raw or b"")
    if email.sender is None:
        return f"{IGNORED}: no sender"
    sender = identify_sender(uow.conn, uow.app, email, email.sender, uow.now)
    site, sent_lines = uow.app.site, _list_answered_lines(sender)
    # The title of a site alone may be a word that players write.
    names = [site.write_sender_name(sender.match_id)] if sender.match_id else []
    submission = EmailSubmission(
        uow=uow,
        email=email,
        sender=sender,
        text=remove_quote(email.text, sent_lines=sent_lines, own_addresses=[site.address, *names]),
        received=min(row.received_at, uow.now),
        message_id=email.message_id,
        message_hash=email.message_hash,
        sent_at=email.sent_at,
    )
    is_verified = sender.level is Level.VERIFIED and email.automatic_reason is None
    writer = sender.player if is_verified else None
    was_suspended = writer is not None and end_suspension(uow, writer)
    outcome = _answer(submission, row)
    if writer is not None and was_suspended:
        show_waiting_boards(uow, writer)
    return outcome


def _answer(submission: EmailSubmission, row: InboxRow) -> str:
    """Execute, answer or ignore an email, depending on how certain it is who sent it.

    Returns:
        A short description of the outcome.
    """
    email, sender = submission.email, submission.sender
    if email.subject.strip().casefold() == "unsubscribe":
        return unsubscribe(submission)
    if email.automatic_reason is not None:
        return f"{IGNORED}: {email.automatic_reason}"
    excess = _count_email(submission)
    if excess is not None:
        return excess
    if sender.question is not None:
        outcome = answer_question(submission, sender.question)
        if outcome is not None:
            return outcome
    player = sender.player
    if player is None or player.confirmed_at is None:
        return answer_stranger(submission)
    if player.banned_at is not None:
        return f"{IGNORED}: banned"
    if sender.level is not Level.VERIFIED:
        return ask_owner(submission, player)
    return _process_verified(submission, player, row)


def _count_email(submission: EmailSubmission) -> str | None:
    """Count an email for its sender's rate limit.

    Anyone can write to our public address in a player's name. Such emails must not use up the
    player's limit. So emails that prove their sender are counted separately, and so are emails to a
    reply address, which others do not know.

    Returns:
        A description of the outcome if the email exceeds the limit, otherwise None.
    """
    sender, limits = submission.sender, submission.uow.limits
    player = sender.player
    if player is not None and sender.level is Level.VERIFIED:
        count = limits.count_verified_email(PlayerId(player.id))
        if count.is_first_over and player.banned_at is None:
            # This refusal does not count towards the limit on refusals, which could suppress it.
            rejection = Rejection(
                "too_many_emails", most=count.max_uses, until=count.until.isoformat()
            )
            submission.request(player, "").reply(
                "refusal", code=rejection.code, facts=rejection.facts, typed="", is_move=False
            )
    elif sender.question is not None:
        count = limits.count_other_email(sender.question.id)
    else:
        subject = player.id if player is not None else hash_mailbox(sender.address)
        count = limits.count_other_email(f"{subject} at tag" if sender.is_at_tag else subject)
    return f"{IGNORED}: too many emails" if count.is_over else None


def _process_verified(submission: EmailSubmission, player: PlayerRow, row: InboxRow) -> str:
    email, conn = submission.email, submission.uow.conn
    if inbox.detect_copy(conn, row, submission.sender.address, email.message_id):
        return f"{IGNORED}: a copy"
    if row.is_cut or email.is_truncated:
        return refuse(submission.request(player, ""), Rejection("email_too_large"))
    replace_shown_address(submission, player)
    parsed = parse_text(submission, player, submission.text)
    if not submission.text.strip():
        parsed = _read_quoted_move(submission, player) or parsed
    match = submission.match()
    if match is not None and PlayerId(player.id) in match.waiting_for:
        return answer_invitation(submission, player, parsed)
    return execute_parsed(submission, player, parsed)


def _read_quoted_move(submission: EmailSubmission, player: PlayerRow) -> ParsedEmail | None:
    """Return the parsed quote of an email that has no other text, or None if it has no move.

    An example of such a quote is `> b1; plant a1`. Lines of our own email are left out. If more
    than `MAX_QUOTED` lines are left, the result is None. The move is marked as doubtful, so that
    the player is asked whether it was meant.
    """
    sent_lines = _list_answered_lines(submission.sender)
    lines = list_foreign_quote(submission.email.text, sent_lines=sent_lines)
    if not 0 < len(lines) <= MAX_QUOTED:
        return None
    parsed = parse_text(submission, player, "\n".join(lines))
    return replace(parsed, is_doubtful=True, commands=()) if parsed.moves else None


def _list_answered_lines(sender: IdentifiedSender) -> set[str]:
    lines: set[str] = set()
    for answered in sender.answered_emails:
        lines |= list_sent_lines(answered.text, answered.html)
    return lines
