"""Consent (MAIL 3): a plain yes proves an address and lets go what waited; nothing else does."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.intake.held_letters import hold
from pbem.mail.free_text import Answer, agrees_in
from pbem.mail.mailboxes import mailbox_of
from pbem.mail.proof import Proof
from pbem.mail.verbs import orders
from pbem.mail.verbs.wish_orders import ChooseWish
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.notices.personal import AddressAsked, ConfirmationAsked, Welcome
from pbem.notices.replies import OrderRefused
from pbem.orders.handlers.challenges import call_as_signed
from pbem.orders.handlers.people import tell_addresses
from pbem.orders.handlers.wishes import choose
from pbem.orders.languages import speak_as_written
from pbem.orders.one_time_questions import ask_again, is_asked_here, is_one_time
from pbem.orders.powers import is_language
from pbem.orders.reply_context import open_questions
from pbem.players import commands as player_commands
from pbem.store.mails import no_mail_to
from pbem.store.people import questions, roster
from pbem.transaction.question_kinds import REGISTRATION
from pbem.transaction.rate_limits import HINTS_BY_TOKEN, hints

if TYPE_CHECKING:
    from pbem.intake.intent import Intent
    from pbem.intake.sender import Known
    from pbem.orders.letter_context import LetterContext
    from pbem.store.people.questions import Question
    from pbem.transaction.transaction import Transaction


_LEAVING: Final = frozenset(["stop", "never again"])
"""What somebody wants who wants nothing of us any more."""


def hear(txn: Transaction, context: LetterContext, intent: Intent, sender: Known) -> str | None:
    """What became of a letter that is no consent where one was asked for; None: it is acted on."""
    context.consent = intent.answer is Answer.YES
    if not sender.player.confirmed:
        return _hear_newcomer(txn, context, intent, sender)
    question = _asked_here(context)
    says = any(not isinstance(typed.order, orders.Yes) for typed in intent.orders.todo)
    if question is not None and not context.consent and _went_elsewhere(txn, intent):
        # Others have seen the only address at which it can be answered.
        questions.answer(txn.conn, question.key, txn.now)
    if question is None or context.consent or says:
        return None
    if intent.answer in (Answer.NEVER, Answer.REFUSAL):
        questions.answer(txn.conn, question.key, txn.now)
    elif hints(txn, txn.sender, known=True):
        ask_again(txn, context, question)
    return "no_consent"


def _went_elsewhere(txn: Transaction, intent: Intent) -> bool:
    return any(not txn.house.is_ours(one) for one in intent.letter.sent_to)


def _asked_here(context: LetterContext) -> Question | None:
    """The one-time question at whose own address the letter came, if it waits for an answer."""
    one_time = (question for question in context.questions_before() if is_one_time(question))
    return next((question for question in one_time if is_asked_here(context, question)), None)


# --- newcomers -----------------------------------------------------------------------------------


def _hear_newcomer(
    txn: Transaction, context: LetterContext, intent: Intent, sender: Known
) -> str | None:
    """MAIL 3: an address that has consented to nothing may refuse, and is told how to consent.

    What it consents to is what the mail asked that it answers: to play here, to a match, to a seat.
    """
    invited = sender.home is not None
    friendly = invited and intent.answer in (Answer.ACCEPT, Answer.AGREED)
    consents = context.consent or friendly
    if consents and sender.proof is Proof.TOKEN:
        _confirm(txn, context, intent, sender)
        return None
    context.proof = Proof.NEWCOMER
    if intent.answer is Answer.NEVER:
        never_again(txn, context, sender.player.address)
        return "never"
    question = _asked_here(context)
    open_to_it = any("?" in line for line in intent.lines) or agrees_in(intent.lines)
    if intent.says_no or (intent.answer is Answer.REFUSAL and not (open_to_it and invited)):
        if question is not None:
            questions.answer(txn.conn, question.key, txn.now)
        elif sender.proof is Proof.TOKEN and _LEAVING.intersection(intent.rest.wanted):
            _leave(txn, context)
        return None if intent.says_no and question is None else "no_consent"
    most = HINTS_BY_TOKEN if sender.proof is Proof.TOKEN else 1
    if not hints(txn, txn.sender, known=False, most=most):
        return "no_consent"
    if invited:
        speak_as_written(txn, txn.sender, intent.language)
        return None
    chosen = _choose_language(txn, context, intent)
    if question is not None:
        ask_again(txn, context, question, hint=not chosen)
    else:
        refused = OrderRefused(match=None, typed="", code="yes_alone", facts={})
        hold(txn, (), None, REGISTRATION, refused, ConfirmationAsked())
    return "no_consent"


def _choose_language(txn: Transaction, context: LetterContext, intent: Intent) -> bool:
    """Ask again in the language that a newcomer wants; False if they do not say which."""
    for typed in intent.orders.todo:
        if isinstance(typed.order, ChooseWish) and is_language(typed.order):
            with suppress(Rejection):
                choose(txn, context, typed.order.name, typed.order.value)
                return True
    return False


def _confirm(txn: Transaction, context: LetterContext, intent: Intent, sender: Known) -> None:
    """The address is its owner's, who wants to play here."""
    if sender.home is not None:
        speak_as_written(txn, txn.sender, intent.language)
    call_as_signed(txn, txn.sender, intent.letter.display_name)
    txn.decide_player(txn.sender, player_commands.Confirm())
    roster.confirm(txn.conn, txn.sender)
    if sender.home is None:
        asked = _asked_here(context)
        about = asked.facts if asked is not None else {}
        game, unread = str(about.get("game", "")), bool(about.get("unread"))
        txn.answer(Welcome(game=game, unread=unread))


