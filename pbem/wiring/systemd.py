"""Tell systemd that the service is ready, lives and stops (sd_notify(3)).

The protocol is one datagram to a socket that the environment names: less than a library for it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.health import wrong

if TYPE_CHECKING:
    from pbem.runners.watch import Report

SOCKET: Final = "NOTIFY_SOCKET"
WATCHDOG, WATCHED = "WATCHDOG_USEC", "WATCHDOG_PID"

ENOUGH: Final = 2.5
"""A sign of life is given so often in the time after which systemd misses one."""


@dataclass(slots=True)
class Systemd:
    """Whoever started us and wants to hear of us; `every` is the seconds between two signs."""

    address: str
    every: float | None
    is_ready: bool = False

    @classmethod
    def of(cls, environ: MutableMapping[str, str] | None = None) -> Systemd | None:
        """As the environment has it; None where nobody wants to hear. No child inherits it."""
        environ = os.environ if environ is None else environ
        address = environ.pop(SOCKET, "")
        microseconds, watched = environ.pop(WATCHDOG, ""), environ.pop(WATCHED, "")
        if not address.startswith(("/", "@")):
            return None
        ours = microseconds.isdecimal() and watched in ("", str(os.getpid()))
        return cls(address, int(microseconds) / 1e6 / ENOUGH if ours else None)

    async def hear(self, report: Report) -> None:
        """Pass on that who writes has answered; where it has not, systemd waits in vain."""
        names = ", ".join(check.name for check in wrong(report.checks))
        lines = [f"STATUS={f'wrong: {names}' if names else 'all is well'}"]
        if report.answers:
            lines.append("WATCHDOG=1")
            if not self.is_ready:
                lines.append("READY=1")
                self.is_ready = True
        self.say(*lines)

    def stopping(self) -> None:
        """The work at hand is ended, and nothing else is begun."""
        self.say("STOPPING=1")

    def say(self, *lines: str) -> None:
        """Send it; whoever does not listen any more misses it."""
        # An abstract socket, which has no file, begins with a zero byte.
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            out.sendto("\n".join(lines).encode(), address)
