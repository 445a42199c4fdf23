"""Sign what the log has become, once a day, so that others can hold us to it (docs/fairness.md)."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import structlog

from pbem.legacy.store import scopes
from pbem.legacy.store.log import tree
from pbem.legacy.transaction.checkpoints import NOT_BEFORE

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.transaction.installation import House

log = structlog.get_logger("pbem.checkpoints")


async def sign_log(house: House) -> None:
    """Hash what is new of the log, and sign it where the last note is of yesterday."""
    if house.log_seed is None:
        return
    while nodes := await asyncio.wrap_future(house.db.read(tree.new_nodes)):
        keep = partial(tree.keep_nodes, nodes=nodes)
        await asyncio.wrap_future(house.db.write(keep, scopes.OWN_ROWS))
    note = await asyncio.wrap_future(
        house.db.read(partial(due_note, house=house, seed=house.log_seed, now=house.now()))
    )
    if note is not None:
        await asyncio.wrap_future(house.db.write(partial(tree.keep_note, note=note)))
        log.info("checkpoint", size=note.size)


def due_note(conn: Connection, *, house: House, seed: bytes, now: datetime) -> tree.Note | None:
    """The note to be signed now, if there is one.

    What does not extend the last one is never signed: it would be the proof against us.
    """
    last, size = tree.newest(conn), tree.size(conn)
    if last is not None:
        if last.made_at <= now < last.made_at + NOT_BEFORE or last.size == size:
            return None
        if last.size > size or tree.root(conn, last.size) != last.root:
            log.error("log_is_not_what_was_signed", size=last.size)
            return None
    if size == 0:
        return None
    return signed_note(house.log_origin, seed, size, tree.root(conn, size), now)


def signed_note(origin: str, seed: bytes, size: int, root: bytes, now: datetime) -> tree.Note:
    """A checkpoint with our signature."""
    from pbem.legacy.witnessing import notes  # with what signs, which no turn needs

    key = notes.SecretKey(origin, seed)
    text = str(notes.Checkpoint(origin, size, root))
    return tree.Note(size, root, notes.signed(text, key), str(key.public), now)
