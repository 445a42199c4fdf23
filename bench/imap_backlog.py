"""Reads a backlog of 10,000 mails over IMAP from a real Dovecot: mails a second, growth of memory.

    python -m bench.imap_backlog [number of mails]

The figure to reach: 10,000 mails in less than 10 s, with memory flat.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from contextlib import aclosing
from pathlib import Path

from pbem.legacy.transport.imap import ImapMailbox
from tests.legacy.servers import DOVECOT, dovecot

BODY = b"A1 and some more text, as people write it below their move.\r\n" * 40


def mail(number: int) -> bytes:
    """About 2.5 KB, as an answer with our quoted mail in it."""
    head = f"From: p{number}@example.org\r\nSubject: move {number}\r\nMessage-ID: <{number}@x>\r\n"
    return head.encode() + b"\r\n" + BODY


def resident_kib() -> int:
    """What this process has in memory now."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


async def read(box: ImapMailbox, number: int) -> tuple[int, int]:
    """How many came, and the most memory above the beginning, in KiB."""
    seen, most, begun = 0, 0, resident_kib()
    async with aclosing(box.batches(None)) as batches:
        async for batch in batches:
            seen += len(batch.mails)
            most = max(most, resident_kib() - begun)
            if seen >= number:
                break
    return seen, most


def main() -> None:
    """Deliver, read, print."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    if DOVECOT is None:
        sys.exit("dovecot is not installed")
    with dovecot() as server:
        begun = time.perf_counter()
        server.deliver(*(mail(each) for each in range(number)))
        delivered = time.perf_counter() - begun
        for run in ("cold", "warm"):
            begun = time.perf_counter()
            seen, most = asyncio.run(read(ImapMailbox(server.server(), account="bench"), number))
            seconds = time.perf_counter() - begun
            print(
                f"{run}: {seen} mails in {seconds:.2f} s, {seen / seconds:,.0f} a second, "
                f"memory +{most / 1024:.1f} MiB"
            )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"(delivered as files in {delivered:.2f} s; peak of the whole process {peak:.0f} MiB)"
        )


if __name__ == "__main__":
    main()
