"""Vacated seats by mail: who may play on there, the questions to the others, the time it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.matches import commands
from pbem.names import MatchId, PlayerId, is_bot
from pbem.orders.handlers.challenges import opponent, require_welcome
from pbem.orders.reply_context import settle
from pbem.orders.which_match import match_of
from pbem.players import commands as player_commands
from pbem.store.people import questions
from pbem.store.upkeep.ahead import OVERDUE
from pbem.transaction.bot_timers import find_bot, level_asked
from pbem.transaction.newcomer_quota import require_for
from pbem.transaction.player_clocks import bring_hours_of
from pbem.transaction.question_kinds import QUESTIONS_LIVE, TAKEOVER

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.mail.verbs.orders import Takeover
    from pbem.matches.match import Match
    from pbem.matches.table.vacancies import Proposal
    from pbem.orders.letter_context import LetterContext
    from pbem.store.people.questions import Question
    from pbem.store.timers import Timer
    from pbem.transaction.transaction import Transaction

NOBODY = ("none", "nobody", "no")


def take_over(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Takeover) -> None:
    """Propose somebody for the vacated seat, or want nobody there. Raises Rejection."""
    name = match_of(context, typed)
    if not txn.match(name).vacant:
        raise Rejection("no_vacancy")
    if not order.who:
        raise Rejection("text_missing", verb="takeover")
    if order.who.casefold() in NOBODY:
        _want_nobody(txn, typed, name)
        return
    with txn.conn.begin_nested():  # whose name is refused has not become known to us by it
        newcomer = _newcomer(txn, order.who, txn.match(name))
        command = commands.ProposeTakeover(player=txn.sender, newcomer=newcomer)
        match = txn.decide(name, command)
    if not is_bot(newcomer):
        txn.decide_player(newcomer, player_commands.Invite(by=txn.sender))
    txn.done(typed.typed, "takeover_proposed", {"name": order.who})
    for seat in match.active:
        player = match.player_at(seat)
        if is_bot(player):
            match = txn.decide(name, commands.AnswerTakeover(player=player, accept=True))
        elif player != txn.sender:
            _ask(txn, name, player)
    _ask_newcomer(txn, name)


def _newcomer(txn: Transaction, who: str, match: Match) -> PlayerId:
    level = level_asked(txn.conn, who, match.game)
    if level is not None:
        return find_bot(txn.conn, level, but=match.players, now=txn.now)
    player = opponent(txn, who).id
    if player in match.players:
        raise Rejection("player_twice")
    require_welcome(txn, player, count=False)
    return player


def _want_nobody(txn: Transaction, typed: TypedOrder, name: MatchId) -> None:
    match = txn.decide(name, commands.WaiveTakeover(player=txn.sender))
    for seat in match.active:
        player = match.player_at(seat)
        if match.vacant and is_bot(player):
            match = txn.decide(name, commands.WaiveTakeover(player=player))
    txn.done(typed.typed, "takeover_waived")


# --- questions and answers -----------------------------------------------------------------------


def _proposal(match: Match) -> Proposal | None:
    vacancy = next(iter(match.vacant.values()), None)
    return vacancy.proposal if vacancy is not None else None


def _ask(txn: Transaction, name: MatchId, player: PlayerId) -> None:
    """`match` in the facts is the one whose mails ask; a newcomer gets none of its mails yet."""
    match = txn.match(name)
    proposal = _proposal(match)
    if proposal is None:
        return
    home = name if player in match.players else None
    questions.ask(
        txn.conn,
        f"{txn.cause}:takeover-{name}-{player}",
        player=player,
        kind=TAKEOVER,
        facts={"match": home, "table": name, "version": proposal.version},
        expires_at=txn.now + QUESTIONS_LIVE,
    )


def _ask_newcomer(txn: Transaction, name: MatchId) -> None:
    match = txn.match(name)
    proposal = _proposal(match)
    if proposal is None or not set(match.active) <= set(proposal.agreed):
        return
    if not is_bot(proposal.player):
        _ask(txn, name, proposal.player)


def _require_room(txn: Transaction, name: MatchId) -> None:
    """Whoever agrees last has us write to the newcomer. Raises Rejection, and may agree later."""
    match = txn.match(name)
    proposal = _proposal(match)
    if proposal is None or is_bot(proposal.player) or proposal.player == txn.sender:
        return
    if set(match.active) <= {*proposal.agreed, txn.sender}:
        require_for(txn, proposal.player, count=False)


def answer_takeover(
    txn: Transaction, typed: TypedOrder, question: Question, *, accept: bool
) -> None:
    """Agree to who was proposed, or take the seat; or not. Raises Rejection."""
    if accept:
        _require_room(txn, MatchId(str(question.facts["table"])))
    settle(txn, question)
    name = MatchId(str(question.facts["table"]))
    proposal = _proposal(txn.match(name))
    if proposal is None or proposal.version != question.facts.get("version"):
        raise Rejection("no_takeover")
    command = commands.AnswerTakeover(player=txn.sender, accept=accept)
    after = txn.decide(name, command)
    if txn.sender in after.players and proposal.player == txn.sender:
        bring_hours_of(txn, name, txn.sender)
    _ask_newcomer(txn, name)
    txn.done(typed.typed, "takeover_accepted" if accept else "takeover_declined")


# --- when it is time -----------------------------------------------------------------------------


def leave_vacant(txn: Transaction, timer: Timer) -> None:
    """Nobody took the seat over in time. Raises Rejection where somebody did."""
    seat = Seat(int(str(timer.facts["seat"])))
    leave = commands.LeaveVacant(seat=seat, overdue=OVERDUE in timer.facts)
    txn.decide(MatchId(str(timer.facts["match"])), leave)
