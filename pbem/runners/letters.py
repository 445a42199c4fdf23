"""Take one letter, as one unit of work: who wrote it, what it says, what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pbem.errors import Rejection
from pbem.mail import orders
from pbem.names import MatchId
from pbem.notices.personal import ConfirmationAsked, SenderDoubted, Welcome
from pbem.players import commands as player_commands
from pbem.runners.answers import DOUBTED
from pbem.runners.bounces import resume, take_bounce
from pbem.runners.caps import answers_refusals, asks_about_doubts, welcomes
from pbem.runners.carry_out import carry_out
from pbem.runners.challenges import call_as_signed, new_player
from pbem.runners.held import hold, shown
from pbem.runners.house import House, Loaded, match_stream
from pbem.runners.languages import speak, speak_as_written
from pbem.runners.leftovers import account_for_rest, tell_left_out
from pbem.runners.moves import ask_about_move
from pbem.runners.nothing_done import nothing_to_do, refuse_letter
from pbem.runners.people import tell_addresses
from pbem.runners.reading import answers_a_table, place, still_so
from pbem.runners.renewing import renew_what_was_shown
from pbem.runners.saying_yes import refuse, say_yes
from pbem.runners.sender import Known, Nobody, Stranger, identify
from pbem.runners.taking import Taking
from pbem.runners.unsubscribing import proves, stop_silently
from pbem.runners.waiting_letters import is_too_much, must_wait
from pbem.store import inbox, questions, roster

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.errors import Fact
    from pbem.mail.order_lines import TypedOrder
    from pbem.runners.intent import Intent
    from pbem.store.inbox import InboxRow


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
        plies = [loaded.match.ply for loaded in self.changed if loaded.match.id == self.match]
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
    ) -> Taken:
        """Note in the inbox what became of the letter."""
        here = [loaded for loaded in changed if match is None or loaded.match.id == match]
        inbox.settle(
            conn,
            row.key,
            state="refused" if code else "done",
            disposition=disposition,
            code=code,
            stream=match_stream(match) if match else None,
            to_version=here[0].head.version if here else None,
        )
        return cls(disposition, code, match, changed)


def take(conn: Connection, house: House, row: InboxRow, intent: Intent) -> Taken:
    """Take a letter as it was understood. All that it changes is in `conn`'s transaction.

    Raises ReadAgain where that was by facts that are not so any more.
    """
    letter = intent.letter
    if letter.is_bounce:
        return _bounced(conn, house, row, intent)
    if intent.sender is None:
        # RFC 3834 2: automatic mail is never answered, so that no loop can begin.
        return Taken.settled(conn, row, "automatic", code=letter.automatic)
    now = house.now()
    sender = identify(conn, house, letter, now)
    if isinstance(sender, Nobody):
        return Taken.settled(conn, row, "nobody", code=sender.reason)
    taking = Taking(
        conn=conn,
        house=house,
        cause=row.key,
        now=now,
        answers=letter.message_id,
        letter=letter.bond.digest,
        unsure=letter.bond.unsure,
    )
    if isinstance(sender, Stranger):
        if not still_so(taking, sender, intent):
            raise ReadAgain
        if letter.automatic is not None:
            return Taken.settled(conn, row, "automatic", code=letter.automatic)
        return _stranger(taking, row, intent, sender)
    placed = place(taking, letter, sender)
    if not still_so(taking, sender, intent):
        raise ReadAgain
    if letter.automatic is not None:
        return _unsubscribed(taking, row, intent, sender)
    return _known(taking, row, intent, placed)


def _bounced(conn: Connection, house: House, row: InboxRow, intent: Intent) -> Taken:
    taking = Taking(conn=conn, house=house, cause=row.key, now=house.now())
    counted = take_bounce(taking, intent.letter, intent.bounce)
    taking.close()
    return Taken.settled(conn, row, "bounce", code=None if counted else "not_counted")


def _unsubscribed(taking: Taking, row: InboxRow, intent: Intent, sender: Known) -> Taken:
    """A mail program asks for no more mail, and gets none, not even an answer (RFC 3834 2)."""
    if not proves(sender):
        return Taken.settled(taking.conn, row, "automatic", code=intent.letter.automatic)
    stop_silently(taking, sender.player.id)
    return Taken.settled(taking.conn, row, "done", match=sender.home)


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
    taking = Taking(conn=conn, house=house, cause=row.key, now=now, answers=letter.message_id)
    place(taking, letter, sender)
    inbox.note_writer(conn, row.key, taking.sender)
    refuse_letter(taking, Rejection("letter_set_aside"))
    if answers_refusals(taking):
        taking.close()


# --- strangers ---------------------------------------------------------------


def _stranger(taking: Taking, row: InboxRow, intent: Intent, stranger: Stranger) -> Taken:
    """One welcome a day at most, and nothing is carried out before the address has answered."""
    if not welcomes(taking, stranger.address, wrote=intent.letter.auth.verdict == "pass"):
        return Taken.settled(taking.conn, row, "stranger", code="too_many")
    player = roster.player_by_address(taking.conn, stranger.address)
    if player is None:
        player = new_player(taking, stranger.address, intent.letter.display_name)
    taking.actor = player.id
    inbox.note_writer(taking.conn, row.key, player.id)
    taking.decide_player(player.id, player_commands.AskRegistration())
    speak(taking, player.id, intent.language)
    hold(taking, intent.lines, None, "letter")
    taking.answer(ConfirmationAsked())
    taking.close()
    return Taken.settled(taking.conn, row, "stranger")


# --- players -----------------------------------------------------------------


def _known(taking: Taking, row: InboxRow, intent: Intent, sender: Known) -> Taken:
    player = taking.sender
    if sender.doubt is None:
        taking.wrote = player
        inbox.note_writer(taking.conn, row.key, player)
    if sender.doubt is not None:
        return _doubted(taking, row, intent, sender)
    if sender.new_address is not None:
        return _new_address(taking, row, intent, sender.new_address)
    if sender.player.banned:
        # Who is banned was told then; an answer now would only begin a quarrel.
        return Taken.settled(taking.conn, row, "refused", code="banned", match=sender.home)
    if is_too_much(taking):
        return Taken.settled(taking.conn, row, "refused", code="rate_limited", match=sender.home)
    if must_wait(taking, row):
        return Taken("waits", match=sender.home, changed=tuple(taking.changed))
    _confirm(taking, intent, sender)
    renew_what_was_shown(taking, intent.letter, sender)
    became = "done"
    resume(taking, sender.player)
    if row.oversize is not None:
        limit = taking.house.settings.limits.letter_bytes
        refuse_letter(taking, Rejection("letter_too_large", kilobytes=limit // 1000))
    elif intent.conflict:
        refuse_letter(taking, Rejection("text_and_html_differ"))
    else:
        became = _carry_out_all(taking, intent)
        tell_left_out(taking, intent.left_out)
    if taking.code is not None and not answers_refusals(taking):
        return Taken.settled(taking.conn, row, "refused", code=taking.code, match=sender.home)
    taking.close()
    return Taken.settled(
        taking.conn,
        row,
        "refused" if taking.code else became,
        code=taking.code,
        match=sender.home,
        changed=tuple(taking.changed),
    )


def _new_address(taking: Taking, row: InboxRow, intent: Intent, address: str) -> Taken:
    """Our question went to this address, and here is its answer: any word but no confirms it."""
    if intent.says_no:
        roster.remove_address(taking.conn, taking.sender, address)
        return Taken.settled(taking.conn, row, "done", code="address_declined")
    roster.confirm_address(taking.conn, taking.sender, address)
    tell_addresses(taking)
    taking.close()
    return Taken.settled(taking.conn, row, "done", code="address_confirmed")


def _doubted(taking: Taking, row: InboxRow, intent: Intent, sender: Known) -> Taken:
    """Hold the orders and ask the registered address; the other one hears nothing."""
    suspended = sender.player.suspended
    if not asks_about_doubts(taking, suspended=suspended):
        return Taken.settled(taking.conn, row, "doubted", code=sender.doubt)
    held = hold(taking, intent.lines, sender.home, DOUBTED)
    taking.answers = None  # the letter is not known to be theirs: nothing of it goes into headers
    asked = SenderDoubted(
        match=sender.home, orders="", lines=shown(held), suspended=suspended, more=intent.more
    )
    taking.answer(asked)
    taking.close()
    return Taken.settled(taking.conn, row, "doubted", code=sender.doubt, match=sender.home)


def _confirm(taking: Taking, intent: Intent, sender: Known) -> None:
    """The first answer through one's own reply address proves it; what was asked before is due.

    Unless the answer is no: then somebody else has asked for it.
    """
    if sender.player.confirmed:
        return
    if sender.home is not None:
        speak_as_written(taking, sender.player.id, intent.language)
        if not intent.says_no:
            call_as_signed(taking, sender.player.id, intent.letter.display_name)
    taking.decide_player(sender.player.id, player_commands.Confirm())
    roster.confirm(taking.conn, sender.player.id)
    if answers_a_table(taking, sender) or intent.says_no:
        return
    taking.answer(Welcome())
    if intent.waiting is not None:
        questions.answer(taking.conn, intent.waiting, taking.now)


# --- what is typed -----------------------------------------------------------


def _carry_out_all(taking: Taking, intent: Intent) -> Literal["done", "greeting"]:
    """Run the orders in order, stop at the first that fails, account for every one."""
    said, rest = intent.orders, intent.rest
    taking.comment, taking.held = said.comment, intent.held
    taking.withheld, taking.overlooked = said.withheld, said.overlooked
    for move in said.asked:
        ask_about_move(taking, move)
    if said.rejection is not None:
        refuse(taking, said.todo[0], said.rejection)
        return "done"
    if not said.todo:
        if rest.greeting and not said.asked:
            return "greeting"
        nothing_to_do(taking, rest)
        return "done"
    _carry_out_each(taking, said.todo)
    account_for_rest(taking, rest)
    return "done"


def _carry_out_each(taking: Taking, todo: Sequence[TypedOrder]) -> None:
    for number, typed in enumerate(todo):
        try:
            if isinstance(typed.order, orders.Yes):
                say_yes(taking, typed, alone=len(todo) == 1)
            else:
                carry_out(taking, typed)
        except Rejection as rejection:
            refuse(taking, typed, rejection)
            for rest in todo[number + 1 :]:
                taking.skip(rest.typed)
            return
        if taking.sender in taking.forgotten:
            return
