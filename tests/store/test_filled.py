"""A database that a benchmark fills with copies of matches is as sound as one that grew."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection

from bench._fill import fill
from bench._many import FEWEST_DAYS, is_running, name_of
from pbem.cli.checks import contradictions
from pbem.matches.match import Status
from pbem.store import views
from pbem.store.database import Database
from pbem.store.log import event_log
from pbem.store.upkeep import deep, rows
from pbem.transaction.installation import verified
from pbem.wiring.clock import clock

COPIES = 40


def test_copies_are_sound(url: str) -> None:
    fill(url, COPIES)
    db = Database.open(url)
    then = clock() + timedelta(days=FEWEST_DAYS)
    looks: list[Callable[[Connection], Iterable[Any]]] = [
        deep.integrity,
        deep.checksums,
        deep.contradictions,
        contradictions.found,
        partial(rows.wrong, now=then, kinds=contradictions.kinds()),
        event_log.verify,
    ]
    for look in looks:
        assert db.read(partial(_all, look=look)).result() == []
    for number in (0, 1, COPIES - 1):
        found, _ = db.read(partial(verified, match=name_of(number))).result()
        assert found.findings == ()
    running = db.read(partial(views.match_ids, statuses=[Status.RUNNING.value])).result()
    assert running == [name_of(one) for one in range(COPIES) if is_running(one, COPIES)]
    db.close()


def _all(conn: Connection, look: Callable[[Connection], Iterable[Any]]) -> list[str]:
    return [str(one) for one in look(conn)]
