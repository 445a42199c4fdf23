"""Orders that show something and change nothing: boards, lists, records, rules, help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from pbem.legacy.bots.analysis import can_analyse
from pbem.legacy.delivery.records import list_games
from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.games.naming import game_named, is_game
from pbem.games.still import require_rules
from pbem.legacy.mail.free_text import TypedOrder
from pbem.legacy.mail.verbs.club import Help, ListGames, ShowBots, ShowCalendar, ShowPage, ShowRules
from pbem.legacy.mail.verbs.playing import ShowBoard, ShowChanges, ShowClocks, ShowConditions, ShowHistory
from pbem.legacy.mail.verbs.seats import ListOpen
from pbem.legacy.mail.verbs.showing import Prove, ShowAnalysis, ShowGif, ShowRecord, ShowReplay, Verify
from pbem.legacy.mail.verbs.talking import ShowMessages
from pbem.legacy.mail.verbs.verb import Order
from pbem.legacy.mail.verbs.verb_table import VERBS
from pbem.legacy.matches.match import Match, Status, StepKind
from pbem.legacy.matches.table import by_deadline
from pbem.names import MatchId, is_bot
from pbem.legacy.notices.checks import VerificationShown
from pbem.legacy.notices.notice import Notice
from pbem.legacy.notices.replies import (
    AnalysisShown,
    BoardShown,
    BotsShown,
    CalendarShown,
    ChangesShown,
    ClocksShown,
    ConditionsShown,
    HelpShown,
    HistoryShown,
    MessagesShown,
    NotesShown,
    PageShown,
    RecordShown,
    ReplayShown,
    RulesShown,
)
from pbem.legacy.notices.views.rulebook import NUMBER, rule
from pbem.legacy.orders.context import LetterContext, match_of
from pbem.legacy.orders.handlers.seats import list_open
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.replays.raster import MOST_BOARDS, draws
from pbem.legacy.store import views
from pbem.legacy.store.log.sealed import seed_of_bots
from pbem.legacy.transaction.analyses import ask, require_analysable
from pbem.legacy.transaction.checkpoints import prove, signed
from pbem.legacy.transaction.installation import load_match, told_head, verified
from pbem.legacy.transaction.told_heads import told_heads
from pbem.legacy.transaction.transaction import Transaction

if TYPE_CHECKING:
    from pbem.names import MatchId, PlayerId


# --- help cards ----------------------------------------------------------------------------------
# The few words that `help` names: those that somebody needs where they ask.

_ALWAYS: Final = ("games", "new", "help all")
_ALONE: Final = ("bot", "new", "games", "rules logger", "settings", "stop", "help all")


def card_of(txn: Transaction, name: MatchId | None) -> tuple[str, ...]:
    """The words for a match, or for who writes outside of any; a card names what works."""
    match = txn.match(name) if name is not None else None
    if match is None:
        return _ALONE
    player = txn.sender
    if player in match.table.watchers:
        return ("board", "history", "unwatch", "rules", *_ALWAYS)
    if player not in match.table.players:
        return _ALONE
    match match.status:
        case Status.CHALLENGE if player not in match.waiting_for:
            return ("decline", "rules", *_ALWAYS)
        case Status.CHALLENGE:
            return ("accept", "decline", "rules", *_ALWAYS)
        case Status.RUNNING if not match.to_act:  # it stands still
            return ("board", "history", "away", *_ALWAYS)
        case Status.RUNNING:
            talk = _talk(match, player)
            undo = ("undo",) if _has_moved(match, player) else ()
            return ("move", "board", "rules", *undo, *talk, "away", "resign", *_ALWAYS)
        case Status.ENDED:
            looked = ("analysis",) if can_analyse(match.game) else ()
            return ("rematch", "replay", *looked, "record", *_talk(match, player), *_ALWAYS)
        case _:
            return _ALONE


def _has_moved(match: Match, player: PlayerId) -> bool:
    seat = match.seat_of(player)
    return seat in match.pending.held or any(
        step.kind is StepKind.MOVE and step.seat == seat for step in match.course.steps
    )


def _talk(match: Match, player: PlayerId) -> tuple[str, ...]:
    read = match.table.watchers or any(
        not is_bot(one) for one in match.table.players if one != player
    )
    return ("say",) if read else ()


# --- showing -------------------------------------------------------------------------------------

MOVE: Final = "move"
"""What help can be asked on besides the verbs: how a move is written."""

PLAY: Final = "play"
"""The same, in the word that may stand before a move."""

ALL: Final = "all"
FAIR_PLAY: Final = "fair play"
"""The topics that are every word there is, and what help is allowed and what is rated."""

_TOPICS: Final = [verb.name for verb in VERBS]
_NEAR: Final = 0.75


@carries_out(ListGames, Power.READ)
def list_matches(txn: Transaction, _: LetterContext, typed: TypedOrder, order: ListGames) -> None:
    """Show the sender's matches."""
    list_games(txn, boards=order.boards)
    txn.done(typed.typed, "shown")


