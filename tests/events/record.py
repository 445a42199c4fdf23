"""Record a whole match of each game, as `record` sends it after the end.

Bots choose the moves, and the players do what else the game lets them do: they offer a draw, ask
for a takeback, give an order in advance, go on vacation. The same call makes the same lines.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pbem.bots.levels import MEDIUM, choose_notation
from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.match import endings, play, takeback, timing
from pbem.match.events import MatchEvent
from pbem.match.state import Status
from pbem.names import PlayerId
from pbem.service.exports import export_match
from pbem.store import event_log
from pbem.store.database import Database
from pbem.store.event_log import NO_HASH, hash_events
from tests.match.test_match import BOB, CLEO, CODE, HOUR, SECRET, Table
from tests.packages import CHESS, installed_package

PLAYERS: Final = {
    "logger-1": (BOB,),
    "looney_ludo-1": (BOB, CLEO),
    "logan_stones-1": (BOB,),
    "landrush-1": (BOB, CLEO),
    "chess-1": (BOB,),
}
"""The opponents of Ann in the recorded match of each game."""

PAUSE: Final = timedelta(hours=5, minutes=7, seconds=11)  # between two moves
MAX_MOVES: Final = 90  # then the players give up, one after another
ORDER: Final = "doubles reroll 2"


def record_match(ruleset: str) -> list[str]:
    """Return the lines of a whole match of a game that is installed."""
    return export_table(play_match(ruleset))


def play_match(ruleset: str) -> Table:
    """Play a match of a game to its end."""
    table = Table(*PLAYERS[ruleset], ruleset=ruleset, time="slow")
    for player in PLAYERS[ruleset]:
        table.now += PAUSE
        table.accept(player)
    moves = 0
    while table.match.status is Status.RUNNING:
        table.now += PAUSE
        _act(table, lambda: timing.end_due_pauses(table.match, table.now))
        if moves in _ACTS:
            _ACTS[moves](table, _find_player(table))
        if moves == MAX_MOVES:
            table.execute(endings.resign(table.match, _find_player(table), table.now))
        else:
            _move(table)
            moves += 1
    return table


def _find_player(table: Table) -> PlayerId:
    return table.match.player_at(table.match.to_move[0])


def _move(table: Table) -> None:
    match = table.match
    [seat, *_] = match.to_move
    seed = str(match.version)
    notation = choose_notation(MEDIUM, match.terms.ruleset, match.position, seat, seed)
    table.move(match.player_at(seat), notation)


def _act(table: Table, decide: Callable[[], list[MatchEvent]]) -> None:
    """Let something happen, if the game and the state of the match allow it."""
    with contextlib.suppress(Rejection):
        if events := decide():
            table.now += HOUR
            table.execute(events)


def _offer_draw(table: Table, player: PlayerId) -> None:
    [other, *_] = table.match.list_opponents(player)
    answer = endings.answer_draw
    _act(table, lambda: endings.offer_draw(table.match, player, table.now))
    _act(table, lambda: answer(table.match, other, agrees=False, now=table.now))


def _request_takeback(table: Table, player: PlayerId, *, agrees: bool) -> None:
    [other, *_] = table.match.list_opponents(player)
    answer = takeback.answer_takeback
    _act(table, lambda: takeback.request_takeback(table.match, other, table.now))
    _act(table, lambda: answer(table.match, player, agrees=agrees, now=table.now))


def _give_order(table: Table, player: PlayerId) -> None:
    _act(table, lambda: play.give_standing_order(table.match, player, ORDER, table.now))


def _go_on_vacation(table: Table, player: PlayerId) -> None:
    _act(table, lambda: timing.begin_vacation(table.match, player, 2, table.now))


def _give_time(table: Table, player: PlayerId) -> None:
    [other, *_] = table.match.list_opponents(player)
    seat = table.match.seat_of(other) or Seat(1)
    _act(table, lambda: timing.give_time(table.match, player, seat, 12 * HOUR, table.now))


_ACTS: Final[dict[int, Callable[[Table, PlayerId], None]]] = {
    1: _give_order,
    2: _offer_draw,
    3: _go_on_vacation,
    4: _give_time,
    5: partial(_request_takeback, agrees=False),
    6: partial(_request_takeback, agrees=True),
}
"""What a player does before a move besides moving, by the number of moves before it."""


def export_table(table: Table, reader: PlayerId | None = None) -> list[str]:
    """Return the lines that a reader gets of a match as it is now."""
    with TemporaryDirectory() as folder, contextlib.closing(_store(table, folder)) as database:
        return database.run(lambda conn: export_match(conn, CODE, reader))


def _store(table: Table, folder: str) -> Database:
    database = Database(f"sqlite:///{folder}/pbem.db")
    database.migrate()
    version, head = 0, NO_HASH
    for cause, unit in groupby(table.log, key=lambda caused: caused.cause):
        events = [caused.event for caused in unit]
        hashed = hash_events(CODE, events, version=version, head=head, secret=SECRET)
        database.run(partial(event_log.append, match=CODE, events=hashed, cause=cause))
        version, head = hashed[-1].version, hashed[-1].hash
    return database


@contextlib.contextmanager
def installed_chess() -> Iterator[None]:
    """Let chess be found as if its package were installed."""
    with TemporaryDirectory() as site, installed_package(CHESS, Path(site)):
        yield
