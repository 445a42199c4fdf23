"""The matches that anybody may study: what is given away of each, and what never is.

A match is described by rows of three tables, whose columns docs/dataset.md explains. Nothing in
them names anybody: no address, no name, no id of a player or match, no hour, no word that was said.
"""

from __future__ import annotations

import json
from base64 import b32encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.games.still import STILL
from pbem.legacy.matches.events import MatchEnded, MatchStarted
from pbem.legacy.matches.match import Status
from pbem.legacy.matches.steps import StepKind
from pbem.names import bot_level, is_bot
from pbem.legacy.notices.views.told import opened_steps
from pbem.legacy.store.log import event_log
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.installation import find_match, match_stream
from pbem.legacy.transaction.profiles import is_shown

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.matches.match import Match
    from pbem.legacy.matches.steps import Step
    from pbem.names import MatchId, PlayerId
    from pbem.legacy.store.people.roster import PlayerRow

FORMAT: Final = 1
"""Of the tables: within one, columns are added, and none is renamed, taken away or means more."""

_KINDS: Final = (StepKind.MOVE, StepKind.DRAW, StepKind.LEFT, StepKind.AGREED)
"""What the position came of; news of the table are about people."""


class MatchLine(NamedTuple):
    """A row of `matches`; `began` and `ended` are days, `options` is JSON."""

    match: int
    game: str
    ruleset: str
    options: str
    seat_count: int
    clock: str
    began: str
    ended: str
    ply_count: int
    termination: str
    tournament: str | None
    lesson: int


class SeatLine(NamedTuple):
    """A row of `seats`: who sat there at the end, as far as it may be said, and their place."""

    match: int
    seat: int
    player: str | None
    bot: str | None
    changed: int
    place: int


class StepLine(NamedTuple):
    """A row of `plies`: what was played, drawn or given up, and the position that it met."""

    match: int
    number: int
    ply: int
    kind: str
    seat: int | None
    text: str | None
    forced: int
    position: str | None


class Given(NamedTuple):
    """All that is given away of one match."""

    match: MatchLine
    seats: tuple[SeatLine, ...]
    plies: tuple[StepLine, ...]


TABLES: Final[Mapping[str, type[MatchLine | SeatLine | StepLine]]] = {
    "matches": MatchLine,
    "seats": SeatLine,
    "plies": StepLine,
}


# --- names ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Masks:
    """Names that mean one person throughout one dataset, and nobody to who has not the key.

    `key` has 32 bytes that are kept nowhere, so that the next dataset has other names.
    """

    key: bytes

    def player(self, player: PlayerId) -> str:
        """What somebody is called here."""
        return b32encode(self._digest("player", player)).decode().lower()

    def shuffled(self, matches: Collection[MatchId]) -> list[MatchId]:
        """Matches in an order that says nothing of them."""
        return sorted(matches, key=lambda one: self._digest("match", one))

    def _digest(self, kind: str, name: str) -> bytes:
        return blake2b(f"{kind} {name}".encode(), digest_size=10, key=self.key).digest()


# --- matches -------------------------------------------------------------------------------------


def given(
    conn: Connection, matches: Sequence[tuple[int, MatchId]], masks: Masks
) -> tuple[Given, ...]:
    """What may be given away of matches that have ended, by their numbers; of some it is nothing.

    It is of what everybody could see here: no match that is private, and none whose rules are not
    there. One that came from a file was played elsewhere, and is not ours to give.
    """
    told = []
    for number, name in matches:
        found = find_match(conn, name)
        match = found.match if found is not None else None
        if match is None or not _is_open(match):
            continue
        people = roster.players(conn, [one for one in match.table.players if not is_bot(one)])
        if any(not row.address for row in people.values()):
            continue  # a guest, of whom a file has told
        began, ended = event_log.times(conn, match_stream(name), MatchStarted, MatchEnded)
        told.append(_given(match, number, (began, ended), people, masks))
    return tuple(told)


def _is_open(match: Match) -> bool:
    return (
        match.status is Status.ENDED
        and match.is_public
        and bool(match.terms.ruleset)
        and match.course.outcome is not None
        and match.course.position is not STILL
    )


def _given(
    match: Match,
    number: int,
    days: tuple[datetime, datetime],
    people: Mapping[PlayerId, PlayerRow],
    masks: Masks,
) -> Given:
    terms, outcome = match.terms, match.course.outcome
    line = MatchLine(
        match=number,
        game=match.game.key,
        ruleset=terms.ruleset,
        options=json.dumps(dict(sorted(terms.options.items()))),
        seat_count=len(match.table.players),
        clock=terms.time,
        began=f"{days[0]:%Y-%m-%d}",
        ended=f"{days[1]:%Y-%m-%d}",
        ply_count=match.course.ply,
        termination=outcome.termination if outcome is not None else "",
        tournament=terms.tournament or None,
        lesson=int(terms.lesson),
    )
    places = outcome.placings if outcome is not None else ()
    changed = _changed(match)
    seats = tuple(
        SeatLine(
            match=number,
            seat=seat,
            player=masks.player(player) if _is_named(people.get(player)) else None,
            bot=bot_level(player) if is_bot(player) else None,
            changed=int(seat in changed),
            place=place,
        )
        for seat, (player, place) in enumerate(zip(match.table.players, places, strict=True), 1)
    )
    steps = [step for step in opened_steps(match) if step.kind in _KINDS]
    plies = tuple(_step(match, number, at, step) for at, step in enumerate(steps, 1))
    return Given(line, seats, plies)


def _is_named(row: PlayerRow | None) -> bool:
    """Whether somebody has a name here: not who is gone, or shows nobody how they play."""
    return row is not None and is_shown(row)


def _changed(match: Match) -> frozenset[int]:
    """The seats in which somebody else has played before."""
    tables = [*(step.players for step in match.course.steps if step.players), match.table.players]
    return frozenset(
        seat
        for before, after in pairwise(tables)
        for seat, (one, other) in enumerate(zip(before, after, strict=True), 1)
        if one != other
    )


def _step(match: Match, number: int, at: int, step: Step) -> StepLine:
    return StepLine(
        match=number,
        number=at,
        ply=step.ply,
        kind=step.kind.value,
        seat=step.seat,
        text=step.text or None,
        forced=int(step.forced),
        # Where something is hidden a position has it, also what no rule ever opened.
        position=None if match.game.secrets else match.game.dump(step.before),
    )
