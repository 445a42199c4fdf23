"""Orders that show something and change nothing: boards, lists, records, rules, help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.delivery.games_listed import list_games
from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.games.naming import game_named, is_game
from pbem.mail.free_text.order_lines import TypedOrder
from pbem.mail.verbs import orders, private_orders
from pbem.mail.verbs.verb_table import VERBS
from pbem.matches.match import Status
from pbem.names import MatchId
from pbem.notices.notice import Notice
from pbem.notices.replies import (
    BoardShown,
    ChangesShown,
    ConditionsShown,
    HelpShown,
    HistoryShown,
    MessagesShown,
    NotesShown,
    RecordShown,
    RulesShown,
    VerificationShown,
)
from pbem.orders.help_cards import card_of
from pbem.orders.letter_context import LetterContext
from pbem.orders.open_seats import list_open
from pbem.orders.which_match import match_of
from pbem.transaction.installation import load_match, told_head, verified
from pbem.transaction.transaction import Transaction

MOVE: Final = "move"
"""What help can be asked on besides the verbs: how a move is written."""

PLAY: Final = "play"
"""The same, in the word that may stand before a move."""

ALL: Final = "all"
"""The topic that is every word there is."""

_TOPICS: Final = [verb.name for verb in VERBS]
_NEAR: Final = 0.75


_LISTS: Final[Mapping[type[orders.Order], Callable[..., Notice]]] = {
    private_orders.ShowConditions: ConditionsShown,
    private_orders.ShowMessages: MessagesShown,
    private_orders.Note: NotesShown,
    orders.ShowHistory: HistoryShown,
    orders.ShowRecord: RecordShown,
}
"""What is answered with no more than the name of the match."""


def show(
    txn: Transaction, context: LetterContext, typed: TypedOrder, match: MatchId | None
) -> None:
    """Owe the sender what was asked for. Raises Rejection."""
    match typed.order:
        case orders.ListGames(boards):
            list_games(txn, boards=boards)
        case orders.ListOpen():
            list_open(txn)
        case orders.ShowRules(game):
            txn.answer(RulesShown(game=_game(txn, game, match).key))
        case orders.Help(str() as named) if _is_about_a_game(txn, named):
            txn.answer(RulesShown(game=game_named(named).key))
        case orders.Help(topic):
            asked = txn.match(match).game.key if match is not None else None
            about, card = _topic(txn, topic, asked), card_of(txn, match)
            txn.answer(HelpShown(topic=about, game=asked, card=() if about else card))
        case _:
            _showmatch_of(txn, context, typed)


def _showmatch_of(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    name = match_of(context, typed)
    match = txn.match(name)
    if match.status in (Status.NEW, Status.CHALLENGE, Status.OFF):
        raise Rejection("match_not_started")
    match typed.order:
        case orders.ShowBoard(ply, whole):
            wanted = ply if ply is not None else typed.ply if typed.ply is not None else match.ply
            if wanted > match.ply:
                raise Rejection("no_such_ply", ply=wanted, last=match.ply)
            txn.answer(BoardShown(match=name, ply=wanted, whole=whole))
        case orders.ShowChanges(first, until):
            last = until if until is not None else match.ply
            if max(first, last) > match.ply:
                raise Rejection("no_such_ply", ply=max(first, last), last=match.ply)
            txn.answer(ChangesShown(match=name, first=first, last=last))
        case orders.Verify():
            _verify(txn, name)
        case _:
            kind = _LISTS[type(typed.order)]
            txn.answer(kind(match=name))


def _verify(txn: Transaction, name: MatchId) -> None:
    found, _ = verified(txn.conn, name)
    loaded = load_match(txn.conn, name, txn.house.cache)
    txn.answer(
        VerificationShown(
            match=name,
            events=found.events - found.unseen,
            draws=found.draws,
            head=told_head(txn.conn, loaded),
            findings=found.findings,
            plies=found.plies,
            sealed=found.sealed,
        )
    )


def _is_about_a_game(txn: Transaction, topic: str) -> bool:
    """Whether help is asked on a game; a word of ours that is also one's is ours (`help move`)."""
    return topic != ALL and topic not in txn.house.words.verbs and is_game(topic)


def _game(txn: Transaction, typed: str | None, match: MatchId | None) -> AnyGame:
    if typed is None and match is not None:
        return txn.match(match).game
    return game_named(typed or (_only_game() or ""))


def _only_game() -> str | None:
    keys = {game.key for game in GAMES.values()}
    return keys.pop() if len(keys) == 1 else None


def _topic(txn: Transaction, topic: str | None, game: str | None) -> str | None:
    """A verb by any of its names, or `move`. Raises Rejection `no_such_topic`."""
    if topic is None:
        return None
    words = txn.house.words
    if words.means(topic, ALL):
        return ALL
    if game is not None and (topic == MOVE or words.means(topic, PLAY)):
        return MOVE
    if topic in words.verbs:
        return words.verbs[topic].name
    near = words.near(topic, _NEAR)
    raise Rejection("no_such_topic", topic=topic, topics=[] if near else _TOPICS, near=near)
