"""Take one letter, as one unit of work: who wrote it, what it says, what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pbem.legacy.delivery.bounces import resume, take_bounce
from pbem.errors import Rejection
from pbem.games.usual import UNREAD
from pbem.legacy.intake.answers import (
    account_for_rest,
    ask_about_order,
    nothing_to_do,
    refuse_letter,
    tell_left_out,
    tell_wanted,
)
from pbem.legacy.intake.consent import asks_about_held, hear, hear_address, nothing_waits, take_complaint
from pbem.legacy.intake.doubtful_orders import Kept
from pbem.legacy.intake.doubts import (
    ask_about_rest,
    ask_if_theirs,
    hold,
    note_later,
    note_unread,
    shown,
    take_seen,
)
from pbem.legacy.intake.letters import is_too_much, must_wait, proves, stop_silently
from pbem.legacy.intake.read_letter import place, still_so
from pbem.legacy.intake.sender import Known, Nobody, Stranger, facts_of, identify
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.automatic import COMPLAINT
from pbem.legacy.mail.headers import mailbox_of
from pbem.legacy.mail.verbs.agreeing import Yes
from pbem.legacy.mail.verbs.playing import Move
from pbem.names import MatchId, PlayerId
from pbem.legacy.notices.personal import ConfirmationAsked
from pbem.legacy.orders.confirmations import go_on_without, refuse, say_yes
from pbem.legacy.orders.context import LetterContext, speak
from pbem.legacy.orders.handlers.challenges import new_player
from pbem.legacy.orders.handlers.people import renew_what_was_shown
from pbem.legacy.orders.handlers.playing import ask_about_move
from pbem.legacy.orders.order_table import binds, carry_out
from pbem.legacy.orders.powers import is_asked_about, is_seen
from pbem.legacy.players import decide
from pbem.legacy.store.mails import inbox, leases
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.installation import House, Loaded, match_stream
from pbem.legacy.transaction.limits import answers_refusals, hints, takes_seen, welcomes
from pbem.legacy.transaction.timers import REGISTRATION
from pbem.legacy.transaction.transaction import Thread, Transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.errors import Fact
    from pbem.legacy.intake.intent import Became, Intent
    from pbem.legacy.mail.free_text import Rest, TypedOrder
    from pbem.legacy.store.mails.inbox import InboxRow
    from pbem.legacy.transaction.limits import Ground


_NO_MOVE: Final = (*UNREAD, "not_your_turn", "move_unread")
"""Why a text is refused that may be no move at all, but a sentence."""


class ReadAgain(Exception):  # noqa: N818 - what is to be done
    """What a letter was read by is not so any more: its match has moved on, or its writer."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a letter: its disposition for the inbox and the log, and changed matches."""

    disposition: str
    code: str | None = None
    match: MatchId | None = None
    changed: tuple[Loaded, ...] = field(default=())

    @property
    def record(self) -> dict[str, Fact]:
        """The structured log record; no address and no token is in it."""
        plies = [
            loaded.match.course.ply for loaded in self.changed if loaded.match.id == self.match
        ]
        return {
            "disposition": self.disposition,
            "code": self.code,
            "match": self.match,
            "ply": plies[0] if plies else None,
        }

    @classmethod
    def settled(
        cls,
        conn: Connection,
        row: InboxRow,
        disposition: str,
        *,
        code: str | None = None,
        match: MatchId | None = None,
        changed: tuple[Loaded, ...] = (),
        writer: PlayerId | None = None,
    ) -> Taken:
        """Note what became of the letter, and whose it is. Raises NotClaimed if it is not ours."""
        here = [loaded for loaded in changed if match is None or loaded.match.id == match]
        inbox.settle(
            conn,
            row.key,
            state="refused" if code else "done",
            disposition=disposition,
            code=code,
            stream=match_stream(match) if match else None,
            to_version=here[0].head.version if here else None,
            writer=writer,
            claimed=row,
        )
        return cls(disposition, code, match, changed)


