"""Orders about seats: new matches, those open to anybody, and watching without one."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.games.naming import game_named
from pbem.legacy.mail.addresses import without_tags
from pbem.legacy.mail.verbs.agreeing import Rematch
from pbem.legacy.mail.verbs.seats import CloseLink, Join, NewGame, ShowLink, Unwatch, Watch
from pbem.legacy.matches import seats, table
from pbem.legacy.matches.clocks import NONE, time_control
from pbem.legacy.matches.match import Status
from pbem.names import is_bot
from pbem.legacy.notices.news import ChallengeSent, WatchClosed
from pbem.legacy.notices.replies import OpenSeat, OpenSeatsListed, OrderResult, SeatMissed
from pbem.legacy.orders.context import match_of
from pbem.legacy.orders.handlers.challenges import new_match, rematch, rematch_asked
from pbem.legacy.orders.handlers.fitting import fits, require_fit
from pbem.legacy.orders.handlers.playing import tell_unbound
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.store import views
from pbem.legacy.transaction.installation import load_player, match_of_stream
from pbem.legacy.transaction.limits import require_few_joins, require_room_to_play
from pbem.legacy.transaction.links import invites_by_link, linked
from pbem.legacy.transaction.own_limits import LIMIT, require_own_room
from pbem.legacy.transaction.timers import leave_a_match

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.errors import Facts
    from pbem.games import AnyGame
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.matches.match import Match
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.store.mails.outbox import OutboxRow
    from pbem.legacy.transaction.transaction import Transaction


# --- open seats ----------------------------------------------------------------------------------
# Seats for anybody: the list of those that are open, and taking one.

LOOKED_AT: Final = 100
LISTED: Final = 20


def list_open(txn: Transaction) -> None:
    """Answer with the seats that the sender may take."""
    txn.answer(OpenSeatsListed(seats=_open_seats(txn)))


def _open_seats(txn: Transaction) -> tuple[OpenSeat, ...]:
    rows = (
        row
        for row in views.open_matches(txn.conn, LOOKED_AT)
        if txn.actor not in row.players and not is_unwelcome(txn, row.players) and fits(txn, row.id)
    )
    return tuple(
        OpenSeat(match=row.id, since=row.waiting_since.isoformat() if row.waiting_since else "")
        for row in islice(rows, LISTED)
    )


def join(
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    name: MatchId,
    words: str,
    *,
    colour: str = "",
    token: str = "",
) -> None:
    """Take an open seat, or that of a link by its token. Raises Rejection.

    A match that there is not, one that is full, one whose seat is for whoever has its link, and one
    where somebody has blocked the sender are told with the same words.
    """
    stranger = is_stranger(txn, name)
    if stranger and token:
        if not _has_seat(txn, typed, name, token):
            return
    elif stranger and not _is_listed(txn, name):
        raise Rejection("no_open_seat", match=name)
    require_room_to_play(txn)
    if LIMIT in txn.player(txn.sender).wishes:
        require_own_room(txn)
    if stranger:
        require_fit(txn, txn.match(name))
        require_few_joins(txn)
    words = without_tags(txn.house.keys, words)  # everybody reads them in the record
    after = txn.decide(
        name, seats.join, player=txn.sender, words=words, letter=context.digest, colour=colour
    )
    _seated(txn, typed, after, "joined")
    tell_unbound(txn, context, name)


def _is_listed(txn: Transaction, name: MatchId) -> bool:
    """Whether the sender may find the match among those with open seats, or might have."""
    found = txn.found(name)
    if found is None or found.match.table.link_until is not None:
        return False
    return not is_unwelcome(txn, found.match.table.players)


def _has_seat(txn: Transaction, typed: TypedOrder, name: MatchId, token: str) -> bool:
    """Whether a link still has its seat; whoever comes too late is told what else is open.

    Whoever is blocked there hears what those hear. Raises Rejection for what is no link.
    """
    link = linked(txn.conn, txn.house, token, txn.now)
    if link is None:
        raise Rejection("no_open_seat", match=name)
    if link.worth == "open" and not is_unwelcome(txn, link.match.table.players):
        return True
    taken = link.worth in ("open", "taken")
    txn.answer(SeatMissed(named=name, taken=taken, seats=_open_seats(txn)))
    missed = OrderResult(typed=typed.typed, status="refused", outcome="seat_missed")
    txn.results.append(missed)
    return False


def take_seat(
    txn: Transaction,
    context: LetterContext,
    typed: TypedOrder,
    name: MatchId,
    words: str,
    *,
    colour: str = "",
) -> None:
    """Take the seat that one is invited to, or choose a colour for the one that one has."""
    waited = txn.sender in txn.match(name).waiting_for
    if waited:
        require_room_to_play(txn)
        if LIMIT in txn.player(txn.sender).wishes:
            require_own_room(txn)
    words = without_tags(txn.house.keys, words)
    after = txn.decide(
        name,
        seats.accept,
        player=txn.sender,
        words=words,
        letter=context.digest,
        colour=colour,
    )
    if not waited:
        txn.done(typed.typed, "colour_chosen", _colour(after, txn.sender))
        return
    _seated(txn, typed, after, "accepted")
    tell_unbound(txn, context, name)


def _seated(txn: Transaction, typed: TypedOrder, after: Match, waits: str) -> None:
    """Account for a seat that was taken."""
    begun = after.status is Status.RUNNING
    txn.done(typed.typed, "begun" if begun else waits, _colour(after, txn.sender))


def _colour(match: Match, player: PlayerId) -> Facts:
    """The colour that somebody has chosen, if so."""
    return {"colour": match.table.colours.get(player, "")}


def is_unwelcome(txn: Transaction, players: Iterable[PlayerId]) -> bool:
    """Whether one of these players has blocked the sender."""
    people = (player for player in players if not is_bot(player))
    return any(txn.actor in load_player(txn.conn, player).blocked for player in people)


def is_stranger(txn: Transaction, name: MatchId) -> bool:
    """Whether the sender is not in a match, or there is none of that name."""
    return txn.found(name) is None or txn.actor not in txn.match(name).table.players


# --- seats ---------------------------------------------------------------------------------------
# Orders about seats before the start: new matches, taking a seat, leaving it.


@carries_out(NewGame, Power.BIND)
def new_game(txn: Transaction, context: LetterContext, typed: TypedOrder, order: NewGame) -> None:
    """Begin a match, with invitations or open seats; or join who looks for just such a one."""
    if order.anybody and not (order.options or order.private or order.unrated):
        waits = _who_waits(txn, game_named(order.game))
        if waits is not None:
            join(txn, context, typed, waits, "")
            return
    with txn.conn.begin_nested():  # refused at the second opponent, the first is not new
        new_match(txn, typed, order)


def _who_waits(txn: Transaction, game: AnyGame) -> MatchId | None:
    """The match of a game with the usual terms that has waited longest for the sender."""
    time = str(time_control(txn.house.settings.matches.time) or NONE)
    for row in views.open_matches(txn.conn, LOOKED_AT):
        found = txn.found(row.id)
        if found is None or row.ruleset != game.ruleset or txn.actor in row.players:
            continue
        terms, table = found.match.terms, found.match.table
        if (
            terms.time == time
            and not (terms.unrated or table.private)
            and len(table.players) + table.open_seats == min(game.seats)
            and terms.options == game.normal_options({})
            and _is_listed(txn, row.id)
            and fits(txn, row.id)
        ):
            return row.id
    return None


@carries_out(Rematch, Power.BIND)
def play_again(txn: Transaction, context: LetterContext, typed: TypedOrder, _: Rematch) -> None:
    """Play the same match with the same people again."""
    with txn.conn.begin_nested():
        _rematch(txn, context, typed)


@carries_out(Join, Power.BIND)
def join_match(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Join) -> None:
    """Take an open seat."""
    join(txn, context, typed, order.match, order.words, colour=order.colour, token=order.token)


@carries_out(ShowLink, Power.READ)
def show_link(txn: Transaction, context: LetterContext, typed: TypedOrder, _: ShowLink) -> None:
    """Send the link of the sender's invitation once more."""
    txn.answer(ChallengeSent(match=_invited_by_link(txn, context, typed)))
    txn.done(typed.typed, "shown")


