"""What a service does or reads again and again, whatever stands in its database."""

# ruff: noqa: SLF001 - it looks inside, as tests do

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pbem import health
from pbem.cli import status
from pbem.delivery import relay
from pbem.runners import absence, supervise
from pbem.runners.timers import keep_house
from pbem.store import timers
from pbem.store.mails import claims, inbox, leases, outbox, unknown_letters
from pbem.store.people import roster
from pbem.store.upkeep import condition
from pbem.web import club_pages

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transaction.installation import House

_Look: TypeAlias = "Callable[[House], object]"
_Unit: TypeAlias = "Callable[[Connection, House], object]"


def _read(unit: _Unit) -> _Look:
    return lambda house: house.db.read(lambda conn: unit(conn, house)).result()


def _write(unit: _Unit) -> _Look:
    return lambda house: house.db.write(lambda conn: unit(conn, house)).result()


def _status(conn: Connection, house: House) -> object:
    return [part(conn) for part in status._parts(house.settings)]


def _lease(conn: Connection, house: House) -> object:
    return relay.lease(
        conn, house, due=house.now(), limit=10, lease_for=timedelta(minutes=30), besides=()
    )


def _start(conn: Connection, house: House) -> None:
    roster.refold(conn)
    supervise._take_over(conn, house=house)


def _clock_went_back(conn: Connection, house: House) -> None:
    absence._bring_back(conn, house=house, was=house.now(), now=house.now())


def _facts(conn: Connection, house: House) -> Any:
    return health.read_facts(conn, settings=house.settings, now=house.now())


PERIODIC: Final[Mapping[str, _Look]] = {
    "letters to take": _write(lambda conn, _: inbox.claim(conn, 50)),
    "letters to take, one of several": _write(lambda conn, _: inbox.claim(conn, 50, 1)),
    "whether letters wait": _read(lambda conn, house: inbox.waits_since(conn, house.now())),
    "mails to send": _write(_lease),
    "mails to send, one of several": _write(
        lambda conn, house: _lease(conn, replace(house, worker=1))
    ),
    "when the next mail is due": _read(lambda conn, _: outbox.next_due(conn)),
    "timers that are due": _read(lambda conn, house: timers.due(conn, house.now(), 50)),
    "bots that are due": _read(lambda conn, house: timers.due(conn, house.now(), 50, of_bots=True)),
    "bots that are due, one of several": _write(
        lambda conn, house: timers.claim_bots(conn, house.now(), 50, house.now())
    ),
    "when the next timer is due": _read(lambda conn, _: timers.next_due(conn)),
    "when the next bot is due": _read(lambda conn, _: timers.next_due(conn, of_bots=True)),
    "the newest event": _read(lambda conn, _: condition.newest_time(conn, "alive")),
    "who is gone, one of several": _read(
        lambda conn, _: (claims.workers(conn), leases.workers(conn))
    ),
    "facts (metrics, health, status --check)": _read(_facts),
    "addresses that are suspended": _read(lambda conn, _: roster.suspended_since(conn)),
    "status": _read(_status),
    "housekeeping": lambda house: asyncio.run(keep_house(house)),
    "letters of unknown people": _write(lambda conn, _: unknown_letters.trim(conn, 10**9)),
    "the club's page, without its words": _read(
        lambda conn, house: club_pages._public_matches(conn, house=house)
    ),
    "challenges that are open": _read(
        lambda conn, house: club_pages.open_matches(conn, house=house)
    ),
    "standings": _read(lambda conn, house: club_pages._standings(conn, house=house)),
    "`pbem matches`": _read(lambda conn, _: list(condition.matches(conn, None, 50))),
    "`pbem matches --status running`": _read(
        lambda conn, _: list(condition.matches(conn, ["running"], 50))
    ),
    "`pbem mails`": _read(
        lambda conn, _: (list(condition.letters(conn, None, 50)), list(condition.mails(conn, 50)))
    ),
    "`pbem mails --shunted`": _read(lambda conn, _: list(condition.letters(conn, "shunted", 50))),
    "at the start": _write(_start),
    "when the clock went back": _write(_clock_went_back),
}
"""What is looked at or done, and how."""
