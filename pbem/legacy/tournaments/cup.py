"""A knock-out cup: who wins goes on, who loses is out (TR-4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pbem.games.chance import Dice, Draw
from pbem.names import PlayerId
from pbem.legacy.tournaments.events import ByeGiven, Event, GroupEnded, SeasonEnded, TableSet
from pbem.legacy.tournaments.pairing import bracket
from pbem.legacy.tournaments.tournament import Season, Table, Tournament

_CLOCK: Final = re.compile(r"(\d+)/(\d+)/(\d+)")


@dataclass(frozen=True, slots=True)
class Decided:
    """Who goes on from a pairing: nobody where nobody is there."""

    player: PlayerId | None


@dataclass(frozen=True, slots=True)
class Again:
    """The pairing is played once more, since its table was drawn or voided."""

    table: Table


def due(one: Tournament, season: Season) -> tuple[Event, ...] | Draw | None:
    """What follows by itself in a cup."""
    if season.ended:
        return tuple(_end(one, season)) if season.corrected else None
    if season.stopped:
        return tuple(_end(one, season))
    at = round_of(season)
    outcomes = [outcome(season, at, pairing) for pairing in pairings(season, at)] if at else []
    again = [one_again.table for one_again in outcomes if isinstance(one_again, Again)]
    if again:
        return tuple(_replays(one, season, again))
    if any(outcome is None for outcome in outcomes):
        return None
    if at and len(outcomes) == 1:
        return tuple(_end(one, season))
    there = [one_decided.player for one_decided in outcomes if isinstance(one_decided, Decided)]
    return _next_round(one, season, at + 1, there if at else slots_of(season))


def round_of(season: Season) -> int:
    """The round that is played, 0 before the first."""
    rounds = [table.round for table in season.tables.values()]
    return max([*rounds, *(bye.round for bye in season.byes)], default=0)


def slots_of(season: Season) -> list[PlayerId | None]:
    """The players in the slots of the first round."""
    players = season.players
    return [players[seed] if seed < len(players) else None for seed in bracket(len(players))]


def pairings(season: Season, at: int) -> range:
    """The numbers of the pairings of a round."""
    return range(1, len(bracket(len(season.players))) // 2**at + 1)


def rounds(season: Season) -> int:
    """How many rounds the cup has."""
    return (len(season.players) - 1).bit_length()


# --- outcomes ------------------------------------------------------------------------------------


def outcome(season: Season, at: int, pairing: int) -> Decided | Again | None:
    """Who goes on from a pairing of a round; None while it is played."""
    tables = [
        table for table in season.tables.values() if (table.round, table.group) == (at, pairing)
    ]
    if not tables:
        byes = (bye.player for bye in season.byes if (bye.round, bye.pairing) == (at, pairing))
        return Decided(next(byes, None))
    table = max(tables, key=lambda each: each.number)
    if not table.ended:
        return None
    return of_table(season, table)


def of_table(season: Season, table: Table) -> Decided | Again:
    """What came of a table that has ended, if no other one of its pairing is played."""
    if table.round < round_of(season):
        return Decided(_who_went_on(season, table))
    one, other = table.players
    there = [player for player in table.players if player not in season.withdrawn]
    level = len(set(table.placings)) == 1
    again = (level or table.why == "voided") and not table.again
    if table.why == "unplayed" or (again and len(there) < len(table.players)):
        # TR-6.5: somebody withdrew before it began, or before it was to be played again.
        return Decided(there[0] if len(there) == 1 else None)
    if again:
        return Again(table)
    if level or not table.placings:
        winner = _higher(season, one, other)  # TR-4.5, TR-4.6
    else:
        winner = one if table.placings[0] < table.placings[1] else other
    loser = other if winner == one else one
    # TR-6.5: in place of a winner who has gone the other one goes on, but in the final.
    gone = winner in season.withdrawn and loser not in season.withdrawn
    return Decided(loser if gone and table.round < rounds(season) else winner)


def _who_went_on(season: Season, table: Table) -> PlayerId | None:
    """Who was set in the next round: who has withdrawn since then had gone on."""
    at, pairing = table.round + 1, (table.group + 1) // 2
    there = {bye.player for bye in season.byes if (bye.round, bye.pairing) == (at, pairing)}
    for other in season.tables.values():
        if (other.round, other.group) == (at, pairing):
            there.update(other.players)
    return next((player for player in table.players if player in there), None)


def _higher(season: Season, one: PlayerId, other: PlayerId) -> PlayerId:
    return min(one, other, key=season.players.index)


def _replays(one: Tournament, season: Season, again: list[Table]) -> Iterator[Event]:
    for number, table in enumerate(again, season.newest + 1):
        drawn = table.why != "voided"
        yield TableSet(
            season=season.number,
            table=number,
            group=table.group,
            round=table.round,
            # TR-4.5: a draw is played again with the seats changed and a faster clock; TR-4.7: what
            # was voided as it was.
            players=table.players[::-1] if drawn else table.players,
            time=faster(table.time) if drawn else table.time,
            until=(one.at or season.at) + timedelta(days=one.opened.days),
            again=table.number,
        )


def faster(time: str) -> str:
    """Half of a time control, bank/increment/cap in whole hours, each at least one."""
    found = _CLOCK.fullmatch(time)
    if found is None:
        return time
    bank, increment, cap = ((int(hours) + 1) // 2 for hours in found.groups())
    return f"{bank}/{increment}/{cap}"


# --- rounds --------------------------------------------------------------------------------------


def _next_round(
    one: Tournament, season: Season, at: int, there: list[PlayerId | None]
) -> tuple[Event, ...] | Draw:
    """TR-4.3, TR-4.4: byes, and tables whose first seats are drawn."""
    there = [player if player not in season.withdrawn else None for player in there]
    paired = list(enumerate(zip(there[::2], there[1::2], strict=True), 1))
    full = [number for number, (left, right) in paired if left and right]
    drawn = first_seats(at, len(full))
    values = [lot.values for lot in season.lots if lot.asked == str(drawn)]
    if full and not values:
        return drawn
    firsts = dict(zip(full, values[0] if values else (), strict=True))
    events, number = list[Event](), season.newest
    for pairing, (left, right) in paired:
        if left and right:
            number += 1
            higher = _higher(season, left, right)
            lower = right if higher == left else left
            events.append(
                TableSet(
                    season=season.number,
                    table=number,
                    group=pairing,
                    round=at,
                    players=(higher, lower) if firsts[pairing] == 1 else (lower, higher),
                    time=one.opened.time,
                    until=(one.at or season.at) + timedelta(days=one.opened.days),
                    again=0,
                )
            )
        elif player := left or right:
            events.append(
                ByeGiven(
                    season=season.number,
                    round=at,
                    pairing=pairing,
                    player=player,
                    why="seed" if at == 1 else "alone",
                )
            )
    return tuple(events) or tuple(_end(one, season))


def first_seats(at: int, tables: int) -> Draw:
    """What is drawn for a round: by 1 the higher seed sits first, by 2 the lower."""
    return Draw(f"first seats of round {at}", (Dice(max(1, tables), 2),))


# --- the end -------------------------------------------------------------------------------------


def _end(one: Tournament, season: Season) -> Iterator[Event]:
    """TR-4.8: places by the round that was reached, which is `points`; the winner has one more."""
    reached = dict.fromkeys(season.players, 1)
    for table in season.tables.values():
        reached |= {who: max(reached[who], table.round) for who in table.players}
    for bye in season.byes:
        reached[bye.player] = max(reached[bye.player], bye.round)
    if round_of(season) == rounds(season):
        match outcome(season, rounds(season), 1):
            case Decided(player) if player is not None:
                reached[player] = rounds(season) + 1
            case _:
                pass
    ranked = sorted(season.players, key=lambda player: -reached[player])
    rounds_reached = tuple(reached[player] for player in ranked)
    yield GroupEnded(
        season=season.number,
        group=1,
        players=tuple(ranked),
        places=tuple(1 + sum(far > own for far in rounds_reached) for own in rounds_reached),
        points=rounds_reached,
        direct=(),
        berger=(),
        time_outs=(),
    )
    order = tuple(player for player in ranked if player in one.entered)
    yield SeasonEnded(season=season.number, order=order, at=one.at or season.at)