@carries_out(CloseLink, Power.BIND)
def close_link(txn: Transaction, context: LetterContext, typed: TypedOrder, _: CloseLink) -> None:
    """Call the invitation back: without its seat there is no match."""
    name = _invited_by_link(txn, context, typed)
    txn.decide(name, seats.decline, player=txn.sender)
    txn.done(typed.typed, "link_closed")


def _invited_by_link(txn: Transaction, context: LetterContext, typed: TypedOrder) -> MatchId:
    """The match to which the sender invites by a link. Raises Rejection."""
    name = match_of(context, typed)
    match = txn.match(name)
    if match.table.challenger != txn.sender or not invites_by_link(match):
        raise Rejection("no_link", match=name)
    return name


def _rematch(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    """Ask the others again; whoever is asked already says so that they want it, too."""
    name = match_of(context, typed)
    asked = rematch_asked(txn, name)
    if asked is None:
        rematch(txn, txn.match(name))
        txn.done(typed.typed, "rematch")
    elif txn.sender in txn.match(asked).waiting_for:
        take_seat(txn, context, typed, asked, "")
    else:
        raise Rejection("rematch_asked", match=asked)


# --- watching ------------------------------------------------------------------------------------
# Orders of spectators: to watch a match of others, and to watch it no more.

WATCHED: Final = 20
"""Matches that one player may watch at once: each of them brings a mail a move."""


@carries_out(Watch, Power.WISHES)
def watch(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Watch) -> None:
    """Watch a match. Who may not learns no more than that there is nothing to watch."""
    name = order.match or typed.match or context.home
    if name is None:
        raise Rejection("text_missing", verb="watch")
    found = txn.found(name)
    if found is None or not (
        txn.actor in found.match.table.players or _is_shown(txn, found.match.id)
    ):
        raise Rejection("nothing_to_watch", match=name)
    watched = views.watched(txn.conn, txn.sender)
    if len(watched) >= WATCHED and name not in watched:
        raise Rejection("too_many_watched", most=WATCHED)
    txn.decide(name, table.watch, player=txn.sender)
    views.begin_watch(txn.conn, name, txn.sender)
    txn.done(typed.typed, "watching")


def _is_shown(txn: Transaction, name: MatchId) -> bool:
    match = txn.match(name)
    running = match.status is Status.RUNNING
    return running and not match.table.private and not is_unwelcome(txn, match.table.players)


@carries_out(Unwatch, Power.WISHES)
def unwatch(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Unwatch) -> None:
    """Watch a match no more."""
    name = order.match or typed.match or context.home
    if name is None:
        watched = views.watched(txn.conn, txn.sender)
        if len(watched) != 1:
            raise Rejection("not_watching")
        name = watched[0]
    if txn.found(name) is None:
        raise Rejection("not_watching")
    txn.decide(name, table.unwatch, player=txn.sender)
    views.end_watch(txn.conn, name, txn.sender)
    txn.done(typed.typed, "unwatched")


def send_away(txn: Transaction, spectator: PlayerId) -> None:
    """Who is blocked by a player watches no match of theirs any more, and is told, but not why."""
    for row in views.matches_of(txn.conn, txn.sender, (Status.RUNNING.value,)):
        if spectator in txn.match(row.id).table.watchers:
            leave_a_match(txn, row.id, "unwatch", spectator)
            views.end_watch(txn.conn, row.id, spectator)
            txn.tell(spectator, WatchClosed(match=row.id))


def watch_no_more(txn: Transaction, player: PlayerId) -> None:
    """Somebody goes for good."""
    for name in views.watched(txn.conn, player):
        leave_a_match(txn, name, "unwatch", player)
        views.end_watch(txn.conn, name, player)


def watched_match(context: LetterContext, mail: OutboxRow | None) -> MatchId | None:
    """The match whose news a spectator answers: no reply address of theirs names it."""
    name = match_of_stream(mail.stream) if mail is not None else None
    found = context.matches.found(name) if name is not None else None
    return (
        found.match.id
        if found is not None and context.actor in found.match.table.watchers
        else None
    )
