"""Texts that were sealed for an order: those of a refused one are not kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pbem.store.log import sealed

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.names import Digest


def forget_unused(conn: Connection, texts: Mapping[Digest, str], events: Iterable[object]) -> None:
    """Forget the texts that no event names, nor a text that one names: nobody could find them.

    `texts` are in the order in which they were sealed, so that a text stands behind those it names.
    """
    if not texts:
        return
    naming = [repr(event) for event in events]
    for digest, text in reversed(list(texts.items())):
        if any(digest in words for words in naming):
            naming.append(text)
        else:
            sealed.forget(conn, digest)