def nothing_waits(context: LetterContext, sender: Known) -> bool:
    """Whether a newcomer's yes proves the address only: what was asked for waits no more."""
    if sender.player.confirmed or not context.consent:
        return False
    return sender.home is None and not open_questions(context)


def never_again(txn: Transaction, context: LetterContext, address: str) -> None:
    """Write to nobody there any more, whoever names the address, and leave what it was asked to."""
    no_mail_to.add(txn.conn, mailbox_of(address), txn.now)
    txn.decide_player(txn.sender, player_commands.RefuseInvitations())
    _leave(txn, context)
    for question in questions.pending(txn.conn, txn.sender, now=txn.now):
        questions.answer(txn.conn, question.key, txn.now)


def _leave(txn: Transaction, context: LetterContext) -> None:
    """Whoever refuses mails declines what they were invited to: the inviter need not wait."""
    match = txn.match(context.home) if context.home is not None else None
    if match is not None and match.status is Status.CHALLENGE:
        with suppress(Rejection):
            txn.decide(match.id, commands.Decline(player=txn.sender))


# --- further addresses ---------------------------------------------------------------------------


def hear_address(txn: Transaction, intent: Intent, sender: Known, address: str) -> str:
    """What an address answered that a player named as theirs; what became of it."""
    txn.thread.in_reply_to = None  # nothing of a letter that may be a stranger's goes into headers
    if intent.answer is Answer.YES and sender.proof is Proof.TOKEN:
        if not roster.confirm_address(txn.conn, txn.sender, address):
            return "address_gone"
        tell_addresses(txn)
        return "address_confirmed"
    never = intent.answer is Answer.NEVER
    if never:
        no_mail_to.add(txn.conn, mailbox_of(address), txn.now)
    if never or intent.says_no or intent.answer is Answer.REFUSAL:
        roster.remove_address(txn.conn, txn.sender, address)
        return "address_declined"
    mailbox = no_mail_to.digest_of(mailbox_of(address))
    if _is_waiting(txn, address) and hints(txn, mailbox, known=False):
        txn.newcomers.wrote_from = address
        refused = OrderRefused(match=None, typed="", code="yes_alone", facts={})
        txn.write_to(address, refused, AddressAsked())
    return "no_consent"


def _is_waiting(txn: Transaction, address: str) -> bool:
    """Whether the player's claim to an address still stands: it may be gone, or another's."""
    own = roster.addresses_of(txn.conn, txn.sender)
    return any(roster.folded(row.address) == roster.folded(address) for row in own)
