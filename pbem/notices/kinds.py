"""Which notices a reader can do without, and the wish that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.notices.news import MoveReceipt
from pbem.notices.notice import Notice
from pbem.players.wishes import wished

WISH_OF: Final[Mapping[type[Notice], str]] = {
    MoveReceipt: "receipts",
}
"""The wish by which notices of a class are stopped. All others are needed by whoever plays."""


def is_wanted(notice: Notice, chosen: Mapping[str, str]) -> bool:
    """Whether its reader wants to be told."""
    wish = WISH_OF.get(type(notice))
    return wish is None or wished(chosen, wish) != "off"