def take(conn: Connection, house: House, row: InboxRow, intent: Intent) -> Taken:
    """Take a letter as it was understood. All that it changes is in `conn`'s transaction.

    Raises ReadAgain where that was by facts that are not so any more.
    """
    letter = intent.letter
    if letter.is_bounce:
        return _bounced(conn, house, row, intent)
    if letter.automatic == COMPLAINT:
        return _complained(conn, house, row, intent)
    if intent.sender is None:
        # RFC 3834 2: automatic mail is never answered, so that no loop can begin.
        return Taken.settled(conn, row, "automatic", code=letter.automatic)
    now = house.now()
    sender = identify(conn, house, letter, now)
    if isinstance(sender, Nobody):
        return Taken.settled(conn, row, "nobody", code=sender.reason)
    txn = Transaction(conn=conn, house=house, cause=row.key, now=now)
    bond = letter.bond
    context = LetterContext(
        matches=txn, digest=bond.digest, unsure=bond.unsure, of_page=bool(row.page)
    )
    if isinstance(sender, Stranger):
        if not still_so(context, sender, intent):
            raise ReadAgain
        if letter.automatic is not None:
            return Taken.settled(conn, row, "automatic", code=letter.automatic)
        return _stranger(txn, row, intent, sender)
    placed = _placed(txn, context, intent, sender)
    txn.thread.page = row.page
    if not still_so(context, sender, intent):
        raise ReadAgain
    context.unasked = False  # the letter itself may ask from here on
    if letter.automatic is not None:
        return _unsubscribed(txn, context, row, intent, sender)
    return _known(txn, context, row, intent, placed)


def _placed(txn: Transaction, context: LetterContext, intent: Intent, sender: Known) -> Known:
    """Fill in who writes and what is answered, and let the answers go there."""
    placed = place(context, sender, intent.answered)
    txn.actor = context.actor
    txn.thread = Thread(home=context.home, in_reply_to=intent.letter.message_id)
    if sender.facts is not None:
        txn.know_readers(sender.facts.people.values())
    return placed


def _bounced(conn: Connection, house: House, row: InboxRow, intent: Intent) -> Taken:
    txn = Transaction(conn=conn, house=house, cause=row.key, now=house.now())
    counted = take_bounce(txn, intent.letter, intent.bounce)
    txn.close()
    return Taken.settled(conn, row, "bounce", code=None if counted else "not_counted")


def _complained(conn: Connection, house: House, row: InboxRow, intent: Intent) -> Taken:
    txn = Transaction(conn=conn, house=house, cause=row.key, now=house.now())
    ours = take_complaint(txn, intent.letter, intent.complaint)
    txn.close()
    return Taken.settled(conn, row, "complaint", code=None if ours else "not_counted")


def _unsubscribed(
    txn: Transaction, context: LetterContext, row: InboxRow, intent: Intent, sender: Known
) -> Taken:
    """A mail program asks for no more mail, and gets none, not even an answer (RFC 3834 2)."""
    if not proves(sender):
        return Taken.settled(txn.conn, row, "automatic", code=intent.letter.automatic)
    stop_silently(txn, context, sender.player.id, intent.orders)
    return Taken.settled(txn.conn, row, "done", match=sender.home)


def tell_set_aside(conn: Connection, house: House, row: InboxRow, intent: Intent) -> None:
    """Tell the writer of a letter that it could not be read; nobody else hears of it.

    `intent` is what its headers alone say.
    """
    letter = intent.letter
    now = house.now()
    sender = identify(conn, house, letter, now)
    if letter.is_bounce or letter.automatic is not None or not isinstance(sender, Known):
        return
    if sender.doubt is not None or sender.new_address is not None or sender.player.banned:
        return
    txn = Transaction(conn=conn, house=house, cause=row.key, now=now)
    context = LetterContext(matches=txn)
    _placed(txn, context, intent, sender)
    inbox.note_writer(conn, row.key, txn.sender)
    refuse_letter(txn, context, Rejection("letter_set_aside"))
    if answers_refusals(txn):
        txn.close()


