"""What the provider lets us send: turns first, an alert in time, and what is above waits."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import structlog

from pbem.mail.addresses import message_id
from pbem.notices import codec
from pbem.notices.personal import SendingCapNear
from pbem.store.mails import leases, outbox
from pbem.store.mails.outbox import QueuedMail
from pbem.store.mails.sending_caps import A_DAY, Cap, caps_of
from pbem.store.people import rates

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.store.mails.outbox import OutboxRow
    from pbem.transaction.installation import House

SHORTEST, LONGEST = timedelta(seconds=30), timedelta(minutes=5)
"""How long mails wait until it is tried whether one of them may go."""

log = structlog.get_logger("pbem.delivery")


def lease(
    conn: Connection,
    house: House,
    *,
    due: datetime,
    limit: int,
    lease_for: timedelta,
    besides: Collection[str],
    known: Collection[int] | None = None,
) -> list[OutboxRow]:
    """The next mails that were due, as many as the caps leave; with caps, turns come first.

    `known`: what else is leased to us we do not know of, and it is due like the others.
    """
    if known is not None:
        leases.take_back(conn, known, due, house.worker)
    now, smtp = house.now(), house.settings.smtp
    caps = list(caps_of(smtp.max_mails_per_hour, smtp.max_mails_per_day))
    take = partial(
        leases.lease, conn, now=due, lease_for=lease_for, besides=besides, worker=house.worker
    )
    if not caps:
        return take(limit=limit)
    room = min(cap.most - cap.used(conn, now) for cap in caps)
    if room < 1:
        _wait(conn, caps, now)
        return []
    rows = take(limit=min(limit, room), turns_first=True)
    for cap in caps:
        for _ in rows:
            rates.take(conn, cap.bucket, now=now, capacity=cap.most, per=cap.per)
        _tell_if_near(conn, house, cap, now)
    return rows


def _wait(conn: Connection, caps: list[Cap], now: datetime) -> None:
    """Nothing may go: all that is due waits until the first of it may."""
    slot = max(cap.per // cap.most for cap in caps if cap.used(conn, now) >= cap.most)
    until = now + min(max(slot, SHORTEST), LONGEST)
    waiting = outbox.postpone(conn, now=now, until=until, why="waits for our own cap")
    for cap in caps:
        full = cap.used(conn, now) >= cap.most
        if waiting and full and _first(conn, f"cap-reached:{cap.name}", now, cap.per):
            log.warning("mail_cap_reached", period=cap.name, most=cap.most, waiting=waiting)


def _tell_if_near(conn: Connection, house: House, cap: Cap, now: datetime) -> None:
    """Once in the cap's time in the log; once a day by mail, if the operator has an address."""
    used = cap.used(conn, now)
    if not cap.is_near(used) or not _first(conn, f"cap-near:{cap.name}", now, cap.per):
        return
    log.warning("mail_cap_near", period=cap.name, used=used, most=cap.most)
    contact = house.settings.site.contact
    if not contact or not _first(conn, "cap-mail", now, A_DAY):
        return
    cause = f"cap-near:{cap.name}:{now.isoformat()}:operator"
    alert = QueuedMail(
        key=cause,
        message_id=message_id(house.keys, cause=cause, domain=house.domain),
        recipient=None,
        to_address=contact,
        kind="alert",
        notices=codec.dump([SendingCapNear(period=cap.name, used=used, most=cap.most)]),
    )
    outbox.queue(conn, [alert], now)


def _first(conn: Connection, key: str, now: datetime, per: timedelta) -> bool:
    """Whether this has not happened for so long."""
    return rates.take(conn, key, now=now, capacity=1, per=per)
