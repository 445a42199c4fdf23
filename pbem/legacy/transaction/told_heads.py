"""The heads of a match's history that mails have shown, for who compares them with others'."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pbem.legacy.matches import replay as matches
from pbem.legacy.notices.checks import HeadTold
from pbem.legacy.store.log import event_log
from pbem.legacy.transaction.installation import match_stream, secrets_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.matches.match import Match
    from pbem.names import PlayerId

MOST: Final = 30
"""Heads that one mail lists, the newest."""


def told_heads(conn: Connection, match: Match, reader: PlayerId) -> tuple[HeadTold, ...]:
    """Every head that stood in a mail to anybody of whose events the reader may know; the newest.

    A mail shows the head as of the end of what one letter, timer or act has done, as far as its
    reader has heard of it. All of that is public, so the list tells nobody who was sent what.
    """
    recorded = event_log.load(conn, match_stream(match.id))
    events = event_log.match_events_of(recorded)
    state = matches.initial(match.id, secrets_of(conn, events))
    seated, watched = reader in match.table.players, bool(match.table.watchers)
    heard, counts, found = state.told.outside, dict[int, int](), dict[int, HeadTold]()
    happened = zip(recorded, events, strict=True)
    for _, batch in groupby(happened, key=lambda one: event_log.cause_of(one[0])):
        before = state
        for _, event in batch:
            state = matches.evolve(state, event)
            heard = state.told.at_table if seated else state.told.outside
            counts[heard.version] = heard.count
        outside = [state.told.outside.version] if watched else []
        for version in [*outside, heard.version]:
            if version and version not in found:
                head = recorded[version - 1].hash
                found[version] = HeadTold(count=counts[version], head=head)
        begun = tuple(int(seat) for seat in state.to_act if seat not in before.to_act)
        if begun and heard.version in found:
            one = found[heard.version]
            found[heard.version] = replace(one, seats=tuple(sorted({*one.seats, *begun})))
    return tuple(found.values())[-MOST:]
