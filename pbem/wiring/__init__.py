"""The composition root: from settings to a running house, and the demonstration of one.

The only place that reads the clock and the source of entropy, and that knows which transports there
are. Everything below gets what it needs as arguments. `service.py` serves an installation;
`demo.py` makes one for an hour, with people who answer its mails.
"""

from pbem.wiring.one_service import alone
from pbem.wiring.service import (
    clock,
    entropy,
    imap_of,
    open_house,
    run,
    sender_of,
    serve,
    server_of,
)

__all__ = [
    "alone",
    "clock",
    "entropy",
    "imap_of",
    "open_house",
    "run",
    "sender_of",
    "serve",
    "server_of",
]
