"""Tournaments in the unit of work at hand: as they were and are, their lots, timers and lists."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Concatenate, Final, Literal, ParamSpec

from pbem.errors import Rejection
from pbem.fairness import LINKS, SECRET_BYTES, commitment
from pbem.games import GAMES
from pbem.legacy.matches.events import SeatTimedOut
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.steps import VOIDED
from pbem.names import PlayerId, TournamentId, is_bot
from pbem.legacy.notices.seasons import season_news
from pbem.legacy.store import standings, timers
from pbem.legacy.store import tournaments as lists
from pbem.legacy.store.log import event_log, sealed
from pbem.legacy.store.log.event_log import Head
from pbem.legacy.tournaments import decide, ladder, tables
from pbem.legacy.tournaments import tournament as states
from pbem.legacy.tournaments.at_table import foreseen
from pbem.legacy.tournaments.tournament import Table, Tournament
from pbem.legacy.tournaments.unfolding import Deciding, Unfolding
from pbem.legacy.transaction.own_limits import has_room
from pbem.legacy.transaction.tournament_cache import OpenTournament, tournament_stream

if TYPE_CHECKING:
    from pbem.legacy.transaction.unit import Unit
    from pbem.legacy.transaction.working_copy import OpenMatch

P = ParamSpec("P")

RESULT: Final = "table"
"""The kind of the timer that tells a tournament how a match of its has ended."""

SEASON: Final = "season"
"""The kind of the timer by which seasons begin, and what is not over is waited for no longer."""

TABLES: Final = "tables"
"""The kind of the timer by which tables begin, one after the other."""

NEXT_TABLE: Final = timedelta(milliseconds=1)
"""So long after a table the next one begins: a timer's cause is its time, and must be another."""

LOOK_AGAIN: Final = timedelta(hours=1)
"""So long a table waits that has somebody without room for it, before that is looked at again."""


# --- deciding ------------------------------------------------------------------------------------


def tournament(unit: Unit, name: TournamentId) -> Tournament:
    """A tournament as this unit has made it so far. Raises Rejection `no_such_tournament`."""
    if name not in unit.tournaments:
        loaded = unit.house.tournaments.load(unit.conn, name)
        if loaded is None:
            raise Rejection("no_such_tournament", name=name)
        unit.tournaments[name] = OpenTournament(loaded[0], loaded[1], loaded[0])
    return unit.tournaments[name].now


