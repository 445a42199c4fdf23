"""The heads of a match's history that mails have shown, for who compares them with others'."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from pbem.matches import replay as matches
from pbem.notices.checks import HeadTold
from pbem.store.log import event_log
from pbem.transaction.installation import match_stream, secrets_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from pbem.games.game import Seat
    from pbem.matches.match import Heard, Match
    from pbem.names import PlayerId

MOST: Final = 40
"""Heads that one mail lists, the newest."""


def told_heads(conn: Connection, match: Match, reader: PlayerId) -> tuple[HeadTold, ...]:
    """Every head that stood in a mail to anybody of whose events the reader may know; the newest.

    A mail shows the head as of the end of what one letter, timer or act has done, and as far as its
    reader has heard: both are public, so the list tells nobody who was sent what.
    """
    recorded = event_log.load(conn, match_stream(match.id))
    events = event_log.match_events_of(recorded)
    state = matches.initial(match.id, secrets_of(conn, events))
    seated = reader in match.table.players
    found: dict[int, HeadTold] = {}
    happened = zip(recorded, events, strict=True)
    for _, batch in groupby(happened, key=lambda one: event_log.cause_of(one[0])):
        before = state
        for _, event in batch:
            state = matches.evolve(state, event)
        heard = (state.told.outside, state.told.at_table) if seated else (state.told.outside,)
        for one in sorted(heard, key=lambda heard: heard.version):
            if one.version and one.version not in found:
                found[one.version] = HeadTold(count=one.count, head=recorded[one.version - 1].hash)
        last = max(heard, key=lambda heard: heard.version)
        _mark(found, last, [seat for seat in state.to_act if seat not in before.to_act])
    return tuple(found.values())[-MOST:]


def _mark(found: dict[int, HeadTold], last: Heard, seats: Sequence[Seat]) -> None:
    """Note whose turn began with a head."""
    if seats and last.version in found:
        one = found[last.version]
        begun = tuple(sorted({*one.seats, *map(int, seats)}))
        found[last.version] = HeadTold(count=one.count, head=one.head, seats=begun)