# --- strangers ---------------------------------------------------------------


def _stranger(txn: Transaction, row: InboxRow, intent: Intent, stranger: Stranger) -> Taken:
    """One welcome a day at most, and nothing is carried out before the address has answered."""
    if not _wants_mail(txn, intent, stranger.address):
        return Taken.settled(txn.conn, row, "stranger", code="wants_no_mail")
    ground: Ground = "wrote" if intent.letter.auth.verdict == "pass" else "asked"
    if not welcomes(txn, stranger.address, "form" if row.account == inbox.PAGES else ground):
        note_unread(txn, stranger.address, intent.game)
        return Taken.settled(txn.conn, row, "stranger", code="too_many")
    player = roster.player_by_address(txn.conn, stranger.address)
    if player is None:
        # How they call themselves is theirs to say once they have answered: this may be forged.
        player = new_player(txn, stranger.address)
    txn.actor = player.id
    txn.decide_player(player.id, decide.ask_registration)
    speak(txn, player.id, intent.language)
    more = intent.left_out > 0 or intent.more
    asked = ConfirmationAsked(lines=shown(intent.shown), more=more)
    hold(txn, intent.lines, None, REGISTRATION, asked, game=intent.game)
    txn.close()
    return Taken.settled(txn.conn, row, "stranger", writer=player.id)


def _wants_mail(txn: Transaction, intent: Intent, address: str) -> bool:
    """Who wanted nothing of us and writes now, as their own server vouches, wants it again."""
    if intent.letter.auth.verdict == "pass":
        leases.forget(txn.conn, mailbox_of(address))
    return not leases.has(txn.conn, mailbox_of(address))


# --- players -----------------------------------------------------------------


def _known(
    txn: Transaction, context: LetterContext, row: InboxRow, intent: Intent, sender: Known
) -> Taken:
    if sender.doubt is not None:
        return _doubted(txn, context, row, intent, sender)
    if sender.new_address is not None:
        became = hear_address(txn, intent, sender, sender.new_address)
        txn.close()
        return Taken.settled(txn.conn, row, "done", code=became)
    txn.newcomers.wrote = txn.sender
    if sender.player.banned:
        # Who is banned was told then; an answer now would only begin a quarrel.
        return _refused(txn, row, sender, "banned")
    if is_seen(sender.proof):
        return _seen(txn, context, row, intent, sender)
    facts = sender.facts or facts_of(txn.conn, txn.sender, txn.now)
    if is_too_much(txn, context, facts.waiting):
        return _refused(txn, row, sender, "rate_limited")
    if must_wait(txn, context, row, facts):
        return Taken("waits", match=sender.home, changed=tuple(txn.changed))
    no_consent = hear(txn, context, intent, sender)
    if no_consent is not None:
        txn.code = no_consent
        return _closed(txn, context, row)
    renew_what_was_shown(txn, intent.letter, sender.player.id, sender.home)
    if sender.player.bounced or sender.player.suspended:
        context.resumed = resume(txn, sender.player)
    became = _act(txn, context, row, intent, sender)
    if txn.code is not None and not answers_refusals(txn):
        return _refused(txn, row, sender, txn.code)
    return _closed(txn, context, row, became)


def _refused(txn: Transaction, row: InboxRow, sender: Known, code: str) -> Taken:
    """Note that a letter was refused; nothing comes of it, and nobody is told."""
    return Taken.settled(txn.conn, row, "refused", code=code, match=sender.home, writer=txn.sender)


