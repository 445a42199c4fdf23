"""Orders about tournaments: who enters and withdraws, what is shown; and how a table begins."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.legacy.mail.verbs.club import Enter, ShowStandings, ShowTournaments, Withdraw
from pbem.legacy.matches import challenges, seats
from pbem.legacy.matches.match import Status
from pbem.names import TournamentId
from pbem.legacy.notices.seasons import rounds_shown, shown
from pbem.legacy.notices.tournaments import StandingsShown, TournamentLine, TournamentsListed
from pbem.legacy.orders.context import LetterContext
from pbem.legacy.orders.handlers.challenges import issued
from pbem.legacy.orders.handlers.playing import decline
from pbem.legacy.orders.order_table import carries_out
from pbem.legacy.orders.powers import Power
from pbem.legacy.store import tournaments as lists
from pbem.legacy.tournaments import decide, tables
from pbem.legacy.transaction import tournaments

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.transaction.transaction import Transaction


@carries_out(ShowTournaments, Power.READ)
def show_tournaments(
    txn: Transaction, _: LetterContext, typed: TypedOrder, __: ShowTournaments
) -> None:
    """List the tournaments that are not closed."""
    _list(txn)
    txn.done(typed.typed, "shown")


def _list(txn: Transaction) -> None:
    mine = {entry.tournament for entry in lists.entries_of(txn.conn, txn.sender)}
    lines = tuple(
        TournamentLine(
            name=row.id,
            kind=row.kind,
            game=GAMES[row.ruleset].key,
            status=row.status,
            season=row.season,
            entered=row.entered,
            mine=row.id in mine,
            due=row.due_at.isoformat() if row.due_at and row.status == "open" else "",
        )
        for row in lists.listed(txn.conn)
    )
    txn.answer(TournamentsListed(lines=lines))


@carries_out(Enter, Power.BIND)
def enter(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Enter) -> None:
    """Enter a tournament: that accepts all of its tables."""
    if not order.tournament:
        raise Rejection("enter_what", names=[row.id for row in lists.listed(txn.conn)])
    name = TournamentId(order.tournament)
    after = tournaments.decide_on(txn, name, decide.enter, txn.sender, letter=context.digest)
    planned = after.planned
    facts: Facts = {
        "name": name,
        "runs": after.season is not None and after.opened.kind != "ladder",
        "begins": planned.begins.isoformat() if planned is not None else "",
    }
    txn.done(typed.typed, "entered", facts)


@carries_out(Withdraw, Power.BIND)
def withdraw(txn: Transaction, context: LetterContext, typed: TypedOrder, order: Withdraw) -> None:
    """Be in no more tables of a tournament; no match is resigned by it (TR-6.1).

    In an invitation that waits it takes that back.
    """
    home = txn.match(context.home) if context.home is not None else None
    if not order.tournament and home is not None and home.status is Status.CHALLENGE:
        decline(txn, context, typed)
        return
    mine = [entry.tournament for entry in lists.entries_of(txn.conn, txn.sender)]
    if not order.tournament:
        raise Rejection("withdraw_what", names=list(mine))
    name = TournamentId(order.tournament)
    after = tournaments.decide_on(txn, name, decide.withdraw, txn.sender)
    season = after.season
    playing = 0
    if season is not None:
        playing = sum(txn.sender in table.players for table in season.unfinished)
    txn.done(typed.typed, "withdrawn_from", {"name": name, "playing": playing})


@carries_out(ShowStandings, Power.READ)
def show_standings(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: ShowStandings
) -> None:
    """Show how a tournament stands, or all that the sender is in."""
    names = [order.tournament] if order.tournament else []
    names = names or [entry.tournament for entry in lists.entries_of(txn.conn, txn.sender)]
    if not names:
        _list(txn)
    for name in names:
        _show(txn, TournamentId(name))
    txn.done(typed.typed, "shown")


def _show(txn: Transaction, name: TournamentId) -> None:
    one = tournaments.tournament(txn, name)
    season = one.seasons[-1] if one.seasons else None
    # As long as a cup is played its round says how it stands; then its places do.
    plays = one.opened.kind == "cup" and season is not None and not season.ended
    txn.answer(
        StandingsShown(
            player=txn.sender,
            tournament=name,
            kind=one.opened.kind,
            game=GAMES[one.opened.ruleset].key,
            season=len(one.seasons),
            running=one.season is not None,
            tables=shown(one, season) if season is not None and not plays else (),
            rounds=rounds_shown(season)[-1:] if season is not None and plays else (),
        )
    )


# --- tables --------------------------------------------------------------------------------------


def begin_table(txn: Transaction, name: TournamentId) -> None:
    """Begin the next table whose players have room for it, or look again later.

    One at a time: so a season of hundreds keeps nobody waiting.
    """
    table = tournaments.next_table(txn, name)
    if table is None:
        one = tournaments.decide_on(txn, name, tables.look)
        if not txn.tournaments[name].events:
            tournaments.look_after_tables(txn, one, later=True)
        return
    opened = tournaments.tournament(txn, name).opened
    issue = partial(
        challenges.issue,
        options=opened.options,
        time=table.time,
        stand_in=opened.stand_in,
        tournament=name,
    )
    match = issued(txn, issue, opened.ruleset, table.players, tournament=True)
    for player in txn.match(match).waiting_for:
        txn.decide(match, seats.accept, player=player)  # TR-2.2: entering has accepted it
    tournaments.decide_on(txn, name, tables.begin_table, table.number, match=match)
