"""What a letter answers: the mail that it refers to, what that asked, one-time questions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeVar, cast

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.match import Match, Status, Step, StepKind
from pbem.legacy.notices import codec
from pbem.legacy.notices.codec import load
from pbem.legacy.notices.replies import OrderRefused
from pbem.legacy.store.people import rates
from pbem.legacy.store.people.rates import Question
from pbem.legacy.transaction.dispatch import ONE_TIME
from pbem.legacy.transaction.installation import match_at, match_stream
from pbem.legacy.transaction.limits import asks_once
from pbem.legacy.transaction.timers import (
    KEPT,
    OF_ORDERS,
    PAUSE,
    QUESTIONS_LIVE,
    RESIGNATION,
    TAKEBACK,
)
from pbem.legacy.transaction.unit import Asked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.errors import Facts
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.notices.notice import Notice
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.transaction.transaction import Transaction


# --- one time questions --------------------------------------------------------------------------
# One-time questions: each is a mail of its own, and answered at the address of that mail alone.

_GRAVE_LIVES: Final = timedelta(days=3)
"""So long what cannot be taken back waits for its yes."""


def ask_once(
    txn: Transaction,
    kind: str,
    facts: Facts,
    *notices: Notice,
    match: MatchId | None = None,
    address: str | None = None,
) -> None:
    """Ask the sender something that is answered at an address of its own, at theirs or at another.

    The address is another for each question, so that a yes that was typed before the question, or
    that answers another mail, never answers it.
    """
    lives = _GRAVE_LIVES if kind in OF_ORDERS else QUESTIONS_LIVE
    question = Question("", txn.sender, kind, dict(facts), txn.now + lives)
    _ask(txn, question, notices, match, address)


def _ask(
    txn: Transaction,
    question: Question,
    notices: Sequence[Notice],
    match: MatchId | None,
    address: str | None,
) -> None:
    name = f"{ONE_TIME}{len(txn.owed.asked)}"
    rates.ask(
        txn.conn,
        f"{txn.cause}:{name}",
        player=txn.sender,
        kind=question.kind,
        facts=cast("Facts", question.facts),
        expires_at=question.expires_at,
    )
    txn.owed.asked.append(Asked(name, match, notices, address))


def require_room(txn: Transaction) -> None:
    """Nobody is asked too often in a day. Raises Rejection `too_many_questions`."""
    if not asks_once(txn):
        raise Rejection("too_many_questions")


def is_one_time(question: Question) -> bool:
    """Whether a question takes nothing but a plain yes to the mail that asks it."""
    return _name(question.key).startswith(ONE_TIME) or question.kind == RESIGNATION


def is_asked_here(context: LetterContext, question: Question) -> bool:
    """Whether the letter came to the very address at which a one-time question was asked."""
    mail = context.answered
    if mail is None or not context.own_token:
        return False
    cause, _, name = mail.key.rpartition(":")
    if cause.rpartition(":")[0] != question.key.rpartition(":")[0]:
        return False
    return name == _name(question.key) or not _name(question.key).startswith(ONE_TIME)


def ask_once_again(
    txn: Transaction, context: LetterContext, question: Question, *, hint: bool = True
) -> None:
    """Ask once more, at another address; `hint`: say that only a plain yes will do."""
    mail = context.answered
    if mail is None:
        return
    rates.answer(txn.conn, question.key, txn.now)
    refused = [OrderRefused(match=None, typed="", code="yes_alone", facts={})] if hint else []
    asked = (one for one in codec.load(mail.notices) if not isinstance(one, OrderRefused))
    _ask(txn, question, [*refused, *asked], context.home, mail.to_address)


def _name(key: str) -> str:
    return key.rpartition(":")[2]


# --- reply context -------------------------------------------------------------------------------
# What a letter answers: the mail of ours that it refers to, and what that mail asked.

N = TypeVar("N", bound="Notice")

_SETTLED: Final[Mapping[str, str]] = {TAKEBACK: "no_takeback", PAUSE: "no_pause_asked"}
"""What is said of a question that others may have settled as well."""


def open_questions(context: LetterContext) -> list[Question]:
    """The questions that `yes` or `no` may answer, the newest first.

    They are those of the mail that is answered; where the letter names none, all that were asked
    in its match or outside of any. A one-time question is open at its own address only, so that no
    stray `ok` answers it. A question about a match lapses when the player moves in it.
    """
    asked = [
        question
        for question in context.pending_questions()
        if question.facts.get("match") in (None, context.home) and not _lapsed(context, question)
        if not is_one_time(question) or is_asked_here(context, question)
    ]
    if context.answered is None:
        return asked
    cause = context.answered.key.rsplit(":", 2)[0]
    return [question for question in asked if question.key.rpartition(":")[0] == cause]


def ask_again(txn: Transaction, context: LetterContext) -> bool:
    """Let the mail that answers this letter ask what the mail before it did; False if nothing.

    It is answered where it is newest: `Reply with nothing but yes` must be true of that reply.
    """
    asked = open_questions(context) if context.answered is not None else []
    if asked and (asked[0].kind == RESIGNATION or not is_one_time(asked[0])):
        rates.ask(
            txn.conn,
            f"{txn.cause}:again",
            player=txn.sender,
            kind=asked[0].kind,
            facts=cast("Facts", asked[0].facts),
            expires_at=asked[0].expires_at,
        )
        return True
    return False


def settle(txn: Transaction, question: Question) -> bool:
    """Note that a question is answered, in whatever mail it was asked; False if it was before."""
    answered = rates.answer(txn.conn, question.key, txn.now)
    for other in rates.pending(txn.conn, txn.sender, now=txn.now):
        if (other.kind, other.facts) == (question.kind, question.facts):
            rates.answer(txn.conn, other.key, txn.now)
    return answered


def settled_question(context: LetterContext) -> Rejection | None:
    """Why the question of the mail that is answered waits for no answer any more, if it asked one.

    To be asked where nothing is open that is answered.
    """
    if context.answered is None:
        return None
    cause = context.answered.key.rsplit(":", 2)[0]
    asked = rates.asked_by(context.matches.conn, context.sender, cause)
    if not asked:
        return None
    question = asked[0]
    if question.kind in _SETTLED:
        return Rejection(_SETTLED[question.kind])
    waits = question.answered_at is None and question.expires_at > context.matches.now
    if waits and is_one_time(question):
        return Rejection("yes_elsewhere")
    if question.answered_at is not None:
        why = "answered"
    else:
        why = "late" if question.expires_at <= context.matches.now else "moved"
    return Rejection("question_settled", why=why)


def asks(context: LetterContext, kind: type[Notice]) -> bool:
    """Whether the mail that is answered has a notice of this class."""
    return notice_answered(context, kind) is not None


def notice_answered(context: LetterContext, kind: type[N]) -> N | None:
    """The notice of this class in the mail that is answered, if it has one."""
    mail = context.answered
    notices = load(mail.notices) if mail is not None else ()
    return next((notice for notice in notices if isinstance(notice, kind)), None)


def drop_question(txn: Transaction, context: LetterContext) -> bool:
    """Close the newest open question; False if there is none, or an invitation is meant."""
    asked = open_questions(context)
    invited = context.home is not None and txn.match(context.home).status is Status.CHALLENGE
    if not asked or (context.answered is None and invited):
        return False
    return settle(txn, asked[0])


def _lapsed(context: LetterContext, question: Question) -> bool:
    """Whether the player has moved since; who plays on does not mean to resign."""
    ply, version = question.facts.get("ply"), question.facts.get("version")
    if context.home is None or not isinstance(ply, int) or not isinstance(version, int):
        return False
    match = context.matches.match(context.home)
    if question.kind == TAKEBACK:
        return match.pending.takeback is None or match.pending.takeback.version != version
    if question.kind == PAUSE:
        return match.pending.pause is None or match.pending.pause.version != version
    held = match.pending.held.get(match.seat_of(context.sender) or Seat(0))
    if question.kind == KEPT:
        return held is None or not held.asked or match.course.ply != ply
    if (held and held.version > version) or any(
        t.version > version for t in match.course.taken_back
    ):
        return True
    return _has_moved_since(match, context.sender, ply)


def require_fresh(context: LetterContext, match: Match) -> None:
    """A late letter for an earlier ply plays nothing (MAIL 4). Raises Rejection `stale_mail`.

    It is late if the mail that it answers asked for a move, and that move has been made since: its
    writer has seen another board than the one on which it would be played.
    """
    mail = context.answered
    if mail is None or not 0 < mail.version < match.version:
        return
    if mail.stream != match_stream(match.id):
        return
    then = match_at(context.matches.conn, match.id, mail.version, context.matches.house.cache).match
    require_same_line(match, Ply(then.course.ply + 1), len(then.course.taken_back))
    seat = then.seat_of(context.sender)
    asked = seat in then.to_act and seat in match.to_act
    if asked and _has_moved_since(match, context.sender, then.course.ply):
        raise Rejection("stale_mail", meant=then.course.ply + 1, now=match.course.ply + 1)


def require_same_line(match: Match, ply: Ply, back: int) -> None:
    """A move for ply `ply`, written when moves had been taken back `back` times, is for its board.

    Raises Rejection `taken_back_since` where the match went back behind it in between.
    """
    if any(taken.ply < ply - 1 for taken in match.course.taken_back[back:]):
        raise Rejection("taken_back_since")


def require_seen(context: LetterContext, match: Match) -> None:
    """What is decided for later must be decided on the board as it is. Raises `stale_mail`.

    Its writer may have made the move that the mail asked for, in the same letter or one before it:
    no other mail need have told them of it since. Later moves of theirs are for another board.
    """
    mail, before = context.answered, context.matches.found(match.id)
    if mail is None or before is None or not 0 < mail.version < before.match.version:
        return
    if mail.stream != match_stream(match.id):
        return
    then = match_at(context.matches.conn, match.id, mail.version, context.matches.house.cache).match
    own = [step.ply for step in _moves_since(before.match, context.sender, then.course.ply)]
    if own not in ([], [then.course.ply + 1]):
        raise Rejection("stale_mail", meant=then.course.ply + 1, now=match.course.ply + 1)
    if len(before.match.course.taken_back) > len(then.course.taken_back):
        raise Rejection("taken_back_since")


def is_shown_turn(context: LetterContext, match: Match, seat: Seat) -> bool:
    """Whether it is a seat's turn, and its player knows so: mails may cross."""
    mail, before = context.answered, context.matches.found(match.id)
    if seat not in match.to_act or seat in match.pending.held:
        return False
    if before is None or before.match.course.ply != match.course.ply:
        return False
    if mail is None or mail.version == 0 or mail.stream != match_stream(match.id):
        return True
    then = match_at(context.matches.conn, match.id, mail.version, context.matches.house.cache).match
    return then.course.ply == match.course.ply


def require_last_move_meant(context: LetterContext, match: Match) -> None:
    """Who answers a mail from before two moves of theirs may mean either. Raises `stale_undo`."""
    mail = context.answered
    if mail is None or not 0 < mail.version < match.version:
        return
    if mail.stream != match_stream(match.id):
        return
    then = match_at(context.matches.conn, match.id, mail.version, context.matches.house.cache).match
    own = _moves_since(match, context.sender, then.course.ply)
    if len(own) > 1:
        raise Rejection("stale_undo", move=own[-1].text, at=own[-1].ply)


def _has_moved_since(match: Match, player: PlayerId, ply: int) -> bool:
    return bool(_moves_since(match, player, ply))


def _moves_since(match: Match, player: PlayerId, ply: int) -> list[Step]:
    seat = match.seat_of(player)
    return [
        step
        for step in match.course.steps
        if step.kind is StepKind.MOVE and step.seat == seat and step.ply > ply
    ]
