"""`python -m pbem` and the script `pbem`."""

import signal

# Ctrl-C ends the process without a word while modules are imported; commands may do better.
# `./run` lets one wait that comes before.
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

from pbem.cli.app import app  # noqa: E402 - not before the line above


def main() -> None:
    """Run the command that the arguments name."""
    app()


if __name__ == "__main__":
    main()
