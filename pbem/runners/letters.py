"""Take one letter, as one unit of work: who wrote it, what it says, what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.mail import orders
from pbem.mail.addresses import without_tags
from pbem.mail.asides import aside_of, is_greeting
from pbem.mail.letter import Letter, UnreadableLetter, read_letter
from pbem.mail.order_lines import Reading, TypedOrder, is_order, read_orders
from pbem.mail.quotes import OwnText
from pbem.mail.reply_text import Typed, typed_text
from pbem.mail.subject_line import typed_subject
from pbem.names import MatchId, PlayerId
from pbem.notices.personal import (
    ConfirmationAsked,
    SenderDoubted,
    Welcome,
)
from pbem.players import commands as player_commands
from pbem.runners.accepting import agreed, friendly
from pbem.runners.agreements import moves_first
from pbem.runners.answers import DOUBTED, answered_mail, is_asked_to_a_table
from pbem.runners.bounces import resume, take_bounce
from pbem.runners.caps import answers_refusals, asks_about_doubts, takes_letters, welcomes
from pbem.runners.carry_out import carry_out, one_move
from pbem.runners.challenges import call_as_signed, new_player
from pbem.runners.held import held_lines, hold, says_no, shown, without_yes
from pbem.runners.held_timers import window_of
from pbem.runners.house import House, Loaded, match_stream
from pbem.runners.languages import speak, speak_as_written
from pbem.runners.leftovers import account_for_rest
from pbem.runners.moves import said_move
from pbem.runners.nothing_done import nothing_to_do, refuse_letter
from pbem.runners.people import tell_addresses
from pbem.runners.saying_yes import refuse, say_yes
from pbem.runners.sender import Known, Nobody, Sender, Stranger, identify
from pbem.runners.taking import Taking
from pbem.runners.unsubscribing import proves, stop_silently, with_request
from pbem.runners.watching import watched_match
from pbem.runners.which_match import OPEN, game_of
from pbem.store import inbox, outbox, questions, roster, views
from pbem.store.inbox import InboxRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.errors import Fact

MOST_ORDERS: Final = 40
"""Orders that one letter may have; each may be answered at length."""


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


def take(conn: Connection, house: House, row: InboxRow, letter: Letter) -> Taken:
    """Take a letter. All that it changes is in `conn`'s transaction."""
    if letter.is_bounce:
        return _bounced(conn, house, row, letter)
    if letter.automatic is not None and not letter.unsubscribes:
        # RFC 3834 2: automatic mail is never answered, so that no loop can begin.
        return Taken.settled(conn, row, "automatic", code=letter.automatic)
    sender = identify(conn, house, letter)
    if isinstance(sender, Nobody):
        return Taken.settled(conn, row, "nobody", code=sender.reason)
    taking = Taking(
        conn=conn, house=house, cause=row.key, now=house.now(), answers=letter.message_id
    )
    if letter.automatic is not None:
        return _unsubscribed(taking, row, letter, sender)
    if isinstance(sender, Stranger):
        return _stranger(taking, row, letter, sender)
    return _known(taking, row, letter, sender)


def _bounced(conn: Connection, house: House, row: InboxRow, letter: Letter) -> Taken:
    taking = Taking(conn=conn, house=house, cause=row.key, now=house.now())
    counted = take_bounce(taking, row.raw, letter)
    taking.close()
    return Taken.settled(conn, row, "bounce", code=None if counted else "not_counted")


def _unsubscribed(taking: Taking, row: InboxRow, letter: Letter, sender: Sender) -> Taken:
    """A mail program asks for no more mail, and gets none, not even an answer (RFC 3834 2)."""
    if not proves(sender):
        return Taken.settled(taking.conn, row, "automatic", code=letter.automatic)
    stop_silently(taking, sender.player.id)
    return Taken.settled(taking.conn, row, "done", match=sender.home)


# --- strangers ---------------------------------------------------------------


def _stranger(taking: Taking, row: InboxRow, letter: Letter, stranger: Stranger) -> Taken:
    """One welcome a day at most, and nothing is carried out before the address has answered."""
    if not welcomes(taking, stranger.address):
        return Taken.settled(taking.conn, row, "stranger", code="too_many")
    player = roster.player_by_address(taking.conn, stranger.address)
    if player is None:
        player = new_player(taking, stranger.address, letter.display_name)
    taking.actor = player.id
    inbox.note_writer(taking.conn, row.key, player.id)
    taking.decide_player(player.id, player_commands.AskRegistration())
    typed = _typed(taking, letter, Known(player, None), None)
    speak(taking, player.id, taking.house.words.language_of(" ".join(typed.lines)))
    hold(taking, typed.lines, None, "letter")
    taking.answer(ConfirmationAsked())
    taking.close()
    return Taken.settled(taking.conn, row, "stranger")


