"""`python -m pbem` and the script `pbem`."""

import signal

# Ctrl-C ends the process without a word while modules are imported; commands may do better.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from pbem.cli.app import app  # noqa: E402 - not before the line above


def main() -> None:
    """Run the command that the arguments name."""
    app()


if __name__ == "__main__":
    main()
