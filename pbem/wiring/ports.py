"""A port of ours, or in words why it cannot be had: taken, not ours to take, of another machine."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Final

from pbem.errors import ConfigError

if TYPE_CHECKING:
    from pbem.config import Settings

WAITING: Final = 2048
"""Connections that the system keeps until they are taken."""


def bound(settings: Settings, *names: str, host: str, port: int) -> socket.socket:
    """A socket that listens at a port, which these settings name. Raises ConfigError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        # What was closed a minute ago is no reason to wait.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(WAITING)
    except (OSError, OverflowError) as error:
        listener.close()
        raise refused(settings, *names, host=host, port=port, error=error) from error
    return listener


def refused(settings: Settings, *names: str, host: str, port: int, error: Exception) -> ConfigError:
    """Why a port cannot be had, with the settings that name it."""
    why = getattr(error, "strerror", None) or error
    return ConfigError(f"{settings.named(*names)}: {host}:{port} cannot be had: {why}")