# --- players -----------------------------------------------------------------


def _where(taking: Taking, sender: Known) -> Known:
    """The sender, and the match that they watch if its news is what they answer."""
    if sender.home is not None or sender.doubt is not None:
        return sender
    taking.home = watched_match(taking, taking.answered)
    return replace(sender, home=taking.home)


def _known(taking: Taking, row: InboxRow, letter: Letter, sender: Known) -> Taken:
    player = taking.actor = sender.player.id
    taking.home = sender.home
    taking.window = window_of(taking.house, sender.player.wishes)
    if sender.doubt is None:
        inbox.note_writer(taking.conn, row.key, player)
    if sender.loaded is not None:
        taking.know(sender.loaded)
    taking.answered = sender.mail or answered_mail(taking.conn, letter, player)
    sender = _where(taking, sender)
    game = _game(taking, sender.home, player)
    typed = _typed(taking, letter, sender, game)
    lines = with_request(taking, letter, typed.lines, game)
    if sender.doubt is not None:
        return _doubted(taking, row, sender, lines)
    if sender.new_address is not None:
        return _new_address(taking, row, sender.new_address, lines)
    if sender.player.banned or not takes_letters(taking):
        # Who is banned was told then; an answer now would only begin a quarrel.
        code = "banned" if sender.player.banned else "rate_limited"
        return Taken.settled(taking.conn, row, "refused", code=code, match=sender.home)
    answer = read_orders(lines, game, partial(game_of, taking), taking.house.words)
    held = _confirm(taking, sender, letter, lines, carry_out=not says_no(answer))
    became = "done"
    resume(taking, sender.player)
    if row.oversize is not None:
        limit = taking.house.settings.limits.letter_bytes
        refuse_letter(taking, Rejection("letter_too_large", kilobytes=limit // 1000))
    elif typed.conflict:
        refuse_letter(taking, Rejection("text_and_html_differ"))
    else:
        reading = _reading(taking, letter, sender, (*held, "", *lines), game)
        if not sender.player.private_comments:
            aside = aside_of(reading.paragraphs, taking.house.words)
            taking.comment = without_tags(taking.house.keys, aside.text)
            taking.withheld = aside.withheld
        became = _carry_out_all(taking, reading, game)
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


def _new_address(taking: Taking, row: InboxRow, address: str, lines: tuple[str, ...]) -> Taken:
    """Our question went to this address, and here is its answer: any word but no confirms it."""
    if says_no(read_orders(lines, None, words=taking.house.words)):
        roster.remove_address(taking.conn, taking.sender, address)
        return Taken.settled(taking.conn, row, "done", code="address_declined")
    roster.confirm_address(taking.conn, taking.sender, address)
    tell_addresses(taking)
    taking.close()
    return Taken.settled(taking.conn, row, "done", code="address_confirmed")


def _reading(
    taking: Taking, letter: Letter, sender: Known, lines: tuple[str, ...], game: AnyGame | None
) -> Reading:
    reading = read_orders(lines, game, partial(game_of, taking), taking.house.words)
    if not sender.player.confirmed and not _answers_a_table(taking, sender):
        reading = without_yes(reading)
    if reading.orders:
        return reading
    return (
        said_move(taking, reading)
        or friendly(taking, reading)
        or agreed(taking, reading)
        or _from_subject(taking, letter, game)
        or reading
    )


def _from_subject(taking: Taking, letter: Letter, game: AnyGame | None) -> Reading | None:
    """What stands in the subject, if the player changed it and the body has no order."""
    sent = ""
    if taking.answered is not None and taking.answered.data:
        with suppress(UnreadableLetter):
            sent = read_letter(taking.answered.data).subject
    typed = typed_subject(letter.subject, sent)
    if typed is None or taking.answered is None:
        return None
    reading = read_orders([typed], game, partial(game_of, taking), taking.house.words)
    return reading if reading.orders else None


def _doubted(taking: Taking, row: InboxRow, sender: Known, lines: tuple[str, ...]) -> Taken:
    """Hold the orders and ask the registered address; the other one hears nothing."""
    suspended = sender.player.suspended
    if not asks_about_doubts(taking, suspended=suspended):
        return Taken.settled(taking.conn, row, "doubted", code=sender.doubt)
    held = hold(taking, lines, sender.home, DOUBTED)
    taking.answers = None  # the letter is not known to be theirs: nothing of it goes into headers
    asked = SenderDoubted(match=sender.home, orders="", lines=shown(held), suspended=suspended)
    taking.answer(asked)
    taking.close()
    return Taken.settled(taking.conn, row, "doubted", code=sender.doubt, match=sender.home)


def _confirm(
    taking: Taking, sender: Known, letter: Letter, lines: tuple[str, ...], *, carry_out: bool
) -> tuple[str, ...]:
    """The first answer through one's own reply address proves it; what was asked before is due.

    Unless the answer is no: then somebody else has asked for it.
    """
    if sender.player.confirmed:
        return ()
    if sender.home is not None:
        speak_as_written(taking, sender.player.id, lines)
        if carry_out:
            call_as_signed(taking, sender.player.id, letter.display_name)
    taking.decide_player(sender.player.id, player_commands.Confirm())
    roster.confirm(taking.conn, sender.player.id)
    if _answers_a_table(taking, sender) or not carry_out:
        return ()
    taking.answer(Welcome())
    asked = questions.pending(taking.conn, sender.player.id, now=taking.now)
    held = next((question for question in asked if question.kind == "letter"), None)
    if held is None:
        return ()
    questions.answer(taking.conn, held.key, taking.now)
    return held_lines(held.facts)


def _answers_a_table(taking: Taking, sender: Known) -> bool:
    """Whether the letter is about a match, so that its `yes` is more than a newcomer's consent."""
    return sender.home is not None or is_asked_to_a_table(taking)


# --- what is typed -----------------------------------------------------------


def _game(taking: Taking, home: MatchId | None, player: PlayerId) -> AnyGame | None:
    """The game whose words count: that of the match answered, or of all matches there are."""
    if home is not None:
        return game_of(taking, home)
    rulesets = {row.ruleset for row in views.matches_of(taking.conn, player, OPEN)}
    return GAMES[rulesets.pop()] if len(rulesets) == 1 else None


def _typed(taking: Taking, letter: Letter, sender: Known, game: AnyGame | None) -> Typed:
    """What was typed, found with what we know of the mail that was answered."""
    title = taking.house.settings.site.title
    in_match = game is not None and sender.home is not None
    own = OwnText(
        addresses=frozenset(
            address.casefold()
            for address in (taking.house.settings.site.address, *letter.recipients)
        ),
        display_name=f"{game.title} {sender.home} ({title})" if in_match and game else title,
        fingerprints=outbox.fingerprints_for(
            taking.conn,
            message_ids=(letter.in_reply_to, *letter.references),
            recipient=sender.player.id,
        ),
        markers=taking.house.words.markers,
    )
    reads = partial(is_order, game=game, words=taking.house.words)
    return typed_text(letter.text, letter.html, own, is_order=reads)


def _carry_out_all(
    taking: Taking, reading: Reading, game: AnyGame | None
) -> Literal["done", "greeting"]:
    """Run the orders in order, stop at the first that fails, account for every one."""
    todo = list(reading.orders)
    if not todo and is_greeting(reading.comments, taking.house.words):
        return "greeting"
    try:
        _require_few(todo)
        todo = moves_first(taking, one_move(taking, todo))
    except Rejection as rejection:
        refuse(taking, todo[0], rejection)
        return "done"
    if not todo:
        nothing_to_do(taking, reading)
        return "done"
    _carry_out_each(taking, todo, game)
    account_for_rest(taking, reading)
    return "done"


def _carry_out_each(taking: Taking, todo: Sequence[TypedOrder], game: AnyGame | None) -> None:
    for number, typed in enumerate(todo):
        try:
            if isinstance(typed.order, orders.Yes):
                say_yes(taking, typed, game, alone=len(todo) == 1)
            else:
                carry_out(taking, typed)
        except Rejection as rejection:
            refuse(taking, typed, rejection)
            for rest in todo[number + 1 :]:
                taking.skip(rest.typed)
            return
        if taking.sender in taking.forgotten:
            return


def _require_few(todo: Sequence[TypedOrder]) -> None:
    if len(todo) > MOST_ORDERS:
        raise Rejection("too_many_orders", most=MOST_ORDERS)
