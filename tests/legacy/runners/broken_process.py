"""What runs in a process that is of no use; it imports nothing of pbem, so that it soon ends."""

from __future__ import annotations

import os
from concurrent.futures import Future


def cannot_start() -> None:
    """The end of the process."""
    os._exit(3)


class Lost:
    """A pool whose processes die as it takes a work, before it has noted it."""

    active = False

    def schedule(self, *_work: object, **_settings: object) -> Future[object]:
        return Future()

    def stop(self) -> None:
        """There is nothing left."""

    def join(self, timeout: float | None = None) -> None:
        """There is nothing left."""
