"""A stand-in for the boards of mails, where no test looks at what they show.

Boards are drawn in a process of its own, which takes half a second to start, and a mail whose board
cannot be drawn goes out without it: tests that do not look at boards notice nothing of either.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import pytest

from pbem.delivery import attachments

if TYPE_CHECKING:
    from pbem.notices.rendering.html_markup import Picture

_DOT: Final = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg=="
)
"""The smallest picture there is: one white point."""


@pytest.fixture(autouse=True)
def boards_undrawn(request: pytest.FixtureRequest) -> Iterator[None]:
    """Mails have a point for a board, except in tests that are marked `drawn`."""
    if request.node.get_closest_marker("drawn"):
        yield
        return
    # Not by `monkeypatch`, which a test may undo halfway for a reason of its own.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attachments, "_png", _point)
        yield


async def _point(_: Picture) -> bytes:
    return _DOT