def decide_on(
    unit: Unit,
    name: TournamentId,
    act: Callable[Concatenate[Unfolding, P], Deciding],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Tournament:
    """Let a function decide on a tournament. Raises Rejection, and then nothing has changed."""
    one = tournament(unit, name)
    opened = unit.tournaments[name]
    draws = sealed.lots(unit.conn, name)
    if draws is not None:
        draws = draws.after(one.lots)  # what this unit has drawn before is not noted yet
    busy = _Busy(unit, one) if one.version else ()
    unfolding = Unfolding(tournament=one, now=unit.now, draws=draws, busy=busy)
    decide.decide(unfolding, act, *args, **kwargs)
    opened.now = unfolding.tournament
    opened.events.extend(unfolding.events)
    return opened.now


def open_one(unit: Unit, name: TournamentId, terms: Callable[..., Deciding]) -> Tournament:
    """Open a tournament that does not exist yet, with a chain for its lots. Raises Rejection.

    `terms` is `decide.open_tournament` with all but the chain's commitment and length.
    """
    if event_log.head(unit.conn, tournament_stream(name)) is not None:
        raise Rejection("tournament_exists", name=name)
    nothing = states.initial(name)
    unit.tournaments[name] = OpenTournament(nothing, Head(0, ""), nothing)
    secret = unit.house.entropy(SECRET_BYTES)
    promised = partial(terms, commitment=commitment(secret, LINKS).hex(), links=LINKS)
    opened = decide_on(unit, name, promised)
    sealed.open_chain(unit.conn, tournament_stream(name), secret, LINKS)
    return opened


class _Busy(Container[PlayerId]):
    """Who begins no table at present, looked up when it is asked; a bot always has time.

    TR-3.7: who has as many matches as they want. TR-6.8: on a ladder who is on leave, too.
    """

    def __init__(self, unit: Unit, one: Tournament) -> None:
        """Nobody has been looked up yet."""
        self._unit = unit
        self._on_leave = one.opened.kind == "ladder"
        self._known: dict[PlayerId, bool] = {}

    def __contains__(self, player: object) -> bool:
        """Whether somebody is busy."""
        who = PlayerId(str(player))
        if who not in self._known:
            self._known[who] = not is_bot(who) and self._is_busy(who)
        return self._known[who]

    def _is_busy(self, player: PlayerId) -> bool:
        now, one = self._unit.now, self._unit.player(player)
        away = self._on_leave and any(each.begin <= now < each.end for each in one.leave)
        return away or not has_room(self._unit, player)


# --- what comes of it ----------------------------------------------------------------------------


def tell(unit: Unit) -> None:
    """Owe people the news of all tournaments that were decided on."""
    for opened in unit.tournaments.values():
        for player, notice in season_news(opened.events, opened.before, opened.now):
            unit.tell(player, notice)


def put(unit: Unit, opened: OpenTournament) -> None:
    """Write what came of a tournament beside its events: its links, lists and timers."""
    one, conn = opened.now, unit.conn
    if one.lots != opened.before.lots:
        sealed.advance_lots(conn, one.id, one.lots + 1)
    lists.put(conn, one, unit.now)
    facts = {"tournament": one.id}
    due = tables.next_until(one)
    if due is None:
        timers.cancel(conn, f"{SEASON}:{one.id}")
    else:
        timers.set_timer(
            conn, f"{SEASON}:{one.id}", max(due, unit.now), tournament_stream(one.id), SEASON, facts
        )
    look_after_tables(unit, one)


def look_after_tables(unit: Unit, one: Tournament, *, later: bool = False) -> None:
    """Set the timer by which tables begin; `later`: nobody has room for one at present."""
    key, waits = f"{TABLES}:{one.id}", any(tables.may_begin(one, ()))
    # On a ladder those who are free may only be away: they are looked for until they are back.
    if waits or any(ladder.pairings(one, unit.now, ())):
        at = unit.now + (NEXT_TABLE if waits and not later else LOOK_AGAIN)
        facts = {"tournament": one.id}
        timers.set_timer(unit.conn, key, at, tournament_stream(one.id), TABLES, facts)
    else:
        timers.cancel(unit.conn, key)


def next_table(unit: Unit, name: TournamentId) -> Table | None:
    """The table that begins next, its players having room for it; None where none can."""
    one = tournament(unit, name)
    return next(tables.may_begin(one, _Busy(unit, one)), None)


def note_end(unit: Unit, opened: OpenMatch) -> None:
    """A match of a tournament has ended, or will never begin: its tournament is told soon.

    By a timer and not at once: so letters to matches never wait for each other at the tournament.
    """
    before, match = opened.before.status, opened.now
    over = (Status.ENDED, Status.OFF)
    if match.status in over and before not in over:
        name = TournamentId(match.terms.tournament)
        facts = {"tournament": name, "match": match.id}
        key = f"{RESULT}:{match.id}:{match.version}"
        timers.set_timer(unit.conn, key, unit.now, tournament_stream(name), RESULT, facts)


def take_result(unit: Unit, name: TournamentId, match: Match, moves: str) -> None:
    """Tell a tournament how its match has ended; told twice it counts once.

    `moves` is D of the match at its end. Nothing is done where the match runs again.
    """
    act = _result(match, moves)
    if act is not None:
        decide_on(unit, name, act)


def after_result(one: Tournament, match: Match, now: datetime) -> Tournament:
    """A tournament as it will be as soon as it is told how its match has ended.

    A mail about the end may be written before that, and says the same as one that is written later.
    """
    act = _result(match, "")
    return one if act is None else foreseen(one, now, act)


def _result(match: Match, moves: str) -> Callable[[Unfolding], Deciding] | None:
    outcome = match.course.outcome
    if match.status is Status.OFF or (outcome is not None and outcome.termination == VOIDED):
        return partial(tables.void_table, match=match.id)
    if outcome is None:
        return None
    late = tuple(
        int(step.seat)
        for step in match.course.steps
        if step.seat is not None and isinstance(step.event, SeatTimedOut)
    )
    left = tuple(map(int, match.table.left))
    return partial(
        tables.end_table,
        match=match.id,
        placings=outcome.placings,
        left=left,
        timed_out=late,
        moves=moves,
    )


def begin_season(unit: Unit, name: TournamentId) -> None:
    """Begin the next season of a tournament now. Raises Rejection."""
    decide_on(unit, name, decide.begin, seeds=_seeds(unit, tournament(unit, name)))


def take_time(unit: Unit, name: TournamentId) -> None:
    """What is due in a tournament by the time of the unit."""
    one = tournament(unit, name)
    if one.season is not None:
        decide_on(unit, name, tables.pass_time)
    else:
        decide_on(unit, name, decide.begin_in_time, seeds=_seeds(unit, one))


def _seeds(unit: Unit, one: Tournament) -> Mapping[PlayerId, int]:
    """TR-4.1: the ratings of those who entered a cup, as far as they have one."""
    if one.opened.kind != "cup":
        return {}
    game, found = GAMES[one.opened.ruleset].key, dict[PlayerId, int]()
    for player in one.entered:
        rated = standings.standings_of(unit.conn, player).get(game)
        if rated is not None:
            found[player] = round(rated.rating.rating)
    return found


def leave_all(unit: Unit, player: PlayerId, *, why: Literal["banned", "forgotten"]) -> None:
    """Take somebody out of all tournaments, who is banned or is forgotten (TR-6.9)."""
    for entry in lists.entries_of(unit.conn, player):
        with suppress(Rejection):  # in a season that they have left they may still play
            decide_on(unit, entry.tournament, decide.withdraw, player, why=why)