@carries_out(ShowCalendar, Power.READ)
def show_calendar(txn: Transaction, _: LetterContext, typed: TypedOrder, __: ShowCalendar) -> None:
    """Send the sender's deadlines as a file for a calendar."""
    rows = views.matches_of(txn.conn, txn.sender, (Status.RUNNING.value,))
    found = (loaded.match for row in rows if (loaded := txn.found(row.id)) is not None)
    timed = [match for match in found if match.clocks is not None]
    txn.answer(CalendarShown(matches=tuple(one.id for one in by_deadline(timed, txn.sender))))
    txn.done(typed.typed, "shown")


@carries_out(ShowBots, Power.READ)
def show_bots(txn: Transaction, _: LetterContext, typed: TypedOrder, __: ShowBots) -> None:
    """Show the programs that one can play against."""
    txn.answer(BotsShown())
    txn.done(typed.typed, "shown")


@carries_out(ShowPage, Power.READ)
def show_page(txn: Transaction, _: LetterContext, typed: TypedOrder, __: ShowPage) -> None:
    """Send the address of the page of the sender's boards, to nobody but them."""
    if not txn.house.settings.web.public_url:
        raise Rejection("no_pages")
    txn.answer(PageShown())
    txn.done(typed.typed, "shown")


@carries_out(ListOpen, Power.READ)
def list_open_seats(txn: Transaction, _: LetterContext, typed: TypedOrder, __: ListOpen) -> None:
    """Show the seats that anybody may take."""
    list_open(txn)
    txn.done(typed.typed, "shown")


@carries_out(ShowRules, Power.READ, of_seat=True)
def show_rules(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: ShowRules
) -> None:
    """Show the rules of a game, or the one that was asked for by its number."""
    if order.game is None or not _answer_by_number(txn, order.game):
        home = typed.match or context.home
        game = _game(txn, order.game, home).key
        match = txn.match(home) if home is not None else None
        options = match.terms.options if match is not None and match.game.key == game else {}
        invited = _invited_to(txn, home, game)
        txn.answer(RulesShown(game=game, match=invited, options=options))
    txn.done(typed.typed, "shown")


def _invited_to(txn: Transaction, name: MatchId | None, game: str) -> MatchId | None:
    """The match of a game, if the sender has still to say whether they play in it."""
    match = txn.match(name) if name is not None else None
    if match is None or match.game.key != game or match.status is not Status.CHALLENGE:
        return None
    return match.id if txn.sender in match.waiting_for else None


def _answer_by_number(txn: Transaction, number: str) -> bool:
    """Show a rule by its number, if that is one. Raises Rejection where no rule has it."""
    if NUMBER.fullmatch(number) is None:
        return False
    found = rule(number)
    if found is None:
        raise Rejection("no_such_rule", rule=number.strip("[]").upper())
    txn.answer(RulesShown(game=found.game, rule=found.number))
    return True


@carries_out(Help, Power.READ, of_seat=True)
def help_out(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Help) -> None:
    """Show the words that work, or what one of them does."""
    match, topic = typed.match or context.home, order.topic
    if topic is not None and _is_about_a_game(txn, topic):
        txn.answer(RulesShown(game=game_named(topic).key))
    elif topic is None or not _answer_by_number(txn, topic):
        asked = txn.match(match).game.key if match is not None else None
        about, card = _topic(txn, topic, asked), card_of(txn, match)
        txn.answer(HelpShown(topic=about, game=asked, card=() if about else card))
    txn.done(typed.typed, "shown")


@carries_out(ShowBoard, Power.READ, in_match=True)
def show_board(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: ShowBoard
) -> None:
    """Show a board, of now or of before."""
    match = _begun(txn, context, typed)
    wanted = order.ply if order.ply is not None else typed.ply
    wanted = wanted if wanted is not None else match.course.ply
    if wanted > match.course.ply:
        raise Rejection("no_such_ply", ply=wanted, last=match.course.ply)
    txn.answer(BoardShown(match=match.id, ply=wanted, whole=order.whole))
    txn.done(typed.typed, "shown")


@carries_out(ShowChanges, Power.READ, in_match=True)
def show_changes(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: ShowChanges
) -> None:
    """Show what changed between two positions."""
    match = _begun(txn, context, typed)
    if order.last > match.course.ply:
        raise Rejection("no_such_ply", ply=order.last, last=match.course.ply)
    txn.answer(ChangesShown(match=match.id, first=order.first, last=order.last))
    txn.done(typed.typed, "shown")


