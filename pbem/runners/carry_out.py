"""Carry out one order of a letter: from what was typed to commands, questions and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.mail import orders
from pbem.mail.addresses import without_tags
from pbem.mail.order_lines import TypedOrder
from pbem.mail.verbs import BY_WORD, VERBS
from pbem.matches import commands
from pbem.matches.match import Status, StepKind
from pbem.names import MatchId
from pbem.notices.notice import (
    BoardShown,
    GamesListed,
    HelpShown,
    HistoryShown,
    MovePreviewed,
    QuestionAsked,
    RecordShown,
    RulesShown,
    VerificationShown,
    WhyTold,
)
from pbem.runners.agreements import answer_draw, give_standing_order, is_playing, offer_draw
from pbem.runners.answers import drop_question, require_fresh
from pbem.runners.challenges import challenge, game_named, rematch
from pbem.runners.house import verified
from pbem.runners.moves import QUESTIONS_LIVE, settle_moves
from pbem.runners.people import about_people
from pbem.runners.taking import Taking
from pbem.store import questions, views

LISTED: Final = 50
MESSAGE: Final = 4_000
"""Characters of a message; it goes to everybody in the match."""

MOVE: Final = "move"
"""What help can be asked on besides the verbs: how a move is written."""


def carry_out(taking: Taking, typed: TypedOrder) -> None:  # noqa: C901, PLR0912, PLR0915 - a case an order
    """Carry out one order and account for it. Raises Rejection, and then it has changed nothing."""
    actor, match = taking.sender, typed.match or taking.home
    match typed.order:
        case orders.Move(text):
            _play(taking, typed, text)
        case orders.Try(text):
            _try(taking, typed, text)
        case orders.Resign(sure):
            _resign(taking, typed, sure=sure)
        case orders.Decline() if typed.match is None and drop_question(taking):
            taking.done(typed.typed, "dropped")
        case orders.Accept() | orders.Decline() if is_playing(taking, _match(taking, typed)):
            accept = isinstance(typed.order, orders.Accept)
            answer_draw(taking, typed, _match(taking, typed), accept=accept)
        case orders.Accept(words):
            taking.decide(_match(taking, typed), commands.Accept(player=actor, words=words))
            taking.done(typed.typed, "accepted")
        case orders.Decline():
            _decline(taking, typed)
        case orders.OfferDraw():
            offer_draw(taking, typed, _match(taking, typed))
        case orders.AnswerDraw(accept):
            answer_draw(taking, typed, _match(taking, typed), accept=accept)
        case orders.Standing(text):
            give_standing_order(taking, typed, _match(taking, typed), text)
        case orders.Say(text):
            _say(taking, typed, text)
        case orders.NewGame():
            challenge(taking, typed.order)
            taking.done(typed.typed, "challenged")
        case orders.Rematch():
            rematch(taking, taking.match(_match(taking, typed)))
            taking.done(typed.typed, "rematch")
        case (
            orders.Rename()
            | orders.Block()
            | orders.Unblock()
            | orders.Invitations()
            | orders.Comments()
            | orders.Addresses()
            | orders.AddAddress()
            | orders.RemoveAddress()
        ):
            about_people(taking, typed)
        case orders.Why(text):
            _why(taking, typed, text)
        case orders.Yes():
            raise Rejection("nothing_to_confirm")
        case _:
            _show(taking, typed, match)
            taking.done(typed.typed, "shown")


def _match(taking: Taking, typed: TypedOrder) -> MatchId:
    """The match that an order is about: named, answered, or the only one there is."""
    match = typed.match or taking.home
    if match is None:
        rows = views.matches_of(taking.conn, taking.sender, OPEN)
        if len(rows) != 1:
            raise Rejection("which_match", matches=[row.id for row in rows][:LISTED])
        match = rows[0].id
    # A stranger to a match learns no more of it than that it is not theirs.
    if taking.actor not in taking.match(match).players:
        raise Rejection("no_such_match", match=match)
    return match


OPEN: Final = (Status.CHALLENGE.value, Status.RUNNING.value)


# --- play --------------------------------------------------------------------


def _play(taking: Taking, typed: TypedOrder, text: str) -> None:
    match = _match(taking, typed)
    if typed.ply is None:
        require_fresh(taking, taking.match(match))
    comment = taking.seal(taking.comment) if taking.comment else None
    play = commands.Play(player=taking.sender, text=text, ply=typed.ply, comment=comment)
    played = taking.decide(match, play)
    notation = next(
        step.text
        for step in reversed(played.steps)
        if step.kind is StepKind.MOVE and not step.forced
    )
    taking.done(typed.typed, "played", {"notation": notation})


def _try(taking: Taking, typed: TypedOrder, text: str) -> None:
    """Show the board after a move. It is read as the move would be, and refused as it would be."""
    name = _match(taking, typed)
    match = taking.match(name)
    if not text:
        raise Rejection("text_missing", verb="try")
    if match.status is Status.ENDED:
        raise Rejection("game_over")
    seat = match.seat_of(taking.sender)
    if seat is None:
        raise Rejection("match_not_started")
    if seat not in match.to_act:
        raise Rejection("not_your_turn", seats=list(match.to_act))
    move = match.game.parse(text, match.position, seat)
    if match.game.tried(match.position, move, seat) is None:
        raise Rejection("preview_reveals")
    notation = match.game.notation(move)
    taking.answer(MovePreviewed(match=name, seat=seat, notation=notation))
    taking.done(typed.typed, "shown")


def _why(taking: Taking, typed: TypedOrder, text: str) -> None:
    """Say whether a move is legal; a refusal says why not, as the move itself would get it."""
    name = _match(taking, typed)
    match = taking.match(name)
    if not text:
        raise Rejection("text_missing", verb="why")
    seat = match.seat_of(taking.sender)
    if match.status is not Status.RUNNING or seat is None:
        raise Rejection("game_over" if match.status is Status.ENDED else "match_not_started")
    if seat not in match.to_act:
        raise Rejection("not_your_turn", seats=list(match.to_act))
    move = match.game.parse(text, match.position, seat)
    if match.game.preview is None:
        match.game.play(match.position, move)
    notation = match.game.notation(move)
    taking.answer(WhyTold(match=name, typed=text, notation=notation))
    taking.done(typed.typed, "shown")


def _resign(taking: Taking, typed: TypedOrder, *, sure: bool) -> None:
    name = _match(taking, typed)
    if sure:
        taking.decide(name, commands.Resign(player=taking.sender))
        taking.done(typed.typed, "resigned")
        return
    match = taking.match(name)
    if match.status is not Status.RUNNING:
        raise Rejection("game_over" if match.status is Status.ENDED else "match_not_started")
    questions.ask(
        taking.conn,
        f"{taking.cause}:resign",
        player=taking.sender,
        kind="resign",
        facts={"match": name, "ply": match.ply},
        expires_at=taking.now + QUESTIONS_LIVE,
    )
    taking.answer(QuestionAsked(question="resign", match=name))
    taking.done(typed.typed, "shown")


def _decline(taking: Taking, typed: TypedOrder) -> None:
    match = _match(taking, typed)
    own = taking.match(match).challenger == taking.actor
    taking.decide(match, commands.Decline(player=taking.sender))
    taking.done(typed.typed, "withdrawn" if own else "declined")


def _say(taking: Taking, typed: TypedOrder, text: str) -> None:
    match = _match(taking, typed)
    if not text:
        raise Rejection("text_missing", verb="say")
    if len(text) > MESSAGE:
        raise Rejection("text_too_long", most=MESSAGE)
    text = without_tags(taking.house.keys, text)
    taking.decide(match, commands.Say(player=taking.sender, text=taking.seal(text)))
    taking.done(typed.typed, "said")


# --- showing -----------------------------------------------------------------


def _show(taking: Taking, typed: TypedOrder, match: MatchId | None) -> None:
    match typed.order:
        case orders.ListGames(boards):
            _list_games(taking, boards=boards)
        case orders.ShowRules(game):
            taking.answer(RulesShown(game=_game(taking, game, match).key))
        case orders.Help(topic):
            asked = taking.match(match).game.key if match is not None else None
            taking.answer(HelpShown(topic=_topic(topic, asked), game=asked))
        case _:
            _show_match(taking, typed)


def _show_match(taking: Taking, typed: TypedOrder) -> None:
    name = _match(taking, typed)
    match = taking.match(name)
    if match.status in (Status.NEW, Status.CHALLENGE, Status.OFF):
        raise Rejection("match_not_started")
    match typed.order:
        case orders.ShowBoard(ply):
            wanted = ply if ply is not None else typed.ply if typed.ply is not None else match.ply
            if wanted > match.ply:
                raise Rejection("no_such_ply", ply=wanted, last=match.ply)
            taking.answer(BoardShown(match=name, ply=wanted))
        case orders.ShowHistory():
            taking.answer(HistoryShown(match=name))
        case orders.ShowRecord():
            taking.answer(RecordShown(match=name))
        case _:
            _verify(taking, name)


def _verify(taking: Taking, name: MatchId) -> None:
    found, head = verified(taking.conn, name)
    taking.answer(
        VerificationShown(
            match=name,
            events=found.events,
            draws=found.draws,
            head=head,
            findings=found.findings,
            plies=found.plies,
            sealed=found.sealed,
        )
    )


def _list_games(taking: Taking, *, boards: bool) -> None:
    rows = views.matches_of(taking.conn, taking.sender, OPEN)
    if boards:
        rows = [row for row in rows if taking.actor in row.to_act]
    taking.answer(GamesListed(matches=tuple(row.id for row in rows[:LISTED]), boards=boards))


def _game(taking: Taking, typed: str | None, match: MatchId | None) -> AnyGame:
    if typed is None and match is not None:
        return taking.match(match).game
    return game_named(typed or (_only_game() or ""))


def _only_game() -> str | None:
    keys = {game.key for game in GAMES.values()}
    return keys.pop() if len(keys) == 1 else None


def _topic(topic: str | None, game: str | None) -> str | None:
    """A verb by any of its names, or `move`. Raises Rejection `no_such_topic`."""
    if topic is None or (topic == MOVE and game is not None):
        return topic
    if topic in BY_WORD:
        return BY_WORD[topic].name
    raise Rejection("no_such_topic", topic=topic, topics=[verb.name for verb in VERBS])


def one_move(taking: Taking, typed: Sequence[TypedOrder]) -> list[TypedOrder]:
    """The orders with at most one move a match; see `settle_moves`."""
    places = {
        place: _match(taking, order)
        for place, order in enumerate(typed)
        if isinstance(order.order, orders.Move)
    }
    return settle_moves(taking, typed, places)
