"""The clocks between matches and players: timers, and what happens to a player in all matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec

from pbem.errors import Facts, Rejection
from pbem.games import OURS
from pbem.games.still import rules_away
from pbem.legacy.hours import ALWAYS, Span, due
from pbem.legacy.matches import timing
from pbem.legacy.matches.clocks import HOUR
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.timing import is_held_in_time
from pbem.names import is_bot
from pbem.legacy.notices.personal import Became, PlayerAway
from pbem.legacy.players import decide
from pbem.legacy.players.events import Event as PlayerEvent
from pbem.legacy.players.events import (
    HoursMoved,
    LeaveCutShort,
    LeavePlanned,
    LeaveSpent,
    QuietHoursChosen,
    RestDaysChosen,
)
from pbem.legacy.players.wishes import reminder_hours, wished
from pbem.legacy.store import still, timers, views
from pbem.legacy.store.timers import Timer
from pbem.legacy.transaction.installation import match_stream, player_stream

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.games.game import Seat
    from pbem.legacy.matches.clocks import Running
    from pbem.legacy.matches.unfolding import Deciding, Unfolding
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.players.player import Player
    from pbem.legacy.transaction.unit import Unit

P = ParamSpec("P")
RUNNING = (Status.RUNNING.value,)


def set_timers(unit: Unit, before: Match, match: Match) -> None:
    """Let the deadline and the reminder of every clock that runs be due, and no other.

    No reminder of a time that is over: where leave moves a deadline it has been sent.
    """
    old = dict(before.clocks.running) if before.clocks is not None else {}
    new = dict(match.clocks.running) if match.clocks is not None else {}
    if match.status is not Status.RUNNING:
        new = {}
    changed = [
        seat
        for seat in old.keys() | new.keys()
        if old.get(seat) != new.get(seat)
        or before.pending.held.get(seat) != match.pending.held.get(seat)
    ]
    if stopped := [seat for seat in changed if seat in old]:
        kinds = ("deadline", "reminder")
        keys = [f"{kind}:{match.id}:{seat}" for kind in kinds for seat in stopped]
        timers.cancel_all(unit.conn, keys)
    running = [(seat, new[seat]) for seat in changed if seat in new]
    chosen = unit.readers({match.player_at(seat) for seat, _ in running})
    due = (
        timer
        for seat, clock in running
        for timer in _timers(match, seat, clock, chosen[match.player_at(seat)].wishes)
        if timer.kind == "deadline" or timer.due_at > unit.now
    )
    timers.set_timers(unit.conn, list(due))


def _timers(match: Match, seat: Seat, clock: Running, wishes: Mapping[str, str]) -> Iterator[Timer]:
    stream = match_stream(match.id)
    facts: dict[str, object] = {"match": match.id, "seat": int(seat)}
    wish = wished(wishes, "remind")
    at = {"deadline": clock.due, "reminder": reminder_at(clock, reminder_hours(wish))}
    for kind, when in at.items():
        if when is not None:
            yield Timer(f"{kind}:{match.id}:{seat}", when, stream, kind, facts)


def reminder_at(clock: Running, hours: int | None) -> datetime | None:
    """When so many hours are left, or, for None, a quarter of the time; None: never.

    Who has no more time than that at first has just been told.
    """
    left = clock.bank // 4 if hours is None else hours * HOUR
    return due(clock.hours, clock.since, clock.bank - left) if 0 < left < clock.bank else None


def in_every_match(
    unit: Unit,
    player: PlayerId,
    act: Callable[Concatenate[Unfolding, PlayerId, P], Deciding],
    *args: P.args,
    **kwargs: P.kwargs,
) -> list[MatchId]:
    """Decide about a player's clock in all matches that run; those that it changed.

    In a match that stands still it holds once that goes on (`catch_up`).
    """
    changed = []
    for row in views.matches_of(unit.conn, player, RUNNING):
        before = unit.match(row.id)
        try:
            after = unit.decide(row.id, act, player, *args, **kwargs)
        except Rejection:
            continue  # without clocks, left already, or its rules are away
        if after.version != before.version:
            changed.append(row.id)
    return changed


def carry_into_matches(unit: Unit, was: Player, events: Sequence[PlayerEvent]) -> None:
    """What a player decided of times that do not count holds in every match that runs.

    A match is to be replayed from its own stream alone, so the facts are copied. `was` is the
    player before the events.
    """
    player = was.id
    for event in events:
        match event:
            case RestDaysChosen() | QuietHoursChosen() | HoursMoved():
                hours = unit.player(player).hours
                in_every_match(unit, player, timing.choose_hours, hours=hours)
            case LeavePlanned(begin=begin, end=end):
                changed = in_every_match(unit, player, timing.begin_leave, begin=begin, end=end)
                _tell_of_leave(unit, player, changed, (begin, end), "away")
            case LeaveSpent(begin=begin, end=end):
                in_every_match(unit, player, timing.spend_leave, begin=begin, end=end)
            case LeaveCutShort():
                changed = in_every_match(unit, player, timing.end_leave)
                _tell_of_return(unit, was, changed)
            case _:
                pass


def _tell_of_return(unit: Unit, was: Player, changed: Sequence[MatchId]) -> None:
    """Who was away is back; what was only planned will not be."""
    now = unit.now
    standing = [one for one in was.leave if one.end > now]
    if any(one.begin <= now for one in standing):
        _tell_of_leave(unit, was.id, changed, (now, now), "back")
    for one in standing:
        if one.begin > now:
            _tell_of_leave(unit, was.id, changed, (one.begin, one.end), "cancelled")


def _tell_of_leave(
    unit: Unit, player: PlayerId, matches: Sequence[MatchId], span: Span, became: Became
) -> None:
    """Everybody who plays with somebody is told once that they will be away, or will not."""
    shared: dict[PlayerId, list[MatchId]] = {}
    for name in matches:
        match = unit.match(name)
        for seat in match.table.playing:
            shared.setdefault(match.player_at(seat), []).append(name)
    for other, names in shared.items():
        if other != player and not is_bot(other):
            away = PlayerAway(
                player=player,
                matches=tuple(names),
                begin=span[0].isoformat(),
                end=span[1].isoformat(),
                became=became,
            )
            unit.tell(other, away)


STANDSTILL: Final = "standstill"
"""The kind of the timer that ends the standstill of somebody whose mail comes back."""


def standstill_key(player: PlayerId) -> str:
    """The key of that timer."""
    return f"{STANDSTILL}:{player}"


def time_standstill(conn: Connection, player: PlayerId, due_at: datetime) -> None:
    """Look at a player to whom mail comes back at a time, and at no other."""
    facts: Facts = {"player": player}
    timers.set_timer(conn, standstill_key(player), due_at, player_stream(player), STANDSTILL, facts)


def set_standstill(unit: Unit, player: PlayerId) -> None:
    """Let the standstill of a player's clocks end; at once where they may stand no longer."""
    stands = unit.player(player).standing(unit.now)
    time_standstill(unit.conn, player, unit.now if stands is None else stands[1])


