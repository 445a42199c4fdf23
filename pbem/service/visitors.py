"""Requests of visitors who are not players: to take a seat by link, or to stop our emails.

Nothing is done directly for an address that a visitor types into a form. Its owner gets a question
by email, as if they had written to us, and a yes carries out the request. The page shows the same
text whether or not we know the address, so visitors cannot find out who plays here.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from pbem.errors import Rejection
from pbem.mail.addresses import QuestionAddress, ReplyAddress
from pbem.names import MatchId, PlayerId
from pbem.service import questions
from pbem.service.app import App
from pbem.service.handlers.account import stop_emails
from pbem.service.identity import Claim, read_claim
from pbem.service.strangers import refuse_invitation
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import players, waiting

MAILBOX_LIMIT: Final = "mailbox"  # name of the limit on emails to one mailbox, in a rejection
PAGE_QUOTA: Final = "pages"  # the quota of emails to strangers that page forms cause
CAUSE_BYTES: Final = 16


def ask_to_join(conn: Connection, app: App, match_id: MatchId, typed: str) -> str:
    """Ask the owner of an address, by email, whether they want an open seat of a challenge.

    Args:
        conn: The connection of the transaction.
        app: The running service.
        match_id: The challenge with the open seat.
        typed: The address, as a visitor typed it on the invitation page.

    Returns:
        The address in lower case, whether or not a question was sent.

    Raises:
        Rejection: `bad_address`, or `stranger_limit`.
    """
    address = app.site.read_address(typed)
    player = players.find_by_address(conn, address)
    is_known = player is not None and player.confirmed_at is not None
    kind = questions.CONFIRM if is_known else questions.REGISTER
    command = f"join {match_id}"
    question = waiting.find_open_question(conn, kind=kind, address=address, now=app.now())
    is_asked = question is not None and command in question.payload["commands"]
    is_banned = player is not None and player.banned_at is not None
    if is_asked or players.has_refused_mail(conn, address) or is_banned:
        return address
    uow = UnitOfWork(app, conn, f"visitor:{app.entropy(CAUSE_BYTES).hex()}")
    # Any visitor can type a player's address into any number of invitations.
    if is_known and waiting.count_unconfirmed_today(conn, kind=kind, address=address, now=uow.now):
        return address
    payload = {"text": command, "commands": [command], "is_from_page": True}
    try:
        questions.ask(uow, kind, address, player=player, payload=payload, quota=PAGE_QUOTA)
    except Rejection as rejection:
        if rejection.facts.get("limit") != MAILBOX_LIMIT:
            raise
        return address  # it got an email from us today, which the visitor must not learn
    uow.finish()
    return address


def unsubscribe_reader(conn: Connection, app: App, address: ReplyAddress) -> None:
    """Stop all emails to the reader who has got an email with this reply address.

    If the reader is an invited player who has never said yes, the invitation is declined and they
    are never invited again. For a player who has agreed to play, a reply address that was replaced
    has no effect, because other people may know it.
    """
    uow = UnitOfWork(app, conn, f"visitor:{app.entropy(CAUSE_BYTES).hex()}")
    if isinstance(address, QuestionAddress):
        question = waiting.find_question(conn, address.question)
        if question is None:
            return
        player = players.find_by_address(conn, question.address)
        claim = Claim(question.player, is_current=True)
        if player is None or player.id != question.player:
            players.refuse_mail(conn, question.address, uow.now)
            return
    else:
        claim = read_claim(conn, address)
        player = players.find_player(conn, PlayerId(claim.owner or ""))
    if player is None:
        return
    if player.confirmed_at is None:
        refuse_invitation(uow, player, claim.match_id)
    elif claim.is_current:
        stop_emails(uow, player)
    uow.finish()
