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
from pbem.orders.open_seats import list_open
from pbem.orders.which_match import match_of
from pbem.transaction.installation import load_match, told_head, verified
from pbem.transaction.transaction import Taking

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


def show(taking: Taking, typed: TypedOrder, match: MatchId | None) -> None:
    """Owe the sender what was asked for. Raises Rejection."""
    match typed.order:
        case orders.ListGames(boards):
            list_games(taking, boards=boards)
        case orders.ListOpen():
            list_open(taking)
        case orders.ShowRules(game):
            taking.answer(RulesShown(game=_game(taking, game, match).key))
        case orders.Help(str() as named) if _is_about_a_game(taking, named):
            taking.answer(RulesShown(game=game_named(named).key))
        case orders.Help(topic):
            asked = taking.match(match).game.key if match is not None else None
            about, card = _topic(taking, topic, asked), card_of(taking, match)
            taking.answer(HelpShown(topic=about, game=asked, card=() if about else card))
        case _:
            _showmatch_of(taking, typed)


def _showmatch_of(taking: Taking, typed: TypedOrder) -> None:
    name = match_of(taking, typed)
    match = taking.match(name)
    if match.status in (Status.NEW, Status.CHALLENGE, Status.OFF):
        raise Rejection("match_not_started")
    match typed.order:
        case orders.ShowBoard(ply, whole):
            wanted = ply if ply is not None else typed.ply if typed.ply is not None else match.ply
            if wanted > match.ply:
                raise Rejection("no_such_ply", ply=wanted, last=match.ply)
            taking.answer(BoardShown(match=name, ply=wanted, whole=whole))
        case orders.ShowChanges(first, until):
            last = until if until is not None else match.ply
            if max(first, last) > match.ply:
                raise Rejection("no_such_ply", ply=max(first, last), last=match.ply)
            taking.answer(ChangesShown(match=name, first=first, last=last))
        case orders.Verify():
            _verify(taking, name)
        case _:
            kind = _LISTS[type(typed.order)]
            taking.answer(kind(match=name))


def _verify(taking: Taking, name: MatchId) -> None:
    found, _ = verified(taking.conn, name)
    loaded = load_match(taking.conn, name, taking.house.cache)
    taking.answer(
        VerificationShown(
            match=name,
            events=found.events - found.unseen,
            draws=found.draws,
            head=told_head(taking.conn, loaded),
            findings=found.findings,
            plies=found.plies,
            sealed=found.sealed,
        )
    )


def _is_about_a_game(taking: Taking, topic: str) -> bool:
    """Whether help is asked on a game; a word of ours that is also one's is ours (`help move`)."""
    return topic != ALL and topic not in taking.house.words.verbs and is_game(topic)


def _game(taking: Taking, typed: str | None, match: MatchId | None) -> AnyGame:
    if typed is None and match is not None:
        return taking.match(match).game
    return game_named(typed or (_only_game() or ""))


def _only_game() -> str | None:
    keys = {game.key for game in GAMES.values()}
    return keys.pop() if len(keys) == 1 else None


def _topic(taking: Taking, topic: str | None, game: str | None) -> str | None:
    """A verb by any of its names, or `move`. Raises Rejection `no_such_topic`."""
    if topic is None:
        return None
    words = taking.house.words
    if words.means(topic, ALL):
        return ALL
    if game is not None and (topic == MOVE or words.means(topic, PLAY)):
        return MOVE
    if topic in words.verbs:
        return words.verbs[topic].name
    near = words.near(topic, _NEAR)
    raise Rejection("no_such_topic", topic=topic, topics=[] if near else _TOPICS, near=near)