def _seen(
    txn: Transaction, context: LetterContext, row: InboxRow, intent: Intent, sender: Known
) -> Taken:
    """What came to an address that others have seen is answered at the one of today (MAIL 3).

    It may be somebody else's letter, so it says nothing about its player, and counts for itself.
    """
    txn.thread.in_reply_to = None
    if not takes_seen(txn):
        if not hints(txn, f"seen:{txn.sender}", known=True):
            return _refused(txn, row, sender, "rate_limited")
        refuse_letter(txn, context, Rejection("address_seen"))
        return _closed(txn, context, row)
    return _closed(txn, context, row, take_seen(txn, context, intent))


def _act(
    txn: Transaction, context: LetterContext, row: InboxRow, intent: Intent, sender: Known
) -> str:
    """Do what a letter orders; what became of it."""
    if row.oversize is not None:
        limit = txn.house.settings.limits.letter_bytes
        refuse_letter(txn, context, Rejection("letter_too_large", kilobytes=limit // 1000))
    elif intent.conflict:
        refuse_letter(txn, context, Rejection("text_and_html_differ"))
    elif not nothing_waits(context, sender):
        became = _carry_out_all(txn, context, intent)
        tell_left_out(txn, intent.left_out)
        return became
    return "done"


def _closed(
    txn: Transaction, context: LetterContext, row: InboxRow, became: str = "refused"
) -> Taken:
    txn.thread.receipts = txn.thread.receipts or context.proof is Proof.MAIL
    txn.close()
    return Taken.settled(
        txn.conn,
        row,
        "refused" if txn.code else became,
        code=txn.code,
        match=txn.thread.home,
        changed=tuple(txn.changed),
        writer=txn.sender,
    )


def _doubted(
    txn: Transaction, context: LetterContext, row: InboxRow, intent: Intent, sender: Known
) -> Taken:
    """Hold the orders and ask their supposed writer; whoever wrote them hears nothing."""
    kept = Kept(intent.lines, intent.shown, intent.more or intent.left_out > 0)
    if ask_if_theirs(txn, context, sender, kept):
        txn.close()
    else:
        note_later(txn, kept.shown)
    return Taken.settled(txn.conn, row, "doubted", code=sender.doubt, match=sender.home)


# --- what is typed -----------------------------------------------------------


def _carry_out_all(txn: Transaction, context: LetterContext, intent: Intent) -> Became:
    """Run the orders in order, stop at the first that fails, account for every one."""
    said, rest = intent.orders, intent.rest
    context.held = intent.held
    for move in said.asked:
        ask_about_move(txn, context, move)
    if said.rejection is not None:
        refuse(txn, context, said.todo[0], said.rejection)
        return "done"
    if asks_about_held(txn, context, intent):
        return "done"
    if not said.todo and not any(said.elsewhere):
        if rest.greeting and not rest.of_game and not said.asked:
            return "greeting"
        return "done" if nothing_to_do(txn, context, rest) else "unanswered"
    became = [_carry_out_each(txn, context, todo, rest) for todo in (said.todo, *said.elsewhere)]
    account_for_rest(txn, rest)
    return became[0]


def _carry_out_each(
    txn: Transaction, context: LetterContext, todo: Sequence[TypedOrder], rest: Rest
) -> Became:
    """Carry out orders up to the first that fails, and what does not hang on a move that does."""
    for number, typed in enumerate(todo):
        try:
            if rest.doubts and not context.of_page and binds(typed.order):
                ask_about_order(txn, context, typed.typed, rest.doubts)
                continue
            if isinstance(typed.order, Yes):
                say_yes(txn, context, typed, alone=len(todo) == 1)
            else:
                carry_out(txn, context, typed)
        except Rejection as rejection:
            asked = is_asked_about(context.proof, typed.order, rejection)
            if asked and ask_about_rest(txn, context, todo[number:]):
                return "doubted"
            no_move = isinstance(typed.order, Move) and rejection.code in _NO_MOVE
            if no_move and len(todo) == 1 and tell_wanted(txn, context, rest):
                return "done"
            refuse(txn, context, typed, rejection)
            go_on_without(txn, context, typed, todo[number + 1 :])
            return "done"
        if txn.sender in txn.forgotten:
            return "done"
    return "done"
