"""What a mail costs on its way out: plainly, in flights (RFC 2920), and as aiosmtplib does it.

    python -m bench.sending [mails of a round]

One connection to a sink in a process of its own; a mail has 10 KB. The three ways take turns in
rounds, and each round is a pair with the one before it. Processor time is that of this process
alone. The last lines are by the clock, with a server that is 10 ms away.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Final
from unittest.mock import patch

import aiosmtplib

from bench._sink import sink
from pbem.transport import Envelope
from pbem.transport.server import Server
from pbem.transport.smtp import SmtpSender
from pbem.transport.smtp_wire import Line

MAILS: Final = 300
ROUNDS: Final = 15
FAR: Final = 0.010
MAIL: Final = Envelope("a@example.org", ("b@example.org",), (b"x" * 70 + b"\r\n") * 140)

Send = Callable[[], Awaitable[object]]


async def spent(send: Send, mails: int) -> tuple[float, float]:
    """Microseconds of the processor a mail, and of the clock."""
    began, used = time.perf_counter(), time.process_time()
    for _ in range(mails):
        await send()
    used = time.process_time() - used
    return 1e6 * used / mails, 1e6 * (time.perf_counter() - began) / mails


def sender(port: int, *, pipelining: bool) -> SmtpSender:
    """A way to the sink."""
    server = Server(host="127.0.0.1", port=port, security="none")
    return SmtpSender(server, local_hostname="bench", pipelining=pipelining)


async def trips(way: SmtpSender) -> int:
    """How often one mail has to wait for the server."""
    await way.send(MAIL)
    with patch.object(Line, "say", autospec=True, side_effect=Line.say) as said:
        await way.send(MAIL)
    return said.call_count


async def compare(port: int, mails: int, rounds: int) -> None:
    """Send by turns, and print what it took."""
    plain, flown = (sender(port, pipelining=wish) for wish in (False, True))
    library = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False, timeout=60)
    await library.connect()
    ways: dict[str, Send] = {
        "as aiosmtplib does it": lambda: library.sendmail("a@example.org", MAIL.rcpt_to, MAIL.data),
        "plainly": lambda: plain.send(MAIL),
        "in flights": lambda: flown.send(MAIL),
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, send in ways.items():
            costs = await spent(send, mails)
            if number:  # the first round connects
                found[name].append(costs)
    for name, took in found.items():
        used = statistics.median(processor for processor, _ in took)
        clock = statistics.median(seconds for _, seconds in took)
        print(f"{name:22} {used:6.0f} us of the processor a mail, {clock:6.0f} us of the clock")
    ratios = [a[0] / b[0] for a, b in zip(found["plainly"], found["in flights"], strict=True)]
    low, middle, high = statistics.quantiles(ratios)
    print(
        f"in flights {middle:.2f} x as cheap as plainly "
        f"(half of {rounds} pairs between {low:.2f} and {high:.2f}); "
        f"round trips a mail: {await trips(plain)} plainly, {await trips(flown)} in flights"
    )
    await asyncio.gather(plain.aclose(), flown.aclose())
    library.close()


def main() -> None:
    """Print what a mail costs near and far."""
    mails = int(sys.argv[-1]) if sys.argv[-1].isdigit() else MAILS
    with sink() as port:
        asyncio.run(compare(port, mails, ROUNDS))
    with sink(FAR) as port:
        print(f"with {1e3 * FAR:.0f} ms to the server and back:")
        asyncio.run(compare(port, max(1, mails // 30), 3))


if __name__ == "__main__":
    main()