def bring_hours(unit: Unit, match: MatchId) -> None:
    """A match begins: whatever its players have chosen before holds in it."""
    if unit.match(match).clocks is None:
        return
    for player in unit.match(match).table.players:
        bring_hours_of(unit, match, player)


def bring_hours_of(unit: Unit, match: MatchId, player: PlayerId) -> None:
    """What a player has chosen before holds in a match, too; PLAY 3: so does a standstill."""
    if unit.match(match).clocks is None:
        return
    if unit.player(player).suspended:
        if unit.player(player).standing(unit.now) is not None:
            unit.decide(match, timing.pause_clock, player=player, reason="unreachable")
        set_standstill(unit, player)
    hours = unit.player(player).hours
    if hours != ALWAYS:
        unit.decide(match, timing.choose_hours, player=player, hours=hours)
    for begin, end in hours.leave:
        if end > unit.now:
            unit.decide(match, timing.begin_leave, player=player, begin=begin, end=end)


# --- matches that stand still ---------------------------------------------------------------------
# Where rules are away no clock counts, and nothing can be decided until they are back.


def require_going(unit: Unit, match: MatchId) -> None:
    """Raise Rejection `rules_away` where a match stands still, noted or not.

    Rules that have failed may still say from memory whose turn it is; and where they cannot,
    nobody is to act while a clock runs.
    """
    found = unit.match(match)
    if found.terms.ruleset in OURS:
        return
    running = found.clocks.running if found.clocks is not None else {}
    if still.stands(unit.conn, match) or not set(running) <= set(found.to_act):
        raise rules_away(found.game.title)


