"""Letters before they are read: to several seats, above a limit, from unsubscribe buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeGuard

from pbem.errors import Rejection
from pbem.legacy.intake.sender import Known
from pbem.legacy.mail.automatic import WORD
from pbem.legacy.mail.free_text import TypedOrder, read_orders
from pbem.legacy.mail.verbs.own import ChooseWish
from pbem.legacy.mail.verbs.playing import Move
from pbem.legacy.notices.personal import LettersWait
from pbem.legacy.orders.handlers.wishes import choose
from pbem.legacy.orders.order_table import TABLE
from pbem.legacy.orders.powers import GRANTS, Power
from pbem.legacy.store import timers
from pbem.legacy.store.mails import inbox
from pbem.legacy.store.people import rates
from pbem.legacy.transaction.installation import player_stream
from pbem.legacy.transaction.limits import AN_HOUR, letters_bucket, takes_letters

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.errors import Facts
    from pbem.games import AnyGame
    from pbem.legacy.intake.sender import Sender
    from pbem.legacy.mail.letter import Letter
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.orders.context import LetterContext, MoveAsked, Orders
    from pbem.legacy.store.mails.inbox import InboxRow
    from pbem.legacy.store.people.lookups import WriterFacts
    from pbem.legacy.transaction.transaction import Transaction


# --- two seats -----------------------------------------------------------------------------------
# One letter to the addresses of several seats of its writer is taken for each of the matches.


def for_each_seat(
    context: LetterContext,
    others: tuple[MatchId, ...],
    first: Orders,
    read: Callable[[MatchId], Orders],
) -> Orders:
    """What a letter orders in its match and in `others`, which it was addressed to as well.

    A move that can be read in one of them is meant for that one; where it can be read in more, it
    is asked which is meant, and nothing is played.
    """
    home = context.home
    if home is None or not others or first.rejection is not None:
        return first
    every = {home: first, **{other: _read_in(context, other, read) for other in others}}
    reads = [match for match, said in every.items() if _reads_move(context, match, said)]
    meant = reads[0] if reads else home
    move, which = None, None
    if len(reads) > 1:
        move = next(filter(None, map(_move_in, every.values())), None)
        which = Rejection("which_match", matches=list(reads), move=move.typed if move else "")
    for match, said in every.items():
        todo = [order for order in said.todo if match == home or _is_its(order)]
        if match != meant or which is not None:
            todo = [order for order in todo if not _is_open(order)]
        kept = tuple(_with_match(order, match) for order in todo)
        if which is not None and match == meant:
            refused = replace(move or TypedOrder(order=Move(""), typed=""), refused=which)
            kept = (refused, *kept)
        asked = _asked(said, match) if match == meant and which is None else ()
        every[match] = replace(said, todo=kept, asked=asked)
    rest = tuple(every[other].todo for other in others)
    asked = tuple(one for said in every.values() for one in said.asked)
    return replace(every[home], asked=asked, elsewhere=rest)


def _read_in(context: LetterContext, match: MatchId, read: Callable[[MatchId], Orders]) -> Orders:
    """What a letter says as if it had come to the address of this match alone."""
    home, context.home = context.home, match
    try:
        return read(match)
    finally:
        context.home = home


def _reads_move(context: LetterContext, match: MatchId, said: Orders) -> bool:
    """Whether a move that can be made in a match was found there, or two, or one to ask about."""
    found = context.matches.match(match)
    seat = found.seat_of(context.sender)
    if _asked(said, match):
        return True
    if seat is None or seat not in found.to_act:
        return False
    moves = (order for order in said.todo if _is_open(order))
    return any(order.refused is not None or _is_possible(context, match, order) for order in moves)


def _is_possible(context: LetterContext, match: MatchId, order: TypedOrder) -> bool:
    found = context.matches.match(match)
    seat = found.seat_of(context.sender)
    if seat is None or not isinstance(order.order, Move):
        return False
    try:
        found.game.parse(order.order.text, found.course.position, seat)
    except Rejection:
        return False
    return True


def _is_open(order: TypedOrder) -> bool:
    """Whether it is a move whose line does not say for which match; a named one is for that."""
    return isinstance(order.order, Move) and order.match is None


def _asked(said: Orders, match: MatchId) -> tuple[MoveAsked, ...]:
    return tuple(one for one in said.asked if one.match == match)


def _move_in(said: Orders) -> TypedOrder | None:
    """The first move of a letter that names no match, as it was typed or as it is asked about."""
    asked = (TypedOrder(order=Move(one.text), typed=one.text) for one in said.asked)
    moves = (order for order in said.todo if isinstance(order.order, Move))
    return next((order for order in moves if order.match is None), None) or next(asked, None)


def _is_its(order: TypedOrder) -> bool:
    """Whether an order that names no match is carried out in a further one, too."""
    return order.match is None and TABLE[type(order.order)].of_match


def _with_match(order: TypedOrder, match: MatchId) -> TypedOrder:
    """The order with its match before it, so that the answer says which is which."""
    if order.match is not None or not TABLE[type(order.order)].of_match:
        return order
    return replace(order, match=match, typed=f"{match} {order.typed}")


# --- waiting letters -----------------------------------------------------------------------------
# Letters above a player's limit wait, and are taken one by one, in the order of receipt.

LETTERS: Final = "letters"
"""The kind of the timer that lets the next letter of a player be taken."""

MOST_HOURS: Final = 24
"""Of so many hours of the limit letters may wait: else a flood would wait for months."""

A_DAY: Final = timedelta(days=1)


def must_wait(txn: Transaction, context: LetterContext, row: InboxRow, facts: WriterFacts) -> bool:
    """Whether there is no room for a letter of the sender yet, or one before it waits.

    `facts` are the sender's. Then it is put off, and its writer is told: once for all that wait,
    and once an hour at most.
    """
    before = facts.waiting > 0 and inbox.waits_before(txn.conn, txn.sender, row.key)
    if not before and takes_letters(txn, facts.bucket_empty_at):
        return False
    inbox.put_off(txn.conn, row.key, txn.sender, row)
    if before:
        return True
    at = _room_at(txn)
    _set_timer(txn, txn.sender, at)
    told = f"letters-wait:{txn.sender}"
    if rates.take(txn.conn, told, now=txn.now, capacity=1, per=AN_HOUR):
        limit = txn.house.settings.limits.letters_per_hour
        txn.answer(LettersWait(match=context.home, until=at.isoformat(), limit=limit))
        txn.close()
    return True


def is_too_much(txn: Transaction, context: LetterContext, waiting: int) -> bool:
    """Whether so many letters of the sender wait that no more can: a flood; once told, a day."""
    limit = txn.house.settings.limits.letters_per_hour
    if waiting < limit * MOST_HOURS:
        return False
    told = f"letters-lost:{txn.sender}"
    if rates.take(txn.conn, told, now=txn.now, capacity=1, per=A_DAY):
        txn.answer(LettersWait(match=context.home, until="", limit=limit))
        txn.close()
    return True


def let_go(txn: Transaction, player: PlayerId) -> None:
    """Let the letter of a player be taken that has waited longest; the next one waits its turn."""
    if inbox.let_go(txn.conn, player) and inbox.waiting_of(txn.conn, player):
        limit = txn.house.settings.limits.letters_per_hour
        _set_timer(txn, player, txn.now + AN_HOUR // limit)


def _room_at(txn: Transaction) -> datetime:
    limit, bucket = txn.house.settings.limits.letters_per_hour, letters_bucket(txn.sender)
    return rates.room_at(txn.conn, bucket, now=txn.now, capacity=limit, per=AN_HOUR)


def _set_timer(txn: Transaction, player: PlayerId, at: datetime) -> None:
    facts: Facts = {"player": player}
    key, stream = f"{LETTERS}:{player}", player_stream(player)
    timers.set_timer(txn.conn, key, at, stream, LETTERS, facts)


# --- unsubscribing -------------------------------------------------------------------------------
# What an unsubscribe button asks for: `stop`, from the player's own address and to ours.


def proves(sender: Sender) -> TypeGuard[Known]:
    """Whether it comes from an address of the player, to one that only the player knows."""
    if not isinstance(sender, Known) or sender.new_address is not None:
        return False
    return Power.WISHES in GRANTS[sender.proof]


def stop_silently(
    txn: Transaction, context: LetterContext, player: PlayerId, asked: Orders
) -> None:
    """Stop all mail of a player, without a word; or the kind that the button of a page is for."""
    txn.actor = player
    stops = [one.order for one in asked.todo if isinstance(one.order, ChooseWish)]
    kind = stops[0].name if context.of_page and stops else "everything"
    choose(txn, context, kind, "off")
    txn.close()


def with_request(
    words: Vocabulary, letter: Letter, lines: tuple[str, ...], game: AnyGame | None
) -> tuple[str, ...]:
    """What was typed, or the word where a mail program wrote a body of its own around it."""
    if not letter.unsubscribes or read_orders(lines, game, words=words).orders:
        return lines
    return (WORD,)
