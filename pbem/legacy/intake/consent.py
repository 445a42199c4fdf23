"""Consent and its contrary (MAIL 3): a plain yes, second thoughts, and whoever calls us spam."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import structlog

from pbem.errors import Rejection
from pbem.legacy.intake.doubts import hold
from pbem.legacy.mail.addresses import read_message_id, read_verp
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.free_text import Answer, agrees_in, has_second_thoughts, lines_of
from pbem.legacy.mail.headers import mailbox_of
from pbem.legacy.mail.verbs.agreeing import Yes
from pbem.legacy.mail.verbs.own import ChooseWish
from pbem.legacy.mail.verbs.playing import Move
from pbem.legacy.matches import seats
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import HeldMove
from pbem.legacy.notices.personal import AddressAsked, ConfirmationAsked, Welcome
from pbem.legacy.notices.replies import OrderRefused
from pbem.legacy.orders.context import LetterContext, speak_as_written
from pbem.legacy.orders.handlers.challenges import call_as_signed
from pbem.legacy.orders.handlers.people import tell_addresses
from pbem.legacy.orders.handlers.playing import ask_about_held
from pbem.legacy.orders.handlers.wishes import choose
from pbem.legacy.orders.powers import GRANTS, Power, is_language
from pbem.legacy.orders.reply_context import ask_once_again, is_asked_here, is_one_time, open_questions
from pbem.legacy.players import decide
from pbem.legacy.store.mails import leases, outbox
from pbem.legacy.store.people import rates, roster
from pbem.legacy.transaction.limits import HINTS_BY_TOKEN, hints
from pbem.legacy.transaction.timers import REGISTRATION
from pbem.legacy.transaction.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.legacy.intake.intent import Intent
    from pbem.legacy.intake.sender import Known
    from pbem.legacy.mail.automatic import Complaint
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.mail.letter import Letter
    from pbem.names import PlayerId
    from pbem.legacy.store.mails.outbox import OutboxRow
    from pbem.legacy.store.people.rates import Question


# --- consent -------------------------------------------------------------------------------------
# Consent (MAIL 3): a plain yes proves an address and lets go what waited; nothing else does.

_LEAVING: Final = frozenset(["stop", "never again"])
"""What somebody wants who wants nothing of us any more."""


def hear(txn: Transaction, context: LetterContext, intent: Intent, sender: Known) -> str | None:
    """What became of a letter that is no consent where one was asked for; None: it is acted on."""
    context.consent = intent.answer is Answer.YES
    if not sender.player.confirmed:
        return _hear_newcomer(txn, context, intent, sender)
    question = _asked_here(context)
    says = any(not isinstance(typed.order, Yes) for typed in intent.orders.todo)
    if question is not None and not context.consent and _went_elsewhere(txn, intent):
        # Others have seen the only address at which it can be answered.
        rates.answer(txn.conn, question.key, txn.now)
    if question is None or context.consent or says:
        return None
    if intent.answer in (Answer.NEVER, Answer.REFUSAL):
        rates.answer(txn.conn, question.key, txn.now)
    elif hints(txn, txn.sender, known=True):
        ask_once_again(txn, context, question)
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
            rates.answer(txn.conn, question.key, txn.now)
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
        ask_once_again(txn, context, question, hint=not chosen)
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
    txn.decide_player(txn.sender, decide.confirm)
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
    leases.add(txn.conn, mailbox_of(address), txn.now)
    txn.decide_player(txn.sender, decide.refuse_invitations)
    _leave(txn, context)
    for question in rates.pending(txn.conn, txn.sender, now=txn.now):
        rates.answer(txn.conn, question.key, txn.now)


def _leave(txn: Transaction, context: LetterContext) -> None:
    """Whoever refuses mails declines what they were invited to: the inviter need not wait."""
    match = txn.match(context.home) if context.home is not None else None
    if match is not None and match.status is Status.CHALLENGE:
        with suppress(Rejection):
            txn.decide(match.id, seats.decline, player=txn.sender)


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
        leases.add(txn.conn, mailbox_of(address), txn.now)
    if never or intent.says_no or intent.answer is Answer.REFUSAL:
        roster.remove_address(txn.conn, txn.sender, address)
        return "address_declined"
    mailbox = leases.digest_of(mailbox_of(address))
    if _is_waiting(txn, address) and hints(txn, mailbox, known=False):
        txn.newcomers.wrote_from = address
        refused = OrderRefused(match=None, typed="", code="yes_alone", facts={})
        txn.write_to(address, refused, AddressAsked())
    return "no_consent"


def _is_waiting(txn: Transaction, address: str) -> bool:
    """Whether the player's claim to an address still stands: it may be gone, or another's."""
    own = roster.addresses_of(txn.conn, txn.sender)
    return any(roster.folded(row.address) == roster.folded(address) for row in own)


# --- second thoughts -----------------------------------------------------------------------------
# Second thoughts about a move that is held: it does not go out before its player says so.


def asks_about_held(txn: Transaction, context: LetterContext, intent: Intent) -> bool:
    """Whether an answer to a held move's receipt doubts it: then it waits, and is asked about.

    `Stop!` there is no wish for fewer mails. What an order says plainly, it does.
    """
    held = _held(txn, context)
    if held is None or intent.orders.asked:
        return False
    if any(not _says_nothing(one) for one in intent.orders.todo):
        return False
    typed = lines_of("\n".join(intent.rest.lines))
    doubts = [line for line in typed if has_second_thoughts(line, context.matches.house.words)]
    if doubts:
        ask_about_held(txn, context, held, doubts)
    return bool(doubts)


def _says_nothing(typed: TypedOrder) -> bool:
    """Whether an order is none here: `stop!`, or words of the game that are no move (`warte`)."""
    if isinstance(typed.order, Move):
        return typed.read is None and typed.refused is None
    return isinstance(typed.order, ChooseWish)


def _held(txn: Transaction, context: LetterContext) -> HeldMove | None:
    """The move that the writer holds in the match that is answered."""
    if context.home is None or Power.MOVE not in GRANTS[context.proof]:
        return None
    loaded = context.matches.found(context.home)
    if loaded is None:
        return None
    match = loaded.match
    seat = match.seat_of(txn.sender)
    return match.pending.held.get(seat) if seat is not None else None


# --- complaints ----------------------------------------------------------------------------------
# Whoever says that a mail of ours is spam gets no more of them: a report does what `stop` does.

log = structlog.get_logger("pbem.complaints")


def take_complaint(txn: Transaction, letter: Letter, complaint: Complaint | None) -> bool:
    """Carry out what a report of spam asks for; whether it is about a mail of ours.

    It is never answered, and nobody else hears of it: PLAY 3, clocks go on. Who has never consented
    is not written to any more, whoever names the address.
    """
    mail = _mail(txn, letter, complaint) if complaint is not None else None
    if mail is None:
        return False
    log.warning("complaint", mail=mail.id, kind=mail.kind)
    if mail.to_address is not None:
        leases.add(txn.conn, mailbox_of(mail.to_address), txn.now)
    elif mail.recipient is not None:
        _stop(txn, mail.recipient)
    return True


def _stop(txn: Transaction, recipient: PlayerId) -> None:
    player = roster.player(txn.conn, recipient)
    if player is None:
        return
    txn.actor = player.id
    context = LetterContext(matches=txn, actor=player.id)
    if not player.confirmed:
        never_again(txn, context, player.address)
    choose(txn, context, "everything", "off")


def _mail(txn: Transaction, letter: Letter, complaint: Complaint) -> OutboxRow | None:
    """The mail that it is about, by what only we can have made of what it names."""
    for ident in _complained_of(txn, letter, complaint):
        mail = outbox.find_by_mail_id(txn.conn, ident)
        if mail is not None:
            return mail
    return None


def _complained_of(txn: Transaction, letter: Letter, complaint: Complaint) -> Iterator[str]:
    keys, site = txn.house.keys, txn.house.settings.site
    for one in complaint.message_ids:
        if (ident := read_message_id(keys, one)) is not None:
            yield ident
    for address in (*complaint.senders, *letter.recipients):
        ident = read_verp(keys, address, site.address, delimiter=site.delimiter)
        if ident is not None:
            yield ident
