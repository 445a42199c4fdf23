"""Forget what was kept long enough: letters, sent bytes, questions, claims, empty buckets."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog

from pbem.delivery.bounces import watch_over_suspended
from pbem.store.mails import inbox, waiting_mails
from pbem.store.people import rates, roster
from pbem.transaction.timers import QUESTIONS_LIVE

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transaction.installation import House

log = structlog.get_logger("pbem.housekeeping")


async def keep_house(house: House) -> int:
    """Forget what `keep_mail_days` allows to; 0, since nothing waits for it."""

    def unit(conn: Connection) -> tuple[int, int, int]:
        now = house.now()
        before = now - timedelta(days=house.settings.limits.keep_mail_days)
        rates.prune_questions(
            conn, min(before + QUESTIONS_LIVE, now)
        )  # those that were asked before
        watch_over_suspended(conn)
        roster.drop_old_claims(conn, now - QUESTIONS_LIVE)
        return inbox.prune(conn, before), waiting_mails.prune(conn, before), rates.prune(conn, now)

    letters, mails, buckets = await asyncio.wrap_future(house.db.write(unit))
    if letters or mails:
        log.info("forgotten", letters=letters, mails=mails, buckets=buckets)
    await asyncio.to_thread(house.db.empty_journal)
    return 0