def stands_still(unit: Unit, match: MatchId) -> bool:
    """Whether a match stands still: its clocks say nothing."""
    try:
        require_going(unit, match)
    except Rejection:
        return True
    return False


def catch_up(unit: Unit, match: MatchId, since: datetime) -> None:
    """A match goes on that stood still since a time: nothing has counted, or passed it by.

    What its players have chosen meanwhile holds in it, too, and the others are told of leave.
    """
    if unit.match(match).clocks is None:
        return
    for seat in unit.match(match).table.playing:
        player = unit.match(match).player_at(seat)
        unit.decide(
            match, timing.credit_clock, player, begin=since, end=unit.now, reason="rules_away"
        )
        unit.decide(match, timing.set_clock_right, player)
        if not is_bot(player) and not unit.player(player).forgotten:
            _catch_up_with(unit, match, seat, player)


def _catch_up_with(unit: Unit, match: MatchId, seat: Seat, player: PlayerId) -> None:
    chosen = unit.player(player)
    spans = [one for one in chosen.hours.leave if one[1] > unit.now]
    if set(_leave_in(unit, match, seat)) - set(spans):
        unit.decide(match, timing.end_leave, player)
    if not chosen.suspended:
        unit.decide(match, timing.resume_clock, player, reason="unreachable")
    elif (stood := chosen.standing(unit.now)) is not None:
        # What came back before the match stood still has counted, too.
        unit.decide(
            match, timing.credit_clock, player, begin=stood[0], end=unit.now, reason="unreachable"
        )
        unit.decide(match, timing.pause_clock, player, reason="unreachable")
    if chosen.suspended:
        set_standstill(unit, player)
    unit.decide(match, timing.choose_hours, player, hours=chosen.hours)
    for begin, end in sorted(set(spans) - set(_leave_in(unit, match, seat))):
        unit.decide(match, timing.begin_leave, player, begin=begin, end=end)
        _tell_of_leave(unit, player, [match], (begin, end), "away")


def _leave_in(unit: Unit, match: MatchId, seat: Seat) -> list[Span]:
    """The leave of a seat that a match knows, and that is not over."""
    clocks = timing.require_clocks(unit.match(match))
    return [one for one in clocks.hours_of(seat).leave if one[1] > unit.now]


def miss_deadline(unit: Unit, match: MatchId, seat: Seat) -> None:
    """The time of a seat is over: a day of leave is spent, as long as there is one.

    Raises Rejection where the deadline is not due (any more), and `rules_away` where the match
    stands still: then no time is lost, and no leave.
    """
    found = unit.match(match)
    running = found.clocks.running.get(seat) if found.clocks is not None else None
    if running is None or running.due > unit.now or is_held_in_time(found, seat, unit.now):
        raise Rejection("not_due")
    require_going(unit, match)
    player = found.player_at(seat)
    before = unit.player(player).version
    unit.decide_player(player, decide.spend_leave, begin=running.due)
    if unit.player(player).version == before:
        unit.decide(match, timing.miss_deadline, seat=seat)
