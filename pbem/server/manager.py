"""Notify systemd of the service's state (sd_notify(3)), for units of `Type=notify`."""

from __future__ import annotations

import os
import socket
from typing import Final

import structlog

READY: Final = "READY=1"
ALIVE: Final = "WATCHDOG=1"  # message sent regularly; without it systemd restarts the unit
STOPPING: Final = "STOPPING=1"

log = structlog.get_logger()


def notify_manager(state: str) -> None:
    """Send `state`, a message such as `READY=1`, to systemd if it expects messages from us.

    It expects messages if it started this process by a unit of `Type=notify`.
    """
    path = os.environ.get("NOTIFY_SOCKET", "")
    if not path:
        return
    address = f"\0{path[1:]}" if path.startswith("@") else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        try:
            manager.sendto(state.encode(), address)
        except OSError as error:
            log.warning("manager_not_notified", reason=str(error))
