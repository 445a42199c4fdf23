"""Which match an order is about."""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.mail.order_lines import TypedOrder
from pbem.matches.match import Status
from pbem.names import MatchId
from pbem.runners.taking import Taking
from pbem.store import views

OPEN: Final = (Status.CHALLENGE.value, Status.RUNNING.value)
LISTED: Final = 50
"""Matches that are named at most where one of them must be."""


def match_of(taking: Taking, typed: TypedOrder) -> MatchId:
    """The match that an order is about: named, answered, or the only one there is."""
    match = typed.match or taking.home
    if match is None:
        rows = views.matches_of(taking.conn, taking.sender, OPEN)
        if len(rows) != 1:
            raise Rejection("which_match", matches=[row.id for row in rows][:LISTED])
        match = rows[0].id
    # A stranger to a match learns no more of it than that it is not theirs.
    if taking.actor not in taking.match(match).players:
        raise Rejection("no_such_match", match=match)
    return match


def game_of(taking: Taking, match: MatchId) -> AnyGame | None:
    """The game of a match, if there is one of that name."""
    loaded = taking.found(match)
    return loaded.match.game if loaded is not None and loaded.match.ruleset else None
