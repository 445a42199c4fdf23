"""`python -m pbem` and the script `pbem`."""

import gc
import signal

# Ctrl-C ends the process without a word while modules are imported; commands may do better.
# `./run` lets one wait that comes before.
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

# Nearly all that a start makes stays: to look for garbage in it takes a tenth of the time.
gc.set_threshold(50_000)

from pbem.legacy.cli.app import app  # noqa: E402 - not before the lines above


def main() -> None:
    """Run the command that the arguments name."""
    app()


if __name__ == "__main__":
    main()
