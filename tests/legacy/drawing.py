"""A stand-in for the boards of mails, where no test looks at what they show.

Boards are drawn in a process of its own, which takes half a second to start, and a mail whose board
cannot be drawn goes out without it: tests that do not look at boards notice nothing of either.
"""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Final

import pytest

from pbem.legacy.delivery import attachments

if TYPE_CHECKING:
    from pbem.legacy.notices.rendering.html_markup import Picture

_DOT: Final = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg=="
)
"""The smallest picture there is: one white point."""


_DRAWN: Final = attachments._png


def draw_for(item: pytest.Item) -> None:
    """Have mails a point for a board, but in tests that are marked `drawn`."""
    drawn = item.get_closest_marker("drawn") is not None
    vars(attachments)["_png"] = _DRAWN if drawn else _point


async def _point(_: Picture) -> bytes:
    return _DOT