@carries_out(Verify, Power.READ, in_match=True)
def verify_match(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Verify) -> None:
    """Check the match from its events, and tell what was found."""
    match = _begun(txn, context, typed)
    if match.status is Status.RUNNING:
        require_rules(match.game, match.course.position)  # what cannot be checked is not wrong
    _verify(txn, match.id)
    txn.done(typed.typed, "shown")


@carries_out(Prove, Power.READ, in_match=True)
def prove_match(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Prove) -> None:
    """Show that the match is in the log that was signed last."""
    txn.answer(prove(txn, _begun(txn, context, typed), order.since))
    txn.done(typed.typed, "shown")


_Shown: TypeAlias = Callable[[Transaction, LetterContext, TypedOrder, Order], None]


def _listing(notice: Callable[..., Notice]) -> _Shown:
    """What answers an order with no more than the name of the match."""

    def show(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Order) -> None:
        txn.answer(notice(match=_begun(txn, context, typed).id))
        txn.done(typed.typed, "shown")

    return show


show_notes = _listing(NotesShown)

_LISTED: Final[Mapping[type[Order], Callable[..., Notice]]] = {
    ShowConditions: ConditionsShown,
    ShowMessages: MessagesShown,
    ShowHistory: HistoryShown,
    ShowClocks: ClocksShown,
    ShowReplay: ReplayShown,
}

for _order, _notice in _LISTED.items():
    carries_out(_order, Power.READ, in_match=True)(_listing(_notice))


@carries_out(ShowRecord, Power.READ, in_match=True)
def show_record(txn: Transaction, context: LetterContext, typed: TypedOrder, _: ShowRecord) -> None:
    """Send the record of the match, and what the club has signed last."""
    match = _begun(txn, context, typed).id
    txn.answer(RecordShown(match=match, checkpoint=signed(txn.conn, txn.house)))
    txn.done(typed.typed, "shown")


@carries_out(ShowAnalysis, Power.READ, in_match=True, of_seat=True)
def show_analysis(
    txn: Transaction, context: LetterContext, typed: TypedOrder, _: ShowAnalysis
) -> None:
    """Send the analysis of a match, or let it be made. Raises Rejection for whom there is none."""
    match = txn.match(match_of(context, typed))
    require_analysable(match, txn.sender)
    if ask(txn.conn, match, txn.sender, txn.now):
        txn.answer(AnalysisShown(match=match.id))
        txn.done(typed.typed, "shown")
    else:
        txn.done(typed.typed, "analysis_begun")


@carries_out(ShowGif, Power.READ, in_match=True)
def show_gif(txn: Transaction, context: LetterContext, typed: TypedOrder, _: ShowGif) -> None:
    """Send the match as a moving picture. Raises Rejection where it would be too much."""
    match = _begun(txn, context, typed)
    if not draws():
        raise Rejection("no_gifs")
    if match.course.ply > MOST_BOARDS:
        raise Rejection("gif_too_long", plies=match.course.ply, most=MOST_BOARDS)
    txn.answer(ReplayShown(match=match.id, moving=True))
    txn.done(typed.typed, "shown")


def _begun(txn: Transaction, context: LetterContext, typed: TypedOrder) -> Match:
    """The match that is asked about. Raises Rejection where nothing was played in it yet."""
    match = txn.match(match_of(context, typed))
    if match.status in (Status.NEW, Status.CHALLENGE, Status.OFF):
        raise Rejection("match_not_started")
    return match


def _verify(txn: Transaction, name: MatchId) -> None:
    found, _ = verified(txn.conn, name)
    loaded = load_match(txn.conn, name, txn.house.cache)
    match = loaded.match
    with_bots = match.status is Status.ENDED and any(map(is_bot, match.table.players))
    txn.answer(
        VerificationShown(
            match=name,
            events=match.told_to(txn.sender).count,
            draws=found.draws,
            head=told_head(txn.conn, loaded, txn.sender),
            findings=found.findings,
            plies=found.plies,
            sealed=found.sealed,
            seed=seed_of_bots(txn.conn, name) if with_bots else "",
            heads=told_heads(txn.conn, match, txn.sender)
            if found.replayed and not found.findings
            else (),
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
    for phrase in (ALL, FAIR_PLAY):
        if words.means(topic, phrase):
            return phrase
    if game is not None and (topic == MOVE or words.means(topic, PLAY)):
        return MOVE
    if topic in words.verbs:
        return words.verbs[topic].name
    near = words.near(topic, _NEAR)
    raise Rejection("no_such_topic", topic=topic, topics=[] if near else _TOPICS, near=near)
