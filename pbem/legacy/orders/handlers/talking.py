"""Orders about what is said: to the others, to oneself, to the operator, after the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.games.game import Ply
from pbem.legacy.mail.addresses import message_id, without_tags
from pbem.legacy.mail.verbs.talking import Comment, Mute, Note, Report, Say, Unmute
from pbem.legacy.matches import table
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import StepKind
from pbem.legacy.matches.unfolding import Unfolding
from pbem.names import Digest, is_bot
from pbem.legacy.notices.codec import dump
from pbem.legacy.notices.personal import ReportReceived
from pbem.legacy.orders.context import match_of
from pbem.legacy.orders.handlers.second_thoughts import cut_of, say_with_held
from pbem.legacy.orders.handlers.showing import show_notes
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.players import decide
from pbem.legacy.players.names import named_among
from pbem.legacy.store.mails import outbox
from pbem.legacy.store.mails.outbox import QueuedMail
from pbem.legacy.store.people import rates, roster
from pbem.legacy.transaction.limits import A_DAY, require_few_courtesies, require_hearer

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.errors import Facts
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.store.people.roster import PlayerRow
    from pbem.legacy.transaction.transaction import Transaction

# --- saying something -----------------------------------------------------------------------------

MESSAGE: Final = 4_000
"""Characters of a message; it goes to everybody in the match."""


@carries_out(Say, Power.TALK, in_match=True)
def say(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Say) -> None:
    """Say something to the others; no token of anybody goes with it."""
    text = order.text
    match = match_of(context, typed)
    if not text:
        raise Rejection("text_missing", verb="say")
    if len(text) > MESSAGE:
        raise Rejection("text_too_long", most=MESSAGE)
    text = without_tags(txn.house.keys, text)
    if txn.match(match).status is Status.CHALLENGE:
        require_hearer(txn, txn.match(match).others(txn.sender))
    if say_with_held(txn, typed, match, text):
        return
    said = txn.decide(match, table.say, player=txn.sender, text=txn.seal(text))
    heard = _reads(txn, said.hearers)
    txn.done(typed.typed, "said" if heard else "said_to_nobody", cut_of(typed))


def _reads(txn: Transaction, hearers: Collection[PlayerId]) -> bool:
    """Whether one of them is somebody else, a person, and still here."""
    people = [one for one in hearers if one != txn.sender and not is_bot(one)]
    return bool(people) and bool(roster.players(txn.conn, people))


# --- notes, and hearing no more of others ---------------------------------------------------------

NOTE: Final = 4_000
"""Characters of a note."""


@carries_out(Note, Power.TALK, in_match=True)
def note(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Note) -> None:
    """Keep something for its writer alone, or show what was kept. Raises Rejection."""
    text = order.text
    if not text:
        show_notes(txn, context, typed, order)
        return
    if len(text) > NOTE:
        raise Rejection("text_too_long", most=NOTE)
    match = match_of(context, typed)
    text = without_tags(txn.house.keys, text)
    txn.decide(match, table.keep_note, player=txn.sender, text=txn.seal(text))
    txn.done(typed.typed, "noted", cut_of(typed))


@carries_out(Mute, Power.WISHES, in_match=True)
def mute(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Mute) -> None:
    """Hear no more of others in a match."""
    match, others, name = _named(txn, context, typed, order.player)
    txn.decide_player(txn.sender, decide.mute, match=match, others=others)
    txn.done(typed.typed, "muted", {"name": name})


@carries_out(Unmute, Power.WISHES, in_match=True)
def unmute(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Unmute) -> None:
    """Hear others again."""
    match, others, name = _named(txn, context, typed, order.player)
    txn.decide_player(txn.sender, decide.unmute, match=match, others=others)
    txn.done(typed.typed, "unmuted", {"name": name})


def _named(
    txn: Transaction, context: LetterContext, typed: TypedOrder, name: str
) -> tuple[MatchId, tuple[PlayerId, ...], str]:
    """The match, and the one of the others who is named, by their own name, or all of them."""
    match = txn.match(match_of(context, typed))
    if not name:
        return match.id, table.heard_of(match, txn.sender), ""
    found = among(txn, match, name, table.heard_of(match, txn.sender))
    return match.id, (found.id,), found.name


# --- whom a line names ----------------------------------------------------------------------------


def among(
    txn: Transaction, match: Match, name: str, others: Collection[PlayerId] | None = None
) -> PlayerRow:
    """One of the others in the match by name. Raises Rejection `no_such_opponent`."""
    others = match.others(txn.sender) if others is None else others
    rows = roster.players(txn.conn, sorted(others))
    found = named_among({player: row.name for player, row in rows.items()}, name)
    if found is None:
        raise Rejection("no_such_opponent", player=name)
    return rows[found]


def only_other(txn: Transaction, here: Collection[PlayerId], verb: str) -> PlayerRow:
    """The only one of these who can be meant where nobody is named. Raises Rejection."""
    others = [one for one in here if one != txn.sender and not is_bot(one)]
    found = roster.player(txn.conn, others[0]) if len(others) == 1 else None
    if found is None:
        raise Rejection("name_missing", verb=verb)
    return found


# --- reports --------------------------------------------------------------------------------------
# To the operator, with what was said. The event in the reporter's own stream is what nothing loses;
# the mail tells of it, if the operator has an address. Whom it is about never hears of it.

SAID: Final = 10
"""Messages of somebody, the newest, that a report shows."""

REPORTS_A_DAY: Final = 3


@carries_out(Report, Power.TALK, in_match=True)
def report(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Report) -> None:
    """Tell the operator of another player in the match. Raises Rejection."""
    match = txn.match(match_of(context, typed))
    others = table.heard_of(match, txn.sender)
    named = order.player
    other = among(txn, match, named, others) if named else only_other(txn, others, "report")
    require_few_courtesies(txn, "report", REPORTS_A_DAY)
    said = table.said_by(match, other.id)
    txn.decide_player(txn.sender, decide.report, match=match.id, other=other.id, said=len(said))
    received = ReportReceived(
        about=match.id,
        game=match.game.title,
        reporter=txn.sender,
        reported=other.id,
        said=tuple(said[-SAID:]),
    )
    _tell_the_operator(txn, received)
    txn.done(typed.typed, "reported", {"name": other.name, "count": len(said[-SAID:])})


def _tell_the_operator(txn: Transaction, notice: ReportReceived) -> None:
    contact, keys = txn.house.settings.site.contact, txn.house.keys
    if not contact:
        return
    key = f"{txn.cause}:report-{notice.about}-{notice.reported}:operator"
    mail = QueuedMail(
        key=key,
        message_id=message_id(keys, cause=key, domain=txn.house.domain),
        recipient=None,
        to_address=contact,
        kind="alert",
        notices=dump([notice]),
    )
    outbox.queue(txn.conn, [mail], txn.now)


# --- comments -------------------------------------------------------------------------------------
# Of the moves of a match that is over, for all who may see it.

COMMENT: Final = 1_000
"""Characters of a comment: it stands beside a board."""

COMMENTS_A_DAY: Final = 20
"""Of one person on one match."""


@carries_out(Comment, Power.TALK, in_match=True)
def comment(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Comment) -> None:
    """Say something of a move, or of the match; no token of anybody goes with it."""
    name = match_of(context, typed)
    match = txn.match(name)
    table.require_open_to_comments(match)
    if not order.text:
        raise Rejection("text_missing", verb="comment")
    if len(order.text) > COMMENT:
        raise Rejection("text_too_long", most=COMMENT)
    ply = order.ply if order.ply is None else Ply(order.ply)
    tried = Unfolding(match=match, now=txn.now)
    next(table.comment(tried, txn.sender, ply=ply, text=Digest("")))  # what is refused
    bucket = f"comment-{name}:{txn.sender}"
    if not rates.take(txn.conn, bucket, now=txn.now, capacity=COMMENTS_A_DAY, per=A_DAY):
        raise Rejection("too_many_comments", limit=COMMENTS_A_DAY, daily=True)
    text = txn.seal(without_tags(txn.house.keys, order.text))
    after = txn.decide(name, table.comment, txn.sender, ply=ply, text=text)
    steps = after.course.steps
    moves = (one.text for one in steps if one.kind is StepKind.MOVE and one.ply == ply)
    facts: Facts = {
        "ply": -1 if ply is None else ply,
        "move": next(moves, ""),
        "game": after.game.key,
        "heard": _reads(txn, after.hearers),
    }
    txn.done(typed.typed, "commented", {**facts, **cut_of(typed)})
