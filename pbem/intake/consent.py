"""Consent (MAIL 3): a plain yes proves an address and lets go what waited; nothing else does."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.intake.held_letters import hold
from pbem.intake.read_letter import answers_a_table
from pbem.mail.free_text.consent import Answer
from pbem.mail.mailboxes import mailbox_of
from pbem.mail.proof import Proof
from pbem.mail.verbs import orders
from pbem.mail.verbs.wish_orders import ChooseWish
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.notices.personal import AddressAsked, ConfirmationAsked, Welcome
from pbem.notices.replies import OrderRefused
from pbem.orders.challenges import call_as_signed
from pbem.orders.languages import speak_as_written
from pbem.orders.one_time_questions import ask_again, is_asked_here, is_one_time
from pbem.orders.people import tell_addresses
from pbem.orders.powers import is_language
from pbem.orders.reply_context import open_questions
from pbem.orders.wishes import choose
from pbem.players import commands as player_commands
from pbem.store.mails import no_mail_to
from pbem.store.people import questions, roster
from pbem.transaction.question_kinds import REGISTRATION
from pbem.transaction.rate_limits import hints

if TYPE_CHECKING:
    from pbem.intake.intent import Intent
    from pbem.intake.sender import Known
    from pbem.store.people.questions import Question
    from pbem.transaction.transaction import Taking


def hear(taking: Taking, intent: Intent, sender: Known) -> str | None:
    """What became of a letter that is no consent where one was asked for; None: it is acted on."""
    taking.consent = intent.answer is Answer.YES
    if not sender.player.confirmed:
        return _hear_newcomer(taking, intent, sender)
    question = _asked_here(taking)
    says = any(not isinstance(typed.order, orders.Yes) for typed in intent.orders.todo)
    if question is not None and not taking.consent and _went_elsewhere(taking, intent):
        # Others have seen the only address at which it can be answered.
        questions.answer(taking.conn, question.key, taking.now)
    if question is None or taking.consent or says:
        return None
    if intent.answer in (Answer.NEVER, Answer.REFUSAL):
        questions.answer(taking.conn, question.key, taking.now)
    elif hints(taking, taking.sender, known=True):
        ask_again(taking, question)
    return "no_consent"


def _went_elsewhere(taking: Taking, intent: Intent) -> bool:
    return any(not taking.house.is_ours(one) for one in intent.letter.sent_to)


def _asked_here(taking: Taking) -> Question | None:
    """The one-time question at whose own address the letter came, if it waits for an answer."""
    pending = questions.pending(taking.conn, taking.sender, now=taking.now)
    one_time = (question for question in pending if is_one_time(question))
    return next((question for question in one_time if is_asked_here(taking, question)), None)


# --- newcomers -----------------------------------------------------------------------------------


def _hear_newcomer(taking: Taking, intent: Intent, sender: Known) -> str | None:
    """MAIL 3: an address that has consented to nothing may refuse, and is told once how to consent.

    What it consents to is what the mail asked that it answers: to play here, to a match, to a seat.
    """
    invited = answers_a_table(taking, sender)
    consents = taking.consent or (invited and intent.answer is Answer.ACCEPT)
    if consents and sender.proof is Proof.TOKEN:
        _confirm(taking, intent, sender)
        return None
    taking.proof = Proof.NEWCOMER
    if intent.answer is Answer.NEVER:
        never_again(taking, sender.player.address)
        return "never"
    question = _asked_here(taking)
    if intent.says_no or intent.answer is Answer.REFUSAL:
        if question is not None:
            questions.answer(taking.conn, question.key, taking.now)
        return None if intent.says_no and question is None else "no_consent"
    if not hints(taking, taking.sender, known=False):
        return "no_consent"
    if sender.home is not None:
        speak_as_written(taking, taking.sender, intent.language)
    if invited:
        return None
    chosen = _choose_language(taking, intent)
    if question is not None:
        ask_again(taking, question, hint=not chosen)
    else:
        refused = OrderRefused(match=None, typed="", code="yes_alone", facts={})
        hold(taking, (), None, REGISTRATION, refused, ConfirmationAsked())
    return "no_consent"


def _choose_language(taking: Taking, intent: Intent) -> bool:
    """Ask again in the language that a newcomer wants; False if they do not say which."""
    for typed in intent.orders.todo:
        if isinstance(typed.order, ChooseWish) and is_language(typed.order):
            with suppress(Rejection):
                choose(taking, typed.order.name, typed.order.value)
                return True
    return False


def _confirm(taking: Taking, intent: Intent, sender: Known) -> None:
    """The address is its owner's, who wants to play here."""
    if sender.home is not None:
        speak_as_written(taking, taking.sender, intent.language)
    call_as_signed(taking, taking.sender, intent.letter.display_name)
    taking.decide_player(taking.sender, player_commands.Confirm())
    roster.confirm(taking.conn, taking.sender)
    if not answers_a_table(taking, sender):
        taking.answer(Welcome())


def nothing_waits(taking: Taking, sender: Known) -> bool:
    """Whether a newcomer's yes proves the address only: what was asked for waits no more."""
    if sender.player.confirmed or not taking.consent:
        return False
    return not answers_a_table(taking, sender) and not open_questions(taking)


def never_again(taking: Taking, address: str) -> None:
    """Write to nobody there any more, whoever names the address, and leave what it was asked to."""
    no_mail_to.add(taking.conn, mailbox_of(address), taking.now)
    taking.decide_player(taking.sender, player_commands.RefuseInvitations())
    match = taking.match(taking.home) if taking.home is not None else None
    if match is not None and match.status is Status.CHALLENGE:
        with suppress(Rejection):
            taking.decide(match.id, commands.Decline(player=taking.sender))
    for question in questions.pending(taking.conn, taking.sender, now=taking.now):
        questions.answer(taking.conn, question.key, taking.now)


# --- further addresses ---------------------------------------------------------------------------


def hear_address(taking: Taking, intent: Intent, sender: Known, address: str) -> str:
    """What an address answered that a player named as theirs; what became of it."""
    taking.answers = None  # nothing of a letter that may be a stranger's goes into headers
    if intent.answer is Answer.YES and sender.proof is Proof.TOKEN:
        if not roster.confirm_address(taking.conn, taking.sender, address):
            return "address_gone"
        tell_addresses(taking)
        return "address_confirmed"
    never = intent.answer is Answer.NEVER
    if never:
        no_mail_to.add(taking.conn, mailbox_of(address), taking.now)
    if never or intent.says_no or intent.answer is Answer.REFUSAL:
        roster.remove_address(taking.conn, taking.sender, address)
        return "address_declined"
    mailbox = no_mail_to.digest_of(mailbox_of(address))
    if _is_waiting(taking, address) and hints(taking, mailbox, known=False):
        taking.wrote_from = address
        refused = OrderRefused(match=None, typed="", code="yes_alone", facts={})
        taking.write_to(address, refused, AddressAsked())
    return "no_consent"


def _is_waiting(taking: Taking, address: str) -> bool:
    """Whether the player's claim to an address still stands: it may be gone, or another's."""
    own = roster.addresses_of(taking.conn, taking.sender)
    return any(roster.folded(row.address) == roster.folded(address) for row in own)
