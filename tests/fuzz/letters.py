"""An opt-in fuzzer of the way from raw bytes to orders; atheris is not among the locked packages.

    pip install atheris
    python -m tests.fuzz.letters -max_total_time=600 tests/mail/samples tests/fuzz/corpus

The suite itself fuzzes with Hypothesis, in tests/mail/test_fuzz.py. What crashes here goes into
tests/fuzz/corpus, which the suite reads every time.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from pbem.mail.automatic import read_bounce
from pbem.mail.letter import UnreadableLetter, mail_key
from tests.mail.corpus.samples import read_sent
from tests.mail.corpus.understood import understand

MAILS = tuple(read_sent().values())


def one_input(raw: bytes) -> None:
    """Read a mail as an answer to each of our games; nothing but a refusal may come out."""
    mail_key("games", raw)
    with suppress(UnreadableLetter):
        read_bounce(raw)
    with suppress(UnreadableLetter):
        understand(raw, MAILS[len(raw) % len(MAILS)])


def main() -> None:
    """Fuzz for as long as the command line says."""
    try:
        import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore] # opt-in
    except ImportError:
        sys.exit("this needs atheris: pip install atheris")
    atheris.instrument_all()
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
