"""Ratings follow the log in the unit that ends a match; `store/ratings.py` knows how."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from pbem.legacy.store import ratings
from pbem.legacy.store.database import fault_of_the_store

if TYPE_CHECKING:
    from sqlalchemy import Connection

log = structlog.get_logger("pbem.ratings")


def follow_ratings(conn: Connection) -> None:
    """Enter what has ended, last of all in a unit that has ended a match.

    A fault of ours here ends no match otherwise: it is logged, and tried again by who has time.
    """
    try:
        with conn.begin_nested():
            ratings.follow(conn)
    except Exception as error:
        if fault_of_the_store(error):
            raise
        log.exception("ratings_failed")
